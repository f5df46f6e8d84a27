//! The steps of a hint.

use anyhow::Context;
use serde::Serialize;

use super::played::{PlayedText, half_budget, parse};
use crate::play::game::Game;
use crate::play::hint::{Hint, describe_heap};
use common::json::Number;

/// One step of a hint; the page shows one after the other.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Step {
    Lost,
    Won,
    Heap { name: String, place: Number },
    Move { mv: [Number; 2] },
}

pub(super) fn answer(request: &[u8]) -> anyhow::Result<String> {
    let played = parse::<PlayedText>(request)?.read()?;
    let mut game = Game::resumed(played.start, &played.moves, None, half_budget())?;
    anyhow::ensure!(game.loser().is_none(), "the game is over");
    let steps = game.hints().context("who wins is out of reach")?;
    let steps: Vec<Step> = steps
        .into_iter()
        .map(|hint| match hint {
            Hint::Lost => Step::Lost,
            Hint::Won => Step::Won,
            Hint::Heap(placed) => Step::Heap { name: describe_heap(&placed), place: Number(placed.place) },
            Hint::Move(mv) => Step::Move { mv: [mv.place, mv.take].map(Number) },
        })
        .collect();
    Ok(serde_json::to_string(&steps)?)
}
