//! The input from a harness: the judge's arguments, and the input file with a header.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use zeroxor::wire::protocol::MAX_LINE;

use crate::interop::convention::Convention;
use crate::interop::feedback::Feedback;
use crate::referee::game::setup::GameHeader;
use crate::units::plain_numbers;

/// The parsed arguments that a harness passes to the judge.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum HarnessArgs {
    Plain { header: GameHeader },
    Kattis { input: PathBuf, feedback: PathBuf },
    Testlib { input: PathBuf, output: PathBuf, report: Option<PathBuf> },
}

impl HarnessArgs {
    /// Parses the arguments of a convention.
    pub(crate) fn new(convention: Convention, args: &[OsString]) -> anyhow::Result<Self> {
        let path = |arg: &OsString| PathBuf::from(arg);
        let got = args.len();
        match (convention, args) {
            (Convention::Plain, words) => {
                let words: Option<Vec<&str>> = words.iter().map(|word| word.to_str()).collect();
                let words = words.context("expected a header, got bytes that are not UTF-8")?.join(" ");
                ensure!(!words.is_empty(), "expected a header or --input FILE, got no arguments");
                Ok(Self::Plain { header: header(plain_numbers(&words).as_bytes())? })
            }
            // The answer file is not needed, because the judge computes who wins.
            (Convention::Kattis, [input, _answer, feedback]) => {
                Ok(Self::Kattis { input: path(input), feedback: path(feedback) })
            }
            (Convention::Kattis, _) => {
                bail!("expected three arguments, INPUT ANSWER FEEDBACK_DIR, got {got}")
            }
            (Convention::Testlib, [input, output, rest @ ..]) if rest.len() <= 2 => {
                Ok(Self::Testlib { input: path(input), output: path(output), report: rest.get(1).map(path) })
            }
            (Convention::Testlib, _) => {
                bail!("expected two to four arguments, INPUT OUTPUT [ANSWER [REPORT]], got {got}")
            }
        }
    }

    /// Returns the header of the game to be played.
    pub(crate) fn header(&self) -> anyhow::Result<GameHeader> {
        match self {
            Self::Plain { header } => Ok(header.clone()),
            Self::Kattis { input, .. } | Self::Testlib { input, .. } => header_of_file(input),
        }
    }

    /// Creates the files from which the harness reads the result.
    pub(crate) fn feedback(&self) -> anyhow::Result<Feedback> {
        match self {
            Self::Plain { .. } => Ok(Feedback::None),
            Self::Kattis { feedback, .. } => Feedback::kattis(feedback),
            Self::Testlib { output, report, .. } => Feedback::testlib(output, report.as_deref()),
        }
    }
}

/// Reads the header of an input file.
pub(crate) fn header_of_file(path: &Path) -> anyhow::Result<GameHeader> {
    let file = File::open(path).with_context(|| format!("the input {} cannot be opened", path.display()))?;
    header(file).with_context(|| format!("the input {}", path.display()))
}

/// Reads an input, which is a single line with a header.
pub(crate) fn header(input: impl Read) -> anyhow::Result<GameHeader> {
    let mut text = Vec::new();
    input.take(MAX_LINE as u64 + 1).read_to_end(&mut text).context("cannot be read")?;
    ensure!(text.len() <= MAX_LINE, "expected at most {MAX_LINE} bytes, got more");
    let text = text.trim_ascii();
    let lines = text.split(|&byte| byte == b'\n').count();
    ensure!(lines == 1, "expected a single line with a header, got {lines} lines");
    let words = String::from_utf8_lossy(text).split_ascii_whitespace().collect::<Vec<_>>().join(" ");
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
