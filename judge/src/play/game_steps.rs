//! A finished game that a person steps through at the terminal.

use console::{Key, Term};
use runner::escape::printable;
use zeroxor::{Position, SpecError};

use crate::referee::game::exchange::Mover;
use crate::referee::game::review::{Blunder, FinishedGame};
use crate::report::picture::{line_width, position_line};
use crate::text::shortened;

const KEYS: &str = "Left, Right: back, forward; Home, End: start, end; B: next blunder of the bot; Q: quit";

pub(crate) struct GameSteps {
    start: Position,
    game: FinishedGame,
    ply: usize,
}

impl GameSteps {
    pub(crate) fn new(game: FinishedGame) -> Result<Self, SpecError> {
        Ok(Self { start: Position::new(game.setup.game.header.game())?, game, ply: 0 })
    }

    /// Returns the bot's blunders by moves.
    fn blunders(&self) -> impl Iterator<Item = &Blunder> {
        let blunders = self.game.review.iter().flatten().flat_map(|review| &review.blunders);
        blunders.filter(|blunder| blunder.ply > 0)
    }

    pub(crate) fn run(&mut self) -> anyhow::Result<()> {
        let terminal = Term::stdout();
        terminal.hide_cursor()?;
        let result = self.follow_keys(&terminal);
        terminal.show_cursor()?;
        result
    }

    fn follow_keys(&mut self, terminal: &Term) -> anyhow::Result<()> {
        loop {
            terminal.clear_screen()?;
            for line in self.lines(line_width()) {
                terminal.write_line(&line)?;
            }
            let Some(ply) = self.ply_after(&terminal.read_key()?) else { return Ok(()) };
            self.ply = ply;
        }
    }

    /// Returns the number of moves to show after this key; `None` if the key quits.
    fn ply_after(&self, key: &Key) -> Option<usize> {
        let last = self.game.result.moves.len();
        Some(match key {
            Key::Char('q' | 'Q') | Key::Escape | Key::CtrlC => return None,
            Key::ArrowRight | Key::ArrowDown | Key::Char(' ') | Key::Enter => last.min(self.ply + 1),
            Key::ArrowLeft | Key::ArrowUp | Key::Backspace => self.ply.saturating_sub(1),
            Key::Home => 0,
            Key::End => last,
            Key::Char('b' | 'B') => self.next_blunder(),
            _ => self.ply,
        })
    }

    /// Returns the number of the bot's next blunder, or after the last one, of the first.
    fn next_blunder(&self) -> usize {
        let next = self.blunders().find(|blunder| blunder.ply > self.ply as u64);
        let ply = next.or_else(|| self.blunders().next()).map(|blunder| blunder.ply.try_into());
        ply.and_then(Result::ok).unwrap_or(self.ply)
    }

    fn lines(&self, width: usize) -> Vec<String> {
        let result = &self.game.result;
        let (moves, ruling) = (&result.moves, &result.ruling);
        let mut position = self.start.clone();
        let _ = moves[..self.ply].iter().try_for_each(|&mv| position.play(mv));
        let number = self.ply as u64;
        let last = self.ply.checked_sub(1).map(|at| (number, Mover::of(number, result.side), moves[at]));
        let header = shortened(&printable(self.game.setup.game.header.text()));
        let blunder = self.blunders().find(|blunder| blunder.ply == number);
        let end = || format!("{}: {}", ruling.verdict, printable(&ruling.reason));
        vec![
            format!("{header}, move {} of {}", self.ply, moves.len()),
            position_line(&position, last, width),
            blunder.map_or_else(String::new, ToString::to_string),
            if self.ply == moves.len() { end() } else { String::new() },
            KEYS.to_owned(),
        ]
    }
}
