//! The answer to `turn`: the position of a game, after the bot's move if it is the bot's turn.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use zeroxor::GameSpec;
use zeroxor::grundy::Budget;

use super::played::{PlayedText, half_budget, parse, side};
use crate::play::level::{Chooser, Level};
use crate::play::{Bot, Game};
use crate::report::replay_page::Board;
use common::json::Number;
use referee::conversation::side_to_move;

#[derive(Deserialize)]
struct Request {
    #[serde(flatten)]
    played: PlayedText,
    bot: Option<BotRequest>,
}

#[derive(Deserialize)]
struct BotRequest {
    side: String,
    level: String,
    /// The seed of the random moves of a lower level. The page keeps it during a game.
    seed: u64,
    /// Whether the bot plays without tables, as if all tables were too large.
    #[serde(default)]
    hurried: bool,
}

#[derive(Serialize)]
struct Answer {
    board: Board,
    to_move: String,
    /// The side that has lost, because it has no move or because the other side has none in misère play; `null` while
    /// the game continues.
    loser: Option<String>,
    /// The bot's move, which is the last move of the board.
    reply: Option<[Number; 2]>,
    /// Why the bot could not compute who wins; `null` if it could, or did not try.
    unsolved: Option<String>,
    /// The ranges of the number of cards that a move may take, for each game of the sum; `null` for a game without
    /// rows. A move that takes 0 cards splits a row.
    row_takes: Vec<Option<Vec<[Number; 2]>>>,
}

pub(super) fn answer(request: &[u8]) -> anyhow::Result<String> {
    let Request { played, bot } = parse(request)?;
    let played = played.read()?;
    let budget = if bot.as_ref().is_some_and(|bot| bot.hurried) { Budget::new(0, 0) } else { half_budget() };
    let bot = bot.map(|bot| bot.read(played.moves.len())).transpose()?;
    // A game without a bot computes nothing, so drop a bot that is not to move.
    let bot = bot.filter(|bot| bot.side == side_to_move(played.moves.len() as u64 + 1));
    let mut game = Game::resumed(played.start.clone(), &played.moves, bot, budget)?;
    let (mut reply, mut unsolved) = (None, None);
    let mut moves = played.moves;
    if game.loser().is_none() && game.bot().is_some() {
        let made = game.play_bot()?;
        moves.push(made.mv);
        reply = Some([made.mv.place, made.mv.take].map(Number));
        unsolved = made.unsolved.map(|error| error.to_string());
    }
    let answer = Answer {
        board: Board::new(&played.start, &moves),
        to_move: game.side_to_move().to_string(),
        loser: game.loser().map(|loser| loser.to_string()),
        reply,
        unsolved,
        row_takes: played.game.components().iter().map(row_takes).collect(),
    };
    Ok(serde_json::to_string(&answer)?)
}

impl BotRequest {
    /// Returns the bot that moves after `plies` moves. The seed depends on `plies` because each move is made by a new
    /// `Bot`, which would otherwise repeat the same random numbers.
    fn read(&self, plies: usize) -> anyhow::Result<Bot> {
        let level = Level::from_str(&self.level, false).map_err(anyhow::Error::msg)?;
        Ok(Bot {
            side: side(&self.side)?,
            chooser: Chooser::new(level, self.seed.wrapping_add(plies as u64)),
        })
    }
}

/// Returns the ranges of the number of cards that a move may take; `None` if the game has no rows. A move that takes 0
/// cards splits a row.
fn row_takes(game: &GameSpec) -> Option<Vec<[Number; 2]>> {
    match game {
        GameSpec::Segment { l, r, .. } => Some(vec![[*l, *r].map(Number)]),
        GameSpec::Octal { code, .. } => {
            let takes = (0..=code.longest_take().unwrap_or(game.size())).filter(|&take| code.digit(take) > 0);
            Some(takes.map(|take| [take, take].map(Number)).collect())
        }
        GameSpec::Grundy { .. } => Some(vec![[0, 0].map(Number)]),
        _ => None,
    }
}
