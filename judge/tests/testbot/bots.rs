//! The hostile bots: the actions of each, and the expected verdict.

use std::ffi::OsString;
use std::time::Duration;

use itertools::Itertools;

use super::action::Action;
use runner::config::MatchConfig;
use runner::limits::{DEFAULT_LIMITS, Limits};
use runner::sandbox::Sandbox;

/// A hostile bot, its game, and the expected verdict.
#[derive(Clone, Debug)]
pub struct HostileBot {
    pub name: &'static str,
    actions: Vec<Action>,
    game: String,
    limits: Limits,
    pub sandbox: Sandbox,
    pub expected: &'static str,
    /// A text that the reason must contain.
    pub expected_reason: &'static str,
}

/// The game of most bots. Against the opponent `slow`, First wins with the moves 3 2, 5 1 and 6 1.
const GAME: &str = "6 1 2";

/// The wall limit of bots that end by themselves. Even on a busy machine they do not reach this limit.
const LONG_LIMIT: Duration = Duration::from_secs(20);

/// The wall limit of bots that end only when they reach a limit.
const SHORT_LIMIT: Duration = Duration::from_secs(1);

const GRACE: Duration = Duration::from_millis(300);

/// The verdict of a bot that sleeps. Only on Linux can the judge see that a bot sleeps.
pub const IDLE: &str = if cfg!(target_os = "linux") { "IDLE" } else { "TIME_WALL" };

impl HostileBot {
    fn new(name: &'static str, expected: &'static str, actions: Vec<Action>) -> Self {
        let wall = if expected == IDLE || expected == "TIME_WALL" { SHORT_LIMIT } else { LONG_LIMIT };
        Self {
            name,
            actions,
            game: GAME.to_owned(),
            limits: Limits { cpu: wall, wall, idle: wall, grace: GRACE, ..DEFAULT_LIMITS },
            sandbox: Sandbox::None,
            expected,
            expected_reason: "",
        }
    }

    fn with_game(self, game: impl Into<String>) -> Self {
        Self { game: game.into(), ..self }
    }

    fn with_reason(self, expected_reason: &'static str) -> Self {
        Self { expected_reason, ..self }
    }

    fn with_limits(self, change: impl FnOnce(&mut Limits)) -> Self {
        let mut limits = self.limits;
        change(&mut limits);
        Self { limits, ..self }
    }

    fn sandboxed(self) -> Self {
        Self { sandbox: Sandbox::All, ..self }
    }

    /// Returns the command that plays the bot's game. `testbot` is the path of the program.
    pub fn command(&self, testbot: &str) -> Option<String> {
        let bot = [testbot, self.name].map(OsString::from).to_vec();
        let config =
            MatchConfig { limits: self.limits, sandbox: self.sandbox, bot, ..MatchConfig::default() };
        config.run_command(&format!("{} --opponent slow --seed 1", self.game))
    }
}

/// Returns the actions of the bot `name`, or of the process `name` that a bot starts; `None` if neither exists.
pub fn actions(name: &str) -> Option<Vec<Action>> {
    match name {
        "daemon" => Some(vec![Action::LeaveSession, Action::Start("sleeper")]),
        "sleeper" => Some(vec![Action::SleepForever]),
        "restarter" => Some(vec![Action::LeaveSession, Action::Start("restarter")]),
        _ => all().into_iter().find(|bot| bot.name == name).map(|bot| bot.actions),
    }
}

/// Returns all hostile bots.
pub fn all() -> Vec<HostileBot> {
    let mut bots = silent();
    bots.extend(busy());
    bots.extend(floods());
    bots.extend(deaths());
    bots.extend(escapes());
    bots.extend(strange_lines());
    bots.extend(strange_numbers());
    bots.extend(early_lines());
    bots.extend(endings());
    bots
}

fn print(bytes: impl Into<Vec<u8>>) -> Action {
    Action::Print(bytes.into())
}

/// Returns the actions of a bot that chooses First and then performs `then`.
fn first(then: impl IntoIterator<Item = Action>) -> Vec<Action> {
    [Action::Read, print("First\n")].into_iter().chain(then).collect()
}

/// Returns the actions of a bot that makes its first move, reads the answer, and then performs `then`.
fn at_move_3(then: impl IntoIterator<Item = Action>) -> Vec<Action> {
    first([print("3 2\n"), Action::Read].into_iter().chain(then))
}

/// Returns the actions of a bot that wins and then performs `then`.
fn winner(then: impl IntoIterator<Item = Action>) -> Vec<Action> {
    at_move_3([print("5 1\n"), Action::Read, print("6 1\n")].into_iter().chain(then))
}

