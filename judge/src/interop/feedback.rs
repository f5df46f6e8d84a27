//! The files in which a harness reads what became of a game.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use anstream::StripStream;
use anyhow::Context;

use super::style::Class;
use crate::escape::printable;
use crate::referee::finished_game::FinishedGame;
use crate::report::Reporter;
use crate::report::console::Console;

/// The files, opened before the game: where they cannot be, nothing is played.
pub(crate) enum Feedback {
    None,
    /// For the judges: verdict, reason, theory, moves. For the team: verdict and reason.
    Kattis {
        judges: File,
        team: File,
    },
    /// What a checker reads after the interactor, and testlib's own kind of report.
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

    /// Tells what became of the game.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub(crate) fn write(self, game: &FinishedGame) -> anyhow::Result<()> {
        let result = &game.result;
        let told = match self {
            Self::None => Ok(()),
            Self::Kattis { mut judges, mut team } => {
                Console::new(StripStream::new(&mut judges)).game(game)?;
                write_moves(game, &judges)
                    .and_then(|()| writeln!(team, "{}: {}", result.verdict, printable(&result.reason)))
            }
            Self::Testlib { output, report } => write_moves(game, &output).and_then(|()| match report {
                Some(mut report) => {
                    writeln!(report, "{} {}", outcome_word(game), printable(&result.reason))
                }
                None => Ok(()),
            }),
        };
        told.context("the feedback cannot be written")
    }
}

/// The word that testlib puts before a reason.
fn outcome_word(game: &FinishedGame) -> &'static str {
    match Class::of(game.result.verdict) {
        Class::Accepted => "ok",
        Class::Wrong => "wrong answer",
        Class::Form => "wrong output format",
        Class::JudgeError => "FAIL",
    }
}

/// The verdict, the bot's side and the moves of both, a line each.
fn write_moves(game: &FinishedGame, mut out: &File) -> io::Result<()> {
    let result = &game.result;
    let mut text = format!("{}\n", result.verdict);
    if let Some(side) = result.side {
        text += &format!("{side}\n");
    }
    for mv in &result.moves {
        text += &format!("{mv}\n");
    }
    out.write_all(text.as_bytes())
}

fn create(path: &Path) -> anyhow::Result<File> {
    File::create(path).with_context(|| format!("the feedback {} cannot be created", path.display()))
}
