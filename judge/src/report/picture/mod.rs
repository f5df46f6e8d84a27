//! A game drawn as text, a line a move.

use std::io::Write;

use itertools::Itertools;
use zeroxor::position::PlacedHeap;
use zeroxor::{Move, Position};

use crate::referee::spectator::{Mover, Spectator};

pub(crate) mod figures;
pub(crate) mod fit;

use figures::{figures, is_row};
use fit::{fit, width};

/// Draws a game as it is played: `#` is a card, `x` one that has just been taken, `.` an empty place; piles
/// and pairs are told in figures.
pub(crate) struct Picture<W> {
    out: W,
    width: usize,
    /// What it looks like by now.
    table: Option<Position>,
}

impl<W: Write> Picture<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, width: width(), table: None }
    }

    fn line(&mut self, what: &str, mv: Option<Move>) -> anyhow::Result<()> {
        let Some(table) = &self.table else { return Ok(()) };
        let said = mv.map_or_else(String::new, |mv| mv.to_string());
        let head = format!("{what:>11}  {said:<9}  ");
        let row = row(table, mv, self.width.saturating_sub(head.len()));
        writeln!(self.out, "{head}{row}")?;
        Ok(())
    }
}

impl<W: Write> Spectator for Picture<W> {
    fn start(&mut self, table: &Position) -> anyhow::Result<()> {
        self.table = Some(table.clone());
        self.line("start", None)
    }

    fn moved(&mut self, ply: u64, mover: Mover, mv: Move) -> anyhow::Result<()> {
        if let Some(table) = &mut self.table {
            table.play(mv)?;
        }
        let who = match mover {
            Mover::Bot => "bot",
            Mover::Judge => "judge",
        };
        self.line(&format!("{ply} {who:<5}"), Some(mv))
    }
}

/// The table in at most `width` characters: long runs become their length, and what then still has no room
/// beside the last move is left out.
fn row(table: &Position, mv: Option<Move>, width: usize) -> String {
    let runs = runs(table, mv);
    let whole = runs.iter().map(Run::room).fold(0, u64::saturating_add);
    let short = usize::try_from(whole).is_ok_and(|whole| whole <= width);
    let pieces = runs.iter().map(|run| run.draw(short)).collect_vec();
    let last = runs.iter().position(|run| mv.is_some_and(|mv| run.holds(mv.place)));
    fit(&pieces, last.unwrap_or(0), width)
}

/// A run of places that look alike, or a heap in figures.
struct Run {
    first: u64,
    places: u64,
    look: Look,
    /// What divides it from the run before.
    divider: &'static str,
}

enum Look {
    Row(char),
    Figures(String),
}

impl Run {
    fn holds(&self, place: u64) -> bool {
        (self.first..self.first + self.places).contains(&place)
    }

    /// How many characters it takes when it is drawn whole, and not less.
    fn room(&self) -> u64 {
        match &self.look {
            Look::Row(_) => self.places + 1,
            Look::Figures(text) => (text.len() + self.divider.len()) as u64,
        }
    }

    fn draw(&self, whole: bool) -> String {
        const LONGEST: u64 = 9;
        let Self { places, divider, .. } = self;
        match &self.look {
            Look::Figures(text) => format!("{divider}{text}"),
            Look::Row(symbol) if whole || *places <= LONGEST => {
                let cards = std::iter::repeat_n(*symbol, usize::try_from(*places).unwrap_or(0));
                format!("{divider}{}", cards.collect::<String>())
            }
            Look::Row(symbol) => format!("{divider}{symbol}…{places}…{symbol}"),
        }
    }
}

