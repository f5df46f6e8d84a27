//! The summary of several games: verdicts and times by bot, opponent and family of games, as a table or as JSON.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::iter;
use std::time::Duration;

use itertools::Itertools;
use runner::escape::printable;
use serde::{Serialize, Serializer};

use crate::conversation::verdict::Verdict;
use crate::json::ms;
use crate::referee::game::answer_times::AnswerTimes;
use crate::referee::game::review::{FinishedGame, GameResult};
use crate::report::run::shown_command;
use crate::text::{counted, shortened};

/// The number of runs with each verdict, written as `3 EXTRA_OUTPUT, 16 NO_EXIT`.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(transparent)]
pub(crate) struct VerdictCounts(BTreeMap<Verdict, u64>);

/// The noun of what is counted, and the word for its success.
type Counted = (&'static str, &'static str);

pub(crate) const GAMES: Counted = ("game", "won");
pub(crate) const RUNS: Counted = ("run", "accepted");

impl VerdictCounts {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn count(&self, verdict: Verdict) -> u64 {
        self.0.get(&verdict).copied().unwrap_or(0)
    }

    pub(crate) fn total(&self) -> u64 {
        self.0.values().sum()
    }

    pub(crate) fn successes(&self) -> u64 {
        let successes = self.0.iter().filter(|(verdict, _)| verdict.is_success());
        successes.map(|(_, count)| count).sum()
    }

    pub(crate) fn all_succeeded(&self) -> bool {
        self.successes() == self.total()
    }

    pub(crate) fn failures(&self) -> Self {
        let failures = self.0.iter().filter(|(verdict, _)| !verdict.is_success());
        Self(failures.map(|(&verdict, &count)| (verdict, count)).collect())
    }

    /// Returns how many of a bot's games or runs succeeded, and with `has_others` the other verdicts of several.
    pub(crate) fn summary(&self, bot: &str, (noun, success): Counted, has_others: bool) -> String {
        let (bot, total) = (printable(&shortened(bot)), self.total());
        let mut summary = format!("{bot}: {} of {} {success}", self.successes(), counted(total, noun));
        if has_others && total > 1 && !self.all_succeeded() {
            summary += &format!("; not {success}: {}", self.failures());
        }
        summary
    }
}

impl Extend<Verdict> for VerdictCounts {
    fn extend<I: IntoIterator<Item = Verdict>>(&mut self, verdicts: I) {
        for verdict in verdicts {
            *self.0.entry(verdict).or_default() += 1;
        }
    }
}

impl fmt::Display for VerdictCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = self.0.iter().map(|(verdict, count)| format!("{count} {verdict}"));
        write!(f, "{}", counts.format(", "))
    }
}

#[derive(Debug, Default, Serialize)]
pub(crate) struct BotSummary {
    pub(crate) bot: String,
    #[serde(flatten)]
    pub(crate) all: Figures,
    #[serde(serialize_with = "as_object")]
    pub(crate) by_opponent: Vec<(String, Figures)>,
    #[serde(serialize_with = "as_object")]
    pub(crate) by_family: Vec<(String, Figures)>,
    pub(crate) slowest: Option<SlowestGame>,
}

#[derive(Debug, Serialize)]
pub(crate) struct SlowestGame {
    ms: f64,
    /// The command that plays the game again; `None` if the command is not UTF-8.
    pub(crate) again: Option<String>,
}

/// Adds a game to the summary of its bot. The bots, opponents and families stay in the order of their first games.
pub(crate) fn add_game(bots: &mut Vec<BotSummary>, FinishedGame { setup, result, .. }: &FinishedGame) {
    let name = setup.config.bot_name();
    let new = || BotSummary { bot: name.clone(), ..BotSummary::default() };
    let bot = find_or_push(bots, |bot| bot.bot == name, new);
    bot.all.add(result);
    let opponent = (&mut bot.by_opponent, setup.game.opponent.name());
    for (groups, name) in [opponent, (&mut bot.by_family, setup.game.header.game().name())] {
        let new = || (name.to_owned(), Figures::default());
        find_or_push(groups, |(group, _)| group == name, new).1.add(result);
    }
    let wall = ms(result.bot.wall);
    if bot.slowest.as_ref().is_none_or(|slowest| wall > slowest.ms) {
        bot.slowest = Some(SlowestGame { ms: wall, again: setup.command() });
    }
}

fn find_or_push<T>(list: &mut Vec<T>, is_wanted: impl Fn(&T) -> bool, new: impl FnOnce() -> T) -> &mut T {
    let at = list.iter().position(is_wanted).unwrap_or_else(|| {
        list.push(new());
        list.len() - 1
    });
    &mut list[at]
}

