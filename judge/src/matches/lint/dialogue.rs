//! The lines of a game that failed: what the bot was sent, what it printed, and the position after each move.

use zeroxor::{Move, Position};

use crate::report::picture::draw;
use common::escape::printable_bytes;
use referee::finished_game::FinishedGame;
use referee::spectator::Mover;

/// How many of the last moves are shown.
const SHOWN_MOVES: usize = 4;

/// How many characters of the bot's last line are shown.
const SHOWN_BYTES: usize = 60;

/// How wide the position beside a line is drawn.
const DRAWN_WIDTH: usize = 40;

/// The last lines of a game, the newest last: none if the bot printed nothing that could be read.
pub(super) fn dialogue(game: &FinishedGame) -> Vec<String> {
    let (result, header) = (&game.result, &game.setup.game.header);
    if result.side.is_none() && result.last_line.is_empty() {
        return Vec::new();
    }
    let Ok(mut position) = Position::new(header.game()) else { return Vec::new() };
    let mut lines = vec![line("judge", header.text(), Some((&position, None)))];
    lines.extend(result.side.map(|side| line("bot", &side.to_string(), None)));
    let hidden = result.moves.len().saturating_sub(SHOWN_MOVES);
    if hidden > 0 {
        lines.push(format!("({hidden} moves before)"));
    }
    for (ply, &mv) in (1_u64..).zip(&result.moves) {
        if position.play(mv).is_err() {
            return lines;
        }
        if ply > hidden as u64 {
            let who = if Mover::of(ply, result.side) == Mover::Bot { "bot" } else { "judge" };
            lines.push(line(who, &mv.to_string(), Some((&position, Some(mv)))));
        }
    }
    if result.has_won {
        lines.push(line("judge", "0 0", None));
    }
    if !result.last_line.is_empty() {
        let shown = &result.last_line[..result.last_line.len().min(SHOWN_BYTES)];
        lines.push(line("bot", &printable_bytes(shown), None));
    }
    lines
}

/// A line of the conversation, and the position after it.
fn line(who: &str, text: &str, position: Option<(&Position, Option<Move>)>) -> String {
    let drawing = position.map_or_else(String::new, |(position, mv)| draw(position, mv, DRAWN_WIDTH));
    format!("{:<6} {text:<12}  {drawing}", format!("{who}>")).trim_end().to_owned()
}
