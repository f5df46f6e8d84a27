//! A game whose period can be searched for: rows under a window, or heaps under a code.

use std::fmt;

use itertools::Either;
use zeroxor::grundy::octal;
use zeroxor::grundy::segment::{MoveBounds, Period, Window, known_period};
use zeroxor::{GameSpec, OctalCode};

/// A game by its rules, without sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowGame {
    Window(Window),
    Code(OctalCode),
}

impl RowGame {
    /// Parses the output of [`Display`](fmt::Display), and nothing else.
    pub(super) fn read(text: &str) -> Option<Self> {
        let game = if let Some(window) = text.strip_prefix("segment ") {
            let (l, r) = window.split_once(' ')?;
            Self::Window(Window::new(l.parse().ok()?, r.parse().ok()?)?)
        } else {
            Self::Code(text.strip_prefix("octal ")?.parse().ok()?)
        };
        (game.to_string() == text).then_some(game)
    }

    /// Returns the window, also for a code that is equal to a window.
    pub(super) fn window(self) -> Option<Window> {
        match self {
            Self::Window(window) => Some(window),
            Self::Code(code) => code.window(),
        }
    }

    /// Returns the bounds on moves that the proof of a period needs.
    pub(crate) fn move_bounds(self) -> MoveBounds {
        match self {
            Self::Window(window) => window.move_bounds(),
            Self::Code(code) => octal::move_bounds(code),
        }
    }

    /// Returns the numbers of cards that a move may take if it leaves `heaps` heaps, as ranges: the first and the last
    /// number of each range. If the digits of a code repeat for ever, it may allow infinitely many numbers. Only the
    /// first numbers are then returned, among them even and odd numbers if the code allows both.
    pub(super) fn takes_leaving(self, heaps: usize) -> impl Iterator<Item = (u64, u64)> {
        match self {
            Self::Window(window) => Either::Left((heaps < 3).then_some((window.l(), window.r())).into_iter()),
            Self::Code(code) => {
                let most = code.longest_take().unwrap_or(2 * OctalCode::MAX_DIGITS as u64);
                let takes = (0..=most).filter(move |&take| code.allows(take, heaps));
                Either::Right(takes.map(|take| (take, take)))
            }
        }
    }

    /// Returns true if a move that takes an even number `w` may leave three heaps. The values then have no period: for
    /// every p, some multiple k of 2p equals w + 2a. A move from k + m cards leaves heaps of a, a and m, which together
    /// have the value of m. So the values of k + m and m differ, and p is not a period.
    pub(crate) fn never_repeats(self) -> bool {
        self.takes_leaving(3).any(|(take, _)| take % 2 == 0)
    }

    /// Returns the period of the window that the game is equal to, if there is one and the library knows its period.
    pub(crate) fn known_period(self) -> Option<Period> {
        self.window().and_then(known_period)
    }

    /// Returns a `GameSpec` with these rules. Its size has no meaning.
    pub(super) fn spec(self) -> GameSpec {
        match self {
            Self::Window(window) => GameSpec::Segment { n: window.r(), l: window.l(), r: window.r() },
            Self::Code(code) => GameSpec::Octal { code, heaps: vec![1] },
        }
    }

    /// Describes a period, with the values that prove it.
    pub(crate) fn proof(self, period: Period) -> String {
        let Period { start, length } = period;
        let checked =
            period.range(self.move_bounds()).map_or(String::new(), |range| format!(" to {}", range.end - 1));
        format!("{length} from n = {start} on, proven: g(n+{length}) = g(n) for n = {start}{checked}")
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
