//! The games that have been played, with the data that the standings need.

use std::collections::BTreeMap;

use anyhow::{Context, ensure};
use zeroxor::Side;

use super::record::{GameRecord, PairedRecord, Seat};
use super::round::Round;
use super::seat_result::is_clean;
use super::starts::StartClass;
use referee::answer_times::AnswerTimes;
use referee::setup::GameHeader;
use referee::verdict::Verdict;

/// The data of a game that the standings need.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GameDigest {
    /// The numbers of the bot that moved first and of its opponent.
    pub(super) bots: [usize; 2],
    pub(super) first_won: bool,
    /// The number of the start.
    pub(super) start: usize,
    seed: u64,
    pub(super) round: Option<Round>,
    pub(super) seats: [SeatDigest; 2],
}

/// The data of one bot's side of a game that the standings need.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SeatDigest {
    pub(super) verdict: Verdict,
    /// Whether the bot is known to have had a won position at some point.
    pub(super) had_won_position: bool,
    pub(super) first_blunder: Option<u64>,
    /// The number of the bot's moves that gave a won position away.
    pub(super) blunders: u64,
}

/// The first game in which a bot broke a rule.
#[derive(Clone, Debug)]
pub(super) struct FirstViolation {
    pub(super) index: u64,
    pub(super) game: String,
    pub(super) side: Side,
    pub(super) verdict: Verdict,
    pub(super) reason: String,
    pub(super) again: Option<String>,
}

/// The answer times of a bot over all its games.
#[derive(Clone, Debug, Default)]
pub(super) struct BotTimes {
    pub(super) answers: AnswerTimes,
    /// The longest wait for a line, in milliseconds.
    pub(super) slowest_ms: Option<f64>,
}

impl BotTimes {
    /// Returns a percentile of the bot's answer times, in milliseconds, but at most `slowest_ms`.
    pub(super) fn percentile_ms(&self, per_cent: u64) -> Option<f64> {
        let end_of_bucket = self.answers.percentile(per_cent)?.as_secs_f64() * 1e3;
        Some(self.slowest_ms.map_or(end_of_bucket, |slowest| end_of_bucket.min(slowest)))
    }
}

/// Consecutive numbers of texts, counted from 0. Each new text gets the next number.
#[derive(Clone, Debug, Default)]
struct Numbers {
    numbers: BTreeMap<String, usize>,
}

impl Numbers {
    fn number(&mut self, text: &str) -> usize {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.numbers.len();
        self.numbers.insert(text.to_owned(), number);
        number
    }
}

/// The games that have been played, ordered by run and number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Games {
    bots: Numbers,
    runs: Numbers,
    starts: Numbers,
    /// The class of each start, indexed by the start's number.
    pub(super) classes: Vec<StartClass>,
    /// The games by the number of the run and the number of the game in the run.
    pub(super) digests: BTreeMap<(usize, u64), GameDigest>,
    /// The answer times of each bot, by the bot's number.
    pub(super) times: BTreeMap<usize, BotTimes>,
    /// The first violation of each bot that broke a rule, by the bot's number.
    pub(super) violations: BTreeMap<usize, FirstViolation>,
    /// The games whose pair is not complete yet.
    unpaired: BTreeMap<(usize, u64), PairedRecord>,
}

impl Games {
    /// Adds a game, unless it has already been added.
    ///
    /// # Errors
    ///
    /// If the game was already added with another result, does not match the other game of its pair, or has an invalid
    /// start.
    pub(crate) fn add(&mut self, record: &GameRecord) -> anyhow::Result<()> {
        let seats = [(&record.first, Side::First), (&record.second, Side::Second)];
        let digest = GameDigest {
            bots: [self.bots.number(&record.first.bot), self.bots.number(&record.second.bot)],
            first_won: record.first_won(),
            start: self.start(&record.game)?,
            seed: record.seed,
            round: record.round,
            seats: seats.map(|(seat, side)| digest(seat, side)),
        };
        let key = (self.runs.number(&record.run), record.index);
        if let Some(known) = self.digests.get(&key) {
            ensure!(
                *known == digest,
                "game {} of the run {} is recorded twice, with different results",
                record.index,
                record.run
            );
            return Ok(());
        }
        let paired = PairedRecord::from(record);
        match self.unpaired.remove(&(key.0, record.index ^ 1)) {
            Some(other) => other.check_pair(&paired)?,
            None => drop(self.unpaired.insert(key, paired)),
        }
        for (bot, (seat, side)) in digest.bots.into_iter().zip(seats) {
            let times = self.times.entry(bot).or_default();
            times.answers.add_all(&seat.result.answer_times);
            let slowest = times.slowest_ms.into_iter().chain(seat.result.slowest_ms);
            times.slowest_ms = slowest.max_by(f64::total_cmp);
            if !is_clean(seat.result.verdict) {
                self.keep_first_violation(bot, record, seat, side);
            }
        }
        self.digests.insert(key, digest);
        Ok(())
    }

    /// Returns the number of a start, and adds the start if it is new.
    fn start(&mut self, game: &str) -> anyhow::Result<usize> {
        let number = self.starts.number(game);
        if number == self.classes.len() {
            let header: GameHeader = game.parse().with_context(|| format!("the game {game:?}"))?;
            self.classes.push(StartClass::of(header.game()));
        }
        Ok(number)
    }

    fn keep_first_violation(&mut self, bot: usize, record: &GameRecord, seat: &Seat, side: Side) {
        if self.violations.get(&bot).is_some_and(|known| known.index <= record.index) {
            return;
        }
        let violation = FirstViolation {
            index: record.index,
            game: record.game.clone(),
            side,
            verdict: seat.result.verdict,
            reason: seat.result.reason.clone(),
            again: seat.result.again.clone(),
        };
        self.violations.insert(bot, violation);
    }

    /// Removes the games from number `end` on, and the violations in them. Keeps the answer times of these games.
    pub(crate) fn truncate(&mut self, end: u64) {
        self.digests.retain(|&(_, index), _| index < end);
        self.violations.retain(|_, violation| violation.index < end);
    }

    /// Returns the names of the bots, indexed by the bots' numbers.
    pub(super) fn bots(&self) -> Vec<String> {
        let mut names = vec![String::new(); self.bots.numbers.len()];
        for (name, &number) in &self.bots.numbers {
            names[number].clone_from(name);
        }
        names
    }

    /// Returns the numbers of the starts, sorted by their headers. The order in which games were added does not change
    /// this order.
    pub(super) fn starts(&self) -> impl Iterator<Item = usize> {
        self.starts.numbers.values().copied()
    }

    /// Returns the number of games.
    pub(crate) fn len(&self) -> usize {
        self.digests.len()
    }
}

fn digest(seat: &Seat, side: Side) -> SeatDigest {
    let review = seat.result.review.as_ref();
    let had_won_position = |review: &super::seat_result::ReviewFields| {
        review.start_won_by == side.to_string() || review.opponent_blunders > 0
    };
    SeatDigest {
        verdict: seat.result.verdict,
        had_won_position: review.is_some_and(had_won_position),
        first_blunder: review.and_then(|review| review.blunders.first().copied()),
        blunders: seat.result.blunders(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Times are counted in buckets, and the end of a bucket may be above all times in it.
    #[test]
    fn percentiles_are_at_most_the_slowest() {
        let mut times = BotTimes { slowest_ms: Some(304.0), ..BotTimes::default() };
        for millis in [1, 303, 304] {
            times.answers.add(Duration::from_millis(millis));
        }
        assert_eq!(times.percentile_ms(95), Some(304.0));
        assert!(times.percentile_ms(30).unwrap() < 1.2);
    }
}
