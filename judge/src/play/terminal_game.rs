//! A game that people play at the terminal.

use std::ops::ControlFlow;

use itertools::Itertools;
use zeroxor::{IllegalMove, Move, Side};

use crate::play::dialogue::{Dialogue, TypedCommand, command_help, parse_command, player_name};
use crate::play::terminal::{DEFEAT, HEADING, PLAIN, REFUSAL, Terminal, VICTORY};
use crate::play::{GameInPlay, Level};

pub(crate) struct TerminalGame<'a> {
    terminal: &'a mut Terminal,
    dialogue: Dialogue,
    game: GameInPlay,
    hints_shown: usize,
}

#[derive(Clone, Copy)]
enum Next {
    Again,
    Undo,
    End,
}

impl<'a> TerminalGame<'a> {
    pub(crate) fn new(terminal: &'a mut Terminal, dialogue: Dialogue, game: GameInPlay) -> Self {
        Self { terminal, dialogue, game, hints_shown: 0 }
    }

    /// Plays until the person or the input ends the session. Only a person at a terminal is asked for another game.
    pub(crate) fn play(mut self) -> anyhow::Result<()> {
        self.introduce()?;
        while self.play_to_end()?.is_continue() && self.terminal.is_interactive() && self.ask_next()? {}
        Ok(())
    }

    fn introduce(&mut self) -> anyhow::Result<()> {
        if self.game.position().is_misere() {
            self.terminal.say(&PLAIN, "This is misère play: the player who makes the last move loses.")?;
        }
        let Some(bot) = &self.game.bot else { return Ok(()) };
        let (you, it) = (player_name(bot.side.other()), player_name(bot.side));
        let level = match bot.level {
            Level::Easy => " (easy)",
            Level::Normal => " (normal)",
            Level::Perfect => "",
        };
        self.terminal
            .say(&PLAIN, format_args!("You are {you}, the bot{level} is {it}. Type help for the commands."))
    }

    /// Plays until the game ends, and prints the result. Breaks if the person or the input ends the game early.
    fn play_to_end(&mut self) -> anyhow::Result<ControlFlow<()>> {
        let loser = loop {
            if let Some(loser) = self.game.loser() {
                break loser;
            }
            self.terminal.say(&HEADING, format_args!("{}'s turn.", player_name(self.game.side_to_move())))?;
            if self.game.bot_side() == Some(self.game.side_to_move()) {
                self.bot_turn()?;
            } else if self.person_turn()?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        };
        self.announce_end(loser).map(ControlFlow::Continue)
    }

    fn announce_end(&mut self, loser: Side) -> anyhow::Result<()> {
        if self.game.is_resigned {
            self.terminal.say(&PLAIN, format_args!("{} resigns.", player_name(loser)))?;
        } else if let Some(reason) =
            self.dialogue.describe_end(player_name(self.game.side_to_move()), self.game.position())
        {
            self.terminal.say(&PLAIN, reason)?;
        }
        let winner = player_name(loser.other());
        if self.dialogue.is_read_by_program() {
            return self.terminal.say(&VICTORY, format_args!("{winner} wins!"));
        }
        match self.game.bot_side() {
            None => self.terminal.say(&VICTORY, format_args!("{winner} wins!"))?,
            Some(bot) if bot == loser => self.terminal.say(&VICTORY, "You win!")?,
            Some(_) => self.terminal.say(&DEFEAT, "You lose.")?,
        }
        self.terminal.say(&PLAIN, self.game.describe_loss(loser, self.dialogue))
    }

    /// Asks what to do after the game, and begins another one or takes back the last move. Returns whether play goes on.
    fn ask_next(&mut self) -> anyhow::Result<bool> {
        let read = |line: &[u8]| match line.trim_ascii().to_ascii_lowercase().as_slice() {
            b"" | b"y" | b"yes" => Some(Next::Again),
            b"undo" => Some(Next::Undo),
            b"n" | b"no" | b"quit" => Some(Next::End),
            _ => None,
        };
        loop {
            match self.terminal.ask("Again? [Y/n], or undo: ", "y, n or undo", read)? {
                Some(Next::Again) => {
                    self.game.restart();
                    return self.introduce().map(|()| true);
                }
                Some(Next::Undo) if self.undo()? => return Ok(true),
                Some(Next::Undo) => {}
                Some(Next::End) | None => return Ok(false),
            }
        }
    }

