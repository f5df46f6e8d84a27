//! How a bot ends: too early, too late, or as it should.

use super::{assert_shell, assert_verdict};
use crate::support::games;

#[test]
fn deaths() {
    assert_shell("read h; exit 7", "CRASHED", "no First or Second was received: the bot exited with code 7");
    let segv = "move 1 was not received: the bot was killed by signal 11 (SIGSEGV)";
    assert_shell("read h; echo First; kill -SEGV $$", "CRASHED", segv);
    assert_verdict(&["true"], "EXITED_EARLY", "no First or Second was received: the bot exited with code 0");
    let closed = "no First or Second was received: the bot closed its stdout";
    assert_shell("read h; exec 1>&-; exec sleep 100", "EXITED_EARLY", closed);
    let unheard = "move 3 was not received: the bot exited with code 0";
    assert_shell("read h; echo First; echo 3 2; read x; exit 0", "EXITED_EARLY", unheard);
}

/// What a bot printed before it ended counts, with or without the end of the line.
#[test]
fn last_words_count() {
    let died = "the opponent has no move left, but then the bot exited with code 3";
    let winning = |last: &str| format!("read h; echo First; echo 3 2; read x; echo 5 1; read x; {last}");
    assert_shell(&winning("printf '6 1'"), "WON", "the opponent has no move left");
    assert_shell(&winning("echo 6 1; read x; exit 0"), "WON", "the opponent has no move left");
    assert_shell(&winning("echo 6 1; exit 3"), "CRASHED", died);
}

/// Behaviour after the end is only mentioned under the contest profile, and changes the verdict under the strict one.
#[test]
fn behaviour_after_the_end() {
    let winning = "read h; echo First; echo 3 2; read x; echo 5 1; read x; echo 6 1; ";
    for (last, verdict, behaviour) in [
        ("exec sleep 100", "NO_EXIT", "the bot did not exit by itself and was killed"),
        ("echo bye; read x", "EXTRA_OUTPUT", "the bot printed \"bye\\n\" after the end"),
        ("read x; echo bye", "EXTRA_OUTPUT", "the bot printed \"bye\\n\" after the end"),
        ("echo 1 1; exec sleep 100", "EXTRA_OUTPUT", "the bot printed \"1 1\\n\" after the end"),
    ] {
        let script = format!("{winning}{last}");
        let bot = ["sh", "-c", &script];
        let (contest, code) = games("6 1 2 --opponent slow", &bot);
        assert_eq!((contest[0]["verdict"].as_str(), code), (Some("WON"), 0), "{last}: {}", contest[0]);
        let reason = contest[0]["reason"].as_str().unwrap();
        assert!(reason.starts_with("the opponent has no move left (the bot "), "{last}: {reason}");
        let (strict, code) = games("6 1 2 --opponent slow --profile strict", &bot);
        assert_eq!((strict[0]["verdict"].as_str(), code), (Some(verdict), 1), "{last}: {}", strict[0]);
        assert_eq!(strict[0]["reason"], format!("the opponent has no move left, but {behaviour}"));
    }
    let (strict, _) = games("6 1 2 --profile strict", &[]);
    assert_eq!(strict[0]["verdict"], "WON", "the bundled bot behaves");
}

/// A bot of a session that ends too early has won the game before and lost the next, whenever its end is
/// seen.
#[test]
fn the_end_of_a_session_between_games() {
    let script = "read t; read h; echo First; echo 3 2; read x; echo 5 1; read x; echo 6 1; exit 0";
    for _ in 0..10 {
        let (lines, _) = games("6 1 2 --opponent slow --session --games 2", &["sh", "-c", script]);
        let verdicts: Vec<&str> = lines.iter().map(|game| game["verdict"].as_str().unwrap()).collect();
        assert_eq!(verdicts, ["WON", "EXITED_EARLY"], "{lines:?}");
    }
}
