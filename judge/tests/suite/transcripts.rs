//! Transcripts: what is kept of a game, and what a replay makes of it.

use std::path::PathBuf;

use serde_json::{Value, json};

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::judge::{command, fifo, judge, judge_reading, reading, text, timeless};

/// Where a test of this name may write.
fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// The transcript of these games.
fn record(name: &str, args: &str, bot: &[&str]) -> (PathBuf, String) {
    let file = scratch(name);
    let output = judge(&format!("run {args} --transcript {}", file.display()), bot);
    assert_eq!(text(&output.stderr), "");
    let transcript = std::fs::read_to_string(&file).unwrap();
    (file, transcript)
}

/// Says two moves at once, the second before its turn, and a byte that is no text.
const EARLY: &str =
    "read h; echo First; printf 'a\\377b' >&2; printf '3 2\\n5 1\\n'; read x; read y; echo 6 1; read z";

#[test]
fn a_transcript_keeps_every_line_in_its_order() {
    let (_, transcript) = record("order.jsonl", "6 1 2 --opponent slow --seed 7", &["sh", "-c", EARLY]);
    let mut lines: Vec<Value> = transcript.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let opening = lines.remove(0);
    assert_eq!(
        (&opening["transcript"], &opening["game"], &opening["seed"]),
        (&json!(1), &json!("6 1 2"), &json!(7))
    );
    assert_eq!(opening["bot"], json!(["sh", "-c", EARLY]));
    assert_eq!(opening["limits"]["memory_bytes"], 1024 << 20);
    let closing = lines.pop().unwrap();
    assert_eq!((&closing["verdict"], &closing["moves"]), (&json!("WON"), &json!(5)));
    let times: Vec<u64> = lines.iter().map(|line| line["ns"].as_u64().unwrap()).collect();
    assert!(times.is_sorted(), "{times:?}");
    let said = |event: &str| -> Vec<&str> {
        lines.iter().filter(|line| line["event"] == event).filter_map(|line| line["text"].as_str()).collect()
    };
    assert_eq!(said("told"), ["6 1 2\n", "1 1\n", "2 1\n", "0 0\n"]);
    assert_eq!(said("said"), ["First\n", "3 2\n", "5 1\n", "6 1\n"]);
    let position = |text: &str| lines.iter().position(|line| line["text"] == text).unwrap();
    assert!(position("5 1\n") < position("1 1\n"), "it came before its turn");
    let stderr: String = lines.iter().filter_map(|line| line["hex"].as_str()).collect();
    assert_eq!(stderr, "61ff62");
}

/// Every kind of end, refereed again from the file: the report is the same, word for word.
#[test]
fn a_replay_reaches_the_same_verdict() {
    let winning = "read h; echo First; echo 3 2; read x; echo 5 1; read x; echo 6 1; ";
    let strict =
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
    for (index, script) in strict.iter().map(String::as_str).chain(others).enumerate() {
        let bot = ["sh", "-c", script];
        let file = scratch(&format!("replay{index}.jsonl"));
        let args =
            format!("6 1 2 --opponent slow --profile strict --time-limit 1 --transcript {}", file.display());
        let live = judge(&format!("run {args}"), &bot);
        let replay = judge(&format!("replay {}", file.display()), &[]);
        assert_eq!(text(&replay.stdout), text(&live.stdout), "{script}");
        assert_eq!((text(&replay.stderr), replay.status.code()), ("", Some(0)), "{script}");
    }
}

