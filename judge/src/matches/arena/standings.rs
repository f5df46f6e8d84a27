//! The standings: the results of each bot, and of every two bots that met.

use std::collections::BTreeMap;

use super::games::{BotTimes, FirstViolation, GameDigest, Games};
use super::pairing::swiss;
use super::round::{MeetingResult, Round, RoundFormat};
use super::starts::StartClass;
use crate::report::verdict_counts::VerdictCounts;
use common::statistics::bootstrap;
use common::statistics::bradley_terry::DecidedPairs;
use common::statistics::elo::{self, PairCounts};
use common::statistics::proportion::Proportion;

/// The results of one bot.
#[derive(Debug, Default)]
pub(crate) struct Standing {
    pub(super) name: String,
    /// Whether an SPRT tests this bot: with two bots, the bot that moves first in games with even numbers.
    pub(super) is_tested: bool,
    pub(super) games: u32,
    pub(super) won: u32,
    /// The bot's pairs against all others.
    pub(super) pairs: PairCounts,
    /// The Elo rating; the mean of the ratings of a group is 0.
    pub(super) rating: f64,
    /// The number of the bot's group. Meetings connect the bots of a group; bots of different groups cannot be
    /// compared.
    group: usize,
    /// The lower and the upper end of the 95 % interval of the rating; `None` for an unknown end. A one-sided bound has
    /// one known end.
    pub(super) interval: [Option<f64>; 2],
    pub(super) verdicts: VerdictCounts,
    /// The proportion of games won without a blunder, among the bot's games with a won position at some point.
    pub(super) held: Proportion,
    /// The value of `held` for each class of starts.
    pub(super) held_by_class: BTreeMap<StartClass, Proportion>,
    /// The smallest ply at which the bot blundered in any of its games.
    pub(super) first_blunder: Option<u64>,
    pub(super) times: BotTimes,
    pub(super) violation: Option<FirstViolation>,
}

/// The results of two bots that met.
#[derive(Debug)]
pub(super) struct Meeting {
    /// The bots, as indexes of rows of the standings.
    pub(super) bots: (usize, usize),
    /// The pairs that the first bot won, split and lost.
    pub(super) pairs: PairCounts,
}

/// The bots, the best first, and their meetings.
#[derive(Debug)]
pub(crate) struct Standings {
    pub(crate) rows: Vec<Standing>,
    pub(super) meetings: Vec<Meeting>,
    pub(super) rounds: Option<RoundResults>,
}

/// A pair of games that have both been played: its bots, the number of games that the first bot won, and the number of
/// the start.
struct Pair {
    bots: (usize, usize),
    won: u32,
    start: usize,
}

impl Standings {
    /// Computes the standings after `games`. A pair with only one game played does not count for ratings.
    pub(crate) fn of(games: &Games) -> Self {
        let names = games.bots();
        let mut rows: Vec<Standing> = names.iter().map(|name| empty_row(name)).collect();
        for (&(_, index), game) in games.digests.iter().take(1) {
            rows[game.bots[usize::from(index % 2 == 1)]].is_tested = true;
        }
        games.digests.values().for_each(|game| add_game(&mut rows, game, &games.classes));
        for (&bot, times) in &games.times {
            rows[bot].times = times.clone();
        }
        for (&bot, violation) in &games.violations {
            rows[bot].violation = Some(violation.clone());
        }
        let pairs = complete_pairs(games);
        let mut meetings: BTreeMap<(usize, usize), PairCounts> = BTreeMap::new();
        for pair in &pairs {
            meetings.entry(pair.bots).or_default().add(pair.won);
            rows[pair.bots.0].pairs.add(pair.won);
            rows[pair.bots.1].pairs.add(2 - pair.won);
        }
        rate(&mut rows, games, &pairs, &meetings);
        Self { rounds: RoundResults::of(games), ..sorted(rows, meetings) }
    }
}

impl Standing {
    pub(super) fn interval_text(&self) -> String {
        match self.interval {
            [None, None] => "-".to_owned(),
            [Some(low), None] => format!("at least {low:+.0}"),
            [None, Some(high)] => format!("at most {high:+.0}"),
            [Some(low), Some(high)] => format!("{low:+.0} to {high:+.0}"),
        }
    }
}

