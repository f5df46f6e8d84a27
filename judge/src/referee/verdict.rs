//! The verdicts: a closed set, and all their words.

use std::fmt;
use std::time::Duration;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use zeroxor::Move;
use zeroxor::wire::quoted;

use crate::referee::conversation::{Due, Foul};
use crate::referee::event::{Exit, Limit, LimitReport, Usage};
use crate::referee::game_state::{End, IoStats};
use crate::referee::limits::{LINE_LIMIT, Limits, OUTPUT_LIMIT};
use crate::referee::stall::StallDiagnosis;

/// What became of the bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Verdict {
    Won,
    Lost,
    Resigned,
    Illegal,
    Malformed,
    ExtraOutput,
    Crashed,
    ExitedEarly,
    TimeCpu,
    TimeWall,
    Idle,
    NoExit,
    Memory,
    Processes,
    OutputLimit,
    JudgeError,
    Interrupted,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Won => "WON",
            Self::Lost => "LOST",
            Self::Resigned => "RESIGNED",
            Self::Illegal => "ILLEGAL",
            Self::Malformed => "MALFORMED",
            Self::ExtraOutput => "EXTRA_OUTPUT",
            Self::Crashed => "CRASHED",
            Self::ExitedEarly => "EXITED_EARLY",
            Self::TimeCpu => "TIME_CPU",
            Self::TimeWall => "TIME_WALL",
            Self::Idle => "IDLE",
            Self::NoExit => "NO_EXIT",
            Self::Memory => "MEMORY",
            Self::Processes => "PROCESSES",
            Self::OutputLimit => "OUTPUT_LIMIT",
            Self::JudgeError => "JUDGE_ERROR",
            Self::Interrupted => "INTERRUPTED",
        })
    }
}

/// What is made of a bot's conduct after the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Profile {
    /// As at the contest, where anything after the end is indeterminate: it is told, and a win stays a win
    Contest,
    /// Output after the end is `EXTRA_OUTPUT`, and not to end is `NO_EXIT`
    Strict,
}

/// What was due when a game ended: the side, or the move of this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    pub(crate) due: Due,
    pub(crate) ply: u64,
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.due {
            Due::Side => f.write_str("the side"),
            Due::BotMove | Due::OpponentMove => write!(f, "move {}", self.ply),
        }
    }
}

/// How a conversation ended.
#[derive(Debug)]
pub(crate) enum Ending {
    /// The opponent has no move.
    Won,
    /// The bot's line ended the game.
    Foul { foul: Foul, turn: Turn },
    /// The bot's line cannot come any more.
    Gone { turn: Turn },
    /// The bot's line did not come within a limit.
    Limit { report: LimitReport, turn: Turn },
    /// The bot's line came when the judge had waited for longer than the wall time.
    Late { waited: Duration, turn: Turn },
    /// The wait was longer than the wall time, but may not have been without the delays of the judge's own.
    Unknown { waited: Duration, delayed: Duration },
    /// Its line has more than [`LINE_LIMIT`] bytes.
    TooLong { turn: Turn },
    /// It has said more than [`OUTPUT_LIMIT`] bytes.
    TooMuch { turn: Turn },
    /// Ctrl-C.
    Interrupted,
    /// The judge could not do its part.
    JudgeError(String),
}

/// All that the verdict is made of.
pub(crate) struct Case<'a> {
    /// `None` if the conversation has not come to an end.
    pub(crate) ending: Option<&'a Ending>,
    pub(crate) end: End,
    /// The first of what the bot said beyond the end.
    pub(crate) extra: &'a [u8],
    pub(crate) io: &'a IoStats,
    pub(crate) used: Usage,
    pub(crate) limits: Limits,
    pub(crate) profile: Profile,
    /// Whether a signal stopped the judge.
    pub(crate) stopped: bool,
}