#[test]
fn several_games_and_sessions() {
    for session in ["", " --session"] {
        let (file, transcript) =
            record("several.jsonl", &format!("--games 5 --seed 3 --opponent random{session}"), &[]);
        let started = transcript.matches("\"text\":\"games 5\\n\"").count();
        assert_eq!(started, usize::from(!session.is_empty()));
        let replay = judge(&format!("replay {} --json", file.display()), &[]);
        let games: Vec<Value> =
            text(&replay.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((games.len(), replay.status.code()), (5, Some(0)));
        assert!(games.iter().all(|game| game["verdict"] == "WON"), "{games:?}");
    }
}

/// Doctored moves come to another verdict.
#[test]
fn a_replay_notices_a_difference() {
    let (_, transcript) = record("doctored.jsonl", "6 1 2 --opponent slow", &["sh", "-c", EARLY]);
    let doctored = transcript.replace("\"text\":\"3 2\\n\"", "\"text\":\"3 3\\n\"");
    let replay = judge_reading("replay -", doctored.as_bytes());
    assert_eq!(replay.status.code(), Some(1));
    let said = text(&replay.stderr);
    assert!(said.starts_with("judge: 6 1 2: the recorded result is WON (the opponent has no move left), but the recorded events give ILLEGAL (move 1: "), "{said}");
}

/// Whatever a transcript claims beyond its events is held against them.
#[test]
fn a_replay_notices_every_doctored_claim() {
    let (_, transcript) = record("claims.jsonl", "6 1 2 --opponent slow", &["sh", "-c", EARLY]);
    let closing: Value = serde_json::from_str(transcript.lines().next_back().unwrap()).unwrap();
    let waited = closing["waited_ns"].as_u64().unwrap();
    let doctor = |from: &str, to: &str| {
        assert!(transcript.contains(from), "{from}");
        let at = transcript.rfind(from).unwrap();
        format!("{}{to}{}", &transcript[..at], &transcript[at + from.len()..])
    };
    let number = |name: &str| format!("\"{name}\":{}", closing[name]);
    for (doctored, said) in [
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
        assert!(shown.starts_with("judge: 6 1 2: the recorded result is "), "{said}: {shown}");
        assert!(shown.contains(&said), "{said}: {shown}");
        assert_eq!((shown.lines().count(), replay.status.code()), (1, Some(1)), "{shown}");
    }
}

/// The longest lines are those of long commands with control bytes.
#[test]
fn whatever_is_written_can_be_read() {
    let long = "\u{1}".repeat(100_000);
    let (file, transcript) = record(
        "long.jsonl",
        "6 1 2",
        &[&["sh", "-c", "read h; head -c 9 /dev/zero"], &[&*long; 9][..]].concat(),
    );
    assert!(transcript.lines().next().unwrap().len() > 5_400_000);
    assert!(transcript.contains("\"hex\":\"000000000000000000\""));
    let replay = judge(&format!("replay {}", file.display()), &[]);
    assert_eq!((text(&replay.stderr), replay.status.code()), ("", Some(0)));
}

/// A game is never in memory as a whole.
#[test]
fn a_replay_needs_little_memory() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let (_, transcript) = record("small.jsonl", "6 1 2 --opponent slow", &["sh", "-c", EARLY]);
    let (opening, rest) = transcript.split_once('\n').unwrap();
    let noise = format!("{{\"ns\":0,\"event\":\"stderr\",\"text\":\"{}\"}}\n", "a".repeat(1 << 20));
    let large = format!("{opening}\n{}{rest}", noise.repeat(400));
    for args in ["replay -", "replay - --against -- \"$0\" bot"] {
        // Each thread reserves some 70 MB that it does not use.
        let script = format!("ulimit -v 300000; exec \"$0\" {args}");
        let mut judge = std::process::Command::new("sh");
        let replay = reading(judge.args(["-c", &script, env!("CARGO_BIN_EXE_judge")]), large.as_bytes());
        assert_eq!((text(&replay.stderr), replay.status.code()), ("", Some(0)), "{args}");
    }
}

/// Nor one line: what has more values than any game is refused before they are kept.
#[test]
fn a_long_line_needs_little_memory() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let (_, transcript) = record("short.jsonl", "6 1 2 --opponent slow", &["sh", "-c", EARLY]);
    let (opening, rest) = transcript.split_once('\n').unwrap();
    let many = format!(",\"more\":[{}{{}}]}}", "{\"a\":0},".repeat(4_700_000));
    let larger = |line: &str| format!("{}{many}\n", line.strip_suffix('}').unwrap());
    for (damaged, said) in [
        (larger(opening), "line 1: expected the set-up of a game, got \"{"),
        (
            format!("{opening}\n{}", larger("{\"ns\":0,\"event\":\"closed\"}")),
            "line 2: expected a whole line of at most 4194304",
        ),
        (
            format!("{opening}\n{{\"ns\":0,\"event\":\"closed\",\"x\":[{}0]}}\n{rest}", "0,".repeat(99)),
            "expected at most 64 values, got more",
        ),
    ] {
        let script = "ulimit -v 300000; exec \"$0\" replay -";
        let replay =
            reading(Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_judge")]), damaged.as_bytes());
        let error = text(&replay.stderr);
        assert!(error.contains(said) && error.len() < 1000, "{said}: {error}");
        assert_eq!(replay.status.code(), Some(2), "{said}");
    }
}

