//! Which guards of the sandbox a program has.

use std::fmt;
use std::sync::Once;

use clap::ValueEnum;
use itertools::Itertools;
use serde::{Deserialize, Serialize};

use crate::message::print_error;

/// The option that chooses the guards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(from = "SandboxField", into = "SandboxField")]
pub enum Sandbox {
    /// All guards; if this machine lacks one, nothing is run
    All,
    /// The guards that this machine has
    Best,
    /// No sandbox
    #[default]
    None,
}

/// A [`Sandbox`] in JSON. Transcripts of older judges have `true` or `false`.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum SandboxField {
    IsComplete(bool),
    Named(Best),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Best {
    Best,
}

impl From<SandboxField> for Sandbox {
    fn from(field: SandboxField) -> Self {
        match field {
            SandboxField::IsComplete(true) => Self::All,
            SandboxField::IsComplete(false) => Self::None,
            SandboxField::Named(Best::Best) => Self::Best,
        }
    }
}

impl From<Sandbox> for SandboxField {
    fn from(sandbox: Sandbox) -> Self {
        match sandbox {
            Sandbox::All => Self::IsComplete(true),
            Sandbox::None => Self::IsComplete(false),
            Sandbox::Best => Self::Named(Best::Best),
        }
    }
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

/// A guard of the sandbox.
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

/// Guards that this machine lacks, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingGuards {
    pub guards: Vec<Guard>,
    pub reason: String,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complete_sandboxes_are_booleans_in_json() {
        for (sandbox, json) in [(Sandbox::All, "true"), (Sandbox::Best, "\"best\""), (Sandbox::None, "false")]
        {
            assert_eq!(serde_json::to_string(&sandbox).unwrap(), json);
            assert_eq!(serde_json::from_str::<Sandbox>(json).unwrap(), sandbox);
        }
        assert!(serde_json::from_str::<Sandbox>("\"some\"").is_err());
    }
}
