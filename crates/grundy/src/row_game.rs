//! A game whose period can be searched for: rows under a window, or heaps under a code.

use std::fmt;

use zeroxor::grundy::octal;
use zeroxor::grundy::segment::{MoveBounds, Period, Sequence, Window};
use zeroxor::{GameSpec, OctalCode};

/// A game by its rules, without sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowGame {
    Window(Window),
    Code(OctalCode),
}

impl RowGame {
    /// The game of a header or of rules, if it is one component of rows.
    pub(crate) fn of(game: &GameSpec) -> Option<Self> {
        match *game {
            GameSpec::Segment { l, r, .. } => Window::new(l, r).map(Self::Window),
            GameSpec::Octal { code, .. } => Some(Self::Code(code)),
            _ => None,
        }
    }

    /// Reads rules without sizes, such as `segment 1 2` or `octal 0.77`.
    pub(crate) fn read(rules: &str) -> Option<Self> {
        Self::of(&GameSpec::of_rules(rules).ok()?)
    }

    /// The window, also for a code that is equal to a window.
    pub(crate) fn window(self) -> Option<Window> {
        match self {
            Self::Window(window) => Some(window),
            Self::Code(code) => code.window(),
        }
    }

    /// Computes the values of the heaps of 0 to `n` cards.
    pub(crate) fn values(self, n: u64) -> Sequence {
        match (self, self.window()) {
            (Self::Window(window), _) | (_, Some(window)) => Sequence::up_to(window, n),
            (Self::Code(code), None) => Sequence::of_code(code, n),
        }
    }

    /// The bounds on moves that the proof of a period needs.
    pub(crate) fn move_bounds(self) -> MoveBounds {
        match self {
            Self::Window(window) => window.move_bounds(),
            Self::Code(code) => octal::move_bounds(code),
        }
    }

    /// Returns true if a move that takes an even number `w` may leave three heaps. The values then have no period: for
    /// every p, some multiple k of 2p equals w + 2a. A move from k + m cards leaves heaps of a, a and m, which together
    /// have the value of m. So the values of k + m and m differ, and p is not a period.
    pub(crate) fn never_repeats(self) -> bool {
        let Self::Code(code) = self else { return false };
        // If digits repeat for ever, twice the largest number of digits has every repeated digit at an even place.
        let most = code.longest_take().unwrap_or(2 * OctalCode::MAX_DIGITS as u64);
        (0..=most).step_by(2).any(|take| code.allows(take, 3))
    }

    /// Describes a period, with the values that prove it.
    pub(crate) fn proof(self, period: Period) -> String {
        let length = period.length;
        period.proof(self.move_bounds(), &format!("g(n+{length}) = g(n)"))
    }
}

impl fmt::Display for RowGame {
    /// Writes the rules as in a header, without sizes: `segment 1 2` or `octal 0.77`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Window(window) => write!(f, "segment {} {}", window.l(), window.r()),
            Self::Code(code) => write!(f, "octal {code}"),
        }
    }
}
