//! From a game specification to the rules and the heaps of the game.

use std::sync::Arc;

use super::{Divisor, Euclid, Grundy, Heap, Nim, Octal, Pile, Row, Rules, Square, Subtract, Takes, Window};
use crate::spec::{GameSpec, SpecError};

/// A game as it is set up: its rules, and its heaps with their first places from 0.
pub(crate) struct SetUp {
    pub(crate) rules: Arc<dyn Rules>,
    pub(crate) heaps: Vec<(u64, Heap)>,
    /// How many places they fill, `None` beyond 2^64.
    pub(crate) width: Option<u64>,
}

/// The rules and the heaps of a game of piles.
fn piles_under(rules: impl Takes + PartialEq + 'static, sizes: &[u64]) -> (Arc<dyn Rules>, Vec<Heap>) {
    (Arc::new(Pile(rules)), heaps_of(sizes))
}

fn heaps_of(sizes: &[u64]) -> Vec<Heap> {
    sizes.iter().copied().map(Heap::of).collect()
}

/// The rules and the heaps of a game that is no sum, also where its moves cannot be
/// [written](GameSpec::ensure_playable) as a [`Position`](crate::Position) needs it. Those that leave three heaps, or
/// take nothing, have an offset that encodes the heaps that are left, only for [`apply`](Rules::apply).
///
/// # Errors
///
/// If the game is a sum or not [valid](GameSpec::validate).
///
/// ```
/// use zeroxor::rules::{Heap, of_game};
///
/// // A heap of 4 can be split into 1 and 3, but not into equal halves.
/// let (rules, heaps) = of_game(&"grundy 4".parse()?)?;
/// assert_eq!(heaps, [Heap::of(4)]);
/// let moves: Vec<_> = rules.moves(heaps[0]).collect();
/// assert_eq!(*rules.apply(heaps[0], moves[0])?, [(0, Heap::of(1)), (1, Heap::of(3))]);
/// assert_eq!(moves.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn of_game(game: &GameSpec) -> Result<(Arc<dyn Rules>, Vec<Heap>), SpecError> {
    set_up(game).map(|SetUp { rules, heaps, .. }| (rules, heaps.into_iter().map(|(_, heap)| heap).collect()))
}

/// The rules and the heaps of a game that is no sum.
pub(crate) fn set_up(game: &GameSpec) -> Result<SetUp, SpecError> {
    game.validate()?;
    let (rules, heaps): (Arc<dyn Rules>, Vec<Heap>) = match game {
        GameSpec::Segment { n, l, r } => {
            let window = Window::new(*l, *r);
            let window = window.ok_or_else(|| SpecError::new("a window".to_owned(), game.to_string()))?;
            (Arc::new(Row::new(window)), vec![Heap::of(*n)])
        }
        GameSpec::Square { piles: sizes, banned } => piles_under(Square::new(banned), sizes),
        GameSpec::Divisor { piles: sizes, banned } => piles_under(Divisor::new(banned), sizes),
        GameSpec::Subtract { piles: sizes, takes } => piles_under(Subtract::new(takes), sizes),
        GameSpec::Nim { piles: sizes } => piles_under(Nim, sizes),
        GameSpec::Octal { code, heaps: sizes } => (Arc::new(Octal::new(*code)), heaps_of(sizes)),
        GameSpec::Grundy { heaps: sizes } => (Arc::new(Grundy), heaps_of(sizes)),
        GameSpec::Euclid { a, b } => (Arc::new(Euclid), vec![Heap { size: *a, second: *b }]),
        GameSpec::Sum(_) => {
            return Err(SpecError::new("a game that is no sum".to_owned(), game.to_string()));
        }
    };
    Ok(SetUp::new(rules, heaps))
}

impl SetUp {
    /// Heaps side by side, from left to right.
    pub(crate) fn new(rules: Arc<dyn Rules>, heaps: Vec<Heap>) -> Self {
        let mut width = Some(0_u64);
        let placed = heaps.into_iter().map(|heap| {
            let place = width.unwrap_or(u64::MAX);
            width = width.and_then(|width| width.checked_add(rules.width(heap)));
            (place, heap)
        });
        let heaps = placed.collect();
        Self { rules, heaps, width }
    }
}
