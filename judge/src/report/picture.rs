//! Positions drawn as text: the runs of cards of a row and the sizes of piles, shortened to fit a line.

use std::io::Write;
use std::ops::Range;

use itertools::Itertools;
use zeroxor::position::PlacedHeap;
use zeroxor::rules::{Rules, Shape};
use zeroxor::{Move, Position};

use crate::referee::game::exchange::Mover;
use crate::report::transcript::{GameLog, LogEntry};

const AGAIN: &str = "The machine was busy, so the time of that game is unreliable; the game again:";

/// A log that draws the game: `#` is a card, `x` a card that was just taken, `.` an empty place, and `|` divides
/// the games of a sum and the rows of a game, for example where a row was split. Piles and pairs are drawn as `place:
/// size`.
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

    fn write_line(&mut self, last: Option<(u64, Mover, Move)>) -> anyhow::Result<()> {
        let Some(position) = &self.position else { return Ok(()) };
        writeln!(self.out, "{}", position_line(position, last, self.width))?;
        Ok(())
    }
}

/// Returns the line of a position: the number of the last move, who made it, the move, and the drawing.
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

impl<W: Write> GameLog for Picture<W> {
    fn log(&mut self, entry: LogEntry<'_>) -> anyhow::Result<()> {
        match entry {
            LogEntry::Setup(setup) => {
                if setup.game.repeat {
                    writeln!(self.out, "{AGAIN}")?;
                }
                self.position = Some(Position::new(setup.game.header.game())?);
                self.write_line(None)
            }
            LogEntry::Moved(ply, mover, mv) => {
                if let Some(position) = &mut self.position {
                    position.play(mv)?;
                }
                self.write_line(Some((ply, mover, mv)))
            }
            LogEntry::Step(_) | LogEntry::End(_) => Ok(()),
        }
    }
}

/// Draws a position on a line: whole, else with lengths for long runs, else only around the move.
pub(crate) fn draw(position: &Position, mv: Option<Move>, width: usize) -> String {
    let runs = runs(position, mv);
    let is_short = runs.iter().all(|run| run.length() <= width as u64);
    let pieces = |max| runs.iter().map(|run| run.draw(max)).collect_vec();
    let length = |pieces: &[String]| pieces.iter().map(|piece| piece.chars().count()).sum::<usize>();
    let whole = is_short.then(|| pieces(u64::MAX)).filter(|pieces| length(pieces) <= width);
    let pieces = whole.unwrap_or_else(|| pieces(MAX_FULL));
    let last = runs.iter().position(|run| mv.is_some_and(|mv| run.places.contains(&mv.place)));
    let shown = fitting_range(&pieces, last.unwrap_or(0), width);
    let cut = |is_cut: bool| if is_cut { "…" } else { "" };
    let (before, after) = (cut(shown.start > 0), cut(shown.end < pieces.len()));
    format!("{before}{}{after}", pieces.get(shown).unwrap_or_default().concat())
}

/// The longest run that is drawn whole if not all runs fit into the line.
const MAX_FULL: u64 = 9;

const DEFAULT_WIDTH: usize = 100;

pub(crate) fn line_width() -> usize {
    terminal_size::terminal_size().map_or(DEFAULT_WIDTH, |(width, _)| width.0.into())
}

/// Returns the range of `pieces[center]` and as many pieces after it, and then before it, as fit into a line with two `…`.
fn fitting_range(pieces: &[String], center: usize, width: usize) -> Range<usize> {
    let length = |piece: &String| piece.chars().count();
    let mut room = width.saturating_sub(2 + pieces.get(center).map_or(0, length));
    let mut fits = |piece: &&String| room.checked_sub(length(piece)).map(|left| room = left).is_some();
    let after = pieces.iter().skip(center + 1).take_while(&mut fits).count();
    let before = pieces[..center].iter().rev().take_while(&mut fits).count();
    center - before..pieces.len().min(center + 1 + after)
}

/// Returns whether the heaps of these rules are segments of a row, in which each card has its own place.
pub(crate) fn is_row(rules: &dyn Rules) -> bool {
    rules.shape() == Shape::Row
}

/// Consecutive places that are drawn with the same character, or a heap that is drawn as places and sizes.
pub(crate) struct Run {
    /// At least one place.
    pub(crate) places: Range<u64>,
    pub(crate) content: RunContent,
    /// The text between the previous run and this one.
    divider: &'static str,
}

pub(crate) enum RunContent {
    Row(char),
    /// The size at each place: `4: 20` for a pile, `4: 14  5: 6` for a pair.
    Sizes(String),
}

impl Run {
    /// Returns whether a `|` divides this run from the previous one: it begins a game, or a row after a split.
    pub(crate) fn begins_row(&self) -> bool {
        self.divider == "|"
    }

