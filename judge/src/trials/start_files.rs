//! Files with one game on each line.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use runner::sources::folder::entries;
use zeroxor::wire::protocol::MAX_LINE;

use crate::referee::game::start_line::StartLine;
use crate::text::{open_input, without_byte_order_mark};

const MAX_GAMES: usize = 1_000_000;

/// Reads the games of files, of directories and of stdin (`-`). In a directory and its subdirectories, reads the files
/// whose names end in `.in` or `.txt` and do not begin with a dot, in the order of their names.
pub(crate) fn read_all(paths: &[OsString]) -> anyhow::Result<Vec<StartLine>> {
    let mut starts = Vec::new();
    for path in paths {
        let path = Path::new(path);
        let files = files_of(path)?;
        ensure!(!files.is_empty(), "{} has no file whose name ends in .in or .txt", path.display());
        for file in files {
            let is_stdin = file == Path::new("-");
            let name = if is_stdin { "stdin".to_owned() } else { format!("the file {}", file.display()) };
            let opened = open_input(&file).with_context(|| format!("{name} cannot be opened"))?;
            read(BufReader::new(opened), &mut starts).context(name)?;
        }
    }
    ensure!(
        !starts.is_empty(),
        "expected at least one line with a game, such as \"6 1 2 --opponent random\", got none"
    );
    Ok(starts)
}

pub(crate) fn has_game_extension(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "in" || extension == "txt")
}

/// Returns the file itself, or the files of games in a directory and its subdirectories. Links to directories are not
/// followed.
fn files_of(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for path in entries(path)? {
        if path.is_dir() && !path.is_symlink() {
            files.extend(files_of(&path)?);
        } else if has_game_extension(&path) {
            files.push(path);
        }
    }
    Ok(files)
}

fn read(mut input: impl BufRead, starts: &mut Vec<StartLine>) -> anyhow::Result<()> {
    for number in 1_u64.. {
        let mut line = Vec::new();
        let length =
            (&mut input).take(MAX_LINE as u64 + 1).read_until(b'\n', &mut line).context("cannot be read")?;
        if length == 0 {
            break;
        }
        ensure!(length <= MAX_LINE, "line {number}: expected at most {MAX_LINE} bytes, got more");
        let line = if number == 1 { without_byte_order_mark(&line) } else { &line };
        let text = String::from_utf8_lossy(line.trim_ascii());
        starts.extend(StartLine::parse(&text).with_context(|| format!("line {number}"))?);
        ensure!(
            starts.len() <= MAX_GAMES,
            "line {number}: expected at most {MAX_GAMES} games in all, got more"
        );
    }
    Ok(())
}
