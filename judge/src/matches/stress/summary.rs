//! What is printed of a search: a line a game, the sum, and the smallest failure.

use std::io::Write;
use std::time::Duration;

use itertools::Itertools;
use serde::Serialize;

use super::search_state::{ConfigWords, SearchState};
use super::shrink::{CHECKS, Shrunk};
use crate::escape::printable;
use crate::report::Reporter;
use crate::report::console::{Console, counted};
use crate::report::json::{GameLine, Json};

/// What a line of JSON says of a game beside its report.
#[derive(Serialize)]
pub(crate) struct Played<'a> {
    pub(crate) index: u64,
    #[serde(flatten)]
    pub(crate) config: &'a ConfigWords,
}

/// And of the game that a failure was shrunk to.
#[derive(Serialize)]
struct Smallest<'a> {
    minimal: bool,
    from: u64,
    runs: u32,
    flaky: bool,
    #[serde(flatten)]
    config: &'a ConfigWords,
}

/// An object of JSON with more fields in front of its own.
pub(crate) fn extended(fields: &impl Serialize, object: &str) -> anyhow::Result<String> {
    let mut fields = serde_json::to_string(fields)?;
    fields.pop();
    Ok(format!("{fields},{}", object.strip_prefix('{').unwrap_or(object)))
}

/// How a search stands.
pub(crate) fn status(state: &SearchState) -> String {
    let slowest = state.slowest.as_ref().map_or_else(String::new, |(ms, _)| format!("slowest {ms:.1} ms, "));
    format!("{slowest}{} not won", state.failures.len())
}

/// A game that was not won.
pub(crate) fn failure(
    index: u64,
    GameLine { game, opponent, seed, verdict, reason, .. }: &GameLine,
) -> String {
    let reason = printable(reason);
    format!("game {index}: {verdict} {game} against {} (seed {seed}): {reason}", opponent.name())
}

/// A game that was not won, with the command that plays it again.
pub(crate) fn evidence(out: &mut impl Write, index: u64, report: &GameLine) -> anyhow::Result<()> {
    writeln!(out, "{}", failure(index, report))?;
    if let Some(again) = &report.again {
        writeln!(out, "    again: {}", printable(again))?;
    }
    Ok(())
}

/// What a search has come to, after so many games played in that time.
pub(crate) fn summary(
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
        let counts = state.failures.values().map(ToString::to_string).counts();
        let counts = counts.into_iter().sorted().map(|(verdict, count)| format!("{count} {verdict}"));
        writeln!(out, "not won: {}", counts.format(", "))?;
    }
    Ok(())
}

/// What the first failure was shrunk to; one that does not repeat is told as it was.
pub(crate) fn explain(
    out: &mut impl Write,
    first: u64,
    report: &GameLine,
    shrunk: &Shrunk,
) -> anyhow::Result<()> {
    let Shrunk { game, runs, others } = shrunk;
    if *others == 0 {
        writeln!(out, "\nThe smallest that was found, from game {first}, in {runs} games:\n")?;
    } else {
        writeln!(
            out,
            "\nFLAKY: game {first} or what it was shrunk to, played {CHECKS} times again, did not end in {} \
             {others} times:\n",
            report.verdict
        )?;
        evidence(out, first, report)?;
    }
    game.iter().try_for_each(|game| Console::new(&mut *out).game(game))
}

/// What the first failure was shrunk to, as a line of JSON.
pub(crate) fn explain_json(
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
    let fields = Smallest { minimal: true, from: first, runs: shrunk.runs, flaky, config };
    out.write_all(extended(&fields, &String::from_utf8(text)?)?.as_bytes())?;
    Ok(())
}
