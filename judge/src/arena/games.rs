//! The games of a run so far, and the rule by which the run ends before all of its games are played.

use std::collections::BTreeMap;

use anyhow::ensure;

use crate::arena::record::GameRecord;
use crate::arena::statistics::{PairCounts, Sprt};

#[derive(Debug, Default)]
pub(crate) struct Games {
    records: BTreeMap<(String, u64), GameRecord>,
    /// For each bot, the number of games that it has played, and the number that it has won.
    pub(crate) bots: BTreeMap<String, (u64, u64)>,
    sprt: Option<Sprt>,
    ends_at_violation: bool,
    /// The pairs that the SPRT has tested.
    counts: PairCounts,
    end: Option<u64>,
}

impl Games {
    /// With `sprt` a run ends when the test accepts a hypothesis, with `ends_at_violation` when a bot breaks a rule.
    pub(crate) fn new(sprt: Option<Sprt>, ends_at_violation: bool) -> Self {
        Self { sprt, ends_at_violation, ..Self::default() }
    }

    /// Adds a game, unless it is known. Fails if no run can write this record, or if its result or the other game of its
    /// pair contradicts it.
    pub(crate) fn add(&mut self, record: GameRecord) -> anyhow::Result<()> {
        record.check()?;
        let (run, index) = (record.run.clone(), record.index);
        let key = |index: u64| (run.clone(), index);
        if let Some(known) = self.records.get(&key(index)) {
            ensure!(
                known.is_same_game(&record),
                "game {index} of the run {run} is recorded twice, with different results"
            );
            return Ok(());
        }
        if let Some(other) = self.records.get(&key(index ^ 1)) {
            other.check_pair(&record)?;
        }
        if self.ends_at_violation && record.has_violation() {
            self.end_at(index.saturating_add(1));
        }
        for (seat, has_won) in [(&record.first, record.first_won()), (&record.second, !record.first_won())] {
            let (played, won) = self.bots.entry(seat.bot.clone()).or_default();
            *played += 1;
            *won += u64::from(has_won);
        }
        self.records.insert(key(index), record);
        self.test_pairs(&run);
        Ok(())
    }

    /// Tests the complete pairs in order, so that a run ends at the same game with any number of jobs.
    fn test_pairs(&mut self, run: &str) {
        let Some(sprt) = self.sprt else { return };
        while sprt.accepted(self.counts).is_none() {
            let first = 2 * u64::from(self.counts.pairs());
            let games = [first, first + 1].map(|index| self.records.get(&(run.to_owned(), index)));
            let [Some(one), Some(other)] = games else { return };
            self.counts.add(games_won([one, other]));
            if sprt.accepted(self.counts).is_some() {
                self.end_at(first + 2);
            }
        }
    }

    fn end_at(&mut self, games: u64) {
        self.end = Some(self.end(games));
    }

    pub(crate) fn end(&self, all: u64) -> u64 {
        self.end.map_or(all, |end| end.min(all))
    }

    pub(crate) fn truncate(&mut self, all: u64) {
        let end = self.end(all);
        self.records.retain(|&(_, index), _| index < end);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &GameRecord> {
        self.records.values()
    }

    /// The pairs of games that have both been played. In the first game of a pair, the first bot moves first.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = [&GameRecord; 2]> {
        let firsts = self.iter().filter(|game| game.index.is_multiple_of(2));
        firsts.filter_map(|one| Some([one, self.records.get(&(one.run.clone(), one.index + 1))?]))
    }

    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    /// Returns the progress of the SPRT as a line of text; `None` without an SPRT.
    pub(crate) fn status(&self) -> Option<String> {
        const LAST: u8 = 20;
        let sprt = self.sprt?;
        let (ratio, (low, high)) = (sprt.log_ratio(self.counts), sprt.bounds());
        let place = (ratio - low) / (high - low);
        let mark = (0..LAST).find(|&cell| f64::from(cell) / f64::from(LAST) >= place).unwrap_or(LAST);
        let scale: String = (0..=LAST).map(|cell| if cell == mark { '|' } else { '-' }).collect();
        Some(format!("LLR {low:.2} {scale} {high:.2}: {ratio:.2}"))
    }
}

