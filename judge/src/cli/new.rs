//! `judge new`: writes a starter bot, or the files of an interactive problem.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{anyhow, bail};
use clap::{Args, ValueEnum};
use runner::escape::{printable, shell_word};

use crate::settings;
use crate::starters::{KINDS, Kind, NewFile, write};

/// Write a starter bot without a strategy, or a small interactive problem
#[derive(Debug, Args)]
#[command(after_help = "\
The bot is one file, for rows of cards; a judge.toml beside it names this game. \"judge new interactor\" writes a \
small problem: an interactor in the style testlib (C++), icpc (Python) or plain (Python), a testing tool that starts \
the solution (launcher), the checker of a problem that runs a solution twice (run-twice), or the manager of two processes \
of a solution (cms), with a right bot, a wrong bot, an input, and a judge.toml. An existing file is never overwritten.

Examples:
  judge new python my_bot
  judge new cpp .
  judge new interactor icpc my_problem
  judge new interactor run-twice my_problem

Exit codes:
  0  the files were written
  2  wrong usage, a file of that name is there already, or it cannot be written")]
pub(crate) struct NewArgs {
    /// The language of the bot, or "interactor"
    #[arg(value_enum, value_name = "LANGUAGE")]
    subject: Starter,

    /// The directory for the files; for a problem, its kind (testlib, icpc, plain, launcher, run-twice, cms) and the directory
    #[arg(value_name = "DIR", required = true, num_args = 1..=2)]
    words: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Starter {
    #[value(alias = "py", alias = "python3")]
    Python,
    #[value(alias = "c++")]
    Cpp,
    #[value(alias = "rs")]
    Rust,
    Java,
    #[value(alias = "js", alias = "javascript")]
    Node,
    Interactor,
}

impl NewArgs {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        let bot = match self.subject {
            Starter::Python => ("bot.py", include_str!("../../starters/bot.py")),
            Starter::Cpp => ("bot.cpp", include_str!("../../starters/bot.cpp")),
            Starter::Rust => ("bot.rs", include_str!("../../starters/bot.rs")),
            Starter::Java => ("Main.java", include_str!("../../starters/Main.java")),
            Starter::Node => ("bot.js", include_str!("../../starters/bot.js")),
            Starter::Interactor => {
                let [kind, directory] = &self.words[..] else {
                    bail!("expected a kind ({KINDS}) and a directory: judge new interactor icpc my_problem")
                };
                let name = kind.to_string_lossy();
                let expected = |_| anyhow!("expected a kind ({KINDS}), got {}", printable(&name));
                return write_problem(Kind::from_str(&name, false).map_err(expected)?, directory);
            }
        };
        let [directory] = &self.words[..] else { bail!("expected one directory for the bot, got two") };
        write_bot(bot, directory)
    }
}

/// Writes a bot, and the settings that name its games, and prints what to type next.
fn write_bot(bot: NewFile<'_>, directory: &Path) -> anyhow::Result<ExitCode> {
    let settings = (settings::FILE, "[game]\nfamily = \"segment\"\n");
    // A second bot in the same directory has the settings of the first.
    write(&[bot, settings][..if directory.join(settings::FILE).exists() { 1 } else { 2 }], directory)?;
    let (file, _) = bot;
    let path = directory.join(file).display().to_string();
    writeln!(io::stdout(), "{} is a bot that plays legal moves. Next:\n", printable(&path))?;
    write_commands(
        directory,
        &[
            (&format!("lint {file}"), "does it follow the protocol?"),
            (&format!("run 20 3 5 -v {file}"), "a game, drawn move by move"),
            (&format!("stress {file}"), "the smallest game that it does not win"),
        ],
    )
}

fn write_problem(kind: Kind, directory: &Path) -> anyhow::Result<ExitCode> {
    let (description, settings, program) = kind.program();
    let settings = format!("[problem]\n{settings}input = \"tests/\"\n");
    let files = [&[(settings::FILE, &*settings), program][..], &kind.bots_and_tests()].concat();
    write(&files, directory)?;
    let mut out = io::stdout();
    writeln!(out, "{} is a problem {description}:\n", printable(&directory.display().to_string()))?;
    for (name, _) in &files {
        writeln!(out, "  {name}")?;
    }
    if matches!(kind, Kind::Testlib) {
        writeln!(
            out,
            "\ninteractor.cpp needs testlib.h: put it beside interactor.cpp, or name its folder in CPLUS_INCLUDE_PATH."
        )?;
    }
    writeln!(out, "\nNext:\n")?;
    let last = match kind {
        Kind::RunTwice => ("run --sandbox -- right.py", "the first run can keep nothing for the second"),
        _ => ("lint -- right.py", "does the interactor cope with any bot?"),
    };
    let runs = [("run -- right.py", "is accepted"), ("run -- wrong.py", "is rejected, with the reason")];
    write_commands(directory, &[&runs[..], &[last]].concat())
}

/// Writes the commands of the judge to type next, each with a short explanation.
fn write_commands(directory: &Path, commands: &[(&str, &str)]) -> anyhow::Result<ExitCode> {
    let mut out = io::stdout();
    let entered = directory.to_str().filter(|&directory| directory != ".");
    if let Some(directory) = entered.and_then(|directory| shell_word(directory).ok()) {
        writeln!(out, "  cd {directory}")?;
    }
    let width = commands.iter().map(|(command, _)| command.len()).max().unwrap_or(0);
    for (command, what) in commands {
        writeln!(out, "  judge {command:width$}   # {what}")?;
    }
    Ok(ExitCode::SUCCESS)
}