/// The verdict and its reason.
pub(crate) fn judge(case: &Case<'_>) -> (Verdict, String) {
    match case.ending {
        Some(Ending::Won) => won(case),
        Some(Ending::Foul { foul, turn }) => fouled(foul, *turn),
        Some(Ending::Gone { turn }) => gone(case, *turn),
        Some(Ending::Limit { report, turn }) => limit(case, report, *turn),
        Some(Ending::Late { waited, turn }) => late(case, *waited, *turn),
        Some(Ending::Unknown { waited, delayed }) => unknown(case, *waited, *delayed),
        Some(Ending::TooLong { turn }) => too_long(*turn),
        Some(Ending::TooMuch { turn }) => {
            (Verdict::OutputLimit, format!("{turn}: more than {} MiB of output", OUTPUT_LIMIT >> 20))
        }
        Some(Ending::Interrupted) => (Verdict::Interrupted, "the judge was interrupted".to_owned()),
        Some(Ending::JudgeError(reason)) => (Verdict::JudgeError, reason.clone()),
        None => (Verdict::JudgeError, "the game has not come to an end".to_owned()),
    }
}

/// The words for a move on which the judge's rules and the library's disagree.
pub(crate) fn disputed(mv: Move) -> String {
    format!("the judge's rules and those of its opponents disagree on \"{mv}\"; please report this game")
}

fn fouled(foul: &Foul, turn: Turn) -> (Verdict, String) {
    match foul {
        Foul::Lost => (Verdict::Lost, "the bot has no move left".to_owned()),
        Foul::Resigned(mv) => {
            (Verdict::Resigned, format!("{turn}: the bot said \"0 0\", but it could play \"{mv}\""))
        }
        Foul::Illegal(illegal) => (Verdict::Illegal, format!("{turn}: {illegal}")),
        Foul::Malformed(error) => (Verdict::Malformed, format!("{turn}: {error}")),
        Foul::Disputed(mv) => (Verdict::JudgeError, format!("{turn}: {}", disputed(*mv))),
    }
}

fn too_long(turn: Turn) -> (Verdict, String) {
    (Verdict::OutputLimit, format!("{turn}: a line of more than {LINE_LIMIT} bytes"))
}

fn limit(case: &Case<'_>, report: &LimitReport, turn: Turn) -> (Verdict, String) {
    let stall = StallDiagnosis { report, io: case.io };
    let Limits { wall, idle, .. } = case.limits;
    let late = |spent: String| format!("{turn} did not come: {spent}; {stall}");
    match report.limit {
        Limit::Wall => {
            let late = late(format!("the bot used up its {} s", wall.as_secs_f64()));
            if stall.is_idle(wall) {
                (Verdict::Idle, format!("{late}; {}", stall.cause()))
            } else {
                (Verdict::TimeWall, late)
            }
        }
        Limit::Idle => {
            let late = late(format!("the bot was idle for {} s", idle.as_secs_f64()));
            (Verdict::Idle, format!("{late}; {}", stall.cause()))
        }
        Limit::Cpu => (Verdict::TimeCpu, format!("{turn} did not come: {}", cpu(case))),
        Limit::Memory => (Verdict::Memory, format!("{turn} did not come: {}", memory(case))),
        Limit::Processes => (Verdict::Processes, format!("{turn} did not come: {}", processes(case))),
        Limit::Line => too_long(turn),
    }
}

fn late(case: &Case<'_>, waited: Duration, turn: Turn) -> (Verdict, String) {
    let (waited, wall) = (waited.as_secs_f64(), case.limits.wall.as_secs_f64());
    (
        Verdict::TimeWall,
        format!("{turn} came too late: the judge had waited {waited:.3} s in all, the limit is {wall} s"),
    )
}

fn unknown(case: &Case<'_>, waited: Duration, delayed: Duration) -> (Verdict, String) {
    let [delayed, waited, wall] = [delayed, waited, case.limits.wall].map(|time| time.as_secs_f64());
    (
        Verdict::JudgeError,
        format!(
            "the judge itself did not run for {delayed:.2} s of the {waited:.2} s in which it waited, so it cannot \
             tell whether the bot kept within its {wall} s: something stopped the judge, or the machine is \
             overloaded; {AGAIN}"
        ),
    )
}

