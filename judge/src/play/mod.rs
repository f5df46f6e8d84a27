//! Games for people. [`GameInPlay`] prints nothing; the other modules show it at the terminal.

pub(crate) mod board;
pub(crate) mod dialogue;
pub(crate) mod game_steps;
pub(crate) mod terminal;
pub(crate) mod terminal_game;

use anyhow::Context;
use clap::ValueEnum;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use zeroxor::grundy::TooLarge;
use zeroxor::{IllegalMove, Move, Player, Position, Side, Solver};

use crate::play::dialogue::{Dialogue, describe_heap, player_name};
use crate::referee::game::exchange::side_to_move;
use crate::referee::game::opponent::random_move;
use crate::referee::game::review::{Blunder, Choice, Review};

pub(crate) struct GameInPlay {
    start: Position,
    /// Keeps the position, and finds winning moves for the bot and for hints.
    player: Player,
    moves: Vec<Move>,
    pub(crate) is_resigned: bool,
    /// `None` if two people play.
    pub(crate) bot: Option<BotPlayer>,
}

impl GameInPlay {
    pub(crate) fn new(start: Position, bot: Option<BotPlayer>) -> Self {
        let player = Player::new(start.clone());
        let mut game = Self { start, player, moves: Vec::new(), is_resigned: false, bot };
        game.set_position();
        game
    }

    pub(crate) fn position(&self) -> &Position {
        self.player.position()
    }

    pub(crate) fn last_move(&self) -> Option<Move> {
        self.moves.last().copied()
    }

    pub(crate) fn bot_side(&self) -> Option<Side> {
        self.bot.as_ref().map(|bot| bot.side)
    }

    pub(crate) fn side_to_move(&self) -> Side {
        side_to_move(self.moves.len() as u64 + 1)
    }

    pub(crate) fn loser(&self) -> Option<Side> {
        let to_move = self.side_to_move();
        match self.position().is_over() {
            _ if self.is_resigned => Some(to_move),
            true if self.position().is_misere() => Some(to_move.other()),
            is_over => is_over.then_some(to_move),
        }
    }

