//! Tests of the bot as a program: conversations, exit codes, the log and options.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Output, Stdio};

use itertools::Itertools;
use zeroxor::wire::protocol;
use zeroxor::wire::session::{self, SessionError};

fn bot() -> Command {
    let mut bot = Command::new(env!("CARGO_BIN_EXE_zeroxor"));
    bot.env_remove("RUST_LOG").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    bot
}

/// Runs the bot with the memory limit of the contest, writes all of `input` at once, and closes its input.
fn converse(input: &[u8]) -> Output {
    let mut bot = Command::new("sh");
    bot.args(["-c", "ulimit -v 1048576; exec \"$0\"", env!("CARGO_BIN_EXE_zeroxor")]).env_remove("RUST_LOG");
    let mut child = bot.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Ignore a closed pipe: a bot that has refused a line may exit before the rest is written.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn a_game_is_played_line_by_line() {
    let mut child: Child = bot().spawn().unwrap();
    let mut to = child.stdin.take().unwrap();
    let mut from = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut receive = || from.next().unwrap().unwrap();
    to.write_all(b"6 1 2\n").unwrap();
    assert_eq!((receive(), receive()), ("First".to_owned(), "3 2".to_owned()));
    to.write_all(b"1 1\n").unwrap();
    assert_eq!(receive(), "5 1");
    to.write_all(b"6 1\n").unwrap();
    assert_eq!(receive(), "2 1");
    to.write_all(b"0 0\n").unwrap();
    // The bot exits although its input is still open.
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(from.next().is_none());
    drop(to);
}

/// The program and the session in memory refuse the same headers, and the core, which plays the contest's games, and the
/// session the same lines, with the same words.
#[test]
fn the_program_the_core_and_the_session_agree_on_errors() {
    let headers = [&b""[..], b"games 2\n", b"6 1\n", b"\xff\xfe\n", b"1000000001 4 4\n"].map(<[u8]>::to_vec);
    let long = " ".repeat(protocol::MAX_LINE + 1);
    let short = "1|1 1 1|1 1 junk|0 5|-1 1|-1|+1 1|1,1|x\ty|1 \x07|é 1|1 0|1 3|3 1|2 2|7 1|\
                 18446744073709551615 1|1 18446744073709551615|18446744073709551616 1";
    let lines = short.split('|').chain([&*long]).cartesian_product(["\n", "\r\n", ""]);
    let lines = lines.chain([("", "\n"), ("", "\r\n")]).map(|(line, end)| format!("6 1 2\n6 1\n{line}{end}"));
    for input in headers.into_iter().chain(lines.map(String::into_bytes)) {
        let (program, mut output) = (converse(&input), Vec::new());
        let error = session::run(&*input, &mut output).err();
        let code = error.as_ref().map_or(0, SessionError::exit_code);
        let message = error.map_or(String::new(), |error| format!("zeroxor: {error}\n"));
        assert_eq!(program.status.code(), Some(code.into()), "{message}");
        assert_eq!(text(&program.stdout), text(&output), "{message}");
        assert_eq!(text(&program.stderr), message);
    }
}

/// Each of these headers is refused before the side is written. The bot does not abort.
#[test]
fn games_that_exceed_the_limit_are_refused_within_1_gib() {
    let bans: Vec<String> = (1..2000_u64).map(|root| (root * root).to_string()).collect();
    for header in [
        "segment 1000000000000000000 999999999999900000 999999999999900000 + 6 1 2",
        "1000000000000000000 3 3 seat first",
        "square 999999999999999999 5",
        "square 99999999 6 5",
        &format!("square 2000000000 5 ban {}", bans.join(" ")),
        "divisor 1000000000000 5 ban 1",
        // Neither pile may be taken whole.
        "divisor 999999999999999989 999999999999999959 ban 1 999999999999999959 999999999999999989",
        "subtract 1000000000000000000 take 1 99999999999",
        "subtract 1000000000000 999999999998 take 1 3..1000000000000",
        "subtract 1000000000000000000 take 1 7 15000003 30000001",
    ] {
        let output = converse(format!("{header}\n").as_bytes());
        let (error, short) = (text(&output.stderr), &header[..header.len().min(100)]);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{short}: {error}");
        assert!(error.starts_with("zeroxor: line 1: the game is too large: \""), "{error}");
        assert!(error.len() < 400, "{error}");
    }
}

/// Checks that games whose needed tables are within the limit are not refused. Tables for delaying moves would exceed
/// it. The only error is the early end of the input.
#[test]
#[ignore = "large tables"]
fn games_within_the_limit() {
    let windows: Vec<String> = (3900..4000).map(|r| format!("4095 1 {r}")).collect();
    let rows: Vec<String> = (300..340).map(|k| format!("3000 {k} {k}")).collect();
    let takes: Vec<String> = (0..3000_u64).map(|k| (1 + k * 7919 * 7919 % 999_983).to_string()).collect();
    let piles = format!("subtract 300000 299999 take {}", takes.join(" "));
    for header in [windows.join(" + "), rows.join(" + "), piles] {
        let output = converse(format!("{header}\n").as_bytes());
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    }
}

#[test]
fn closed_stdout() {
    let mut child = bot().spawn().unwrap();
    drop(child.stdout.take());
    let _ = child.stdin.take().unwrap().write_all(b"6 1 2\n1 1\n6 1\n0 0\n");
    let output = child.wait_with_output().unwrap();
    let stderr = text(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)) && !stderr.contains("panicked"), "{output:?}");
}

