//! The bot's levels.

use super::dialogue;

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
