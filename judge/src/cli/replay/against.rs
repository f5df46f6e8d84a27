//! `judge replay --against`: a recorded game with another bot.

use std::ffi::OsString;
use std::io::Write;

use crate::escape::printable;
use crate::matches::replay_against::{Comparison, RecordedGame};
use crate::process::interrupt;

/// Plays a recorded game against a bot. Returns whether its lines are the recorded ones; `None` after Ctrl-C.
pub(super) fn compare(game: RecordedGame, bot: &[OsString]) -> anyhow::Result<Option<bool>> {
    let header = printable(game.header().text());
    let mut out = anstream::stdout();
    let same = match game.replay_against(bot)? {
        Comparison::Same(lines) => {
            writeln!(out, "SAME {header}: {lines} lines of the bot as recorded")?;
            true
        }
        Comparison::Different(difference) => {
            writeln!(out, "DIFFERENT {header}: {difference}")?;
            false
        }
        Comparison::Interrupted => {
            writeln!(out, "INTERRUPTED {header}")?;
            return Ok(None);
        }
    };
    Ok(Some(same).filter(|_| !interrupt::interrupted()))
}
