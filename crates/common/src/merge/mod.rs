//! Merges the results of one run from several files, and writes each result once, in the order of their numbers.
//!
//! The results stay in their files. The memory holds only the sorted places of the results, 24 bytes each, and a window
//! of at least 4 KiB for each file.

mod input;
mod line;

use std::fmt::{self, Display, Formatter};
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, ensure};

use self::input::{InputFile, InputFiles, Place};
pub use self::line::ResultKind;
use self::line::ResultLine;
use crate::text::counted;

/// The checks that need the format of the records. Only the caller knows this format.
#[derive(Clone, Copy)]
pub struct Checks {
    /// Checks a line as a record of its kind.
    pub record: fn(ResultKind, &[u8]) -> anyhow::Result<()>,
    /// Checks the lines of two games of `judge arena` with the numbers `2 * k` and `2 * k + 1`, which form a pair.
    pub pair: fn(&[u8], &[u8]) -> anyhow::Result<()>,
}

/// The facts about a run that its results show.
#[derive(Clone, Debug)]
pub struct RunFacts {
    kind: ResultKind,
    /// The hash that identifies the run.
    pub run: String,
    /// The number of results of the whole run, if it is known.
    pub total: Option<u64>,
    /// The command that computes the results.
    pub command: Option<String>,
}

/// The summary of a merge.
#[derive(Clone, Debug)]
pub struct MergeReport {
    pub facts: RunFacts,
    /// The number of different results.
    pub results: u64,
    /// The number of lines that repeat a result.
    pub duplicates: u64,
    /// The numbers of the missing results, if the total is known.
    pub missing: Gaps,
}

/// Results of one run in several files.
pub struct Merge {
    inputs: InputFiles,
    /// The places of the results, in the order of their numbers.
    places: Vec<Place>,
    facts: RunFacts,
    checks: Checks,
}

impl Merge {
    /// Reads and checks the lines of the files, and keeps the place of each result.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, a line is not a result, or the results belong to different runs.
    pub fn read(paths: &[PathBuf], checks: Checks) -> anyhow::Result<Self> {
        input::raise_limit_on_files();
        let mut inputs = InputFiles::default();
        let mut places = Vec::new();
        let mut facts: Option<RunFacts> = None;
        for (number, path) in (0_u32..).zip(paths) {
            let input = InputFile::open(path, paths.len())?;
            input.each_line(|line, offset| {
                let Some(result) = ResultLine::read(line)? else { return Ok(()) };
                add_facts(&mut facts, &result)?;
                (checks.record)(result.kind(), line)?;
                let length = u32::try_from(line.len())?;
                places.push(Place { index: result.index, file: number, offset, length });
                Ok(())
            })?;
            inputs.add(input);
        }
        let facts = facts.context("the files have no result")?;
        places.sort_unstable();
        Ok(Self { inputs, places, facts, checks })
    }

    /// Counts duplicate and missing results, and checks that duplicates agree and that the games of a pair match.
    ///
    /// # Errors
    ///
    /// If two results with the same number contradict each other, the games of a pair do not match, or a file cannot be
    /// read.
    pub fn check(&mut self) -> anyhow::Result<MergeReport> {
        let (mut results, mut missing, mut end) = (0, Gaps::default(), 0);
        let check_pair = Some(self.checks.pair).filter(|_| self.facts.kind == ResultKind::Arena);
        let mut last: Option<(Place, Vec<u8>)> = None;
        let duplicates = self.each(|kept, inputs| {
            results += 1;
            let place = kept.place;
            missing.add(place.index);
            end = place.index.saturating_add(1);
            let Some(check_pair) = check_pair else { return Ok(()) };
            let line = kept.line(inputs)?.to_vec();
            if let Some((other, other_line)) = last.take()
                && other.index == place.index ^ 1
            {
                check_pair(&other_line, &line)
                    .with_context(|| format!("{} and {}", inputs.name_of(other), inputs.name_of(place)))?;
            }
            last = Some((place, line));
            Ok(())
        })?;
        // A result beyond the total shows that the run was continued without a total, as with `--sprt`. Then the total
        // is unknown.
        let total = self.facts.total.filter(|&total| end <= total);
        let facts = RunFacts { total, ..self.facts.clone() };
        match facts.total {
            Some(total) => missing.end(total),
            None => missing = Gaps::default(),
        }
        Ok(MergeReport { facts, results, duplicates, missing })
    }

    /// Writes each result once, in the order of their numbers.
    ///
    /// # Errors
    ///
    /// If the output cannot be written, a file cannot be read, or two results with the same number contradict each
    /// other.
    pub fn write(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        self.each(|kept, inputs| {
            out.write_all(kept.line(inputs)?)?;
            out.write_all(b"\n")?;
            Ok(())
        })?;
        Ok(())
    }

    /// Passes each result once to `visit`, in the order of their numbers. Returns the number of duplicates.
    fn each(
        &mut self,
        mut visit: impl FnMut(&mut Kept, &mut InputFiles) -> anyhow::Result<()>,
    ) -> anyhow::Result<u64> {
        let (mut current, mut duplicates): (Option<Kept>, u64) = (None, 0);
        for &place in &self.places {
            match &mut current {
                Some(kept) if kept.place.index == place.index => {
                    kept.add_duplicate(place, &mut self.inputs)?;
                    duplicates += 1;
                }
                _ => {
                    let next = Kept { place, line: None };
                    if let Some(mut kept) = current.replace(next) {
                        visit(&mut kept, &mut self.inputs)?;
                    }
                }
            }
        }
        if let Some(mut kept) = current {
            visit(&mut kept, &mut self.inputs)?;
        }
        Ok(duplicates)
    }
}

