//! Rounds and their meetings: which round a game belongs to, and what a meeting of two bots has as its result.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

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
