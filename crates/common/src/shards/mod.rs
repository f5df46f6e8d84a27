//! Runs that are divided among several processes, on one machine or on many: which part each of them does, what each
//! result says of its run.

pub mod options;
pub mod shard;

use itertools::Itertools;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// The exit code of a run that has not reached its end, and that the same command continues: `EX_TEMPFAIL` of
/// sysexits.h.
pub const UNFINISHED: u8 = 75;

/// The label of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunLabel {
    /// The judge's version.
    pub judge: String,
    /// What tells the run from others.
    pub run: String,
    /// How many results the whole run has; `None` if only its end shows that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// The command that makes them all, if it is UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

impl RunLabel {
    /// The label of a run of this judge. `words` is all that decides which results it has.
    pub fn new(words: &impl Serialize) -> Self {
        Self::of(&serde_json::to_vec(words).unwrap_or_default())
    }

    /// The label of a run of this judge, by a text that has all that decides which results it has.
    pub fn of(text: &[u8]) -> Self {
        let run = format!("{:02x}", Sha256::digest(text).iter().take(8).format(""));
        Self { judge: env!("CARGO_PKG_VERSION").to_owned(), run, total: None, command: None }
    }
}

/// A command with another option: at its end, or, if a bot with options of its own follows, before all others.
pub fn with_option(command: &str, option: &str) -> String {
    if !command.contains(" -- ") {
        return format!("{command} {option}");
    }
    let end = command.match_indices(' ').nth(1).map_or(command.len(), |(end, _)| end);
    let (judge, rest) = command.split_at(end);
    format!("{judge} {option}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_is_one_of_the_judge() {
        assert_eq!(with_option("judge arena --pairs 2", "--resume a"), "judge arena --pairs 2 --resume a");
        assert_eq!(with_option("judge stress -- ./b", "--resume a"), "judge stress --resume a -- ./b");
        assert_eq!(with_option("judge stress", "--resume a"), "judge stress --resume a");
    }
}
