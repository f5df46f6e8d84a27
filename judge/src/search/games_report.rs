//! The report of a search for a game: a line for each kind of failure, a summary with the sizes of the starts, and the
//! smallest game that was not won.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Stdout, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use runner::escape::printable;

use crate::conversation::verdict::{Class, Ruling, Verdict};
use crate::json::from_ms;
use crate::output;
use crate::progress::GamesProgress;
use crate::referee::game::setup::GameSetup;
use crate::report::reporter::{Form, Reporter};
use crate::report::run::RunReport;
use crate::report::summary::{GAMES, VerdictCounts};
use crate::search::games::GameSearch;
use crate::search::{JsonLine, SearchFields, SearchReport, ShrunkOf, Tried};
use crate::text::counted;
use crate::units::in_ms;

pub(crate) struct GamesReport<'a> {
    out: Stdout,
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
    kinds: BTreeMap<(Verdict, Class), FailureKind>,
}

impl<'a> GamesReport<'a> {
    pub(crate) fn new(
        games: &'a GameSearch,
        (form, failures): (Form, u64),
        keep: Option<&Path>,
    ) -> anyhow::Result<Self> {
        let keep = keep.map(output::append).transpose()?;
        let (out, started) = (io::stdout(), Instant::now());
        let (sizes, verdicts, excused, kinds) = Default::default();
        Ok(Self { out, games, form, failures, keep, started, sizes, verdicts, excused, kinds })
    }

    fn text(&mut self, number: u64, game: &RunReport, has_stderr: bool) -> Option<String> {
        let stderr = if has_stderr { game.stderr() } else { Vec::new() };
        let RunReport { subject, ruling: Ruling { verdict, class, reason, .. }, .. } = game;
        let is_new = *verdict != Verdict::Won && {
            let new = || FailureKind { games: 0, first: number, reason: reason.clone() };
            let kind = self.kinds.entry((*verdict, *class)).or_insert_with(new);
            kind.games += 1;
            kind.games <= self.failures
        };
        let line = || format!("game {number}: {verdict} {subject}: {}", printable(reason));
        let line = (is_new || !stderr.is_empty()).then(line)?;
        Some(stderr.iter().fold(line, |text, line| format!("{text}\n    stderr: {line}")))
    }

    fn write_sizes(&mut self) -> io::Result<()> {
        let Self { out, games, sizes, .. } = self;
        let Some(&SizeGroup { to: (_, largest), .. }) = sizes.0.values().next_back() else { return Ok(()) };
        writeln!(out, "largest start: {}", games.plan.game(largest).header)?;
        for &SizeGroup { from, to: (to, _), games: count, slowest } in sizes.0.values() {
            let sizes = if from == to { format!("size {from}") } else { format!("sizes {from} to {to}") };
            let slowest = slowest.map_or_else(String::new, |(answer, number)| {
                let GameSetup { header, opponent, seed, .. } = games.plan.game(number);
                let (answer, opponent) = (in_ms(answer), opponent.name());
                format!(", slowest answer {answer} in {header} against {opponent} (seed {seed})")
            });
            writeln!(out, "  {sizes}: {}{slowest}", counted(count, "game"))?;
        }
        Ok(())
    }
}

impl SearchReport<GameSearch> for GamesReport<'_> {
    fn add(&mut self, tried: &Tried<GameSearch>, progress: &GamesProgress) -> anyhow::Result<()> {
        let Tried { number, candidate: setup, run } = tried;
        let (number, game) = (*number, &RunReport::from(run));
        let slowest = game.review.as_ref().and_then(|review| review.slowest_ms).map(from_ms);
        self.sizes.add(number, setup.header.game().size(), slowest);
        self.verdicts.extend([game.ruling.verdict]);
        self.excused.extend(game.ruling.excused());
        let shown = match self.form {
            Form::Json => {
                let (fields, options) =
                    (SearchFields::Tried { index: number }, Some(self.games.config.options()));
                Some(serde_json::to_string(&JsonLine { fields, options, run: game })?)
            }
            Form::Console { show_stderr, .. } => self.text(number, game, show_stderr),
        };
        if let Some(shown) = shown {
            progress.print(&shown)?;
        }
        let largest = self.sizes.0.values().next_back().map_or(0, |group| group.to.0);
        let slowest = self.sizes.0.values().filter_map(|group| group.slowest).max();
        let slowest = slowest.map_or_else(String::new, |(wait, _)| format!("slowest {}, ", in_ms(wait)));
        let not_won = self.verdicts.failures().total();
        let status = format_args!("sizes up to {largest}, {slowest}{not_won} not won");
        progress.update(self.verdicts.total(), status);
        Ok(())
    }

    fn summary(&mut self) -> anyhow::Result<()> {
        if self.form == Form::Json {
            return Ok(());
        }
        let Self { out, games, verdicts, excused, kinds, .. } = self;
        for ((verdict, _), FailureKind { games, first, reason }) in kinds {
            let others = games.saturating_sub(self.failures);
            if self.failures > 0 && others > 0 {
                let others = counted(others, "more game");
                writeln!(out, "{others} like game {first}: {verdict}: {}", printable(reason))?;
            }
        }
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

/// The games by the magnitude of the sizes of their starts: 1 to 10, 11 to 100, and so on.
#[derive(Default)]
struct SizeGroups(BTreeMap<u32, SizeGroup>);

#[derive(Debug, PartialEq)]
struct SizeGroup {
    from: u64,
    /// The largest size, and the number of the first game with it.
    to: (u64, u64),
    games: u64,
    slowest: Option<(Duration, u64)>,
}

impl SizeGroups {
    fn add(&mut self, number: u64, size: u64, slowest: Option<Duration>) {
        let magnitude = size.saturating_sub(1).checked_ilog10().unwrap_or(0);
        let new = SizeGroup { from: size, to: (size, number), games: 0, slowest: None };
        let group = self.0.entry(magnitude).or_insert(new);
        group.from = group.from.min(size);
        if size > group.to.0 {
            group.to = (size, number);
        }
        group.games += 1;
        group.slowest = group.slowest.max(slowest.map(|answer| (answer, number)));
    }
}

/// The games of a kind of failure: their number, and the number and the reason of the first one.
struct FailureKind {
    games: u64,
    first: u64,
    reason: String,
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let expected = [
            group(1, (10, 1), None),
            group(11, (100, 3), Some((7, 3))),
            group(1001, (2000, 0), Some((9, 0))),
        ];
        assert!(sizes.0.into_values().eq(expected));
    }
}
