//! A game of rows whose period may be searched for: a window or a code.

use std::fmt;

use itertools::Either;
use zeroxor::grundy::octal;
use zeroxor::grundy::segment::{MoveBounds, Period, Window, known_period};
use zeroxor::{GameSpec, OctalCode};

/// The rules of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowGame {
    Window(Window),
    Code(OctalCode),
}

impl RowGame {
    /// Reads what [`Display`](fmt::Display) writes, and nothing else.
    pub(super) fn read(text: &str) -> Option<Self> {
        let game = if let Some(window) = text.strip_prefix("segment ") {
            let (l, r) = window.split_once(' ')?;
            Self::Window(Window::new(l.parse().ok()?, r.parse().ok()?)?)
        } else {
            Self::Code(text.strip_prefix("octal ")?.parse().ok()?)
        };
        (game.to_string() == text).then_some(game)
    }

    /// The window, also of a code that is one.
    pub(super) fn window(self) -> Option<Window> {
        match self {
            Self::Window(window) => Some(window),
            Self::Code(code) => code.window(),
        }
    }

    /// The bounds on moves that the proof of a period needs.
    pub(crate) fn move_bounds(self) -> MoveBounds {
        match self {
            Self::Window(window) => window.move_bounds(),
            Self::Code(code) => octal::move_bounds(code),
        }
    }

    /// How much a move may take that leaves `heaps` heaps, of any sizes: runs of numbers, each with its first and last.
    pub(super) fn takes_leaving(self, heaps: usize) -> impl Iterator<Item = (u64, u64)> {
        match self {
            Self::Window(window) => Either::Left((heaps < 3).then_some((window.l(), window.r())).into_iter()),
            Self::Code(code) => {
                let takes = (0..=code.longest_take()).filter(move |&take| code.allows(take, heaps));
                Either::Right(takes.map(|take| (take, take)))
            }
        }
    }

    /// Whether the rules exclude every number as a period: a move that takes an even number `w` may
    /// leave three heaps. Whatever p is, some multiple of 2p is w + 2a, so a move from as many cards and m more leaves a, a
    /// and m, which are worth as much as m: the values of both differ.
    pub(crate) fn never_repeats(self) -> bool {
        self.takes_leaving(3).any(|(take, _)| take % 2 == 0)
    }

    /// The period, if it is known.
    pub(crate) fn known_period(self) -> Option<Period> {
        self.window().and_then(known_period)
    }

    /// A game by these rules.
    pub(super) fn spec(self) -> GameSpec {
        match self {
            Self::Window(window) => GameSpec::Segment { n: window.r(), l: window.l(), r: window.r() },
            Self::Code(code) => GameSpec::Octal { code, heaps: vec![1] },
        }
    }

    /// A period in words, with the values that prove it.
    pub(crate) fn proof(self, period: Period) -> String {
        let Period { start, length } = period;
        let checked =
            period.range(self.move_bounds()).map_or(String::new(), |range| format!(" to {}", range.end - 1));
        format!("{length} from n = {start} on, proven: g(n+{length}) = g(n) for n = {start}{checked}")
    }
}

impl fmt::Display for RowGame {
    /// The rules in the header's words, sizes left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Window(window) => write!(f, "segment {} {}", window.l(), window.r()),
            Self::Code(code) => write!(f, "octal {code}"),
        }
    }
}
