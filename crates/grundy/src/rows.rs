//! Rows under a window, or heaps under a code: their nimbers, and what is known about their period (proven, published
//! or open), in words.

use zeroxor::grundy::segment::{MoveBounds, Period, Sequence, SparseSpace, Window, known_period};
use zeroxor::rules::Clause;
use zeroxor::{GameSpec, OctalCode};

use crate::results::{self, Solved};

/// A game by its rules, without sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowGame {
    Window(Window),
    Code(OctalCode),
}

impl RowGame {
    /// The game of a header or of rules, if it is one component of rows.
    pub(crate) fn of(game: &GameSpec) -> Option<Self> {
        let GameSpec::Single { clauses, .. } = game else { return None };
        match clauses[..] {
            [Clause::Window(window)] => Some(Self::Window(window)),
            [Clause::Code(code)] => Some(Self::Code(code)),
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

    fn values(self, n: u64) -> Sequence {
        match (self, self.window()) {
            (Self::Window(window), _) | (_, Some(window)) => Sequence::up_to(window, n),
            (Self::Code(code), None) => Sequence::of_code(code, n),
        }
    }

    /// The bounds on moves that the proof of a period needs.
    fn move_bounds(self) -> MoveBounds {
        match self {
            Self::Window(window) => window.move_bounds(),
            Self::Code(code) => code.move_bounds(),
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
}

pub(crate) struct Rows {
    game: RowGame,
    to: u64,
    pub(crate) sequence: Sequence,
    /// The least period that the values prove, if it is requested and they prove one.
    pub(crate) period: Option<Period>,
}

impl Rows {
    /// Computes the nimbers of the rows of 0 to `to` cards, and the period that they prove if it is requested. If the
    /// period is known, computes only the values that prove it, or only those up to the end of the first period if it
    /// is not requested.
    pub(crate) fn compute(game: RowGame, to: u64, with_period: bool) -> Self {
        let known = game.window().and_then(known_period);
        let needed = known.and_then(|known| {
            let first_period = u128::from(known.start + known.length);
            let needed = if with_period { known.values_needed(game.move_bounds()) } else { first_period };
            u64::try_from(needed).ok()
        });
        let sequence = game.values(needed.map_or(to, |needed| to.min(needed)));
        let period = with_period.then(|| Period::proven(game.move_bounds(), &sequence.values)).flatten();
        Self { game, to, sequence, period }
    }

    pub(crate) fn status(&self) -> String {
        let (to, open) = (self.to, "open: no period is known, and the values");
        if self.period.is_some() {
            "proven by this run".to_owned()
        } else if self.game.never_repeats() {
            "no period exists".to_owned()
        } else {
            self.recorded().unwrap_or_else(|| format!("{open} up to n = {to} show none"))
        }
    }

    /// The period that `docs/results` has, if these values do not prove it.
    pub(crate) fn recorded(&self) -> Option<String> {
        let found = if self.period.is_none() { results::find(self.game) } else { None };
        let Solved { period: Period { start, length }, file, is_proven, .. } = found?;
        let source = if is_proven { "proven earlier" } else { "published, not checked" };
        Some(format!("{source}: period {length} from n = {start} on ({file})"))
    }

    /// Describes the period, or says why there is none.
    pub(crate) fn period_in_words(&self) -> String {
        match self.period {
            Some(period) => {
                let length = period.length;
                period.proof(self.game.move_bounds(), &format!("g(n+{length}) = g(n)"))
            }
            None if self.game.never_repeats() => {
                "none: a move that takes an even number may leave three heaps, so the values never repeat"
                    .to_owned()
            }
            None => format!("none up to {}", self.to),
        }
    }

    /// Describes the rare values of the sparse space, if the values were found by one: their number, the last heap
    /// with a rare value, and the rule that makes a value rare.
    pub(crate) fn rare_values(&self) -> Option<String> {
        let SparseSpace { mask, exchanged, rares, last } = self.sequence.space?;
        let last = if rares == 0 { String::new() } else { format!(", the last at n = {last}") };
        let by_place = if exchanged.is_some() { ", and by the place" } else { "" };
        Some(format!("{rares}{last} (mask {mask:#b}{by_place})"))
    }
}
