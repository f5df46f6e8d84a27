//! What may be taken from one heap that is no row.

use anyhow::Context;
use serde::{Deserialize, Serialize};
use zeroxor::rules::Shape;

use super::played::{PlayedText, parse};
use common::json::Number;

/// How many numbers are listed.
const LISTED: usize = 60;

#[derive(Deserialize)]
struct Request {
    #[serde(flatten)]
    played: PlayedText,
    /// A place of the heap, as text: it may have 64 bits.
    place: String,
}

#[derive(Serialize)]
struct Answer {
    /// The place of which a move takes, which is another one of a pair if only that can shrink.
    place: Number,
    takes: Vec<Number>,
    /// Whether there are more.
    more: bool,
}

pub(super) fn answer(request: &[u8]) -> anyhow::Result<String> {
    let Request { played, place } = parse(request)?;
    let place: u64 = place.parse().context("expected the place of a heap")?;
    let position = played.read()?.position()?;
    let placed = position.heaps().rfind(|placed| placed.place <= place);
    let placed = placed
        .filter(|placed| place - placed.place < placed.rules.width(placed.heap))
        .with_context(|| format!("there is no heap at place {place}"))?;
    anyhow::ensure!(
        placed.rules.shape() != Shape::Row,
        "expected a pile or a pair at place {place}, got a row"
    );
    let moves: Vec<_> = placed.rules.moves(placed.heap).take(LISTED + 1).collect();
    let offset = moves.first().map_or(place - placed.place, |mv| mv.offset);
    let answer = Answer {
        place: Number(placed.place + offset),
        takes: moves.iter().take(LISTED).map(|mv| Number(mv.count)).collect(),
        more: moves.len() > LISTED,
    };
    Ok(serde_json::to_string(&answer)?)
}
