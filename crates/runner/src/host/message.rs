//! What the judge asks a host, and what it answers, as lines of JSON.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::cgroup::GroupMeterState;
use crate::usage::snapshot::ProcSnapshot;

/// A request: see [`crate::bot_tree::BotTree`].
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Request {
    /// Start the bot. Its pipes come beside the answer.
    Start,
    Exit,
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
    /// Its control group, the files of which come after the pipes.
    pub(super) group: Option<GroupMeterState>,
    /// Whether a descriptor of its end comes after them.
    pub(super) has_exit_fd: bool,
}

/// The answer to a request for a snapshot.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Snapshot {
    pub(super) snapshot: ProcSnapshot,
    /// Whether a process has left the control group.
    pub(super) has_left_group: bool,
}

/// The answer to a request.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Reply<T> {
    /// The answer, or why there is none.
    pub(super) answer: Result<T, String>,
    /// The CPU time that the host needed.
    pub(super) cpu: Duration,
}
