//! Running the judge.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The judge with these arguments, split at blanks, and this bot.
pub fn judge(args: &str, bot: &[&str]) -> Output {
    command(args, bot).stdin(Stdio::null()).output().unwrap()
}

/// The judge with these arguments and this input.
pub fn judge_reading(args: &str, input: &[u8]) -> Output {
    reading(&mut command(args, &[]), input)
}

/// What a command does with this input.
pub fn reading(judge: &mut Command, input: &[u8]) -> Output {
    let mut judge =
        judge.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = judge.stdin.take().unwrap();
    std::thread::scope(|scope| {
        // A judge that has refused its input may be gone before the rest is written.
        scope.spawn(move || stdin.write_all(input).err());
        judge.wait_with_output().unwrap()
    })
}

/// The judge with these arguments and this bot, yet to be started.
pub fn command(args: &str, bot: &[&str]) -> Command {
    let mut judge = Command::new(env!("CARGO_BIN_EXE_judge"));
    judge.args(args.split_whitespace());
    if !bot.is_empty() {
        judge.arg("--").args(bot);
    }
    judge.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    judge
}

/// Waits for the first child of a process: of the judge that is the judge proper, and of that its bot. `None`
/// where there is no `/proc`.
pub fn child_of(process: u32) -> Option<u32> {
    loop {
        let children = std::fs::read_to_string(format!("/proc/{process}/task/{process}/children")).ok()?;
        if let Some(child) = children.split_whitespace().next() {
            return child.parse().ok();
        }
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        if stat.contains(") Z ") {
            return None;
        }
        std::thread::yield_now();
    }
}

/// Whether Python is there; where it is not, what needs it is skipped with a message.
pub fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("SKIPPED: there is no python3");
    }
    found
}

/// A report without what the games took: "5 moves in 1.5 ms (CPU ...): WHY" becomes "5 moves: WHY", and what
/// a search or a table took is left out.
pub fn timeless(report: &str) -> String {
    let timeless = |line: &str| {
        if let Some((won, _)) = line.split_once(" games won; ") {
            return format!("{won} games won");
        }
        if line.starts_with("time: ") {
            return "time:".to_owned();
        }
        let took = [" moves in ", " move in "].iter().find_map(|noun| {
            let start = line.find(noun)? + noun.len() - " in ".len();
            Some(start..start + line[start..].find("): ")? + 1)
        });
        took.map_or(line.to_owned(), |took| format!("{}{}", &line[..took.start], &line[took.end..]))
    };
    report.lines().map(|line| timeless(line) + "\n").collect()
}

/// A pipe with a name, by which a bot or a reader tells how far it is.
pub fn fifo(name: &str) -> String {
    let path = format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"));
    let _ = std::fs::remove_file(&path);
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    path
}

pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// The games that `judge run --json` reports, and its exit code.
pub fn games(args: &str, bot: &[&str]) -> (Vec<Value>, i32) {
    let output = judge(&format!("run --json {args}"), bot);
    assert_eq!(text(&output.stderr), "", "{args}");
    let games = text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (games, output.status.code().unwrap())
}

/// Every game is won, and there are that many.
#[track_caller]
pub fn assert_all_won(args: &str, bot: &[&str], expected: usize) {
    let (games, code) = games(args, bot);
    for game in &games {
        assert_eq!(game["verdict"], "WON", "{game}");
    }
    assert_eq!((games.len(), code), (expected, 0), "{args}");
}

/// The judge prints that, and nothing else.
#[track_caller]
pub fn assert_prints(args: &str, expected: &str) {
    let output = judge(args, &[]);
    assert_eq!((text(&output.stdout), text(&output.stderr)), (expected, ""), "{args}");
    assert_eq!(output.status.code(), Some(0), "{args}");
}

/// The judge refuses these arguments, and says so in these words among others.
#[track_caller]
pub fn assert_refuses(args: &str, reason: &str) {
    let output = judge(args, &[]);
    assert_eq!(text(&output.stdout), "", "{args}");
    assert!(text(&output.stderr).contains(reason), "{args}: {}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(2), "{args}");
}
