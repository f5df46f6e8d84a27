//! Rounds and their meetings: the round of a game, and the result of a meeting of two bots.

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
    /// The number of the round, counted from 1.
    pub(crate) number: u32,
    /// The number of rounds.
    pub(crate) of: u32,
}

/// The results of two bots in the games of their meeting. The first bot moves first in games with even numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MeetingResult {
    pub(crate) bots: [usize; 2],
    /// The number of games that each bot won.
    pub(crate) won: [u64; 2],
    /// The number of moves of each bot that gave a won position away.
    pub(crate) blunders: [u64; 2],
}

/// The reason why a bot won a meeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WonBy {
    Games,
    FewerBlunders,
    /// The bot comes first in the order of the draw.
    Draw,
}

impl MeetingResult {
    pub(crate) fn new(bots: [usize; 2]) -> Self {
        Self { bots, won: [0; 2], blunders: [0; 2] }
    }

    /// Adds a game. `seats` has the bots in the order of their seats. `first_won` is whether the bot that moved first
    /// won. `blunders` has the number of blunders of each seat.
    pub(crate) fn add(&mut self, seats: [usize; 2], first_won: bool, blunders: [u64; 2]) {
        for (seat, (bot, blunders)) in seats.into_iter().zip(blunders).enumerate() {
            let side = usize::from(bot != self.bots[0]);
            self.won[side] += u64::from(first_won == (seat == 0));
            self.blunders[side] += blunders;
        }
    }

    /// Returns whether both bots won the same number of games.
    pub(crate) fn is_even(&self) -> bool {
        self.won[0] == self.won[1]
    }

    /// Returns the index, 0 or 1, of the bot that reaches the next round, and the reason: the bot won more games; or
    /// both won the same number, and the bot made fewer blunders; or blunders are equal too, and the bot comes first in
    /// the draw.
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
    fn winner_by_games_then_blunders_then_draw() {
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
