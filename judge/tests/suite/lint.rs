//! The check list for a bot.

use serde_json::Value;

use crate::support::{JUDGE, bot, command, json_lines, judge, text};

/// The statuses of the checks by number, and the exit code.
fn statuses(bot: &[&str]) -> (Vec<String>, i32) {
    let output = judge("lint --json --time-limit 1", bot);
    assert_eq!(text(&output.stderr), "");
    let statuses = (1..).zip(json_lines(&output.stdout)).map(|(number, line)| {
        assert_eq!((&line["schema"], &line["number"]), (&Value::from(1), &Value::from(number)));
        assert_eq!(line["hint"].is_string(), line["status"] == "fail", "{line}");
        line["status"].as_str().unwrap().to_owned()
    });
    (statuses.collect(), output.status.code().unwrap())
}

/// The checks that a bot fails, by number.
#[track_caller]
fn assert_fails(bot: &[&str], numbers: &[usize]) {
    let (statuses, code) = statuses(bot);
    let failed: Vec<usize> =
        (1..).zip(&statuses).filter(|(_, status)| *status == "fail").map(|(k, _)| k).collect();
    assert_eq!((failed.as_slice(), code), (numbers, 1), "{bot:?}: {statuses:?}");
}

#[test]
fn the_bundled_bot_passes_every_check() {
    let bot = [JUDGE, "bot"];
    assert_eq!(statuses(&bot), (vec!["pass".to_owned(); 11], 0));
}

/// A bot for the contest alone, that knows one game: no more than notes.
#[test]
fn a_contest_bot_gets_notes() {
    let (statuses, code) = statuses(&["sh", &bot("contest.sh")]);
    assert_eq!(statuses[..6], ["pass"; 6]);
    assert!(!statuses.contains(&"fail".to_owned()) && statuses[8..] == ["note"; 3], "{statuses:?}");
    assert_eq!(code, 0);
}

#[test]
fn no_answer_to_the_header() {
    assert_fails(&["sh", "-c", "read h; echo Hello; read x"], &[1]);
    assert_fails(&["sh", "-c", "read h; exit 3"], &[1]);
    assert_fails(&["sh", "-c", "exec sleep 100"], &[1]);
}

#[test]
fn each_fault_in_its_check() {
    let contest = bot("contest.sh");
    let assert_fails = |fault: &str, numbers: &[usize]| assert_fails(&["sh", &contest, fault], numbers);
    assert_fails("talks", &[3, 4, 5]);
    assert_fails("fails", &[3, 4, 5]);
    assert_fails("returns", &[6]);
    assert_fails("waits-before", &[7]);
    assert_fails("waits-within", &[8]);
}

/// A move that is kept back, as in a buffer.
#[test]
fn a_line_that_is_not_flushed() {
    let script = "read h || exit 0; echo First; read x; echo 3 2";
    let output = judge("lint --time-limit 0.3", &["sh", "-c", script]);
    let message = text(&output.stdout);
    let second = message.lines().find(|line| line.starts_with(" 2")).unwrap();
    // Elsewhere than on Linux nothing tells it from a bot that is slow.
    let expected = if cfg!(target_os = "linux") { " 2 FAIL flushes every line: move 1" } else { " 2 pass" };
    assert!(second.starts_with(expected), "{message}");
}

/// What a person sees of a bot that does not flush.
#[test]
fn a_missing_flush_is_named_with_its_hint() {
    let output = judge("lint --time-limit 0.5", &["sh", "-c", "read h; read x; echo First"]);
    let message = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(
        message.starts_with(
            " 1 FAIL answers the header: \"First\" was received only after the judge had ended the input\n"
        ),
        "{message}"
    );
    assert!(message.contains("\n        read one line at a time, not to the end of the input, and flush stdout after every line"), "{message}");
    assert!(message.ends_with("; 10 not run, because they need an answer to the header\n"), "{message}");
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
    let command = "printf '%s\\n' '6 1 2' | sh -c 'echo cause >&2; exit 3'";
    let expected = format!("\n        stderr: cause\n        again: {command}\n");
    assert!(text(&output.stdout).contains(&expected), "{}", text(&output.stdout));
    let again = std::process::Command::new("sh").args(["-c", command]).output().unwrap();
    assert_eq!((text(&again.stderr), again.status.code()), ("cause\n", Some(3)));
    let illegal = ["sh", "-c", "read h; echo why >&2; echo First; echo 9 9; read x"];
    let output = judge("lint", &illegal);
    let expected =
        "\n        stderr: why\n        again: judge run 6 1 2 --opponent perfect --seed 1 -- sh -c ";
    assert!(text(&output.stdout).contains(expected), "{}", text(&output.stdout));
}
