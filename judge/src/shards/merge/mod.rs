//! Results of one run from several files, put together: each once, in the order of their numbers.
//!
//! The results stay in their files. What is sorted are their places, 24 bytes each, a part at a time in memory and the
//! rest in a temporary file; so the memory that it takes does not depend on how many results there are. For each file
//! that is merged there is a window of at least 4 KiB.

mod duplicate;
pub(crate) mod gaps;
mod input;
mod line;
mod places;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use self::gaps::Gaps;
use self::input::{InputFile, InputFiles};
pub(crate) use self::line::ResultKind;
use self::line::ResultLine;
use self::places::{Place, Places, PlacesInOrder};

/// What is checked of results by those who know their records.
#[derive(Clone, Copy)]
pub(crate) struct Checks {
    /// Checks a line as a record of its kind.
    pub(crate) record: fn(ResultKind, &[u8]) -> anyhow::Result<()>,
    /// Checks the lines of two games of `judge arena` whose numbers are those of a pair.
    pub(crate) pair: fn(&[u8], &[u8]) -> anyhow::Result<()>,
}

/// What is known of a run from its results.
#[derive(Clone, Debug)]
pub(crate) struct RunFacts {
    kind: ResultKind,
    /// What tells it from others.
    pub(crate) run: String,
    /// How many results the whole run has, if that is known.
    pub(crate) total: Option<u64>,
    /// The command that makes them.
    pub(crate) command: Option<String>,
}

/// What the files have.
#[derive(Clone, Debug)]
pub(crate) struct MergeReport {
    pub(crate) facts: RunFacts,
    /// How many different results there are.
    pub(crate) results: u64,
    /// How many more there are of the same.
    pub(crate) duplicates: u64,
    /// The numbers of those that are missing, if it is known how many there should be.
    pub(crate) missing: Gaps,
}

/// Results of one run in several files.
pub(crate) struct Merge {
    inputs: InputFiles,
    places: PlacesInOrder,
    facts: RunFacts,
    checks: Checks,
}

impl Merge {
    /// Reads the files, and keeps the place of each result. Temporary files are created in `temporary`.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, is damaged, has a record that no run writes, or is of another run than the first.
    pub(crate) fn read(paths: &[PathBuf], temporary: &Path, checks: Checks) -> anyhow::Result<Self> {
        input::raise_limit_on_files();
        let mut inputs = InputFiles::default();
        let mut places = Places::new(temporary);
        let mut facts: Option<RunFacts> = None;
        for (number, path) in (0_u32..).zip(paths) {
            let input = InputFile::open(path, paths.len())?;
            input.each_line(|line, offset| {
                let Some(result) = ResultLine::read(line)? else { return Ok(()) };
                add_facts(&mut facts, &result)?;
                (checks.record)(result.kind(), line)?;
                let length = u32::try_from(line.len())?;
                places.add(Place { index: result.index, file: number, offset, length })
            })?;
            inputs.add(input);
        }
        let facts = facts.context("the files have no result")?;
        Ok(Self { inputs, places: places.in_order()?, facts, checks })
    }

    /// Finds what the files have twice, and what they do not have.
    ///
    /// # Errors
    ///
    /// If two results of the same number differ, two games are no pair, or a file cannot be read.
    pub(crate) fn check(&mut self) -> anyhow::Result<MergeReport> {
        let (mut results, mut missing, mut end) = (0, Gaps::default(), 0);
        let check_pair = Some(self.checks.pair).filter(|_| self.facts.kind == ResultKind::Arena);
        let mut last: Option<(Place, Vec<u8>)> = None;
        let duplicates = self.each(|kept, inputs| {
            results += 1;
            let place = kept.place;
            missing.see(place.index);
            end = place.index.saturating_add(1);
            let Some(check_pair) = check_pair else { return Ok(()) };
            let line = kept.line(inputs)?.to_vec();
            if let Some((other, its_line)) = last.take()
                && other.index == place.index ^ 1
            {
                check_pair(&its_line, &line)
                    .with_context(|| format!("{} and {}", inputs.name_of(other), inputs.name_of(place)))?;
            }
            last = Some((place, line));
            Ok(())
        })?;
        // A run may be continued without a known number of results, as with --sprt.
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
    /// If it cannot be written, or as for [`Merge::check`].
    pub(crate) fn write(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        self.each(|kept, inputs| {
            out.write_all(kept.line(inputs)?)?;
            out.write_all(b"\n")?;
            Ok(())
        })?;
        Ok(())
    }

    /// Passes each result once, and returns how many more there are.
    fn each(
        &mut self,
        mut keep: impl FnMut(&mut Kept, &mut InputFiles) -> anyhow::Result<()>,
    ) -> anyhow::Result<u64> {
        let (mut current, mut duplicates): (Option<Kept>, u64) = (None, 0);
        for place in self.places.sorted()? {
            let place = place?;
            match &mut current {
                Some(kept) if kept.place.index == place.index => {
                    kept.add_duplicate(place, &mut self.inputs)?;
                    duplicates += 1;
                }
                _ => {
                    let next = Kept { place, line: None };
                    if let Some(mut kept) = current.replace(next) {
                        keep(&mut kept, &mut self.inputs)?;
                    }
                }
            }
        }
        if let Some(mut kept) = current {
            keep(&mut kept, &mut self.inputs)?;
        }
        Ok(duplicates)
    }
}

/// Adds what a result says of its run.
fn add_facts(facts: &mut Option<RunFacts>, result: &ResultLine<'_>) -> anyhow::Result<()> {
    let command = result.command();
    let Some(facts) = facts else {
        let (run, command) = (result.run().to_owned(), command.map(str::to_owned));
        *facts = Some(RunFacts { kind: result.kind(), run, total: result.total, command });
        return Ok(());
    };
    ensure!(
        facts.run == result.run(),
        "expected a result of the run {}, got one of the run {}: merge the files of one run at a time; \
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
    // A run may be continued with more games. Which file comes first makes no difference.
    let known = facts.command.as_deref();
    let is_larger = result.total > facts.total;
    let is_first = result.total == facts.total && command.is_some() && (known.is_none() || command < known);
    if is_larger || is_first {
        facts.total = result.total;
        facts.command = command.map(str::to_owned);
    }
    Ok(())
}

/// A result that is kept, of those with its number.
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

    /// Adds another result of this number. Of two that differ only in what they took, the same one is kept whichever
    /// comes first.
    ///
    /// # Errors
    ///
    /// If they differ.
    fn add_duplicate(&mut self, place: Place, inputs: &mut InputFiles) -> anyhow::Result<()> {
        let known = self.line(inputs)?.to_owned();
        let other = inputs.line(place)?;
        if known == other {
            self.line = Some(known);
            return Ok(());
        }
        let other = other.to_owned();
        if let Some(difference) = duplicate::difference(&known, &other)? {
            let name = |place: Place| inputs.name_of(place);
            anyhow::bail!(
                "the result {} is recorded twice and differs: {} has {}, {} has {}, in {}; find out which is right, and \
                 remove the other line",
                place.index,
                name(self.place),
                difference.values.0,
                name(place),
                difference.values.1,
                difference.path
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
