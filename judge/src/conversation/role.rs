//! What a program of a problem does.

use serde::{Deserialize, Serialize};

use crate::conversation::facts::{Reader, Turn};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Role {
    #[default]
    Interactor,
    Validator,
    Checker,
    Between,
}

impl Role {
    pub(crate) fn with_article(self) -> &'static str {
        match self {
            Self::Interactor => "the interactor",
            Self::Validator => "the validator",
            Self::Checker => "the checker",
            Self::Between => "the program between the passes",
        }
    }

    pub(crate) fn name(self) -> &'static str {
        self.with_article().trim_start_matches("the ")
    }
}

impl From<Turn> for Role {
    fn from(turn: Turn) -> Self {
        match turn {
            Turn::WithBot => Self::Interactor,
            Turn::AfterBot(Reader::Validator) => Self::Validator,
            Turn::AfterBot(Reader::Checker) => Self::Checker,
            Turn::AfterBot(Reader::Between) => Self::Between,
        }
    }
}
