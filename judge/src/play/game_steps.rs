//! A finished game that a person steps through at the terminal.

use console::{Key, Term};
use runner::escape::printable;
use zeroxor::{Move, Position, Side};

use crate::referee::game::exchange::Mover;
use crate::referee::game::review::FinishedGame;
use crate::report::picture::{line_width, position_line, wrap};

const KEYS: &str = "Left, Right: back, forward; Home, End: start, end; B: next blunder of the bot; Q: quit";

pub(crate) struct GameSteps {
    title: String,
    start: Position,
    moves: Vec<Move>,
    side: Option<Side>,
    /// The number and the text of each blunder of the bot.
    blunders: Vec<(usize, String)>,
    /// The text that is shown after the last move: the verdict and the reason.
    end: String,
    ply: usize,
}

impl GameSteps {
    pub(crate) fn new(start: &Position, game: &FinishedGame) -> Self {
        let FinishedGame { setup, result, review } = game;
        let review = review.as_ref().and_then(|review| review.as_ref().ok());
        let blunders = review.iter().flat_map(|review| &review.blunders);
        let numbered =
            blunders.filter_map(|blunder| Some((blunder.ply.try_into().ok()?, blunder.to_string())));
        Self {
            title: printable(setup.game.header.text()),
            start: start.clone(),
            moves: result.moves.clone(),
            side: result.side,
            blunders: numbered.collect(),
            end: format!("{}: {}", result.ruling.verdict, printable(&result.ruling.reason)),
            ply: 0,
        }
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
            let lines = self.lines(line_width());
            for line in &lines {
                terminal.write_line(line)?;
            }
            let Some(ply) = self.ply_after(&terminal.read_key()?) else { return Ok(()) };
            self.ply = ply;
            terminal.clear_last_lines(lines.len())?;
        }
    }

    /// Returns the number of moves to show after this key; `None` if the key quits.
    fn ply_after(&self, key: &Key) -> Option<usize> {
        let last = self.moves.len();
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
        let mut plies = self.blunders.iter().map(|(ply, _)| *ply);
        let next = plies.clone().find(|&ply| ply > self.ply);
        next.or_else(|| plies.next()).unwrap_or(self.ply)
    }

    /// Returns the lines to show. Each is narrower than the terminal, so that all lines can be cleared again.
    fn lines(&self, width: usize) -> Vec<String> {
        let mut position = self.start.clone();
        for &mv in &self.moves[..self.ply] {
            if position.play(mv).is_err() {
                break;
            }
        }
        let number = self.ply as u64;
        let last = self.ply.checked_sub(1).map(|at| (number, Mover::of(number, self.side), self.moves[at]));
        let blunder = self.blunders.iter().find(|(ply, _)| *ply == self.ply).map(|(_, text)| text.as_str());
        let end = (self.ply == self.moves.len()).then_some(self.end.as_str());
        let width = width.saturating_sub(1);
        let shown = [
            format!("{}, move {} of {}", self.title, self.ply, self.moves.len()),
            position_line(&position, last, width),
        ];
        let texts = [blunder.unwrap_or_default(), end.unwrap_or_default(), KEYS];
        let texts = texts.iter().flat_map(|text| divide(text, width));
        shown.iter().map(|line| cut(line, width)).chain(texts).collect()
    }
}

/// Divides a text into at most `MAX_LINES` lines, so that they can be cleared again on a terminal of usual height.
fn divide(text: &str, width: usize) -> Vec<String> {
    const MAX_LINES: usize = 6;
    let words = text.split(' ').map(|word| (0, word.to_owned()));
    let mut lines: Vec<String> = wrap("", words, " ", width).into_iter().map(|(_, line)| line).collect();
    if lines.len() > MAX_LINES {
        lines.truncate(MAX_LINES);
        lines[MAX_LINES - 1].push('…');
    }
    lines.iter().map(|line| cut(line, width)).collect()
}

/// Shortens a line to at most `width` characters.
fn cut(line: &str, width: usize) -> String {
    match line.char_indices().nth(width) {
        Some(_) => line.chars().take(width.saturating_sub(1)).chain(['…']).collect(),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_divided_at_blanks() {
        let lines = ["move 3, \"2", "    1\", was", "    a", "    blunder"];
        assert_eq!(divide("move 3, \"2 1\", was a blunder", 12), lines);
        assert_eq!(divide("", 12), [""]);
        assert_eq!(divide("unbreakable word", 6), ["unbre…", "    w…"]);
        let long = divide(&"word ".repeat(100), 15);
        assert_eq!((long.len(), long[5].as_str()), (6, "    word word…"));
    }
}
