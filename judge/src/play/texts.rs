//! What is said about players, hints and the end of a game.

use zeroxor::Side;
use zeroxor::grundy::TooLarge;
use zeroxor::position::PlacedHeap;
use zeroxor::rules::Shape;

use super::dialogue::Dialogue;
use super::hint::Hint;
use super::loss::Loss;

/// The name of a side.
pub(crate) fn player_name(side: Side) -> &'static str {
    match side {
        Side::First => "Player 1",
        Side::Second => "Player 2",
    }
}

/// Describes the first of these steps of a hint, and how to see the next.
pub(crate) fn describe_hint(steps: &[Hint<'_>], dialogue: &dyn Dialogue) -> String {
    let text = match steps.first() {
        Some(Hint::Lost) | None => "no move wins against perfect play.".to_owned(),
        Some(Hint::Won) => "a move wins from here.".to_owned(),
        Some(Hint::Heap(placed)) => format!("a move in {} wins.", describe_heap(placed)),
        Some(Hint::Move(mv)) => format!("{} wins.", dialogue.format_move(*mv)),
    };
    match steps.get(1) {
        Some(Hint::Heap(_)) => format!("{text} Type hint again to see where."),
        Some(_) => format!("{text} Type hint again to see it."),
        None => text,
    }
}

/// Names a heap by its places.
pub(crate) fn describe_heap(placed: &PlacedHeap<'_>) -> String {
    let first = placed.place;
    let last = first + placed.rules.width(placed.heap) - 1;
    match placed.rules.shape() {
        Shape::Row if first == last => format!("card {first}"),
        Shape::Row => format!("cards {first} to {last}"),
        Shape::Pair => format!("the pair at places {first} and {last}"),
        _ => format!("the pile at place {first}"),
    }
}

/// Tells why `loser` has lost: the move that threw the win away, and what would have kept it.
pub(crate) fn describe_loss(
    loss: Result<&Loss, &TooLarge>,
    loser: Side,
    bot: Option<Side>,
    dialogue: &dyn Dialogue,
) -> String {
    let (name, whose) = match bot {
        None => (player_name(loser), format!("{}'s", player_name(loser))),
        Some(bot) if bot == loser => ("The bot", "the bot's".to_owned()),
        Some(_) => ("You", "your".to_owned()),
    };
    match loss {
        Ok(Loss::Blunder(blunder)) => {
            let mv = dialogue.format_move(blunder.mv);
            let kept = blunder.better.map(|mv| format!("; {} would have kept it", dialogue.format_move(mv)));
            format!("Move {} ({mv}) threw {whose} win away{}.", blunder.ply, kept.unwrap_or_default())
        }
        Ok(Loss::ResignedWon(mv)) => {
            format!("{name} could have won: {} was a winning move.", dialogue.format_move(*mv))
        }
        Ok(Loss::FromTheStart) => {
            let order = match loser {
                Side::First => "first",
                Side::Second => "second",
            };
            format!("{name} made no mistake: whoever moves {order} loses this game against perfect play.")
        }
        Err(error) => format!("Which move lost the game cannot be computed: {error}."),
    }
}
