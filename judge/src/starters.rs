//! The interactive problems that `judge new` writes, and how it writes files.

use std::fs;
use std::path::{Path, PathBuf};

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
    let paths: Vec<PathBuf> = files.iter().map(|(name, _)| directory.join(name)).collect();
    if let Some(path) = paths.iter().find(|path| path.symlink_metadata().is_ok()) {
        bail!("{} exists already: choose another directory", path.display());
    }
    for (path, (_, text)) in paths.iter().zip(files) {
        let written = fs::create_dir_all(path.parent().unwrap_or(directory));
        if let Err(error) = written.and_then(|()| fs::write(path, text)) {
            for path in &paths {
                drop(fs::remove_file(path));
            }
            return Err(error).with_context(|| format!("{} cannot be written", path.display()));
        }
    }
    Ok(())
}
