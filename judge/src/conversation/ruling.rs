//! The verdicts of a conversation with an interactor.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The verdict on a bot. The interactor or its checker gives `Accepted`, `Partial` and `WrongAnswer`. `ExtraOutput` to
/// `OutputLimit` mean that the bot wrote too much, reached a limit, waited, or did not end correctly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Verdict {
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

/// The verdict and its reasons.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ruling {
    pub(crate) verdict: Verdict,
    pub(crate) score: Option<f64>,
    pub(crate) reason: String,
    /// The evidence for the reason, and what the interactor did after the bot had failed.
    pub(crate) why: Vec<String>,
    pub(crate) advice: Vec<String>,
}

impl Ruling {
    pub(crate) fn new(verdict: Verdict, reason: impl Into<String>) -> Self {
        Self { verdict, score: None, reason: reason.into(), why: Vec::new(), advice: Vec::new() }
    }

    pub(crate) fn why(mut self, why: impl Into<String>) -> Self {
        self.why.push(why.into());
        self
    }

    pub(crate) fn advice(mut self, advice: impl Into<String>) -> Self {
        self.advice.push(advice.into());
        self
    }

    pub(crate) fn why_if_any(mut self, why: Option<String>) -> Self {
        self.why.extend(why);
        self
    }
}
