//! A game as a picture.

use super::record;
use crate::support::{assert_refuses, judge, text};

/// Every size of game is a small picture, and what a bot printed is text.
#[test]
fn a_game_is_one_picture() {
    let piles = format!("nim{}", " 700 1000000000000000000".repeat(1000));
    let rude: &[&str] = &["sh", "-c", "read h; echo First; echo 1 1; read x; echo '<b>'; read x"];
    for (game, bot, shown) in [
        ("6 1 2", rude, ">\n1. bot takes 1 at 1\n</text>"),
        ("6 1 2", rude, "expected a move"),
        ("2000 1 1", &[], ">\n1940 moves are not drawn\n</text>"),
        ("1000000000000000000 1 2", rude, "999999999999999999"),
        (&piles, rude, "1: 699"),
        ("4 1 2 + euclid 9 4", rude, "5: 9  6: 4"),
    ] {
        let (here, file, _) = record(&format!("{game} --opponent greedy --time-limit 20"), bot);
        let picture = here.file("game.svg");
        let output = judge(&format!("replay {file} --svg {picture}"), &[]);
        assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)), "{shown}");
        let svg = here.read("game.svg");
        assert!(svg.contains(shown), "{shown}: {}", &svg[svg.len().saturating_sub(3000)..]);
        assert!(svg.len() < 100_000 && svg.ends_with("</svg>\n") && !svg.contains("<b>"), "{}", svg.len());
    }
}

#[test]
fn one_game_is_drawn() {
    let (here, file, _) = record("6 1 2 --games 2", &[]);
    let picture = here.file("game.svg");
    let refused = judge(&format!("replay {file} --svg {picture}"), &[]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        text(&refused.stderr).contains("expected one game with --svg, got more: choose one with --game K")
    );
    assert!(!std::fs::exists(&picture).unwrap());
    // The report does not mix with the picture.
    let chosen = judge(&format!("replay {file} --svg - --game 2"), &[]);
    assert!(
        text(&chosen.stdout).starts_with("<!-- judge -->\n<svg ")
            && text(&chosen.stdout).ends_with("</svg>\n")
    );
    assert!(text(&chosen.stderr).contains("WON 6 1 2"), "{}", text(&chosen.stderr));
    assert_refuses("replay x --svg y --step", "cannot be used with");
}
