//! What a harness calls the judge with.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Context, bail, ensure};

use super::feedback::Feedback;
use super::input;
use super::style::Style;
use crate::referee::setup::GameHeader;

/// The arguments of a call, by their meaning.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Call {
    Plain { header: GameHeader },
    Kattis { input: PathBuf, feedback: PathBuf },
    Testlib { input: PathBuf, output: PathBuf, report: Option<PathBuf> },
}

impl Call {
    /// # Errors
    ///
    /// If these are not the arguments of that style.
    pub(crate) fn new(style: Style, args: &[OsString]) -> anyhow::Result<Self> {
        let path = |arg: &OsString| PathBuf::from(arg);
        let got = args.len();
        match (style, args) {
            (Style::Plain, words) => {
                let words: Option<Vec<&str>> = words.iter().map(|word| word.to_str()).collect();
                let words =
                    words.context("expected the words of a header, got bytes that are no text")?.join(" ");
                ensure!(!words.is_empty(), "expected the words of a header, or --input FILE");
                Ok(Self::Plain { header: input::header(words.as_bytes())? })
            }
            // The answer is not needed: the judge knows who wins.
            (Style::Kattis, [input, _answer, feedback]) => {
                Ok(Self::Kattis { input: path(input), feedback: path(feedback) })
            }
            (Style::Kattis, _) => {
                bail!("expected three arguments, INPUT ANSWER FEEDBACK_DIR, got {got}")
            }
            (Style::Testlib, [input, output, rest @ ..]) if rest.len() <= 2 => {
                Ok(Self::Testlib { input: path(input), output: path(output), report: rest.get(1).map(path) })
            }
            (Style::Testlib, _) => {
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

    /// Where the harness wants to read what became of it, ready to be written.
    pub(crate) fn feedback(&self) -> anyhow::Result<Feedback> {
        match self {
            Self::Plain { .. } => Ok(Feedback::None),
            Self::Kattis { feedback, .. } => Feedback::kattis(feedback),
            Self::Testlib { output, report, .. } => Feedback::testlib(output, report.as_deref()),
        }
    }
}
