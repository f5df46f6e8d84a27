//! The bot that a person plays against, and its levels.

use std::fmt;

use clap::ValueEnum;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use zeroxor::grundy::TooLarge;
use zeroxor::{Move, Player, Side};

use crate::referee::game::opponent::random_move;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Level {
    /// A random legal move
    Easy,
    /// The best move two times out of three, else a random legal move
    Normal,
    /// Wins whenever it can; from a lost position, plays the best delaying move
    Perfect,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_possible_value().map_or(Ok(()), |value| f.write_str(value.get_name()))
    }
}

/// A bot that plays against a person. The same seed gives the same choices.
pub(crate) struct Bot {
    pub(crate) side: Side,
    pub(crate) level: Level,
    rng: ChaCha8Rng,
}

impl Bot {
    pub(crate) fn new(side: Side, level: Level, seed: u64) -> Self {
        Self { side, level, rng: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// Chooses a move for the player to move; returns `None` if there is none.
    pub(crate) fn choose(&mut self, player: &mut Player) -> Result<Option<Move>, TooLarge> {
        let is_careless = match self.level {
            Level::Easy => true,
            Level::Normal => self.rng.random_ratio(1, 3),
            Level::Perfect => false,
        };
        if is_careless {
            return Ok(random_move(player.position(), &mut self.rng));
        }
        Ok(player.winning_move()?.or_else(|| player.delaying_move()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zeroxor::Position;

    /// Returns whether the first of two levels wins as First.
    fn wins(header: &str, levels: [Level; 2], seed: u64) -> bool {
        let start = Position::new(&header.parse().unwrap()).unwrap();
        let mut players = [Player::new(start.clone()), Player::new(start)];
        let mut bots = levels.map(|level| Bot::new(Side::First, level, seed));
        for mover in [0, 1].into_iter().cycle() {
            let Some(mv) = bots[mover].choose(&mut players[mover]).unwrap() else { return mover == 1 };
            players[mover].play(mv).unwrap();
            players[1 - mover].opponent_played(mv).unwrap();
        }
        unreachable!("a game ends")
    }

    /// Returns how many of a hundred games the first level wins as First.
    fn wins_of_100(header: &str, levels: [Level; 2]) -> usize {
        (0..100).filter(|&seed| wins(header, levels, seed)).count()
    }

    #[test]
    fn each_level_is_stronger_than_the_one_below() {
        for header in ["square 30", "20 1 3", "nim 3 5 7"] {
            let won = |levels| wins_of_100(header, levels);
            assert!(won([Level::Normal, Level::Easy]) > 60, "{header}");
            assert!(won([Level::Easy, Level::Normal]) < 40, "{header}");
            assert!(won([Level::Perfect, Level::Normal]) > won([Level::Normal, Level::Perfect]), "{header}");
        }
    }
}
