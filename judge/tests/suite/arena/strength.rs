//! Bots of known strength.

use super::{played, script};
use crate::support::{JUDGE, text};

/// A bot that plays perfectly, but resigns a share of its games, in thousandths, chosen by a hash of the header.
fn resigning(name: &str, per_mille: u32) -> String {
    script(
        name,
        &format!(
            "read h; n=$(echo \"$h {name}\" | cksum); n=${{n%% *}}; if [ $((n % 1000)) -lt {per_mille} ]; then \
             case $h in *first) echo First;; *) echo Second; read x;; esac; \
             case $x in \"0 0\") exit 0;; esac; echo 0 0; read x; exit 0; fi; \
             {{ echo \"$h\"; cat; }} | {JUDGE} bot"
        ),
    )
}

/// Of each start one seat is won. If A resigns a part r of its games and B a part s, A wins both games of
/// (1 - r) s of the pairs, and loses both of r (1 - s): its Elo difference is 200 log10((1 - r) s / (r (1 - s))).
#[test]
fn a_bot_that_resigns_half_of_its_games_is_found() {
    let bots = [resigning("better", 300), resigning("worse", 811)];
    let output = played("--max-n 300 --sprt 0,150", &bots.each_ref().map(String::as_str));
    let shown = text(&output.stdout);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{shown}");
    assert!(shown.contains(": 150 Elo accepted, 0 rejected"), "{shown}");
}

/// Differences of 0 and of 20 Elo, with the errors that the test was set up with.
#[test]
#[ignore = "some thousand games between processes"]
fn small_differences_are_found() {
    for (worse, code) in [(300, 1), (350, 0)] {
        let bots = [resigning("better", 300), resigning("worse", worse)];
        let output = played("--max-n 1000 --sprt 0,20", &bots.each_ref().map(String::as_str));
        assert_eq!(
            (output.status.code(), text(&output.stderr)),
            (Some(code), ""),
            "{}",
            text(&output.stdout)
        );
    }
}