    fn bot_turn(&mut self) -> anyhow::Result<()> {
        let side = self.game.side_to_move();
        let (mv, unsolved) = self.game.play_bot()?;
        if let Some(error) = unsolved {
            let problem = "The bot cannot compute who wins, and plays a delaying move";
            self.terminal.say(&REFUSAL, format_args!("{problem}: {error}."))?;
        }
        self.show_move(side, mv)
    }

    /// Asks a person for commands until the turn ends. Breaks if the person or the input ends the session.
    fn person_turn(&mut self) -> anyhow::Result<ControlFlow<()>> {
        let dialogue = self.dialogue;
        self.hints_shown = 0;
        self.terminal.say(&PLAIN, dialogue.describe_position(self.game.position(), self.game.last_move()))?;
        loop {
            let (prompt, expected) = dialogue.prompt();
            let read = |line: &[u8]| parse_command(line, dialogue);
            let Some(command) = self.terminal.ask(prompt, expected, read)? else {
                return Ok(ControlFlow::Break(()));
            };
            match command {
                TypedCommand::Move(mv) if self.try_move(mv)? => return Ok(ControlFlow::Continue(())),
                TypedCommand::Undo if self.undo()? => return Ok(ControlFlow::Continue(())),
                // The move or undo was refused.
                TypedCommand::Move(_) | TypedCommand::Undo => {}
                TypedCommand::Hint => self.hint()?,
                TypedCommand::Moves => {
                    let moves = dialogue.list_moves(self.game.position());
                    self.terminal.say(&PLAIN, format_args!("Legal moves: {moves}"))?;
                }
                TypedCommand::Help => self.terminal.say(&PLAIN, command_help(dialogue))?,
                TypedCommand::Resign => {
                    self.game.is_resigned = true;
                    return Ok(ControlFlow::Continue(()));
                }
                TypedCommand::TooLarge => {
                    let limit = format_args!("The number is too large: expected at most {}.", u64::MAX);
                    self.terminal.say(&REFUSAL, limit)?;
                }
                TypedCommand::Quit => return self.terminal.goodbye().map(ControlFlow::Break),
            }
        }
    }

    /// Makes a person's move if it is legal. Returns whether it is legal.
    fn try_move(&mut self, mv: Move) -> anyhow::Result<bool> {
        let side = self.game.side_to_move();
        if let Err(IllegalMove { rule, .. }) = self.game.play(mv) {
            let typed = self.dialogue.format_move(mv);
            self.terminal.say(&REFUSAL, format_args!("{typed} is not a legal move: {rule}."))?;
            return Ok(false);
        }
        self.show_move(side, mv)?;
        Ok(true)
    }

    fn show_move(&mut self, side: Side, mv: Move) -> anyhow::Result<()> {
        let description = self.dialogue.describe_move(player_name(side), mv, self.game.position());
        self.terminal.say(&PLAIN, description)
    }

    /// Takes back a resignation, or else a person's last move. Returns whether there was something to take back.
    fn undo(&mut self) -> anyhow::Result<bool> {
        let Some(taken_back) = self.game.undo() else {
            self.terminal.say(&REFUSAL, "There is no move to take back.")?;
            return Ok(false);
        };
        let typed = taken_back.into_iter().map(|mv| self.dialogue.format_move(mv)).join(", ");
        let what = if typed.is_empty() { "the resignation" } else { typed.as_str() };
        self.terminal.say(&PLAIN, format_args!("Taken back: {what}."))?;
        Ok(true)
    }

    /// Shows the next step of the hint. When all steps have been shown, shows the last one again.
    fn hint(&mut self) -> anyhow::Result<()> {
        let hints = match self.game.hints(self.dialogue) {
            Ok(hints) => hints,
            Err(error) => {
                let problem = "Hint: the winning move cannot be computed";
                return self.terminal.say(&REFUSAL, format_args!("{problem}: {error}."));
            }
        };
        let shown = self.hints_shown.min(hints.len() - 1);
        self.hints_shown += 1;
        self.terminal.say(&PLAIN, format_args!("Hint: {}", hints[shown]))
    }
}
