//! The pairing of bots: fixed before the first game, or drawn round by round from the results of the earlier rounds.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::ensure;
use clap::ValueEnum;
use itertools::Itertools;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

use crate::matches::arena::record::GameRecord;
use crate::matches::arena::round::{MeetingResult, Round, RoundFormat};

pub(super) mod swiss;

/// Who plays whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Each bot against each other
    RoundRobin,
    /// The first bot against all others
    Gauntlet,
    /// The loser of each meeting is eliminated
    Knockout,
    /// In each round, bots with similar results meet; no two bots meet twice
    Swiss,
}

/// The players of each game. Games are numbered from 0. Games 2k and 2k+1 are a pair with the seats swapped.
pub(crate) trait Pairing: Debug + Send + Sync {
    /// Returns a text that identifies the pairing in the label of a run. Fixed pairings that differ only in the number
    /// of pairs have the same text, because the run with more pairs begins with the games of the run with fewer pairs.
    fn id(&self) -> String;

    /// Returns the number of games.
    fn games(&self) -> u64;

    /// Returns the number of starts. Each start is played in all meetings, or in all meetings of one round.
    fn starts(&self) -> u64;

    /// Returns the number of the first game whose players are not known yet.
    fn ready(&self) -> u64 {
        self.games()
    }

    /// Returns the players of a game; `None` if they are not known yet.
    fn game(&self, index: u64) -> Option<PairedGame>;

    /// Adds the result of a game between the bots `seats`. Results may be added in any order. Fails if the pairing has
    /// other bots for the game.
    fn add(&self, _record: &GameRecord, _seats: [usize; 2]) -> anyhow::Result<()> {
        Ok(())
    }
}

/// Creates the pairing of `bots` bots. Two bots that meet play `pairs` pairs of games. Formats with rounds draw the
/// order of the bots from `seed`. `rounds` is only for [`Format::Swiss`].
pub(crate) fn pairing(
    format: Format,
    bots: usize,
    pairs: u32,
    seed: u64,
    rounds: Option<u32>,
) -> anyhow::Result<Box<dyn Pairing>> {
    ensure!(
        rounds.is_none() || format == Format::Swiss,
        "--rounds needs --format swiss: the other formats set their own number of rounds"
    );
    let fixed = |name, meetings| FixedMeetings { name, meetings, pairs: u64::from(pairs) };
    Ok(match format {
        Format::RoundRobin => Box::new(fixed("round-robin", (0..bots).tuple_combinations().collect())),
        Format::Gauntlet => Box::new(fixed("gauntlet", (1..bots).map(|other| (0, other)).collect())),
        Format::Knockout => Box::new(Rounds::knockout(bots, pairs, seed)),
        Format::Swiss => {
            let (default, max_rounds) = (swiss::default_rounds(bots), swiss::max_rounds(bots));
            let rounds = rounds.unwrap_or(default);
            ensure!(
                rounds <= max_rounds,
                "expected at most {max_rounds} rounds for {bots} bots, because no two may meet twice, got --rounds \
                 {rounds}: to let each bot meet all others, use --format round-robin"
            );
            Box::new(Rounds::swiss(bots, pairs, seed, rounds))
        }
    })
}

/// Meetings that are fixed before the first game, each with the same number of pairs. A run with more pairs begins with
/// the games of a run with fewer pairs.
#[derive(Debug)]
struct FixedMeetings {
    name: &'static str,
    meetings: Vec<(usize, usize)>,
    pairs: u64,
}

impl Pairing for FixedMeetings {
    fn id(&self) -> String {
        self.name.to_owned()
    }

    fn games(&self) -> u64 {
        2 * self.pairs * self.meetings.len() as u64
    }

    fn starts(&self) -> u64 {
        self.pairs
    }

    fn game(&self, index: u64) -> Option<PairedGame> {
        let count = self.meetings.len().max(1) as u64;
        let meeting = usize::try_from(index / 2 % count).ok()?;
        let &(a, b) = self.meetings.get(meeting)?;
        let seats = if index.is_multiple_of(2) { [a, b] } else { [b, a] };
        Some(PairedGame { seats, start: index / 2 / count, round: None })
    }
}

/// The rounds of a run. All meetings of a round have the same number of pairs, from the same starts.
#[derive(Debug)]
pub(crate) struct Rounds {
    format: RoundFormat,
    /// The bots in the order of the draw.
    draw: Vec<usize>,
    /// The number of pairs of each meeting.
    pairs: u64,
    /// The number of meetings of each round.
    meetings: Vec<usize>,
    state: Mutex<State>,
}

