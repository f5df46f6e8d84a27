//! A stdout that cannot be written.

use std::fs::File;
use std::process::{Command, Stdio};

use crate::support::{JUDGE, Printed, TestDir, command, judge};

/// Returns the exit code and stderr of a judge that prints to `stdout`.
fn printed_to(stdout: impl Into<Stdio>, args: &str, bot: &[&str]) -> (Option<i32>, String) {
    let output = command(args, bot).stdin(Stdio::null()).stdout(stdout).output().unwrap();
    (output.code(), output.err().to_owned())
}

/// Returns a pipe whose reader is gone.
fn unread() -> std::io::PipeWriter {
    std::io::pipe().unwrap().1
}

/// Checks that a report whose reader is gone is an error, as in `judge run ... | head`: a lost game may be unreported. The
/// reader of a list may close it early, as in `judge completions bash | head`. On a full disk, output that cannot be
/// printed is an error even if it is the help.
#[test]
fn an_unread_report_or_a_full_disk_is_no_success() {
    let here = TestDir::new();
    let [transcript, record] = ["game.jsonl", "games.jsonl"].map(|name| here.file(name));
    let arena = "arena 5 1 2 --bot perfect --bot random --pairs 1";
    judge(&format!("run 6 1 2 --transcript {transcript}"), &[]).exits(0);
    judge(&format!("{arena} --record {record}"), &[]).exits(0);
    let (loser, bot) = (["sh", "-c", "read h; echo First; echo 0 0"], [JUDGE, "bot"]);
    let reports: [(&str, &[&str]); 8] = [
        ("run 6 1 2 --games 2000", &loser),
        ("run 2000 1 1 -v", &[]),
        ("run --interactor false --games 9", &["true"]),
        ("test -f tests/data/inputs/cards.in", &loser),
        ("stress --family segment --games 20 --keep-going", &loser),
        ("stress --family segment --games 20 --json", &[]),
        ("lint --family segment --json", &["true"]),
        (&format!("replay {transcript}"), &[]),
    ];
    for (args, bot) in reports {
        let (code, stderr) = printed_to(unread(), args, bot);
        let why = "judge: the output pipe was closed, so not everything was judged and reported: ";
        let is_named = stderr.starts_with(why) && stderr.ends_with("Broken pipe (os error 32)\n");
        assert!(code == Some(2) && is_named, "{args}: {code:?} {stderr}");
    }
    // The exit code still tells that all games are won. A person may leave a game.
    for args in ["run 6 1 2 -q", "completions bash", "play --players 2"] {
        assert_eq!(printed_to(unread(), args, &[]), (Some(0), String::new()));
    }
    let others: [(&str, &[&str]); 13] = [
        ("", &[]),
        ("--help", &[]),
        ("--version -v", &[]),
        ("help run", &[]),
        ("run --version", &[]),
        ("run 6 1 2 --transcript -", &[]),
        (&format!("{arena} --json"), &[]),
        (&format!("arena --rate {record}"), &[]),
        (&format!("replay {transcript} --html -"), &[]),
        (&format!("replay {transcript} --against"), &bot),
        ("play 6 1 2", &[]),
        ("completions zsh", &[]),
        (&format!("new python {}", here.file("new")), &[]),
    ];
    if cfg!(target_os = "linux") {
        let full = || File::options().write(true).open("/dev/full").unwrap();
        for (args, bot) in reports.into_iter().chain(others) {
            let (code, stderr) = printed_to(full(), args, bot);
            let is_named =
                stderr.contains("judge: ") && stderr.ends_with("No space left on device (os error 28)\n");
            assert!(code == Some(2) && is_named, "{args}: {code:?} {stderr}");
        }
        let mut completion = command("-- judge ru", &[]);
        completion.env("JUDGE_COMPLETE", "bash").stdout(full()).output().unwrap().exits(2);
    }
}

/// Checks that a stdout that is closed or not open for writing is refused, and that `/dev/null` is accepted in each
/// mode that includes writing.
#[test]
fn a_closed_stdout_is_no_success() {
    let redirected = |args: &str, redirection: &str| {
        let script = format!("exec {JUDGE} {args} {redirection}");
        let output = Command::new("sh").args(["-c", &script]).stdin(Stdio::null()).output().unwrap();
        (output.code(), output.err().to_owned())
    };
    let refused = "judge: stdout cannot be written to: it is closed or not open for writing; to drop what is printed, use > /dev/null\n";
    for args in [
        "--help",
        "run 6 1 2",
        "arena 5 1 2 --bot perfect --bot random --pairs 1",
        "stress --family segment --games 2",
        "bot",
    ] {
        for redirection in [">&-", "1</dev/null"] {
            assert_eq!(redirected(args, redirection), (Some(2), refused.to_owned()), "{args} {redirection}");
        }
        // Cron and systemd open /dev/null for reading too.
        for redirection in [">/dev/null", ">>/dev/null", "1<>/dev/null", "1<>/dev/null 2>&1"] {
            assert_eq!(redirected(args, redirection), (Some(0), String::new()), "{args} {redirection}");
        }
    }
    let in_testlib = redirected("interact --style testlib in out", ">&-");
    assert_eq!(in_testlib, (Some(3), refused.to_owned()));
}
