//! A game drawn as text, with a line for each move.

use std::io::Write;

use itertools::Itertools;
use zeroxor::{Move, Position};

use referee::spectator::{Mover, Spectator};

pub(crate) mod fit;
pub(crate) mod runs;
pub(crate) mod sizes;
pub(crate) mod svg;

use fit::{fit, line_width};
use runs::{Run, runs};

/// What stands between two games, of which the second repeats the first.
const AGAIN: &str = "The machine was busy, so the time of that game says little; once more:";

/// A spectator that draws the game: `#` is a card, `x` a card that was just taken, `.` an empty place. Piles and pairs
/// are drawn as `place: size`.
pub(crate) struct Picture<W> {
    out: W,
    width: usize,
    /// The position after the moves so far; `None` before the game.
    position: Option<Position>,
}

impl<W: Write> Picture<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, width: line_width(), position: None }
    }

    /// Writes a line with the position, after a move if there is one.
    fn write_line(&mut self, last: Option<(u64, Mover, Move)>) -> anyhow::Result<()> {
        let Some(position) = &self.position else { return Ok(()) };
        writeln!(self.out, "{}", position_line(position, last, self.width))?;
        Ok(())
    }
}

/// The line of a position: the number of the last move, who made it, the move, and the drawing.
pub(crate) fn position_line(position: &Position, last: Option<(u64, Mover, Move)>, width: usize) -> String {
    let (label, move_text) = match last {
        None => ("start".to_owned(), String::new()),
        Some((ply, Mover::Bot, mv)) => (format!("{ply} bot  "), mv.to_string()),
        Some((ply, Mover::Judge, mv)) => (format!("{ply} judge"), mv.to_string()),
    };
    let head = format!("{label:>11}  {move_text:<9}  ");
    let drawing = draw(position, last.map(|(_, _, mv)| mv), width.saturating_sub(head.len()));
    format!("{head}{drawing}")
}

impl<W: Write> Spectator for Picture<W> {
    fn repeat(&mut self) -> anyhow::Result<()> {
        writeln!(self.out, "{AGAIN}")?;
        Ok(())
    }

    fn start(&mut self, position: &Position) -> anyhow::Result<()> {
        self.position = Some(position.clone());
        self.write_line(None)
    }

    fn moved(&mut self, ply: u64, mover: Mover, mv: Move) -> anyhow::Result<()> {
        if let Some(position) = &mut self.position {
            position.play(mv)?;
        }
        self.write_line(Some((ply, mover, mv)))
    }
}

/// Draws a position in at most `width` characters. Long runs are replaced by their length. If it is still too long, only
/// the part around the last move is drawn.
pub(crate) fn draw(position: &Position, mv: Option<Move>, width: usize) -> String {
    let runs = runs(position, mv);
    let whole = runs.iter().map(Run::full_length).fold(0, u64::saturating_add);
    let short = usize::try_from(whole).is_ok_and(|whole| whole <= width);
    let pieces = runs.iter().map(|run| run.draw(short)).collect_vec();
    let last = runs.iter().position(|run| mv.is_some_and(|mv| run.holds(mv.place)));
    fit(&pieces, last.unwrap_or(0), width)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(header: &str, moves: &[(u64, u64)]) -> Position {
        let header = zeroxor::wire::protocol::parse_header(header.as_bytes()).unwrap();
        let mut position = Position::new(&header.game).unwrap();
        for &(place, take) in moves {
            position.play(Move { place, take }).unwrap();
        }
        position
    }

    fn drawn(header: &str, moves: &[(u64, u64)], width: usize) -> String {
        let last = moves.last().map(|&(place, take)| Move { place, take });
        draw(&position(header, moves), last, width)
    }

    #[test]
    fn short_rows_are_not_shortened() {
        assert_eq!(drawn("6 1 2", &[], 60), "######");
        assert_eq!(drawn("6 1 2", &[(3, 2)], 60), "##xx##");
        assert_eq!(drawn("6 1 2", &[(3, 2), (1, 1)], 60), "x#..##");
        assert_eq!(drawn("3 1 1 + 4 2 2", &[(4, 2)], 60), "###|xx##");
        assert_eq!(drawn("octal 0.77 3 4", &[], 60), "###|####");
        assert_eq!(drawn("octal 0.77 3 4 2", &[(4, 1), (6, 1)], 60), "###.#x#|##");
    }

    #[test]
    fn long_runs_are_replaced_by_their_length() {
        assert_eq!(drawn("2000 1 5", &[(1000, 3)], 60), "#…999…#xxx#…998…#");
        let row = drawn("1000000000000000000 3 5", &[(1, 3)], 60);
        assert_eq!(row, "xxx#…999999999999999997…#");
    }

    #[test]
    fn only_the_part_around_the_move_is_drawn() {
        let moves: Vec<(u64, u64)> = (0..50).map(|k| (1 + 20 * k, 1)).chain([(511, 1)]).collect();
        let row = drawn("1000 1 1", &moves, 40);
        assert!(
            row.chars().count() <= 40 && row.contains('x') && row.starts_with('…') && row.ends_with('…'),
            "{row}"
        );
    }

    #[test]
    fn piles_and_pairs_are_drawn_as_sizes() {
        assert_eq!(drawn("square 20 7", &[], 60), "1: 20  2: 7");
        assert_eq!(drawn("square 20 7", &[(1, 9), (2, 4)], 60), "1: 11  2: 3");
        assert_eq!(drawn("nim 1", &[(1, 1)], 60), "1: 0");
        assert_eq!(drawn("euclid 14 6", &[(1, 12)], 60), "1: 2  2: 6");
        assert_eq!(drawn("4 1 1 + nim 5 2 + euclid 6 14", &[(1, 1)], 60), "x###|5: 5  6: 2|7: 6  8: 14");
        assert_eq!(drawn("nim 5 2 + 4 1 1", &[(4, 1)], 60), "1: 5  2: 2|#x##");
        let piles = format!("nim{}", " 100".repeat(50));
        let row = drawn(&piles, &[(25, 40)], 40);
        assert!(row.chars().count() <= 40 && row.contains("25: 60"), "{row}");
    }
}
