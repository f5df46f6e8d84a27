//! Processes and signals: bots that escape, hide or multiply, and judges that are killed or lack something.

mod descendants;
mod output;
mod shortage;
mod signals;
mod stops;
mod supervisor;

use std::process::{self};

use crate::support::{has_sandbox, is_running};

/// A word that distinguishes the processes of one game from all others.
fn token(name: &str) -> String {
    format!("{name}-{}", process::id())
}

/// Whether a process of this game is running.
fn is_left(token: &str) -> bool {
    is_running(|arguments| arguments.last().is_some_and(|last| last == token))
}

/// Both ways to play, where there are both.
fn ways() -> impl Iterator<Item = &'static str> {
    ["", "--sandbox"].into_iter().filter(|way| way.is_empty() || has_sandbox())
}
