//! The check whether a bot plays with an assigned seat, before a run in which every seat is assigned.

use zeroxor::{GameSpec, Side};

use super::entrant::{Entrant, Program};
use crate::matches::session::BotSession;
use crate::referee::config::MatchConfig;
use crate::referee::finished_game::FinishedGame;
use crate::referee::setup::{GameHeader, GameSetup, OpponentKind};

/// Why a bot cannot take part: it plays where it may choose its side, and not where the side is assigned. `None` if it
/// can. A bot that does not play at all takes part, and loses.
///
/// # Errors
///
/// If the bot cannot be started.
pub(crate) fn missing_seat(
    entrant: &Entrant,
    config: &MatchConfig,
    start: &GameSpec,
) -> anyhow::Result<Option<String>> {
    if matches!(entrant.program, Program::Bundled | Program::BuiltIn(_)) {
        return Ok(None);
    }
    let mut session = BotSession::new(MatchConfig { session: false, ..config.clone() }, 1, ())?;
    let mut play = |side: Option<Side>| {
        let header = GameHeader::new(start.clone(), side);
        session.play(GameSetup::new(header, OpponentKind::Perfect, 1), &mut ())
    };
    for side in [Side::Second, Side::First] {
        let FinishedGame { setup, result, .. } = play(Some(side))?;
        if result.side != Some(side) {
            let plays_without = play(None)?.result.side.is_some();
            return Ok(plays_without.then(|| {
                format!(
                    "the bot {} does not know assigned seats, which bots need that play each other: after \"{}\" it \
                     should print \"{side}\" ({}: {}); see \"seat\" in judge protocol",
                    entrant.name, setup.game.header, result.verdict, result.reason
                )
            }));
        }
    }
    Ok(None)
}
