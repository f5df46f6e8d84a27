//! Rounds: which one a game belongs to, and what the meetings of each round have as results.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::games::Games;
use super::pairing::rounds::MeetingResult;
use super::pairing::swiss;

/// A format that is played in rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RoundFormat {
    Knockout,
    Swiss,
}

/// The round of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Round {
    pub(crate) format: RoundFormat,
    /// Its number, from 1.
    pub(crate) number: u32,
    /// How many rounds there are.
    pub(crate) of: u32,
}

/// The meetings of each round, with the bots by their numbers.
#[derive(Debug)]
pub(super) struct RoundResults {
    pub(super) last: Round,
    /// By the number of the round from 1, each in the order of its meetings.
    pub(super) rounds: Vec<Vec<MeetingResult>>,
    /// The names of the bots.
    pub(super) names: Vec<String>,
}

impl RoundResults {
    /// The rounds of these games; `None` if they have none, or come from several runs.
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

    /// The bot that won a knockout, by its number, once the last meeting has been played.
    pub(super) fn winner(&self) -> Option<usize> {
        let games = |meeting: &MeetingResult| meeting.won[0] + meeting.won[1];
        let most = self.rounds.iter().flatten().map(games).max()?;
        let last = self.rounds.last()?.first().filter(|last| games(last) == most)?;
        let is_over = self.last.format == RoundFormat::Knockout && self.last.number == self.last.of;
        is_over.then(|| last.bots[last.winner().0])
    }

    /// Of a Swiss tournament the bots by their numbers, with their points and the games that they won, the best first.
    pub(super) fn points(&self) -> Vec<(usize, u64, u64)> {
        let bots = self.names.len();
        let points = swiss::points(bots, &self.rounds);
        let won = swiss::games_won(bots, &self.rounds);
        let mut rows: Vec<_> = (0..bots).map(|bot| (bot, points[bot], won[bot])).collect();
        rows.sort_by(|a, b| (b.1, b.2).cmp(&(a.1, a.2)).then(self.names[a.0].cmp(&self.names[b.0])));
        rows
    }
}
