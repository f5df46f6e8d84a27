//! The check before a run whether a bot can play what the run needs: with an assigned seat, and in a session.

use zeroxor::{GameSpec, Side};

use super::entrant::{Entrant, Program};
use crate::matches::session::BotSession;
use referee::config::MatchConfig;
use referee::finished_game::FinishedGame;
use referee::setup::{GameHeader, GameSetup, OpponentKind};

/// Why a bot cannot take part: it plays where it may choose its side, and not where the side is assigned, or not in a
/// session. `None` if it can. A bot that does not play at all takes part, and loses.
///
/// # Errors
///
/// If the bot cannot be started.
pub(crate) fn missing_ability(
    entrant: &Entrant,
    config: &MatchConfig,
    start: &GameSpec,
) -> anyhow::Result<Option<String>> {
    if matches!(entrant.program, Program::Bundled | Program::BuiltIn(_)) {
        return Ok(None);
    }
    let play = |is_session: bool, side: Option<Side>| {
        let mut session = BotSession::new(MatchConfig { session: is_session, ..config.clone() }, 1, ())?;
        let header = GameHeader::new(start.clone(), side);
        session.play(GameSetup::new(header, OpponentKind::Perfect, 1), &mut ())
    };
    for side in [Side::Second, Side::First] {
        let FinishedGame { setup, result, .. } = play(false, Some(side))?;
        if result.side != Some(side) {
            let plays_without = play(false, None)?.result.side.is_some();
            return Ok(plays_without.then(|| {
                format!(
                    "the bot {} does not know assigned seats, which bots need that play each other: after \"{}\" it \
                     should print \"{side}\" ({}: {}); see \"seat\" in judge protocol",
                    entrant.name, setup.game.header, result.verdict, result.reason
                )
            }));
        }
    }
    if !config.session {
        return Ok(None);
    }
    let FinishedGame { result, .. } = play(true, Some(Side::First))?;
    Ok((result.side != Some(Side::First)).then(|| {
        format!(
            "the bot {} does not know sessions: before the first header it should read the line \"games T\", and then T \
             headers one after the other ({}: {}); leave out --session, or see \"games\" in judge protocol",
            entrant.name, result.verdict, result.reason
        )
    }))
}
