//! The search for a game that a bot does not win: the games, how they are played, and the report.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Stdout, Write};
use std::iter;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::ValueEnum;
use itertools::{Itertools, iproduct};
use runner::escape::printable;
use zeroxor::GameSpec;

use crate::config::MatchConfig;
use crate::conversation::verdict::{Class, Ruling, Verdict};
use crate::output;
use crate::progress::GamesProgress;
use crate::referee::game::review::FinishedGame;
use crate::referee::game::setup::{GameHeader, GameSetup, OpponentKind};
use crate::report::reporter::{Form, Reporter};
use crate::report::run::RunReport;
use crate::report::summary::{Figures, GAMES};
use crate::report::transcript::{GameLog, StderrFiles};
use crate::search::shrinker::Runner;
use crate::search::{CandidateSource, JsonLine, SearchFields, SearchReport, ShrunkOf, Tried};
use crate::text::counted;
use crate::trials::family::{GameFamily, StartRng};
use crate::trials::parallel::ExclusiveRerun;
use crate::trials::session::BotSession;
use crate::units::in_ms;

pub(crate) struct GameSearch {
    pub(crate) plan: SearchPlan,
    pub(crate) config: MatchConfig,
    /// The folder for the bot's stderr.
    pub(crate) stderr: Option<PathBuf>,
    pub(crate) rerun: ExclusiveRerun,
}

impl CandidateSource for GameSearch {
    type Candidate = GameSetup;
    type Run = FinishedGame;

    fn candidate(&self, number: u64) -> anyhow::Result<GameSetup> {
        Ok(self.plan.game(number))
    }

    fn runner(&self, is_shrinking: bool) -> anyhow::Result<Runner<'_, GameSetup, FinishedGame>> {
        let mut log: Vec<Box<dyn GameLog>> = Vec::new();
        if let Some(folder) = self.stderr.as_ref().filter(|_| !is_shrinking) {
            log.push(Box::new(StderrFiles::new(folder)?));
        }
        let mut session = BotSession::new("the bot", self.config.clone(), u64::MAX)?;
        Ok(Box::new(move |setup| {
            let play = |repeat| session.play(GameSetup { repeat, ..setup.clone() }, &mut log);
            self.rerun.play(play, |game| game.result.doubtful).map(Some)
        }))
    }
}

/// The games of a search, numbered from 0: first the extreme starts, then groups of three games, two with small starts
/// and one with a larger start. Every extreme start and every small start is played against every opponent.
///
/// Game k depends only on k and on the arguments of `SearchPlan::new`, so the games are the same with any number of jobs.
pub(crate) struct SearchPlan {
    families: Vec<GameFamily>,
    max_n: u64,
    seed: u64,
    /// The extreme and the small starts, in the order of the games; `None` for a random start.
    listed: Vec<Option<Pairing>>,
}

type Pairing = (GameSpec, OpponentKind);

impl SearchPlan {
    /// Plans games of these families with sizes of at most `max_n`. Game k has the seed `seed` + k.
    pub(crate) fn new(families: &[GameFamily], max_n: u64, seed: u64) -> Self {
        let families = families.iter().copied().unique().collect_vec();
        let extremes = families.iter().flat_map(|family| family.extremes(max_n)).unique().collect_vec();
        // The first small start of each family, then the second one of each, and so on.
        let small = families.iter().flat_map(|family| family.small(max_n).into_iter().enumerate());
        let small = small.sorted_by_key(|&(at, _)| at).map(|(_, start)| start);
        let small = small.filter(|start| !extremes.contains(start));
        let opponents = OpponentKind::value_variants();
        // In each round every extreme start is played once, against its next opponent.
        let rounds = iproduct!(0..opponents.len(), extremes.iter().enumerate());
        let mut extreme =
            rounds.map(|(round, (at, start))| (start.clone(), opponents[(round + at) % opponents.len()]));
        let mut listed = extreme.by_ref().take(extremes.len()).map(Some).collect_vec();
        let mut small = iproduct!(small, opponents.iter().copied()).map(Some);
        let mut larger = extreme.flat_map(|pairing| [Some(pairing), None]);
        let groups = iter::repeat_with(|| [small.next(), small.next(), larger.next()]);
        let groups = groups.take_while(|group| group.iter().any(Option::is_some));
        listed.extend(groups.flatten().map(Option::flatten));
        Self { families, max_n, seed, listed }
    }

    pub(crate) fn game(&self, index: u64) -> GameSetup {
        let seed = self.seed.wrapping_add(index);
        let listed = usize::try_from(index).ok().and_then(|index| self.listed.get(index)?.clone());
        let (start, opponent) = listed.unwrap_or_else(|| self.random(index, seed));
        GameSetup::new(GameHeader::new(start, None), opponent, seed)
    }

    fn random(&self, index: u64, seed: u64) -> Pairing {
        let mut rng = StartRng::new(seed);
        // Until all small starts have been played, only one game in six has a random start. So the family changes after
        // six games.
        let turn = index / 6 % self.families.len().max(1) as u64;
        let family = usize::try_from(turn).ok().and_then(|turn| self.families.get(turn));
        let start = family.unwrap_or(&GameFamily::SEGMENT).random(self.max_n, &mut rng);
        let opponents = OpponentKind::value_variants();
        (start, rng.choose(opponents).unwrap_or(OpponentKind::Perfect))
    }
}

