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
        let mut finding = (self.run)(bot_under_test)?;
        if finding.status == CheckStatus::Fail {
            let step = bot_under_test.last_step();
            (finding.again, finding.stderr) = (step.again, step.stderr);
        }
        Ok(finding)
    }
}

/// The result of a check.
#[derive(Debug, Serialize)]
pub(crate) struct Finding {
    pub(crate) status: CheckStatus,
    pub(crate) found: String,
    /// How to fix the bot, if the check failed.
    pub(crate) hint: Option<&'static str>,
    /// The command that repeats the step that failed.
    pub(crate) again: Option<String>,
    /// What the bot wrote to stderr in that step: the lines to show.
    pub(crate) stderr: Vec<String>,
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
        Self { status: CheckStatus::Pass, found: found.into(), hint: None, again: None, stderr: Vec::new() }
    }

    fn note(found: impl Into<String>) -> Self {
        Self { status: CheckStatus::Note, found: found.into(), hint: None, again: None, stderr: Vec::new() }
    }

    fn fail(found: impl Into<String>, hint: &'static str) -> Self {
        Self {
            status: CheckStatus::Fail,
            found: found.into(),
            hint: Some(hint),
            again: None,
            stderr: Vec::new(),
        }
    }
}
