//! A game that people play, against each other or against the bot.

use std::io::{BufRead, Write};
use std::ops::ControlFlow;

use anyhow::Context;
use itertools::Itertools;
use zeroxor::{IllegalMove, Move, Player, Position, Side};

pub(crate) mod board;
pub(crate) mod classic;
mod command;
pub(crate) mod dialogue;
mod stretch;
pub(crate) mod terminal;

use command::Command;
use dialogue::Dialogue;
use terminal::{HEADING, PLAIN, REFUSAL, Terminal, VICTORY};

/// A game in play.
pub(crate) struct Play<'a, R, W> {
    terminal: &'a mut Terminal<R, W>,
    dialogue: &'a dyn Dialogue,
    start: Position,
    player: Player,
    moves: Vec<Move>,
    /// The side of the bot, if it plays.
    bot: Option<Side>,
}

fn player(side: Side) -> &'static str {
    match side {
        Side::First => "Player 1",
        Side::Second => "Player 2",
    }
}

pub(crate) fn other(side: Side) -> Side {
    match side {
        Side::First => Side::Second,
        Side::Second => Side::First,
    }
}

impl<'a, R: BufRead, W: Write> Play<'a, R, W> {
    pub(crate) fn new(
        terminal: &'a mut Terminal<R, W>,
        dialogue: &'a dyn Dialogue,
        table: Position,
        bot: Option<Side>,
    ) -> Self {
        let player = Player::new(table.clone());
        let mut play = Self { terminal, dialogue, start: table, player, moves: Vec::new(), bot };
        play.look_for_a_held_win();
        play
    }

    /// Plays to the end of the game, or of the input.
    pub(crate) fn play(mut self) -> anyhow::Result<()> {
        if let Some(bot) = self.bot {
            let (you, bot) = (player(other(bot)), player(bot));
            self.terminal
                .say(PLAIN, format_args!("You are {you}, the bot is {bot}. Type help for the commands."))?;
        }
        while !self.position().is_over() {
            self.terminal.say(HEADING, format_args!("{}'s turn.", player(self.to_move())))?;
            if self.bot == Some(self.to_move()) {
                self.bot_turn()?;
            } else if self.person_turn()?.is_break() {
                return Ok(());
            }
        }
        let loser = self.to_move();
        if let Some(reason) = self.dialogue.stuck(player(loser), self.position()) {
            self.terminal.say(PLAIN, reason)?;
        }
        self.lost(loser)
    }

    fn position(&self) -> &Position {
        self.player.position()
    }

    /// Where the person is to move in a lost position, the bot knows it, and can answer by pairs.
    fn look_for_a_held_win(&mut self) {
        if self.bot.is_some_and(|bot| bot != self.to_move()) {
            // What is out of reach is told at the bot's turn.
            let _ = self.player.winning_side();
        }
    }

    fn to_move(&self) -> Side {
        if self.moves.len().is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn lost(&mut self, loser: Side) -> anyhow::Result<()> {
        self.terminal.say(VICTORY, format_args!("{} wins!", player(other(loser))))
    }

    fn bot_turn(&mut self) -> anyhow::Result<()> {
        let winning = match self.player.winning_move() {
            Ok(winning) => winning,
            Err(error) => {
                let blind = "The theory is out of the bot's reach, and it plays on without";
                self.terminal.say(REFUSAL, format_args!("{blind}: {error}."))?;
                None
            }
        };
        let mv = winning.or_else(|| self.player.delaying_move()).context("the bot finds no move")?;
        self.player.play(mv)?;
        self.made(mv)
    }

    /// Until a move is made or taken back; breaks off when the game is given up.
    fn person_turn(&mut self) -> anyhow::Result<ControlFlow<()>> {
        let dialogue = self.dialogue;
        self.terminal.say(PLAIN, dialogue.position(self.position(), self.moves.last().copied()))?;
        loop {
            let read = |line: &[u8]| command::parse(line, dialogue);
            let Some(command) = self.terminal.ask(dialogue.prompt(), dialogue.expected(), read)? else {
                return Ok(ControlFlow::Break(()));
            };
            match command {
                Command::Move(mv) if self.try_move(mv)? => return Ok(ControlFlow::Continue(())),
                Command::Undo if self.undo()? => return Ok(ControlFlow::Continue(())),
                // They were refused.
                Command::Move(_) | Command::Undo => {}
                Command::Hint => self.hint()?,
                Command::Moves => {
                    self.terminal
                        .say(PLAIN, format_args!("Legal moves: {}", dialogue.moves(self.position())))?;
                }
                Command::Help => self.terminal.say(PLAIN, command::help(dialogue))?,
                Command::Resign => return self.resign().map(ControlFlow::Break),
                Command::Quit => return self.terminal.goodbye().map(ControlFlow::Break),
            }
        }
    }

    /// Makes a person's move if it is legal.
    fn try_move(&mut self, mv: Move) -> anyhow::Result<bool> {
        if let Err(IllegalMove { rule, .. }) = self.player.opponent_played(mv) {
            let typed = self.dialogue.typed(mv);
            self.terminal.say(REFUSAL, format_args!("{typed} is not possible: {rule}."))?;
            return Ok(false);
        }
        self.made(mv)?;
        Ok(true)
    }

    /// Notes a move that has changed the table.
    fn made(&mut self, mv: Move) -> anyhow::Result<()> {
        let said = self.dialogue.moved(player(self.to_move()), mv, self.position());
        self.moves.push(mv);
        self.terminal.say(PLAIN, said)
    }

    /// Takes back the last move that a person made.
    fn undo(&mut self) -> anyhow::Result<bool> {
        let plies = if self.bot.is_some() { 2 } else { 1 };
        let Some(left) = self.moves.len().checked_sub(plies) else {
            self.terminal.say(REFUSAL, "There is no move to take back.")?;
            return Ok(false);
        };
        let taken_back = self.moves.split_off(left);
        // Moves alone are kept: a copy of a large table for each would not be bounded.
        let mut position = self.start.clone();
        self.moves.iter().try_for_each(|&mv| position.play(mv))?;
        self.player.set_position(position);
        self.look_for_a_held_win();
        let typed = taken_back.into_iter().map(|mv| self.dialogue.typed(mv)).join(", ");
        self.terminal.say(PLAIN, format_args!("Taken back: {typed}."))?;
        Ok(true)
    }

    fn hint(&mut self) -> anyhow::Result<()> {
        match self.player.winning_move() {
            Ok(Some(mv)) => {
                let typed = self.dialogue.typed(mv);
                self.terminal.say(PLAIN, format_args!("Hint: {typed} wins."))
            }
            Ok(None) => self.terminal.say(PLAIN, "Hint: no move wins against perfect play."),
            Err(error) => {
                self.terminal.say(REFUSAL, format_args!("Hint: the theory is out of reach: {error}."))
            }
        }
    }

    fn resign(&mut self) -> anyhow::Result<()> {
        let loser = self.to_move();
        self.terminal.say(PLAIN, format_args!("{} resigns.", player(loser)))?;
        self.lost(loser)
    }
}
