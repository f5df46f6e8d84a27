//! The explanation of a game that was not won: the evidence, and what to do.

/// Why a game ended as it did, and what to do about it. Each line is a sentence; the most important is first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    /// The evidence.
    pub why: Vec<String>,
    /// What to do.
    pub advice: Vec<String>,
}

impl Explanation {
    /// Advice that needs no evidence.
    pub(super) fn advise(advice: impl Into<String>) -> Self {
        Self { why: Vec::new(), advice: vec![advice.into()] }
    }
}

/// How a bot ends after a game.
pub const EXIT: &str =
    "when \"0 0\" or \"-1 -1\" is read, leave the loop that reads, and let the program end with exit code 0";

/// What a bot prints after a game.
pub const PRINT_NO_MORE: &str = "when \"0 0\" or \"-1 -1\" is read, print nothing more";

/// What a bot prints.
pub(crate) const PRINT: &str = "print only First or Second, and then \"x y\" for each move of the bot; print everything else on \
    stderr";
