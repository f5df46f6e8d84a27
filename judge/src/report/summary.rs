//! The summary of several games: verdicts and times by bot, opponent and family of games, as a table or as JSON.

use std::io::{self, Write};
use std::iter;
use std::time::Duration;

use itertools::Itertools;
use runner::escape::printable;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::json::ms;
use crate::referee::game::answer_times::AnswerTimes;
use crate::referee::game::result::GameResult;
use crate::referee::game::review::FinishedGame;
use crate::report::verdict_counts::VerdictCounts;
use crate::text::shortened;

#[derive(Debug, Default)]
pub(crate) struct Summary {
    pub(crate) bots: Vec<BotSummary>,
}

#[derive(Debug, Default, Serialize)]
pub(crate) struct BotSummary {
    pub(crate) bot: String,
    #[serde(flatten)]
    pub(crate) all: Figures,
    /// The name of each opponent, and the figures of the games against it.
    #[serde(serialize_with = "as_object")]
    pub(crate) by_opponent: Vec<(String, Figures)>,
    /// The name of each family of games, and the figures of its games.
    #[serde(serialize_with = "as_object")]
    pub(crate) by_family: Vec<(String, Figures)>,
    /// The game that took longest; `None` before the first game.
    pub(crate) slowest: Option<SlowestGame>,
}

#[derive(Debug, Serialize)]
pub(crate) struct SlowestGame {
    #[serde(rename = "ms", serialize_with = "in_ms")]
    pub(crate) time: Duration,
    /// The command that plays the game again; `None` if the command is not UTF-8.
    pub(crate) again: Option<String>,
}

impl Summary {
    pub(crate) fn add(&mut self, game: &FinishedGame) {
        let name = game.setup.config.bot_name();
        let at = self.bots.iter().position(|bot| bot.bot == name).unwrap_or_else(|| {
            self.bots.push(BotSummary { bot: name, ..BotSummary::default() });
            self.bots.len() - 1
        });
        self.bots[at].add(game);
    }

    pub(crate) fn games(&self) -> u64 {
        self.bots.iter().map(|bot| bot.all.games()).sum()
    }
}

impl BotSummary {
    fn add(&mut self, game: &FinishedGame) {
        let FinishedGame { setup, result, .. } = game;
        self.all.add(result);
        group(&mut self.by_opponent, setup.game.opponent.name()).add(result);
        group(&mut self.by_family, setup.game.header.game().name()).add(result);
        if self.slowest.as_ref().is_none_or(|slowest| result.bot.wall > slowest.time) {
            self.slowest = Some(SlowestGame { time: result.bot.wall, again: setup.command() });
        }
    }
}

/// Returns the figures with a name. Adds empty figures if the name is new.
fn group<'a>(groups: &'a mut Vec<(String, Figures)>, name: &str) -> &'a mut Figures {
    let at = groups.iter().position(|(group, _)| group == name).unwrap_or_else(|| {
        groups.push((name.to_owned(), Figures::default()));
        groups.len() - 1
    });
    &mut groups[at].1
}

/// The verdicts and times of some games.
#[derive(Debug, Default)]
pub(crate) struct Figures {
    pub(crate) verdicts: VerdictCounts,
    /// The verdicts that the strict profile would give, for games that only the contest profile counts as won.
    pub(crate) excused: VerdictCounts,
    answers: AnswerTimes,
    slowest_answer: Option<Duration>,
    /// The time of each game, from the header to the end of the process.
    games: Vec<Duration>,
}

impl Figures {
    pub(crate) fn add(&mut self, result: &GameResult) {
        self.verdicts.extend([result.ruling.verdict]);
        self.excused.extend(result.ruling.excused());
        self.answers.add_all(&result.timing.answers);
        self.slowest_answer = self.slowest_answer.max(result.timing.slowest.map(|(_, wait)| wait));
        self.games.push(result.bot.wall);
    }

    pub(crate) fn games(&self) -> u64 {
        self.verdicts.total()
    }

    pub(crate) fn won(&self) -> u64 {
        self.verdicts.successes()
    }

    /// Returns the spread of the times of all answers. The percentiles may be up to an eighth too long.
    pub(crate) fn answer_times(&self) -> Option<TimeSpread> {
        let max = self.slowest_answer?;
        let time = |per_cent| self.answers.percentile(per_cent).map(|time| time.min(max));
        Some(TimeSpread { p50: time(50)?, p95: time(95)?, p99: time(99)?, max })
    }

    pub(crate) fn game_times(&self) -> Option<TimeSpread> {
        let mut times = self.games.clone();
        times.sort_unstable();
        // The nearest-rank percentile: at least `per_cent` percent of the times are at most this long.
        let time =
            |per_cent: usize| times.get((times.len() * per_cent).div_ceil(100).checked_sub(1)?).copied();
        Some(TimeSpread { p50: time(50)?, p95: time(95)?, p99: time(99)?, max: time(100)? })
    }
}

