//! The conventions of harnesses: exit codes for verdicts, and defaults.

use std::ffi::OsString;
use std::time::Duration;

use clap::ValueEnum;

use crate::conversation::verdict::Verdict;
use runner::config::Profile;

/// The convention of a harness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Convention {
    /// Exit codes 0 and 1, for `oj test-reactive` and `interactive_runner.py`
    Plain,
    /// An output validator of an ICPC or Kattis problem package: exit codes 42 and 43, and a
    /// feedback directory
    Kattis,
    /// An interactor of testlib: exit codes 0 to 3
    Testlib,
}

/// A verdict in the terms of harnesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HarnessVerdict {
    Accepted,
    Wrong,
    /// Wrong because the output does not have the expected form.
    WrongFormat,
    /// The judge could not decide.
    JudgeError,
}

impl HarnessVerdict {
    pub(crate) fn of(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Won | Verdict::Accepted => Self::Accepted,
            Verdict::Malformed | Verdict::ExtraOutput | Verdict::ExitedEarly => Self::WrongFormat,
            Verdict::JudgeError | Verdict::Interrupted => Self::JudgeError,
            _ => Self::Wrong,
        }
    }
}

impl Convention {
    /// Returns the judge's exit code for a verdict.
    pub(crate) fn exit_code(self, verdict: HarnessVerdict) -> u8 {
        let [accepted, wrong, wrong_format, judge_error] = match self {
            Self::Plain => [0, 1, 1, 2],
            Self::Kattis => [42, 43, 43, 2],
            Self::Testlib => [0, 1, 2, 3],
        };
        match verdict {
            HarnessVerdict::Accepted => accepted,
            HarnessVerdict::Wrong => wrong,
            HarnessVerdict::WrongFormat => wrong_format,
            HarnessVerdict::JudgeError => judge_error,
        }
    }

    /// Returns the default profile, the default wall limit, and the default time to wait for the end of the bot's
    /// output.
    pub(crate) fn defaults(self) -> (Option<Profile>, Duration, Duration) {
        match self {
            // `oj` keeps the pipes open after the bot has ended, so that only the wall limit ends the game.
            Self::Plain => (Some(Profile::Contest), Duration::from_secs(10), Duration::from_millis(1)),
            // An output validator must check all output. A harness closes the output when the bot's process has ended,
            // and may report an error if the validator ends earlier.
            Self::Kattis => (None, Duration::from_secs(60), Duration::from_secs(10)),
            // Nothing tells when the bot has ended. A strict verdict would depend on how much of the bot's late output
            // the judge happens to read.
            Self::Testlib => (Some(Profile::Contest), Duration::from_secs(60), Duration::from_millis(1)),
        }
    }
}

/// Returns the exit code for a command line that could not be parsed: 2, or 3 for `judge interact` with testlib, where
/// 2 would blame the bot.
pub(crate) fn usage_code(args: &[OsString]) -> u8 {
    let has_arg = |name: &str| args.iter().any(|arg| arg == name);
    let testlib = has_arg("--style=testlib") || (has_arg("--style") && has_arg("testlib"));
    let convention = if has_arg("interact") && testlib { Convention::Testlib } else { Convention::Plain };
    convention.exit_code(HarnessVerdict::JudgeError)
}
