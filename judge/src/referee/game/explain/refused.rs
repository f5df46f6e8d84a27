//! Explains refused lines: which earlier move is in the way of an illegal move, which move would have been legal, which
//! number of a malformed line is wrong, and whether the bot counted places from 0 or read the header in another order.

use zeroxor::rules::Violation;
use zeroxor::wire::protocol;
use zeroxor::{IllegalMove, Move};

use crate::conversation::verdict::Ruling;
use crate::referee::game::exchange::{EndCause, ExpectedLine, side_to_move};
use crate::referee::game::explain::PRINT;
use crate::referee::game::game_state::GameState;

pub(crate) fn illegal(ruling: Ruling, state: &GameState) -> Ruling {
    let Some(EndCause::Illegal(IllegalMove { mv, rule })) = state.end else { return ruling };
    let position = &state.exchange.position;
    let (obstacle, is_by_opponent) = obstacle(state, mv, rule).unzip();
    let is_by_opponent = is_by_opponent == Some(true);
    let mut ruling = ruling.why_if_any(obstacle).why(match position.nth_move(0) {
        Some(legal) => format!("a move was left: \"{legal}\" was legal"),
        None if position.is_misere() => {
            "no move was left: the bot would have won by printing \"0 0\"".to_owned()
        }
        None => "no move was left: the bot had to print \"0 0\"".to_owned(),
    });
    if let Some(mirror) = off_by_one_mirror(state, mv).filter(|_| !is_by_opponent) {
        ruling.advice(mirror)
    } else if let Some(order) = read_in_another_order(state, mv.place.into(), mv.take.into()) {
        ruling.advice(order)
    } else if is_by_opponent {
        ruling.advice(format!(
            "mark what {} takes, not only what the bot takes",
            state.setup.game.opponent.player()
        ))
    } else {
        let may_be_off_by_one = state.setup.game.header.row().is_some()
            && matches!(rule, Violation::NoSuchPlace { .. } | Violation::RunTooShort { .. });
        let legal = legal_beside(state, mv.place.into(), mv.take.into()).filter(|_| may_be_off_by_one);
        let legal = legal.map(|legal| format!("is the place wrong by one? \"{legal}\" would be legal"));
        ruling.advice.extend(legal);
        ruling.advice(rule.advice())
    }
}

/// Returns what is in the way of an illegal move in a row, an earlier move or the end of the row, and whether it is a
/// move of the opponent; `None` if the move breaks another rule.
fn obstacle(state: &GameState, mv: Move, rule: Violation) -> Option<(String, bool)> {
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
    let who = if is_by_bot { "the bot itself" } else { state.setup.game.opponent.player() };
    let did = if earlier.take == 0 { "split the row before" } else { "took" };
    Some((format!("{who} {did} card {blocked} in move {ply}, \"{earlier}\""), !is_by_bot))
}

/// Returns the advice for a move whose place differs by one from the mirror image of the opponent's last move.
fn off_by_one_mirror(state: &GameState, mv: Move) -> Option<String> {
    let [n, ..] = state.setup.game.header.row()?;
    let &last = state.exchange.moves.last()?;
    let place = mirrored(n, last).filter(|place| place.abs_diff(mv.place) == 1 && last.take == mv.take)?;
    let image = Move { place, ..mv };
    Some(format!(
        "is the place wrong by one? The mirror image of {}'s \"{last}\" is \"{image}\", not \"{mv}\"",
        state.setup.game.opponent.player()
    ))
}

/// Returns a legal move one place before or after this one, which is not legal.
fn legal_beside(state: &GameState, place: i128, take: i128) -> Option<Move> {
    let take = take.try_into().ok()?;
    let places = [place - 1, place + 1].into_iter().filter_map(|place| place.try_into().ok());
    places.map(|place| Move { place, take }).find(|&mv| state.exchange.position.clone().play(mv).is_ok())
}

fn mirrored(n: u64, mv: Move) -> Option<u64> {
    (n + 2).checked_sub(mv.place.checked_add(mv.take)?)
}

