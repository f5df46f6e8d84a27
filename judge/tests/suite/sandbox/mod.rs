//! `--sandbox`: what a bot cannot do, and that it can still play.

mod guards;
mod judge;
mod launch;
mod processes;
mod reach;
mod refusals;
mod terminals;

use crate::support::{JUDGE, assert_all_won, games, has_python, has_sandbox, pass_as_an_ordinary_user};

#[test]
fn a_bot_plays_and_wins_inside() {
    if !has_sandbox() {
        return;
    }
    assert_all_won("20 3 5 --sandbox --games 3", &[], 3);
    assert_all_won("2000 1 1 --sandbox --opponent random", &[JUDGE, "bot"], 1);
    let script = "read h </dev/stdin; echo First; echo 3 2; read x; echo 5 1 >/dev/null; \
                  echo 5 1 >/dev/stdout; read x; echo 6 1";
    assert_all_won("6 1 2 --sandbox --opponent slow", &["sh", "-c", script], 1);
    if has_python() {
        assert_all_won("20 3 3 --sandbox", &["python3", "tests/bots/definition.py"], 1);
    }
}

/// The judge can still measure what a bot in the sandbox does.
#[test]
fn an_idle_bot_is_seen() {
    if !has_sandbox() {
        return;
    }
    let (games, _) = games("6 1 2 --time-limit 1 --sandbox", &["sleep", "100"]);
    assert_eq!(games[0]["verdict"], "IDLE", "{}", games[0]);
}

/// The bots of an ordinary user are restricted like the bots of root, by other features of the kernel.
#[test]
fn as_an_ordinary_user() {
    if has_sandbox() {
        pass_as_an_ordinary_user(&["sandbox::"]);
    }
}
