//! Numbers that cannot be a period.

use std::collections::HashMap;

use super::row_game::RowGame;

/// Maximum number of values that are used. All tested numbers are below this limit.
const LIMIT: usize = 1 << 20;

/// Returns the least number that `values`, from heap 0 on, do not exclude as a period. If all tested numbers are
/// excluded, returns their limit.
///
/// If g(l) = 0 and a move may take w and leave heaps of l and m, then g(l + w + m) differs from g(m) for every m: no
/// period divides l + w. If l is 0, the move leaves one heap (B. Riley's report on the game 0.6, 2026). Likewise, no
/// period divides l + l' + w if g(l) = g(l') and a move may take w and leave heaps of l, l' and m.
///
/// Time: n log n for n values.
pub(super) fn least_not_excluded(game: RowGame, values: impl Iterator<Item = u32>) -> usize {
    let values: Vec<u32> = values.take(LIMIT).collect();
    let mut takes = game.takes_leaving(3).peekable();
    let leaves_three = takes.peek().is_some();
    // If no move leaves three heaps, the values exclude only numbers below `end_of_excluded`.
    let longest = game.takes_leaving(1).chain(game.takes_leaving(2)).map(|(_, most)| most).max().unwrap_or(0);
    let end_of_excluded = usize::try_from(longest).unwrap_or(LIMIT).saturating_add(values.len() + 1);
    let end = if leaves_three { LIMIT } else { end_of_excluded.min(LIMIT) };
    // A run is a range of numbers l + w, which no period divides. Entry k is the number of runs that begin at k minus
    // the number of runs that end before k.
    let mut begins = vec![0_i64; end + 1];
    for (size, _) in values.iter().enumerate().filter(|(_, value)| **value == 0) {
        for (least, most) in game.takes_leaving(if size == 0 { 1 } else { 2 }) {
            let [begin, end_of_run] = [least, most.saturating_add(1)]
                .map(|take| usize::try_from(take).map_or(end, |take| take.saturating_add(size).min(end)));
            begins[begin] += 1;
            begins[end_of_run] -= 1;
        }
    }
    let mut runs = 0;
    let mut is_no_multiple = vec![false; end];
    for (number, begins) in begins.iter().take(end).enumerate() {
        runs += begins;
        is_no_multiple[number] = runs > 0;
    }
    let sums = if leaves_three { sums_of_equals(&values) } else { Vec::new() };
    for (take, _) in takes {
        let is_no_multiple = usize::try_from(take).ok().and_then(|take| is_no_multiple.get_mut(take..));
        is_no_multiple.into_iter().flatten().zip(&sums).for_each(|(is_none, is_sum)| *is_none |= is_sum);
    }
    let is_excluded = |period: usize| is_no_multiple.iter().step_by(period).skip(1).any(|&is_none| is_none);
    (1..end).find(|&period| !is_excluded(period)).unwrap_or(end)
}

/// Returns a vector whose entry k says whether k is known to be the total size of two nonempty heaps with equal values.
/// The known k are the even numbers, and the sums of each heap and the smallest heap with the same value and the other
/// parity, if that heap is smaller.
fn sums_of_equals(values: &[u32]) -> Vec<bool> {
    let mut is_sum: Vec<bool> = (0..LIMIT).map(|number| number > 0 && number % 2 == 0).collect();
    let mut first: HashMap<(u32, bool), usize> = HashMap::new();
    for (size, &value) in values.iter().enumerate().skip(1) {
        let is_even = size % 2 == 0;
        first.entry((value, is_even)).or_insert(size);
        let sum = first.get(&(value, !is_even)).map(|other| size + other);
        if let Some(is_sum) = sum.and_then(|sum| is_sum.get_mut(sum)) {
            *is_sum = true;
        }
    }
    is_sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rows;

    /// Checks for some games that the least number that is not excluded is at most the proven period.
    #[test]
    fn the_least_number_is_at_most_the_period() {
        for game in [
            "segment 1 2",
            "segment 2 2",
            "segment 1 4",
            "octal 0.137",
            "octal 0.356",
            "octal 0.165",
            "octal 4.7",
            "octal 0.f",
            "octal 0.01a",
            "octal 0.23b",
        ] {
            let game = RowGame::read(game).unwrap();
            let rows = Rows::compute(game, 20_000, true).unwrap();
            let least = least_not_excluded(game, rows.values());
            let period = usize::try_from(rows.period.unwrap().length).unwrap();
            assert!(least <= period, "{game}: {least} of {period}");
        }
    }

    /// Tests the rule for moves that leave a heap of value 0. With the values 0, 1, 2, 0, a move of 0.77 takes one or
    /// two cards and leaves one heap, or two heaps of which one has 3 cards: no period divides 1, 2, 4 or 5.
    #[test]
    fn multiples_of_a_period() {
        let least =
            |game, values: &[u32]| least_not_excluded(RowGame::read(game).unwrap(), values.iter().copied());
        assert_eq!(least("segment 1 2", &[0, 1, 2, 0]), 3);
        assert_eq!(least("octal 0.77", &[0, 1, 2, 0]), 3);
        // A move may only take three cards, and may not leave one heap.
        assert_eq!(least("octal 0.004", &[0, 1, 0]), 2);
        assert_eq!(least("octal 0.3", &[0, 1, 0, 1]), 2);
        // A move takes one card and leaves three heaps. Two of them may be 1 and 1, 1 and 2, or two larger heaps of one
        // size: no period divides 3, 4, 5, 7, 9 ...
        assert_eq!(least("octal 0.8", &[0, 0, 0]), 6);
        // A move takes two cards and leaves three heaps, two of them of one size: no period divides 4, 6, 8 ...
        assert_eq!(least("octal 0.08", &[0, 0]), LIMIT / 2 + 1);
    }
}
