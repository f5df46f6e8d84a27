//! The solver: who wins a position, the winning move, and the best delaying move from a lost position.

use std::fmt;

use super::delaying;
use super::symmetry::{cancelling_move, unpaired};
use crate::grundy::cache::{HeapTables, Purpose, TableCache};
use crate::grundy::{TooLarge, ValueKind};
use crate::position::{HeapClass, PlacedHeap, Position};
use crate::{Move, Nimber, Outcome};
use itertools::Itertools;
use log::debug;

/// Finds who wins a position, and by which move. A solver caches Grundy tables, so use one solver for a whole game.
///
/// Heaps that cancel in pairs or have no legal moves need no values. A [`Player`](crate::Player) remembers the
/// opponent's last move and can mirror it, so it keeps a win even if a solver would need values that are too expensive.
pub struct Solver {
    pub(super) cache: TableCache,
    /// The solver of the last game in misère play.
    pub(super) misere: Option<crate::misere::Solver>,
}

impl Default for Solver {
    fn default() -> Self {
        Self { cache: TableCache::new(false), misere: None }
    }
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solver").finish_non_exhaustive()
    }
}

impl Solver {
    /// Returns a solver with the limits of docs/limits.md for each game.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a solver for several games, which keeps the tables of all of them, and lets them share the limits of one.
    pub fn for_several_games() -> Self {
        Self { cache: TableCache::new(true), misere: None }
    }

    /// Returns who wins `position`.
    ///
    /// # Errors
    ///
    /// If a Grundy table or a search in misère play is too large.
    pub fn outcome(&mut self, position: &Position) -> Result<Outcome, TooLarge> {
        if position.is_misere() {
            return self.misere(position, Purpose::Winning, |solver| solver.outcome(position));
        }
        Ok(if self.winning_move(position)?.is_some() { Outcome::N } else { Outcome::P })
    }

    /// Returns a winning move; `None` for a P-position, and for a position without moves. In normal play a winning move
    /// makes the XOR of the nimbers zero.
    ///
    /// # Errors
    ///
    /// As for [`outcome`](Self::outcome).
    pub fn winning_move(&mut self, position: &Position) -> Result<Option<Move>, TooLarge> {
        if position.is_misere() {
            return self.misere(position, Purpose::Winning, |solver| solver.winning_move(position));
        }
        let heaps = unpaired(position);
        if heaps.is_empty() {
            debug!("{position}: all heaps cancel in pairs, XOR 0");
            return Ok(None);
        }
        if let Some(mv) = cancelling_move(&heaps) {
            debug!("{position}: after {mv} all heaps cancel in pairs, XOR 0");
            return Ok(Some(mv));
        }
        // The outcome of a single heap is enough.
        let kind = if heaps.len() == 1 { ValueKind::Outcome } else { ValueKind::Nimber };
        match self.cache.values(position, &heaps, kind, Purpose::Winning) {
            Ok(values) => Ok(zero_move(position, &heaps, &values)),
            Err(error) => self.cancelling_move_beside_zero(position, &heaps).map(Some).ok_or(error),
        }
    }

    /// Returns the XOR of the nimbers of all heaps. In misère play it does not tell who wins. Heaps that cancel in
    /// pairs need no values.
    ///
    /// # Errors
    ///
    /// If a Grundy table costs too much.
    pub fn nimber(&mut self, position: &Position) -> Result<Nimber, TooLarge> {
        let heaps = unpaired(position);
        let values = self.cache.values(position, &heaps, ValueKind::Nimber, Purpose::Winning)?;
        Ok(values.xor(&heaps))
    }

    /// Returns the move from a lost position that makes the win hardest to find; `None` if there is no legal move.
    ///
    /// This is the move after which the fewest replies win. Of several such moves, it is the one that leaves the
    /// longest play, then the one at the lowest place, then the one that takes least. For some games the longest play
    /// is only estimated, and sometimes not all moves are compared, see docs/games.md.
    pub fn best_delaying_move(&mut self, position: &Position) -> Option<Move> {
        let classes = position.live_classes().collect_vec();
        let compared = if position.is_misere() {
            self.fewest_misere_replies(position, &classes)
        } else {
            let values = self.optional_values(position, &classes);
            values.and_then(|values| delaying::fewest_winning_replies(&classes, &values))
        };
        let mv = compared.or_else(|| delaying::most_play(&classes))?;
        debug!("{position}: no move wins; {mv} is the best delaying move");
        Some(mv)
    }

    /// Returns a winning move after which the unpaired heaps of one game cancel in pairs, if the heaps of all other
    /// games XOR to 0. The values of this one game are not needed. `heaps` must be sorted by the index of their rules.
    fn cancelling_move_beside_zero(&mut self, position: &Position, heaps: &[PlacedHeap<'_>]) -> Option<Move> {
        heaps.chunk_by(|a, b| a.rules_index == b.rules_index).find_map(|group| {
            let mv = cancelling_move(group)?;
            let others = heaps
                .iter()
                .filter(|placed| placed.rules_index != group[0].rules_index)
                .copied()
                .collect_vec();
            // These tables may be of no use, so the game is refused soon if they cost much.
            let values = self.cache.values(position, &others, ValueKind::Nimber, Purpose::Delaying).ok()?;
            (values.xor(&others) == Nimber::ZERO).then_some(mv)
        })
    }

    /// Returns the values of all heaps that have moves, for a delaying move; `None` if they cost too much for it.
    fn optional_values(&mut self, position: &Position, classes: &[HeapClass<'_>]) -> Option<HeapTables> {
        if !delaying::is_comparable(position, classes) {
            return None;
        }
        let heaps = classes.iter().map(|class| &class.first);
        let is_one = classes.iter().map(|class| class.copies).sum::<usize>() == 1;
        let kind = if is_one { ValueKind::Outcome } else { ValueKind::Nimber };
        self.cache.values(position, heaps, kind, Purpose::Delaying).ok()
    }
}

/// Returns a move after which the XOR of the nimbers of all heaps is 0, if the XOR is not 0 now.
///
/// The nimber of some heap has the highest bit of the XOR. So the XOR of the other heaps is less than this nimber, and
/// by the definition of the mex, a move in this heap leaves a nimber equal to the XOR of the other heaps.
fn zero_move(position: &Position, heaps: &[PlacedHeap<'_>], values: &HeapTables) -> Option<Move> {
    let xor = values.xor(heaps);
    let left = heaps.iter().map(|placed| placed.heap).format(" ");
    debug!("{position}: heaps that do not cancel: {left}; XOR {xor}");
    heaps.iter().find_map(|placed| {
        let table = values.table(placed.rules_index);
        let nimber = table.nimber(placed.heap);
        let target = nimber ^ xor;
        if target >= nimber {
            return None;
        }
        let heap_move = table.move_to(placed.heap, target)?;
        let mv = placed.at(heap_move);
        let left = placed.rules.apply(placed.heap, heap_move).ok()?;
        debug!(
            "heap {} at place {} has nimber {nimber}; {mv} leaves ({}) of nimber {target}: XOR {xor} before, 0 after",
            placed.heap,
            placed.place,
            left.iter().map(|(_, heap)| heap).format(", "),
        );
        Some(mv)
    })
}
