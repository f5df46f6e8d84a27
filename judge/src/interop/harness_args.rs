//! The arguments with which a harness calls the judge.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Context, bail, ensure};

use super::convention::Convention;
use super::feedback::Feedback;
use super::input;
use common::units::plain_numbers;
use referee::setup::GameHeader;

/// The arguments of a harness, parsed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum HarnessArgs {
    Plain { header: GameHeader },
    Kattis { input: PathBuf, feedback: PathBuf },
    Testlib { input: PathBuf, output: PathBuf, report: Option<PathBuf> },
}

impl HarnessArgs {
    /// Parses the arguments of a convention.
    ///
    /// # Errors
    ///
    /// If the convention has other arguments.
    pub(crate) fn new(convention: Convention, args: &[OsString]) -> anyhow::Result<Self> {
        let path = |arg: &OsString| PathBuf::from(arg);
        let got = args.len();
        match (convention, args) {
            (Convention::Plain, words) => {
                let words: Option<Vec<&str>> = words.iter().map(|word| word.to_str()).collect();
                let words = words.context("expected a header, got bytes that are not UTF-8")?.join(" ");
                ensure!(!words.is_empty(), "expected a header or --input FILE, got no arguments");
                Ok(Self::Plain { header: input::header(plain_numbers(&words).as_bytes())? })
            }
            // The answer is not needed: the judge knows who wins.
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

    /// The header of the game to be played.
    pub(crate) fn header(&self) -> anyhow::Result<GameHeader> {
        match self {
            Self::Plain { header } => Ok(header.clone()),
            Self::Kattis { input, .. } | Self::Testlib { input, .. } => input::header_of_file(input),
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