/// Updates `facts` with the facts that a result shows about its run. Fails if the run or the kind differs.
fn add_facts(facts: &mut Option<RunFacts>, result: &ResultLine<'_>) -> anyhow::Result<()> {
    let command = result.command();
    let Some(facts) = facts else {
        let (run, command) = (result.run().to_owned(), command.map(str::to_owned));
        *facts = Some(RunFacts { kind: result.kind(), run, total: result.total, command });
        return Ok(());
    };
    ensure!(
        facts.run == result.run(),
        "expected a result of run {}, got one of run {}: merge the files of one run at a time; \
         the first was made by {}, this one by {}",
        facts.run,
        result.run(),
        facts.command.as_deref().unwrap_or("an unknown command"),
        command.unwrap_or("an unknown command")
    );
    ensure!(
        facts.kind == result.kind(),
        "expected results of one command in the run {}, got some of {} and {}",
        facts.run,
        facts.kind,
        result.kind()
    );
    // The totals may differ, because a run may be continued with more games. Keep the largest total, and the
    // alphabetically first command with this total, so that the order of the files makes no difference.
    let known = facts.command.as_deref();
    let is_larger = result.total > facts.total;
    let is_first = result.total == facts.total && command.is_some() && (known.is_none() || command < known);
    if is_larger || is_first {
        facts.total = result.total;
        facts.command = command.map(str::to_owned);
    }
    Ok(())
}

/// Of all results with the same number, the one that is written.
struct Kept {
    place: Place,
    /// The line, if it has been read.
    line: Option<Vec<u8>>,
}

impl Kept {
    fn line<'a>(&'a self, inputs: &'a mut InputFiles) -> anyhow::Result<&'a [u8]> {
        match &self.line {
            Some(line) => Ok(line),
            None => inputs.line(self.place),
        }
    }

    /// Adds another result with the same number; fails if the two contradict each other. Of two different lines, keeps
    /// the line that is smaller in byte order, so that the order of the files makes no difference.
    fn add_duplicate(&mut self, place: Place, inputs: &mut InputFiles) -> anyhow::Result<()> {
        let known = self.line(inputs)?.to_owned();
        let other = inputs.line(place)?;
        if known == other {
            self.line = Some(known);
            return Ok(());
        }
        let other = other.to_owned();
        if let Some(difference) = line::difference(&known, &other)? {
            let name = |place: Place| inputs.name_of(place);
            anyhow::bail!(
                "result {} is recorded twice, with different values of {}: {} has {}, {} has {}; find out \
                 which is right, and remove the other line",
                place.index,
                difference.path,
                name(self.place),
                difference.values.0,
                name(place),
                difference.values.1
            );
        }
        if other < known {
            (self.place, self.line) = (place, Some(other));
        } else {
            self.line = Some(known);
        }
        Ok(())
    }
}

/// Maximum number of ranges of missing numbers in a message.
const MAX_SHOWN_RANGES: usize = 12;

/// The numbers from 0 that are missing in an ascending sequence. Only the first `MAX_SHOWN_RANGES` ranges of missing
/// numbers are kept, which bounds the memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gaps {
    /// The first ranges, each with its first and its last missing number.
    ranges: Vec<(u64, u64)>,
    /// The total number of ranges.
    range_count: u64,
    /// The total number of missing numbers.
    count: u64,
    /// The next number if none is missing.
    next: u64,
}

impl Gaps {
    /// Adds the next number, which must be larger than all previous ones.
    fn add(&mut self, number: u64) {
        self.end(number);
        self.next = number.saturating_add(1);
    }

    /// Ends the sequence before `end`: all numbers from `next` to `end - 1` are missing.
    fn end(&mut self, end: u64) {
        if self.next >= end {
            return;
        }
        self.count += end - self.next;
        self.range_count += 1;
        if self.ranges.len() < MAX_SHOWN_RANGES {
            self.ranges.push((self.next, end - 1));
        }
        self.next = end;
    }

    /// Returns the number of missing numbers.
    pub fn count(&self) -> u64 {
        self.count
    }
}

/// Writes the ranges, for example `3, 7-9`. If there are more than `MAX_SHOWN_RANGES`, the text ends with the number of
/// the others, for example ` and 20 more ranges`.
impl Display for Gaps {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (at, (from, to)) in self.ranges.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            if from == to { write!(f, "{comma}{from}")? } else { write!(f, "{comma}{from}-{to}")? }
        }
        match self.range_count - self.ranges.len() as u64 {
            0 => Ok(()),
            more => write!(f, " and {}", counted(more, "more range")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gaps(numbers: impl IntoIterator<Item = u64>, end: u64) -> (u64, String) {
        let mut gaps = Gaps::default();
        numbers.into_iter().for_each(|number| gaps.add(number));
        gaps.end(end);
        (gaps.count(), gaps.to_string())
    }

    #[test]
    fn gaps_at_the_start_in_the_middle_and_at_the_end() {
        assert_eq!(gaps([], 0), (0, String::new()));
        assert_eq!(gaps([], 5), (5, "0-4".to_owned()));
        assert_eq!(gaps(0..5, 5), (0, String::new()));
        assert_eq!(gaps([1, 2, 4, 9], 12), (8, "0, 3, 5-8, 10-11".to_owned()));
        assert_eq!(gaps([u64::MAX], 0).0, u64::MAX);
        let (count, text) = gaps((0..100).map(|number| 2 * number + 1), 200);
        assert!(count == 100 && text.ends_with("20, 22 and 88 more ranges"), "{text}");
    }
}