/// The results of the games so far.
#[derive(Debug, Default)]
struct State {
    /// The results of all rounds that have ended.
    results: Vec<Vec<MeetingResult>>,
    /// The meetings of the round after `results`.
    next: Vec<[usize; 2]>,
    /// The games of rounds that have not ended, by their numbers.
    games: BTreeMap<u64, GameResult>,
}

/// The data of a game that its round needs.
#[derive(Clone, Copy, Debug)]
struct GameResult {
    seats: [usize; 2],
    first_won: bool,
    blunders: [u64; 2],
}

/// The players of a game, and its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PairedGame {
    /// The bot that moves first and its opponent, as indexes of entrants.
    pub(crate) seats: [usize; 2],
    /// The number of the start.
    pub(crate) start: u64,
    pub(crate) round: Option<Round>,
}

/// The place of a game: its round, and its meeting and pair in that round.
struct Place {
    round: usize,
    meeting: usize,
    /// The number of the pair in its meeting.
    pair: u64,
}

impl Rounds {
    pub(super) fn knockout(bots: usize, pairs: u32, seed: u64) -> Self {
        Self::new(RoundFormat::Knockout, bots, pairs, seed, knockout_rounds(bots))
    }

    pub(super) fn swiss(bots: usize, pairs: u32, seed: u64, rounds: u32) -> Self {
        let meetings = (0..rounds).map(|_| bots / 2).collect();
        Self::new(RoundFormat::Swiss, bots, pairs, seed, meetings)
    }

    fn new(format: RoundFormat, bots: usize, pairs: u32, seed: u64, meetings: Vec<usize>) -> Self {
        let draw = draw(bots, seed);
        let rounds = Self { format, draw, pairs: u64::from(pairs), meetings, state: Mutex::default() };
        let first = rounds.next_meetings(&[]);
        rounds.state().next = first;
        rounds
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the meetings of the round after `results`.
    fn next_meetings(&self, results: &[Vec<MeetingResult>]) -> Vec<[usize; 2]> {
        match self.format {
            RoundFormat::Knockout => knockout_meetings(&remaining(&self.draw, results)),
            RoundFormat::Swiss => swiss::meetings(&self.draw, results),
        }
    }

    /// Returns the number of the first game after `rounds` rounds.
    fn first_game(&self, rounds: usize) -> u64 {
        let meetings: usize = self.meetings.iter().take(rounds).sum();
        2 * self.pairs * meetings as u64
    }

    /// Returns the place of a game; `None` if there is no such game.
    fn place(&self, index: u64) -> Option<Place> {
        let round = (0..self.meetings.len()).find(|&round| index < self.first_game(round + 1))?;
        let in_round = (index - self.first_game(round)) / 2;
        let meetings = self.meetings[round].max(1) as u64;
        Some(Place { round, meeting: usize::try_from(in_round % meetings).ok()?, pair: in_round / meetings })
    }

    /// Ends the current round if all of its games have been played. Returns whether the round has ended.
    fn end_round(&self) -> anyhow::Result<bool> {
        let mut state = self.state();
        let round = state.results.len();
        let (first, end) = (self.first_game(round), self.first_game(round + 1));
        // Compare the length of `games` first, because it needs no iteration. The length includes games of later
        // rounds, which a file may list first, so the next check counts only the games of this round.
        if first == end || (state.games.len() as u64) < end - first {
            return Ok(false);
        }
        if state.games.range(first..end).count() as u64 != end - first {
            return Ok(false);
        }
        let later = state.games.split_off(&end);
        let mut results: Vec<MeetingResult> = state.next.iter().copied().map(MeetingResult::new).collect();
        for (index, game) in std::mem::replace(&mut state.games, later) {
            let Some(place) = self.place(index).filter(|place| place.round == round) else { continue };
            let meeting = &mut results[place.meeting];
            let [a, b] = meeting.bots;
            let expected = if index.is_multiple_of(2) { [a, b] } else { [b, a] };
            ensure!(
                game.seats == expected,
                "game {index} has other bots than the results of the earlier rounds require"
            );
            meeting.add(game.seats, game.first_won, game.blunders);
        }
        state.results.push(results);
        if state.results.len() < self.meetings.len() {
            state.next = self.next_meetings(&state.results);
        }
        Ok(true)
    }
}

impl Pairing for Rounds {
    fn id(&self) -> String {
        let Self { format, pairs, meetings, .. } = self;
        format!("{format:?} {} rounds of {pairs} pairs", meetings.len())
    }

