//! What is known of the games that have been played, and where a search that was broken off goes on.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, ensure};
use serde::Deserialize;

use super::plan::Plan;
use crate::player::opponent::Kind;
use crate::verdict::Verdict;

/// What a search needs of a game's report.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Report {
    pub(crate) game: String,
    pub(crate) opponent: Kind,
    pub(crate) seed: u64,
    pub(crate) verdict: Verdict,
    pub(crate) reason: String,
    pub(crate) slowest_ms: Option<f64>,
}

/// A report and the number of its game; what a failure was shrunk to has none.
#[derive(Debug, Deserialize)]
struct Numbered {
    index: Option<u64>,
    #[serde(flatten)]
    report: Report,
}

/// The games that have been played.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) played: BTreeSet<u64>,
    /// The games that were not won, and how.
    pub(crate) failures: Vec<(u64, Verdict)>,
    /// The slowest answer, in milliseconds, and in which game.
    pub(crate) slowest: Option<(f64, String)>,
}

impl Tally {
    pub(crate) fn note(&mut self, index: u64, report: &Report) {
        self.played.insert(index);
        if report.verdict != Verdict::Won {
            self.failures.push((index, report.verdict));
        }
        if let Some(ms) =
            report.slowest_ms.filter(|&ms| self.slowest.as_ref().is_none_or(|(worst, _)| ms > *worst))
        {
            self.slowest = Some((ms, report.game.clone()));
        }
    }

    /// The first game that was not won.
    pub(crate) fn first_failure(&self) -> Option<u64> {
        self.failures.iter().map(|&(index, _)| index).min()
    }

    /// Forgets what was played at the same time as the first game that was not won and has a higher number, so that any
    /// number of jobs comes to the same.
    pub(crate) fn end_at_first_failure(&mut self) {
        if let Some(first) = self.first_failure() {
            self.played.retain(|&index| index <= first);
            self.failures.retain(|&(index, _)| index <= first);
        }
    }

    /// The games that a search has reported to a file. A last line that was cut off is played again.
    pub(crate) fn resume(path: &Path, plan: &Plan) -> anyhow::Result<Self> {
        let name = || format!("the file to resume from, {},", path.display());
        let file = File::open(path).with_context(|| format!("{} cannot be opened", name()))?;
        let (mut tally, mut input, mut text) = (Self::default(), BufReader::new(file), String::new());
        for line in 1_u64.. {
            text.clear();
            input.read_line(&mut text).with_context(|| format!("{} cannot be read", name()))?;
            if !text.ends_with('\n') {
                break;
            }
            let Numbered { index, report } = serde_json::from_str(&text)
                .with_context(|| format!("{} line {line}: expected a game of judge stress --json", name()))?;
            let Some(index) = index else { continue };
            let planned = plan.game(index);
            ensure!(
                (&planned.game, planned.opponent, planned.seed)
                    == (&report.game, report.opponent, report.seed),
                "{} line {line}: game {index} is \"{}\" against {} there, with these options it is \"{}\" against {}: \
                 expected the same --seed, --family and --max-n",
                name(),
                report.game,
                report.opponent.name(),
                planned.game,
                planned.opponent.name()
            );
            if !matches!(report.verdict, Verdict::JudgeError | Verdict::Interrupted) {
                tally.note(index, &report);
            }
        }
        Ok(tally)
    }
}
