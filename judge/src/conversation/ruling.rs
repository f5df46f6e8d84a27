//! The ruling on a conversation.

use crate::conversation::verdict::Verdict;

/// The verdict and its reasons.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ruling {
    pub(crate) verdict: Verdict,
    pub(crate) score: Option<f64>,
    pub(crate) reason: String,
    /// The evidence for the reason, and what the interactor did after the bot had failed.
    pub(crate) why: Vec<String>,
    pub(crate) advice: Vec<String>,
}

impl Ruling {
    pub(crate) fn new(verdict: Verdict, reason: impl Into<String>) -> Self {
        Self { verdict, score: None, reason: reason.into(), why: Vec::new(), advice: Vec::new() }
    }

    pub(crate) fn why(mut self, why: impl Into<String>) -> Self {
        self.why.push(why.into());
        self
    }

    pub(crate) fn advice(mut self, advice: impl Into<String>) -> Self {
        self.advice.push(advice.into());
        self
    }

    pub(crate) fn why_if_any(mut self, why: Option<String>) -> Self {
        self.why.extend(why);
        self
    }
}
