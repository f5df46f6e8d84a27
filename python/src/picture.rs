//! A position as an SVG for notebooks, with a line for each game of the sum.

use common::charts::text::{TEXT_SIZE, draw_text, text_width};
use common::charts::{CATEGORIES, SHADES, as_part, draw_svg};
use common::text::shortened_to;
use plotters::prelude::*;
use zeroxor::Position;
use zeroxor::position::{Component, PlacedHeap};
use zeroxor::rules::Shape;

/// The width and height of a card, in pixels.
const CARD: i32 = 20;

/// The distance from one place of a row to the next, in pixels.
const PLACE: i32 = 24;

/// The distance from one line to the next, in pixels.
const LINE: i32 = 36;

/// The margin around the picture, in pixels.
const MARGIN: i32 = 12;

/// Maximum number of cards of a row that are drawn one by one. Longer rows are drawn as text.
const MAX_CARDS: u64 = 60;

/// Maximum number of games that are drawn.
const MAX_GAMES: usize = 30;

/// Maximum number of characters of a text.
const MAX_TEXT: usize = 100;

/// Maximum number of heaps in a text: each has at least four characters.
const MAX_HEAPS: usize = MAX_TEXT / 4;

/// How the heaps of a game are drawn.
enum Heaps {
    /// For each place, whether it has a card.
    Cards(Vec<bool>),
    Text(String),
}

/// Draws a position.
pub(crate) fn svg(position: &Position) -> anyhow::Result<String> {
    let games = position.components();
    let mut lines: Vec<(String, Heaps)> =
        games.iter().take(MAX_GAMES).map(|game| (rules(position, game), heaps(position, game))).collect();
    let hidden = games.len().saturating_sub(MAX_GAMES);
    if hidden > 0 {
        lines.push((format!("and {hidden} more games"), Heaps::Text(String::new())));
    }
    let text_length = |text: &str| i32::try_from(text_width(text, TEXT_SIZE)).unwrap_or(i32::MAX / 4);
    let left = 2 * MARGIN + lines.iter().map(|(rules, _)| text_length(rules)).max().unwrap_or(0);
    let length = |heaps: &Heaps| match heaps {
        Heaps::Cards(cards) => PLACE * i32::try_from(cards.len()).unwrap_or(0),
        Heaps::Text(text) => text_length(text),
    };
    let width = left + lines.iter().map(|(_, heaps)| length(heaps)).max().unwrap_or(0) + MARGIN;
    let height = 2 * MARGIN - (LINE - CARD) + LINE * i32::try_from(lines.len())?;
    let svg = draw_svg((u32::try_from(width)?, u32::try_from(height)?), |area| {
        for (y, (rules, heaps)) in (MARGIN..).step_by(LINE.unsigned_abs() as usize).zip(&lines) {
            draw_text(area, rules, (MARGIN, y + 3), TEXT_SIZE)?;
            match heaps {
                Heaps::Text(text) => draw_text(area, text, (left, y + 3), TEXT_SIZE)?,
                Heaps::Cards(cards) => {
                    for (x, &is_card) in (left..).step_by(PLACE.unsigned_abs() as usize).zip(cards) {
                        let style = if is_card { SHADES[3].filled() } else { CATEGORIES[5].stroke_width(1) };
                        area.draw(&Rectangle::new([(x, y), (x + CARD, y + CARD)], style))?;
                    }
                }
            }
        }
        Ok(())
    })?;
    Ok(as_part(&svg, &shortened_to(&position.to_string(), MAX_TEXT)))
}

fn rules(position: &Position, game: &Component) -> String {
    position
        .rules(game.rules_index)
        .map_or_else(String::new, |rules| shortened_to(&rules.words(), MAX_TEXT / 2))
}

fn heaps(position: &Position, game: &Component) -> Heaps {
    let places = game.place..game.place + game.width;
    let mut heaps = position.heaps().filter(|placed| places.contains(&placed.place));
    let is_row = position.rules(game.rules_index).is_some_and(|rules| rules.shape() == Shape::Row);
    if is_row && game.width <= MAX_CARDS {
        let mut cards: Vec<bool> = places.clone().map(|_| false).collect();
        for placed in heaps {
            let cards = cards.iter_mut().zip(places.clone());
            let heap = placed.place..placed.place + placed.heap.size;
            cards.filter(|(_, place)| heap.contains(place)).for_each(|(card, _)| *card = true);
        }
        return Heaps::Cards(cards);
    }
    let texts: Vec<String> = heaps.by_ref().take(MAX_HEAPS + 1).map(|placed| sizes(&placed)).collect();
    Heaps::Text(if texts.is_empty() {
        "no heap is left".to_owned()
    } else {
        shortened_to(&texts.join("  "), MAX_TEXT)
    })
}

/// Returns the place of a heap and its size, or both numbers of a pair.
fn sizes(PlacedHeap { place, rules, heap, .. }: &PlacedHeap<'_>) -> String {
    if rules.shape() == Shape::Pair {
        format!("{place}: {}, {}", heap.size, heap.second)
    } else {
        format!("{place}: {}", heap.size)
    }
}
