//! Runs that are divided among several processes, on one or more machines: the part of each process, and the label
//! that tells to which run a result belongs.

pub mod options;
pub mod shard;

use itertools::Itertools;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// The exit code of a run that has not reached its end and can be continued by the same command: `EX_TEMPFAIL` of
/// sysexits.h.
pub const UNFINISHED: u8 = 75;

/// The label of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunLabel {
    /// The version of this program.
    pub judge: String,
    /// The identifier of the run.
    pub run: String,
    /// Number of results of the whole run; `None` if the number is known only at its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// The command that computes all results, if the command is UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

impl RunLabel {
    /// Makes the label of a run of this program. `words` must contain everything that determines the run's results,
    /// because the identifier is a hash of their JSON.
    ///
    /// # Errors
    ///
    /// If `words` cannot be written as JSON.
    pub fn new(words: &impl Serialize) -> serde_json::Result<Self> {
        Ok(Self::of_text(&serde_json::to_string(words)?))
    }

    /// Makes the label of a run of this program. `text` must contain everything that determines the run's results,
    /// because the identifier is a hash of it.
    pub fn of_text(text: &str) -> Self {
        let run = format!("{:02x}", Sha256::digest(text).iter().take(8).format(""));
        Self { judge: env!("CARGO_PKG_VERSION").to_owned(), run, total: None, command: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that words without a JSON form give an error. Otherwise, all such runs would have the same identifier.
    #[test]
    fn words_that_cannot_be_hashed() {
        assert!(RunLabel::new(&std::collections::BTreeMap::from([([1, 2], 3)])).is_err());
        assert_eq!(RunLabel::new(&(1, "a")).unwrap(), RunLabel::of_text("[1,\"a\"]"));
    }
}
