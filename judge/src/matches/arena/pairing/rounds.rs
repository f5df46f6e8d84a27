//! Meetings in rounds, of which each is drawn from the results of those before.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::ensure;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

use super::{PairedGame, knockout, swiss};
use crate::matches::arena::record::GameRecord;
use crate::matches::arena::round::{Round, RoundFormat};

/// The rounds of a run. In each of them each two bots that meet play equally many pairs, from the same starts.
#[derive(Debug)]
pub(crate) struct Rounds {
    format: RoundFormat,
    /// The bots in the order of the draw.
    draw: Vec<usize>,
    /// How many pairs each meeting has.
    pairs: u64,
    /// How many meetings each round has.
    meetings: Vec<usize>,
    state: Mutex<State>,
}

/// What the games show so far.
#[derive(Debug, Default)]
struct State {
    /// The results of all rounds that have ended.
    results: Vec<Vec<MeetingResult>>,
    /// Who meets in the round after these.
    next: Vec<[usize; 2]>,
    /// Games of rounds that have not ended, by their numbers.
    games: BTreeMap<u64, GameResult>,
}

/// What a round needs of a game.
#[derive(Clone, Copy, Debug)]
struct GameResult {
    seats: [usize; 2],
    first_won: bool,
    blunders: [u64; 2],
}

/// Where a game is in its round.
struct Place {
    round: usize,
    meeting: usize,
    /// The number of the pair in its meeting.
    pair: u64,
}

impl Rounds {
    pub(super) fn knockout(bots: usize, pairs: u32, seed: u64) -> Self {
        Self::new(RoundFormat::Knockout, bots, pairs, seed, knockout::rounds(bots))
    }

    pub(super) fn swiss(bots: usize, pairs: u32, seed: u64, rounds: u32) -> Self {
        let meetings = (0..rounds).map(|_| bots / 2).collect();
        Self::new(RoundFormat::Swiss, bots, pairs, seed, meetings)
    }

    fn new(format: RoundFormat, bots: usize, pairs: u32, seed: u64, meetings: Vec<usize>) -> Self {
        let draw = draw(bots, seed);
        let rounds = Self { format, draw, pairs: u64::from(pairs), meetings, state: Mutex::default() };
        let first = rounds.drawn(&[]);
        rounds.state().next = first;
        rounds
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The meetings of the round after these results.
    fn drawn(&self, results: &[Vec<MeetingResult>]) -> Vec<[usize; 2]> {
        match self.format {
            RoundFormat::Knockout => knockout::meetings(&knockout::left(&self.draw, results)),
            RoundFormat::Swiss => swiss::meetings(&self.draw, results),
        }
    }

    pub(super) fn words(&self) -> String {
        let Self { format, pairs, meetings, .. } = self;
        format!("{format:?} {} rounds of {pairs} pairs", meetings.len())
    }

    /// The number of the first game after `rounds` rounds.
    fn first_game(&self, rounds: usize) -> u64 {
        let meetings: usize = self.meetings.iter().take(rounds).sum();
        2 * self.pairs * meetings as u64
    }

    pub(super) fn games(&self) -> u64 {
        self.first_game(self.meetings.len())
    }

    pub(super) fn starts(&self) -> u64 {
        self.pairs * self.meetings.len() as u64
    }

    pub(super) fn ready(&self) -> u64 {
        let ended = self.state().results.len();
        self.first_game(ended + 1)
    }

    /// Where a game is; `None` if there is no such game.
    fn place(&self, index: u64) -> Option<Place> {
        let round = (0..self.meetings.len()).find(|&round| index < self.first_game(round + 1))?;
        let in_round = (index - self.first_game(round)) / 2;
        let meetings = self.meetings[round].max(1) as u64;
        Some(Place { round, meeting: usize::try_from(in_round % meetings).ok()?, pair: in_round / meetings })
    }

    pub(super) fn game(&self, index: u64) -> Option<PairedGame> {
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

    /// Adds the result of a game, and draws the next round when it was the last of one.
    ///
    /// # Errors
    ///
    /// If other bots were to play it.
    pub(super) fn add(&self, record: &GameRecord, seats: [usize; 2]) -> anyhow::Result<()> {
        let blunders = [&record.first, &record.second].map(|seat| seat.result.blunders());
        let result = GameResult { seats, first_won: record.first_won(), blunders };
        self.state().games.insert(record.index, result);
        while self.end_round()? {}
        Ok(())
    }

    /// Ends the round that is being played, if all of its games have been; whether it has ended.
    fn end_round(&self) -> anyhow::Result<bool> {
        let mut state = self.state();
        let round = state.results.len();
        let (first, end) = (self.first_game(round), self.first_game(round + 1));
        // Games of later rounds come only after these, unless a file has them in another order.
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
                "game {index} has other bots than those that the results before it give it"
            );
            meeting.add(game.seats, game.first_won, game.blunders);
        }
        state.results.push(results);
        if state.results.len() < self.meetings.len() {
            state.next = self.drawn(&state.results);
        }
        Ok(true)
    }
}

