//! The longest play in a heap, for games in which it is no quotient.

use std::sync::OnceLock;

use crate::narrow::narrow;
use crate::rules::{Heap, Rules};

/// The number of moves in the longest play of a heap, whoever makes them: by the definition for small heaps, and as
/// [`Rules::max_plies`] estimates it for larger ones.
pub(super) struct LongestPlay {
    largest: u64,
    /// By size, made when it is first asked for.
    exact: OnceLock<Vec<u64>>,
}

impl LongestPlay {
    /// Maximum number of moves gone through, of all sizes together: a hundredth of a second's work.
    const MAX_MOVES: u128 = 1 << 17;

    /// For heaps of sizes up to `largest`.
    pub(super) fn new(largest: u64) -> Self {
        Self { largest, exact: OnceLock::new() }
    }

    /// The longest play by size, for a heap of `size` and all that it can become: all exact, or all estimated.
    pub(super) fn within<'a, R: Rules + ?Sized>(
        &'a self,
        rules: &'a R,
        size: u64,
    ) -> impl Fn(u64) -> u64 + use<'a, R> {
        let exact = self.exact.get_or_init(|| by_definition(rules, self.largest));
        let is_exact = size < exact.len() as u64;
        move |size| if is_exact { exact[narrow::<usize>(size)] } else { rules.max_plies(Heap::of(size)) }
    }
}

/// The longest play of each size: one more than the longest that a move leaves.
fn by_definition<R: Rules + ?Sized>(rules: &R, largest: u64) -> Vec<u64> {
    let mut longest: Vec<u64> = Vec::new();
    let mut moves = 0_u128;
    for heap in (0..=largest).map(Heap::of) {
        moves = moves.saturating_add(rules.move_count(heap));
        if moves > LongestPlay::MAX_MOVES {
            break;
        }
        let plies = rules.moves(heap).map(|mv| {
            let followers = rules.apply(heap, mv).unwrap_or_default();
            followers.iter().map(|&(_, left)| longest[narrow::<usize>(left.size)]).sum::<u64>() + 1
        });
        let plies = plies.max().unwrap_or(0);
        longest.push(plies);
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::of_game;

    /// The sizes up to which docs/games.md says that the longest play is exact.
    #[test]
    fn sizes_that_are_exact() {
        let all_digits = format!("octal 0.{} 1", "7".repeat(63) + "5");
        let games = [(&*all_digits, 60), ("octal 0.05 1", 500), ("divisor 1 ban 1", 10_000)];
        for (game, size) in games {
            let (rules, _) = of_game(&game.parse().unwrap()).unwrap();
            let exact = by_definition(rules.as_ref(), 1_000_000).len();
            assert!(exact as u64 > size && exact < 50_000, "{game}: {exact}");
        }
    }
}
