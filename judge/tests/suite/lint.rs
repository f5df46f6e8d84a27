//! The check list for a bot.

use serde_json::Value;

use crate::support::{JUDGE, bot, command, has_python, json_lines, judge, text};

/// The numbers of the checks that were run, with their statuses, and the exit code.
fn statuses(bot: &[&str]) -> (Vec<(u64, String)>, i32) {
    let output = judge("lint --json --time-limit 5", bot);
    assert_eq!(text(&output.stderr), "");
    let statuses = json_lines(&output.stdout).into_iter().map(|line| {
        assert_eq!(line["schema"], Value::from(1));
        let is_failed = line["status"] == "fail";
        assert!(is_failed || line["advice"].as_array().is_some_and(Vec::is_empty), "{line}");
        assert!(line["status"] == "pass" || line["again"].is_string(), "{line}");
        (line["number"].as_u64().unwrap(), line["status"].as_str().unwrap().to_owned())
    });
    (statuses.collect(), output.status.code().unwrap())
}

/// The checks that a bot fails, and those that are not run because that explains them.
#[track_caller]
fn assert_fails(bot: &[&str], failed: &[u64], not_run: &[u64]) {
    let (statuses, code) = statuses(bot);
    let fails: Vec<u64> = statuses.iter().filter(|(_, status)| status == "fail").map(|&(k, _)| k).collect();
    let ran: Vec<u64> = statuses.iter().map(|&(k, _)| k).collect();
    let missing: Vec<u64> = (1..=14).filter(|k| !ran.contains(k)).collect();
    assert_eq!((fails.as_slice(), missing.as_slice(), code), (failed, not_run, 1), "{bot:?}: {statuses:?}");
}

#[test]
fn the_bundled_bot_passes_every_check() {
    let all = (1..=14).map(|number| (number, "pass".to_owned())).collect();
    assert_eq!(statuses(&[JUDGE, "bot"]), (all, 0));
}

/// A bot for the contest alone, that knows one game: no more than notes.
#[test]
fn a_contest_bot_gets_notes() {
    let (statuses, code) = statuses(&["sh", &bot("contest.sh")]);
    let statuses: Vec<&str> = statuses.iter().map(|(_, status)| status.as_str()).collect();
    assert_eq!(statuses, [["pass"; 11].as_slice(), &["note"; 3]].concat());
    assert_eq!(code, 0);
}

/// What a game shows explains the rest.
#[test]
fn a_bot_that_does_not_play() {
    let rest: Vec<u64> = (2..=14).collect();
    assert_fails(&["sh", "-c", "read h; echo Hello; read x"], &[1], &rest);
    assert_fails(&["sh", "-c", "read h; exit 3"], &[1], &rest);
    assert_fails(&["sh", "-c", "exec sleep 100"], &[1], &rest);
    assert_fails(&["sh", "-c", "read h; echo First; echo 3 x; read x"], &[3], &rest[2..]);
}

#[test]
fn each_fault_in_its_check() {
    let contest = bot("contest.sh");
    let assert_fails = |fault: &str, failed: &[u64], not_run: &[u64]| {
        assert_fails(&["sh", &contest, fault], failed, not_run);
    };
    // Either end is checked.
    assert_fails("talks", &[4, 5], &[]);
    assert_fails("fails", &[4, 5], &[]);
    assert_fails("returns", &[6], &[]);
    assert_fails("waits-before", &[7], &[]);
    assert_fails("waits-within", &[8], &[]);
    assert_fails("small", &[9], &[10, 11]);
}

/// One check alone, as the command below a failed check of a compiled bot has it.
#[test]
fn one_check() {
    let output = judge("lint --only 9", &["sh", &bot("contest.sh"), "small"]);
    let shown = text(&output.stdout);
    assert!(shown.starts_with(" 9 FAIL plays the longest game in time: CRASHED, "), "{shown}");
    assert!(shown.ends_with(" small: 0 passed, 1 failed, 0 noted\n"), "{shown}");
    let refused = judge("lint --only 15", &["true"]);
    assert!(text(&refused.stderr).contains("expected a number from 1 to 14"), "{refused:?}");
}

/// A bot that keeps to the protocol and loses is told how, and what its games have in common.
#[test]
fn lost_games_are_told() {
    if !has_python() {
        return;
    }
    let output = judge("lint --only 3 --time-limit 5", &["python3", &bot("broken/wrong_side.py")]);
    let expected = " 3 lost plays by the rules and prints nothing else: by the rules, but it lost \"6 1 2\", \"20 1 2\", \
        \"9 1 5\": you chose Second; First wins here, for instance by taking ";
    assert!(text(&output.stdout).starts_with(expected), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("\n        again: judge run 6 1 2 "), "{output:?}");
    assert!(text(&output.stdout).contains(": 0 passed, 0 failed, 1 lost, 0 noted\n"), "{output:?}");
    let lines: Vec<&str> = text(&output.stdout).lines().collect();
    assert!(lines[1].starts_with("        why: it chose Second in every game so far; "), "{output:?}");
    assert_eq!(output.status.code(), Some(0));
}

