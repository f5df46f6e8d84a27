//! The program of a bot's command: its path, and whether it can be started. If not, the error says what to type.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use itertools::Itertools;
use rustix::fs::{Access, AtFlags, CWD, accessat};
use rustix::io::Errno;

use crate::escape::quoted;

/// Checks that a bot's command names a program that can be started. The error says why not, and what to type instead.
pub fn check(bot: &[OsString]) -> anyhow::Result<()> {
    let program = bot.first().context("expected the bot's command")?;
    ensure_startable(bot, program)
        .with_context(|| format!("the bot {} could not be started", program.display()))
}

fn ensure_startable(bot: &[OsString], program: &OsStr) -> anyhow::Result<()> {
    if let Some(extension) = unknown_source(Path::new(program)) {
        bail!(
            "no language for .{extension} is known: name its compiler in judge.toml, as in [languages.{extension}], \
             extensions = [\"{extension}\"], compile = \"COMPILER {{flags}} -o {{program}} {{source}}\", run = \
             \"{{program}}\""
        );
    }
    let path = find(program).map_err(|error| {
        let is_missing = error.kind() == io::ErrorKind::NotFound;
        let advice = if is_missing { advice_if_missing(program) } else { advice_if_forbidden(program) };
        advice.map_or_else(|| anyhow!("{error}"), |advice| anyhow!("{error}: {advice}"))
    })?;
    let Some(start) = text_start(&path) else { return Ok(()) };
    let line = start.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let why = match line.strip_prefix(b"#!") {
        None => "it is a text file without a first line such as #!/usr/bin/env python3: ".to_owned(),
        Some(_) if line.ends_with(b"\r") => {
            let cr = "its first line ends with CR, which becomes part of the interpreter's name";
            format!("{cr}: end its lines with LF, or ")
        }
        Some(rest) => {
            let mut words = rest.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
            let interpreter = Path::new(OsStr::from_bytes(words.next().unwrap_or_default()));
            if interpreter.exists() {
                return Ok(());
            }
            format!("its first line names {}, which does not exist: ", interpreter.display())
        }
    };
    bail!("{why}type \"-- INTERPRETER {}\"", bot.iter().map(|word| quoted(word)).join(" "))
}

/// Returns the extension of a source that only a compiler understands: a text file that is not executable and names no
/// interpreter. A source whose language is known never gets here.
fn unknown_source(program: &Path) -> Option<&str> {
    let extension = program.extension()?.to_str().filter(|extension| !extension.is_empty())?;
    let is_word = extension.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_source = is_word
        && program.is_file()
        && accessat(CWD, program, Access::EXEC_OK, AtFlags::EACCESS).is_err()
        && text_start(program).is_some_and(|start| !start.starts_with(b"#!"));
    is_source.then_some(extension)
}

/// Finds a program in the same way as `posix_spawnp(3)`.
/// If none can be executed, the error is that of the last folder, or "permission denied" if a folder has the file.
pub fn find(program: &OsStr) -> io::Result<PathBuf> {
    let candidates: Vec<PathBuf> = if program.is_empty() || program.as_bytes().contains(&b'/') {
        vec![program.into()]
    } else {
        let path = std::env::var_os("PATH").unwrap_or_else(|| "/bin:/usr/bin".into());
        std::env::split_paths(&path).map(|folder| folder.join(program)).collect()
    };
    let mut refusal = Errno::NOENT;
    for path in candidates {
        // With EACCESS the capabilities of every user count. Plain access(2) ignores them, except for root.
        match accessat(CWD, &path, Access::EXEC_OK, AtFlags::EACCESS) {
            Ok(()) if path.is_file() => return Ok(path),
            Ok(()) => refusal = Errno::ACCESS,
            Err(error) if refusal != Errno::ACCESS => refusal = error,
            Err(_) => {}
        }
    }
    Err(refusal.into())
}

/// Returns the first bytes of a text file. Of another file the system knows the format, or refuses it with a reason.
fn text_start(program: &Path) -> Option<Vec<u8>> {
    const LENGTH: u64 = 256;
    let mut start = Vec::new();
    File::open(program).ok()?.take(LENGTH).read_to_end(&mut start).ok()?;
    (!start.contains(&0)).then_some(start)
}

/// Returns the path of a file for a shell, which looks for a name without a slash elsewhere.
pub(crate) fn as_path(file: &Path) -> PathBuf {
    if file.components().count() > 1 { file.to_owned() } else { Path::new(".").join(file) }
}

fn advice_if_missing(program: &OsStr) -> Option<String> {
    if Path::new(program).is_file() {
        return Some(format!("type \"-- ./{}\" for the file in this directory", program.display()));
    }
    let words: Vec<&str> = program.to_str()?.split_ascii_whitespace().collect();
    let is_command = words.len() > 1 && find(words[0].as_ref()).is_ok();
    is_command.then(|| format!("its command is quoted as one word; type \"-- {}\"", words.join(" ")))
}

fn advice_if_forbidden(program: &OsStr) -> Option<String> {
    let path = as_path(Path::new(program));
    if !fs::metadata(&path).ok()?.is_file() {
        return Some("it is not a file".to_owned());
    }
    Some(format!("make it executable with \"chmod +x {}\"", quoted(path.as_os_str())))
}
