//! The output of a search: a line for each game, a summary, and the smallest game that was not won.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

use runner::config::MatchConfig;
use runner::escape::printable;
use serde::Serialize;

use crate::conversation::verdict::Verdict;
use crate::report::Reporter;
use crate::report::console::Console;
use crate::report::run::RunReport;
use crate::report::verdict_counts::VerdictCounts;
use crate::search::games::plan::Plan;
use crate::search::games::search_state::SearchState;
use crate::search::games::shrink::{MAX_RUNS, MAX_TIME, Shrunk};
use crate::search::games::size::SizeGroup;
use crate::text::{counted, shortened};

/// The bot's command and the options that differ from the default, in each line of JSON.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ConfigWords {
    options: Vec<String>,
    bot: Vec<String>,
}

impl From<&MatchConfig> for ConfigWords {
    fn from(config: &MatchConfig) -> Self {
        Self { options: config.options(), bot: config.bot_words() }
    }
}

/// The fields that a line of JSON has before the report of a game.
#[derive(Serialize)]
pub(crate) struct PlayedFields<'a> {
    pub(crate) index: u64,
    #[serde(flatten)]
    pub(crate) config: &'a ConfigWords,
}

/// The fields that a line of JSON has before the report of the smallest game.
#[derive(Serialize)]
struct SmallestFields<'a> {
    minimal: bool,
    from: u64,
    runs: u32,
    /// Whether all candidates were tried within the limits on games and time.
    complete: bool,
    #[serde(flatten)]
    config: &'a ConfigWords,
}

/// Inserts fields before the fields of a JSON object.
pub(crate) fn with_fields(fields: &impl Serialize, object: &str) -> anyhow::Result<String> {
    let mut fields = serde_json::to_string(fields)?;
    fields.pop();
    Ok(format!("{fields},{}", object.strip_prefix('{').unwrap_or(object)))
}

/// Returns the status of a search for the progress bar.
pub(crate) fn status(state: &SearchState) -> String {
    let slowest = state.slowest_ms.map_or_else(String::new, |ms| format!("slowest {ms:.1} ms, "));
    format!("sizes up to {}, {slowest}{} not won", state.largest, state.failures.len())
}

/// Returns a line about a game that was not won.
pub(crate) fn failure_line(index: u64, report: &RunReport) -> String {
    format!("game {index}: {} {}: {}", report.verdict, report.subject, printable(&report.reason))
}

/// Returns a line about a game that was not won, followed by the lines of the bot's stderr.
pub(crate) fn failure_with_stderr(index: u64, report: &RunReport) -> String {
    let stderr = report.stderr().iter().map(|line| format!("\n    stderr: {line}"));
    stderr.fold(failure_line(index, report), |text, line| text + &line)
}

/// Writes a game that was not won, with the command that plays it again.
pub(crate) fn write_failure(out: &mut impl Write, index: u64, report: &RunReport) -> anyhow::Result<()> {
    writeln!(out, "{}", failure_line(index, report))?;
    if let Some(again) = &report.command {
        writeln!(out, "    again: {}", printable(again))?;
    }
    Ok(())
}

/// Writes the summary of a search.
pub(crate) fn write_summary(
    out: &mut impl Write,
    state: &SearchState,
    plan: &Plan,
    bot: &str,
    played: u32,
    took: Duration,
) -> anyhow::Result<()> {
    let seconds = took.as_secs_f64();
    let rate = f64::from(played) / seconds.max(1e-3);
    let known = state.played.len();
    let won = known - state.failures.len();
    let known = counted(known as u64, "game");
    let bot = printable(&shortened(bot));
    writeln!(out, "{bot}: {won} of {known} won; {played} played in {seconds:.1} s, {rate:.0} a second")?;
    if !state.failures.is_empty() {
        writeln!(out, "not won: {}", counts(&state.failures))?;
    }
    if !state.excused.is_empty() {
        writeln!(out, "excused by --profile contest: {}", counts(&state.excused))?;
    }
    write_sizes(out, state, plan)
}

