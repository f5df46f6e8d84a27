//! The hostile bots: what each does, and the verdict it must get.

use std::ffi::OsString;
use std::time::Duration;

use itertools::Itertools;

use super::action::Action;
use crate::referee::config::MatchConfig;
use crate::referee::limits::{DEFAULT_LIMITS, Limits};
use crate::referee::setup::{GameSetup, OpponentKind};
use crate::referee::transcript::SetupLine;
use crate::referee::verdict::{Profile, Verdict};

/// A bot, the game it plays, and what must come of it.
#[derive(Clone, Debug)]
pub(crate) struct Bot {
    pub(crate) name: &'static str,
    /// In the words of who sees it play.
    pub(crate) does: &'static str,
    actions: Vec<Action>,
    game: String,
    limits: Limits,
    pub(crate) sandboxed: bool,
    expected: Verdict,
    /// Under the strict profile; `None` if it is played under the contest's alone.
    strict: Option<Verdict>,
    /// A part of the reason that must be given.
    pub(crate) because: &'static str,
}

/// The game of most of them. Against the opponent that takes the first card each time, First wins by 3 2, 5 1
/// and 6 1.
const GAME: &str = "6 1 2";

/// For bots that end by themselves: a busy machine must not get in their way.
const LONG: Duration = Duration::from_secs(20);

/// For those that only a limit ends.
const SHORT: Duration = Duration::from_secs(1);

const GRACE: Duration = Duration::from_millis(300);

/// Elsewhere nothing is known of a process that could tell the two apart.
pub(super) const IDLE: Verdict = if cfg!(target_os = "linux") { Verdict::Idle } else { Verdict::TimeWall };

impl Bot {
    fn new(name: &'static str, does: &'static str, expected: Verdict, actions: Vec<Action>) -> Self {
        let wall = if expected == IDLE || expected == Verdict::TimeWall { SHORT } else { LONG };
        Self {
            name,
            does,
            actions,
            game: GAME.to_owned(),
            limits: Limits { cpu: wall, wall, idle: wall, grace: GRACE, ..DEFAULT_LIMITS },
            sandboxed: false,
            expected,
            strict: None,
            because: "",
        }
    }

    fn at(self, game: impl Into<String>) -> Self {
        Self { game: game.into(), ..self }
    }

    fn strictly(self, verdict: Verdict) -> Self {
        Self { strict: Some(verdict), ..self }
    }

    fn because(self, because: &'static str) -> Self {
        Self { because, ..self }
    }

    fn within(self, change: impl FnOnce(&mut Limits)) -> Self {
        let mut limits = self.limits;
        change(&mut limits);
        Self { limits, ..self }
    }

    fn sandboxed(self) -> Self {
        Self { sandboxed: true, ..self }
    }

    /// The longest that its game may take.
    pub(crate) fn longest(&self) -> Duration {
        self.limits.wall + Duration::from_secs(1)
    }

    /// The profiles it is judged under, with what is expected.
    pub(crate) fn verdicts(&self) -> Vec<(Profile, Verdict)> {
        let strict = self.strict.map(|verdict| (Profile::Strict, verdict));
        [(Profile::Contest, self.expected)].into_iter().chain(strict).collect()
    }

    /// Its game under a profile, when this command starts the judge's own program.
    pub(crate) fn setup(&self, profile: Profile, judge: &str) -> anyhow::Result<SetupLine> {
        let bot = [judge, "hostile", self.name].map(OsString::from).to_vec();
        let config = MatchConfig {
            profile,
            limits: self.limits,
            sandbox: self.sandboxed,
            bot,
            ..MatchConfig::default()
        };
        Ok(SetupLine::new(GameSetup::new(self.game.parse()?, OpponentKind::Slow, 1), config, None))
    }
}

/// What the bot of that name does, or a process that one of them starts.
pub(crate) fn actions(name: &str) -> Option<Vec<Action>> {
    match name {
        "daemon" => Some(vec![Action::LeaveSession, Action::Start("sleeper")]),
        "sleeper" => Some(vec![Action::Sleep]),
        "phoenix" => Some(vec![Action::LeaveSession, Action::Start("phoenix")]),
        _ => all().into_iter().find(|bot| bot.name == name).map(|bot| bot.actions),
    }
}

