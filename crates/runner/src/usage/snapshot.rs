//! What all processes of a bot together use and do at one moment.

use serde::{Deserialize, Serialize};

use crate::event::Usage;

/// A view of all processes of a bot at one moment; without knowledge of them, the default.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ProcSnapshot {
    pub used: Usage,
    /// Whether all of them sleep or are stopped.
    pub sleeping: bool,
    /// Whether one of them is stopped by a signal.
    pub stopped: bool,
    /// The function of the kernel in which one of them sleeps, the one that says most.
    pub channel: Option<String>,
}