/// Writes the largest start that was played, and the slowest answer for each group of sizes.
fn write_sizes(out: &mut impl Write, state: &SearchState, plan: &Plan) -> anyhow::Result<()> {
    let games = || state.played.iter().map(|(&index, &game)| (index, game));
    // Among several largest starts, take the first.
    let largest = games().max_by_key(|&(index, game)| (game.size, Reverse(index)));
    let Some((largest, _)) = largest else { return Ok(()) };
    writeln!(out, "largest start: {}", plan.game(largest).header)?;
    for SizeGroup { from, to, games, slowest } in SizeGroup::all(games()) {
        let sizes = if from == to { format!("size {from}") } else { format!("sizes {from} to {to}") };
        write!(out, "  {sizes}: {}", counted(games as u64, "game"))?;
        if let Some((ms, index)) = slowest {
            let game = plan.game(index);
            let (header, opponent, seed) = (game.header, game.opponent.name(), game.seed);
            write!(out, ", slowest answer {ms:.1} ms in {header} against {opponent} (seed {seed})")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn counts(games: &BTreeMap<u64, Verdict>) -> VerdictCounts {
    games.values().copied().collect()
}

/// Writes the result of shrinking the first failure. A failure that did not happen each time is written unchanged.
pub(crate) fn write_shrunk(
    out: &mut impl Write,
    first: u64,
    report: &RunReport,
    shrunk: &Shrunk,
) -> anyhow::Result<()> {
    let &Shrunk { ref game, runs, repeats, different, is_complete } = shrunk;
    let played = counted(runs.into(), "game");
    if different > 0 {
        writeln!(
            out,
            "\nFLAKY: game {first}, or the game that it was shrunk to, was repeated {}; {} it did not end \
             with {}:\n",
            counted(repeats.into(), "time"),
            counted(different.into(), "time"),
            report.verdict
        )?;
    } else if is_complete {
        writeln!(out, "\nThe smallest game that was not won, from game {first}, found in {played}:\n")?;
    } else if game.is_some() {
        writeln!(
            out,
            "\nThe smallest game found so far that was not won, from game {first}, in {played}. The search for a smaller \
             one stopped at its limit: --time, {} s or {MAX_RUNS} games.\n",
            MAX_TIME.as_secs()
        )?;
    } else {
        writeln!(
            out,
            "\nThere was no time left to repeat the game that was not won. Allow more time with --time:\n"
        )?;
    }
    if game.is_none() || different > 0 {
        write_failure(out, first, report)?;
    }
    game.iter().try_for_each(|game| Console::new(&mut *out).game(game))
}

/// Writes the result of shrinking the first failure as a line of JSON.
pub(crate) fn write_shrunk_json(
    out: &mut impl Write,
    first: u64,
    report: &RunReport,
    shrunk: &Shrunk,
    config: &ConfigWords,
) -> anyhow::Result<()> {
    let mut run = match &shrunk.game {
        Some(game) => RunReport { bot: None, ..RunReport::from(game) }.without_stderr(),
        None => report.clone(),
    };
    run.flaky = shrunk.different > 0;
    let &Shrunk { runs, is_complete, .. } = shrunk;
    let fields = SmallestFields { minimal: true, from: first, runs, complete: is_complete, config };
    writeln!(out, "{}", with_fields(&fields, &serde_json::to_string(&run)?)?)?;
    Ok(())
}

/// Maximum number of games of a kind that are shown.
const MAX_SHOWN: u64 = 3;

/// Number of kinds after which all new reasons of a verdict share one kind. Without a maximum, each game could have its
/// own kind, because a reason may contain the bot's output.
const MAX_KINDS: usize = 20;

/// Counters of games that were not won, by kind: the verdict and the reason without numbers and quoted text.
#[derive(Default)]
pub(crate) struct FailureLines {
    kinds: BTreeMap<(Verdict, String), FailureKind>,
}

/// The failures of one kind.
struct FailureKind {
    games: u64,
    first: u64,
    reason: String,
}

impl FailureLines {
    /// Adds a game that was not won. Returns the line to show; `None` if `MAX_SHOWN` games of its kind have been shown.
    pub(crate) fn add(&mut self, index: u64, report: &RunReport) -> Option<String> {
        let mut key = (report.verdict, pattern(&report.reason));
        if self.kinds.len() >= MAX_KINDS && !self.kinds.contains_key(&key) {
            key.1 = String::new();
        }
        let kind = self.kinds.entry(key).or_insert_with(|| FailureKind {
            games: 0,
            first: index,
            reason: report.reason.clone(),
        });
        kind.games += 1;
        (kind.games <= MAX_SHOWN).then(|| failure_line(index, report))
    }

    /// Returns a line for each kind that has more than `MAX_SHOWN` games, with the number of games that were not shown.
    pub(crate) fn others(&self) -> impl Iterator<Item = String> {
        self.kinds.iter().filter(|(_, kind)| kind.games > MAX_SHOWN).map(|((verdict, _), kind)| {
            let others = counted(kind.games - MAX_SHOWN, "more game");
            format!("{others} like game {}: {verdict}: {}", kind.first, printable(&kind.reason))
        })
    }
}

/// Returns `reason` with each number replaced by `0`, and without the text between quotes.
fn pattern(reason: &str) -> String {
    let mut pattern = String::new();
    for (part, text) in reason.split('"').enumerate() {
        if part % 2 == 0 {
            pattern.extend(text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }));
        }
        pattern.push('"');
    }
    while pattern.contains("00") {
        pattern = pattern.replace("00", "0");
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_of_one_kind() {
        let reason = "move 3: taking 17 at place 120 is not legal: \"5 5\" was";
        assert_eq!(pattern(reason), pattern("move 12: taking 1 at place 1 is not legal: \"0 0\" was"));
        assert_ne!(pattern(reason), pattern("the bot has no move left"));
    }
}
