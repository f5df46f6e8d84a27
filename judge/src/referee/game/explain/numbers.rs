//! Explains malformed lines: which number of a move is wrong, whether places were counted from 0, and whether the bot
//! read the header in another order.

use zeroxor::Move;
use zeroxor::wire::protocol;

use crate::conversation::ruling::Ruling;
use crate::referee::game::exchange::{ExpectedLine, Turn};
use crate::referee::game::explain::PRINT;
use crate::referee::game::game_state::GameState;
use crate::referee::game::setup::GameSetup;

pub(crate) fn explain(mut ruling: Ruling, state: &GameState, game: &GameSetup) -> Ruling {
    let line = &state.refused_line;
    if let Some((_, Turn { expected: ExpectedLine::Side, .. })) = state.end {
        let spelled = "spelled exactly like that, as the first line";
        let ruling = ruling.advice(match game.header.side() {
            Some(side) => format!("the header assigns the side to the bot: print {side}, {spelled}"),
            None => format!("print First or Second, {spelled}"),
        });
        return if protocol::parse_side(line).is_err() { ruling.advice(ON_STDERR) } else { ruling };
    }
    let Some((place, take)) = pair(line) else { return ruling.advice(PRINT) };
    let places = state.exchange.position.places();
    if !(1..=i128::from(places)).contains(&place) {
        ruling = ruling.why(format!("place {place} is not between 1 and {places}"));
    }
    if take < 0 {
        ruling = ruling.why(format!("a move cannot take a negative number, {take}"));
    }
    let guesses = [counted_from_0(state, place, take), read_in_another_order(state, game, place, take)];
    ruling.advice.extend(guesses.into_iter().flatten());
    if let Some([n, l, r]) = game.header.row().filter(|_| ruling.advice.is_empty()) {
        let takes = if l == r { format!("{l}") } else { format!("{l} to {r}") };
        let advice = format!("take {takes} at a place from 1 to {n}, as the header \"N L R\" says");
        return ruling.advice(advice);
    }
    ruling
}

const ON_STDERR: &str = "print everything else to stderr";

/// Parses a line that consists of two numbers; returns `None` for any other line.
fn pair(line: &[u8]) -> Option<(i128, i128)> {
    let text = std::str::from_utf8(line).ok()?;
    let mut words = text.split_ascii_whitespace();
    // No game has numbers from 2^100 on, and sums of such numbers could overflow.
    let mut number = || words.next()?.parse().ok().filter(|number: &i128| number.unsigned_abs() < 1 << 100);
    let pair = (number()?, number()?);
    words.next().is_none().then_some(pair)
}

/// Returns the advice for a move at place 0, if the same move at place 1 would be legal.
fn counted_from_0(state: &GameState, place: i128, take: i128) -> Option<String> {
    let mv = Move {
        place: u64::try_from(place + 1).ok().filter(|_| place == 0)?,
        take: u64::try_from(take).ok()?,
    };
    let is_legal = state.exchange.position.clone().play(mv).is_ok();
    is_legal.then(|| format!("places are numbered from 1, not from 0: \"{mv}\" would be legal"))
}

/// Returns the advice for a bot that seems to have read L or R as the length of the row. The evidence is a first move
/// that takes the middle of a row of this wrong length, or a later move that mirrors the opponent's last move in such a
/// row after the first move of the game has taken its middle.
pub(crate) fn read_in_another_order(
    state: &GameState,
    game: &GameSetup,
    place: i128,
    take: i128,
) -> Option<String> {
    let [n, l, r] = game.header.row()?.map(i128::from);
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
                    let player = game.opponent.player();
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
    fn lines_of_two_numbers() {
        assert_eq!(pair(b" -999 1\r"), Some((-999, 1)));
        for line in ["1", "1 2 3", "x 1", "1 2.0", "", "1,2"] {
            assert_eq!(pair(line.as_bytes()), None, "{line}");
        }
    }
}