impl Standings {
    /// Returns the names of the bots of each group, the best first, if there are several groups of two bots or more.
    /// Otherwise returns no groups.
    pub(super) fn groups(&self) -> Vec<Vec<&str>> {
        let mut groups: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        self.rows.iter().for_each(|row| groups.entry(row.group).or_default().push(&row.name));
        let groups: Vec<_> = groups.into_values().filter(|names| names.len() > 1).collect();
        if groups.len() > 1 { groups } else { Vec::new() }
    }

    /// Returns the numbers of pairs won, split and lost by the bot that an SPRT tests.
    pub(crate) fn tested_pairs(&self) -> Option<PairCounts> {
        self.rows.iter().find(|row| row.is_tested).map(|row| row.pairs)
    }

    /// Returns whether a bot broke a rule.
    pub(crate) fn has_violation(&self) -> bool {
        self.rows.iter().any(|row| row.violation.is_some())
    }
}

fn empty_row(name: &str) -> Standing {
    Standing { name: name.to_owned(), ..Standing::default() }
}

fn add_game(rows: &mut [Standing], game: &GameDigest, classes: &[StartClass]) {
    for (seat, (&bot, digest)) in game.bots.iter().zip(&game.seats).enumerate() {
        let row = &mut rows[bot];
        let has_won = game.first_won == (seat == 0);
        row.games = row.games.saturating_add(1);
        row.won = row.won.saturating_add(u32::from(has_won));
        row.verdicts.extend([digest.verdict]);
        if digest.had_won_position {
            let is_held = has_won && digest.first_blunder.is_none();
            row.held.add(is_held);
            row.held_by_class.entry(classes[game.start].clone()).or_default().add(is_held);
        }
        row.first_blunder = row.first_blunder.into_iter().chain(digest.first_blunder).min();
    }
}

/// Returns the pairs whose games have both been played.
fn complete_pairs(games: &Games) -> Vec<Pair> {
    let both = games.digests.iter().filter(|((_, index), _)| index.is_multiple_of(2)).filter_map(
        |(&(run, index), one)| {
            let other = games.digests.get(&(run, index + 1))?;
            // The games may come from a file, so check that the bots swapped seats.
            (other.bots == [one.bots[1], one.bots[0]]).then_some((one, other))
        },
    );
    both.map(|(one, other)| {
        let won = [u32::from(one.first_won), u32::from(!other.first_won)];
        let [a, b] = one.bots;
        let (bots, won) = if a < b { ((a, b), won) } else { ((b, a), won.map(|won| 1 - won)) };
        Pair { bots, won: won[0] + won[1], start: one.start }
    })
    .collect()
}

/// Computes the ratings and their intervals.
fn rate(
    rows: &mut [Standing],
    games: &Games,
    pairs: &[Pair],
    meetings: &BTreeMap<(usize, usize), PairCounts>,
) {
    let met: Vec<_> = meetings.keys().copied().collect();
    let empty = DecidedPairs::new(rows.len(), &met);
    let mut all = empty.clone();
    let mut starts: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
    for pair in pairs {
        let (a, b) = pair.bots;
        let decided = starts.entry(pair.start).or_default();
        if let Some((winner, loser)) = [Some((b, a)), None, Some((a, b))][pair.won as usize] {
            all.add(winner, loser);
            decided.push((winner, loser));
        }
    }
    let starts: Vec<_> = games.starts().filter_map(|start| starts.remove(&start)).collect();
    let intervals = bootstrap::intervals(rows.len(), &empty, &starts);
    let (ratings, groups) = (all.ratings(), all.groups());
    for (bot, row) in rows.iter_mut().enumerate() {
        row.rating = ratings[bot];
        row.group = groups[bot];
        let group_size =
            groups.iter().filter(|&&group| group == groups[bot]).fold(0.0, |count, _| count + 1.0);
        // With only one start nothing is known about other starts, so there is no interval.
        let Some((low, high)) = intervals.as_ref().map(|intervals| intervals[bot]) else { continue };
        // Replace only this bot's rating by the bound, and shift the ratings of its group so that their mean is 0
        // again.
        let centred = |bound: f64| Some(bound - (bound - ratings[bot]) / group_size);
        let opponents =
            || opponents_in_decided_pairs(bot, pairs).map(|other| ratings[other]).collect::<Vec<_>>();
        row.interval = match (row.pairs.won, row.pairs.lost) {
            (0, 0) => [None; 2],
            (_, 0) => [centred(elo::lower_bound_if_all_won(&opponents())), None],
            (0, _) => [None, centred(elo::upper_bound_if_all_lost(&opponents()))],
            _ => [Some(low), Some(high)],
        };
    }
}