pub(crate) fn malformed(mut ruling: Ruling, state: &GameState) -> Ruling {
    let line = &state.refused_line;
    if state.turn().expected == ExpectedLine::Side {
        let spelled = "spelled exactly like that, as the first line";
        let ruling = ruling.advice(match state.setup.game.header.side() {
            Some(side) => format!("the header assigns the side to the bot: print {side}, {spelled}"),
            None => format!("print First or Second, {spelled}"),
        });
        return if protocol::parse_side(line).is_err() {
            ruling.advice("print everything else to stderr")
        } else {
            ruling
        };
    }
    let Some((place, take)) = pair(line) else { return ruling.advice(PRINT) };
    let places = state.exchange.position.places();
    if !(1..=i128::from(places)).contains(&place) {
        ruling = ruling.why(format!("place {place} is not between 1 and {places}"));
    }
    if take < 0 {
        ruling = ruling.why(format!("a move cannot take a negative number, {take}"));
    }
    let counted_from_0 = legal_beside(state, place, take)
        .filter(|_| place == 0)
        .map(|mv| format!("places are numbered from 1, not from 0: \"{mv}\" would be legal"));
    let guesses = [counted_from_0, read_in_another_order(state, place, take)];
    ruling.advice.extend(guesses.into_iter().flatten());
    if let Some([n, l, r]) = state.setup.game.header.row().filter(|_| ruling.advice.is_empty()) {
        let takes = if l == r { format!("{l}") } else { format!("{l} to {r}") };
        let advice = format!("take {takes} at a place from 1 to {n}, as the header \"N L R\" says");
        return ruling.advice(advice);
    }
    ruling
}

/// Parses a line that consists of two numbers; returns `None` for any other line.
fn pair(line: &[u8]) -> Option<(i128, i128)> {
    let text = std::str::from_utf8(line).ok()?;
    let mut words = text.split_ascii_whitespace();
    // No game has numbers from 2^100 on, and sums of such numbers could overflow.
    let mut number = || words.next()?.parse().ok().filter(|number: &i128| number.unsigned_abs() < 1 << 100);
    let pair = (number()?, number()?);
    words.next().is_none().then_some(pair)
}

/// Returns the advice for a bot that seems to have read L or R as the length of the row. The evidence is a first move
/// that takes the middle of a row of this wrong length, or a later move that mirrors the opponent's last move in such a
/// row after the first move of the game has taken its middle.
fn read_in_another_order(state: &GameState, place: i128, take: i128) -> Option<String> {
    let [n, l, r] = state.setup.game.header.row()?.map(i128::from);
    if !(l..=r).contains(&take) {
        return None;
    }
    // Some languages round the quotient down, others round towards 0.
    let middles = |n: i128, take: i128| [(n - take).div_euclid(2) + 1, (n - take) / 2 + 1];
    let mut shorter = [(l, "L"), (r, "R")].into_iter().filter(|&(number, _)| number < n);
    let guess = shorter.find_map(|(number, name)| {
        let evidence = match &state.exchange.moves[..] {
            [] => middles(number, take).contains(&place).then(|| {
                format!(
                    "its place {place} is ({name} - {take}) / 2 + 1, but (N - {take}) / 2 + 1 is {}",
                    middles(n, take)[0]
                )
            }),
            [first, .., last] => {
                let is_middle = middles(number, first.take.into()).contains(&first.place.into());
                let mirror = number + 2 - i128::from(last.place) - take;
                (is_middle && take == i128::from(last.take) && place == mirror).then(|| {
                    let player = state.setup.game.opponent.player();
                    format!("its place {place} mirrors {player}'s move in a row of {number} cards")
                })
            }
            [_] => None,
        };
        evidence.map(|evidence| format!("The bot seems to use {name} as the length of the row: {evidence}"))
    })?;
    Some(format!("did you read the header as N L R? Here N = {n}, L = {l} and R = {r}. {guess}"))
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

    #[test]
    fn lines_of_two_numbers() {
        assert_eq!(pair(b" -999 1\r"), Some((-999, 1)));
        for line in ["1", "1 2 3", "x 1", "1 2.0", "", "1,2"] {
            assert_eq!(pair(line.as_bytes()), None, "{line}");
        }
    }
}
