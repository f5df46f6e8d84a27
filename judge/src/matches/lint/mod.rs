//! The checks of `judge lint`: whether a bot follows the protocol, and how to fix it if it does not.

mod bot_under_test;
mod checks;

use serde::Serialize;

pub(crate) use bot_under_test::BotUnderTest;
pub(crate) use checks::CHECKS;

/// One check.
pub(crate) struct Check {
    pub(crate) name: &'static str,
    run: fn(&BotUnderTest) -> anyhow::Result<Finding>,
}

impl Check {
    /// Runs the check on a bot.
    ///
    /// # Errors
    ///
    /// If the bot cannot be started.
    pub(crate) fn run(&self, bot_under_test: &BotUnderTest) -> anyhow::Result<Finding> {
        (self.run)(bot_under_test)
    }
}

/// The result of a check.
#[derive(Debug, Serialize)]
pub(crate) struct Finding {
    pub(crate) status: CheckStatus,
    pub(crate) found: String,
    /// How to fix the bot, if the check failed.
    pub(crate) hint: Option<&'static str>,
}

/// Whether a bot has passed a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CheckStatus {
    Pass,
    Fail,
    /// Neither: the check is about something that a bot for the contest does not need.
    Note,
}

impl Finding {
    fn pass(found: impl Into<String>) -> Self {
        Self { status: CheckStatus::Pass, found: found.into(), hint: None }
    }

    fn note(found: impl Into<String>) -> Self {
        Self { status: CheckStatus::Note, found: found.into(), hint: None }
    }

    fn fail(found: impl Into<String>, hint: &'static str) -> Self {
        Self { status: CheckStatus::Fail, found: found.into(), hint: Some(hint) }
    }
}
