//! How a bot ends: too early, too late, or as it should.

use super::{assert_shell, assert_verdict};
use crate::support::{JUDGE, TestDir, games, judge, text};

#[test]
fn deaths() {
    assert_shell("read h; exit 7", "CRASHED", "no First or Second was received: the bot exited with code 7");
    let segv = "move 1 was not received: the bot was killed by signal 11 (SIGSEGV), a segmentation fault";
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

/// Behaviour after the end changes the verdict. Under the contest profile a win stays a win, and the behaviour is
/// mentioned, and counted in the summary.
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
        let args = "6 1 2 --opponent slow --grace 0.3";
        let (strict, code) = games(args, &bot);
        assert_eq!((strict[0]["verdict"].as_str(), code), (Some(verdict), 1), "{last}: {}", strict[0]);
        assert_eq!(strict[0]["reason"], format!("the opponent has no move left, but {behaviour}"));
        assert!(strict[0]["excused"].is_null(), "{last}: {}", strict[0]);
        let (contest, code) = games(&format!("{args} --profile contest"), &bot);
        assert_eq!((contest[0]["verdict"].as_str(), code), (Some("WON"), 0), "{last}: {}", contest[0]);
        assert_eq!(contest[0]["reason"], format!("the opponent has no move left ({behaviour})"));
        assert_eq!(contest[0]["excused"], verdict, "{last}");
        for quiet in ["", " -q"] {
            let args = format!("run {args} --profile contest --games 2{quiet}");
            let shown = judge(&args, &bot);
            let summary = format!("2 of 2 games won; excused by --profile contest: 2 {verdict}");
            // The table begins with an empty line.
            let lines: Vec<&str> = text(&shown.stdout).lines().take_while(|line| !line.is_empty()).collect();
            assert!(lines.last().is_some_and(|last| last.ends_with(&summary)), "{lines:?}");
            assert_eq!(lines.len(), if quiet.is_empty() { 3 } else { 1 }, "{lines:?}");
            assert_eq!(shown.status.code(), Some(0), "{lines:?}");
        }
    }
}

/// A bot that never exits passes no command that plays games, unless it is judged by the contest profile.
#[test]
fn a_bot_that_never_exits() {
    let here = TestDir::new();
    let input = here.file("1.in");
    std::fs::write(&input, "6 1 2\n").unwrap();
    let script = format!("{JUDGE} bot; exec sleep 100");
    let bot = ["sh", "-c", &script];
    let quiet = judge("run 6 1 2 -q --grace 0.1", &bot);
    let shown = text(&quiet.stdout);
    assert!(shown.starts_with("NO_EXIT 6 1 2 as First") && shown.ends_with("0 of 1 game won\n"), "{shown}");
    assert_eq!(quiet.status.code(), Some(1));
    let stress = "stress --jobs 1 --games 3 --grace 0.1";
    let found = judge(stress, &bot);
    assert!(text(&found.stdout).contains("not won: 1 NO_EXIT\n"), "{found:?}");
    assert_eq!(found.status.code(), Some(1));
    let excused = judge(&format!("{stress} --profile contest"), &bot);
    assert!(text(&excused.stdout).contains("\nexcused by --profile contest: 3 NO_EXIT\n"), "{excused:?}");
    assert_eq!(excused.status.code(), Some(0));
    let test = |options: &str| judge(&format!("test -f {input} --grace 0.1{options}"), &bot);
    assert_eq!(test("").status.code(), Some(1));
    assert_eq!(test(" --profile contest").status.code(), Some(0));
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