    pub(crate) fn length(&self) -> u64 {
        self.places.end - self.places.start
    }

    /// Draws a run of cards or empty places with its length if it has more than `max` places.
    fn draw(&self, max: u64) -> String {
        let (length, divider) = (self.length(), self.divider);
        match &self.content {
            RunContent::Sizes(text) => format!("{divider}{text}"),
            RunContent::Row(symbol) if length <= max => {
                let cards = std::iter::repeat_n(*symbol, usize::try_from(length).unwrap_or(0));
                format!("{divider}{}", cards.collect::<String>())
            }
            RunContent::Row(symbol) => format!("{divider}{symbol}…{length}…{symbol}"),
        }
    }
}

/// Returns the runs of a position. The cards that a move has just taken are runs of `x`.
pub(crate) fn runs(position: &Position, mv: Option<Move>) -> Vec<Run> {
    let components = position.components();
    let is_in_row = |mv: &Move| {
        let component = components.iter().rfind(|component| component.place <= mv.place);
        component.and_then(|component| position.rules(component.rules_index)).is_some_and(is_row)
    };
    let taken = mv.filter(is_in_row).map(|mv| mv.place..mv.place + mv.take);
    let heaps = position.heaps().collect_vec();
    let heap_end = |placed: &PlacedHeap<'_>| placed.place + placed.rules.width(placed.heap);
    let borders = heaps.iter().flat_map(|placed| [placed.place, heap_end(placed)]);
    let borders = borders.chain(taken.iter().flat_map(|taken| [taken.start, taken.end]));
    let borders = borders.chain(components.iter().map(|component| component.place));
    let borders = borders.chain([position.places() + 1]).sorted().dedup().tuple_windows();
    let run = |(first, next)| {
        // The heap of this run, or else the next heap.
        let at = heaps.partition_point(|placed| heap_end(placed) <= first);
        let content = match heaps.get(at).filter(|placed| placed.place <= first) {
            _ if taken.as_ref().is_some_and(|taken| taken.contains(&first)) => RunContent::Row('x'),
            Some(placed) if is_row(placed.rules) => RunContent::Row('#'),
            Some(placed) => {
                let sizes = (first..next).zip([placed.heap.size, placed.heap.second]);
                RunContent::Sizes(sizes.map(|(place, size)| format!("{place}: {size}")).join("  "))
            }
            None => RunContent::Row('.'),
        };
        let begins_game = components.binary_search_by_key(&first, |component| component.place).is_ok();
        let divider = match content {
            _ if begins_game && first > 1 => "|",
            // A row begins directly after another row.
            RunContent::Row('#') if at > 0 && heap_end(&heaps[at - 1]) == first => "|",
            RunContent::Sizes(_) if first > 1 => "  ",
            _ => "",
        };
        Run { places: first..next, content, divider }
    };
    borders.map(run).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Returns the position after these moves, each a place and a take, and the last move.
    pub(crate) fn played(game: &str, moves: &[(u64, u64)]) -> (Position, Option<Move>) {
        let mut position = Position::new(&game.parse().unwrap()).unwrap();
        let mut moves = moves.iter().map(|&(place, take)| Move { place, take });
        moves.clone().for_each(|mv| position.play(mv).unwrap());
        (position, moves.next_back())
    }

    fn drawn(header: &str, moves: &[(u64, u64)], width: usize) -> String {
        let (position, last) = played(header, moves);
        draw(&position, last, width)
    }

    #[test]
    fn short_rows_are_not_shortened() {
        assert_eq!(drawn("6 1 2", &[], 60), "######");
        assert_eq!(drawn("6 1 2", &[(3, 2), (1, 1)], 60), "x#..##");
        assert_eq!(drawn("3 1 1 + 4 2 2", &[(4, 2)], 60), "###|xx##");
        assert_eq!(drawn("octal 0.77 3 4", &[], 60), "###|####");
        assert_eq!(drawn("octal 0.77 3 4 2", &[(4, 1), (6, 1)], 60), "###.#x#|##");
        assert_eq!(drawn("octal 4.7 3 4", &[(6, 0), (6, 1), (3, 0)], 60), "##|#|##.#");
        assert_eq!(drawn("grundy 9", &[(3, 0), (5, 0)], 60), "##|##|#####");
    }

    #[test]
    fn long_runs_are_replaced_by_their_length() {
        assert_eq!(drawn("2000 1 5", &[(1000, 3)], 60), "#…999…#xxx#…998…#");
        assert_eq!(drawn("grundy 2000", &[(1000, 0), (995, 0)], 60), "#…994…#|#####|#…1001…#");
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