/// The numbers of the bots in the order in which they are drawn.
pub(super) fn draw(bots: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..bots).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    order
}

/// What two bots did in the games of their meeting. The first of them is the one that moves first in even games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MeetingResult {
    pub(crate) bots: [usize; 2],
    /// The games that each won.
    pub(crate) won: [u64; 2],
    /// The moves of each that gave a won position away.
    pub(crate) blunders: [u64; 2],
}

/// Why a bot won a meeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WonBy {
    Games,
    FewerBlunders,
    Draw,
}

impl MeetingResult {
    pub(crate) fn new(bots: [usize; 2]) -> Self {
        Self { bots, won: [0; 2], blunders: [0; 2] }
    }

    /// Adds a game: the bots in the order of their seats, whether the one that moved first won, and the blunders of each.
    pub(crate) fn add(&mut self, seats: [usize; 2], first_won: bool, blunders: [u64; 2]) {
        for (seat, (bot, blunders)) in seats.into_iter().zip(blunders).enumerate() {
            let side = usize::from(bot != self.bots[0]);
            self.won[side] += u64::from(first_won == (seat == 0));
            self.blunders[side] += blunders;
        }
    }

    /// Whether both won equally many games.
    pub(crate) fn is_even(&self) -> bool {
        self.won[0] == self.won[1]
    }

    /// The side of the bot that reaches the next round, 0 or 1, and why: it has won more games, or as many with fewer blunders, or it
    /// is the first by the draw.
    pub(crate) fn winner(&self) -> (usize, WonBy) {
        let key = |side: usize| (self.won[side], Reverse(self.blunders[side]));
        let side = usize::from(key(1) > key(0));
        let by = if !self.is_even() {
            WonBy::Games
        } else if self.blunders[0] != self.blunders[1] {
            WonBy::FewerBlunders
        } else {
            WonBy::Draw
        };
        (side, by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_games_then_fewer_blunders_then_the_draw() {
        let result = |won, blunders| MeetingResult { bots: [7, 3], won, blunders }.winner();
        assert_eq!(result([2, 4], [0, 9]), (1, WonBy::Games));
        assert_eq!(result([4, 2], [9, 0]), (0, WonBy::Games));
        assert_eq!(result([3, 3], [5, 4]), (1, WonBy::FewerBlunders));
        assert_eq!(result([3, 3], [4, 5]), (0, WonBy::FewerBlunders));
        assert_eq!(result([3, 3], [4, 4]), (0, WonBy::Draw));
    }

    #[test]
    fn games_are_counted_for_the_bots_in_either_seat() {
        let mut result = MeetingResult::new([7, 3]);
        result.add([7, 3], true, [1, 2]);
        result.add([3, 7], true, [0, 4]);
        result.add([3, 7], false, [8, 0]);
        assert_eq!((result.won, result.blunders), ([2, 1], [5, 10]));
    }
}