fn opponents_in_decided_pairs(bot: usize, pairs: &[Pair]) -> impl Iterator<Item = usize> {
    let decided = pairs.iter().filter(|pair| pair.won != 1);
    decided.filter_map(move |pair| match pair.bots {
        (a, b) if a == bot => Some(b),
        (a, b) if b == bot => Some(a),
        _ => None,
    })
}

/// Sorts the bots by rating, then by games won, then by name, the best first.
fn sorted(rows: Vec<Standing>, meetings: BTreeMap<(usize, usize), PairCounts>) -> Standings {
    let mut rows: Vec<(usize, Standing)> = rows.into_iter().enumerate().collect();
    rows.sort_by(|(_, a), (_, b)| {
        // Round the ratings: equal ratings may differ by rounding errors.
        let rating = |row: &Standing| (row.rating * 10.0).round();
        rating(b).total_cmp(&rating(a)).then(b.won.cmp(&a.won)).then(a.name.cmp(&b.name))
    });
    let place = |bot: usize| rows.iter().position(|&(number, _)| number == bot).unwrap_or_default();
    let mut meetings: Vec<Meeting> = meetings
        .into_iter()
        .map(|((a, b), pairs)| match (place(a), place(b)) {
            (a, b) if a < b => Meeting { bots: (a, b), pairs },
            (a, b) => Meeting { bots: (b, a), pairs: pairs.reversed() },
        })
        .collect();
    meetings.sort_by_key(|meeting| meeting.bots);
    Standings { rows: rows.into_iter().map(|(_, row)| row).collect(), meetings, rounds: None }
}

/// The meetings of each round. Bots are given by their numbers.
#[derive(Debug)]
pub(super) struct RoundResults {
    /// The last round with a game that has been played.
    pub(super) last: Round,
    /// The rounds in order, starting with round 1, each with its meetings in order.
    pub(super) rounds: Vec<Vec<MeetingResult>>,
    /// The names of the bots.
    pub(super) names: Vec<String>,
}

impl RoundResults {
    /// Returns the rounds of `games`; `None` if the games have no rounds or come from several runs.
    pub(super) fn of(games: &Games) -> Option<Self> {
        let mut rounds: BTreeMap<u32, Vec<MeetingResult>> = BTreeMap::new();
        let mut last = None;
        for (&(run, index), game) in &games.digests {
            let round = game.round.filter(|_| run == 0)?;
            let meetings = rounds.entry(round.number).or_default();
            let seats = game.bots;
            let bots = if index.is_multiple_of(2) { seats } else { [seats[1], seats[0]] };
            let place = meetings.iter().position(|meeting| meeting.bots == bots);
            let place = place.unwrap_or_else(|| {
                meetings.push(MeetingResult::new(bots));
                meetings.len() - 1
            });
            meetings[place].add(seats, game.first_won, game.seats.each_ref().map(|seat| seat.blunders));
            last = last.filter(|last: &Round| last.number >= round.number).or(Some(round));
        }
        Some(Self { last: last?, rounds: rounds.into_values().collect(), names: games.bots() })
    }

    /// Returns the number of the bot that won a knockout; `None` before the last meeting has been played.
    pub(super) fn winner(&self) -> Option<usize> {
        let games = |meeting: &MeetingResult| meeting.won[0] + meeting.won[1];
        let most = self.rounds.iter().flatten().map(games).max()?;
        let last = self.rounds.last()?.first().filter(|last| games(last) == most)?;
        let is_over = self.last.format == RoundFormat::Knockout && self.last.number == self.last.of;
        is_over.then(|| last.bots[last.winner().0])
    }

    /// Returns the bots of a Swiss tournament by their numbers, the best first, with their points and their games won.
    pub(super) fn points(&self) -> Vec<(usize, u64, u64)> {
        let bots = self.names.len();
        let points = swiss::points(bots, &self.rounds);
        let won = swiss::games_won(bots, &self.rounds);
        let mut rows: Vec<_> = (0..bots).map(|bot| (bot, points[bot], won[bot])).collect();
        rows.sort_by(|a, b| (b.1, b.2).cmp(&(a.1, a.2)).then(self.names[a.0].cmp(&self.names[b.0])));
        rows
    }
}
