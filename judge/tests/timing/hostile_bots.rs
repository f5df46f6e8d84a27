//! Bots that hang, crash, start processes, print too much, or print strange lines: each gets its verdict, and none of
//! its processes is left.

use std::process::Command;
use std::sync::{Mutex, OnceLock};
use std::thread;

use runner::sandbox::Sandbox;
use serde_json::Value;

use crate::hostile::{MARK, left_behind};
use crate::support::{JUDGE, has_sandbox, json_lines, judge, root, text};
use crate::testbot::bots::{self, HostileBot};

/// Number of games at a time. Most games wait for a limit.
const JOBS: usize = 4;

/// Returns the path of the program of the hostile bots, which cargo builds.
fn testbot() -> &'static str {
    static PATH: OnceLock<String> = OnceLock::new();
    PATH.get_or_init(|| {
        let built = Command::new(env!("CARGO"))
            .current_dir(root())
            .args(["build", "--package", "judge", "--example", "testbot", "--message-format", "json"])
            .output()
            .unwrap();
        assert!(built.status.success(), "{}", text(&built.stderr));
        let artifacts = json_lines(&built.stdout);
        let artifact = artifacts.iter().find(|line| line["target"]["name"] == "testbot").unwrap();
        artifact["executable"].as_str().unwrap().to_owned()
    })
}

/// Plays the game of a bot. Returns what differs from the expected result; `None` if nothing differs.
fn problem(bot: &HostileBot, mark: &str) -> Option<String> {
    let command = bot.command(testbot()).unwrap();
    let words = shlex::split(&command).unwrap();
    let output =
        Command::new(JUDGE).args(["run", "--json"]).args(&words[2..]).env(MARK, mark).output().unwrap();
    let lines = json_lines(&output.stdout);
    let [game] = &lines[..] else { return Some(format!("{}: {}", bot.name, text(&output.stderr))) };
    let reason = [&game["reason"], &game["why"]].map(Value::to_string).concat();
    let shown = Value::from(bot.expected_reason).to_string();
    let is_expected = game["verdict"] == bot.expected && reason.contains(shown.trim_matches('"'));
    (!is_expected).then(|| format!("{}: expected {} {shown}, got {game}", bot.name, bot.expected))
}

#[test]
fn hostile_bots_get_their_verdicts() {
    let mark = format!("bots{}", std::process::id());
    let bots = bots::all();
    let left = Mutex::new(bots.iter().filter(|bot| bot.sandbox == Sandbox::None || has_sandbox()));
    let play = || {
        let mut problems = Vec::new();
        loop {
            let Some(bot) = left.lock().unwrap().next() else { return problems };
            problems.extend(problem(bot, &mark));
        }
    };
    let problems = thread::scope(|scope| {
        let jobs = [(); JOBS].map(|()| scope.spawn(play));
        jobs.map(|job| job.join().unwrap()).concat()
    });
    assert_eq!(problems, [""; 0]);
    assert_eq!(left_behind(&mark), [""; 0]);
}

/// Checks that a move printed before its turn waits until it is expected. The transcript shows that the move was
/// early.
#[test]
fn an_early_move_is_recorded_as_early() {
    for name in ["two-moves-at-once", "all-at-once"] {
        let output = judge("run 6 1 2 --opponent slow --transcript -", &[testbot(), name]);
        let lines: Vec<Value> = json_lines(&output.stdout);
        let place = |event: &str, line_text: &str| {
            lines.iter().position(|line| line["event"] == event && line["text"] == line_text)
        };
        let (early, sent) = (place("received", "5 1\n").unwrap(), place("sent", "1 1\n").unwrap());
        assert!(early < sent, "{name}: {lines:#?}");
        assert_eq!(lines.last().unwrap()["verdict"], "WON", "{name}");
    }
}
