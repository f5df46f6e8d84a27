//! Programs that are given as a folder of files, as problem packages have them.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use tempfile::TempDir;

use super::compile;
use super::language::{self, Language, main_class};
use referee::config::BuildOptions;
use runner::program;

/// A program that is ready to run.
#[derive(Debug)]
pub(crate) struct BuiltProgram {
    /// The words that start it.
    pub(crate) command: Vec<OsString>,
    /// Holds its files, if they were made for this run.
    _files: Option<TempDir>,
}

/// The scripts that a folder may have to build its program, and to run it.
const BUILD: &str = "build";
const RUN: &str = "run";

/// Prepares the program `path`: a source, an executable file, or a folder. A folder has the scripts
/// `build` or `run`, or `__main__.py`, or the sources of one program.
///
/// # Errors
///
/// If the program cannot be built, or the folder has none of these.
pub(crate) fn build(
    path: &Path,
    languages: &[Language],
    options: &BuildOptions,
    is_verbose: bool,
) -> anyhow::Result<BuiltProgram> {
    if !path.is_dir() {
        let words = [OsString::from(path)];
        let command = super::command(&words, languages, options, is_verbose)?.unwrap_or(words.into());
        program::check(&command)?;
        return Ok(BuiltProgram { command, _files: None });
    }
    let built = if path.join(BUILD).is_file() || path.join(RUN).is_file() {
        with_scripts(path)
    } else if path.join("__main__.py").is_file() {
        Ok(BuiltProgram { command: vec!["python3".into(), path.into()], _files: None })
    } else {
        with_sources(path, languages, options, is_verbose)
    };
    built.with_context(|| format!("{} could not be built", path.display()))
}

/// Runs the script `build` in a copy of the folder. The program is the file `run` there.
fn with_scripts(folder: &Path) -> anyhow::Result<BuiltProgram> {
    let files = tempfile::Builder::new().prefix("judge-program-").tempdir()?;
    copy(folder, files.path(), 0)?;
    let inside = |script: &str| -> Vec<OsString> {
        let change = format!("cd \"$0\" && exec ./{script} \"$@\"");
        vec!["sh".into(), "-c".into(), change.into(), files.path().into()]
    };
    if folder.join(BUILD).is_file() {
        compile::run(&inside(BUILD)).context("its script \"build\" failed")?;
    }
    ensure!(
        files.path().join(RUN).is_file(),
        "expected the file \"run\" after the script \"build\", found none"
    );
    Ok(BuiltProgram { command: inside(RUN), _files: Some(files) })
}

/// Compiles the sources of a folder to one program.
fn with_sources(
    folder: &Path,
    languages: &[Language],
    options: &BuildOptions,
    is_verbose: bool,
) -> anyhow::Result<BuiltProgram> {
    let mut sources: Vec<(PathBuf, &Language)> = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        let language = language::of(&path, languages).filter(|_| path.is_file() && !is_hidden);
        sources.extend(language.map(|language| (path, language)));
    }
    sources.sort_by(|(a, _), (b, _)| a.cmp(b));
    let Some((first, language)) = sources.first() else {
        bail!("expected a source, or one of the scripts \"build\" and \"run\", found none");
    };
    if let [(source, _)] = &sources[..] {
        return build(source, languages, options, is_verbose);
    }
    ensure!(
        sources.iter().all(|(_, other)| other.name == language.name),
        "expected sources in one language, found {} and another one",
        language.name
    );
    // In a language without a compiler, the file that is run has a fixed name.
    if language.compile.is_empty() {
        let main = sources.iter().find(|(path, _)| path.file_stem().is_some_and(|stem| stem == "main"));
        let (main, _) = main.with_context(|| {
            format!(
                "expected the file \"main\" or \"__main__.py\" among several {} sources, found none",
                language.name
            )
        })?;
        return build(main, languages, options, is_verbose);
    }
    let files = tempfile::Builder::new().prefix("judge-program-").tempdir()?;
    let mut words = language.compile_command(first, files.path(), &language.flags);
    let place =
        words.iter().position(|word| word == first.as_os_str()).context("the compiler gets no source")?;
    words.splice(place..=place, sources.iter().map(|(path, _)| path.into()));
    compile::run(&words)?;
    let class = sources.iter().find_map(|(path, _)| {
        let text = String::from_utf8_lossy(&fs::read(path).ok()?).into_owned();
        let stem = path.file_stem()?.to_string_lossy();
        text.contains("void main(").then(|| main_class(&text, &stem))
    });
    let command = language.run_command(first, files.path(), &class.unwrap_or_default());
    Ok(BuiltProgram { command, _files: Some(files) })
}

/// Copies a folder with what is in it. `depth` is how deep the folder is in the one that is copied.
fn copy(from: &Path, to: &Path, depth: usize) -> anyhow::Result<()> {
    /// Maximum depth of folders.
    const MAX_DEPTH: usize = 16;
    ensure!(depth < MAX_DEPTH, "expected folders at most {MAX_DEPTH} deep, {} is deeper", from.display());
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            fs::create_dir(&target)?;
            copy(&path, &target, depth + 1)?;
        } else if path.is_file() {
            fs::copy(&path, &target)?;
        }
    }
    Ok(())
}
