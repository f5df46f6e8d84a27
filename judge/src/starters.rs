//! The interactive problems that `judge new` writes, and how it writes files.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, bail};
use clap::ValueEnum;

/// The path of a file in the directory, and its text.
pub(crate) type NewFile<'a> = (&'static str, &'a str);

pub(crate) const KINDS: &str = "testlib, icpc, plain, launcher, run-twice or cms";

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Kind {
    Testlib,
    Icpc,
    Plain,
    Launcher,
    RunTwice,
    Cms,
}

impl Kind {
    /// Returns what follows "NAME is a problem", the settings without the inputs, and the problem's program.
    pub(crate) fn program(self) -> (&'static str, &'static str, NewFile<'static>) {
        match self {
            Self::Testlib => (
                "with an interactor in the style testlib",
                "interactor = \"interactor.cpp\"\nstyle = \"testlib\"\n",
                ("interactor.cpp", include_str!("../starters/interactor/testlib.cpp")),
            ),
            Self::Icpc => (
                "with an interactor in the style icpc",
                "interactor = \"interactor.py\"\nstyle = \"icpc\"\n",
                ("interactor.py", include_str!("../starters/interactor/icpc.py")),
            ),
            Self::Plain => (
                "with an interactor in the style plain",
                "interactor = \"interactor.py {input}\"\nstyle = \"plain\"\n",
                ("interactor.py", include_str!("../starters/interactor/plain.py")),
            ),
            Self::Launcher => (
                "with a testing tool that starts the solution",
                "interactor = \"testing_tool.py -f {input} {bot}\"\nstyle = \"launcher\"\n",
                ("testing_tool.py", include_str!("../starters/launcher/testing_tool.py")),
            ),
            Self::RunTwice => (
                "that runs a solution twice",
                "checker = \"checker.py\"\npasses = 2\n",
                ("checker.py", include_str!("../starters/twice/checker.py")),
            ),
            Self::Cms => (
                "with a manager that talks to two processes of a solution",
                "interactor = \"manager.py\"\nstyle = \"cms\"\nprocesses-of-bot = 2\n",
                ("manager.py", include_str!("../starters/cms/manager.py")),
            ),
        }
    }

    /// Returns a right bot, a wrong one, and the files of a test.
    pub(crate) fn bots_and_tests(self) -> Vec<NewFile<'static>> {
        let guess = [
            ("right.py", include_str!("../starters/interactor/right.py")),
            ("wrong.py", include_str!("../starters/interactor/wrong.py")),
            ("tests/1.in", "1000 10 777\n"),
        ];
        match self {
            Self::Icpc => [&guess[..], &[("tests/1.ans", "777\n")]].concat(),
            Self::RunTwice => vec![
                ("right.py", include_str!("../starters/twice/right.py")),
                ("wrong.py", include_str!("../starters/twice/wrong.py")),
                ("tests/1.in", "first\n777\n"),
                ("tests/1.ans", "777\n"),
            ],
            Self::Cms => vec![
                ("right.py", include_str!("../starters/cms/right.py")),
                ("wrong.py", include_str!("../starters/cms/wrong.py")),
                ("tests/1.in", "777\n"),
            ],
            _ => guess.to_vec(),
        }
    }
}

/// Writes all files, or none if one of them exists or cannot be written. Creates the directories if necessary.
pub(crate) fn write(files: &[NewFile<'_>], directory: &Path) -> anyhow::Result<()> {
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
    let written = File::create_new(path).and_then(|mut file| {
        // A partly written file does not work, so remove it.
        file.write_all(text.as_bytes()).inspect_err(|_| drop(fs::remove_file(path)))
    });
    match written {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            bail!("{} exists already: choose another directory", path.display())
        }
        written => written.with_context(|| format!("{} cannot be written", path.display())),
    }
}
