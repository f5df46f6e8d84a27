//! The output of a search: a line for each game, a summary, and the smallest game that was not won.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

use serde::Serialize;

use super::search_state::{ConfigWords, SearchState};
use super::shrink::{REPEATS, Shrunk};
use crate::escape::printable;
use crate::referee::verdict::Verdict;
use crate::report::Reporter;
use crate::report::console::{Console, counted};
use crate::report::json::{GameLine, Json};
use crate::report::verdict_counts::VerdictCounts;

/// The fields that a line of JSON has in front of the report of a game.
#[derive(Serialize)]
pub(crate) struct PlayedFields<'a> {
    pub(crate) index: u64,
    #[serde(flatten)]
    pub(crate) config: &'a ConfigWords,
}

/// The fields that a line of JSON has in front of the report of the smallest game.
#[derive(Serialize)]
struct SmallestFields<'a> {
    minimal: bool,
    from: u64,
    runs: u32,
    flaky: bool,
    #[serde(flatten)]
    config: &'a ConfigWords,
}

/// Puts more fields in front of those of a JSON object.
pub(crate) fn with_fields(fields: &impl Serialize, object: &str) -> anyhow::Result<String> {
    let mut fields = serde_json::to_string(fields)?;
    fields.pop();
    Ok(format!("{fields},{}", object.strip_prefix('{').unwrap_or(object)))
}

/// The status of a search, for the progress bar.
pub(crate) fn status(state: &SearchState) -> String {
    let slowest = state.slowest.as_ref().map_or_else(String::new, |(ms, _)| format!("slowest {ms:.1} ms, "));
    format!("{slowest}{} not won", state.failures.len())
}

/// A line about a game that was not won.
pub(crate) fn failure(
    index: u64,
    GameLine { game, opponent, seed, verdict, reason, .. }: &GameLine,
) -> String {
    let reason = printable(reason);
    format!("game {index}: {verdict} {game} against {} (seed {seed}): {reason}", opponent.name())
}

/// Writes a game that was not won, with the command that plays it again.
pub(crate) fn write_failure(out: &mut impl Write, index: u64, report: &GameLine) -> anyhow::Result<()> {
    writeln!(out, "{}", failure(index, report))?;
    if let Some(again) = &report.again {
        writeln!(out, "    again: {}", printable(again))?;
    }
    Ok(())
}

/// Writes the summary of a search that has played this number of games in this time.
pub(crate) fn write_summary(
    out: &mut impl Write,
    state: &SearchState,
    played: u32,
    took: Duration,
) -> anyhow::Result<()> {
    let seconds = took.as_secs_f64();
    let rate = f64::from(played) / seconds.max(1e-3);
    let known = state.played.len();
    let won = known - state.failures.len();
    let known = counted(known as u64, "game");
    write!(out, "{won} of {known} won; {played} played in {seconds:.1} s, {rate:.0} a second")?;
    if let Some((ms, game)) = &state.slowest {
        write!(out, "; the slowest answer took {ms:.1} ms, in {game}")?;
    }
    writeln!(out)?;
    if !state.failures.is_empty() {
        writeln!(out, "not won: {}", counts(&state.failures))?;
    }
    if !state.excused.is_empty() {
        writeln!(out, "excused by --profile contest: {}", counts(&state.excused))?;
    }
    Ok(())
}

fn counts(games: &BTreeMap<u64, Verdict>) -> VerdictCounts {
    games.values().copied().collect()
}

/// Writes what the first failure was shrunk to. A failure that did not happen each time is written as it was.
pub(crate) fn write_shrunk(
    out: &mut impl Write,
    first: u64,
    report: &GameLine,
    shrunk: &Shrunk,
) -> anyhow::Result<()> {
    let Shrunk { game, runs, others } = shrunk;
    if *others == 0 {
        writeln!(out, "\nThe smallest game that was not won, from game {first}, found in {runs} games:\n")?;
    } else {
        writeln!(
            out,
            "\nFLAKY: game {first}, or the game it was shrunk to, was played again {REPEATS} times, and {others} times did \
             not end with {}:\n",
            report.verdict
        )?;
        write_failure(out, first, report)?;
    }
    game.iter().try_for_each(|game| Console::new(&mut *out).game(game))
}

/// Writes what the first failure was shrunk to, as a line of JSON.
pub(crate) fn write_shrunk_json(
    out: &mut impl Write,
    first: u64,
    report: &GameLine,
    shrunk: &Shrunk,
    config: &ConfigWords,
) -> anyhow::Result<()> {
    let mut text = Vec::new();
    match &shrunk.game {
        Some(game) => Json::new(&mut text).game(game)?,
        None => writeln!(text, "{}", serde_json::to_string(report)?)?,
    }
    let flaky = shrunk.others > 0;
    let fields = SmallestFields { minimal: true, from: first, runs: shrunk.runs, flaky, config };
    out.write_all(with_fields(&fields, &String::from_utf8(text)?)?.as_bytes())?;
    Ok(())
}
