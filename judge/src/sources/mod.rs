//! Bots that are given as a source: compiles the source if its language requires it, and determines the command that
//! runs the bot.

mod cache;
mod compile;
pub(crate) mod folder;
pub(crate) mod language;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use self::compile::Compilation;
use self::language::Language;
use referee::config::BuildOptions;
use runner::program;

/// Returns the command that starts a bot whose command begins with a source; `None` for any other bot. If the system
/// cannot start the source itself and its language requires it, the source is compiled, or found in the cache.
///
/// # Errors
///
/// If the source cannot be compiled, or if the program that runs the source does not exist.
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

/// Compiles a source unless its program is in the cache, and returns the command that runs the program.
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
