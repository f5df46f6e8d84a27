//! A game drawn as text, a line a move.

use std::io::Write;
use std::ops::Range;

use itertools::Itertools;
use zeroxor::{Move, Table};

use crate::conversation::{Mover, Spectator};

/// The width of a drawing where there is no terminal to ask.
const WIDTH: usize = 100;

/// Draws a game as it is played: `#` is a card, `x` one that has just been taken, `.` an empty place.
pub(crate) struct Picture<W> {
    out: W,
    width: usize,
}

impl<W: Write> Picture<W> {
    pub(crate) fn new(out: W) -> Self {
        let width = terminal_size::terminal_size().map_or(WIDTH, |(width, _)| width.0.into());
        Self { out, width }
    }

    fn line(&mut self, what: &str, mv: Option<Move>, table: &Table) -> anyhow::Result<()> {
        let said = mv.map_or_else(String::new, |mv| mv.to_string());
        let head = format!("{what:>11}  {said:<9}  ");
        let row = row(table, mv, self.width.saturating_sub(head.len()));
        writeln!(self.out, "{head}{row}")?;
        Ok(())
    }
}

impl<W: Write> Spectator for Picture<W> {
    fn start(&mut self, table: &Table) -> anyhow::Result<()> {
        self.line("start", None, table)
    }

    fn moved(&mut self, ply: u64, mover: Mover, mv: Move, table: &Table) -> anyhow::Result<()> {
        let who = match mover {
            Mover::Bot => "bot",
            Mover::Judge => "judge",
        };
        self.line(&format!("{ply} {who:<5}"), Some(mv), table)
    }
}

/// The row in at most `width` characters: long runs become their length, and what then still has no room
/// beside the last move is left out.
fn row(table: &Table, mv: Option<Move>, width: usize) -> String {
    let runs = runs(table, mv);
    let whole = table.places() + runs.len() as u64;
    let short = usize::try_from(whole).is_ok_and(|whole| whole <= width);
    let pieces = runs.iter().map(|run| run.draw(short)).collect_vec();
    let last = runs.iter().position(|run| run.symbol == 'x').unwrap_or(0);
    let shown = around(&pieces, last, width);
    let cut = |is_cut: bool| if is_cut { "…" } else { "" };
    format!("{}{}{}", cut(shown.start > 0), pieces[shown.clone()].concat(), cut(shown.end < pieces.len()))
}

/// As many pieces around the one at `center` as have room, the cut marks included.
fn around(pieces: &[String], center: usize, width: usize) -> Range<usize> {
    let length = |piece: &String| piece.chars().count();
    let (mut start, mut end) = (center, center);
    let mut room = width.saturating_sub(2);
    loop {
        let before = start;
        if let Some(next) = pieces.get(end).map(length).filter(|&next| next <= room || end == center) {
            room = room.saturating_sub(next);
            end += 1;
        } else if let Some(next) = pieces[..start].last().map(length).filter(|&next| next <= room) {
            room -= next;
            start -= 1;
        } else {
            return before..end;
        }
    }
}

/// A run of places that look alike.
struct Run {
    symbol: char,
    places: u64,
    /// Whether a part of a sum ends before it.
    starts_part: bool,
}

impl Run {
    fn draw(&self, whole: bool) -> String {
        const LONGEST: u64 = 9;
        let Self { symbol, places, starts_part } = self;
        let bar = if *starts_part { "|" } else { "" };
        if whole || *places <= LONGEST {
            let cards = std::iter::repeat_n(*symbol, usize::try_from(*places).unwrap_or(0));
            format!("{bar}{}", cards.collect::<String>())
        } else {
            format!("{bar}{symbol}…{places}…{symbol}")
        }
    }
}

/// The whole table, from the first place to the last.
fn runs(table: &Table, mv: Option<Move>) -> Vec<Run> {
    let parts = table.parts().iter().map(|part| part.place);
    let heaps = table.heaps().flat_map(|seat| [seat.place, seat.place + seat.rules.span(seat.heap)]);
    let taken = mv.into_iter().flat_map(|mv| [mv.place, mv.place + mv.take]);
    let borders = parts.chain(heaps).chain(taken).chain([table.places() + 1]).sorted().dedup();
    let mut cards = table.heaps().peekable();
    let mut starts = table.parts().iter().skip(1).peekable();
    borders
        .tuple_windows()
        .map(|(first, next)| {
            while cards.next_if(|seat| seat.place + seat.rules.span(seat.heap) <= first).is_some() {}
            let symbol = match (mv, cards.peek()) {
                (Some(mv), _) if (mv.place..mv.place + mv.take).contains(&first) => 'x',
                (_, Some(seat)) if seat.place <= first => '#',
                _ => '.',
            };
            let starts_part = starts.next_if(|part| part.place == first).is_some();
            Run { symbol, places: next - first, starts_part }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(header: &str, moves: &[(u64, u64)]) -> Table {
        let header = zeroxor::protocol::parse_header(header.as_bytes()).unwrap();
        let mut table = Table::open(&header.parts).unwrap();
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
}
