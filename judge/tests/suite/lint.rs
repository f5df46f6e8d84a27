//! The checks of `judge lint`.

use crate::support::{Printed, bot, has_python, judge};

/// Checks that the report explains lost games: it names the bot's mistake, and what the games have in common.
#[test]
fn lost_games_are_explained() {
    if !has_python() {
        return;
    }
    let output =
        judge("lint --family segment --only 3 --time-limit 5", &["python3", &bot("broken/wrong_side.py")]);
    let expected = " 3 lost plays by the rules and prints nothing else: by the rules, but it lost \"6 1 2\", \"20 1 2\", \
        \"9 1 5\": you chose Second; First wins here, for instance by taking ";
    output
        .begins(expected)
        .prints("\n        again: judge run 6 1 2 ")
        .prints(": 0 passed, 0 failed, 1 lost, 0 noted\n");
    let lines: Vec<&str> = output.out().lines().collect();
    assert!(
        lines[1].starts_with("        why: the bot chose Second in every game so far, but "),
        "{output:?}"
    );
    output.exits(0);
}