    /// Makes a person's move. An illegal move changes nothing.
    pub(crate) fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.player.opponent_played(mv)?;
        self.moves.push(mv);
        Ok(())
    }

    /// Makes the bot's move. If the winner cannot be computed, makes a delaying move and returns the reason.
    pub(crate) fn play_bot(&mut self) -> anyhow::Result<(Move, Option<TooLarge>)> {
        let bot = self.bot.as_mut().context("there is no bot")?;
        let (chosen, unsolved) = match bot.choose(&mut self.player) {
            Ok(chosen) => (chosen, None),
            Err(error) => (self.player.delaying_move(), Some(error)),
        };
        let mv = chosen.context("the bot found no move")?;
        self.player.play(mv)?;
        self.moves.push(mv);
        Ok((mv, unsolved))
    }

    /// Takes back a resignation, or else a person's last move and the bot's reply. Returns these moves.
    pub(crate) fn undo(&mut self) -> Option<Vec<Move>> {
        if std::mem::take(&mut self.is_resigned) {
            return Some(Vec::new());
        }
        let plies = if self.bot_side() == Some(self.side_to_move().other()) { 2 } else { 1 };
        let taken_back = self.moves.split_off(self.moves.len().checked_sub(plies)?);
        self.set_position();
        Some(taken_back)
    }

    pub(crate) fn restart(&mut self) {
        self.moves.clear();
        self.is_resigned = false;
        self.set_position();
    }

    /// Sets the player to the position after the moves so far. If a person is to move, also computes who wins: if the bot
    /// wins, it can later answer a move in one of two equal heaps by the same move in the other heap.
    fn set_position(&mut self) {
        // The game keeps moves and not positions, because a copy of a large position for each move could need too much
        // memory.
        let mut position = self.start.clone();
        let _ = self.moves.iter().try_for_each(|&mv| position.play(mv));
        self.player.set_position(position);
        if self.bot_side().is_some_and(|bot| bot != self.side_to_move()) {
            // If the tables would be too large, the bot reports the error in its turn.
            let _ = self.player.winning_side();
        }
    }

    /// Returns the texts of a hint. Each says more than the previous one: whether the position is won, in which heap, and
    /// by which move. The heap is left out if no other heap has moves.
    pub(crate) fn hints(&mut self, dialogue: Dialogue) -> Result<Vec<String>, TooLarge> {
        let Some(mv) = self.player.winning_move()? else {
            return Ok(vec!["no move wins against perfect play.".to_owned()]);
        };
        let heap = self.position().live_heaps().filter(|heap| heap.place <= mv.place).last();
        let heap = heap.filter(|_| self.position().live_heaps().nth(1).is_some());
        let won = |what| format!("a move wins from here. Type hint again to see {what}.");
        let last = format!("{} wins.", dialogue.format_move(mv));
        Ok(match heap.map(|heap| describe_heap(&heap)) {
            Some(heap) => {
                vec![won("where"), format!("a move in {heap} wins. Type hint again to see it."), last]
            }
            None => vec![won("it"), last],
        })
    }

    /// Describes why `loser` has lost: by resigning although a move wins the position, by the last blunder, after which the
    /// other player kept the win, or from the start.
    pub(crate) fn describe_loss(&mut self, loser: Side, dialogue: Dialogue) -> Result<String, TooLarge> {
        let (name, whose) = match self.bot_side() {
            None => (player_name(loser), format!("{}'s", player_name(loser))),
            Some(bot) if bot == loser => ("The bot", "the bot's".to_owned()),
            Some(_) => ("You", "your".to_owned()),
        };
        let winning = if self.is_resigned { self.player.winning_move()? } else { None };
        if let Some(mv) = winning {
            return Ok(format!("{name} could have won: {} was a winning move.", dialogue.format_move(mv)));
        }
        let review = Review::of(&self.start, loser, false, &self.moves, &mut Solver::new())?;
        if let Some(Blunder { ply, choice: Choice::Move(mv), better, .. }) = review.blunders.last() {
            let (mv, better) = (dialogue.format_move(*mv), better.map(|mv| dialogue.format_move(mv)));
            let kept = better.map_or_else(String::new, |better| format!("; {better} would have kept it"));
            return Ok(format!("Move {ply} ({mv}) threw {whose} win away{kept}."));
        }
        let order = loser.to_string().to_lowercase();
        Ok(format!("{name} made no mistake: whoever moves {order} loses this game against perfect play."))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Level {
    /// A random legal move
    Easy,
    /// The best move two times out of three, else a random legal move
    Normal,
    /// Wins whenever it can; from a lost position, plays the best delaying move
    Perfect,
}

/// A bot that plays against a person. The same seed gives the same choices.
pub(crate) struct BotPlayer {
    pub(crate) side: Side,
    pub(crate) level: Level,
    rng: ChaCha8Rng,
}

impl BotPlayer {
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

    fn game(header: &str, bot: Option<Side>) -> GameInPlay {
        let start = Position::new(&header.parse().unwrap()).unwrap();
        GameInPlay::new(start, bot.map(|side| BotPlayer::new(side, Level::Perfect, 1)))
    }

    fn take(take: u64) -> Move {
        Move { place: 1, take }
    }

    #[test]
    fn the_end_can_be_taken_back() {
        // If the person loses, the move and the bot's reply are taken back. If the person wins, only the move.
        let mut lost = game("square 2", Some(Side::Second));
        lost.play(take(1)).unwrap();
        lost.play_bot().unwrap();
        assert_eq!(lost.loser(), Some(Side::First));
        assert_eq!(lost.undo(), Some(vec![take(1), take(1)]));
        let mut won = game("square 1", Some(Side::Second));
        won.play(take(1)).unwrap();
        assert_eq!(won.loser(), Some(Side::Second));
        assert_eq!(won.undo(), Some(vec![take(1)]));
        assert_eq!((won.loser(), won.undo()), (None, None));
    }

    #[test]
    fn the_last_move_loses_in_misere_play() {
        let mut game = game("misere nim 2", None);
        game.play(take(2)).unwrap();
        assert_eq!(game.loser(), Some(Side::First));
        let loss = game.describe_loss(Side::First, Dialogue::Board { width: 80 }).unwrap();
        assert_eq!(loss, "Move 1 (1 2) threw Player 1's win away; 1 1 would have kept it.");
        game.undo();
        game.is_resigned = true;
        assert_eq!(game.loser(), Some(Side::First));
    }

    #[test]
    fn undo_of_a_resignation_keeps_the_moves() {
        let mut game = game("square 20", None);
        game.play(take(9)).unwrap();
        game.is_resigned = true;
        assert_eq!(game.loser(), Some(Side::Second));
        assert_eq!(game.undo(), Some(vec![]));
        assert_eq!((game.loser(), game.last_move()), (None, Some(take(9))));
    }

    /// Returns whether the first of two levels wins as First.
    fn wins(header: &str, levels: [Level; 2], seed: u64) -> bool {
        let start = Position::new(&header.parse().unwrap()).unwrap();
        let mut players = [Player::new(start.clone()), Player::new(start)];
        let mut bots = levels.map(|level| BotPlayer::new(Side::First, level, seed));
        for mover in [0, 1].into_iter().cycle() {
            let Some(mv) = bots[mover].choose(&mut players[mover]).unwrap() else { return mover == 1 };
            players[mover].play(mv).unwrap();
            players[1 - mover].opponent_played(mv).unwrap();
        }
        unreachable!("a game ends")
    }

    #[test]
    fn each_level_is_stronger_than_the_one_below() {
        for header in ["square 30", "20 1 3", "nim 3 5 7"] {
            let won = |levels| (0..100).filter(|&seed| wins(header, levels, seed)).count();
            assert!(won([Level::Normal, Level::Easy]) > 60, "{header}");
            assert!(won([Level::Easy, Level::Normal]) < 40, "{header}");
            assert!(won([Level::Perfect, Level::Normal]) > won([Level::Normal, Level::Perfect]), "{header}");
        }
    }
}
