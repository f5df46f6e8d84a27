//! A game that people play at the terminal.

use itertools::Itertools;
use zeroxor::{IllegalMove, Move, Side};

use crate::play::dialogue::{Dialogue, TypedCommand, command_help, parse_command, player_name};
use crate::play::terminal::{DEFEAT, HEADING, REFUSAL, Terminal, VICTORY, goodbye, say, say_in};
use crate::play::{GameInPlay, Level};

pub(crate) struct TerminalGame<'a> {
    pub(crate) terminal: &'a mut Terminal,
    pub(crate) dialogue: Dialogue,
    pub(crate) game: GameInPlay,
}

#[derive(Clone, Copy)]
enum Next {
    Again,
    Undo,
    End,
}

impl TerminalGame<'_> {
    /// Plays until the person or the input ends the session. Only a person at a terminal is asked for another game.
    pub(crate) fn play(mut self) -> anyhow::Result<()> {
        self.introduce()?;
        while self.play_to_end()? && self.terminal.is_interactive() && self.ask_next()? {}
        Ok(())
    }

    fn introduce(&self) -> anyhow::Result<()> {
        if self.game.position().is_misere() {
            say("This is misère play: the player who makes the last move loses.")?;
        }
        let Some(bot) = &self.game.bot else { return Ok(()) };
        let (you, it) = (player_name(bot.side.other()), player_name(bot.side));
        let level = match bot.level {
            Level::Easy => " (easy)",
            Level::Normal => " (normal)",
            Level::Perfect => "",
        };
        say(format_args!("You are {you}, the bot{level} is {it}. Type help for the commands."))
    }

    /// Plays until the game ends, and prints the result. Returns false if the person or the input ends the game early.
    fn play_to_end(&mut self) -> anyhow::Result<bool> {
        while self.game.loser().is_none() {
            let side = self.game.side_to_move();
            say_in(&HEADING, format_args!("{}'s turn.", player_name(side)))?;
            if self.game.bot_side() == Some(side) {
                let (mv, unsolved) = self.game.play_bot()?;
                if let Some(error) = unsolved {
                    let problem = "The bot cannot compute who wins, and plays a delaying move";
                    say_in(&REFUSAL, format_args!("{problem}: {error}."))?;
                }
                self.show_move(side, mv)?;
            } else if !self.person_turn()? {
                return Ok(false);
            }
        }
        if let Some(loser) = self.game.loser() {
            self.announce_end(loser)?;
        }
        Ok(true)
    }

    fn announce_end(&mut self, loser: Side) -> anyhow::Result<()> {
        let to_move = player_name(self.game.side_to_move());
        let reason = if self.game.is_resigned {
            Some(format!("{to_move} resigns."))
        } else {
            self.dialogue.describe_end(to_move, self.game.position())
        };
        reason.map_or(Ok(()), say)?;
        let is_read_by_program = self.dialogue.is_read_by_program();
        match self.game.bot_side().filter(|_| !is_read_by_program) {
            None => say_in(&VICTORY, format_args!("{} wins!", player_name(loser.other())))?,
            Some(bot) if bot == loser => say_in(&VICTORY, "You win!")?,
            Some(_) => say_in(&DEFEAT, "You lose.")?,
        }
        if is_read_by_program {
            return Ok(());
        }
        match self.game.describe_loss(loser, self.dialogue) {
            Ok(why) => say(why),
            Err(error) => say(format_args!("The losing move cannot be computed: {error}.")),
        }
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

    /// Asks a person for commands until the turn ends. Returns false if the person or the input ends the session.
    fn person_turn(&mut self) -> anyhow::Result<bool> {
        let dialogue = self.dialogue;
        let mut hints_shown = 0;
        say(dialogue.describe_position(self.game.position(), self.game.last_move()))?;
        loop {
            let (prompt, expected) = dialogue.prompt();
            let read = |line: &[u8]| parse_command(line, dialogue);
            let Some(command) = self.terminal.ask(prompt, expected, read)? else { return Ok(false) };
            match command {
                TypedCommand::Move(mv) if self.try_move(mv)? => return Ok(true),
                TypedCommand::Undo if self.undo()? => return Ok(true),
                // The move or undo was refused.
                TypedCommand::Move(_) | TypedCommand::Undo => {}
                TypedCommand::Hint => {
                    self.hint(hints_shown)?;
                    hints_shown += 1;
                }
                TypedCommand::Moves => {
                    say(format_args!("Legal moves: {}", dialogue.list_moves(self.game.position())))?;
                }
                TypedCommand::Help => say(command_help(dialogue))?,
                TypedCommand::Resign => {
                    self.game.is_resigned = true;
                    return Ok(true);
                }
                TypedCommand::Quit => return goodbye().map(|()| false),
            }
        }
    }

    /// Makes a person's move if it is legal. Returns whether it is legal.
    fn try_move(&mut self, mv: Move) -> anyhow::Result<bool> {
        let side = self.game.side_to_move();
        if let Err(IllegalMove { rule, .. }) = self.game.play(mv) {
            let typed = self.dialogue.format_move(mv);
            return say_in(&REFUSAL, format_args!("{typed} is not a legal move: {rule}.")).map(|()| false);
        }
        self.show_move(side, mv).map(|()| true)
    }

    fn show_move(&self, side: Side, mv: Move) -> anyhow::Result<()> {
        say(self.dialogue.describe_move(player_name(side), mv, self.game.position()))
    }

    /// Takes back a resignation, or else a person's last move. Returns whether there was something to take back.
    fn undo(&mut self) -> anyhow::Result<bool> {
        let Some(taken_back) = self.game.undo() else {
            return say_in(&REFUSAL, "There is no move to take back.").map(|()| false);
        };
        let typed = taken_back.into_iter().map(|mv| self.dialogue.format_move(mv)).join(", ");
        let what = if typed.is_empty() { "the resignation" } else { typed.as_str() };
        say(format_args!("Taken back: {what}.")).map(|()| true)
    }

    /// Shows a step of the hint, counted from 0; after the last step, the last one again.
    fn hint(&mut self, step: usize) -> anyhow::Result<()> {
        match self.game.hints(self.dialogue) {
            Ok(hints) => say(format_args!("Hint: {}", hints[step.min(hints.len() - 1)])),
            Err(error) => {
                say_in(&REFUSAL, format_args!("Hint: the winning move cannot be computed: {error}."))
            }
        }
    }
}