fn endings() -> Vec<HostileBot> {
    use Action::Read;
    vec![
        HostileBot::new("resigns", "RESIGNED", at_move_3([print("0 0\n"), Read])),
        HostileBot::new("loses", "LOST", vec![Read, print("Second\n"), Read, print("0 0\n"), Read])
            .with_game("1 1 1"),
        HostileBot::new("taken-card", "ILLEGAL", at_move_3([print("3 1\n"), Read]))
            .with_reason("the card at that place is already taken"),
    ]
}

fn floods() -> Vec<HostileBot> {
    use Action::{PrintForever, Read, WriteStderr};
    // 900 moves from the right end of the row. The opponent takes cards from the left end.
    let moves = format!("{} 1\n", (1101..=2000).rev().format(" 1\n"));
    vec![
        HostileBot::new("flood-without-newline", "OUTPUT_LIMIT", first([PrintForever(&[b'1'; 1024])]))
            .with_reason("move 1 was not received: the bot wrote a line of more than 4096 bytes"),
        HostileBot::new("flood-of-lines", "MALFORMED", first([PrintForever(b"hello\n")])),
        HostileBot::new("flood-ahead", "MALFORMED", first([print(moves), PrintForever(&[b'\n'; 1024])]))
            .with_game("2000 1 1")
            .with_limits(|limits| limits.wall = Duration::from_secs(5))
            .with_reason("move 1801: expected a move"),
        HostileBot::new(
            "flood-of-stderr",
            "WON",
            [vec![WriteStderr(64)], at_move_3([WriteStderr(64), print("5 1\n"), Read, print("6 1\n"), Read])]
                .concat(),
        ),
    ]
}

/// Returns a bot that prints `line` as its first move.
fn with_first_move(name: &'static str, expected: &'static str, line: impl Into<Vec<u8>>) -> HostileBot {
    HostileBot::new(name, expected, first([print(line), Action::Read]))
}

