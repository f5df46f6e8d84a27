//! The checks of `judge lint`: the program under test, the subjects of the checks, and the result of a check.

use serde::Serialize;

/// A program that `judge lint` checks.
pub(crate) trait UnderTest {
    /// Returns the name of the program for messages.
    fn name(&self) -> String;

    /// Returns the names and the subjects of the checks, in the order in which they run.
    fn checks(&self) -> Vec<(&'static str, Subject)>;

    /// Runs the check with this number. The numbers begin at 1.
    ///
    /// # Errors
    ///
    /// If there is no such check, or a program cannot be started.
    fn run(&self, number: u64) -> anyhow::Result<Finding>;
}

/// The subject of a check. A failed check may explain failures of some later checks. Those later checks are skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// A bot's play of a small game, or an interactor's run with a right bot. A failure here may explain the failure of
    /// any other check.
    Game,
    /// A bot's behaviour when the game is over, or an interactor's when the bot ends early. A program may handle each
    /// kind of end differently.
    End,
    /// The way in which the program reads its input.
    Input,
    /// The play of large games. A bot that is too slow for one large game is too slow for others.
    LargeGame,
    /// Features that a bot for the contest does not need, and the repeatability of an interactor's runs.
    Extra,
}

impl Subject {
    /// Returns whether to skip a check of this subject after a failed check of the subject `failed`, because the check
    /// could only show the same fault.
    pub(crate) fn is_explained_by(self, failed: Self) -> bool {
        match failed {
            Self::Game => true,
            Self::LargeGame => self == failed,
            Self::End | Self::Input | Self::Extra => false,
        }
    }
}

/// The result of a check.
#[derive(Debug, Serialize)]
pub(crate) struct Finding {
    pub(crate) status: CheckStatus,
    /// What the check found, in one line.
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
    /// The check did not pass, but shows no fault: the bot lacks a feature that the contest does not need, or the
    /// behaviour could not be tested, for example because the bot makes no move.
    Note,
}

impl Finding {
    /// Returns a finding without evidence and advice.
    pub(crate) fn new(status: CheckStatus, found: String) -> Self {
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

    /// Returns the finding of a check that passed.
    pub(crate) fn pass(found: impl Into<String>) -> Self {
        Self::new(CheckStatus::Pass, found.into())
    }

    /// Returns the finding of a check that did not pass but shows no fault: see [`CheckStatus::Note`].
    pub(crate) fn note(found: impl Into<String>) -> Self {
        Self::new(CheckStatus::Note, found.into())
    }

    /// Returns the finding of a failed check, with what to do about it.
    pub(crate) fn fail(found: impl Into<String>, advice: &str) -> Self {
        Self { advice: vec![advice.to_owned()], ..Self::new(CheckStatus::Fail, found.into()) }
    }
}
