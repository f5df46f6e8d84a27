//! The verdicts: a closed set, and all their words.

use std::fmt;
use std::process::ExitStatus;
use std::time::Duration;

use clap::ValueEnum;
use zeroxor::{Move, quote};

use crate::player::{Goodbye, LINE_LIMIT, OUTPUT_LIMIT, Silence};
use crate::referee::{Due, Foul};

/// What became of the bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Won,
    Lost,
    Resigned,
    Illegal,
    Malformed,
    ExtraOutput,
    Crashed,
    ExitedEarly,
    TimeWall,
    Idle,
    NoExit,
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
            Self::TimeWall => "TIME_WALL",
            Self::Idle => "IDLE",
            Self::NoExit => "NO_EXIT",
            Self::OutputLimit => "OUTPUT_LIMIT",
            Self::JudgeError => "JUDGE_ERROR",
            Self::Interrupted => "INTERRUPTED",
        })
    }
}

/// What is made of a bot's conduct after the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Profile {
    /// As at the contest, where anything after the end is indeterminate: it is told, and a win stays a win
    Contest,
    /// Output after the end is `EXTRA_OUTPUT`, and not to end is `NO_EXIT`
    Strict,
}

/// How a conversation ended.
#[derive(Debug)]
pub(crate) enum Ending {
    /// The opponent has no move.
    Won,
    /// The bot's line ended the game.
    Foul { foul: Foul, due: Due, ply: u64 },
    /// The bot's line did not come.
    Silent { silence: Silence, due: Due, ply: u64, limit: Duration },
    /// The opponent could not play.
    JudgeError(String),
}

/// The verdict and its reason, from how the conversation and then the process ended.
pub(crate) fn judge(ending: &Ending, goodbye: &Goodbye, profile: Profile) -> (Verdict, String) {
    match ending {
        Ending::Won => won(goodbye, profile),
        Ending::Foul { foul, due, ply } => {
            let what = what(*due, *ply);
            match foul {
                Foul::Lost => (Verdict::Lost, "the bot has no move left".to_owned()),
                Foul::Resigned(mv) => {
                    (Verdict::Resigned, format!("{what}: the bot said \"0 0\", but it could play \"{mv}\""))
                }
                Foul::Illegal(illegal) => (Verdict::Illegal, format!("{what}: {illegal}")),
                Foul::Malformed(error) => (Verdict::Malformed, format!("{what}: {error}")),
                Foul::Disputed(mv) => (Verdict::JudgeError, format!("{what}: {}", disputed(*mv))),
            }
        }
        Ending::Silent { silence, due, ply, limit } => {
            let what = what(*due, *ply);
            match silence {
                Silence::TimedOut(idleness) => {
                    let spent = format!(
                        "{what} did not come: the bot used up its {} s; {idleness}",
                        limit.as_secs_f64()
                    );
                    if idleness.is_idle(*limit) {
                        (Verdict::Idle, format!("{spent}; {}", idleness.cause()))
                    } else {
                        (Verdict::TimeWall, spent)
                    }
                }
                Silence::Gone => gone(&what, goodbye.status),
                Silence::TooLong => {
                    (Verdict::OutputLimit, format!("{what}: a line of more than {LINE_LIMIT} bytes"))
                }
                Silence::TooMuch => {
                    (Verdict::OutputLimit, format!("{what}: more than {} MiB of output", OUTPUT_LIMIT >> 20))
                }
                Silence::Interrupted => (Verdict::Interrupted, "the judge was interrupted".to_owned()),
                Silence::Failed(error) => {
                    (Verdict::JudgeError, format!("the judge cannot hear the bot: {error}"))
                }
            }
        }
        Ending::JudgeError(reason) => (Verdict::JudgeError, reason.clone()),
    }
}

/// The words for a move on which the judge's rules and the library's disagree.
pub(crate) fn disputed(mv: Move) -> String {
    format!("the judge's rules and those of its opponents disagree on \"{mv}\"; please report this game")
}

fn what(due: Due, ply: u64) -> String {
    match due {
        Due::Side => "the side".to_owned(),
        Due::BotMove | Due::OpponentMove => format!("move {ply}"),
    }
}

fn won(goodbye: &Goodbye, profile: Profile) -> (Verdict, String) {
    let won = "the opponent has no move left";
    let extra = format!("the bot printed {} after the end", quote(&goodbye.extra));
    let goes_on = "the bot did not end by itself and was killed";
    let strict = profile == Profile::Strict;
    match goodbye.status {
        Some(status) if !status.success() => {
            (Verdict::Crashed, format!("{won}, but then the bot {}", died(status)))
        }
        _ if strict && !goodbye.extra.is_empty() => (Verdict::ExtraOutput, format!("{won}, but {extra}")),
        None if strict => (Verdict::NoExit, format!("{won}, but {goes_on}")),
        None => (Verdict::Won, format!("{won} ({goes_on})")),
        _ if !goodbye.extra.is_empty() => (Verdict::Won, format!("{won} ({extra})")),
        _ => (Verdict::Won, won.to_owned()),
    }
}

fn gone(what: &str, status: Option<ExitStatus>) -> (Verdict, String) {
    match status {
        Some(status) if status.success() => {
            (Verdict::ExitedEarly, format!("{what} did not come: the bot exited with code 0"))
        }
        Some(status) => (Verdict::Crashed, format!("{what} did not come: the bot {}", died(status))),
        None => (Verdict::ExitedEarly, format!("{what} did not come: the bot closed its stdout")),
    }
}

fn died(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exited with code {code}"),
        (None, Some(signal)) => format!("was killed by signal {signal}{}", signal_name(signal)),
        (None, None) => format!("ended with {status}"),
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
