//! What a program of a problem does.

use serde::{Deserialize, Serialize};

/// The program that decides on a pass. All but the interactor run after the bot has ended: the bot receives the unchanged
/// input, and the program then reads what the bot printed. The names of [`facts`](crate::conversation::facts) call each of
/// them the interactor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Role {
    #[default]
    Interactor,
    /// The output validator of a package.
    Validator,
    Checker,
    /// The program that makes the input of the second pass from the output of the first.
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
