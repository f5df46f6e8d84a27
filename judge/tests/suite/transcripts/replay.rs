//! A game refereed again from its transcript.

use serde_json::Value;

use super::{EARLY, record};
use crate::support::{TestDir, command, json_lines, judge, judge_reading, text, with_stack};

/// Every kind of end is refereed again from the file, with exactly the same report.
#[test]
fn a_replay_reaches_the_same_verdict() {
    let winning = "read h; echo First; echo 3 2; read x; echo 5 1; read x; echo 6 1; ";
    let won =
        ["exec sleep 100", "echo bye; read x", "exit 3", "read x"].map(|last| format!("{winning}{last}"));
    let others = [
        "read h; echo first; read x",
        "read h; echo First; echo 3 3; read x",
        "read h; echo First; echo 0 0; read x",
        "read h; echo First; kill -SEGV $$",
        "read h; exec 1>&-; exec sleep 100",
        "read h; echo First; printf '3 2'; exec sleep 100",
        "read h; head -c 100000 /dev/zero; read x",
        "head -c 300000 /dev/zero >&2; echo the end >&2; exit 0",
    ];
    let here = TestDir::new();
    let strict = won.iter().map(String::as_str).chain(others).map(|script| (script, "strict"));
    let contest = won.iter().map(|script| (script.as_str(), "contest"));
    for (index, (script, profile)) in strict.chain(contest).enumerate() {
        let bot = ["sh", "-c", script];
        let file = here.file(&format!("replay{index}.jsonl"));
        let args = format!("6 1 2 --opponent slow --profile {profile} --time-limit 1 --transcript {file}");
        let live = judge(&format!("run {args}"), &bot);
        let replay = judge(&format!("replay {file}"), &[]);
        assert_eq!(text(&replay.stdout), text(&live.stdout), "{script}");
        assert_eq!((text(&replay.stderr), replay.status.code()), ("", Some(0)), "{script}");
    }
}

#[test]
fn several_games_and_sessions() {
    for session in ["", " --session"] {
        let (_here, file, transcript) =
            record(&format!("--games 5 --seed 3 --opponent random{session}"), &[]);
        let started = transcript.matches("\"text\":\"games 5\\n\"").count();
        assert_eq!(started, usize::from(!session.is_empty()));
        let replay = judge(&format!("replay {file} --json"), &[]);
        let mut games: Vec<Value> = json_lines(&replay.stdout);
        assert_eq!(games.pop().unwrap()["summary"][0]["won"], 5);
        assert_eq!((games.len(), replay.status.code()), (5, Some(0)));
        assert!(games.iter().all(|game| game["verdict"] == "WON"), "{games:?}");
    }
}

/// Changed moves give another verdict.
#[test]
fn a_replay_notices_a_difference() {
    let (_, _, transcript) = record("6 1 2 --opponent slow", &["sh", "-c", EARLY]);
    let doctored = transcript.replace("\"text\":\"3 2\\n\"", "\"text\":\"3 3\\n\"");
    let replay = judge_reading("replay -", doctored.as_bytes());
    assert_eq!(replay.status.code(), Some(1));
    let message = text(&replay.stderr);
    assert!(message.starts_with("judge: 6 1 2: the recorded result is WON (the opponent has no move left), but the recorded events give ILLEGAL (move 1: "), "{message}");
}

/// Of several games the one that differs is named by its number.
#[test]
fn the_game_that_differs_is_named() {
    let (_, _, transcript) = record("6 1 2 --opponent slow", &["sh", "-c", EARLY]);
    let doctored = transcript.replace("\"moves\":5", "\"moves\":1");
    let both = judge_reading("replay -", [&*transcript, &*doctored].concat().as_bytes());
    let claim = "6 1 2: the recorded result is 1 move, but the recorded events give 5 moves\n";
    assert_eq!(text(&both.stderr), format!("judge: game 2, {claim}"));
    let first = judge_reading("replay -", [&*doctored, &*transcript].concat().as_bytes());
    assert_eq!(text(&first.stderr), format!("judge: game 1, {claim}"));
    let only = judge_reading("replay -", doctored.as_bytes());
    assert_eq!(text(&only.stderr), format!("judge: {claim}"));
}