    fn games(&self) -> u64 {
        self.first_game(self.meetings.len())
    }

    fn starts(&self) -> u64 {
        self.pairs * self.meetings.len() as u64
    }

    fn ready(&self) -> u64 {
        let ended = self.state().results.len();
        self.first_game(ended + 1)
    }

    fn game(&self, index: u64) -> Option<PairedGame> {
        let Place { round, meeting, pair } = self.place(index)?;
        let state = self.state();
        let [a, b] = match state.results.get(round) {
            Some(results) => results.get(meeting)?.bots,
            None if round == state.results.len() => *state.next.get(meeting)?,
            None => return None,
        };
        let seats = if index.is_multiple_of(2) { [a, b] } else { [b, a] };
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let label = Round { format: self.format, number: count(round + 1), of: count(self.meetings.len()) };
        Some(PairedGame { seats, start: round as u64 * self.pairs + pair, round: Some(label) })
    }

    fn add(&self, record: &GameRecord, seats: [usize; 2]) -> anyhow::Result<()> {
        let blunders = [&record.first, &record.second].map(|seat| seat.result.blunders());
        let result = GameResult { seats, first_won: record.first_won(), blunders };
        self.state().games.insert(record.index, result);
        while self.end_round()? {}
        Ok(())
    }
}

/// Returns the number of meetings of each round of a knockout. The last round has one meeting.
fn knockout_rounds(bots: usize) -> Vec<usize> {
    let mut remaining = bots;
    let mut meetings = Vec::new();
    while remaining > 1 {
        meetings.push(remaining - remaining.next_power_of_two() / 2);
        remaining = remaining.next_power_of_two() / 2;
    }
    meetings
}

/// Returns the meetings of the next round of a knockout. `remaining` has the bots that have lost no meeting, in the
/// order of the draw. If their number is not a power of two, the first bots get a bye. Of the others, the first meets
/// the last, the second meets the last but one, and so on.
fn knockout_meetings(remaining: &[usize]) -> Vec<[usize; 2]> {
    let byes = remaining.len().next_power_of_two() - remaining.len();
    let playing = &remaining[byes..];
    let half = playing.len() / 2;
    playing[..half].iter().zip(playing.iter().rev()).map(|(&a, &b)| [a, b]).collect()
}

/// Returns the bots that have lost no meeting of a knockout, in the order of the draw.
fn remaining(draw: &[usize], results: &[Vec<MeetingResult>]) -> Vec<usize> {
    let loser = |result: &MeetingResult| result.bots[1 - result.winner().0];
    let out: Vec<usize> = results.iter().flatten().map(loser).collect();
    draw.iter().copied().filter(|bot| !out.contains(bot)).collect()
}

/// Returns the numbers of the bots in a random order that depends only on `seed`.
pub(super) fn draw(bots: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..bots).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With 2 to 69 bots, one bot wins all its meetings, and there is one meeting fewer than there are bots.
    #[test]
    fn a_knockout_has_one_winner() {
        for bots in 2..70 {
            let draw: Vec<usize> = (0..bots).rev().collect();
            let mut results: Vec<Vec<MeetingResult>> = Vec::new();
            for count in knockout_rounds(bots) {
                let playing = knockout_meetings(&remaining(&draw, &results));
                assert_eq!(playing.len(), count, "{bots} bots");
                let result = |bots: [usize; 2]| {
                    let won = if (bots[0] + bots[1]).is_multiple_of(3) { [1, 3] } else { [3, 1] };
                    MeetingResult { won, ..MeetingResult::new(bots) }
                };
                results.push(playing.into_iter().map(result).collect());
            }
            assert_eq!(remaining(&draw, &results).len(), 1);
            assert_eq!(results.iter().flatten().count(), bots - 1);
            assert_eq!(results.last().unwrap().len(), 1);
        }
    }

    #[test]
    fn first_bots_of_the_draw_get_byes() {
        assert_eq!(knockout_meetings(&[5, 6, 7, 8, 9]), [[8, 9]]);
        assert_eq!(knockout_meetings(&[5, 6, 7, 8]), [[5, 8], [6, 7]]);
        assert_eq!(knockout_rounds(5), [1, 2, 1]);
        assert_eq!(knockout_rounds(64), [32, 16, 8, 4, 2, 1]);
    }
}