/// Checks that there is no log by default, that a filter that is not valid is named, and that without stderr the log is
/// lost, but the game is played. The lines of the log are in docs/commands.md.
#[test]
fn the_log() {
    for (filter, has_stderr, words) in [
        ("off", true, ""),
        ("zeroxor=loud", true, "warning: invalid logging spec 'loud'"),
        ("debug", false, ""),
    ] {
        let mut child = bot().env("RUST_LOG", filter).spawn().unwrap();
        let stderr = child.stderr.take().filter(|_| has_stderr);
        child.stdin.take().unwrap().write_all(b"7 2 2\n0 0\n").unwrap();
        let log = stderr.map_or(String::new(), |stderr| std::io::read_to_string(stderr).unwrap());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), "First\n1 2\n"), "{filter}");
        assert!(log.contains(words) && log.is_empty() == words.is_empty(), "{filter}: {log}");
    }
}

/// docs/commands.md shows a game and its log exactly as the bot prints them, apart from the times.
#[test]
fn docs_show_the_real_log() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/commands.md")).unwrap();
    let (_, block) = page.split_once("\n$ printf ").unwrap();
    let (command, shown) = block.split_once("```").unwrap().0.split_once('\n').unwrap();
    let command = format!(
        "exec 2>&1; printf {}",
        command.replace("target/release/zeroxor", env!("CARGO_BIN_EXE_zeroxor"))
    );
    let output = Command::new("sh").args(["-c", &command]).output().unwrap();
    let timeless = |log: &str| {
        let lines =
            log.lines().map(|line| line.split_once(" ms  ").map_or(line, |(_, rest)| rest).to_owned());
        lines.collect::<Vec<_>>()
    };
    assert_eq!(timeless(text(&output.stdout)), timeless(shown), "{command}");
}

#[test]
fn options() {
    let run = |args: &[&str]| bot().args(args).stdin(Stdio::null()).output().unwrap();
    let help = run(&["--help"]);
    assert!(help.status.success() && text(&help.stdout).contains("Usage: zeroxor"));
    assert!(text(&help.stdout).lines().all(|line| line.len() <= 110));
    assert_eq!(text(&run(&["-V"]).stdout), concat!("zeroxor ", env!("CARGO_PKG_VERSION"), "\n"));
    let wrong = run(&["--fast"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert_eq!(text(&wrong.stderr), "zeroxor: expected no argument, --help or --version, got \"--fast\"\n");
    // If the help or the version cannot be printed, the bot exits with an error.
    for option in ["--help", "--version"].iter().filter(|_| cfg!(target_os = "linux")) {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = bot().arg(option).stdout(full).output().unwrap();
        let error = "zeroxor: stdout cannot be written to: No space left on device (os error 28)\n";
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), error), "{option}");
    }
}
