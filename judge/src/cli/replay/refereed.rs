//! A recorded game refereed again.

use std::io::BufRead;
use std::time::Duration;

use anyhow::ensure;
use zeroxor::Position;
use zeroxor::wire::protocol;

use crate::report::replay_page::ReplayRecorder;
use common::program::print_error;
use common::text::counted;
use referee::finished_game::FinishedGame;
use referee::game_state::GameState;
use referee::result::GameResult;
use referee::setup::GameHeader;
use referee::spectator::{Mover, Spectator};
use referee::transcript::read::TranscriptReader;
use referee::transcript::{ResultLine, SetupLine, VERSION};
use runner::event::Event;
use runner::limits::EARLY_LIMIT;
use runner::listener::bare;

/// More early lines than any judge reads: [`EARLY_LIMIT`], and all that a full pipe can have.
const MAX_EARLY: usize = EARLY_LIMIT + (2 << 20);

/// A game that was refereed again.
pub(super) struct Refereed {
    pub(super) start: Position,
    pub(super) game: FinishedGame,
    /// Whether the result is the recorded one.
    pub(super) is_same: bool,
}

/// Referees the game of this number again from its events, passes its moves to the spectator and its events to the
/// recorder, and says what is not as recorded.
pub(super) fn referee(
    number: u64,
    setup: SetupLine,
    games: &mut TranscriptReader<impl BufRead>,
    spectator: &mut dyn Spectator,
    mut recorder: Option<&mut ReplayRecorder>,
) -> anyhow::Result<Refereed> {
    let mut state = GameState::new(&setup.game.header, setup.config.limits, setup.config.profile)?;
    let start = state.position().clone();
    spectator.start(&start)?;
    let (mut last, mut sent_header) = (Duration::ZERO, None);
    let recorded = games.events(|event| {
        let plies = state.moves().len();
        state.apply(event);
        show_moves(&state, plies, spectator)?;
        if let Some(recorder) = &mut recorder {
            recorder.add(event);
        }
        last = last.max(event.at);
        if sent_header.is_none() {
            sent_header = sent_header_of(&event.event);
        }
        ensure!(
            state.early_lines() <= MAX_EARLY,
            "expected at most {MAX_EARLY} lines that were received early, got more"
        );
        Ok(())
    })?;
    // The events give only a lower bound for the time at which the process had ended.
    let result = GameResult::new(&state, &setup.game, &setup.config, recorded.wall.max(last));
    let sent_header = sent_header.unwrap_or_else(|| "no header".to_owned());
    // The words of a reason are those of the judge that wrote it.
    let mut computed = ResultLine::from(&result);
    if setup.transcript < VERSION {
        computed.reason.clone_from(&recorded.reason);
    }
    let computed = facts(&sent_header, &computed);
    let header = &setup.game.header;
    let name = name(number, header, games)?;
    let mut is_same = true;
    for (recorded, computed) in facts(header.text(), &recorded).iter().zip(&computed) {
        if recorded != computed {
            is_same = false;
            print_error(format_args!(
                "{name}: the recorded result is {recorded}, but the recorded events give {computed}"
            ));
        }
    }
    Ok(Refereed { game: FinishedGame::new(setup, start.clone(), result), start, is_same })
}

/// The game with this number, whose events have been read: its header, and the number where there are more games.
pub(super) fn name(
    number: u64,
    header: &GameHeader,
    games: &mut TranscriptReader<impl BufRead>,
) -> anyhow::Result<String> {
    let is_only = number == 1 && games.is_at_end()?;
    Ok(if is_only { header.text().to_owned() } else { format!("game {number}, {}", header.text()) })
}

/// Shows the moves after the first `plies`.
fn show_moves(state: &GameState, plies: usize, spectator: &mut dyn Spectator) -> anyhow::Result<()> {
    for (ply, &mv) in (plies as u64 + 1..).zip(&state.moves()[plies..]) {
        spectator.moved(ply, Mover::of(ply, state.side()), mv)?;
    }
    Ok(())
}

/// The header of the game, if this event is the judge sending it.
fn sent_header_of(event: &Event) -> Option<String> {
    let Event::Sent(line) = event else { return None };
    let line = bare(&line.0);
    let announces_games = matches!(protocol::parse_opening(line), Ok(protocol::Opening::Games(_)));
    (!announces_games).then(|| String::from_utf8_lossy(line).into_owned())
}

/// All that is recorded of a game, as texts.
fn facts(header: &str, result: &ResultLine) -> [String; 9] {
    let ResultLine { verdict, reason, side, moves, wall, waited, used } = result;
    let or_unknown = |number: Option<u128>, unit: &str| {
        number.map_or_else(|| format!("no {unit}"), |number| format!("{number} {unit}"))
    };
    [
        header.to_owned(),
        format!("{verdict} ({reason})"),
        side.as_ref().map_or("no side".to_owned(), |side| format!("the side {side}")),
        counted(*moves as u64, "move"),
        format!("{} ns in all", wall.as_nanos()),
        format!("{} ns waited", waited.as_nanos()),
        or_unknown(used.cpu.map(|cpu| cpu.as_nanos()), "ns of CPU"),
        or_unknown(used.memory.map(u128::from), "bytes of memory"),
        or_unknown(used.processes.map(u128::from), "processes and threads"),
    ]
}