/// The results of several games.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Figures {
    games: u64,
    won: u64,
    pub(crate) verdicts: VerdictCounts,
    /// The verdicts that the strict profile would give, for games that only the contest profile counts as won.
    pub(crate) excused: VerdictCounts,
    #[serde(rename = "answer_ms")]
    pub(crate) answers: Times,
    /// From the header to the end of the process.
    #[serde(rename = "game_ms")]
    durations: Times,
}

impl Figures {
    pub(crate) fn add(&mut self, result: &GameResult) {
        self.games += 1;
        self.won += u64::from(result.ruling.verdict.is_success());
        self.verdicts.extend([result.ruling.verdict]);
        self.excused.extend(result.ruling.excused());
        self.answers.add_all(&result.timing.answers, result.timing.slowest.map(|(_, wait)| wait));
        self.durations.add(result.bot.wall);
    }
}

/// A histogram of times, and the longest of them.
#[derive(Debug, Default)]
pub(crate) struct Times {
    times: AnswerTimes,
    pub(crate) slowest: Option<Duration>,
}

impl Times {
    fn add(&mut self, time: Duration) {
        self.times.add(time);
        self.slowest = self.slowest.max(Some(time));
    }

    pub(crate) fn add_all(&mut self, times: &AnswerTimes, slowest: Option<Duration>) {
        self.times.add_all(times);
        self.slowest = self.slowest.max(slowest);
    }

    /// The percentiles may be up to an eighth too long.
    pub(crate) fn spread(&self) -> Option<TimeSpread> {
        let time = |per_cent| Some(ms(self.times.percentile(per_cent)?.min(self.slowest?)));
        Some(TimeSpread { p50: time(50)?, p95: time(95)?, p99: time(99)?, max: ms(self.slowest?) })
    }
}

impl Serialize for Times {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.spread().serialize(serializer)
    }
}

/// The median, the 95th and the 99th percentile of some times, and the longest time, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct TimeSpread {
    pub(crate) p50: f64,
    pub(crate) p95: f64,
    p99: f64,
    pub(crate) max: f64,
}

pub(crate) fn write_table(out: &mut impl Write, bots: &[BotSummary]) -> io::Result<()> {
    let is_comparison = bots.len() > 1;
    let rows = bots.iter().flat_map(|bot| rows(bot, is_comparison)).collect_vec();
    let label = rows.iter().map(|(label, ..)| label.chars().count()).max().unwrap_or(0);
    let won = rows.iter().map(|(_, won, _)| won.len()).max().unwrap_or(0).max("won".len());
    let times = "p50    p95    p99    max";
    writeln!(out)?;
    writeln!(out, "{:label$}  {:won$}  {:>28}  {:>28}", "", "", "ms for an answer", "ms for a game")?;
    writeln!(out, "{:label$}  {:>won$}  {times:>28}  {times:>28}", "", "won")?;
    for (name, of_games, figures) in &rows {
        let (answers, games) = (cells(figures.answers.spread()), cells(figures.durations.spread()));
        writeln!(out, "{name:label$}  {of_games:>won$}  {answers}  {games}")?;
    }
    writeln!(out)?;
    for bot in bots {
        let Some(SlowestGame { ms, again }) = &bot.slowest else { continue };
        let again = shown_command(again.as_deref());
        let of = if is_comparison { format!(" of {}", printable(&bot.bot)) } else { String::new() };
        writeln!(out, "slowest game{of} ({} ms): {again}", number(*ms))?;
    }
    Ok(())
}

fn rows(bot: &BotSummary, is_comparison: bool) -> impl Iterator<Item = (String, String, &Figures)> {
    let name = if is_comparison { printable(&shortened(&bot.bot)) } else { "all games".to_owned() };
    let groups = [&bot.by_opponent, &bot.by_family].into_iter().filter(|groups| groups.len() > 1).flatten();
    let groups = groups.map(|(name, figures)| (format!("  {name}"), figures));
    let rows = iter::once((name, &bot.all)).chain(groups);
    rows.map(|(name, figures)| (name, format!("{}/{}", figures.won, figures.games), figures))
}

/// Formats the four times in columns; without times, writes `-` in each column.
fn cells(times: Option<TimeSpread>) -> String {
    let cell = |ms: Option<f64>| format!("{:>7}", ms.map_or_else(|| "-".to_owned(), number));
    let times = times.map(|times| [times.p50, times.p95, times.p99, times.max]);
    (0..4).map(|at| cell(times.map(|times| times[at]))).collect()
}

/// Formats a time in milliseconds, with fewer decimals for longer times.
fn number(ms: f64) -> String {
    let digits = match ms {
        ..0.995 => 2,
        0.995..99.5 => 1,
        _ => 0,
    };
    format!("{ms:.digits$}")
}

#[derive(Serialize)]
pub(crate) struct SummaryLine<'a> {
    pub(crate) schema: u32,
    pub(crate) summary: &'a [BotSummary],
}

fn as_object<S: Serializer>(groups: &[(String, Figures)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(groups.iter().map(|(name, figures)| (name, figures)))
}
