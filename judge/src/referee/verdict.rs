//! The verdicts: a closed set.

use std::fmt;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// What became of the bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Verdict {
    Won,
    Lost,
    Resigned,
    Illegal,
    Malformed,
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
    JudgeError,
    Interrupted,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Won => "WON",
            Self::Lost => "LOST",
            Self::Resigned => "RESIGNED",
            Self::Illegal => "ILLEGAL",
            Self::Malformed => "MALFORMED",
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
            Self::Interrupted => "INTERRUPTED",
        })
    }
}

/// What is made of a bot's behaviour after the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Profile {
    /// As at the contest, where anything after the end is indeterminate: it is reported, and a win stays a win
    Contest,
    /// Output after the end is `EXTRA_OUTPUT`, and not to end is `NO_EXIT`
    Strict,
}
