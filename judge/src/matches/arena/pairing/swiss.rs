//! The Swiss system: in each round, bots with similar results meet, and no two bots meet twice.

use std::cmp::Reverse;
use std::collections::HashSet;

use crate::matches::arena::round::MeetingResult;

/// Returns the default number of rounds: the number of rounds of a knockout.
pub(super) fn default_rounds(bots: usize) -> u32 {
    bots.next_power_of_two().trailing_zeros()
}

/// Returns the maximum number of rounds.
///
/// After r rounds, each of n bots (n even) may still meet n - 1 - r others. If that number is at least n / 2, there is
/// a round in which every bot plays: the graph of the possible meetings has a Hamiltonian cycle by a theorem of G.
/// Dirac (1952, "Some theorems on abstract graphs").
pub(super) fn max_rounds(bots: usize) -> u32 {
    u32::try_from(bots.div_ceil(2)).unwrap_or(u32::MAX)
}

/// Returns the points of each bot, indexed by its number. A bot gets two points for a meeting in which it won more
/// games and for a round without a meeting, and one point for a meeting in which both bots won the same number of
/// games.
pub(in crate::matches::arena) fn points(bots: usize, results: &[Vec<MeetingResult>]) -> Vec<u64> {
    let mut points = vec![2 * results.len() as u64; bots];
    for result in results.iter().flatten() {
        for side in 0..2 {
            let lost = match result.won[side].cmp(&result.won[1 - side]) {
                std::cmp::Ordering::Less => 2,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Greater => 0,
            };
            // A file may contain two meetings of a bot in one round, so the points could fall below 0.
            let points = &mut points[result.bots[side]];
            *points = points.saturating_sub(lost);
        }
    }
    points
}

/// Returns the number of games that each bot has won, indexed by the bot's number.
pub(in crate::matches::arena) fn games_won(bots: usize, results: &[Vec<MeetingResult>]) -> Vec<u64> {
    let mut won = vec![0; bots];
    for result in results.iter().flatten() {
        for side in 0..2 {
            won[result.bots[side]] += result.won[side];
        }
    }
    won
}

/// Returns the meetings of the next round. The bots are sorted by points, then by games won, then by the draw, and each
/// bot meets the next bot that it has not met. If the number of bots is odd, one bot has no meeting in the round, and
/// no bot goes without a meeting twice.
pub(super) fn meetings(draw: &[usize], results: &[Vec<MeetingResult>]) -> Vec<[usize; 2]> {
    let bots = draw.len();
    let (points, won) = (points(bots, results), games_won(bots, results));
    let mut order = draw.to_vec();
    order.sort_by_key(|&bot| Reverse((points[bot], won[bot])));
    // `nobody` is an additional bot number, always the last in the order. If the number of bots is odd, one bot meets
    // `nobody`.
    let nobody = bots;
    let is_odd = !bots.is_multiple_of(2);
    order.extend(is_odd.then_some(nobody));
    let mut met: HashSet<[usize; 2]> = HashSet::new();
    for round in results {
        let mut free: HashSet<usize> = (0..bots).collect();
        for [a, b] in round.iter().map(|result| result.bots) {
            met.extend([[a, b], [b, a]]);
            free.remove(&a);
            free.remove(&b);
        }
        met.extend(free.into_iter().flat_map(|bot| [[bot, nobody], [nobody, bot]]));
    }
    let mut pairs = pairs(&order, &met);
    pairs.retain(|pair| !pair.contains(&nobody));
    pairs
}

/// Divides all bots into pairs that have not met. First pairs each bot in the order with the next free bot that it has
/// not met. The unpaired bots have all met each other. So two of them, a and b, exchange partners with a pair of bots,
/// c and d: a meets c and b meets d, or a meets d and b meets c. Such a pair exists while each bot may still meet half
/// of the others, because then at least three of these four meetings are possible for some pair. If no such pair
/// exists, a and b meet again.
fn pairs(order: &[usize], met: &HashSet<[usize; 2]>) -> Vec<[usize; 2]> {
    let may_meet = |a: usize, b: usize| !met.contains(&[a, b]);
    let mut free = order.to_vec();
    let mut unpaired = Vec::new();
    let mut pairs: Vec<[usize; 2]> = Vec::new();
    while !free.is_empty() {
        let bot = free.remove(0);
        match free.iter().position(|&other| may_meet(bot, other)) {
            Some(place) => pairs.push([bot, free.remove(place)]),
            None => unpaired.push(bot),
        }
    }
    for two in unpaired.chunks_exact(2) {
        let [a, b] = [two[0], two[1]];
        let exchange = (0..pairs.len()).rev().find_map(|place| {
            let [c, d] = pairs[place];
            let ways = [[[c, a], [d, b]], [[c, b], [d, a]]];
            let possible = ways.into_iter().find(|way| way.iter().all(|&[c, a]| may_meet(c, a)));
            possible.map(|way| (place, way))
        });
        match exchange {
            Some((place, way)) => {
                pairs.splice(place..=place, way);
            }
            None => pairs.push([a, b]),
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::arena::pairing::draw;

    /// Up to the maximum number of rounds, every bot plays in each round, except one bot if the number of bots is odd.
    /// No two bots meet twice, and no bot is without a meeting twice.
    #[test]
    fn no_two_bots_meet_twice() {
        for bots in (2..34).chain([63, 64]) {
            for seed in 0..4_u8 {
                let draw = draw(bots, seed.into());
                let (mut results, mut met, mut free) = (Vec::new(), HashSet::new(), HashSet::new());
                for round in 0..max_rounds(bots) {
                    let meetings = meetings(&draw, &results);
                    assert_eq!(meetings.len(), bots / 2);
                    let playing: HashSet<usize> = meetings.iter().flatten().copied().collect();
                    assert_eq!(playing.len(), bots / 2 * 2);
                    for &[a, b] in &meetings {
                        assert!(met.insert([a.min(b), a.max(b)]), "{bots} bots, round {round}, {a} and {b}");
                    }
                    free.extend((0..bots).filter(|bot| !playing.contains(bot)));
                    let result = |bots: [usize; 2]| {
                        let won = [[4, 0], [0, 4], [2, 2]][(bots[0] * 7 + bots[1] + usize::from(seed)) % 3];
                        MeetingResult { won, ..MeetingResult::new(bots) }
                    };
                    results.push(meetings.into_iter().map(result).collect());
                }
                let expected = if bots % 2 == 0 { 0 } else { max_rounds(bots) as usize };
                assert_eq!(free.len(), expected, "none is without a meeting twice");
                let sum: u64 = points(bots, &results).iter().sum();
                assert_eq!(sum, u64::from(max_rounds(bots)) * 2 * bots.div_ceil(2) as u64);
            }
        }
    }

    #[test]
    fn default_rounds_are_at_most_the_maximum() {
        for bots in 2..2000 {
            assert!(default_rounds(bots) <= max_rounds(bots), "{bots}");
        }
        assert_eq!([2, 3, 4, 5, 6, 8, 64].map(default_rounds), [1, 2, 2, 3, 3, 3, 6]);
    }

    #[test]
    fn bots_with_equal_points_meet() {
        let result = |bots, won| MeetingResult { won, ..MeetingResult::new(bots) };
        let first = vec![result([0, 1], [4, 0]), result([2, 3], [0, 4])];
        assert_eq!(meetings(&[0, 1, 2, 3], &[first]), [[0, 3], [1, 2]]);
    }
}
