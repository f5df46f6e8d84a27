//! The rule by which a run ends before all of its games are played.

use std::collections::BTreeMap;

use crate::arena::record::GameRecord;
use crate::arena::statistics::elo::PairCounts;
use crate::arena::statistics::sprt::{Accepted, Sprt};

/// The condition under which a run ends early, with the data of the games so far. Games are tested in the order of
/// their numbers, even if they are added in another order, so a run ends at the same game with any number of jobs.
#[derive(Debug, Default)]
pub(crate) struct StopRule {
    sprt: Option<Sprt>,
    ends_at_violation: bool,
    /// The games of pairs that have not been tested yet, by number. The value is whether the tested bot won.
    waiting: BTreeMap<u64, bool>,
    /// The number of pairs that have been tested.
    pairs: u64,
    counts: PairCounts,
    accepted: Option<Accepted>,
    /// The number of games after which the run ends, once known.
    pub(crate) end: Option<u64>,
}

impl StopRule {
    /// Creates a rule. With `sprt` a run of two bots ends when the test accepts a hypothesis. With `ends_at_violation`
    /// a run ends at the first game in which a bot breaks a rule.
    pub(crate) fn new(sprt: Option<Sprt>, ends_at_violation: bool) -> Self {
        Self { sprt, ends_at_violation, ..Self::default() }
    }

    /// Adds a game. The tested bot moves first in games with even numbers.
    pub(crate) fn add(&mut self, record: &GameRecord) {
        if self.ends_at_violation && record.has_violation() {
            self.end_at(record.index + 1);
        }
        if self.sprt.is_none() || self.accepted.is_some() {
            return;
        }
        let has_won = record.index.is_multiple_of(2) == record.first_won();
        self.waiting.insert(record.index, has_won);
        self.evaluate_pairs();
    }

    /// Tests the complete pairs in order, up to the first incomplete pair.
    fn evaluate_pairs(&mut self) {
        let Some(sprt) = self.sprt else { return };
        while self.accepted.is_none() {
            let games = [2 * self.pairs, 2 * self.pairs + 1];
            let [Some(&one), Some(&other)] = games.map(|game| self.waiting.get(&game)) else { return };
            for game in games {
                self.waiting.remove(&game);
            }
            self.pairs += 1;
            self.counts.add(u32::from(one) + u32::from(other));
            self.accepted = sprt.accepted(self.counts);
        }
        self.end_at(2 * self.pairs);
    }

    fn end_at(&mut self, games: u64) {
        self.end = Some(self.end.map_or(games, |end| end.min(games)));
    }

    /// Returns the progress of the SPRT as a line of text; an empty text without an SPRT.
    pub(crate) fn status(&self) -> String {
        const WIDTH: usize = 21;
        let Some(sprt) = self.sprt else { return String::new() };
        let (ratio, (low, high)) = (sprt.log_ratio(self.counts), sprt.bounds());
        let place = (ratio - low) / (high - low);
        let is_here = |cell: usize| (0..cell).fold(0.0, |sum, _| sum + 1.0) / 20.0 >= place;
        let mark = (0..WIDTH).find(|&cell| is_here(cell)).unwrap_or(WIDTH - 1);
        let scale: String = (0..WIDTH).map(|cell| if cell == mark { '|' } else { '-' }).collect();
        format!("LLR {low:.2} {scale} {high:.2}: {ratio:.2}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::record::tests::seat;
    use crate::arena::statistics::sprt::Hypotheses;
    use crate::conversation::verdict::Verdict;

    fn record(index: u64, a_wins: bool, verdict: Verdict) -> GameRecord {
        let a_is_first = index.is_multiple_of(2);
        let seat = |bot: &str, wins: bool| seat(bot, if wins { Verdict::Won } else { verdict }, 4);
        let (a, b) = (seat("a", a_wins), seat("b", !a_wins));
        let seats = if a_is_first { [a, b] } else { [b, a] };
        GameRecord::new("run", index, ("4 1 1".to_owned(), 1), seats).unwrap()
    }

    fn sprt() -> Sprt {
        Sprt { hypotheses: Hypotheses { elo0: 0.0, elo1: 200.0 }, alpha: 0.05, beta: 0.05 }
    }

    /// The run ends at the same game for three orders in which the games are added.
    #[test]
    fn the_end_does_not_depend_on_the_order() {
        let games: Vec<_> = (0..60).map(|index| record(index, index % 14 != 3, Verdict::Lost)).collect();
        let end = |order: &mut dyn Iterator<Item = &GameRecord>| {
            let mut stop = StopRule::new(Some(sprt()), false);
            order.for_each(|game| stop.add(game));
            stop.end
        };
        let forwards = end(&mut games.iter());
        assert!(forwards.is_some_and(|end| end < 40), "{forwards:?}");
        assert_eq!(end(&mut games.iter().rev()), forwards);
        let (even, odd): (Vec<_>, Vec<_>) = games.iter().partition(|game| game.index % 2 == 0);
        assert_eq!(end(&mut even.into_iter().chain(odd)), forwards);
    }

    #[test]
    fn the_first_violation_ends_a_run() {
        let mut stop = StopRule::new(None, true);
        stop.add(&record(0, true, Verdict::Lost));
        assert_eq!(stop.end, None);
        stop.add(&record(5, true, Verdict::Crashed));
        stop.add(&record(3, false, Verdict::Illegal));
        assert_eq!(stop.end, Some(4));
    }
}
