//! Hints, the reason why a game was lost, and the texts for both.

use zeroxor::grundy::TooLarge;
use zeroxor::position::PlacedHeap;
use zeroxor::rules::Shape;
use zeroxor::{Move, Position, Side};

use crate::play::dialogue::Dialogue;
use crate::referee::game::review::Blunder;

/// Returns the texts of a hint. Each says more than the previous one: whether the position is won, in which heap, and by
/// which move. The heap is left out if only one heap has moves. `winning_move` is `None` in a lost position.
pub(crate) fn hints(position: &Position, winning_move: Option<Move>, dialogue: Dialogue) -> Vec<String> {
    let Some(mv) = winning_move else { return vec!["no move wins against perfect play.".to_owned()] };
    let heap = position.live_heaps().filter(|heap| heap.place <= mv.place).last();
    let heap = heap.filter(|_| position.live_heaps().nth(1).is_some());
    let won = |what| format!("a move wins from here. Type hint again to see {what}.");
    let last = format!("{} wins.", dialogue.format_move(mv));
    match heap.map(|heap| describe_heap(&heap)) {
        Some(heap) => vec![won("where"), format!("a move in {heap} wins. Type hint again to see it."), last],
        None => vec![won("it"), last],
    }
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Loss {
    /// The player's last blunder. The other player then kept the win.
    Blunder(Blunder),
    /// The player resigned, although this move wins the position.
    ResignedWon(Move),
    /// The start was lost for the player, and the other player made no blunder.
    FromTheStart,
}

pub(crate) fn player_name(side: Side) -> &'static str {
    match side {
        Side::First => "Player 1",
        Side::Second => "Player 2",
    }
}

fn describe_heap(placed: &PlacedHeap<'_>) -> String {
    let first = placed.place;
    let last = first + placed.rules.width(placed.heap) - 1;
    match placed.rules.shape() {
        Shape::Row if first == last => format!("card {first}"),
        Shape::Row => format!("cards {first} to {last}"),
        Shape::Pair => format!("the pair at places {first} and {last}"),
        _ => format!("the pile at place {first}"),
    }
}

/// Describes why `loser` has lost, for example which move threw the win away, and which move would have kept it.
pub(crate) fn describe_loss(
    loss: Result<&Loss, &TooLarge>,
    loser: Side,
    bot: Option<Side>,
    dialogue: Dialogue,
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
            let order = loser.to_string().to_lowercase();
            format!("{name} made no mistake: whoever moves {order} loses this game against perfect play.")
        }
        Err(error) => format!("The losing move cannot be computed: {error}."),
    }
}

#[cfg(test)]
mod tests {
    use zeroxor::Solver;

    use super::*;
    use crate::play::GameInPlay;

    #[test]
    fn hints_of_rows_and_lost_positions() {
        let hints = |header: &str| {
            let position = Position::new(&header.parse().unwrap()).unwrap();
            let winning_move = Solver::new().winning_move(&position).unwrap();
            hints(&position, winning_move, Dialogue::Board { width: 80 })
        };
        assert_eq!(hints("nim 3 5 6"), ["no move wins against perfect play."]);
        assert!(hints("nim 1 + 7 1 2 + nim 1")[1].contains("in cards 2 to 8 wins."));
    }

    /// Returns why a player lost who resigned after moves in the first heap.
    fn loss(header: &str, loser: Side, takes: &[u64]) -> Loss {
        let mut game = GameInPlay::new(Position::new(&header.parse().unwrap()).unwrap(), None);
        for &take in takes {
            game.play(Move { place: 1, take }).unwrap();
        }
        game.is_resigned = true;
        game.loss(loser).unwrap()
    }

    /// The P-positions of subtract-a-square are 0, 2, 5, 7, 10, 12, 15, 17, 20.
    #[test]
    fn the_last_blunder_decides() {
        // From 18, taking 1 wins, but First takes 4. From 14, 4 wins, but Second takes 1. From 13, 1 wins, but First
        // takes 9, and Second takes the remaining 4.
        let Loss::Blunder(blunder) = loss("square 18", Side::First, &[4, 1, 9, 4]) else { panic!() };
        assert_eq!((blunder.ply, blunder.mv.take, blunder.better.map(|mv| mv.take)), (3, 9, Some(1)));
    }

    #[test]
    fn lost_starts_and_resignations() {
        for (header, takes) in [("square 20", &[9, 9, 1, 1][..]), ("square 3 ban 1", &[]), ("square 20", &[])]
        {
            assert_eq!(loss(header, Side::First, takes), Loss::FromTheStart, "{header}");
        }
        assert_eq!(loss("square 4", Side::First, &[]), Loss::ResignedWon(Move { place: 1, take: 4 }));
        let Loss::Blunder(blunder) = loss("square 4 2", Side::First, &[1, 1]) else { panic!() };
        assert_eq!(blunder.ply, 1);
    }
}
