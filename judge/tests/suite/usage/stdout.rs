//! A stdout that cannot be written.

use std::fs::File;
use std::process::{Command, Stdio};

use crate::support::{JUDGE, Printed, TestDir, command, judge};

/// Returns the exit code and stderr of the judge after the reader of stdout has closed the pipe.
fn unread(args: &str, bot: &[&str]) -> (Option<i32>, String) {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = command(args, bot).stdin(Stdio::null()).stdout(writer).output().unwrap();
    (output.code(), output.err().to_owned())
}

/// Checks that a reader may close a list early, as in `judge completions bash | head`.
#[test]
fn a_list_may_be_read_in_part() {
    assert_eq!(unread("completions bash", &[]), (Some(0), String::new()));
}

/// Checks that a report whose reader is gone is an error, as in `judge run ... | head`: a lost game may be unreported.
#[test]
fn an_unread_report_is_no_success() {
    let here = TestDir::new();
    let transcript = here.file("unread.jsonl");
    judge(&format!("run 6 1 2 --transcript {transcript}"), &[]).exits(0);
    let replay = format!("replay {transcript}");
    let loser = ["sh", "-c", "read h; echo First; echo 0 0"];
    let cases: [(&str, &[&str]); 8] = [
        ("run 6 1 2 --games 2000", &loser),
        ("run 2000 1 1 -v", &[]),
        ("run --interactor false --games 9", &["true"]),
        ("test -f tests/data/inputs/cards.in", &loser),
        ("stress --family segment --games 20 --keep-going", &loser),
        ("stress --family segment --games 20 --json", &[]),
        ("lint --family segment --json", &["true"]),
        (&replay, &[]),
    ];
    for (args, bot) in cases {
        let (code, stderr) = unread(args, bot);
        assert_eq!(code, Some(2), "{args}: {stderr}");
        let why = "judge: the output pipe was closed, so not everything was judged and reported: ";
        assert!(
            stderr.starts_with(why) && stderr.ends_with("Broken pipe (os error 32)\n"),
            "{args}: {stderr}"
        );
    }
    // The exit code still tells that all games are won.
    assert_eq!(unread("run 6 1 2 -q", &[]), (Some(0), String::new()));
}

/// Returns the command lines of commands that print something, each with little work.
fn printing_commands(here: &TestDir) -> Vec<String> {
    let [transcript, games] = ["game.jsonl", "games.jsonl"].map(|name| here.file(name));
    let arena = "arena 5 1 2 --bot perfect --bot random --pairs 1";
    for args in [&format!("run 6 1 2 --transcript {transcript}"), &format!("{arena} --record {games}")] {
        assert_eq!(judge(args, &[]).code(), Some(0), "{args}");
    }
    let new = here.file("new");
    [
        "",
        "--help",
        "--version",
        "help",
        "help run",
        "run --help",
        "run -h",
        "run --version",
        "--version -v",
        "run 6 1 2",
        "run 6 1 2 -v",
        "run 6 1 2 --json",
        "run 6 1 2 --transcript -",
        "test -f tests/data/inputs/cards.in JUDGE bot",
        "stress --family segment --games 2 --max-n 10",
        "stress --family segment --games 2 --max-n 10 --json",
        arena,
        &format!("{arena} --json"),
        &format!("arena --rate {games}"),
        &format!("replay {transcript}"),
        &format!("replay {transcript} -v"),
        &format!("replay {transcript} --json"),
        &format!("replay {transcript} --html -"),
        &format!("replay {transcript} --against -- JUDGE bot"),
        "play 6 1 2",
        "lint --family segment -- JUDGE bot",
        "lint --family segment --json -- JUDGE bot",
        "completions bash",
        "completions zsh",
        &format!("new python {new}"),
    ]
    .map(|args| args.replace("JUDGE", JUDGE))
    .to_vec()
}

/// Checks that output that cannot be printed is an error, even if the output is the help.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_no_success() {
    let here = TestDir::new();
    for args in printing_commands(&here) {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = command(&args, &[]).stdin(Stdio::null()).stdout(full).output().unwrap();
        let stderr = output.err();
        output.exits(2);
        assert!(
            stderr.contains("judge: ") && stderr.ends_with("No space left on device (os error 28)\n"),
            "{args}: {stderr}"
        );
    }
    command("-- judge ru", &[])
        .env("JUDGE_COMPLETE", "bash")
        .stdout(File::create("/dev/full").unwrap())
        .output()
        .unwrap()
        .exits(2);
}

/// Returns the exit code and stderr of the judge if a shell has redirected stdout by `redirection`.
fn redirected(args: &str, redirection: &str) -> (Option<i32>, String) {
    let script = format!("exec {JUDGE} {args} {redirection}");
    let output = Command::new("sh").args(["-c", &script]).stdin(Stdio::null()).output().unwrap();
    (output.code(), output.err().to_owned())
}

/// Checks that a stdout that is closed or not open for writing is refused, and that `/dev/null` is accepted in each
/// mode that includes writing.
#[test]
fn a_closed_stdout_is_no_success() {
    let refused = "stdout cannot be written to: it is closed or not open for writing; to drop what is printed, use > /dev/null\n";
    for args in [
        "--help",
        "run 6 1 2",
        "arena 5 1 2 --bot perfect --bot random --pairs 1",
        "stress --family segment --games 2",
        "bot",
    ] {
        for redirection in [">&-", "1</dev/null"] {
            let refused = format!("judge: {refused}");
            assert_eq!(redirected(args, redirection), (Some(2), refused), "{args} {redirection}");
        }
        // Cron and systemd open /dev/null for reading too.
        for redirection in [">/dev/null", ">>/dev/null", "1<>/dev/null", "1<>/dev/null 2>&1"] {
            assert_eq!(redirected(args, redirection), (Some(0), String::new()), "{args} {redirection}");
        }
    }
    let (code, stderr) = redirected("interact --style testlib in out", ">&-");
    assert_eq!((code, stderr.as_str()), (Some(3), format!("judge: {refused}").as_str()));
}