/// The report of a search: a line for each kind of failure, a summary with the sizes of the starts, and the smallest game
/// that was not won.
pub(crate) struct GamesReport<'a> {
    out: Stdout,
    games: &'a GameSearch,
    form: Form,
    /// The number of games of each kind of failure that are shown to a person. The others are counted.
    failures: u64,
    keep: Option<File>,
    started: Instant,
    sizes: SizeGroups,
    all: Figures,
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
        let (sizes, all, kinds) = Default::default();
        Ok(Self { out, games, form, failures, keep, started, sizes, all, kinds })
    }

    fn text(&mut self, number: u64, game: &RunReport, has_stderr: bool) -> Option<String> {
        let stderr = if has_stderr { game.stderr() } else { Vec::new() };
        let Ruling { verdict, class, reason, .. } = &game.ruling;
        let is_new = *verdict != Verdict::Won && {
            let new = || FailureKind { games: 0, first: number, reason: reason.clone() };
            let kind = self.kinds.entry((*verdict, *class)).or_insert_with(new);
            kind.games += 1;
            kind.games <= self.failures
        };
        let line = || format!("game {number}: {verdict} {}: {}", game.name(), printable(reason));
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
        let slowest = run.result.timing.slowest.map(|(_, wait)| wait);
        self.sizes.add(number, setup.header.game().size(), slowest);
        self.all.add(&run.result);
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
        let slowest = self.all.answers.slowest;
        let slowest = slowest.map_or_else(String::new, |wait| format!("slowest {}, ", in_ms(wait)));
        let not_won = self.all.verdicts.failures().total();
        let status = format_args!("sizes up to {largest}, {slowest}{not_won} not won");
        progress.update(self.all.verdicts.total(), status);
        Ok(())
    }

    fn summary(&mut self) -> anyhow::Result<()> {
        if self.form == Form::Json {
            return Ok(());
        }
        let Self { out, games, kinds, all: Figures { verdicts, excused, .. }, .. } = self;
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
    use std::collections::HashSet;

    use zeroxor::GameKind;

    use super::*;

    /// The extreme starts come first, with changing opponents. Then every two small starts are followed by a larger
    /// one.
    #[test]
    fn sizes_are_interleaved() {
        let plan = SearchPlan::new(&[GameFamily::SEGMENT], 2000, 7);
        let games = (0..13).map(|index| plan.game(index));
        let games = games.map(|game| format!("{} {}", game.header, game.opponent.name()));
        let expected = [
            "2000 1 1 perfect",
            "2000 1 2000 random",
            "2000 2 2 greedy",
            "2000 3 3 slow",
            "2000 2000 2000 mirror",
            "1 1 1 stubborn",
            "1997 2 2 perfect",
            "1048 3 3 random",
            "2 1 1 perfect",
            "2 1 1 random",
            "2000 1 1 random",
            "2 1 1 greedy",
            "2 1 1 slow",
        ];
        assert_eq!(games.collect_vec(), expected);
        let random = GameFamily::SEGMENT.random(2000, &mut StartRng::new(7 + 13));
        assert_eq!(plan.game(13).header.game(), &random);
        assert_eq!(plan.game(u64::MAX).seed, 6);
    }

    /// Several families take turns among the small and the random starts.
    #[test]
    fn several_families() {
        let families = [GameFamily::Kind(GameKind::Nim), GameFamily::SEGMENT];
        let plan = SearchPlan::new(&families, 2000, 7);
        let extremes = families.iter().flat_map(|family| family.extremes(2000)).collect_vec();
        let starts = |indices: std::ops::Range<u64>| {
            indices.map(|index| plan.game(index).header.game().clone()).collect_vec()
        };
        let count = extremes.len() as u64;
        assert_eq!(starts(0..count), extremes);
        let small: HashSet<_> = starts(count..count + 60).iter().map(GameSpec::to_string).collect();
        assert!(small.contains("nim 2") && small.contains("segment 2 1 1"), "{small:?}");
        let random = starts(100_000..100_012);
        assert_eq!(random.iter().filter(|start| start.name() == "nim").count(), 6, "{random:?}");
    }

    /// With one family, 3000 games include every extreme and every small start against every opponent. The tables that
    /// find the extreme starts need most of the time, so the test takes these starts from the plan and ends at size
    /// 100.
    #[test]
    fn every_start_meets_every_opponent() {
        for &family in GameFamily::value_variants() {
            for max_n in [1, 2, 7, 100] {
                let plan = SearchPlan::new(&[family], max_n, 1);
                let games = (0..3000).map(|index| plan.game(index));
                let played: HashSet<_> =
                    games.map(|game| (game.header.game().clone(), game.opponent)).collect();
                let listed = plan.listed.iter().flatten().map(|(start, _)| start);
                for start in listed.chain(&family.small(max_n)).unique() {
                    for &opponent in OpponentKind::value_variants() {
                        assert!(played.contains(&(start.clone(), opponent)), "{start} {opponent:?}");
                    }
                }
            }
        }
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
        let expected = [
            group(1, (10, 1), None),
            group(11, (100, 3), Some((7, 3))),
            group(1001, (2000, 0), Some((9, 0))),
        ];
        assert!(sizes.0.into_values().eq(expected));
    }
}