/// Nor lines that come ahead of their turn: no judge takes so many.
#[test]
fn a_flood_of_early_lines_is_refused() {
    let (_, transcript) = record("ahead.jsonl", "6 1 2 --opponent slow", &["sh", "-c", EARLY]);
    let (opening, _) = transcript.split_once('\n').unwrap();
    let flood = "{\"ns\":0,\"event\":\"said\",\"text\":\"\"}\n".repeat(2_100_000);
    let replay = judge_reading("replay -", format!("{opening}\n{flood}").as_bytes());
    let error = text(&replay.stderr);
    assert!(error.contains("lines that were received early"), "{error}");
    assert_eq!(replay.status.code(), Some(2));
}

/// Whatever a transcript says, a terminal shows it and does not obey it.
#[test]
fn a_transcript_gives_a_terminal_no_orders() {
    let (_, transcript) = record("orders.jsonl", "6 1 2 --opponent slow", &["false"]);
    let orders = "\\u001b]0;title\\u0007\\u001b[2J\\u009b7m\\u202e";
    let doctored = |from: &str, to: &str| {
        assert!(transcript.contains(from), "{from}: {transcript}");
        transcript.replacen(from, to, 1)
    };
    for (doctored, shown) in [
        (
            doctored("\"bot\":[\"false\"", &format!("\"bot\":[\"{orders}\"")),
            "again: judge run 6 1 2 --opponent slow --seed 1 -- $'\\033]0;title\\007",
        ),
        (
            doctored("\"event\":\"told\"", &format!("\"event\":\"{orders}\"")),
            "unknown variant `\\u{1b}]0;title\\u{7}",
        ),
        (
            doctored("\"opponent\":\"slow\"", &format!("\"opponent\":\"{orders}\"")),
            "unknown variant `\\u{1b}]0;title\\u{7}",
        ),
        (
            doctored("\"verdict\":\"", &format!("\"verdict\":\"{orders}")),
            "unknown variant `\\u{1b}]0;title\\u{7}",
        ),
        (
            doctored(
                "\"event\":\"told\",\"text\":\"6 1 2\\n\"",
                &format!("\"event\":\"failed\",\"why\":\"{orders}\""),
            ),
            "\\u{1b}]0;title\\u{7}",
        ),
    ] {
        let replay = judge_reading("replay -", doctored.as_bytes());
        let said = format!("{}{}", text(&replay.stdout), text(&replay.stderr));
        assert!(said.contains(shown), "{shown}: {said}");
        assert!(!said.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']), "{said:?}");
    }
    let missing = command("replay", &[]).arg("no\u{1b}[2J").output().unwrap();
    assert!(text(&missing.stderr).starts_with("judge: the transcript no\\u{1b}[2J cannot be opened"));
}

/// A command with line ends and the like is shown so that a shell plays the same game again.
#[test]
fn a_command_that_cannot_be_printed_is_quoted() {
    if !Command::new("bash").args(["-c", "true"]).status().is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: there is no bash");
        return;
    }
    let script = "read h\necho \"$0\" >&2; exit 3";
    let name = "a'\\\u{1b}\u{202e}9\u{e9}";
    let output = judge("run 6 1 2", &["sh", "-c", script, name]);
    let shown = text(&output.stdout);
    let again = shown.lines().find_map(|line| line.strip_prefix("    again: ")).unwrap();
    let again = again.replacen("judge", env!("CARGO_BIN_EXE_judge"), 1);
    let run = Command::new("bash").args(["-c", &again]).output().unwrap();
    let stderr = |shown: &str| shown.lines().find(|line| line.starts_with("    stderr: ")).map(str::to_owned);
    assert_eq!(stderr(text(&run.stdout)), stderr(shown), "{again}");
    assert!(stderr(shown).unwrap().ends_with("a'\\\\u{1b}\\u{202e}9\u{e9}"), "{shown}");
}

/// A transcript has one writer: a second judge plays no game, and what the first writes stays whole.
#[test]
fn two_judges_do_not_share_a_transcript() {
    let (file, here, go) = (scratch("shared.jsonl"), fifo("shared.here"), fifo("shared.go"));
    let run = format!("run 6 1 2 --opponent slow --time-limit 60 --transcript {}", file.display());
    let bot = format!("read h; echo here > {here}; read x < {go}; echo First; echo 3 3; read x");
    let first = command(&run, &["sh", "-c", &bot]).stdin(Stdio::null()).stdout(Stdio::null()).spawn();
    assert_eq!(std::fs::read_to_string(&here).unwrap(), "here\n");
    let second = judge(&run, &[]);
    std::fs::write(&go, "go\n").unwrap();
    assert_eq!(first.unwrap().wait().unwrap().code(), Some(1));
    assert_eq!((second.status.code(), text(&second.stdout)), (Some(2), ""));
    let error = text(&second.stderr);
    assert!(
        error.ends_with("another judge is writing to it; use a different file for each judge\n"),
        "{error}"
    );
    let replay = judge(&format!("replay {}", file.display()), &[]);
    assert!(text(&replay.stdout).starts_with("ILLEGAL 6 1 2"), "{}", text(&replay.stdout));
    assert_eq!((text(&replay.stderr), replay.status.code()), ("", Some(0)));
    // When the first has ended the file is free, and as long as the second game.
    assert_eq!(judge(&run, &[]).status.code(), Some(0));
    assert_eq!(judge(&format!("replay {}", file.display()), &[]).status.code(), Some(0));
}

