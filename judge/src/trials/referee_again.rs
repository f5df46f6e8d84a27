//! A recorded game refereed again from its events: the result must be the recorded one.

use std::io::BufRead;
use std::time::Duration;

use anyhow::ensure;
use runner::event::Event;
use runner::limits::EARLY_LIMIT;
use runner::message::print_error;
use zeroxor::wire::protocol::{self, Opening};

use crate::referee::game::bot::trim_line_end;
use crate::referee::game::exchange::Mover;
use crate::referee::game::game_state::GameState;
use crate::referee::game::review::FinishedGame;
use crate::referee::game::setup::GameHeader;
use crate::report::page::PageRows;
use crate::report::run::{GameReview, RunReport};
use crate::report::transcript::read::TranscriptReader;
use crate::report::transcript::{GameLog, LogEntry, Part, SetupLine};
use crate::text::counted;

/// Maximum number of lines of a recorded game that were received before they were expected. A judge reads at most
/// [`EARLY_LIMIT`] such lines, and then the content of a full pipe.
const MAX_EARLY: usize = EARLY_LIMIT + (2 << 20);

/// Referees game `number` again from its events. Passes the moves to the log and the events to `rows`, and prints what
/// differs from the recorded result. Returns the game and whether its result is the recorded one.
pub(crate) fn referee(
    number: u64,
    setup: SetupLine,
    games: &mut TranscriptReader<impl BufRead>,
    log: &mut dyn GameLog,
    mut rows: Option<&mut PageRows>,
) -> anyhow::Result<(FinishedGame, bool)> {
    let mut state = GameState::new(setup)?;
    log.log(LogEntry::Setup(&state.setup))?;
    let (mut last, mut sent_header) = (Duration::ZERO, None);
    let recorded = games.events(|event| {
        let plies = state.exchange.moves.len();
        state.apply(event);
        for (ply, &mv) in (plies as u64 + 1..).zip(&state.exchange.moves[plies..]) {
            log.log(LogEntry::Moved(ply, Mover::of(ply, state.exchange.side), mv))?;
        }
        if let Some(rows) = &mut rows {
            rows.add(Part::Step(event));
        }
        last = last.max(event.at);
        if let Event::Sent(line) = &event.event
            && sent_header.is_none()
            && !matches!(protocol::parse_opening(trim_line_end(&line.0)), Ok(Opening::Games(_)))
        {
            sent_header = Some(String::from_utf8_lossy(trim_line_end(&line.0)).into_owned());
        }
        ensure!(
            state.early_lines.len() <= MAX_EARLY,
            "expected at most {MAX_EARLY} lines that were received early, got more"
        );
        Ok(())
    })?;
    // The events give only a lower bound for the end of the process, so the recorded wall time counts too.
    let game = FinishedGame::new(state, recorded.wall().max(last))?;
    let sent_header = sent_header.unwrap_or_else(|| "no header".to_owned());
    let computed = facts(&sent_header, &RunReport::from(&game));
    let header = &game.setup.game.header;
    let name = game_name(number, header, games)?;
    let mut is_same = true;
    for (recorded, computed) in facts(header.text(), &recorded).iter().zip(&computed) {
        if recorded != computed {
            is_same = false;
            print_error(format_args!(
                "{name}: the recorded result is {recorded}, but the recorded events give {computed}"
            ));
        }
    }
    Ok((game, is_same))
}

/// Returns the name of game `number`: its header, with the number unless it is the only game. The events of the game
/// must have been read, so that `games` knows whether another game follows.
pub(crate) fn game_name(
    number: u64,
    header: &GameHeader,
    games: &mut TranscriptReader<impl BufRead>,
) -> anyhow::Result<String> {
    let is_only = number == 1 && games.is_at_end()?;
    Ok(if is_only { header.text().to_owned() } else { format!("game {number}, {}", header.text()) })
}

/// Returns the facts of a game as texts, for a comparison with the recorded facts.
fn facts(header: &str, run: &RunReport) -> Vec<String> {
    let mut facts = vec![
        header.to_owned(),
        format!("{}, {} ({})", run.ruling.verdict, run.ruling.class, run.ruling.reason),
    ];
    if let Some(GameReview { side, moves, waited_ms, .. }) = &run.review {
        facts.push(side.as_ref().map_or("no side".to_owned(), |side| format!("the side {side}")));
        facts.push(counted(*moves as u64, "move"));
        facts.push(format!("{waited_ms} ms waited"));
    }
    for bot in run.passes.iter().flat_map(|pass| &pass.seats) {
        let or_unknown = |number: Option<u64>, unit: &str| {
            number.map_or_else(|| format!("no {unit}"), |number| format!("{number} {unit}"))
        };
        facts.push(format!("{} ms in all", bot.wall_ms));
        facts.push(bot.cpu_ms.map_or("no CPU time".to_owned(), |cpu| format!("{cpu} ms of CPU time")));
        facts.push(or_unknown(bot.memory_kib, "KiB of memory"));
        facts.push(or_unknown(bot.processes, "processes and threads"));
    }
    facts
}
