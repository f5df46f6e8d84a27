//! Explains bots that need too much time, memory or stack.

use std::path::Path;
use std::time::Duration;

use crate::config::NO_STACK_LIMIT;
use crate::conversation::verdict::Ruling;
use crate::referee::game::exchange::ExpectedLine;
use crate::referee::game::game_state::GameState;
use crate::referee::game::setup::GameHeader;
use crate::report::transcript::SetupLine;
use crate::text::counted;
use crate::units::measured;

/// Maximum length of a row on which even a slow search ends in time if it stores the positions that it has seen.
const SMALL_ROW: u64 = 40;

/// Maximum length of a row on which even a search that stores no positions is quick and not deep.
const TINY_ROW: u64 = 8;

/// Minimum CPU time that the start of the program alone cannot explain.
const LONG_CPU_TIME: Duration = Duration::from_millis(500);

/// Minimum length N of a row for which a table of N x N entries is large.
const LARGE_ROW: u64 = 500;

fn stack_size(bytes: u64) -> String {
    if bytes.is_multiple_of(1 << 20) {
        format!("{} MiB", bytes >> 20)
    } else {
        format!("{} KiB", bytes >> 10)
    }
}

pub(crate) fn cpu(ruling: Ruling, state: &GameState) -> Ruling {
    let mut ruling = ruling.why(when_used_up(state, "time")).advice(smaller_game(&state.setup));
    let used = state.used_at_end().cpu.unwrap_or(state.limits().wall);
    if let Some([n, ..]) = state.setup.game.header.row()
        && n <= SMALL_ROW
        && used >= LONG_CPU_TIME
    {
        ruling = ruling.why(format!(
            "a row of {n} is short: perhaps {}",
            if n <= TINY_ROW {
                "a loop or a recursion never ends"
            } else {
                "it tries all games to the end without remembering positions, or a loop never ends"
            }
        ));
    }
    ruling
}

pub(crate) fn memory(ruling: Ruling, state: &GameState) -> Ruling {
    let mut ruling = ruling.why(when_used_up(state, "memory")).advice(smaller_game(&state.setup));
    let row = state.setup.game.header.row().map(|[n, ..]| n);
    if let Some(n) = row.filter(|&n| n <= TINY_ROW) {
        let recursion = match state.setup.config.stack {
            Some(stack) if stack < state.setup.config.limits.memory => "",
            // The stack cannot overflow: the memory is full before the stack reaches its limit.
            Some(_) => "infinite recursion (here the stack may fill the memory: see ulimit -s), ",
            None => "infinite recursion, ",
        };
        ruling = ruling.why(format!(
            "no game on a row of {n} has more than {n} moves: perhaps {recursion}a loop that never stops allocating, \
             or a table that is too large"
        ));
    }
    if let Some(n) = row.filter(|&n| n >= LARGE_ROW) {
        let entries = u128::from(n) * u128::from(n);
        let each = u128::from(state.setup.config.limits.memory) / entries;
        let too_many = counted(u64::try_from(each).unwrap_or(u64::MAX).saturating_add(1), "byte");
        ruling = ruling.why(format!(
            "a table of N x N has {entries} entries here, and N x N x N far more; with {too_many} per entry, \
             N x N exceeds the limit"
        ));
    }
    ruling
}

/// Returns a sentence that says when a resource, with the name `what`, was used up.
fn when_used_up(state: &GameState, what: &str) -> String {
    let turn = state.turn();
    match (turn.expected, state.timing.slowest) {
        (ExpectedLine::Side, _) | (_, None) => {
            format!("all of the {what} was used before the first line, First or Second")
        }
        (_, Some((ply, slowest))) => {
            let answer = if ply == 0 { "its side".to_owned() } else { format!("move {ply}") };
            let slowest =
                format!("the slowest answer before that was {answer}, which took {}", measured(slowest));
            if state.has_won() {
                format!("it had been used up by the end of the game; {slowest}")
            } else {
                format!("it was used up at {turn}; {slowest}")
            }
        }
    }
}

/// Returns the advice to try smaller games, with the command for a row half as long if there is such a row.
fn smaller_game(SetupLine { game, config, .. }: &SetupLine) -> String {
    let row = game.header.row().filter(|[n, l, _]| n / 2 >= *l);
    let smaller = row.and_then(|[n, l, r]| format!("{} {l} {}", n / 2, r.min(n / 2)).parse().ok());
    let command =
        smaller.and_then(|smaller| config.run_command(GameHeader::new(smaller, game.header.side()).text()));
    match command {
        Some(command) => format!("try smaller rows, to find the smallest one that fails: {command}"),
        None => "try smaller games, to find the smallest one that fails".to_owned(),
    }
}

pub(crate) fn segmentation_fault(ruling: Ruling, state: &GameState) -> Ruling {
    let tiny_row = state.setup.game.header.row().map(|[n, ..]| n).filter(|&n| n <= TINY_ROW);
    let stack = state.setup.config.stack.filter(|&stack| stack != NO_STACK_LIMIT);
    let used = state.bot.used.memory.zip(stack).map(|(used, stack)| (used, stack, stack_size(stack)));
    let why = match (used, tiny_row) {
        (Some((used, stack, size)), _) if used < stack => format!(
            "it used less memory than a full stack, {size}, so the cause is not recursion but an index \
             out of bounds, a null pointer, or a local array larger than the stack"
        ),
        // The bot used at most as much memory as two full stacks.
        (Some((used, stack, size)), Some(n)) if used / 2 <= stack => format!(
            "infinite recursion: it used as much memory as a full stack, {size}, though no game on a row of \
             {n} has more than {n} moves"
        ),
        (Some((used, stack, size)), None) if used / 2 <= stack => {
            format!("recursion that is infinite or too deep: it used as much memory as a full stack, {size}")
        }
        _ => "an index out of bounds, or infinite recursion, which overflows the stack".to_owned(),
    };
    ruling.why(why).advice(sanitizer(&state.setup))
}

fn sanitizer(SetupLine { game, config, .. }: &SetupLine) -> String {
    let extension = config.bot.first().and_then(|word| Path::new(word).extension()?.to_str());
    let flags = match extension {
        Some("cpp" | "cc" | "cxx") => "-std=gnu++20 -g -fsanitize=address",
        Some("c") => "-g -fsanitize=address",
        _ => return "find the line with a debugger, or in C and C++ with -g -fsanitize=address".to_owned(),
    };
    let mut config = config.clone();
    config.build.release_flags = Some(flags.to_owned());
    let command = config.run_command(game.header.text());
    command.map_or_else(
        || format!("find the line: compile it with {flags}"),
        |command| format!("find the line: {command}"),
    )
}
