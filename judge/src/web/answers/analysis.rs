//! The analysis of a position: who wins, the nimbers, and the moves that win.

use anyhow::Context;
use serde::Serialize;
use zeroxor::grundy::Budget;
use zeroxor::{Analysis, Outcome, Solver};

use super::played::{PlayedText, parse};
use crate::report::replay_page::{Board, enter_nimbers};
use common::json::Number;

/// How many winning moves are listed.
const LISTED: usize = 100;

#[derive(Serialize)]
struct Answer {
    /// Whether the player to move wins.
    won: bool,
    /// `null` where it is out of reach.
    nimber: Option<Number>,
    winning_moves: Vec<[Number; 2]>,
    /// As text, for there may be more than 64 bits can count; `null` where counting is out of reach.
    winning_moves_total: Option<String>,
    board: Board,
    /// What is out of reach.
    notes: Vec<String>,
}

pub(super) fn answer(request: &[u8]) -> anyhow::Result<String> {
    let played = parse::<PlayedText>(request)?.read()?;
    let position = played.position()?;
    let mut solver = Solver::with_budget(Budget::GAME.with_cpu_limit(Budget::GAME_TIME));
    let analysis = Analysis::of(&position, &mut solver, LISTED).context("who wins is out of reach")?;
    let mut board = Board::new(&played.start, &played.moves);
    let notes = enter_nimbers(&played.game, &played.start, &mut board).into_iter().collect();
    let answer = Answer {
        won: analysis.outcome == Outcome::N,
        nimber: analysis.nimber.map(|nimber| Number(nimber.0)),
        winning_moves: analysis.winning_moves.iter().map(|mv| [mv.place, mv.take].map(Number)).collect(),
        winning_moves_total: analysis.winning_moves_total.map(|total| total.to_string()),
        board,
        notes,
    };
    Ok(serde_json::to_string(&answer)?)
}