/// What to do about a game that cannot be judged.
const AGAIN: &str = "play the game again";

/// A bot that used too much before it won or was gone has gone over the limit first.
fn excess(case: &Case<'_>) -> Option<(Verdict, String)> {
    if case.used.cpu > Some(case.limits.cpu) {
        Some((Verdict::TimeCpu, cpu(case)))
    } else if case.used.memory > Some(case.limits.memory) {
        Some((Verdict::Memory, memory(case)))
    } else if case.used.processes > Some(case.limits.processes) {
        Some((Verdict::Processes, processes(case)))
    } else {
        None
    }
}

fn cpu(case: &Case<'_>) -> String {
    let used = case.used.cpu.unwrap_or_default().as_secs_f64();
    format!("the bot used {used:.2} s of CPU, its limit is {} s", case.limits.cpu.as_secs_f64())
}

fn memory(case: &Case<'_>) -> String {
    let used = case.used.memory.unwrap_or_default() >> 20;
    let limit = case.limits.memory >> 20;
    // What the kernel has refused was never held.
    let held = if used > limit { format!("held {used}") } else { format!("asked for more than {limit}") };
    format!("the bot {held} MiB, its limit is {limit} MiB")
}

fn processes(case: &Case<'_>) -> String {
    format!("the bot wanted more processes and threads at a time than its limit, {}", case.limits.processes)
}

fn won(case: &Case<'_>) -> (Verdict, String) {
    let won = "the opponent has no move left";
    let extra = format!("the bot printed {} after the end", quoted(case.extra));
    let goes_on = "the bot did not end by itself and was killed";
    let strict = case.profile == Profile::Strict;
    if let Some((verdict, reason)) = excess(case) {
        return (verdict, format!("{won}, but {reason}"));
    }
    match case.end {
        End::Exited(exit) if exit != Exit::Code(0) => {
            (Verdict::Crashed, format!("{won}, but then the bot {}", died(exit)))
        }
        _ if strict && !case.extra.is_empty() => (Verdict::ExtraOutput, format!("{won}, but {extra}")),
        _ if case.stopped => (
            Verdict::JudgeError,
            format!(
                "{won}, but a signal stopped the judge during the game, so its times are unknown; {AGAIN}"
            ),
        ),
        End::Killed if strict => (Verdict::NoExit, format!("{won}, but {goes_on}")),
        End::Killed => (Verdict::Won, format!("{won} ({goes_on})")),
        _ if !case.extra.is_empty() => (Verdict::Won, format!("{won} ({extra})")),
        _ => (Verdict::Won, won.to_owned()),
    }
}

fn gone(case: &Case<'_>, turn: Turn) -> (Verdict, String) {
    if let Some((verdict, reason)) = excess(case) {
        return (verdict, format!("{turn} did not come: {reason}"));
    }
    match case.end {
        End::Exited(exit @ Exit::Code(0)) => {
            (Verdict::ExitedEarly, format!("{turn} did not come: the bot {}", died(exit)))
        }
        End::Exited(exit) => (Verdict::Crashed, format!("{turn} did not come: the bot {}", died(exit))),
        End::Killed | End::Open => {
            (Verdict::ExitedEarly, format!("{turn} did not come: the bot closed its stdout"))
        }
    }
}

/// The words for the end of a process.
pub(crate) fn died(exit: Exit) -> String {
    match exit {
        Exit::Code(code) => format!("exited with code {code}"),
        Exit::Signal(signal) => format!("was killed by signal {signal}{}", signal_name(signal)),
    }
}

/// The signals a program is likely to die of; their numbers are the same on every Unix but for SIGBUS.
fn signal_name(signal: i32) -> &'static str {
    match signal {
        4 => " (SIGILL)",
        6 => " (SIGABRT)",
        8 => " (SIGFPE)",
        9 => " (SIGKILL)",
        11 => " (SIGSEGV)",
        13 => " (SIGPIPE)",
        15 => " (SIGTERM)",
        _ => "",
    }
}