/// The whole table, from the first place to the last.
fn runs(table: &Position, mv: Option<Move>) -> Vec<Run> {
    let taken = mv.filter(|mv| is_in_row(table, mv.place)).map(|mv| mv.place..mv.place + mv.take);
    let parts = table.components().iter().map(|part| part.place);
    let heaps = table.heaps().flat_map(|seat| [seat.place, seat.place + seat.rules.width(seat.heap)]);
    let borders = taken.iter().flat_map(|taken| [taken.start, taken.end]);
    let borders = borders.chain(parts).chain(heaps).chain([table.places() + 1]).sorted().dedup();
    let mut cards = table.heaps().peekable();
    let mut starts = table.components().iter().skip(1).peekable();
    borders
        .tuple_windows()
        .map(|(first, next)| {
            while cards.next_if(|seat| seat.place + seat.rules.width(seat.heap) <= first).is_some() {}
            let is_taken = taken.as_ref().is_some_and(|taken| taken.contains(&first));
            let look = look(is_taken, cards.peek().filter(|seat| seat.place <= first));
            let divider = match look {
                _ if starts.next_if(|part| part.place == first).is_some() => "|",
                Look::Figures(_) if first > 1 => "  ",
                _ => "",
            };
            Run { first, places: next - first, look, divider }
        })
        .collect()
}

/// Whether a place belongs to a row.
fn is_in_row(table: &Position, place: u64) -> bool {
    let part = table.components().iter().rfind(|part| part.place <= place);
    part.and_then(|part| table.rules(part.rules)).is_some_and(is_row)
}

fn look(is_taken: bool, seat: Option<&PlacedHeap<'_>>) -> Look {
    match seat {
        _ if is_taken => Look::Row('x'),
        Some(seat) if is_row(seat.rules) => Look::Row('#'),
        Some(seat) => Look::Figures(figures(seat)),
        None => Look::Row('.'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(header: &str, moves: &[(u64, u64)]) -> Position {
        let header = zeroxor::wire::protocol::parse_header(header.as_bytes()).unwrap();
        let mut table = Position::new(&header.game).unwrap();
        for &(place, take) in moves {
            table.play(Move { place, take }).unwrap();
        }
        table
    }

    fn draw(header: &str, moves: &[(u64, u64)], width: usize) -> String {
        let last = moves.last().map(|&(place, take)| Move { place, take });
        row(&table(header, moves), last, width)
    }

    #[test]
    fn short_rows_are_drawn_whole() {
        assert_eq!(draw("6 1 2", &[], 60), "######");
        assert_eq!(draw("6 1 2", &[(3, 2)], 60), "##xx##");
        assert_eq!(draw("6 1 2", &[(3, 2), (1, 1)], 60), "x#..##");
        assert_eq!(draw("3 1 1 + 4 2 2", &[(4, 2)], 60), "###|xx##");
    }

    #[test]
    fn long_runs_become_their_length() {
        assert_eq!(draw("2000 1 5", &[(1000, 3)], 60), "#…999…#xxx#…998…#");
        let row = draw("1000000000000000000 3 5", &[(1, 3)], 60);
        assert_eq!(row, "xxx#…999999999999999997…#");
    }

    #[test]
    fn what_has_no_room_is_left_out_around_the_move() {
        let moves: Vec<(u64, u64)> = (0..50).map(|k| (1 + 20 * k, 1)).chain([(511, 1)]).collect();
        let row = draw("1000 1 1", &moves, 40);
        assert!(
            row.chars().count() <= 40 && row.contains('x') && row.starts_with('…') && row.ends_with('…'),
            "{row}"
        );
    }

    #[test]
    fn piles_and_pairs_are_told_in_figures() {
        assert_eq!(draw("square 20 7", &[], 60), "1: 20  2: 7");
        assert_eq!(draw("square 20 7", &[(1, 9), (2, 4)], 60), "1: 11  2: 3");
        assert_eq!(draw("nim 1", &[(1, 1)], 60), "1: 0");
        assert_eq!(draw("euclid 14 6", &[(1, 12)], 60), "1: 2  2: 6");
        assert_eq!(draw("4 1 1 + nim 5 2 + euclid 6 14", &[(1, 1)], 60), "x###|5: 5  6: 2|7: 6  8: 14");
        assert_eq!(draw("nim 5 2 + 4 1 1", &[(4, 1)], 60), "1: 5  2: 2|#x##");
        let piles = format!("nim{}", " 100".repeat(50));
        let row = draw(&piles, &[(25, 40)], 40);
        assert!(row.chars().count() <= 40 && row.contains("25: 60"), "{row}");
    }
}
