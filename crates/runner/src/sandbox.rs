//! Which guards of the sandbox a program has.

use std::fmt;
use std::sync::Once;

use anyhow::bail;
use clap::ValueEnum;
use itertools::Itertools;
use serde::{Deserialize, Serialize};

use crate::message::print_error;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sandbox {
    /// All guards; if this machine lacks one, nothing is run
    All,
    /// The guards that this machine has
    Best,
    /// No sandbox
    #[default]
    None,
}

impl Sandbox {
    /// Returns the option with the name `option` that chooses this sandbox; `None` without a sandbox.
    pub fn option(self, option: &str) -> Option<String> {
        match self {
            Self::All => Some(option.to_owned()),
            Self::Best => Some(format!("{option}=best")),
            Self::None => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Guard {
    /// No file is written or changed.
    Files,
    Network,
    Privileges,
    /// The number of processes is bounded.
    Processes,
    /// No terminal or other device is opened.
    Terminals,
}

impl Guard {
    pub const ALL: [Self; 5] =
        [Self::Files, Self::Network, Self::Privileges, Self::Processes, Self::Terminals];
}

impl fmt::Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingGuards {
    pub guards: Vec<Guard>,
    pub reason: String,
}

/// Checks for [`Sandbox::All`] that no guard is missing.
pub fn ensure_complete(missing: &[MissingGuards]) -> anyhow::Result<()> {
    missing.first().map_or(Ok(()), |first| bail!("the sandbox is not possible here: {}", first.reason))
}

/// Names on stderr the guards that are missing, in the first call that has any.
pub fn report_missing(missing: &[MissingGuards]) {
    static REPORTED: Once = Once::new();
    if missing.is_empty() {
        return;
    }
    REPORTED.call_once(|| {
        for MissingGuards { guards, reason } in missing {
            print_error(format_args!(
                "the sandbox does not have the guards {}: {reason}",
                guards.iter().join(", ")
            ));
        }
    });
}
