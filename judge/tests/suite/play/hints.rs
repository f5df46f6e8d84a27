//! Hints, which say more each time.

use super::dialogue;

/// What the bot is asked for, and how it answers, one line each.
#[track_caller]
fn assert_hints(args: &str, lines: &str, expected: &[&str]) {
    let shown = dialogue(args, lines.as_bytes());
    let hints: Vec<&str> = shown.lines().filter_map(|line| Some(line.split_once("Hint: ")?.1)).collect();
    assert_eq!(hints, expected, "{args}: {shown}");
}

#[test]
fn three_steps_and_the_last_again() {
    assert_hints(
        "nim 3 5 7 --first",
        "hint\nHINT\n hint\r\nhint\n",
        &[
            "a move wins from here. Type hint again to see where.",
            "a move in the pile at place 1 wins. Type hint again to see it.",
            "1 1 wins.",
            "1 1 wins.",
        ],
    );
    assert_hints("square 20 --first", "hint\nhint\n", &["no move wins against perfect play."; 2]);
}

#[test]
fn the_heap_is_named_by_its_kind() {
    let second = |args: &str, lines: &str, expected: &str| {
        let shown = dialogue(args, lines.as_bytes());
        assert!(shown.contains(&format!("Hint: a move in {expected} wins. ")), "{args}: {shown}");
    };
    second("6 1 2 + nim 9 --first", "hint\nhint\n", "the pile at place 7");
    second("euclid 5 2 + nim 1 1 --first", "hint\nhint\n", "the pair at places 1 and 2");
    second("9 1 2 --players 2", "2 1\nhint\nhint\n", "cards 3 to 9");
    second("5 1 1 --players 2", "2 1\n4 1\nhint\nhint\n", "card 1");
}

/// Where moves can be made in one heap alone, the next step is the move.
#[test]
fn a_single_heap_is_not_named() {
    let first = "a move wins from here. Type hint again to see it.";
    assert_hints("square 4 --first", "hint\nhint\n", &[first, "4 wins."]);
    assert_hints("6 1 2 --first", "hint\nhint\n", &[first, "3 2 wins."]);
}

/// After a move, or when one is taken back, the steps begin again.
#[test]
fn every_position_has_its_own_hints() {
    let first = "a move wins from here. Type hint again to see it.";
    assert_hints(
        "square 18 --players 2",
        "hint\n4\nhint\nundo\nhint\nhint\n",
        &[first, first, first, "1 wins."],
    );
}

#[test]
fn a_game_that_is_too_large_has_no_hints() {
    let beyond = dialogue("1000000000 3 3 --first", b"hint\n2 3\n");
    assert!(
        beyond.contains("Hint: the winning move cannot be computed: a Grundy table of segments"),
        "{beyond}"
    );
    let blind = "The bot cannot compute who wins, and plays on without knowing it: a Grundy table";
    assert!(beyond.contains(blind) && beyond.contains("\nPlayer 2 takes 3 at place "), "{beyond}");
}
