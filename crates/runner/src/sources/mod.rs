//! Bots that are given as a source: compiles the source if its language requires it, and determines the command that
//! runs the bot.

mod cache;
mod compile;
pub mod folder;
pub mod language;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use serde::{Deserialize, Serialize};

pub use self::compile::CompileError;
use self::language::Language;
use crate::program;
use crate::sandbox::Sandbox;

/// The options for how the source of a bot is compiled.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args, Serialize, Deserialize)]
pub struct BuildOptions {
    /// The compiler for a source in C++, instead of g++
    #[arg(long, value_name = "COMPILER")]
    pub cxx: Option<String>,

    /// Compiler flags for a source, instead of the usual flags of contests
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub release_flags: Option<String>,

    /// The sandbox of a compiler that has limits of its own, and whose messages are only in the error. Otherwise they go
    /// to stderr too. In the sandbox, a compiler can write only in the folder of its program and in caches of its own.
    #[arg(skip)]
    #[serde(skip)]
    pub confined: Option<Sandbox>,
}

impl BuildOptions {
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// Makes programs from their sources.
#[derive(Clone, Copy)]
pub struct Builder<'a> {
    pub languages: &'a [Language],
    pub options: &'a BuildOptions,
    /// Whether each compilation is named on stderr.
    pub is_verbose: bool,
}

impl Builder<'_> {
    /// Returns the command that starts a bot whose command begins with a source; `None` for any other bot. If the system
    /// cannot start the source itself and its language has a compiler, the source is compiled, unless its program is in
    /// the cache.
    pub fn command(self, bot: &[OsString]) -> anyhow::Result<Option<Vec<OsString>>> {
        let Some((source, args)) = bot.split_first() else { return Ok(None) };
        let source = Path::new(source);
        let Some(language) = language::of(source, self.languages).filter(|_| source.is_file()) else {
            return Ok(None);
        };
        let path = program::as_path(source);
        let mut command = if program::check(&[path.clone().into()]).is_ok() {
            vec![path.into()]
        } else if language.compile.is_empty() {
            language.run_command(&path, Path::new(""), "")
        } else {
            self.compile(&path, language)
                .with_context(|| format!("the source {} could not be compiled", path.display()))?
        };
        if let Some(runner) = command.first().filter(|runner| program::find(runner).is_err()) {
            bail!(
                "the bot {} could not be started: {}, which runs {} sources, was not found: install it, or name \
                 another program in judge.toml",
                source.display(),
                runner.display(),
                language.name
            );
        }
        command.extend(args.iter().cloned());
        Ok(Some(command))
    }
}

/// Writes a source that is not in a file to the cache, and returns its path, which is the same each time.
pub fn keep(code: &str, language: &Language) -> anyhow::Result<PathBuf> {
    let name = Path::new("main").with_extension(language.extensions.first().map_or("", String::as_str));
    let key = cache::hash([OsStr::new("source"), name.as_os_str(), OsStr::new(code)]);
    let fill = |new: &Path| Ok(fs::write(new.join(&name), code).map(|()| Vec::new())?);
    Ok(cache::folder(&key, fill).context("the source cannot be kept")?.join(&name))
}
