//! The files from which a harness reads the result of a game.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use anstream::StripStream;
use anyhow::Context;
use runner::escape::printable;

use crate::interop::convention::HarnessVerdict;
use crate::referee::game::review::FinishedGame;
use crate::report::Reporter;
use crate::report::console::Console;

/// The open files for the result. Open them before the game, so that no game is played if a file cannot be created.
pub(crate) enum Feedback {
    None,
    /// `judges` gets the report of the game, as the console shows it, and the moves. `team` gets the verdict and the
    /// reason.
    Kattis {
        judges: File,
        team: File,
    },
    /// `output` gets the verdict and the moves, and `report` gets testlib's word for the verdict and the reason.
    Testlib {
        output: File,
        report: Option<File>,
    },
}

impl Feedback {
    pub(crate) fn kattis(directory: &Path) -> anyhow::Result<Self> {
        let judges = create(&directory.join("judgemessage.txt"))?;
        Ok(Self::Kattis { judges, team: create(&directory.join("teammessage.txt"))? })
    }

    pub(crate) fn testlib(output: &Path, report: Option<&Path>) -> anyhow::Result<Self> {
        Ok(Self::Testlib { output: create(output)?, report: report.map(create).transpose()? })
    }

    /// Writes the result of the game.
    pub(crate) fn write(self, game: &FinishedGame) -> anyhow::Result<()> {
        let result = &game.result;
        let written = match self {
            Self::None => Ok(()),
            Self::Kattis { mut judges, mut team } => {
                Console::new(StripStream::new(&mut judges)).game(game)?;
                write_moves(game, &judges).and_then(|()| {
                    writeln!(team, "{}: {}", result.ruling.verdict, printable(&result.ruling.reason))
                })
            }
            Self::Testlib { output, report } => write_moves(game, &output).and_then(|()| match report {
                Some(mut report) => {
                    writeln!(report, "{} {}", testlib_verdict(game), printable(&result.ruling.reason))
                }
                None => Ok(()),
            }),
        };
        written.context("the feedback cannot be written")
    }
}

/// Returns the words that testlib writes before a reason.
fn testlib_verdict(game: &FinishedGame) -> &'static str {
    match HarnessVerdict::of(game.result.ruling.verdict) {
        HarnessVerdict::Accepted => "ok",
        HarnessVerdict::Wrong => "wrong answer",
        HarnessVerdict::WrongFormat => "wrong output format",
        HarnessVerdict::JudgeError => "FAIL",
    }
}

/// Writes the verdict, the bot's side and the moves of both sides, each on a line.
fn write_moves(game: &FinishedGame, mut out: &File) -> io::Result<()> {
    let result = &game.result;
    let mut text = format!("{}\n", result.ruling.verdict);
    if let Some(side) = result.side {
        text += &format!("{side}\n");
    }
    for mv in &result.moves {
        text += &format!("{mv}\n");
    }
    out.write_all(text.as_bytes())
}

/// Creates a file for the result.
fn create(path: &Path) -> anyhow::Result<File> {
    File::create(path).with_context(|| format!("the feedback file {} cannot be created", path.display()))
}
