//! Harnesses of other programs: how they call a judge, and what they expect from it. The sources are in
//! docs/commands.md.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use clap::ValueEnum;
use console::strip_ansi_codes;
use itertools::{Itertools, chain};
use runner::escape::printable;
use zeroxor::Move;
use zeroxor::wire::protocol::MAX_LINE;

use crate::config::Profile;
use crate::conversation::verdict::{Ruling, Verdict};
use crate::referee::game::review::FinishedGame;
use crate::referee::game::setup::GameHeader;
use crate::report::reporter::{Form, Reporter};
use crate::units::plain_numbers;

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
    pub(crate) fn exit_code(self, verdict: HarnessVerdict) -> u8 {
        let codes = match self {
            Self::Plain => [0, 1, 1, 2],
            Self::Kattis => [42, 43, 43, 2],
            Self::Testlib => [0, 1, 2, 3],
        };
        codes[verdict as usize]
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

/// The open files for the result. They are opened before the game, so that no game is played if a file cannot be
/// created.
pub(crate) struct Feedback {
    convention: Convention,
    /// Gets the verdict, the bot's side and the moves of both sides, each on a line; with kattis, first the report of the
    /// game, as the console shows it.
    moves: Option<File>,
    /// Gets the reason, after the verdict with kattis, and after testlib's word for it with testlib.
    reason: Option<File>,
}

impl Feedback {
    /// Parses the arguments of a convention. Reads the header, and creates the files for the result.
    pub(crate) fn read(
        convention: Convention,
        input: Option<&Path>,
        args: &[OsString],
    ) -> anyhow::Result<(GameHeader, Self)> {
        let got = args.len();
        let (header, moves, reason) = match (convention, args) {
            (Convention::Plain, []) => {
                let input = input.context("expected a header or --input FILE, got no arguments")?;
                (header_of_file(input)?, None, None)
            }
            (Convention::Plain, words) => {
                let words = words.iter().map(|word| word.to_string_lossy()).join(" ");
                (header(plain_numbers(&words).as_bytes())?, None, None)
            }
            // The answer file is not needed, because the judge computes who wins.
            (Convention::Kattis, [input, _answer, directory]) => {
                let file = |name| create(Path::new(directory).join(name)).map(Some);
                (header_of_file(input.as_ref())?, file("judgemessage.txt")?, file("teammessage.txt")?)
            }
            (Convention::Kattis, _) => {
                bail!("expected three arguments, INPUT ANSWER FEEDBACK_DIR, got {got}")
            }
            (Convention::Testlib, [input, output, rest @ ..]) if rest.len() <= 2 => {
                let header = header_of_file(input.as_ref())?;
                (header, Some(create(output)?), rest.get(1).map(create).transpose()?)
            }
            (Convention::Testlib, _) => {
                bail!("expected two to four arguments, INPUT OUTPUT [ANSWER [REPORT]], got {got}")
            }
        };
        Ok((header, Self { convention, moves, reason }))
    }

    pub(crate) fn write(mut self, game: &FinishedGame) -> anyhow::Result<()> {
        let Ruling { verdict, reason, .. } = &game.result.ruling;
        // The words that testlib writes before a reason.
        let words = ["ok", "wrong answer", "wrong output format", "FAIL"];
        let before_reason = match self.convention {
            Convention::Testlib => words[HarnessVerdict::of(*verdict) as usize].to_owned(),
            _ => format!("{verdict}:"),
        };
        if let Some(moves) = self.moves.as_mut().filter(|_| self.convention == Convention::Kattis) {
            let mut report = Vec::new();
            Reporter::new(&mut report, Form::PLAIN).game(game)?;
            moves.write_all(strip_ansi_codes(&String::from_utf8_lossy(&report)).as_bytes())?;
        }
        let side = game.result.side.map(|side| side.to_string());
        let moves = game.result.moves.iter().map(Move::to_string);
        let moves = chain!([verdict.to_string()], side, moves).join("\n");
        let reason = format!("{before_reason} {}", printable(reason));
        for (file, text) in [(self.moves, moves), (self.reason, reason)] {
            file.map_or(Ok(()), |mut file| writeln!(file, "{text}"))
                .context("the feedback cannot be written")?;
        }
        Ok(())
    }
}

fn create(path: impl AsRef<Path>) -> anyhow::Result<File> {
    let path = path.as_ref();
    File::create(path).with_context(|| format!("the feedback file {} cannot be created", path.display()))
}

pub(crate) fn header_of_file(path: &Path) -> anyhow::Result<GameHeader> {
    let file = File::open(path).with_context(|| format!("the input {} cannot be opened", path.display()))?;
    header(file).with_context(|| format!("the input {}", path.display()))
}

/// Reads an input, which is a single line with a header.
fn header(input: impl Read) -> anyhow::Result<GameHeader> {
    let mut text = Vec::new();
    input.take(MAX_LINE as u64 + 1).read_to_end(&mut text).context("cannot be read")?;
    ensure!(text.len() <= MAX_LINE, "expected at most {MAX_LINE} bytes, got more");
    let text = text.trim_ascii();
    let lines = text.split(|&byte| byte == b'\n').count();
    ensure!(lines == 1, "expected a single line with a header, got {lines} lines");
    let words = String::from_utf8_lossy(text).split_ascii_whitespace().join(" ");
    words.parse().context("the header is malformed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_must_be_one_header() {
        let game =
            |text: &str| header(text.as_bytes()).map(String::from).map_err(|error| format!("{error:#}"));
        assert_eq!(game(" 6  1\t2 \r\n\n"), Ok("6 1 2".to_owned()));
        assert_eq!(game("square 7 ban 1 seat second").as_deref(), Ok("square 7 ban 1 seat second"));
        assert_eq!(
            game("6 1 2\n6 1 2\n"),
            Err("expected a single line with a header, got 2 lines".to_owned())
        );
        for text in ["", "6 1", "6 1 2 x", "\u{e9}", "games 2", "6 2 1", "6 1 7"] {
            let error = game(text).unwrap_err();
            assert!(error.starts_with("the header is malformed: expected"), "{text}: {error}");
        }
        let long = format!("6 1 2{}x", " ".repeat(MAX_LINE));
        assert_eq!(game(&long), Err(format!("expected at most {MAX_LINE} bytes, got more")));
    }
}
