//! Whole games.

use zeroxor::{Move, Position};

use super::{ENDED, assert_dialogue, dialogue};

/// The classic game, prompts included. What was typed does not show in a pipe.
#[test]
fn the_classic_game() {
    assert_dialogue(
        "--players 2",
        "9\n9\n1\n1\n",
        "Player 1's turn.
Current Total: 20
Available squares to subtract: 1, 4, 9, 16
Enter the square number to subtract: Player 1 subtracts 9. New total is 11.
Player 2's turn.
Current Total: 11
Available squares to subtract: 1, 4, 9
Enter the square number to subtract: Player 2 subtracts 9. New total is 2.
Player 1's turn.
Current Total: 2
Available squares to subtract: 1
Enter the square number to subtract: Player 1 subtracts 1. New total is 1.
Player 2's turn.
Current Total: 1
Available squares to subtract: 1
Enter the square number to subtract: Player 2 subtracts 1. New total is 0.
Player 2 wins!
",
    );
}

/// After 9 every move is forced.
#[test]
fn the_classic_game_against_the_bot() {
    assert_dialogue(
        "square 11 --first",
        "9\n1\n",
        "You are Player 1, the bot is Player 2. Type help for the commands.
Player 1's turn.
Current Total: 11
Available squares to subtract: 1, 4, 9
Enter the square number to subtract: Player 1 subtracts 9. New total is 2.
Player 2's turn.
Player 2 subtracts 1. New total is 1.
Player 1's turn.
Current Total: 1
Available squares to subtract: 1
Enter the square number to subtract: Player 1 subtracts 1. New total is 0.
Player 1 wins!
",
    );
}

#[test]
fn who_is_stuck_loses_and_names_cause_why() {
    let printed = dialogue("square 7 ban 1 --players 2", b"4\n");
    let end = "New total is 3.
Player 2 is stuck: no available square can be subtracted from 3.
Player 1 wins!
";
    assert!(printed.ends_with(end), "{printed}");
    let stuck = "Player 1 is stuck: no available square can be subtracted from 3.\nPlayer 2 wins!\n";
    assert_dialogue("square 3 ban 1 --players 2", "", stuck);
}

/// Also through a pipe, where a line has 100 characters.
#[test]
fn all_piles_are_shown() {
    let sizes: Vec<String> = (1..=20).map(|k| (2 * k + 1).to_string()).collect();
    let printed = dialogue(&format!("nim {} --first", sizes.join(" ")), b"");
    for (place, size) in (1..).zip(&sizes) {
        assert!(printed.contains(&format!(" {place}: {size}")), "{place}: {printed}");
    }
    assert!(printed.lines().all(|line| line.len() <= 100), "{printed}");
}

#[test]
fn two_people_at_a_row_of_cards() {
    assert_dialogue(
        "5 2 2 --players 2",
        "4 2\n1 2\n",
        r#"Player 1's turn.
  segment 2 2: 1 2 3 4 5
Enter a move "x y" or "help": Player 1 takes 2 at place 4.
Player 2's turn.
  segment 2 2: 1 2 3 . .
Enter a move "x y" or "help": Player 2 takes 2 at place 1.
  segment 2 2: . . 3 . .
Player 1 has no legal move.
Player 2 wins!
Player 1 made no mistake: whoever moves first loses this game against perfect play.
"#,
    );
}

/// The last line needs no end.
#[test]
fn the_input_may_end_anywhere() {
    assert!(dialogue("6 1 2 --first", b"").ends_with(&format!("\"help\": {ENDED}")));
    let printed = dialogue("square 20 --players 2", b"9\n4");
    assert!(printed.contains("Player 2 subtracts 4. New total is 7.\nPlayer 1's turn."), "{printed}");
    assert!(printed.ends_with(ENDED), "{printed}");
}

/// A person who types every possible line again and again until the game is over: the bot wins what it can win, and
/// the moves that are shown are a legal game.
#[test]
fn whole_games_against_the_bot() {
    for (header, side) in [
        ("12 2 3", "second"),
        ("15 2 2", "first"),
        ("segment 9 2 3 + square 5 ban 1 + euclid 7 3", "second"),
        ("nim 3 5 7", "second"),
        ("divisor 9 9 + subtract 6 take 2 3 + subtract 6 take 2 3", "first"),
    ] {
        let tries = (1..=15).flat_map(|x| (1..=15).map(move |y| format!("{x} {y}\n")));
        let lines = tries.collect::<String>().repeat(20);
        let printed = dialogue(&format!("{header} --{side}"), lines.as_bytes());
        let end = "\nYou lose.\nYou made no mistake: whoever moves ";
        assert!(printed.contains(end), "{header}: {printed}");
        let mut table = Position::new(&header.parse().unwrap()).unwrap();
        for line in printed.lines() {
            let Some((_, printed)) = line.split_once("Player ") else { continue };
            let Some((_, taken)) = printed.split_once(" takes ") else { continue };
            let (take, place) = taken.trim_end_matches('.').split_once(" at place ").unwrap();
            let mv = Move { place: place.parse().unwrap(), take: take.parse().unwrap() };
            table.play(mv).unwrap();
        }
        assert!(table.is_over(), "{header}");
    }
}

/// The bot's moves in a game in which the person makes the smallest moves.
fn bots_moves(args: &str) -> Vec<String> {
    let shown = dialogue(args, "1 1\n2 1\n3 1\n".repeat(40).as_bytes());
    let moves = shown.lines().filter(|line| line.starts_with("Player 2 takes"));
    moves.map(str::to_owned).collect()
}

#[test]
fn a_seed_makes_the_same_game() {
    const GAME: &str = "nim 30 40 50 --first --level easy --seed";
    assert_eq!(bots_moves(&format!("{GAME} 7")), bots_moves(&format!("{GAME} 7")));
    assert_ne!(bots_moves(&format!("{GAME} 7")), bots_moves(&format!("{GAME} 8")));
}

/// A person who takes the best hint at every move, against a bot that has won the start.
#[test]
fn a_lower_level_can_be_beaten() {
    // 1, 2 and 3 are lost for First; whatever the person takes, a perfect bot wins.
    let wins = |level: &str, seed: u64| {
        let lines = "1 1\n2 2\n2 1\n3 3\n3 2\n3 1\n".repeat(10);
        let shown = dialogue(&format!("nim 1 2 3 --first --level {level} --seed {seed}"), lines.as_bytes());
        shown.contains("\nYou win!\n")
    };
    let won = |level| (1..=20).filter(|&seed| wins(level, seed)).count();
    assert_eq!(won("perfect"), 0);
    assert!(won("normal") > 0 && won("easy") > 0);
}

#[test]
fn the_level_is_told() {
    let shown = dialogue("6 1 2 --first --level normal", b"");
    assert!(shown.starts_with("You are Player 1, the bot (normal) is Player 2. Type help"), "{shown}");
    let shown = dialogue("6 1 2 --first --level perfect", b"");
    assert!(shown.starts_with("You are Player 1, the bot is Player 2. Type help"), "{shown}");
}