/// The median, the 95th and the 99th percentile of some times, and the longest time. In JSON they are in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct TimeSpread {
    #[serde(serialize_with = "in_ms")]
    pub(crate) p50: Duration,
    #[serde(serialize_with = "in_ms")]
    pub(crate) p95: Duration,
    #[serde(serialize_with = "in_ms")]
    pub(crate) p99: Duration,
    #[serde(serialize_with = "in_ms")]
    pub(crate) max: Duration,
}

fn in_ms<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(ms(*time))
}

/// Writes the table, and the slowest game of each bot with the command that plays the game again.
pub(crate) fn write_table(out: &mut impl Write, summary: &Summary) -> io::Result<()> {
    let is_comparison = summary.bots.len() > 1;
    let rows = summary.bots.iter().flat_map(|bot| rows(bot, is_comparison)).collect_vec();
    let label = rows.iter().map(|(label, ..)| label.chars().count()).max().unwrap_or(0);
    let won = rows.iter().map(|(_, won, _)| won.len()).max().unwrap_or(0).max("won".len());
    let times = "p50    p95    p99    max";
    writeln!(out)?;
    writeln!(out, "{:label$}  {:won$}  {:>28}  {:>28}", "", "", "ms for an answer", "ms for a game")?;
    writeln!(out, "{:label$}  {:>won$}  {times:>28}  {times:>28}", "", "won")?;
    for (name, of_games, figures) in &rows {
        let (answers, games) = (cells(figures.answer_times()), cells(figures.game_times()));
        writeln!(out, "{name:label$}  {of_games:>won$}  {answers}  {games}")?;
    }
    writeln!(out)?;
    for bot in &summary.bots {
        let Some(SlowestGame { time, again }) = &bot.slowest else { continue };
        let again = again.as_deref().unwrap_or("the command is not valid UTF-8 and cannot be shown");
        let of = if is_comparison { format!(" of {}", printable(&bot.bot)) } else { String::new() };
        writeln!(out, "slowest game{of} ({} ms): {}", number(*time), printable(again))?;
    }
    Ok(())
}

/// Returns the rows of a bot: first one for all its games. Then, if there are several opponents, one for each, and if
/// there are several families of games, one for each. A row is its name, how many games were won, and the figures.
fn rows(bot: &BotSummary, is_comparison: bool) -> impl Iterator<Item = (String, String, &Figures)> {
    let name = if is_comparison { printable(&shortened(&bot.bot)) } else { "all games".to_owned() };
    let groups = [&bot.by_opponent, &bot.by_family].into_iter().filter(|groups| groups.len() > 1).flatten();
    let groups = groups.map(|(name, figures)| (format!("  {name}"), figures));
    let rows = iter::once((name, &bot.all)).chain(groups);
    rows.map(|(name, figures)| (name, format!("{}/{}", figures.won(), figures.games()), figures))
}

/// Formats the four times in columns; without times, writes `-` in each column.
fn cells(times: Option<TimeSpread>) -> String {
    let cell = |time: Option<Duration>| format!("{:>7}", time.map_or_else(|| "-".to_owned(), number));
    let times = times.map(|times| [times.p50, times.p95, times.p99, times.max]);
    (0..4).map(|at| cell(times.map(|times| times[at]))).collect()
}

/// Formats a time in milliseconds, with fewer decimals for longer times.
fn number(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1e3;
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

/// Writes groups of games as an object.
fn as_object<S: Serializer>(groups: &[(String, Figures)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(groups.iter().map(|(name, figures)| (name, figures)))
}

impl Serialize for Figures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Figures", 6)?;
        object.serialize_field("games", &self.games())?;
        object.serialize_field("won", &self.won())?;
        object.serialize_field("verdicts", &self.verdicts)?;
        object.serialize_field("excused", &self.excused)?;
        object.serialize_field("answer_ms", &self.answer_times())?;
        object.serialize_field("game_ms", &self.game_times())?;
        object.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_games() {
        let spread = |ms: &[u64]| {
            let games = ms.iter().map(|&ms| Duration::from_millis(ms)).collect();
            let times = Figures { games, ..Figures::default() }.game_times()?;
            Some([times.p50, times.p95, times.p99, times.max].map(|time| time.as_millis()))
        };
        assert_eq!(spread(&[]), None);
        assert_eq!(spread(&[7]), Some([7, 7, 7, 7]));
        assert_eq!(spread(&[4, 1, 3, 2]), Some([2, 4, 4, 4]));
        let hundred: Vec<u64> = (1..=100).rev().collect();
        assert_eq!(spread(&hundred), Some([50, 95, 99, 100]));
    }
}
