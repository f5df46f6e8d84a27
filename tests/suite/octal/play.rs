//! Play by a code: as a window plays, and won wherever it can be won.

use zeroxor::{GameSpec, Player, Position};

use super::random_codes;
use crate::definition::position;

/// The code of a window plays exactly like the window, from either side.
#[test]
fn a_window_by_its_code() {
    for (code, l, r) in [("0.77", 1, 2), ("0.07", 2, 2), (".777", 1, 3), ("0.00777", 3, 5), ("0.7", 1, 1)] {
        for n in (r..40).chain([2000]) {
            let mut players = [format!("octal {code} {n}"), format!("segment {n} {l} {r}")]
                .map(|header| Player::new(position(&header)));
            let [by_code, by_window] = &mut players;
            assert_eq!(by_code.winning_side(), by_window.winning_side(), "{code} {n}");
            for ply in 0_u64.. {
                let moves = [by_code.best_move(), by_window.best_move()];
                assert_eq!(moves[0], moves[1], "{code} {n}");
                let Some(mv) = moves[0] else { break };
                by_code.play(mv).unwrap();
                by_window.play(mv).unwrap();
                let count = u64::try_from(by_code.position().move_count()).unwrap();
                if count == 0 {
                    break;
                }
                let reply = by_window.position().nth_move((ply * 7919 % count).into()).unwrap();
                by_code.opponent_played(reply).unwrap();
                by_window.opponent_played(reply).unwrap();
            }
        }
    }
}

/// Two spellings of one game are one game.
#[test]
fn spellings_are_one_game() {
    let [short, long] =
        [".77", "0.7700"].map(|code| format!("octal {code} 9 4").parse::<GameSpec>().unwrap());
    assert_eq!(short, long);
    assert_eq!(short.to_string(), "octal 0.77 9 4");
    let split = ["4.", "4.0", "4.00"].map(|code| format!("octal {code} 10").parse::<GameSpec>().unwrap());
    assert!(split.iter().all(|game| *game == split[0] && game.to_string() == "octal 4.0 10"), "{split:?}");
    let sum = position("octal .77 9 + octal 0.770 9");
    assert!(sum.rules(1).is_none(), "equal rules are kept once");
}

#[test]
fn moves_that_cannot_be_written_are_refused() {
    for game in ["octal 4.7 9", "octal 0.8 9", "grundy 9", "nim 3 + octal 4.7 9"] {
        let error = Position::new(&game.parse().unwrap()).unwrap_err();
        assert!(error.expected().contains("each move takes cards and leaves two heaps at most"), "{error}");
    }
}

/// 200 random codes that can be played.
pub fn playable() -> impl Iterator<Item = zeroxor::OctalCode> {
    random_codes(400).filter(zeroxor::OctalCode::is_playable).take(200)
}