/// One cause is named for numbers of a header in another order, and another for places counted from 0.
#[test]
fn the_order_of_the_header_is_told_from_places_from_0() {
    if !has_python() {
        return;
    }
    let advice = |name: &str| {
        let output = judge("lint --only 3 --time-limit 5", &["python3", &bot(name)]);
        let lines = text(&output.stdout).lines().filter_map(|line| line.trim().strip_prefix("what to do: "));
        lines.map(str::to_owned).collect::<Vec<String>>()
    };
    let order = advice("broken/header_order.py");
    assert!(
        order.len() == 1
            && order[0].starts_with("did you read the header as N L R? Here N = 9, L = 1 and R = 5. "),
        "{order:?}"
    );
    let from_0 = advice("broken/places_from_0.py");
    assert!(
        from_0.len() == 1 && from_0[0].starts_with("places are numbered from 1, not from 0"),
        "{from_0:?}"
    );
}

/// A move that is kept back, as in a buffer.
#[test]
fn a_line_that_is_not_flushed() {
    let script = "read h || exit 0; echo First; read x; echo 3 2";
    let output = judge("lint --time-limit 0.3", &["sh", "-c", script]);
    let message = text(&output.stdout);
    let second = message.lines().find(|line| line.starts_with(" 2")).unwrap();
    // Elsewhere than on Linux nothing tells it from a bot that is slow.
    let expected =
        if cfg!(target_os = "linux") { " 2 FAIL flushes every line: IDLE, move 1" } else { " 2 pass" };
    assert!(second.starts_with(expected), "{message}");
}

/// What a person sees of a bot that does not flush.
#[test]
fn a_missing_flush_is_named_with_its_hint() {
    let output = judge("lint --time-limit 0.5", &["sh", "-c", "read h; read x; echo First"]);
    let message = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(
        message.starts_with(" 1 FAIL answers the header: IDLE, no First or Second was received: "),
        "{message}"
    );
    assert!(
        message
            .contains("\n        why: it printed \"First\" only after \"-1 -1\": its output was not flushed"),
        "{message}"
    );
    assert!(message.contains("\n        what to do: flush stdout after every line"), "{message}");
    assert!(message.ends_with("; 13 not run, because what failed would make them fail, too\n"), "{message}");
}

#[test]
fn a_bot_that_cannot_be_started() {
    let output = judge("lint", &["./no-such-bot"]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""));
    assert!(text(&output.stderr).contains("./no-such-bot could not be started: No such file"), "{output:?}");
    let output = command("lint", &[]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("<BOT>"), "{output:?}");
}

/// A check that failed shows the bot's stderr, and a command that repeats its step in a shell.
#[test]
fn a_failed_check_shows_stderr_and_its_command() {
    let bot = ["sh", "-c", "echo cause >&2; exit 3"];
    let output = judge("lint", &bot);
    let expected =
        "\n        stderr: cause\n        again: judge run 6 1 2 --opponent perfect --seed 1 -- sh -c ";
    assert!(text(&output.stdout).contains(expected), "{}", text(&output.stdout));
    let noted = ["sh", "-c", "read h || exit 3; echo cause >&2; echo First; echo 3 2; read x"];
    let command = "sh -c 'read h || exit 3; echo cause >&2; echo First; echo 3 2; read x' < /dev/null";
    let output = judge("lint --only 7", &noted);
    assert!(text(&output.stdout).contains(&format!("\n        again: {command}\n")), "{output:?}");
    let again = std::process::Command::new("sh").args(["-c", command]).output().unwrap();
    assert_eq!(again.status.code(), Some(3));
    let illegal = ["sh", "-c", "read h; echo why >&2; echo First; echo 9 9; read x"];
    let output = judge("lint", &illegal);
    let expected =
        "\n        stderr: why\n        again: judge run 6 1 2 --opponent perfect --seed 1 -- sh -c ";
    assert!(text(&output.stdout).contains(expected), "{}", text(&output.stdout));
}

