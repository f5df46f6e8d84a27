//! The verdicts of a conversation with an interactor.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The verdict on a bot. Except for the last one, a verdict that does not come from the interactor means that the bot
/// failed as a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Verdict {
    Accepted,
    Partial,
    WrongAnswer,
    ExtraOutput,
    Crashed,
    ExitedEarly,
    TimeCpu,
    TimeWall,
    Idle,
    NoExit,
    Memory,
    Processes,
    OutputLimit,
    /// The interactor or the judge failed.
    JudgeError,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Accepted => "ACCEPTED",
            Self::Partial => "PARTIAL",
            Self::WrongAnswer => "WRONG_ANSWER",
            Self::ExtraOutput => "EXTRA_OUTPUT",
            Self::Crashed => "CRASHED",
            Self::ExitedEarly => "EXITED_EARLY",
            Self::TimeCpu => "TIME_CPU",
            Self::TimeWall => "TIME_WALL",
            Self::Idle => "IDLE",
            Self::NoExit => "NO_EXIT",
            Self::Memory => "MEMORY",
            Self::Processes => "PROCESSES",
            Self::OutputLimit => "OUTPUT_LIMIT",
            Self::JudgeError => "JUDGE_ERROR",
        })
    }
}
