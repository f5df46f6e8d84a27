//! The check list for a bot: one conversation or two for each point, and how to mend what is wrong.

mod bench;
mod checks;

use serde::Serialize;

pub(crate) use bench::Bench;
pub(crate) use checks::CHECKS;

/// A point of the list.
pub(crate) struct Check {
    pub(crate) name: &'static str,
    look: fn(&Bench) -> anyhow::Result<Finding>,
}

impl Check {
    /// Holds a bot against it.
    ///
    /// # Errors
    ///
    /// If the bot cannot be started.
    pub(crate) fn look(&self, bench: &Bench) -> anyhow::Result<Finding> {
        (self.look)(bench)
    }
}

/// What came of a check.
#[derive(Debug, Serialize)]
pub(crate) struct Finding {
    pub(crate) mark: Mark,
    pub(crate) found: String,
    /// How to mend it, if it failed.
    pub(crate) mend: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Mark {
    Pass,
    Fail,
    /// Neither: good to know.
    Note,
}

impl Finding {
    fn pass(found: impl Into<String>) -> Self {
        Self { mark: Mark::Pass, found: found.into(), mend: None }
    }

    fn note(found: impl Into<String>) -> Self {
        Self { mark: Mark::Note, found: found.into(), mend: None }
    }

    fn fail(found: impl Into<String>, mend: &'static str) -> Self {
        Self { mark: Mark::Fail, found: found.into(), mend: Some(mend) }
    }
}