fn strange_lines() -> Vec<HostileBot> {
    let win = |name, [first, second]: [&str; 2]| {
        let actions = [
            print("First\n"),
            print(first),
            Action::Read,
            print(second),
            Action::Read,
            print("6 1\n"),
            Action::Read,
        ];
        HostileBot::new(name, "WON", [vec![Action::Read], actions.to_vec()].concat())
    };
    vec![
        win("crlf", ["3 2\r\n", "5 1\r\n"]),
        win("tabs", ["3\t2\n", " \t5  1 \n"]),
        with_first_move("nul-byte", "MALFORMED", "3 2\0\n").with_reason(r#""3 2\x00""#),
        with_first_move("latin-1", "MALFORMED", b"3 2 \xe9\n").with_reason("in ASCII, got"),
        HostileBot::new("lower-case", "MALFORMED", vec![Action::Read, print("first\n"), Action::Read])
            .with_reason("the side: expected \"First\" or \"Second\", got \"first\""),
    ]
}

fn strange_numbers() -> Vec<HostileBot> {
    vec![
        with_first_move("minus-one", "MALFORMED", "-1 -1\n"),
        with_first_move("two-to-the-64-less-1", "ILLEGAL", "3 18446744073709551615\n")
            .with_reason("a move takes 1 to 2 consecutive cards"),
        with_first_move("two-to-the-64", "MALFORMED", "18446744073709551616 1\n"),
        with_first_move("ten-to-the-5000", "OUTPUT_LIMIT", format!("1{} 1\n", "0".repeat(5000)))
            .with_reason("a line of more than 4096 bytes"),
    ]
}

fn early_lines() -> Vec<HostileBot> {
    use Action::Read;
    vec![
        HostileBot::new(
            "two-moves-at-once",
            "WON",
            first([print("3 2\n5 1\n"), Read, Read, print("6 1\n"), Read]),
        ),
        HostileBot::new(
            "before-its-turn",
            "WON",
            first([print("3 2\n"), print("5 1\n"), Read, Read, print("6 1\n"), Read]),
        ),
        HostileBot::new("all-at-once", "WON", vec![print("First\n3 2\n5 1\n6 1\n")]),
    ]
}

fn deaths() -> Vec<HostileBot> {
    use Action::{CloseStdout, Crash, Exit, SleepForever};
    vec![
        HostileBot::new("segfault", "CRASHED", at_move_3([Crash]))
            .with_reason("move 3 was not received: the bot was killed by signal 11 (SIGSEGV)"),
        HostileBot::new("exit-0", "EXITED_EARLY", at_move_3([Exit(0)]))
            .with_reason("move 3 was not received: the bot exited with code 0"),
        HostileBot::new("exit-7", "CRASHED", first([print("3 2\n"), Exit(7)]))
            .with_reason("move 3 was not received: the bot exited with code 7"),
        HostileBot::new("win-and-exit-7", "CRASHED", winner([Exit(7)]))
            .with_reason("the opponent has no move left, but then the bot exited with code 7"),
        HostileBot::new("win-and-exit", "WON", winner([Exit(0)])),
        HostileBot::new("closes-stdout", "EXITED_EARLY", at_move_3([CloseStdout, SleepForever]))
            .with_reason("move 3 was not received: the bot closed its stdout"),
        HostileBot::new("closes-stdin", "WON", vec![Action::CloseStdin, print("First\n3 2\n5 1\n6 1\n")]),
    ]
}

fn escapes() -> Vec<HostileBot> {
    use Action::{Exit, Read, SleepForever, Start, StartAndWait};
    // 64 processes and the bot itself are one more than the limit.
    let bomb = [vec![Read], vec![Start("sleeper"); 64], vec![SleepForever]].concat();
    let mut bots = vec![
        HostileBot::new("daemon-and-exit", "EXITED_EARLY", at_move_3([StartAndWait("daemon"), Exit(0)])),
        HostileBot::new("daemon-and-win", "WON", [vec![StartAndWait("daemon")], winner([Exit(0)])].concat()),
        HostileBot::new("restarter-and-win", "WON", [vec![Start("restarter")], winner([Exit(0)])].concat()),
    ];
    if cfg!(target_os = "linux") {
        bots.push(
            HostileBot::new("fork-bomb", "PROCESSES", bomb)
                .sandboxed()
                .with_reason("no First or Second was received: the bot asked for more than its limit of 64 processes and threads"),
        );
    }
    bots
}

fn silent() -> Vec<HostileBot> {
    use Action::{IgnoreTermination, PrintUnflushed, Read, SleepForever};
    // This header does not fit into the buffer of a pipe.
    let long_header = vec!["1 1 1"; 13_000].join(" + ");
    vec![
        HostileBot::new("no-flush", IDLE, vec![Read, PrintUnflushed(b"First\n"), Read])
            .with_reason("wrote its first line, \"First\", only after \"-1 -1\": its output was not flushed"),
        HostileBot::new("no-newline", IDLE, first([print("3 2"), Read]))
            .with_reason("the bot wrote \"3 2\" without ending the line"),
        HostileBot::new("half-a-line", IDLE, first([print("3 "), SleepForever]))
            .with_reason("the bot wrote \"3 \" without ending the line"),
        HostileBot::new("never-reads", IDLE, vec![SleepForever])
            .with_game(long_header)
            .with_reason("the bot has read nothing of what it was sent"),
        HostileBot::new("ignores-sigterm", IDLE, vec![IgnoreTermination, SleepForever]),
        HostileBot::new("stops-itself", IDLE, vec![Action::Stop]).with_reason("a signal stopped the bot"),
        HostileBot::new(
            "computes-first",
            IDLE,
            vec![Read, Action::Compute(Duration::from_millis(400)), PrintUnflushed(b"First\n"), Read],
        )
        .with_reason("wrote its first line, \"First\", only after \"-1 -1\": its output was not flushed"),
        HostileBot::new("joins-the-judge", IDLE, vec![Action::JoinJudge, SleepForever]),
    ]
}

fn busy() -> Vec<HostileBot> {
    use Action::{ComputeForever, Play, Read, Sleep};
    let mut bots = vec![
        HostileBot::new("busy-loop", "TIME_WALL", vec![Read, ComputeForever])
            .with_limits(|limits| limits.cpu = LONG_LIMIT),
        HostileBot::new("slow-start", "WON", vec![Sleep(Duration::from_secs(1)), Play])
            .with_limits(|limits| *limits = DEFAULT_LIMITS),
    ];
    if cfg!(target_os = "linux") {
        bots.push(
            HostileBot::new("busy-loop-cpu", "TIME_CPU", vec![Read, ComputeForever])
                .with_limits(|limits| limits.cpu = SHORT_LIMIT),
        );
        bots.push(
            HostileBot::new("memory-hog", "MEMORY", vec![Read, Action::Allocate(256), Action::SleepForever])
                .with_limits(|limits| limits.memory = 64 << 20),
        );
    }
    bots
}
