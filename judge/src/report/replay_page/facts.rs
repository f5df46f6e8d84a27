//! What a game took, in words.

use itertools::Itertools;

use common::escape::printable;
use common::text::counted;
use common::units::{limit, measured};
use referee::result::GameResult;
use referee::transcript::SetupLine;

/// How the game went, what it took and the limits: names, and what belongs to each.
pub(super) fn facts(setup: &SetupLine, result: &GameResult) -> Vec<(&'static str, String)> {
    let bot = setup.config.bot_words();
    let bot = if bot.is_empty() { "the bundled bot".to_owned() } else { bot.iter().join(" ") };
    let limits = &setup.config.limits;
    let mut facts = vec![
        ("bot", printable(&bot)),
        ("opponent", format!("{}, seed {}", setup.game.opponent.name(), setup.game.seed)),
        ("moves", counted(result.moves.len() as u64, "move")),
        (
            "time",
            format!(
                "{}; {} of it waiting for the bot",
                measured(result.wall),
                measured(result.timing.waited)
            ),
        ),
    ];
    if let Some((ply, wait)) = result.timing.slowest {
        let what = if ply == 0 { "the side".to_owned() } else { format!("move {ply}") };
        facts.push(("slowest answer", format!("{what}, {}", measured(wait))));
    }
    facts.extend(
        result.used.cpu.map(|cpu| ("CPU time", format!("{} of {}", measured(cpu), limit(limits.cpu)))),
    );
    facts.extend(result.used.memory.map(|memory| {
        (
            "memory",
            format!(
                "{}.{} MiB of {} MiB",
                memory >> 20,
                (memory >> 10) % 1024 * 10 / 1024,
                limits.memory >> 20
            ),
        )
    }));
    facts.extend(
        result
            .used
            .processes
            .map(|count| ("processes and threads", format!("{count} of {}", limits.processes))),
    );
    facts.extend(setup.held_by.map(|by| ("limits by", by.to_string())));
    facts.push(("judge", printable(&setup.judge)));
    facts
}
