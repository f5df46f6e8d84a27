//! The bot's own clock.

use crate::support::{alone, judge_reading, text};

/// A game whose cost is most of the budget is answered, or refused by the clock of a slow machine.
#[test]
fn a_game_near_the_limit_ends() {
    let _alone = alone();
    let output = judge_reading("bot", b"150000 3 3 + 150000 4 4\n");
    let why = text(&output.stderr);
    match output.status.code() {
        Some(1) => assert!(text(&output.stdout).starts_with("First\n") || text(&output.stdout) == "Second\n"),
        code => {
            assert!(code == Some(2) && why.contains(" ms of CPU time, and the limit is "), "{code:?}: {why}");
        }
    }
}
