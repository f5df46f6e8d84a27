//! The review of a game that is over: why it was lost, and what perfect play says of every move.

use serde::{Deserialize, Serialize};
use zeroxor::Solver;

use super::played::{PlayedText, half_budget, parse, side};
use crate::play::board::BoardDialogue;
use crate::play::dialogue::{ClassicDialogue, Dialogue, is_classic};
use crate::play::hint::{Loss, describe_loss};
use crate::report::replay_page::{Board, Evaluation};

#[derive(Deserialize)]
struct Request {
    #[serde(flatten)]
    played: PlayedText,
    loser: String,
    /// The bot's side; `null` if two people have played.
    bot: Option<String>,
}

#[derive(Serialize)]
struct Answer {
    text: String,
    board: Board,
    evaluation: Evaluation,
}

pub(super) fn answer(request: &[u8]) -> anyhow::Result<String> {
    let Request { played, loser, bot } = parse(request)?;
    let played = played.read()?;
    played.position()?;
    let loser = side(&loser)?;
    let bot = bot.as_deref().map(side).transpose()?;
    let mut solver = Solver::with_budget(half_budget());
    let loss = Loss::of(&played.start, loser, &played.moves, &mut solver);
    let dialogue: &dyn Dialogue = if is_classic(&played.game) {
        &ClassicDialogue { is_exact: false }
    } else {
        &BoardDialogue { width: 0 }
    };
    let mut board = Board::new(&played.start, &played.moves);
    let evaluation =
        Evaluation::by_solver(&played.game, &played.start, &played.moves, &mut board, &mut solver);
    let text = describe_loss(loss.as_ref(), loser, bot, dialogue);
    Ok(serde_json::to_string(&Answer { text, board, evaluation })?)
}