/// A reader of the transcript that closes it leaves games that nobody has recorded.
#[test]
fn a_transcript_that_nobody_reads_any_more() {
    let pipe = fifo("transcript.pipe");
    let args = format!("run 6 1 2 --games 2000 --json --transcript {pipe}");
    let judge = command(&args, &["sh", "-c", "read h; echo First; echo 0 0"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(std::fs::File::open(&pipe).unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("{\"transcript\":1"), "{line}");
    let output = judge.wait_with_output().unwrap();
    let error = text(&output.stderr);
    assert!(error.contains("the transcript cannot be written: Broken pipe"), "{error}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn damaged_transcripts_are_refused_with_the_line() {
    let (_, transcript) = record("damaged.jsonl", "6 1 2 --opponent slow", &["sh", "-c", EARLY]);
    let lines: Vec<&str> = transcript.lines().collect();
    let without = |line: usize| [&lines[..line], &lines[line + 1..]].concat().join("\n") + "\n";
    let count = lines.len();
    let delayed = transcript.replacen("{\"ns\":", "{\"ns\":99999", 1);
    for (damaged, said) in [
        (String::new(), "is empty: expected the set-up of a game".to_owned()),
        ("hello\n".to_owned(), "line 1: expected a JSON object".to_owned()),
        (without(0), "line 1: expected the set-up of a game".to_owned()),
        (
            without(count - 1),
            format!("line {count}: expected an event or the result of the game, got the end of the file"),
        ),
        (transcript[..transcript.len() - 9].to_owned(), format!("line {count}: expected a whole line")),
        (transcript.replace("\"said\"", "\"sung\""), "expected an event, got".to_owned()),
        (
            transcript.replace("\"transcript\":1", "\"transcript\":2"),
            "line 1: expected the set-up of a game, {\"transcript\":1".to_owned(),
        ),
        (delayed, "expected a time of at least 99999".to_owned()),
    ] {
        let replay = judge_reading("replay -", damaged.as_bytes());
        assert_eq!(replay.status.code(), Some(2), "{said}");
        assert!(text(&replay.stderr).contains(&said), "{said}: {}", text(&replay.stderr));
    }
    let missing = judge("replay no/such/file", &[]);
    assert!(text(&missing.stderr).contains("the transcript no/such/file cannot be opened: No such file"));
    let unwritable = judge("run 6 1 2 --transcript no/such/file", &[]);
    assert!(text(&unwritable.stderr).contains("the transcript no/such/file cannot be created: No such file"));
}

/// The judge's side of a game, fed to the same bot and to another.
#[test]
fn a_replay_against_a_bot_shows_the_first_difference() {
    let (file, _) = record("replayed.jsonl", "6 1 2 --opponent slow", &["sh", "-c", EARLY]);
    let against =
        |script: &str| judge(&format!("replay {} --against", file.display()), &["sh", "-c", script]);
    let same = against("read h; echo First; echo 3 2; read x; echo 5 1; read y; echo 6 1");
    assert_eq!(
        (text(&same.stdout), same.status.code()),
        ("SAME 6 1 2: 4 lines of the bot as recorded\n", Some(0))
    );
    let other = against("read h; echo First; echo 3 2; read x; echo 4 1; read y");
    let said = "DIFFERENT 6 1 2: move 3: the transcript has \"5 1\", the bot printed \"4 1\"\n";
    assert_eq!((text(&other.stdout), other.status.code()), (said, Some(1)));
    let silent = against("read h");
    let said = "DIFFERENT 6 1 2: the side: the transcript has \"First\", no line was received from the bot: it exited with code 0\n";
    assert_eq!((text(&silent.stdout), silent.status.code()), (said, Some(1)));
    let crashed = against("read h; echo First; exec 1>&-; exit 3");
    assert!(
        text(&crashed.stdout).ends_with("no line was received from the bot: it exited with code 3\n"),
        "{}",
        text(&crashed.stdout)
    );
    let missing = judge(&format!("replay {} --against", file.display()), &["./nobot"]);
    assert_eq!(missing.status.code(), Some(2));
    let said = "judge: the bot ./nobot could not be started: ";
    assert!(text(&missing.stderr).starts_with(said), "{}", text(&missing.stderr));
    let empty = reading(&mut command("replay - --against", &["true"]), b"");
    let said = "judge: the transcript - is empty: expected the set-up of a game\n";
    assert_eq!((text(&empty.stderr), empty.status.code()), (said, Some(2)));
}

/// A limit that is reached is told, and Ctrl-C is nobody's fault.
#[test]
fn a_replay_against_a_bot_says_why_no_line_came() {
    let (_, transcript) = record("limits.jsonl", "6 1 2 --opponent slow", &["sh", "-c", EARLY]);
    let against = |seconds: u64, script: &str| {
        let limits = transcript.replace("2000000000,\"idle", &format!("{seconds}000000000,\"idle"));
        reading(&mut command("replay - --against", &["sh", "-c", script]), limits.as_bytes())
    };
    let late = against(1, "read h; while :; do :; done");
    let said = "DIFFERENT 6 1 2: the side: the transcript has \"First\", no line was received from the bot: it used up its 1 s of wall time\n";
    assert_eq!((text(&late.stdout), late.status.code()), (said, Some(1)));
    let long = against(60, "read h; head -c 100000 /dev/zero; read x");
    assert!(
        text(&long.stdout).ends_with("it printed a line of more than 4096 bytes\n"),
        "{}",
        text(&long.stdout)
    );
    let interrupted = against(60, "read h; kill -INT $PPID; exec sleep 100");
    assert_eq!((text(&interrupted.stdout), interrupted.status.code()), ("INTERRUPTED 6 1 2\n", Some(2)));
}

/// A game from the sandbox is replayed in the sandbox.
#[test]
fn a_replay_against_a_bot_keeps_the_sandbox() {
    if !judge("launch", &[]).status.success() {
        return;
    }
    let file = scratch("from_the_sandbox");
    let script = format!("read h; (: > {}) 2>&- && echo Second || echo First; read x", file.display());
    let bot = ["sh", "-c", &script];
    let (transcript, _) = record("sandboxed.jsonl", "6 1 2 --sandbox", &bot);
    let same = judge(&format!("replay {} --against", transcript.display()), &bot);
    assert!(text(&same.stdout).starts_with("SAME 6 1 2: 1 lines"), "{}", text(&same.stdout));
}

/// A transcript on stdout leaves the report to stderr.
#[test]
fn a_transcript_on_stdout() {
    let output = judge("run 6 1 2 --opponent slow --transcript -", &[]);
    assert!(text(&output.stdout).starts_with("{\"transcript\":1,"));
    assert!(
        timeless(text(&output.stderr))
            .starts_with("WON 6 1 2 as First against slow (seed 1), 5 moves: the opp")
    );
}

/// Nor is there room for the drawing.
#[test]
fn a_transcript_on_stdout_is_not_drawn_into() {
    let output = judge("run 6 1 2 --opponent slow --transcript - -v", &[]);
    let lines: Result<Vec<Value>, _> = text(&output.stdout).lines().map(serde_json::from_str).collect();
    assert!(lines.is_ok_and(|lines| lines.len() > 5), "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("##xx##\n"), "{}", text(&output.stderr));
}

/// An older transcript stays until there is a game to write.
#[test]
fn a_bot_that_cannot_be_started_leaves_the_transcript() {
    let (file, transcript) = record("older.jsonl", "6 1 2", &[]);
    let output = judge(&format!("run 6 1 2 --transcript {}", file.display()), &["./nobot"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), transcript);
}

/// The limit on the size of files is an error like a full disk, and ends the bot.
#[test]
fn a_transcript_beyond_the_limit_on_sizes() {
    let file = scratch("limited.jsonl");
    let script = "ulimit -f 8; exec \"$0\" run 6 1 2 --transcript \"$1\" -- \
        sh -c 'read h; echo $$ >\"$0\"; head -c 60000 /dev/zero >&2; exec sleep 100' \"$1.bot\"";
    let mut judge = std::process::Command::new("sh");
    judge.args(["-c", script, env!("CARGO_BIN_EXE_judge")]).arg(&file);
    let output = reading(&mut judge, b"");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(
        text(&output.stderr),
        "judge: the transcript cannot be written: File too large (os error 27)\n"
    );
    let bot = std::fs::read_to_string(scratch("limited.jsonl.bot")).unwrap();
    assert!(!std::path::Path::new("/proc").join(bot.trim()).exists(), "the bot lives on");
}
