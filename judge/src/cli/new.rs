//! `judge new`: writes a starter bot, or the files of an interactive problem.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};
use runner::escape::{printable, shell_word};

use crate::referee::interactor::style::Style;

/// Write a starter bot without a strategy, or a small interactive problem
#[derive(Debug, Args)]
#[command(after_help = "\
The bot is one file, for rows of cards. Its functions choose_side and choose_move are the places for your strategy.

\"judge new interactor\" writes a small problem, which is complete: an interactor, a right bot, a wrong bot, an input, \
and a judge.toml that names them. Its comments say what to change. The styles are those of \"judge run --interactor\": testlib (C++; testlib.h is \
not included), icpc (Python) and plain (Python).

What to type next is printed. An existing file is never overwritten.

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
    pub(crate) subject: Subject,

    /// The directory for the files; created if it does not exist. Before it, the style of an interactor: testlib, icpc
    /// or plain
    #[arg(value_name = "DIR", required = true, num_args = 1..=2)]
    pub(crate) words: Vec<PathBuf>,
}

/// What is written: a starter bot in a language, or an interactor.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Subject {
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

/// A file to write.
#[derive(Clone, Copy)]
struct NewFile {
    /// The path in the directory.
    name: &'static str,
    source: &'static str,
}

impl NewArgs {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        let (language, words) = (self.subject, &self.words[..]);
        let (file, source) = match language {
            Subject::Python => ("bot.py", include_str!("../../starters/bot.py")),
            Subject::Cpp => ("bot.cpp", include_str!("../../starters/bot.cpp")),
            Subject::Rust => ("bot.rs", include_str!("../../starters/bot.rs")),
            Subject::Java => ("Main.java", include_str!("../../starters/Main.java")),
            Subject::Node => ("bot.js", include_str!("../../starters/bot.js")),
            Subject::Interactor => {
                let [style, directory] = words else {
                    bail!("expected a style ({STYLES}) and a directory: judge new interactor icpc my_problem")
                };
                let style = style.to_string_lossy();
                let style = Style::from_str(&style, false)
                    .map_err(|_| anyhow!("expected a style ({STYLES}), got {}", printable(&style)))?;
                return write_problem(style, directory);
            }
        };
        let [directory] = words else { bail!("expected one directory for the bot, got two") };
        write_bot(NewFile { name: file, source }, directory)
    }
}

const STYLES: &str = "testlib, icpc or plain";

/// Writes a bot and prints what to type next.
fn write_bot(bot: NewFile, directory: &Path) -> anyhow::Result<ExitCode> {
    write(&[bot], directory)?;
    let (file, path) = (bot.name, directory.join(bot.name));
    let mut out = anstream::stdout();
    let path = printable(&path.display().to_string());
    writeln!(out, "{path} is a bot that plays legal moves. Next:\n")?;
    let commands = [
        (format!("judge lint {file}"), "does it follow the protocol?"),
        (format!("judge run 20 3 5 -v {file}"), "a game, drawn move by move"),
        (format!("judge stress {file}"), "the smallest game that it does not win"),
    ];
    write_commands(&mut out, directory, &commands)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the files of a problem with an interactor in this style.
fn write_problem(style: Style, directory: &Path) -> anyhow::Result<ExitCode> {
    let (interactor, source, settings) = match style {
        Style::Testlib => (
            "interactor.cpp",
            include_str!("../../starters/interactor/testlib.cpp"),
            "[problem]\ninteractor = \"interactor.cpp\"\nstyle = \"testlib\"\ninput = \"tests/\"\n",
        ),
        Style::Icpc => (
            "interactor.py",
            include_str!("../../starters/interactor/icpc.py"),
            "[problem]\ninteractor = \"interactor.py\"\nstyle = \"icpc\"\ninput = \"tests/\"\n",
        ),
        Style::Plain => (
            "interactor.py",
            include_str!("../../starters/interactor/plain.py"),
            "[problem]\ninteractor = \"interactor.py {input}\"\nstyle = \"plain\"\ninput = \"tests/\"\n",
        ),
    };
    let mut files = vec![
        NewFile { name: "judge.toml", source: settings },
        NewFile { name: interactor, source },
        NewFile { name: "right.py", source: include_str!("../../starters/interactor/right.py") },
        NewFile { name: "wrong.py", source: include_str!("../../starters/interactor/wrong.py") },
        NewFile { name: "tests/1.in", source: "1000 10 777\n" },
    ];
    if style == Style::Icpc {
        files.push(NewFile { name: "tests/1.ans", source: "777\n" });
    }
    write(&files, directory)?;
    let mut out = anstream::stdout();
    let shown = directory.display().to_string();
    writeln!(out, "{} is a problem with an interactor in the style {}:\n", printable(&shown), style.name())?;
    for file in &files {
        writeln!(out, "  {}", file.name)?;
    }
    if style == Style::Testlib {
        writeln!(
            out,
            "\ninteractor.cpp needs testlib.h: put it beside interactor.cpp, or name its folder in CPLUS_INCLUDE_PATH."
        )?;
    }
    writeln!(out, "\nNext:\n")?;
    let commands = [
        ("judge run -- right.py", "is accepted"),
        ("judge run -- wrong.py", "is rejected, with the reason"),
        ("judge lint -- right.py", "does the interactor cope with any bot?"),
    ];
    let commands = commands.map(|(command, purpose)| (command.to_owned(), purpose));
    write_commands(&mut out, directory, &commands)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes all files, or none if one of them exists or cannot be written. Creates the directories if necessary.
fn write(files: &[NewFile], directory: &Path) -> anyhow::Result<()> {
    let mut written: Vec<PathBuf> = Vec::new();
    for file in files {
        let path = directory.join(file.name);
        if let Err(error) = write_file(&path, file.source) {
            for path in &written {
                drop(fs::remove_file(path));
            }
            return Err(error);
        }
        written.push(path);
    }
    Ok(())
}

fn write_file(path: &Path, source: &str) -> anyhow::Result<()> {
    let directory = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(directory)
        .with_context(|| format!("the directory {} cannot be created", directory.display()))?;
    let mut file = match File::create_new(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            bail!("{} exists already: choose another directory", path.display())
        }
        Err(error) => return Err(error).with_context(|| format!("{} cannot be written", path.display())),
    };
    file.write_all(source.as_bytes())
        // A partly written file does not work, so remove it.
        .inspect_err(|_| drop(fs::remove_file(path)))
        .with_context(|| format!("{} cannot be written", path.display()))
}

/// Writes the commands to type next, each with a short explanation.
fn write_commands(out: &mut impl Write, directory: &Path, commands: &[(String, &str)]) -> anyhow::Result<()> {
    let entered = directory.to_str().filter(|&directory| directory != ".");
    if let Some(directory) = entered.and_then(|directory| shell_word(directory).ok()) {
        writeln!(out, "  cd {directory}")?;
    }
    let width = commands.iter().map(|(command, _)| command.len()).max().unwrap_or(0);
    for (command, what) in commands {
        writeln!(out, "  {command:width$}   # {what}")?;
    }
    Ok(())
}
