//! Explains illegal moves: which earlier move is in the way, who played it, and which move would have been legal.

use zeroxor::rules::Violation;
use zeroxor::{IllegalMove, Move};

use crate::conversation::ruling::Ruling;
use crate::referee::game::exchange::{EndCause, side_to_move};
use crate::referee::game::explain::numbers;
use crate::referee::game::game_state::GameState;
use crate::referee::game::setup::GameSetup;

pub(crate) fn explain(ruling: Ruling, state: &GameState, game: &GameSetup) -> Ruling {
    let Some(&EndCause::Illegal(IllegalMove { mv, rule })) = state.end_cause() else { return ruling };
    let position = &state.exchange.position;
    let (obstacle, is_by_opponent) = obstacle(state, game, mv, rule).unzip();
    let is_by_opponent = is_by_opponent == Some(true);
    let mut ruling = ruling.why_if_any(obstacle).why(match position.nth_move(0) {
        Some(legal) => format!("a move was left: \"{legal}\" was legal"),
        None if position.is_misere() => {
            "no move was left: the bot would have won by printing \"0 0\"".to_owned()
        }
        None => "no move was left: the bot had to print \"0 0\"".to_owned(),
    });
    if let Some(mirror) = off_by_one_mirror(state, game, mv).filter(|_| !is_by_opponent) {
        ruling.advice(mirror)
    } else if let Some(order) = numbers::read_in_another_order(state, game, mv.place.into(), mv.take.into()) {
        ruling.advice(order)
    } else if is_by_opponent {
        ruling.advice(format!("mark what {} takes, not only what the bot takes", game.opponent.player()))
    } else {
        ruling.advice.extend(off_by_one_legal(state, game, mv, rule));
        ruling.advice(rule.advice())
    }
}

/// Returns what is in the way of an illegal move in a row, an earlier move or the end of the row, and whether it is a
/// move of the opponent; `None` if the move breaks another rule.
fn obstacle(state: &GameState, game: &GameSetup, mv: Move, rule: Violation) -> Option<(String, bool)> {
    let blocked = match rule {
        Violation::Taken => mv.place,
        Violation::RunTooShort { free } => mv.place.checked_add(free)?,
        _ => return None,
    };
    let mut rows = state.exchange.position.components().iter().map(|row| row.place..row.place + row.width);
    let row = rows.find(|row| row.contains(&mv.place))?;
    let mut moves = (1..).zip(&state.exchange.moves).filter(|(_, earlier)| row.contains(&earlier.place));
    let is_obstacle = |earlier: &Move| match earlier.take {
        0 => earlier.place == blocked && rule != Violation::Taken,
        take => (earlier.place..earlier.place.saturating_add(take)).contains(&blocked),
    };
    let Some((ply, earlier)) = moves.find(|(_, earlier)| row.contains(&blocked) && is_obstacle(earlier))
    else {
        return Some((format!("the row ends with card {}", blocked - 1), false));
    };
    let is_by_bot = Some(side_to_move(ply)) == state.exchange.side;
    let who = if is_by_bot { "the bot itself" } else { game.opponent.player() };
    let did = if earlier.take == 0 { "split the row before" } else { "took" };
    Some((format!("{who} {did} card {blocked} in move {ply}, \"{earlier}\""), !is_by_bot))
}

/// Returns the advice for a move whose place differs by one from the mirror image of the opponent's last move.
fn off_by_one_mirror(state: &GameState, game: &GameSetup, mv: Move) -> Option<String> {
    let [n, ..] = game.header.row()?;
    let &last = state.exchange.moves.last()?;
    let place = mirrored(n, last).filter(|place| place.abs_diff(mv.place) == 1 && last.take == mv.take)?;
    let image = Move { place, ..mv };
    Some(format!(
        "is the place wrong by one? The mirror image of {}'s \"{last}\" is \"{image}\", not \"{mv}\"",
        game.opponent.player()
    ))
}

/// Returns the advice for a move that would be legal one place lower or higher.
fn off_by_one_legal(state: &GameState, game: &GameSetup, mv: Move, rule: Violation) -> Option<String> {
    game.header.row()?;
    if !matches!(rule, Violation::NoSuchPlace { .. } | Violation::RunTooShort { .. }) {
        return None;
    }
    let places = [mv.place.checked_sub(1), mv.place.checked_add(1)];
    let mut moves = places.into_iter().flatten().map(|place| Move { place, ..mv });
    let legal = moves.find(|&mv| state.exchange.position.clone().play(mv).is_ok())?;
    Some(format!("is the place wrong by one? \"{legal}\" would be legal"))
}

/// Returns the place of a move's mirror image in a row of `n` cards.
fn mirrored(n: u64, mv: Move) -> Option<u64> {
    (n + 2).checked_sub(mv.place.checked_add(mv.take)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirror_images() {
        assert_eq!(mirrored(20, Move { place: 1, take: 2 }), Some(19));
        assert_eq!(mirrored(20, Move { place: 19, take: 2 }), Some(1));
        assert_eq!(mirrored(1, Move { place: 3, take: 2 }), None);
    }
}
