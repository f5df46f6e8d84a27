//! Programs in the form of a folder of files, as in problem packages.

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use itertools::Itertools;
use tempfile::TempDir;

use super::Builder;
use super::language::{self, RUST};
use crate::program;

#[derive(Debug)]
pub struct BuiltProgram {
    pub command: Vec<OsString>,
    /// Folders with the program's files. They are removed when this value is dropped.
    pub files: Vec<TempDir>,
}

impl Builder<'_> {
    /// Prepares the program of a source or a folder of sources together with the files `graders`, of which those in other
    /// languages are left out. In an interpreted language, the first grader is the main program.
    pub fn build_with(self, path: &Path, graders: &[PathBuf]) -> anyhow::Result<BuiltProgram> {
        let failed = || format!("{} could not be built", path.display());
        let sources = if path.is_dir() { entries(path).with_context(failed)? } else { vec![path.to_owned()] };
        let of = |file: &PathBuf| language::of(file, self.languages);
        let language = sources.iter().find_map(of).with_context(|| {
            format!("{}: expected a source, which is compiled together with a grader", path.display())
        })?;
        let files = tempfile::Builder::new().prefix("judge-program-").tempdir()?;
        let copy = |file: &PathBuf| {
            let content = fs::read(file).with_context(|| format!("{} cannot be read", file.display()))?;
            let target = files.path().join(language.file_name(file, &content));
            ensure!(!target.exists(), "expected files with different names, found two {}", file.display());
            fs::write(&target, content)?;
            Ok(target)
        };
        for source in sources.iter().filter(|source| source.is_file()) {
            copy(source)?;
        }
        let graders = graders.iter().filter(|file| of(file).is_none_or(|other| other.name == language.name));
        let graders = graders.map(copy).collect::<anyhow::Result<Vec<_>>>()?;
        let main = graders.iter().find(|file| of(file).is_some()).with_context(|| {
            format!("{}: expected a grader in {}, the language of the bot", path.display(), language.name)
        })?;
        let built = if language.compile.is_empty() {
            self.build(main)
        } else {
            self.build_from_sources(files.path())
        };
        let mut built = built.with_context(failed)?;
        built.files.push(files);
        Ok(built)
    }

    /// Prepares the program `path`: a source, an executable file, or a folder. A folder has the script `build` or `run`, or
    /// `__main__.py`, or the sources of one program.
    pub fn build(self, path: &Path) -> anyhow::Result<BuiltProgram> {
        if !path.is_dir() {
            let words = [OsString::from(path)];
            let command = self.command(&words)?.unwrap_or(words.into());
            program::check(&command)?;
            return Ok(BuiltProgram { command, files: Vec::new() });
        }
        let built = if path.join("build").is_file() || path.join("run").is_file() {
            self.build_by_scripts(path)
        } else if path.join("__main__.py").is_file() {
            Ok(BuiltProgram { command: vec!["python3".into(), path.into()], files: Vec::new() })
        } else {
            self.build_from_sources(path)
        };
        built.with_context(|| format!("{} could not be built", path.display()))
    }

    /// Runs the script `build`, if there is one, in a copy of the folder. The program is the file `run` in the copy.
    fn build_by_scripts(self, folder: &Path) -> anyhow::Result<BuiltProgram> {
        let files = tempfile::Builder::new().prefix("judge-program-").tempdir()?;
        copy(folder, files.path(), 0)?;
        if folder.join("build").is_file() {
            let in_folder = "cd \"$0\" && exec ./build";
            let build = ["sh".into(), "-c".into(), in_folder.into(), files.path().into()];
            self.options.run(&build, files.path()).context("its script \"build\" failed")?;
        }
        let run = files.path().join("run");
        ensure!(run.is_file(), "expected the file \"run\" after the script \"build\", found none");
        program::find(run.as_os_str()).context("the file \"run\" cannot be started")?;
        // Use the shell, because it also starts scripts that have no first line such as #!/bin/sh.
        let command = vec!["sh".into(), "-c".into(), "exec \"$0\" \"$@\"".into(), run.into()];
        Ok(BuiltProgram { command, files: vec![files] })
    }

    fn build_from_sources(self, folder: &Path) -> anyhow::Result<BuiltProgram> {
        let of = |source: &PathBuf| language::of(source, self.languages).filter(|_| source.is_file());
        let mut sources = entries(folder)?;
        sources.retain(|source| of(source).is_some());
        let Some((first, language)) = sources.first().and_then(|first| Some((first, of(first)?))) else {
            ensure!(
                !folder.join("Cargo.toml").is_file(),
                "expected sources, found the file Cargo.toml: Cargo does not build the programs of packages, and main.rs has \
                 to be in the folder itself"
            );
            bail!("expected a source, or one of the scripts \"build\" and \"run\", found none");
        };
        if let [source] = &sources[..] {
            return self.build(source);
        }
        ensure!(
            sources.iter().all(|source| of(source).is_some_and(|other| other.name == language.name)),
            "expected sources in one language, found {} and another one",
            language.name
        );
        // An interpreter gets only one file, and so does the compiler of Rust, which finds the other files itself. The name
        // of this one file must be "main".
        if language.compile.is_empty() || language.name == RUST {
            let is_main = |stem: &OsStr| stem.eq_ignore_ascii_case("main");
            let mut mains = sources.iter().filter(|path| path.file_stem().is_some_and(is_main));
            return self.build(mains.next().with_context(|| {
                let is_python = language.extensions.iter().any(|end| end == "py");
                let other_name = if is_python { " or \"__main__.py\"" } else { "" };
                let name = &language.name;
                format!("expected one named \"main\"{other_name} among several {name} sources, found none")
            })?);
        }
        let files = tempfile::Builder::new().prefix("judge-program-").tempdir()?;
        let language = self.options.apply_to(language)?;
        self.options.run(&language.compile_command(&sources, files.path()), files.path())?;
        let class = sources.iter().find_map(|path| {
            let content = fs::read(path).ok()?;
            let has_main = String::from_utf8_lossy(&content).contains("void main(");
            language.class_of(path, &content).filter(|_| has_main)
        });
        let command = language.run_command(first, files.path(), &class.unwrap_or_default());
        Ok(BuiltProgram { command, files: vec![files] })
    }
}

/// Returns the paths of the files and folders in a folder, sorted by name, without hidden ones.
pub fn entries(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let listed: io::Result<Vec<DirEntry>> = fs::read_dir(folder).and_then(Iterator::collect);
    let listed = listed.with_context(|| format!("{} cannot be read", folder.display()))?;
    let is_hidden = |entry: &DirEntry| entry.file_name().as_encoded_bytes().starts_with(b".");
    Ok(listed.iter().filter(|entry| !is_hidden(entry)).map(DirEntry::path).sorted().collect())
}

/// Copies the file `from`, or the content of the folder `from` to the folder `to`. `depth` is the depth of `from` below
/// the folder of the first call.
pub fn copy(from: &Path, to: &Path, depth: usize) -> anyhow::Result<()> {
    const MAX_DEPTH: usize = 16;
    if from.is_file() {
        fs::copy(from, to)?;
    } else if from.is_dir() {
        ensure!(depth < MAX_DEPTH, "expected folders at most {MAX_DEPTH} deep, {} is deeper", from.display());
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()), depth + 1)?;
        }
    }
    Ok(())
}
