//! The state of a search: the games that have been played. A resumed search reads its state from the output of the
//! earlier search.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use anyhow::{Context, ensure};
use itertools::chain;
use rustix::fs::{Stat, fstat};
use serde::{Deserialize, Serialize};
use zeroxor::wire::quoted;

use super::plan::Plan;
use super::size::PlayedGame;
use crate::report::json::GameLine;
use common::program::print_error;
use common::record_file::{Record, expected, read_bounded, whole_line};
use referee::setup::GameSetup;
use referee::verdict::Verdict;
use runner::config::MatchConfig;

/// The bot's command and the options that differ from the default. Both must be the same when a search is resumed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ConfigWords {
    options: Vec<String>,
    bot: Vec<String>,
}

impl From<&MatchConfig> for ConfigWords {
    fn from(config: &MatchConfig) -> Self {
        Self { options: config.options(), bot: config.bot_words() }
    }
}

impl ConfigWords {
    /// Returns the words as they are typed in a shell.
    fn command_line(&self) -> String {
        let end = Some("--").filter(|_| !self.bot.is_empty());
        let words = chain!(self.options.iter().map(String::as_str), end, self.bot.iter().map(String::as_str));
        shlex::try_join(words).unwrap_or_default()
    }
}

/// A line of a search's output.
#[derive(Debug, Deserialize)]
pub(crate) struct SearchLine {
    /// The number of the game; `None` if the line is the result of shrinking.
    index: Option<u64>,
    /// The number of the game that was shrunk to this one.
    from: Option<u64>,
    /// Whether shrinking tried all candidates.
    #[serde(default)]
    complete: bool,
    #[serde(flatten)]
    config: ConfigWords,
    #[serde(flatten)]
    report: GameLine,
}

impl Record for SearchLine {
    const WHAT: &str = "a game of judge stress --json";

    fn check(&self) -> anyhow::Result<()> {
        self.report.check()
    }
}

/// The games that a search has played.
#[derive(Default)]
pub(crate) struct SearchState {
    pub(crate) played: BTreeMap<u64, PlayedGame>,
    /// The games that were not won, with their verdicts.
    pub(crate) failures: BTreeMap<u64, Verdict>,
    /// The games that were won only under the contest profile, with their verdicts under the strict profile.
    pub(crate) excused: BTreeMap<u64, Verdict>,
    /// The first game that was not won.
    pub(crate) first: Option<(u64, GameLine)>,
    /// The games that have been shrunk completely.
    pub(crate) shrunk: BTreeSet<u64>,
    /// The slowest answer, in milliseconds.
    pub(crate) slowest_ms: Option<f64>,
    /// The size of the largest start.
    pub(crate) largest: u64,
    /// Whether stdout is the file to resume from and the last line of that file is cut off.
    pub(crate) is_truncated: bool,
}

impl SearchState {
    /// Adds a game of the plan that has been played.
    pub(crate) fn add(&mut self, index: u64, game: &GameSetup, report: &GameLine) {
        let played = PlayedGame { size: game.header.game().size(), slowest_ms: report.slowest_ms };
        self.played.insert(index, played);
        self.largest = self.largest.max(played.size);
        self.slowest_ms = self.slowest_ms.into_iter().chain(played.slowest_ms).reduce(f64::max);
        self.excused.extend(report.excused.map(|verdict| (index, verdict)));
        if report.verdict != Verdict::Won {
            self.failures.insert(index, report.verdict);
            if self.first.as_ref().is_none_or(|&(first, _)| index < first) {
                self.first = Some((index, report.clone()));
            }
        }
    }

    /// Removes the games after the first game that was not won. Other jobs may have played such games at the same time,
    /// but the result must be the same with any number of jobs.
    pub(crate) fn end_at_first_failure(&mut self) {
        if let Some((first, _)) = self.first {
            self.played.retain(|&index, _| index <= first);
            self.failures.retain(|&index, _| index <= first);
            self.excused.retain(|&index, _| index <= first);
        }
    }

    /// Reads the games that an earlier search with the same configuration has written to a file. A game whose line was
    /// cut off is played again.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is damaged, or is from a search with other options.
    pub(crate) fn resume(path: &Path, plan: &Plan, config: &ConfigWords) -> anyhow::Result<Self> {
        let name = format!("the file to resume from, {},", path.display());
        let file = File::open(path).with_context(|| format!("{name} cannot be opened"))?;
        let (mut state, mut input, mut text) = (Self::default(), BufReader::new(file), Vec::new());
        // The number of the first line that is cut off, and how many such lines there are.
        let (mut first, mut truncated) = (None, 0_u64);
        for number in 1_u64.. {
            let at = || format!("{name} line {number}");
            let Some(line) = whole_line(&mut input, &mut text).with_context(at)? else { break };
            if line.is_empty() {
                continue;
            }
            match read_bounded::<SearchLine>(line) {
                Ok(line) => {
                    line.check().with_context(at)?;
                    state.add_earlier(line, plan, config).with_context(at)?;
                }
                Err(error) if error.is_eof() => {
                    first = first.or(Some(number));
                    truncated += 1;
                }
                Err(error) => return Err(expected::<SearchLine>(&error)).with_context(at),
            }
        }
        state.is_truncated = !text.is_empty() && is_stdout(input.get_ref());
        if let Some(first) = first {
            print_error(format_args!(
                "note: {name} has lines that are cut off ({truncated}, the first is line {first}); their \
                 games are played again"
            ));
        }
        Ok(state)
    }

    /// Adds the game of a line that an earlier search wrote.
    ///
    /// # Errors
    ///
    /// If that search had other options.
    pub(crate) fn add_earlier(
        &mut self,
        line: SearchLine,
        plan: &Plan,
        config: &ConfigWords,
    ) -> anyhow::Result<()> {
        let SearchLine { index, from, complete, config: earlier, report } = line;
        ensure!(
            earlier == *config,
            "expected the same bot with the same options, {:?}, got {:?}",
            config.command_line(),
            earlier.command_line()
        );
        self.shrunk.extend(from.filter(|_| complete));
        let Some(index) = index else { return Ok(()) };
        let planned = plan.game(index);
        ensure!(
            (planned.header.text(), planned.opponent, planned.seed)
                == (report.game.as_str(), report.opponent, report.seed),
            "game {index} of the file is {} against {} (seed {}), but with these options it is {} against {} (seed {}): \
             use the same --seed, --family and --max-n",
            quoted(report.game.as_bytes()),
            report.opponent.name(),
            report.seed,
            quoted(planned.header.text().as_bytes()),
            planned.opponent.name(),
            planned.seed
        );
        if !matches!(report.verdict, Verdict::JudgeError | Verdict::Interrupted) {
            self.add(index, &planned, &report);
        }
        Ok(())
    }
}

/// Returns whether stdout writes to `file`.
fn is_stdout(file: &File) -> bool {
    let id = |stat: Stat| (stat.st_dev, stat.st_ino);
    fstat(file).ok().map(id) == fstat(io::stdout()).ok().map(id)
}
