//! What the judge asks a host, and what it answers, as lines of JSON.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::process::usage::snapshot::ProcSnapshot;

/// A request: see [`crate::process::bot_tree::BotTree`].
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Request {
    /// Start the bot. Its pipes come beside the answer.
    Start,
    Exit,
    UsedByGroup,
    Snapshot {
        is_complete: bool,
    },
    Threads(ProcSnapshot),
    /// End the bot.
    End,
}

/// What is known of a bot that has been started.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Started {
    pub(super) has_group: bool,
}

/// The answer to a request.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Reply<T> {
    /// The answer, or why there is none.
    pub(super) answer: Result<T, String>,
    /// The CPU time that the host needed.
    pub(super) cpu: Duration,
}
