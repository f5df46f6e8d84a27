//! The report of a search for a game: a line for each kind of failure, a summary with the sizes of the starts, and the
//! smallest game that was not won.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use itertools::Itertools;
use runner::escape::printable;
use serde_json::json;

use crate::conversation::verdict::{Ruling, Verdict};
use crate::json::from_ms;
use crate::output;
use crate::progress::GamesProgress;
use crate::referee::game::setup::GameSetup;
use crate::report::reporter::{Form, Reporter};
use crate::report::run::RunReport;
use crate::report::summary::{GAMES, VerdictCounts};
use crate::search::games::GameSearch;
use crate::search::{JsonLine, SearchReport, ShrunkOf, Tried};
use crate::text::counted;
use crate::units::in_ms;

pub(crate) struct GamesReport<'a, W> {
    out: W,
    games: &'a GameSearch,
    form: Form,
    /// The number of games of each kind of failure that are shown to a person. The others are counted.
    failures: u64,
    keep: Option<File>,
    started: Instant,
    sizes: SizeGroups,
    verdicts: VerdictCounts,
    /// The games that were won only under the contest profile, by their verdicts under the strict profile.
    excused: VerdictCounts,
    kinds: FailureKinds,
}

impl<'a, W: Write> GamesReport<'a, W> {
    pub(crate) fn new(
        out: W,
        games: &'a GameSearch,
        (form, failures): (Form, u64),
        keep: Option<&Path>,
        started: Instant,
    ) -> anyhow::Result<Self> {
        let keep = keep.map(output::append).transpose()?;
        let (sizes, verdicts, excused, kinds) = Default::default();
        Ok(Self { out, games, form, failures, keep, started, sizes, verdicts, excused, kinds })
    }

    fn text(&mut self, number: u64, game: &RunReport, has_stderr: bool) -> Option<String> {
        let stderr = if has_stderr { game.stderr() } else { Vec::new() };
        let is_new =
            game.ruling.verdict != Verdict::Won && self.kinds.add(number, &game.ruling) <= self.failures;
        let RunReport { subject, ruling: Ruling { verdict, reason, .. }, .. } = game;
        let line = || format!("game {number}: {verdict} {subject}: {}", printable(reason));
        let line = (is_new || !stderr.is_empty()).then(line)?;
        Some(stderr.iter().fold(line, |text, line| format!("{text}\n    stderr: {line}")))
    }

