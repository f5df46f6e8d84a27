//! `grundy solve --misere`: who wins a position if the player who makes the last move loses.

use serde::Serialize;
use zeroxor::misere::{Budget, Solver};
use zeroxor::wire::protocol::Header;

use super::{SolveArgs, listed_only, open, winner};
use common::SCHEMA;

#[derive(Serialize)]
struct Answer<'a> {
    schema: u32,
    game: &'a str,
    misere: bool,
    winner: &'a str,
    winning_moves: Vec<[u64; 2]>,
    winning_moves_total: usize,
}

/// Returns the answer, as JSON or in words. The winning moves are listed from the first place on.
///
/// # Errors
///
/// If the game is invalid or not playable, or if the position cannot be solved within the limits.
pub(super) fn answer(args: &SolveArgs, header: &Header) -> anyhow::Result<String> {
    header.game.ensure_playable()?;
    let position = open(header)?;
    let mut solver = Solver::new(&header.game, Budget::PER_HEAP)?;
    let winner = winner(solver.outcome(&position)?);
    let mut moves = solver.winning_moves(&position)?;
    let total = moves.len();
    moves.truncate(usize::try_from(args.moves).unwrap_or(usize::MAX));
    let game = header.to_string();
    if args.json {
        let winning_moves = moves.iter().map(|mv| [mv.place, mv.take]).collect();
        let answer = Answer {
            schema: SCHEMA,
            game: &game,
            misere: true,
            winner,
            winning_moves,
            winning_moves_total: total,
        };
        return Ok(serde_json::to_string(&answer)? + "\n");
    }
    let shown = if moves.len() == total { String::new() } else { listed_only(moves.len(), true) };
    let mut text = format!("game: {game}, misère play\nwinner: {winner}\nwinning moves: {total}{shown}\n");
    for mv in &moves {
        text += &format!("  {mv}\n");
    }
    Ok(text)
}
