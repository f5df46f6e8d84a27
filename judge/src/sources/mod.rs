//! Bots that are named by their source: compiled if their language needs it, and the command that runs them.

mod cache;
mod compile;
pub(crate) mod language;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use self::compile::Compilation;
use self::language::Language;
use referee::config::BuildOptions;
use runner::program;

/// The command that starts a bot, if its command begins with a source and the system cannot start that by itself.
/// The source is compiled first, unless its program is in the cache.
///
/// # Errors
///
/// If it cannot be compiled, or there is nothing to run it.
pub(crate) fn command(
    bot: &[OsString],
    languages: &[Language],
    build: &BuildOptions,
    is_verbose: bool,
) -> anyhow::Result<Option<Vec<OsString>>> {
    let Some((source, args)) = bot.split_first() else { return Ok(None) };
    let source = Path::new(source);
    let Some(language) = language::of(source, languages).filter(|_| source.is_file()) else {
        return Ok(None);
    };
    let path = if source.components().count() > 1 { source.to_owned() } else { Path::new(".").join(source) };
    let mut command = if program::check(&[path.clone().into()]).is_ok() {
        vec![path.into()]
    } else if language.compile.is_empty() {
        language.run_command(&path, Path::new(""), "")
    } else {
        compiled(&path, language, build, is_verbose)?
    };
    if let Some(runner) = command.first().filter(|runner| program::find(runner).is_err()) {
        bail!(
            "the bot {} could not be started: there is no {}, which runs {}: install it, or name another in judge.toml",
            source.display(),
            runner.display(),
            language.name
        );
    }
    command.extend(args.iter().cloned());
    Ok(Some(command))
}

/// The command that runs the program of a source.
fn compiled(
    source: &Path,
    language: &Language,
    build: &BuildOptions,
    is_verbose: bool,
) -> anyhow::Result<Vec<OsString>> {
    let failed = || format!("the bot {} could not be compiled", source.display());
    let compilation = Compilation::new(source, language, build).with_context(failed)?;
    let folder: PathBuf = compilation.program(is_verbose).with_context(failed)?;
    Ok(language.run_command(source, &folder, compilation.class()))
}
