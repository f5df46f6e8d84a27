//! The verdicts, their classes, and the ruling on a conversation.

use std::fmt;

use serde::de::IntoDeserializer;
use serde::{Deserialize, Serialize};

/// What a contest would say of a run. `Won` to `Malformed` are for games. An interactor or its checker gives
/// `Accepted`, `Partial` and `WrongAnswer`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Verdict {
    Accepted,
    Partial,
    Won,
    Lost,
    Resigned,
    Illegal,
    Malformed,
    WrongAnswer,
    ExtraOutput,
    Crashed,
    ExitedEarly,
    TimeCpu,
    TimeWall,
    Idle,
    NoExit,
    Memory,
    Processes,
    OutputLimit,
    CompileError,
    /// The interactor or the judge failed.
    JudgeError,
    Interrupted,
}

impl Verdict {
    /// Returns the verdict that is displayed as `name`, if there is one.
    pub(crate) fn from_name(name: &str) -> Result<Self, serde::de::value::Error> {
        Self::deserialize(name.into_deserializer())
    }

    /// Checks whether the bot passed: it won a game, or was accepted with the full score.
    pub(crate) fn is_success(self) -> bool {
        matches!(self, Self::Won | Self::Accepted)
    }

    /// Checks whether the bot failed. A part of the score is no failure if the full score is not known, because for some
    /// problems no bot gets it.
    pub(crate) fn is_failure(self, score: Option<f64>, full_score: Option<f64>) -> bool {
        match self {
            Self::Partial => full_score.is_some() || score <= Some(0.0),
            verdict => !verdict.is_success(),
        }
    }

    /// Checks whether the bot lost by its moves, and not by its process or the form of its output.
    pub(crate) fn is_about_moves(self) -> bool {
        matches!(self, Self::Lost | Self::Resigned | Self::Illegal)
    }
}

/// Writes the name that the verdict also has in JSON, such as `EXTRA_OUTPUT`.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Class {
    Accepted,
    Partial,
    WrongAnswer,
    MalformedLine,
    IllegalMove,
    Lost,
    Resigned,
    /// A line of the bot stayed in a buffer.
    NoFlush,
    /// The bot waits for one line too many, or for the end of its input.
    ReadsTooMuch,
    /// `NoFlush` or `ReadsTooMuch`: nothing tells them apart.
    NoFlushOrReadsTooMuch,
    PipeFull,
    BothWrite,
    Sleeps,
    /// The bot waits for something else.
    Waits,
    EarlyExit,
    Crash,
    ExtraOutput,
    NoExit,
    TimeCpu,
    TimeWall,
    Memory,
    Processes,
    Output,
    CompileError,
    /// The interactor ended in a way that its style does not have.
    InteractorWrongStyle,
    InteractorCrash,
    /// The interactor reached a limit, or waits although the bot has written.
    InteractorLimit,
    /// A line of the interactor stayed in a buffer, or had no end.
    InteractorNoFlush,
    InteractorCompileError,
    CheckerFailed,
    BadTest,
    Judge,
    Interrupted,
}

impl Class {
    /// Returns the verdict on a run of this class. A game of the class `Accepted` is [`Verdict::Won`].
    pub(crate) fn verdict(self) -> Verdict {
        match self {
            Self::Accepted => Verdict::Accepted,
            Self::Partial => Verdict::Partial,
            Self::WrongAnswer => Verdict::WrongAnswer,
            Self::MalformedLine => Verdict::Malformed,
            Self::IllegalMove => Verdict::Illegal,
            Self::Lost => Verdict::Lost,
            Self::Resigned => Verdict::Resigned,
            Self::NoFlush
            | Self::ReadsTooMuch
            | Self::NoFlushOrReadsTooMuch
            | Self::PipeFull
            | Self::BothWrite
            | Self::Sleeps
            | Self::Waits => Verdict::Idle,
            Self::EarlyExit => Verdict::ExitedEarly,
            Self::Crash => Verdict::Crashed,
            Self::ExtraOutput => Verdict::ExtraOutput,
            Self::NoExit => Verdict::NoExit,
            Self::TimeCpu => Verdict::TimeCpu,
            Self::TimeWall => Verdict::TimeWall,
            Self::Memory => Verdict::Memory,
            Self::Processes => Verdict::Processes,
            Self::Output => Verdict::OutputLimit,
            Self::CompileError => Verdict::CompileError,
            Self::InteractorWrongStyle
            | Self::InteractorCrash
            | Self::InteractorLimit
            | Self::InteractorNoFlush
            | Self::InteractorCompileError
            | Self::CheckerFailed
            | Self::BadTest
            | Self::Judge => Verdict::JudgeError,
            Self::Interrupted => Verdict::Interrupted,
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ruling {
    pub(crate) verdict: Verdict,
    pub(crate) class: Class,
    /// The process of the bot that the verdict is about, counted from 0, if the bot has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) process: Option<usize>,
    pub(crate) reason: String,
    /// The evidence for the reason, and what followed from it.
    pub(crate) why: Vec<String>,
    pub(crate) advice: Vec<String>,
    pub(crate) score: Option<f64>,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_padded() {
        assert_eq!(format!("{:<13}|{:>4}", Verdict::ExtraOutput, Verdict::Won), "EXTRA_OUTPUT | WON");
        assert_eq!(Verdict::from_name("EXTRA_OUTPUT"), Ok(Verdict::ExtraOutput));
    }
}
