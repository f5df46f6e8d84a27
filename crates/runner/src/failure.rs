//! The events of what the judge itself cannot do.

use std::io;

use super::bot::TimedEvent;
use crate::event::{Event, Failure};

/// Why a game cannot be played or not go on.
pub(super) const UNMEASURED: &str =
    "the judge cannot see what the bot uses, and so cannot hold it to its limits";

/// The event of a bot whose processes cannot be read.
pub(super) fn unmeasured(error: &anyhow::Error) -> TimedEvent {
    failed(format!("{UNMEASURED}: {error:#}"))
}

/// The event of a bot whose streams cannot be read.
pub(super) fn unreadable(error: &io::Error) -> TimedEvent {
    failed(format!("the judge cannot read from the bot: {error}"))
}

fn failed(why: String) -> TimedEvent {
    TimedEvent::now(Event::Failed(Failure { why }))
}
