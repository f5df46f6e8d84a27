//! A game as an SVG picture for a document, with a line for each position.

use plotters::prelude::*;
use zeroxor::{GameSpec, Move, Position};

use super::picture::{RunContent, draw, runs};
use common::charts::text::draw_text;
use common::charts::{Area, CATEGORIES, INK, SHADES, as_file, draw_svg};
use common::escape::printable;
use common::text::counted;
use common::text::shortened_to;
use referee::conversation::Mover;
use referee::review::FinishedGame;

/// The width and height of a card, in pixels.
const CARD: i32 = 20;

/// The width of a place, in pixels: a card, and a gap in which a line can divide two rows.
const PLACE: i32 = 24;

/// The height of a line of cards, in pixels.
const LINE: i32 = 40;

/// The height of a line of text, in pixels.
const TEXT_LINE: i32 = 24;

/// The left and top edges of the positions, in pixels.
const LEFT: i32 = 190;
const TOP: i32 = 56;

/// Maximum number of cards that are drawn one by one. Longer rows are drawn as text.
const MAX_CARDS: u64 = 60;

/// Maximum length of the text of a longer row, in characters.
const MAX_TEXT: usize = 100;

/// Number of moves that are drawn at each end of a long game.
const SHOWN_AT_EACH_END: usize = 30;

/// A line of the picture.
enum Line {
    /// A position, and the move that led to it: its number, who made it, and the move. The start has no such move.
    Position(Position, Option<(u64, Mover, Move)>),
    /// The number of moves that are not drawn.
    LeftOut(usize),
}

/// Draws a game. The picture has no times, so the same game always gives the same picture.
pub(crate) fn game_svg(start: &Position, game: &FinishedGame) -> anyhow::Result<String> {
    let FinishedGame { setup, result, .. } = game;
    let header = printable(setup.game.header.text());
    let side = result.side.map_or_else(String::new, |side| format!(" as {side}"));
    let verdict = format!(
        "{} {}{side} against {}, {}: {}",
        result.verdict,
        shortened_to(&header, 60),
        setup.game.opponent.name(),
        counted(result.moves.len() as u64, "move"),
        printable(&result.reason)
    );
    let lines = lines(start, game)?;
    let cards = i32::try_from(cards(start).unwrap_or(0))?;
    // The texts need a minimum width.
    let width = (LEFT + cards * PLACE + 20).max(if cards > 0 { 640 } else { 1060 });
    let step = if cards > 0 { LINE } else { TEXT_LINE };
    let height = TOP + i32::try_from(lines.len())? * step + 30;
    let svg = draw_svg((u32::try_from(width)?, u32::try_from(height)?), |area| {
        draw_text(area, &rules(setup.game.header.game(), &header), (20, 18), 14)?;
        let places = std::iter::successors(Some(TOP), |y| Some(y + step));
        for (y, line) in places.zip(&lines) {
            match line {
                Line::Position(position, last) => draw_line(area, y, position, *last)?,
                Line::LeftOut(count) => {
                    draw_text(area, &format!("{count} moves are not drawn"), (20, y + 3), 13)?;
                }
            }
        }
        draw_text(area, &shortened_to(&verdict, 150), (20, height - 30), 14)
    })?;
    Ok(as_file(&svg, &verdict))
}

/// Returns the lines of the picture.
fn lines(start: &Position, game: &FinishedGame) -> anyhow::Result<Vec<Line>> {
    let moves = &game.result.moves;
    let mut position = start.clone();
    let mut lines = vec![Line::Position(position.clone(), None)];
    for (at, (ply, &mv)) in (1..).zip(moves).enumerate() {
        position.play(mv)?;
        if moves.len() <= 2 * SHOWN_AT_EACH_END
            || at < SHOWN_AT_EACH_END
            || at >= moves.len() - SHOWN_AT_EACH_END
        {
            lines.push(Line::Position(position.clone(), Some((ply, Mover::of(ply, game.result.side), mv))));
        } else if at == SHOWN_AT_EACH_END {
            lines.push(Line::LeftOut(moves.len() - 2 * SHOWN_AT_EACH_END));
        }
    }
    Ok(lines)
}

/// Returns the number of places if the game has only rows and is small enough to draw its cards one by one.
fn cards(start: &Position) -> Option<u64> {
    let runs = runs(start, None);
    let are_rows = runs.iter().all(|run| matches!(run.content, RunContent::Row(_)));
    Some(start.places()).filter(|&places| are_rows && places <= MAX_CARDS)
}

fn rules(game: &GameSpec, header: &str) -> String {
    let rules = if let GameSpec::Segment { n, l, r } = game {
        format!("{n} cards in a row; a move takes {l} to {r} consecutive cards")
    } else {
        shortened_to(header, 100)
    };
    let loser =
        if game.is_misere() { "the player who makes the last move" } else { "a player who cannot move" };
    format!("{rules}; {loser} loses")
}

fn draw_line(
    area: &Area<'_>,
    y: i32,
    position: &Position,
    last: Option<(u64, Mover, Move)>,
) -> anyhow::Result<()> {
    let label = last.map_or_else(
        || "start".to_owned(),
        |(ply, mover, mv)| {
            let mover = if mover == Mover::Bot { "bot" } else { "judge" };
            match mv {
                Move { place, take: 0 } => format!("{ply}. {mover} splits before {place}"),
                Move { place, take } => format!("{ply}. {mover} takes {take} at {place}"),
            }
        },
    );
    draw_text(area, &shortened_to(&label, 26), (20, y + 3), 13)?;
    let mv = last.map(|(_, _, mv)| mv);
    if cards(position).is_none() {
        return draw_text(area, &draw(position, mv, MAX_TEXT), (LEFT, y + 3), 13);
    }
    for run in runs(position, mv) {
        let RunContent::Row(symbol) = run.content else { continue };
        if run.begins_row() {
            let x = LEFT + i32::try_from(run.first - 1)? * PLACE - (PLACE - CARD) / 2;
            let is_new = mv.is_some_and(|mv| mv.take == 0 && mv.place == run.first);
            let style = if is_new { CATEGORIES[1] } else { INK }.stroke_width(2);
            area.draw(&PathElement::new([(x, y - 4), (x, y + CARD + 4)], style))?;
        }
        for place in run.first..run.first + run.place_count {
            let x = LEFT + i32::try_from(place - 1)? * PLACE;
            let corners = [(x, y), (x + CARD, y + CARD)];
            let style = match symbol {
                '#' => SHADES[3].filled(),
                'x' => CATEGORIES[1].filled(),
                _ => CATEGORIES[5].stroke_width(1),
            };
            area.draw(&Rectangle::new(corners, style))?;
        }
    }
    Ok(())
}
