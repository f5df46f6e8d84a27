//! `judge new`: writes a starter bot, or the files of an interactive problem.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};
use runner::escape::{printable, shell_word};

use crate::referee::interactor::style::Style;
use crate::settings;

/// Write a starter bot without a strategy, or a small interactive problem
#[derive(Debug, Args)]
#[command(after_help = "\
The bot is one file, for rows of cards; a judge.toml beside it names this game. \"judge new interactor\" writes a small problem: an interactor in the style testlib (C++), \
icpc (Python) or plain (Python), a right bot, a wrong bot, an input, and a judge.toml. An existing file is never overwritten.

Examples:
  judge new python my_bot
  judge new cpp .
  judge new interactor icpc my_problem

Exit codes:
  0  the files were written
  2  wrong usage, a file of that name is there already, or it cannot be written")]
pub(crate) struct NewArgs {
    /// The language of the bot, or "interactor"
    #[arg(value_enum, value_name = "LANGUAGE")]
    subject: Subject,

    /// The directory for the files; for an interactor, its style and the directory
    #[arg(value_name = "DIR", required = true, num_args = 1..=2)]
    words: Vec<PathBuf>,
}

/// What is written: a starter bot in a language, or an interactor.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Subject {
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

/// The path of a file in the directory, and its text.
type NewFile = (&'static str, &'static str);

impl NewArgs {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        let bot = match self.subject {
            Subject::Python => ("bot.py", include_str!("../../starters/bot.py")),
            Subject::Cpp => ("bot.cpp", include_str!("../../starters/bot.cpp")),
            Subject::Rust => ("bot.rs", include_str!("../../starters/bot.rs")),
            Subject::Java => ("Main.java", include_str!("../../starters/Main.java")),
            Subject::Node => ("bot.js", include_str!("../../starters/bot.js")),
            Subject::Interactor => {
                let [style, directory] = &self.words[..] else {
                    bail!("expected a style ({STYLES}) and a directory: judge new interactor icpc my_problem")
                };
                let style = style.to_string_lossy();
                let style = Style::from_str(&style, false)
                    .map_err(|_| anyhow!("expected a style ({STYLES}), got {}", printable(&style)))?;
                return write_problem(style, directory);
            }
        };
        let [directory] = &self.words[..] else { bail!("expected one directory for the bot, got two") };
        write_bot(bot, directory)
    }
}

const STYLES: &str = "testlib, icpc or plain";

/// Writes a bot, and the settings that name its games, and prints what to type next.
fn write_bot(bot: NewFile, directory: &Path) -> anyhow::Result<ExitCode> {
    let settings = (settings::FILE, "[game]\nfamily = \"segment\"\n");
    // A second bot in the same directory has the settings of the first.
    let files = [bot, settings];
    write(&files[..if directory.join(settings::FILE).exists() { 1 } else { 2 }], directory)?;
    let (file, _) = bot;
    let path = directory.join(file).display().to_string();
    let mut out = anstream::stdout();
    writeln!(out, "{} is a bot that plays legal moves. Next:\n", printable(&path))?;
    write_commands(
        &mut out,
        directory,
        &[
            (&format!("lint {file}"), "does it follow the protocol?"),
            (&format!("run 20 3 5 -v {file}"), "a game, drawn move by move"),
            (&format!("stress {file}"), "the smallest game that it does not win"),
        ],
    )
}

/// Writes the files of a problem with an interactor in this style.
fn write_problem(style: Style, directory: &Path) -> anyhow::Result<ExitCode> {
    let (interactor, settings) = match style {
        Style::Testlib => (
            ("interactor.cpp", include_str!("../../starters/interactor/testlib.cpp")),
            "[problem]\ninteractor = \"interactor.cpp\"\nstyle = \"testlib\"\ninput = \"tests/\"\n",
        ),
        Style::Icpc => (
            ("interactor.py", include_str!("../../starters/interactor/icpc.py")),
            "[problem]\ninteractor = \"interactor.py\"\nstyle = \"icpc\"\ninput = \"tests/\"\n",
        ),
        Style::Plain => (
            ("interactor.py", include_str!("../../starters/interactor/plain.py")),
            "[problem]\ninteractor = \"interactor.py {input}\"\nstyle = \"plain\"\ninput = \"tests/\"\n",
        ),
    };
    let mut files = vec![
        (settings::FILE, settings),
        interactor,
        ("right.py", include_str!("../../starters/interactor/right.py")),
        ("wrong.py", include_str!("../../starters/interactor/wrong.py")),
        ("tests/1.in", "1000 10 777\n"),
    ];
    if style == Style::Icpc {
        files.push(("tests/1.ans", "777\n"));
    }
    write(&files, directory)?;
    let mut out = anstream::stdout();
    let shown = directory.display().to_string();
    writeln!(out, "{} is a problem with an interactor in the style {}:\n", printable(&shown), style.name())?;
    for (name, _) in &files {
        writeln!(out, "  {name}")?;
    }
    if style == Style::Testlib {
        writeln!(
            out,
            "\ninteractor.cpp needs testlib.h: put it beside interactor.cpp, or name its folder in CPLUS_INCLUDE_PATH."
        )?;
    }
    writeln!(out, "\nNext:\n")?;
    write_commands(
        &mut out,
        directory,
        &[
            ("run -- right.py", "is accepted"),
            ("run -- wrong.py", "is rejected, with the reason"),
            ("lint -- right.py", "does the interactor cope with any bot?"),
        ],
    )
}

/// Writes all files, or none if one of them exists or cannot be written. Creates the directories if necessary.
fn write(files: &[NewFile], directory: &Path) -> anyhow::Result<()> {
    for (at, (name, text)) in files.iter().enumerate() {
        write_file(&directory.join(name), text).inspect_err(|_| {
            for (written, _) in &files[..at] {
                drop(fs::remove_file(directory.join(written)));
            }
        })?;
    }
    Ok(())
}

fn write_file(path: &Path, text: &str) -> anyhow::Result<()> {
    let directory = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(directory)
        .with_context(|| format!("the directory {} cannot be created", directory.display()))?;
    let file = File::create_new(path);
    if file.as_ref().is_err_and(|error| error.kind() == ErrorKind::AlreadyExists) {
        bail!("{} exists already: choose another directory", path.display());
    }
    file.and_then(|mut file| {
        // A partly written file does not work, so remove it.
        file.write_all(text.as_bytes()).inspect_err(|_| drop(fs::remove_file(path)))
    })
    .with_context(|| format!("{} cannot be written", path.display()))
}

/// Writes the commands of the judge to type next, each with a short explanation.
fn write_commands(
    out: &mut impl Write,
    directory: &Path,
    commands: &[(&str, &str)],
) -> anyhow::Result<ExitCode> {
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
