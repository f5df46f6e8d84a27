//! The result of a check of `judge lint`.

use serde::Serialize;
use zeroxor::Side;

use super::bot_under_test::dialogue;
use referee::explain::Explanation;
use referee::finished_game::FinishedGame;

/// The result of a check.
#[derive(Debug, Serialize)]
pub(crate) struct Finding {
    pub(crate) status: CheckStatus,
    pub(crate) found: String,
    /// The evidence for the cause of a failure or a loss.
    pub(crate) why: Vec<String>,
    /// How to fix the bot, if the check failed.
    pub(crate) advice: Vec<String>,
    /// The last lines of the failed game, with the positions after these lines, if the check failed.
    pub(crate) game: Vec<String>,
    /// The command that repeats the last step, if the check did not pass.
    pub(crate) again: Option<String>,
    /// The lines of the bot's stderr to show, if the check failed.
    pub(crate) stderr: Vec<String>,
}

/// The status of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CheckStatus {
    Pass,
    Fail,
    /// The bot follows the protocol, but lost a game.
    Lost,
    /// The bot did not pass, but the check is about a feature that a bot for the contest does not need.
    Note,
}

impl Finding {
    fn new(status: CheckStatus, found: String) -> Self {
        Self {
            status,
            found,
            why: Vec::new(),
            advice: Vec::new(),
            game: Vec::new(),
            again: None,
            stderr: Vec::new(),
        }
    }

    pub(crate) fn pass(found: impl Into<String>) -> Self {
        Self::new(CheckStatus::Pass, found.into())
    }

    /// Returns the finding for lost games. `only_side` is the side that the bot chose in every game so far, if it chose
    /// only one side.
    pub(super) fn lost(found: impl Into<String>, only_side: Option<Side>) -> Self {
        let why = only_side.map(|side| {
            format!("the bot chose {side} in every game so far, but the winning side depends on N, L and R")
        });
        Self { why: why.into_iter().collect(), ..Self::new(CheckStatus::Lost, found.into()) }
    }

    pub(crate) fn note(found: impl Into<String>) -> Self {
        Self::new(CheckStatus::Note, found.into())
    }

    pub(crate) fn fail(found: impl Into<String>, advice: &str) -> Self {
        Self { advice: vec![advice.to_owned()], ..Self::new(CheckStatus::Fail, found.into()) }
    }

    /// Returns the finding for a failed game: verdict, reason, explanation, and last lines.
    pub(super) fn failed_game(game: &FinishedGame) -> Self {
        let found = format!("{}, {}", game.result.verdict, game.result.reason);
        let failed = Self { game: dialogue(game), ..Self::new(CheckStatus::Fail, found) };
        failed.explained(game.result.explanation.clone())
    }

    /// Returns the finding with this explanation.
    pub(super) fn explained(self, Explanation { why, advice }: Explanation) -> Self {
        Self { why, advice, ..self }
    }
}
