//! How a verdict is told to a harness: the one table of exit codes.

use std::ffi::OsString;
use std::time::Duration;

use clap::ValueEnum;

use crate::referee::verdict::{Profile, Verdict};

/// Whose conventions hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Style {
    /// Exit codes 0 and 1: `oj test-reactive`, `interactive_runner.py` and the like
    Plain,
    /// An output validator of ICPC and Kattis problem packages: exit codes 42 and 43, and a feedback
    /// directory
    Kattis,
    /// An interactor of testlib: exit codes 0 to 3
    Testlib,
}

/// What a harness tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Accepted,
    Wrong,
    /// Wrong because of the form: not the lines that were due.
    Form,
    /// Not the bot's fault.
    JudgeError,
}

impl Class {
    pub(crate) fn of(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Won => Self::Accepted,
            Verdict::Lost
            | Verdict::Resigned
            | Verdict::Illegal
            | Verdict::Crashed
            | Verdict::TimeCpu
            | Verdict::TimeWall
            | Verdict::Idle
            | Verdict::NoExit
            | Verdict::Memory
            | Verdict::Processes
            | Verdict::OutputLimit => Self::Wrong,
            Verdict::Malformed | Verdict::ExtraOutput | Verdict::ExitedEarly => Self::Form,
            Verdict::JudgeError | Verdict::Interrupted => Self::JudgeError,
        }
    }
}

impl Style {
    pub(crate) fn exit_code(self, class: Class) -> u8 {
        let [accepted, wrong, form, judge_error] = match self {
            Self::Plain => [0, 1, 1, 2],
            Self::Kattis => [42, 43, 43, 2],
            Self::Testlib => [0, 1, 2, 3],
        };
        match class {
            Class::Accepted => accepted,
            Class::Wrong => wrong,
            Class::Form => form,
            Class::JudgeError => judge_error,
        }
    }

    /// What is made of output after the end: a Kattis validator answers for all of it.
    pub(crate) fn profile(self) -> Profile {
        match self {
            Self::Kattis => Profile::Strict,
            Self::Plain | Self::Testlib => Profile::Contest,
        }
    }

    /// How long to wait for the bot's lines. Who runs a plain judge may leave it to end a bot that is gone:
    /// `oj` does.
    pub(crate) fn wall(self) -> Duration {
        match self {
            Self::Plain => Duration::from_secs(10),
            Self::Kattis | Self::Testlib => Duration::from_secs(60),
        }
    }

    /// How long to wait for the end of the output. Kattis' harnesses deliver it when the bot's process has
    /// ended, however long that takes, and distrust a validator that does not wait for it; the others may
    /// never deliver it.
    pub(crate) fn grace(self) -> Duration {
        match self {
            Self::Kattis => Duration::from_secs(10),
            Self::Plain | Self::Testlib => Duration::from_millis(1),
        }
    }
}

/// The exit code for a command line that could not be parsed: 2, but where that would blame the bot the
/// style's own.
pub(crate) fn usage_code(args: &[OsString]) -> u8 {
    let named = |name: &str| args.iter().any(|arg| arg == name);
    let testlib = named("--style=testlib") || (named("--style") && named("testlib"));
    let style = if named("interact") && testlib { Style::Testlib } else { Style::Plain };
    style.exit_code(Class::JudgeError)
}