/// Every hostile bot.
pub(crate) fn all() -> Vec<Bot> {
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

fn say(bytes: impl Into<Vec<u8>>) -> Action {
    Action::Say(bytes.into())
}

/// A bot that is First, and then.
fn first(then: impl IntoIterator<Item = Action>) -> Vec<Action> {
    [Action::Read, say("First\n")].into_iter().chain(then).collect()
}

/// A bot that makes its first move, hears the answer, and then.
fn third(then: impl IntoIterator<Item = Action>) -> Vec<Action> {
    first([say("3 2\n"), Action::Read].into_iter().chain(then))
}

/// A bot that wins, and then.
fn winner(then: impl IntoIterator<Item = Action>) -> Vec<Action> {
    third([say("5 1\n"), Action::Read, say("6 1\n")].into_iter().chain(then))
}

fn silent() -> Vec<Bot> {
    use Action::{IgnoreTermination, Keep, Read, Sleep};
    // More than a pipe holds.
    let long = vec!["1 1 1"; 13_000].join(" + ");
    vec![
        Bot::new("no-flush", "never flushes what it prints", IDLE, vec![Read, Keep(b"First\n"), Read])
            .because("is its output flushed after every line?"),
        Bot::new("no-newline", "prints its move without a newline", IDLE, first([say("3 2"), Read]))
            .because("it has printed \"3 2\" without ending the line"),
        Bot::new("half-a-line", "prints half a line and sleeps", IDLE, first([say("3 "), Sleep]))
            .because("it has printed \"3 \" without ending the line"),
        Bot::new("never-reads", "never reads, and the pipe is full", IDLE, vec![Sleep])
            .at(long)
            .because("it has not read the last"),
        Bot::new("ignores-sigterm", "ignores SIGTERM and sleeps", IDLE, vec![IgnoreTermination, Sleep]),
        Bot::new("stops-itself", "stops, as of a read from the terminal", IDLE, vec![Action::Stop])
            .because("it is stopped by a signal"),
        Bot::new(
            "computes-first",
            "computes for nearly half its time, and never flushes",
            IDLE,
            vec![Read, Action::Work(Duration::from_millis(400)), Keep(b"First\n"), Read],
        )
        .because("is its output flushed after every line?"),
        Bot::new("joins-the-judge", "joins the judge's process group", IDLE, vec![Action::JoinJudge, Sleep]),
    ]
}

fn busy() -> Vec<Bot> {
    use Action::{Pause, Play, Read, Spin};
    let mut bots = vec![
        Bot::new("busy-loop", "computes for ever", Verdict::TimeWall, vec![Read, Spin]),
        Bot::new(
            "slow-start",
            "starts up for 1 s, then plays well",
            Verdict::Won,
            vec![Pause(Duration::from_secs(1)), Play],
        )
        .within(|limits| *limits = DEFAULT_LIMITS),
    ];
    if cfg!(target_os = "linux") {
        bots.push(
            Bot::new(
                "busy-loop-cpu",
                "computes for ever, with much wall time",
                Verdict::TimeCpu,
                vec![Read, Spin],
            )
            .within(|limits| limits.cpu = SHORT),
        );
        bots.push(
            Bot::new(
                "memory-hog",
                "takes 256 MiB where 64 are allowed",
                Verdict::Memory,
                vec![Read, Action::Hoard(256), Action::Sleep],
            )
            .within(|limits| limits.memory = 64 << 20),
        );
    }
    bots
}

fn floods() -> Vec<Bot> {
    use Action::{Chatter, Flood, Read};
    // Against the opponent that takes the first card: 900 moves from the other end of the row.
    let moves = format!("{} 1\n", (1101..=2000).rev().format(" 1\n"));
    vec![
        Bot::new(
            "flood-without-newline",
            "prints digits for ever",
            Verdict::OutputLimit,
            first([Flood(&[b'1'; 1024])]),
        )
        .because("move 1: a line of more than 4096 bytes"),
        Bot::new("flood-of-lines", "prints lines for ever", Verdict::Malformed, first([Flood(b"hello\n")])),
        Bot::new(
            "flood-ahead",
            "prints 900 moves at once, then blank lines for ever",
            Verdict::Malformed,
            first([say(moves), Flood(&[b'\n'; 1024])]),
        )
        .at("2000 1 1")
        .within(|limits| limits.wall = Duration::from_secs(5))
        .because("move 1801: expected a move"),
        Bot::new(
            "flood-of-stderr",
            "plays well and writes 128 MiB to stderr",
            Verdict::Won,
            [vec![Chatter(64)], third([Chatter(64), say("5 1\n"), Read, say("6 1\n"), Read])].concat(),
        )
        .strictly(Verdict::Won),
    ]
}

fn deaths() -> Vec<Bot> {
    use Action::{CloseStdout, Crash, Exit, Sleep};
    vec![
        Bot::new("segfault", "dies of SIGSEGV at move 3", Verdict::Crashed, third([Crash]))
            .because("move 3 did not come: the bot was killed by signal 11 (SIGSEGV)"),
        Bot::new("exit-0", "exits with 0 at move 3", Verdict::ExitedEarly, third([Exit(0)]))
            .because("move 3 did not come: the bot exited with code 0"),
        Bot::new(
            "exit-7",
            "exits with 7 once it has moved",
            Verdict::Crashed,
            first([say("3 2\n"), Exit(7)]),
        )
        .because("move 3 did not come: the bot exited with code 7"),
        Bot::new("win-and-exit-7", "exits with 7 once it has won", Verdict::Crashed, winner([Exit(7)]))
            .because("the opponent has no move left, but then the bot exited with code 7"),
        Bot::new("win-and-exit", "exits once it has won, and reads no more", Verdict::Won, winner([Exit(0)]))
            .strictly(Verdict::Won),
        Bot::new(
            "closes-stdout",
            "closes its stdout and sleeps",
            Verdict::ExitedEarly,
            third([CloseStdout, Sleep]),
        )
        .because("move 3 did not come: the bot closed its stdout"),
        Bot::new(
            "closes-stdin",
            "closes its stdin and plays on",
            Verdict::Won,
            vec![Action::CloseStdin, say("First\n3 2\n5 1\n6 1\n")],
        )
        .strictly(Verdict::Won),
    ]
}

fn escapes() -> Vec<Bot> {
    use Action::{Await, Exit, Read, Sleep, Start};
    // With the bot itself one too many.
    let bomb = [vec![Read], vec![Start("sleeper"); 64], vec![Sleep]].concat();
    let mut bots = vec![
        Bot::new(
            "daemon-and-exit",
            "forks twice, leaves its session, exits; the child holds stdout",
            Verdict::ExitedEarly,
            third([Await("daemon"), Exit(0)]),
        ),
        Bot::new(
            "daemon-and-win",
            "the same, and wins",
            Verdict::Won,
            [vec![Await("daemon")], winner([Exit(0)])].concat(),
        )
        .strictly(Verdict::Won),
        Bot::new(
            "phoenix-and-win",
            "the same with a child that for ever starts another and exits",
            Verdict::Won,
            [vec![Start("phoenix")], winner([Exit(0)])].concat(),
        ),
    ];
    if cfg!(target_os = "linux") {
        bots.push(
            Bot::new("fork-bomb", "starts 64 processes in the sandbox", Verdict::Processes, bomb)
                .sandboxed()
                .because("the side did not come: the bot wanted more processes and threads"),
        );
    }
    bots
}

/// A bot whose first move is this line.
fn line(name: &'static str, does: &'static str, expected: Verdict, line: impl Into<Vec<u8>>) -> Bot {
    Bot::new(name, does, expected, first([say(line), Action::Read]))
}

fn strange_lines() -> Vec<Bot> {
    use Verdict::{Malformed, Won};
    let win = |name, does, [first, second]: [&str; 2]| {
        let acts =
            [say("First\n"), say(first), Action::Read, say(second), Action::Read, say("6 1\n"), Action::Read];
        Bot::new(name, does, Won, [vec![Action::Read], acts.to_vec()].concat()).strictly(Won)
    };
    vec![
        win("crlf", "ends its lines by CRLF", ["3 2\r\n", "5 1\r\n"]),
        win("tabs", "puts tabs and blanks around its numbers", ["3\t2\n", " \t5  1 \n"]),
        win("leading-zeros", "prints leading zeros", ["003 02\n", "00000000000000000000005 1\n"]),
        line("nul-byte", "prints a NUL byte", Malformed, "3 2\0\n").because(r#""3 2\x00""#),
        line("latin-1", "prints a byte of Latin-1", Malformed, b"3 2 \xe9\n").because("in ASCII, got"),
        line("empty-line", "prints an empty line", Malformed, "\n").because("got \"\""),
        line("junk", "prints a word behind its move", Malformed, "3 2 junk\n").because("got \"3 2 junk\""),
        Bot::new("lower-case", "says \"first\"", Malformed, vec![Action::Read, say("first\n"), Action::Read])
            .because("the side: expected \"First\" or \"Second\", got \"first\""),
    ]
}

fn strange_numbers() -> Vec<Bot> {
    use Verdict::{Illegal, Malformed, OutputLimit};
    let power = |exponent: usize| format!("1{} 1\n", "0".repeat(exponent));
    vec![
        line("plus-sign", "prints \"+3 1\"", Malformed, "+3 1\n"),
        line("decimal-point", "prints \"3.0 1\"", Malformed, "3.0 1\n"),
        line("negative", "prints \"-3 1\"", Malformed, "-3 1\n"),
        line("minus-one", "prints \"-1 -1\"", Malformed, "-1 -1\n"),
        line("half-zero", "prints \"0 1\"", Malformed, "0 1\n"),
        line("two-to-the-63", "prints 2^63", Illegal, "9223372036854775808 1\n")
            .because("there is no such place"),
        line("two-to-the-64-less-1", "takes 2^64 - 1 cards", Illegal, "3 18446744073709551615\n")
            .because("a move takes 1 to 2 in a row"),
        line("two-to-the-64", "prints 2^64", Malformed, "18446744073709551616 1\n"),
        line("ten-to-the-4000", "prints 10^4000", Malformed, power(4000)),
        line("ten-to-the-5000", "prints 10^5000", OutputLimit, power(5000))
            .because("a line of more than 4096 bytes"),
    ]
}

fn early_lines() -> Vec<Bot> {
    use Action::Read;
    vec![
        Bot::new(
            "two-moves-at-once",
            "prints two moves in one write",
            Verdict::Won,
            first([say("3 2\n5 1\n"), Read, Read, say("6 1\n"), Read]),
        )
        .strictly(Verdict::Won),
        Bot::new(
            "before-its-turn",
            "prints a move before its turn",
            Verdict::Won,
            first([say("3 2\n"), say("5 1\n"), Read, Read, say("6 1\n"), Read]),
        )
        .strictly(Verdict::Won),
        Bot::new(
            "all-at-once",
            "prints a whole game before it reads, and exits",
            Verdict::Won,
            vec![say("First\n3 2\n5 1\n6 1\n")],
        )
        .strictly(Verdict::Won),
    ]
}

fn endings() -> Vec<Bot> {
    use Action::{Read, Sleep};
    vec![
        Bot::new(
            "output-after-the-end",
            "prints on after the end",
            Verdict::Won,
            winner([Read, say("bye\n")]),
        )
        .strictly(Verdict::ExtraOutput)
        .because("the bot printed \"bye\\n\" after the end"),
        Bot::new("does-not-exit", "sleeps when it has won", Verdict::Won, winner([Sleep]))
            .strictly(Verdict::NoExit)
            .because("the bot did not end by itself and was killed"),
        Bot::new(
            "resigns",
            "prints \"0 0\" while it can move",
            Verdict::Resigned,
            third([say("0 0\n"), Read]),
        ),
        Bot::new(
            "loses",
            "prints \"0 0\" when it cannot move",
            Verdict::Lost,
            vec![Read, say("Second\n"), Read, say("0 0\n"), Read],
        )
        .at("1 1 1"),
        Bot::new("taken-card", "takes a card twice", Verdict::Illegal, third([say("3 1\n"), Read]))
            .because("the card there has been taken already"),
    ]
}