/// Returns how many games of a pair the bot won that moves first in the first of them.
pub(crate) fn games_won([one, other]: [&GameRecord; 2]) -> u32 {
    u32::from(one.first_won()) + u32::from(!other.first_won())
}

#[cfg(test)]
pub(crate) mod tests {
    use std::fs;

    use serde_json::{Value, json};

    use super::*;
    use crate::arena::plan::PlannedGame;
    use crate::arena::record::tests::seat;
    use crate::arena::statistics::Hypotheses;
    use crate::conversation::verdict::Verdict;
    use crate::record_file::read_records;

    pub(crate) fn record(index: u64, a_wins: bool) -> GameRecord {
        let a_is_first = index.is_multiple_of(2);
        let seat = |bot: &str, wins: bool| seat(bot, if wins { Verdict::Won } else { Verdict::Lost }, 4);
        let (a, b) = (seat("a", a_wins), seat("b", !a_wins));
        let seats = if a_is_first { [a, b] } else { [b, a] };
        let planned = PlannedGame { seats: [0, 1], start: "4 1 1".parse().unwrap(), seed: 1 };
        GameRecord::new("run", index, &planned, seats).unwrap()
    }

    /// The run ends at the same game for three orders in which the games are added.
    #[test]
    fn the_end_does_not_depend_on_the_order() {
        let games: Vec<_> = (0..60).map(|index| record(index, index % 14 != 3)).collect();
        let hypotheses = Hypotheses { elo0: 0.0, elo1: 200.0 };
        let end = |order: &mut dyn Iterator<Item = &GameRecord>| {
            let mut stop = Games::new(Some(Sprt { hypotheses, alpha: 0.05, beta: 0.05 }), false);
            order.for_each(|game| stop.add(game.clone()).unwrap());
            stop.end
        };
        let forwards = end(&mut games.iter());
        assert!(forwards.is_some_and(|end| end < 40), "{forwards:?}");
        assert_eq!(end(&mut games.iter().rev()), forwards);
        let (even, odd): (Vec<_>, Vec<_>) = games.iter().partition(|game| game.index % 2 == 0);
        assert_eq!(end(&mut even.into_iter().chain(odd)), forwards);
    }

    /// A record that no run writes is refused. The message names the line and the expected content.
    #[test]
    fn forged_records() {
        let [one, other] = [0, 1].map(|index| serde_json::to_value(record(index, true)).unwrap());
        let file = tempfile::NamedTempFile::new().unwrap();
        let read = |second: &Value| {
            fs::write(file.path(), format!("{one}\n{second}\n")).unwrap();
            let mut games = Games::default();
            let read = read_records(file.path(), GameRecord::KIND, |game| games.add(game));
            read.map_err(|error| format!("{error:#}"))
        };
        assert_eq!(read(&other), Ok(()));
        let pair =
            "expected the same start and seed with the seats swapped in the games of a pair, got game 0: ";
        let verdicts = "expected the verdicts of a game that one bot won";
        let times = "expected buckets of times between 0 and 495, got 496";
        for (game, field, value, message) in [
            (&other, "/winner", json!("b"), "expected the winner \"a\", as the verdicts say, got \"b\""),
            (&other, "/first/verdict", json!("WON"), verdicts),
            (&other, "/schema", json!(3), "expected schema 2, got 3, in game 1"),
            (&other, "/second/bot", json!("b"), "expected two bots, got \"b\" twice"),
            (&other, "/game", json!("3 1 2"), pair),
            (&other, "/seed", json!(77), pair),
            (&other, "/game", json!("chess"), "expected a game of judge arena: expected "),
            (&other, "/first/answer_times", json!([[496, 1]]), times),
            // A record in which the bots did not swap seats.
            (&one, "/index", json!(1), pair),
        ] {
            let mut forged = game.clone();
            *forged.pointer_mut(field).unwrap() = value;
            let error = read(&forged).unwrap_err();
            assert!(error.contains(" line 2: ") && error.contains(message), "{error}");
        }
    }
}
