//! The ruling on a conversation.

use serde::{Deserialize, Serialize};

use crate::conversation::verdict::{Class, Verdict};

/// The verdict, and why.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ruling {
    pub(crate) verdict: Verdict,
    pub(crate) class: Class,
    pub(crate) score: Option<f64>,
    /// The process of the bot that the verdict is about, counted from 0, if the bot has several.
    pub(crate) process: Option<usize>,
    pub(crate) reason: String,
    /// The evidence for the reason, and what followed from it.
    pub(crate) why: Vec<String>,
    pub(crate) advice: Vec<String>,
    /// What came after the decision and did not change it.
    pub(crate) notes: Vec<Note>,
}

/// Something that the bot did after the decision, and that did not change it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Note {
    pub(crate) class: Class,
    pub(crate) reason: String,
}

impl Ruling {
    pub(crate) fn new(class: Class, reason: impl Into<String>) -> Self {
        Self {
            verdict: class.verdict(),
            class,
            score: None,
            process: None,
            reason: reason.into(),
            why: Vec::new(),
            advice: Vec::new(),
            notes: Vec::new(),
        }
    }

    pub(crate) fn won(reason: impl Into<String>) -> Self {
        Self { verdict: Verdict::Won, ..Self::new(Class::Accepted, reason) }
    }

    /// Checks whether the referee accepted, with the full score or with a part of it.
    pub(crate) fn is_accepted(&self) -> bool {
        matches!(self.class, Class::Accepted | Class::Partial)
    }

    /// Returns the verdict that the run would have if nothing after the decision were excused, if that is another one.
    pub(crate) fn excused(&self) -> Option<Verdict> {
        self.notes.first().filter(|_| self.is_accepted()).map(|note| note.class.verdict())
    }

    pub(crate) fn why(mut self, why: impl Into<String>) -> Self {
        self.why.push(why.into());
        self
    }

    pub(crate) fn advice(mut self, advice: impl Into<String>) -> Self {
        self.advice.push(advice.into());
        self
    }

    pub(crate) fn why_if_any(mut self, why: Option<impl Into<String>>) -> Self {
        self.why.extend(why.map(Into::into));
        self
    }
}
