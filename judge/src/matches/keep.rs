//! `--keep FILE`: a file of games that a bot did not win, which `judge test` reads.

use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::path::Path;

use anyhow::Context;

use common::escape::printable;
use common::safe_file::lock;
use common::text::shortened;
use referee::review::FinishedGame;

/// Appends a game to `file`, with its verdict and the bot's name as a comment.
///
/// # Errors
///
/// If the file cannot be read or written.
pub(crate) fn keep(file: &Path, game: &FinishedGame) -> anyhow::Result<()> {
    let bot = printable(&shortened(&game.setup.config.bot_name()));
    let line = format!("{}   # {} of {bot}\n", game.setup.game, game.result.verdict);
    append(file, &line).with_context(|| format!("the game cannot be kept in {}", file.display()))
}

/// Appends a line to a file, and ends the file's last line first if it has no line end.
fn append(file: &Path, line: &str) -> anyhow::Result<()> {
    let mut file = OpenOptions::new().create(true).read(true).append(true).open(file)?;
    // The lock keeps two judges from writing at the same time.
    lock(&file)?;
    let mut before = Vec::new();
    file.read_to_end(&mut before)?;
    let is_ended = before.last().is_none_or(|&byte| byte == b'\n');
    let end = if is_ended { "" } else { "\n" };
    file.write_all(format!("{end}{line}").as_bytes())?;
    Ok(())
}
