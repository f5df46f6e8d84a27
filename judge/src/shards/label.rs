//! The label of a run, which each line of its results has: which run it is, and what made it.

use itertools::Itertools;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// The label of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct RunLabel {
    /// The judge's version.
    pub(crate) judge: String,
    /// What tells the run from others.
    pub(crate) run: String,
    /// How many results the whole run has; `None` if only its end shows that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) total: Option<u64>,
    /// The command that makes them all, if it is UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) command: Option<String>,
}

impl RunLabel {
    /// The label of a run that is made from these words, by this judge.
    pub(crate) fn new(words: &impl Serialize) -> Self {
        let judge = env!("CARGO_PKG_VERSION").to_owned();
        Self { judge, run: run_id(words), total: None, command: None }
    }
}

/// A hash of all that decides which results a run has.
fn run_id(words: &impl Serialize) -> String {
    let text = serde_json::to_vec(words).unwrap_or_default();
    let hash = Sha256::digest(&text);
    format!("{:02x}", hash.iter().take(8).format(""))
}

/// A command with another option: in front of the others, because behind them may be the bot's own.
pub(crate) fn with_option(command: &str, option: &str) -> String {
    let end = command.match_indices(' ').nth(1).map_or(command.len(), |(end, _)| end);
    let (judge, rest) = command.split_at(end);
    format!("{judge} {option}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_is_put_in_front() {
        assert_eq!(with_option("judge arena --pairs 2", "--resume a"), "judge arena --resume a --pairs 2");
        assert_eq!(with_option("judge stress -- ./b", "--resume a"), "judge stress --resume a -- ./b");
        assert_eq!(with_option("judge stress", "--resume a"), "judge stress --resume a");
    }
}