    fn write_sizes(&mut self) -> io::Result<()> {
        let Self { out, games, sizes, .. } = self;
        let Some((_, largest)) = sizes.largest else { return Ok(()) };
        writeln!(out, "largest start: {}", games.plan.game(largest).header)?;
        for &SizeGroup { from, to, games: count, slowest } in sizes.groups.values() {
            let sizes = if from == to { format!("size {from}") } else { format!("sizes {from} to {to}") };
            write!(out, "  {sizes}: {}", counted(count, "game"))?;
            if let Some((answer, number)) = slowest {
                let GameSetup { header, opponent, seed, .. } = games.plan.game(number);
                let (answer, opponent) = (in_ms(answer), opponent.name());
                write!(out, ", slowest answer {answer} in {header} against {opponent} (seed {seed})")?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

impl<W: Write> SearchReport<GameSearch> for GamesReport<'_, W> {
    fn add(&mut self, tried: &Tried<GameSearch>, progress: &GamesProgress) -> anyhow::Result<()> {
        let Tried { number, candidate: setup, run } = tried;
        let (number, game) = (*number, &RunReport::from(run));
        let slowest = game.review.as_ref().and_then(|review| review.slowest_ms).map(from_ms);
        self.sizes.add(number, setup.header.game().size(), slowest);
        self.verdicts.extend([game.ruling.verdict]);
        self.excused.extend(game.ruling.excused());
        let shown = match self.form {
            Form::Json => {
                let (fields, options) = (json!({ "index": number }), Some(self.games.config.options()));
                Some(serde_json::to_string(&JsonLine { fields, options, run: game })?)
            }
            Form::Console { show_stderr, .. } => self.text(number, game, show_stderr),
        };
        shown.map_or(Ok(()), |shown| progress.print(&shown))
    }

    fn status(&self) -> String {
        let largest = self.sizes.largest.map_or(0, |(size, _)| size);
        let slowest = self.sizes.groups.values().filter_map(|group| group.slowest).max();
        let slowest = slowest.map_or_else(String::new, |(wait, _)| format!("slowest {}, ", in_ms(wait)));
        format!("sizes up to {largest}, {slowest}{} not won", self.verdicts.failures().total())
    }

    fn summary(&mut self) -> anyhow::Result<()> {
        if self.form == Form::Json {
            return Ok(());
        }
        let Self { out, games, verdicts, excused, kinds, .. } = self;
        kinds.others(self.failures).try_for_each(|line| writeln!(out, "{line}"))?;
        let seconds = self.started.elapsed().as_secs_f64();
        let played = verdicts.total();
        let rate = f64::from(u32::try_from(played).unwrap_or(u32::MAX)) / seconds.max(1e-3);
        let won = verdicts.summary(&games.config.bot_name(), GAMES, false);
        writeln!(out, "{won}; {played} played in {seconds:.1} s, {rate:.0} a second")?;
        if !verdicts.all_succeeded() {
            writeln!(out, "not won: {}", verdicts.failures())?;
        }
        if !excused.is_empty() {
            writeln!(out, "excused by --profile contest: {excused}")?;
        }
        Ok(self.write_sizes()?)
    }

    fn name_of(&self, number: u64) -> String {
        format!("game {number}")
    }

    fn smallest(&mut self, number: u64, _: &GameSetup, shrunk: &ShrunkOf<GameSearch>) -> anyhow::Result<()> {
        let mut game = RunReport::from(&shrunk.run);
        game.repeated(shrunk.different.iter().copied());
        let options = Some(self.games.config.options());
        let line = JsonLine { fields: shrunk.fields(number), options, run: &game };
        let heading = shrunk.heading(&self.name_of(number), "game that was not won");
        Reporter::new(&mut self.out, self.form).smallest_run(&line, &heading, &[])?;
        if let Some(file) = &mut self.keep {
            writeln!(file, "{}   # {}", shrunk.smallest, game.ruling.verdict)
                .context("the game cannot be kept")?;
        }
        Ok(())
    }
}

#[derive(Default)]
struct SizeGroups {
    /// The games whose starts have sizes of the same magnitude: 1 to 10, 11 to 100, and so on.
    groups: BTreeMap<u32, SizeGroup>,
    /// The size and the number of the first game with the largest start.
    largest: Option<(u64, u64)>,
}

#[derive(Debug, PartialEq)]
struct SizeGroup {
    from: u64,
    to: u64,
    games: u64,
    slowest: Option<(Duration, u64)>,
}

impl SizeGroups {
    fn add(&mut self, number: u64, size: u64, slowest: Option<Duration>) {
        if self.largest.is_none_or(|(largest, _)| size > largest) {
            self.largest = Some((size, number));
        }
        let magnitude = size.saturating_sub(1).checked_ilog10().unwrap_or(0);
        let new = SizeGroup { from: size, to: size, games: 0, slowest: None };
        let group = self.groups.entry(magnitude).or_insert(new);
        (group.from, group.to) = (group.from.min(size), group.to.max(size));
        group.games += 1;
        group.slowest = group.slowest.max(slowest.map(|answer| (answer, number)));
    }
}

/// Number of kinds after which all new reasons share one: a reason may contain the bot's output.
const MAX_KINDS: usize = 20;

/// The games that were not won, counted by kind: the verdict and the reason without numbers and quoted text.
#[derive(Default)]
struct FailureKinds(BTreeMap<(Verdict, String), FailureKind>);

struct FailureKind {
    games: u64,
    first: u64,
    reason: String,
}

impl FailureKinds {
    /// Adds a game that was not won. Returns the number of games of its kind.
    fn add(&mut self, number: u64, Ruling { verdict, reason, .. }: &Ruling) -> u64 {
        let mut key = (*verdict, pattern(reason));
        if self.0.len() >= MAX_KINDS && !self.0.contains_key(&key) {
            key.1 = String::new();
        }
        let new = || FailureKind { games: 0, first: number, reason: reason.clone() };
        let kind = self.0.entry(key).or_insert_with(new);
        kind.games += 1;
        kind.games
    }

    /// Returns a line for each kind of which only the first `shown` games were shown, with the number of the others.
    fn others(&self, shown: u64) -> impl Iterator<Item = String> {
        let has_others = move |kind: &FailureKind| shown > 0 && kind.games > shown;
        self.0.iter().filter(move |(_, kind)| has_others(kind)).map(move |((verdict, _), kind)| {
            let others = counted(kind.games - shown, "more game");
            format!("{others} like game {}: {verdict}: {}", kind.first, printable(&kind.reason))
        })
    }
}

/// Returns `reason` with each number replaced by `0`, and without the text between quotes.
fn pattern(reason: &str) -> String {
    let unquoted = reason.split('"').step_by(2).join("\"\"");
    let mut pattern = unquoted.replace(|symbol: char| symbol.is_ascii_digit(), "0");
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
        assert_eq!(pattern(reason), "move 0: taking 0 at place 0 is not legal: \"\" was");
        assert_eq!(pattern(reason), pattern("move 12: taking 1 at place 1 is not legal: \"0 0\" was"));
    }

    #[test]
    fn games_by_magnitude() {
        let mut sizes = SizeGroups::default();
        let ms = |ms| Some(Duration::from_millis(ms)).filter(|wait| !wait.is_zero());
        for (number, (size, wait)) in (0..).zip([(2000, 9), (10, 0), (11, 5), (100, 7), (1001, 3), (1, 0)]) {
            sizes.add(number, size, ms(wait));
        }
        let group = |from, to, slowest: Option<(u64, u64)>| {
            let slowest = slowest.map(|(wait, number)| (Duration::from_millis(wait), number));
            SizeGroup { from, to, games: 2, slowest }
        };
        let expected = [group(1, 10, None), group(11, 100, Some((7, 3))), group(1001, 2000, Some((9, 0)))];
        assert!(sizes.groups.into_values().eq(expected) && sizes.largest == Some((2000, 0)));
    }
}
