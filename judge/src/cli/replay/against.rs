//! `judge replay --against`: a recorded game with another bot.

use std::ffi::OsString;
use std::io::Write;

use crate::matches::replay_against::{Comparison, RecordedGame};
use common::escape::printable;
use common::interrupt;
use common::text::counted;

/// Plays the recorded game of this name against a bot. Returns whether its lines are the recorded ones; `None` after Ctrl-C.
pub(super) fn compare(name: &str, game: RecordedGame, bot: &[OsString]) -> anyhow::Result<Option<bool>> {
    let name = printable(name);
    let mut out = anstream::stdout();
    let same = match game.replay_against(bot)? {
        Comparison::Same(lines) => {
            writeln!(out, "SAME {name}: {} of the bot as recorded", counted(lines as u64, "line"))?;
            true
        }
        Comparison::Different(difference) => {
            writeln!(out, "DIFFERENT {name}: {difference}")?;
            false
        }
        Comparison::Interrupted => {
            writeln!(out, "INTERRUPTED {name}")?;
            return Ok(None);
        }
    };
    Ok(Some(same).filter(|_| !interrupt::interrupted()))
}
