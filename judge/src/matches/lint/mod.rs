//! The check list for a bot: one conversation or two for each point, and how to fix what is wrong.

mod checks;
mod harness;

use serde::Serialize;

pub(crate) use checks::CHECKS;
pub(crate) use harness::Harness;

/// A point of the list.
pub(crate) struct Check {
    pub(crate) name: &'static str,
    run: fn(&Harness) -> anyhow::Result<Finding>,
}

impl Check {
    /// Runs it on a bot.
    ///
    /// # Errors
    ///
    /// If the bot cannot be started.
    pub(crate) fn run(&self, harness: &Harness) -> anyhow::Result<Finding> {
        (self.run)(harness)
    }
}

/// The result of a check.
#[derive(Debug, Serialize)]
pub(crate) struct Finding {
    pub(crate) status: CheckStatus,
    pub(crate) found: String,
    /// How to fix it, if it failed.
    pub(crate) hint: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CheckStatus {
    Pass,
    Fail,
    /// Neither: good to know.
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
