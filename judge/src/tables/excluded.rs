//! Which numbers no period can be.

use super::row_game::RowGame;

/// So many values are looked at, and so many numbers.
const MOST: usize = 1 << 20;

/// The least number that these values from 0 on do not exclude as a period.
///
/// If g(l) = 0 and a move may take w and leave heaps of l and m, then g(l + w + m) is not g(m), whatever m is: no period
/// divides l + w. Where l is 0 the move leaves one heap (B. Riley's report on the game 0.6, 2026).
///
/// Time: n log n for n values.
pub(super) fn least_not_excluded(game: RowGame, values: impl Iterator<Item = u32>) -> usize {
    // How many more runs of numbers begin than end at each number.
    let mut begins = vec![0_i64; MOST + 1];
    for (size, _) in values.take(MOST).enumerate().filter(|(_, value)| *value == 0) {
        for (least, most) in game.takes_leaving(if size == 0 { 1 } else { 2 }) {
            let [least, behind] = [least, most.saturating_add(1)]
                .map(|take| usize::try_from(take).map_or(MOST, |take| take.saturating_add(size).min(MOST)));
            begins[least] += 1;
            begins[behind] -= 1;
        }
    }
    let mut runs = 0;
    let mut is_no_multiple = vec![false; MOST];
    for (number, begins) in begins.iter().take(MOST).enumerate() {
        runs += begins;
        is_no_multiple[number] = runs > 0;
    }
    let is_excluded = |period: usize| is_no_multiple.iter().step_by(period).skip(1).any(|&is_none| is_none);
    (1..MOST).find(|&period| !is_excluded(period)).unwrap_or(MOST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::Rows;

    /// No period that is proven is excluded, and most smaller numbers are.
    #[test]
    fn periods_are_not_excluded() {
        for game in [
            "segment 1 2",
            "segment 2 2",
            "segment 1 4",
            "octal 0.137",
            "octal 0.356",
            "octal 0.165",
            "octal 4.7",
        ] {
            let game = RowGame::read(game).unwrap();
            let rows = Rows::compute(game, 20_000, true).unwrap();
            let least = least_not_excluded(game, rows.values());
            let period = usize::try_from(rows.period.unwrap().length).unwrap();
            assert!(least <= period, "{game}: {least} of {period}");
        }
    }

    /// Of the values 0, 1, 2, 0 under 0.77 one or two are taken from two heaps, of which one has 3 cards, or from one heap:
    /// no period divides 1, 2, 4 or 5.
    #[test]
    fn multiples_of_a_period() {
        let least =
            |game, values: &[u32]| least_not_excluded(RowGame::read(game).unwrap(), values.iter().copied());
        assert_eq!(least("segment 1 2", &[0, 1, 2, 0]), 3);
        assert_eq!(least("octal 0.77", &[0, 1, 2, 0]), 3);
        // Only three may be taken, and one heap may not be left.
        assert_eq!(least("octal 0.004", &[0, 1, 0]), 2);
        assert_eq!(least("octal 0.3", &[0, 1, 0, 1]), 2);
    }
}
