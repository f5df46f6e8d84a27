//! The standings: the results of each bot.

use std::collections::BTreeMap;

use crate::referee::game::answer_times::AnswerTimes;
use crate::referee::game::setup::GameHeader;
use zeroxor::Side;

use crate::arena::games::{Games, games_won};
use crate::arena::record::{GameRecord, is_clean};
use crate::arena::starts::StartClass;
use crate::arena::statistics::{PairCounts, Proportion};
use crate::report::summary::VerdictCounts;

#[derive(Debug, Default)]
pub(crate) struct Standing<'a> {
    pub(crate) name: &'a str,
    pub(crate) games: u32,
    pub(crate) won: u32,
    /// The bot's pairs against all others, and against each.
    pub(crate) pairs: PairCounts,
    pub(crate) pairs_against: BTreeMap<&'a str, PairCounts>,
    pub(crate) verdicts: VerdictCounts,
    /// The proportion of games won without a blunder, among the bot's games with a won position at some point.
    pub(crate) held: Proportion,
    pub(crate) held_by_class: BTreeMap<StartClass, Proportion>,
    /// The smallest ply at which the bot blundered in any of its games.
    pub(crate) first_blunder: Option<u64>,
    answers: AnswerTimes,
    /// The longest wait for a line, in milliseconds.
    pub(crate) slowest_ms: Option<f64>,
    /// The first game in which the bot broke a rule, and its side in that game.
    pub(crate) violation: Option<(&'a GameRecord, Side)>,
}

/// The bots, the best first.
#[derive(Debug)]
pub(crate) struct Standings<'a> {
    pub(crate) rows: Vec<Standing<'a>>,
    /// The bot that an SPRT tests: with two bots, the bot that moves first in games with even numbers.
    tested: Option<&'a str>,
}

impl<'a> Standings<'a> {
    /// Computes the standings after `games`. A pair with only one game played does not count for Elo.
    pub(crate) fn of(games: &'a Games) -> Self {
        let mut bots: BTreeMap<&str, Standing<'_>> = BTreeMap::new();
        for game in games.iter() {
            let class = game.game.parse().ok().map(|header: GameHeader| StartClass::of(header.game()));
            for side in [Side::First, Side::Second] {
                let name = game.seat(side).bot.as_str();
                let row = bots.entry(name).or_insert_with(|| Standing { name, ..Standing::default() });
                row.add(game, side, class.as_ref());
            }
        }
        for pair in games.pairs() {
            let (a, b) = (pair[0].first.bot.as_str(), pair[0].second.bot.as_str());
            let won = games_won(pair);
            for (name, opponent, won) in [(a, b, won), (b, a, 2 - won)] {
                bots.entry(name).and_modify(|row| {
                    row.pairs.add(won);
                    row.pairs_against.entry(opponent).or_default().add(won);
                });
            }
        }
        let tested = games.iter().next().map(|game| {
            let side = if game.index.is_multiple_of(2) { Side::First } else { Side::Second };
            game.seat(side).bot.as_str()
        });
        let mut rows: Vec<Standing<'_>> = bots.into_values().collect();
        // Half a pair more on each side keeps the odds finite.
        let odds = |pairs: PairCounts| (f64::from(pairs.won) + 0.5) / (f64::from(pairs.lost) + 0.5);
        // Bots that are equal stay in the order of their names.
        rows.sort_by(|a, b| odds(b.pairs).total_cmp(&odds(a.pairs)).then(b.won.cmp(&a.won)));
        Self { rows, tested }
    }

    pub(crate) fn tested(&self) -> Option<&Standing<'a>> {
        self.rows.iter().find(|row| Some(row.name) == self.tested)
    }

    pub(crate) fn has_violation(&self) -> bool {
        self.rows.iter().any(|row| row.violation.is_some())
    }
}

impl<'a> Standing<'a> {
    fn add(&mut self, game: &'a GameRecord, side: Side, class: Option<&StartClass>) {
        let result = game.seat(side);
        let has_won = game.first_won() == (side == Side::First);
        self.games = self.games.saturating_add(1);
        self.won = self.won.saturating_add(u32::from(has_won));
        self.verdicts.extend([result.verdict]);
        self.answers.add_all(&result.answer_times);
        self.slowest_ms = self.slowest_ms.into_iter().chain(result.slowest_ms).max_by(f64::total_cmp);
        if !is_clean(result.verdict) && self.violation.is_none_or(|(known, _)| game.index < known.index) {
            self.violation = Some((game, side));
        }
        let Some(review) = &result.review else { return };
        let blunder = review.blunders.first().copied();
        self.first_blunder = self.first_blunder.into_iter().chain(blunder).min();
        if review.start_won_by == side.to_string() || review.opponent_blunders > 0 {
            let is_held = has_won && blunder.is_none();
            self.held.add(is_held);
            if let Some(class) = class {
                self.held_by_class.entry(class.clone()).or_default().add(is_held);
            }
        }
    }

    /// A percentile of the bot's answer times, in milliseconds, but at most `slowest_ms`.
    pub(crate) fn percentile_ms(&self, per_cent: u64) -> Option<f64> {
        let end_of_bucket = self.answers.percentile(per_cent)?.as_secs_f64() * 1e3;
        Some(self.slowest_ms.map_or(end_of_bucket, |slowest| end_of_bucket.min(slowest)))
    }
}
