//! The rules and the heaps of a component of a game specification, with their places.

use std::sync::Arc;

use super::{GameSpec, SpecError};
use crate::rules::{Euclid, Grundy, Heap, Octal, Row, Rules, Window};

/// The start of a component: its rules, and its heaps with their first places, counted from 0.
pub(crate) struct ComponentStart {
    pub(crate) rules: Arc<dyn Rules>,
    pub(crate) heaps: Vec<(u64, Heap)>,
    /// The number of places that the heaps fill; `None` if it is 2^64 or more.
    pub(crate) width: Option<u64>,
}

fn heaps_of(sizes: &[u64]) -> Vec<Heap> {
    sizes.iter().copied().map(Heap::of).collect()
}

impl GameSpec {
    /// Returns the rules and the heaps of a game that is not a sum, even if its moves may leave
    /// [three heaps](Self::ensure_playable). The offset of a move that leaves three heaps is a code for them, which
    /// [`apply`](Rules::apply) decodes.
    ///
    /// # Errors
    ///
    /// If the game is a sum, in misère play, or not [valid](Self::validate).
    ///
    /// ```
    /// use zeroxor::GameSpec;
    /// use zeroxor::rules::Heap;
    ///
    /// // A move takes one card and leaves three heaps.
    /// let (rules, heaps) = "octal 0.8 4".parse::<GameSpec>()?.rules()?;
    /// assert_eq!(heaps, [Heap::of(4)]);
    /// let moves: Vec<_> = rules.moves(heaps[0]).collect();
    /// let sizes: Vec<u64> = rules.apply(heaps[0], moves[0])?.iter().map(|(_, heap)| heap.size).collect();
    /// assert_eq!((moves.len(), sizes), (1, vec![1, 1, 1]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rules(&self) -> Result<(Arc<dyn Rules>, Vec<Heap>), SpecError> {
        self.validate()?;
        Ok(match self {
            Self::Segment { n, l, r } => {
                let window = Window::new(*l, *r);
                let window = window.ok_or_else(|| SpecError::new("a window".to_owned(), self.to_string()))?;
                (Arc::new(Row::new(window)), vec![Heap::of(*n)])
            }
            Self::Piles { game, piles, clauses } => ((game.entry().rules)(clauses), heaps_of(piles)),
            Self::Octal { code, heaps } => (Arc::new(Octal::new(*code)), heaps_of(heaps)),
            Self::Grundy { heaps } => (Arc::new(Grundy), heaps_of(heaps)),
            Self::Euclid { a, b } => (Arc::new(Euclid), vec![Heap { size: *a, second: *b }]),
            Self::Sum(_) | Self::Misere(_) => {
                return Err(SpecError::new("a single game in normal play".to_owned(), self.to_string()));
            }
        })
    }
}

impl ComponentStart {
    /// Returns the start of a game that is neither a sum nor in misère play.
    pub(crate) fn of_game(game: &GameSpec) -> Result<Self, SpecError> {
        game.rules().map(|(rules, heaps)| Self::new(rules, heaps))
    }

    /// Returns the start with `heaps` side by side, from left to right.
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
