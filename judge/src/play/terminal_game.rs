//! A game that people play at the terminal, against each other or against the bot.

use std::io::{BufRead, Write};
use std::ops::ControlFlow;

use anyhow::Context;
use itertools::Itertools;
use zeroxor::{IllegalMove, Move, Player, Position, Side};

use super::dialogue::Dialogue;
use super::terminal::{HEADING, PLAIN, REFUSAL, Terminal, VICTORY};
use super::typed_command::{self, TypedCommand};

/// A game at the terminal.
pub(crate) struct TerminalGame<'a, R, W> {
    terminal: &'a mut Terminal<R, W>,
    dialogue: &'a dyn Dialogue,
    start: Position,
    player: Player,
    moves: Vec<Move>,
    /// The bot's side; `None` if two people play.
    bot: Option<Side>,
}

/// The name of a side.
fn player_name(side: Side) -> &'static str {
    match side {
        Side::First => "Player 1",
        Side::Second => "Player 2",
    }
}

/// The other side.
pub(crate) fn other(side: Side) -> Side {
    match side {
        Side::First => Side::Second,
        Side::Second => Side::First,
    }
}

impl<'a, R: BufRead, W: Write> TerminalGame<'a, R, W> {
    pub(crate) fn new(
        terminal: &'a mut Terminal<R, W>,
        dialogue: &'a dyn Dialogue,
        start: Position,
        bot: Option<Side>,
    ) -> Self {
        let player = Player::new(start.clone());
        let mut game = Self { terminal, dialogue, start, player, moves: Vec::new(), bot };
        game.note_won_position();
        game
    }

    /// Plays until the game or the input ends.
    pub(crate) fn play(mut self) -> anyhow::Result<()> {
        if let Some(bot) = self.bot {
            let (you, bot) = (player_name(other(bot)), player_name(bot));
            self.terminal
                .say(PLAIN, format_args!("You are {you}, the bot is {bot}. Type help for the commands."))?;
        }
        while !self.position().is_over() {
            self.terminal.say(HEADING, format_args!("{}'s turn.", player_name(self.to_move())))?;
            if self.bot == Some(self.to_move()) {
                self.bot_turn()?;
            } else if self.person_turn()?.is_break() {
                return Ok(());
            }
        }
        let loser = self.to_move();
        if let Some(reason) = self.dialogue.describe_loss(player_name(loser), self.position()) {
            self.terminal.say(PLAIN, reason)?;
        }
        self.announce_winner(loser)
    }

    fn position(&self) -> &Position {
        self.player.position()
    }

    /// Lets the player find out whether the bot has won the position in which the person is to move. Then it can answer
    /// a move in one of two equal heaps by the same move in the other.
    fn note_won_position(&mut self) {
        if self.bot.is_some_and(|bot| bot != self.to_move()) {
            // If the tables would be too large, the bot's turn reports it.
            let _ = self.player.winning_side();
        }
    }

    fn to_move(&self) -> Side {
        if self.moves.len().is_multiple_of(2) { Side::First } else { Side::Second }
    }

    /// Announces the winner.
    fn announce_winner(&mut self, loser: Side) -> anyhow::Result<()> {
        self.terminal.say(VICTORY, format_args!("{} wins!", player_name(other(loser))))
    }

    fn bot_turn(&mut self) -> anyhow::Result<()> {
        let winning = match self.player.winning_move() {
            Ok(winning) => winning,
            Err(error) => {
                let problem = "The bot cannot compute who wins, and plays on without knowing it";
                self.terminal.say(REFUSAL, format_args!("{problem}: {error}."))?;
                None
            }
        };
        let mv = winning.or_else(|| self.player.delaying_move()).context("the bot found no move")?;
        self.player.play(mv)?;
        self.add_move(mv)
    }

    /// Asks the person until a move is made or taken back. Breaks if the person ends the game.
    fn person_turn(&mut self) -> anyhow::Result<ControlFlow<()>> {
        let dialogue = self.dialogue;
        self.terminal.say(PLAIN, dialogue.describe_position(self.position(), self.moves.last().copied()))?;
        loop {
            let read = |line: &[u8]| typed_command::parse(line, dialogue);
            let Some(command) = self.terminal.ask(dialogue.prompt(), dialogue.expected_input(), read)? else {
                return Ok(ControlFlow::Break(()));
            };
            match command {
                TypedCommand::Move(mv) if self.try_move(mv)? => return Ok(ControlFlow::Continue(())),
                TypedCommand::Undo if self.undo()? => return Ok(ControlFlow::Continue(())),
                // The move or undo was refused.
                TypedCommand::Move(_) | TypedCommand::Undo => {}
                TypedCommand::Hint => self.hint()?,
                TypedCommand::Moves => {
                    self.terminal
                        .say(PLAIN, format_args!("Legal moves: {}", dialogue.list_moves(self.position())))?;
                }
                TypedCommand::Help => self.terminal.say(PLAIN, typed_command::help(dialogue))?,
                TypedCommand::Resign => return self.resign().map(ControlFlow::Break),
                TypedCommand::Quit => return self.terminal.goodbye().map(ControlFlow::Break),
            }
        }
    }

    /// Makes a person's move if it is legal; whether it is.
    fn try_move(&mut self, mv: Move) -> anyhow::Result<bool> {
        if let Err(IllegalMove { rule, .. }) = self.player.opponent_played(mv) {
            let typed = self.dialogue.format_move(mv);
            self.terminal.say(REFUSAL, format_args!("{typed} is not a legal move: {rule}."))?;
            return Ok(false);
        }
        self.add_move(mv)?;
        Ok(true)
    }

    /// Adds a move that the player has made, and shows it.
    fn add_move(&mut self, mv: Move) -> anyhow::Result<()> {
        let description = self.dialogue.describe_move(player_name(self.to_move()), mv, self.position());
        self.moves.push(mv);
        self.terminal.say(PLAIN, description)
    }

    /// Takes back the last move of a person; whether there was one.
    fn undo(&mut self) -> anyhow::Result<bool> {
        let plies = if self.bot.is_some() { 2 } else { 1 };
        let Some(left) = self.moves.len().checked_sub(plies) else {
            self.terminal.say(REFUSAL, "There is no move to take back.")?;
            return Ok(false);
        };
        let taken_back = self.moves.split_off(left);
        // Only moves are kept, because a copy of a large position for each move could need too much memory.
        let mut position = self.start.clone();
        self.moves.iter().try_for_each(|&mv| position.play(mv))?;
        self.player.set_position(position);
        self.note_won_position();
        let typed = taken_back.into_iter().map(|mv| self.dialogue.format_move(mv)).join(", ");
        self.terminal.say(PLAIN, format_args!("Taken back: {typed}."))?;
        Ok(true)
    }

    fn hint(&mut self) -> anyhow::Result<()> {
        match self.player.winning_move() {
            Ok(Some(mv)) => {
                let typed = self.dialogue.format_move(mv);
                self.terminal.say(PLAIN, format_args!("Hint: {typed} wins."))
            }
            Ok(None) => self.terminal.say(PLAIN, "Hint: no move wins against perfect play."),
            Err(error) => self
                .terminal
                .say(REFUSAL, format_args!("Hint: the winning move cannot be computed: {error}.")),
        }
    }

    fn resign(&mut self) -> anyhow::Result<()> {
        let loser = self.to_move();
        self.terminal.say(PLAIN, format_args!("{} resigns.", player_name(loser)))?;
        self.announce_winner(loser)
    }
}