/// The recorded result is compared with the events.
#[test]
fn a_replay_notices_every_doctored_claim() {
    let (_, _, transcript) = record("6 1 2 --opponent slow", &["sh", "-c", EARLY]);
    let closing: Value = serde_json::from_str(transcript.lines().next_back().unwrap()).unwrap();
    let waited = closing["waited_ns"].as_u64().unwrap();
    let doctor = |from: &str, to: &str| {
        assert!(transcript.contains(from), "{from}");
        let at = transcript.rfind(from).unwrap();
        format!("{}{to}{}", &transcript[..at], &transcript[at + from.len()..])
    };
    let number = |name: &str| format!("\"{name}\":{}", closing[name]);
    for (doctored, message) in [
        (doctor("\"moves\":5", "\"moves\":99"), "99 moves, but the recorded events give 5 moves".to_owned()),
        (
            doctor("\"side\":\"First\"", "\"side\":\"Second\""),
            "the side Second, but the recorded events give the side First".to_owned(),
        ),
        (doctor("\"side\":\"First\"", "\"side\":null"), "no side, but the recorded events".to_owned()),
        (
            doctor(&number("waited_ns"), "\"waited_ns\":7"),
            format!("7 ns waited, but the recorded events give {waited} ns waited"),
        ),
        (
            doctor(&number("wall_ns"), "\"wall_ns\":7"),
            "7 ns in all, but the recorded events give ".to_owned(),
        ),
        (doctor(&number("cpu_ns"), "\"cpu_ns\":7"), "7 ns of CPU, but the recorded events give ".to_owned()),
        (
            doctor(&number("memory_bytes"), "\"memory_bytes\":7"),
            "7 bytes of memory, but the recorded events give ".to_owned(),
        ),
        (doctor("\"6 1 2\\n\"", "\"7 1 2\\n\""), "6 1 2, but the recorded events give 7 1 2".to_owned()),
        (doctor("the opponent has", "\\u001b[7m\\u202e"), "WON (\\u{1b}[7m\\u{202e} no".to_owned()),
    ] {
        let replay = judge_reading("replay -", doctored.as_bytes());
        let shown = text(&replay.stderr);
        assert!(shown.starts_with("judge: 6 1 2: the recorded result is "), "{message}: {shown}");
        assert!(shown.contains(&message), "{message}: {shown}");
        assert_eq!((shown.lines().count(), replay.status.code()), (1, Some(1)), "{shown}");
    }
}

/// The longest lines are those of long commands with control bytes.
#[test]
fn whatever_is_written_can_be_read() {
    let long = "\u{1}".repeat(100_000);
    let (_here, file, transcript) =
        record("6 1 2", &[&["sh", "-c", "read h; head -c 9 /dev/zero"], &[&*long; 9][..]].concat());
    assert!(transcript.lines().next().unwrap().len() > 5_400_000);
    assert!(transcript.contains("\"hex\":\"000000000000000000\""));
    // Some editors put a mark before the text.
    for mark in ["", "\u{feff}"] {
        std::fs::write(&file, format!("{mark}{transcript}")).unwrap();
        let replay = judge(&format!("replay {file}"), &[]);
        assert_eq!((text(&replay.stderr), replay.status.code()), ("", Some(0)));
    }
}

#[test]
fn damaged_transcripts_are_refused_with_the_line() {
    let (_, _, transcript) = record("6 1 2 --opponent slow", &["sh", "-c", EARLY]);
    let lines: Vec<&str> = transcript.lines().collect();
    let without = |line: usize| [&lines[..line], &lines[line + 1..]].concat().join("\n") + "\n";
    let count = lines.len();
    let delayed = transcript.replacen("{\"ns\":", "{\"ns\":99999", 1);
    for (damaged, message) in [
        (String::new(), "is empty: expected the set-up of a game".to_owned()),
        ("hello\n".to_owned(), "line 1: expected a JSON object".to_owned()),
        (without(0), "line 1: expected the set-up of a game".to_owned()),
        (
            without(count - 1),
            format!("line {count}: expected an event or the result of the game, got the end of the file"),
        ),
        (
            transcript.trim_end().to_owned(),
            format!(
                "line {count}: expected a whole line, got {} bytes without a line end: the file may have been cut off",
                lines[count - 1].len()
            ),
        ),
        (transcript.replace("\"received\"", "\"sung\""), "expected an event, got".to_owned()),
        (
            transcript.replace("\"transcript\":4", "\"transcript\":5"),
            "line 1: expected a transcript of version 4, got version 5: another version of the judge wrote it".to_owned(),
        ),
        (
            transcript.replace("\"transcript\":4", "\"transcript\":3"),
            "line 1: expected a transcript of version 4, got version 3: another version of the judge wrote it".to_owned(),
        ),
        (delayed, "expected a time of at least 99999".to_owned()),
    ] {
        let replay = judge_reading("replay -", damaged.as_bytes());
        assert_eq!(replay.status.code(), Some(2), "{message}");
        assert!(text(&replay.stderr).contains(&message), "{message}: {}", text(&replay.stderr));
    }
    let missing = judge("replay no/such/file", &[]);
    assert!(text(&missing.stderr).contains("the transcript no/such/file cannot be opened: No such file"));
    let unwritable = judge("run 6 1 2 --transcript no/such/file", &[]);
    assert!(text(&unwritable.stderr).contains("the transcript no/such/file cannot be created: No such file"));
}

/// How a crash is explained depends on the limit of the stack when the game was played, not on that of the replay.
#[test]
fn the_stack_of_the_game() {
    let bot = ["sh", "-c", "kill -SEGV $$"];
    let here = TestDir::new();
    let file = here.file("game.jsonl");
    let played =
        with_stack("8192", &command(&format!("run 6 1 2 --transcript {file}"), &bot)).output().unwrap();
    let replayed = |stack: &str, file: &str| {
        let output = with_stack(stack, &command(&format!("replay {file}"), &[])).output().unwrap();
        assert_eq!(text(&output.stderr), "");
        text(&output.stdout).to_owned()
    };
    let why = |report: &str| -> Vec<String> {
        report
            .lines()
            .filter(|line| line.trim_start().starts_with("why: "))
            .map(|line| line.trim().to_owned())
            .collect()
    };
    let expected = why(text(&played.stdout));
    assert!(expected.concat().contains("a full stack, 8 MiB"), "{played:?}");
    for stack in ["1024", "4096"] {
        assert_eq!(why(&replayed(stack, &file)), expected);
    }
}
