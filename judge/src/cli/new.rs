//! `judge new`: writes a starter bot.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::subcommand::{Program, Subcommand};
use anyhow::{Context, bail};
use clap::{Args, ValueEnum};

use common::escape::{printable, shell_word};

/// Write a starter bot that plays legal moves and knows no strategy
#[derive(Debug, Args)]
#[command(after_help = "\
The bot is one file, for rows of cards. Its functions choose_side and choose_move are the places for your strategy. \
What to type next is printed. An existing file is never overwritten.

Examples:
  judge new python my_bot
  judge new cpp .

Exit codes:
  0  the bot was written
  2  wrong usage, a file of that name is there already, or it cannot be written")]
pub(crate) struct NewArgs {
    /// The language of the bot
    #[arg(value_enum, value_name = "LANGUAGE")]
    pub(crate) language: Language,

    /// The directory for the bot; created if it does not exist
    #[arg(value_name = "DIR")]
    pub(crate) directory: PathBuf,
}

/// A language for which there is a starter bot.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Language {
    #[value(alias = "py", alias = "python3")]
    Python,
    #[value(alias = "c++")]
    Cpp,
    #[value(alias = "rs")]
    Rust,
    Java,
    #[value(alias = "js", alias = "javascript")]
    Node,
}

/// A starter bot.
struct Starter {
    /// The name of the starter's file.
    file: &'static str,
    source: &'static str,
}

impl Language {
    fn starter(self) -> Starter {
        let (file, source) = match self {
            Self::Python => ("bot.py", include_str!("../../starters/bot.py")),
            Self::Cpp => ("bot.cpp", include_str!("../../starters/bot.cpp")),
            Self::Rust => ("bot.rs", include_str!("../../starters/bot.rs")),
            Self::Java => ("Main.java", include_str!("../../starters/Main.java")),
            Self::Node => ("bot.js", include_str!("../../starters/bot.js")),
        };
        Starter { file, source }
    }
}

impl Subcommand for NewArgs {
    fn run(&self, _: &Program) -> anyhow::Result<ExitCode> {
        let (starter, directory) = (self.language.starter(), &self.directory);
        let path = directory.join(starter.file);
        write(&starter, directory, &path)?;
        let mut out = anstream::stdout();
        writeln!(out, "{} is a bot that plays legal moves. Next:\n", printable(&path.display().to_string()))?;
        for command in next_commands(&starter, directory) {
            writeln!(out, "  {command}")?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Writes the file, which must not exist, and creates its directory if necessary.
fn write(starter: &Starter, directory: &Path, path: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(directory)
        .with_context(|| format!("the directory {} cannot be created", directory.display()))?;
    let mut file = match File::create_new(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            bail!("{} exists already: choose another directory", path.display())
        }
        Err(error) => return Err(error).with_context(|| format!("{} cannot be written", path.display())),
    };
    file.write_all(starter.source.as_bytes())
        // A partly written file is not a working bot, so remove it.
        .inspect_err(|_| drop(fs::remove_file(path)))
        .with_context(|| format!("{} cannot be written", path.display()))
}

/// Returns the commands to type next.
fn next_commands(starter: &Starter, directory: &Path) -> Vec<String> {
    let file = starter.file;
    let directory = directory.to_str().filter(|&directory| directory != ".");
    let enter = directory.and_then(|directory| Some(format!("cd {}", shell_word(directory).ok()?)));
    let lines = [
        (format!("judge lint {file}"), "does it follow the protocol?"),
        (format!("judge run 20 3 5 -v {file}"), "a game, drawn move by move"),
        (format!("judge stress {file}"), "the smallest game that it does not win"),
        ("judge protocol".to_owned(), "all that a bot reads and prints"),
    ];
    let width = lines.iter().map(|(command, _)| command.len()).max().unwrap_or(0);
    let lines = lines.map(|(command, what)| format!("{command:width$}   # {what}"));
    enter.into_iter().chain(lines).collect()
}
