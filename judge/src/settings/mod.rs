//! The settings of `judge.toml`: named bots, limits, defaults of commands, and languages.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::ensure;
pub(crate) use read::{LIMITS, read};
use rustix::process::geteuid;

use crate::sources::language;
use crate::sources::language::Language;

mod read;

/// What `judge.toml` sets, checked as far as that needs no command line.
#[derive(Debug)]
pub(crate) struct Settings {
    /// The file; `None` if there is none.
    pub(crate) file: Option<PathBuf>,
    /// Whether it was named by `--config`.
    pub(crate) is_given: bool,
    pub(crate) bots: BTreeMap<String, NamedBot>,
    /// The defaults of options: first those of `[limits]`, which those of a command override.
    pub(crate) defaults: Vec<OptionDefault>,
    /// All languages; those that the file has come first.
    pub(crate) languages: Vec<Language>,
    /// The lines of the file on which a key of a language stands, by "language.key".
    pub(crate) language_lines: BTreeMap<String, usize>,
}

/// A bot with a name.
#[derive(Debug)]
pub(crate) struct NamedBot {
    pub(crate) command: Vec<OsString>,
    pub(crate) line: usize,
}

/// The default of an option.
#[derive(Debug)]
pub(crate) struct OptionDefault {
    /// The section and the key in it, as in `limits.time`.
    pub(crate) key: String,
    /// The command that has the option; `None` for all that have it.
    pub(crate) command: Option<String>,
    /// The option's name, without its dashes.
    pub(crate) option: String,
    /// The value; `None` for an option that has none and is set.
    pub(crate) value: Option<String>,
    pub(crate) line: usize,
}

impl Settings {
    /// What holds without a file.
    pub(crate) fn without_file() -> Self {
        Self {
            file: None,
            is_given: false,
            bots: BTreeMap::new(),
            defaults: Vec::new(),
            languages: language::known(),
            language_lines: BTreeMap::new(),
        }
    }

    /// The command of the bot with this name, if there is one.
    pub(crate) fn bot(&self, name: &str) -> Option<&[OsString]> {
        self.bots.get(name).map(|bot| bot.command.as_slice())
    }

    /// The file that was named by `--config`, as it was typed.
    pub(crate) fn given(&self) -> Option<String> {
        let file = self.file.as_ref().filter(|_| self.is_given);
        file.map(|file| file.to_string_lossy().into_owned())
    }

    /// A line of the file, as messages name it.
    pub(crate) fn at(&self, line: usize) -> String {
        at(self.file.as_deref().unwrap_or(Path::new(FILE)), line)
    }
}

/// The name of the file.
pub(crate) const FILE: &str = "judge.toml";

fn at(file: &Path, line: usize) -> String {
    format!("{}:{line}", file.display())
}

/// The file in the current directory, or in the nearest directory above it that has one.
///
/// # Errors
///
/// If it belongs to another user, whose commands would be run as those of this one.
pub(crate) fn find() -> anyhow::Result<Option<PathBuf>> {
    let Ok(here) = env::current_dir() else { return Ok(None) };
    let Some(file) = here.ancestors().map(|folder| folder.join(FILE)).find(|file| file.is_file()) else {
        return Ok(None);
    };
    let owner = fs::metadata(&file)?.uid();
    ensure!(
        owner == geteuid().as_raw() || owner == 0,
        "{} belongs to another user, {owner}, and can name commands that the judge starts: if you trust it, type \
         \"--config {}\"; else type \"--config /dev/null\"",
        file.display(),
        file.display()
    );
    Ok(Some(file))
}
