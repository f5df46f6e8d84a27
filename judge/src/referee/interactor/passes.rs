//! How often a test starts the bot, and which program decides on each pass.

use std::error::Error;
use std::fmt;

use crate::conversation::role::Role;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passes {
    /// Once, and again whenever an interactor in the style icpc asks for it by writing `nextpass.in`.
    AsAsked { role: Role, most: u32 },
    /// Twice. The second pass gets what the first one made: the output file of an interactor, or what the program that
    /// decided on the first pass printed. There is no second pass if the first one fails.
    Twice(Role, Role),
}

impl Passes {
    /// One pass, with an interactor.
    pub(crate) const ONE: Self = Self::AsAsked { role: Role::Interactor, most: 1 };

    fn roles(self) -> [Role; 2] {
        match self {
            Self::AsAsked { role, .. } => [role; 2],
            Self::Twice(first, second) => [first, second],
        }
    }

    pub(crate) fn first(self) -> Role {
        self.roles()[0]
    }

    pub(crate) fn has_role(self, role: Role) -> bool {
        self.roles().contains(&role)
    }
}

/// What the options and the settings say about the passes of a problem.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WantedPasses {
    pub(crate) passes: Option<u8>,
    /// How many passes have the interactor.
    pub(crate) interactive: Option<u8>,
    pub(crate) has_interactor: bool,
    pub(crate) has_checker: bool,
    pub(crate) has_between: bool,
}

/// Why there are no such passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PassesError {
    /// The program with this name is missing.
    Missing(&'static str),
    /// An option that is only for two passes.
    OnePass(&'static str),
    BetweenInteractive,
    UnusedInteractor,
}

impl fmt::Display for PassesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(name) => write!(f, "expected --{name}"),
            Self::OnePass(option) => write!(f, "--{option}: expected two passes"),
            Self::BetweenInteractive => f.write_str(
                "--interactive-passes 2: expected no --between: the interactor of the first pass makes the input of the \
                 second",
            ),
            Self::UnusedInteractor => {
                f.write_str("--interactive-passes 0: expected no interactor, because the checker decides on both passes")
            }
        }
    }
}

impl Error for PassesError {}

impl WantedPasses {
    /// Returns the passes. The default is an interactor in each pass, if there is one, but not in the first of two
    /// passes if a program makes the input of the second.
    pub(crate) fn passes(self) -> Result<Passes, PassesError> {
        use Role::{Between, Checker, Interactor};
        let Self { has_interactor, has_checker, has_between, .. } = self;
        let count = self.passes.unwrap_or(1 + u8::from(has_between));
        let by_default = if has_interactor { 2 - u8::from(has_between) } else { 0 };
        let passes = match (count, self.interactive.unwrap_or(by_default), has_between) {
            (1, _, true) => return Err(PassesError::OnePass("between")),
            (1, ..) if self.interactive.is_some() => return Err(PassesError::OnePass("interactive-passes")),
            (1, ..) => Passes::ONE,
            (_, 0, _) if has_interactor => return Err(PassesError::UnusedInteractor),
            (_, 0, true) => Passes::Twice(Between, Checker),
            (_, 0, false) => Passes::Twice(Checker, Checker),
            (_, 1, true) => Passes::Twice(Between, Interactor),
            (_, 1, false) => Passes::Twice(Interactor, Checker),
            (.., true) => return Err(PassesError::BetweenInteractive),
            (.., false) => Passes::Twice(Interactor, Interactor),
        };
        let mut programs = [(Interactor, has_interactor), (Checker, has_checker)].into_iter();
        match programs.find(|&(role, is_given)| passes.has_role(role) && !is_given) {
            Some((role, _)) => Err(PassesError::Missing(role.name())),
            None => Ok(passes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_of_options() {
        use PassesError::{BetweenInteractive, Missing, OnePass, UnusedInteractor};
        use Role::{Between, Checker, Interactor};
        let [i, c, b] = [1, 2, 4];
        for (passes, interactive, programs, expected) in [
            (None, None, i, Ok(Passes::ONE)),
            (None, None, i | c, Ok(Passes::ONE)),
            (None, None, c, Err(Missing("interactor"))),
            (Some(2), None, c, Ok(Passes::Twice(Checker, Checker))),
            (Some(2), Some(1), i | c, Ok(Passes::Twice(Interactor, Checker))),
            (Some(2), None, i, Ok(Passes::Twice(Interactor, Interactor))),
            (Some(2), None, i | c, Ok(Passes::Twice(Interactor, Interactor))),
            (None, None, b | c, Ok(Passes::Twice(Between, Checker))),
            (None, None, b | i, Ok(Passes::Twice(Between, Interactor))),
            (Some(2), None, 0, Err(Missing("checker"))),
            (Some(2), Some(1), i, Err(Missing("checker"))),
            (Some(2), Some(1), c, Err(Missing("interactor"))),
            (None, None, b, Err(Missing("checker"))),
            (Some(1), None, b | c, Err(OnePass("between"))),
            (None, Some(1), i, Err(OnePass("interactive-passes"))),
            (Some(2), Some(2), b | i, Err(BetweenInteractive)),
            (Some(2), Some(0), i | c, Err(UnusedInteractor)),
        ] {
            let [has_interactor, has_checker, has_between] = [i, c, b].map(|program| programs & program != 0);
            let wanted = WantedPasses { passes, interactive, has_interactor, has_checker, has_between };
            assert_eq!(wanted.passes(), expected, "{wanted:?}");
        }
    }
}