/// What was sent and printed is shown with the position after each move, and the line that was refused.
#[test]
fn the_game_that_failed_is_shown() {
    let game = |script: &str| {
        let output = judge("lint --time-limit 5", &["sh", "-c", script]);
        let lines = text(&output.stdout).lines().filter_map(|line| line.strip_prefix("        game: "));
        lines.map(str::to_owned).collect::<Vec<String>>()
    };
    let illegal = game("read h; echo First; echo 3 2; read x; echo 3 2; read x");
    let expected = [
        "judge> 6 1 2         ######",
        "bot>   First",
        "bot>   3 2           ##xx##",
        "judge> 1 1           x#..##",
    ];
    assert_eq!(
        (&illegal[..4], illegal[4..].concat().as_str()),
        (expected.map(str::to_owned).as_slice(), "bot>   3 2")
    );
    let talks = game(&format!("set -- talks; . {}", bot("contest.sh")));
    assert_eq!(talks.last().map(String::as_str), Some("bot>   bye"), "{talks:?}");
    assert_eq!(talks[talks.len() - 2], "judge> 0 0");
    assert!(game("read h; read x; echo First").is_empty(), "it printed nothing in time");
}

/// Checks that passed and notes leave the first screen to the cause.
#[test]
fn notes_are_one_line() {
    let contest = bot("contest.sh");
    let lint = |options: &str| judge(&format!("lint --time-limit 5 {options}"), &["sh", &contest]);
    let (short, long) = (lint(""), lint("-v"));
    let notes = "\nnotes: 12, 13, 14; nothing that the contest needs, judge lint -v tells what\n";
    assert!(text(&short.stdout).contains(notes) && !text(&short.stdout).contains(" note "), "{short:?}");
    assert_eq!(text(&long.stdout).matches(" note ").count(), 3, "{long:?}");
    assert!(!text(&long.stdout).contains("notes:"), "{long:?}");
}

/// The second check that shows the same does not repeat the advice.
#[test]
fn advice_is_given_once() {
    let output = judge("lint --time-limit 5", &["sh", &bot("contest.sh"), "talks"]);
    let shown = text(&output.stdout);
    let advice: Vec<&str> =
        shown.lines().filter_map(|line| line.strip_prefix("        what to do: ")).collect();
    assert_eq!(advice, ["when \"0 0\" or \"-1 -1\" is read, print nothing more", "as above"], "{shown}");
}

/// What a bot does instead of ending is told at either end.
#[test]
fn a_bot_that_sleeps_after_the_end() {
    if !has_python() || !cfg!(target_os = "linux") {
        return;
    }
    for number in [4, 5] {
        let bot = bot("broken/never_exits.py");
        let output = judge(&format!("lint --only {number} --time-limit 5"), &["python3", &bot]);
        let shown = text(&output.stdout);
        assert!(shown.contains("why: when it was killed, it was sleeping for a set time\n"), "{shown}");
        assert!(shown.contains("what to do: look for a call of sleep; "), "{shown}");
    }
}

/// Smaller games show how memory grows.
#[test]
fn memory_that_grows_with_all_pairs() {
    if !has_python() || !cfg!(target_os = "linux") {
        return;
    }
    let bot = bot("broken/memory.py");
    let output = judge("lint --only 9 --time-limit 20", &["python3", &bot]);
    let shown = text(&output.stdout);
    assert!(shown.starts_with(" 9 FAIL plays the longest game in time: MEMORY, "), "{shown}");
    assert!(shown.contains("\n        why: memory grows like N x N, 2"), "{shown}");
    assert!(shown.contains(" for \"500 1 1\"; \"1000 1 1\" needs more than "), "{shown}");
}

/// Time that a search of all games needs. How much that is depends on the machine.
#[test]
fn time_that_grows_with_each_card() {
    if !has_python() || !cfg!(target_os = "linux") {
        return;
    }
    let bot = bot("broken/too_slow.py");
    let output = judge("lint --only 3", &["python3", &bot]);
    let shown = text(&output.stdout);
    assert!(shown.contains("\n        why: CPU time grows "), "{shown}");
    assert!(shown.contains("\n        what to do: it tries all games to the end: remember "), "{shown}");
    assert!(!shown.contains("a loop does not end"), "{shown}");
}

/// A traceback after the end of input shows that nothing stayed in a buffer.
#[test]
fn a_traceback_at_the_end_of_input() {
    if !has_python() || !cfg!(target_os = "linux") {
        return;
    }
    let bot = bot("broken/reads_to_the_end.py");
    let output = judge("lint --time-limit 1", &["python3", &bot]);
    let shown = text(&output.stdout);
    assert!(shown.contains("only when its input ended: it reads to the end of its input, as "), "{shown}");
    assert!(!shown.contains("flush"), "{shown}");
}
