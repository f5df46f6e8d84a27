//! What a check of `judge lint` found.

use serde::Serialize;

use crate::referee::explanation::Explanation;
use crate::referee::result::GameResult;

/// The result of a check.
#[derive(Debug, Serialize)]
pub(crate) struct Finding {
    pub(crate) status: CheckStatus,
    pub(crate) found: String,
    /// The evidence for why the check failed.
    pub(crate) why: Vec<String>,
    /// How to fix the bot, if the check failed.
    pub(crate) advice: Vec<String>,
    /// The command that repeats the step that did not pass.
    pub(crate) again: Option<String>,
    /// What the bot wrote to stderr in that step, if the check failed: the lines to show.
    pub(crate) stderr: Vec<String>,
}

/// Whether a bot has passed a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CheckStatus {
    Pass,
    Fail,
    /// The bot follows the protocol, but lost a game.
    Lost,
    /// Neither: the check is about something that a bot for the contest does not need.
    Note,
}

impl Finding {
    fn new(status: CheckStatus, found: String) -> Self {
        Self { status, found, why: Vec::new(), advice: Vec::new(), again: None, stderr: Vec::new() }
    }

    pub(super) fn pass(found: impl Into<String>) -> Self {
        Self::new(CheckStatus::Pass, found.into())
    }

    pub(super) fn lost(found: impl Into<String>) -> Self {
        Self::new(CheckStatus::Lost, found.into())
    }

    pub(super) fn note(found: impl Into<String>) -> Self {
        Self::new(CheckStatus::Note, found.into())
    }

    pub(super) fn fail(found: impl Into<String>, advice: &str) -> Self {
        Self { advice: vec![advice.to_owned()], ..Self::new(CheckStatus::Fail, found.into()) }
    }

    /// A game that did not end as it should have: its verdict and reason, and why.
    pub(super) fn failed_game(result: &GameResult) -> Self {
        let Explanation { why, advice } = result.explanation.clone();
        let found = format!("{}, {}", result.verdict, result.reason);
        Self { why, advice, ..Self::new(CheckStatus::Fail, found) }
    }
}
