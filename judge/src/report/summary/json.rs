//! The summary for a program: a line of JSON after those of the games.

use std::collections::BTreeMap;

use serde::Serialize;

use super::figures::{Figures, TimeSpread};
use super::{BotSummary, SlowestGame, Summary};
use crate::report::verdict_counts::VerdictCounts;
use common::SCHEMA;

/// The line of the summary.
#[derive(Serialize)]
pub(crate) struct SummaryLine<'a> {
    schema: u32,
    /// The figures of each bot.
    summary: Vec<BotFields<'a>>,
}

#[derive(Serialize)]
struct BotFields<'a> {
    bot: &'a str,
    #[serde(flatten)]
    all: FiguresFields<'a>,
    slowest: &'a Option<SlowestGame>,
    by_opponent: BTreeMap<&'a str, FiguresFields<'a>>,
    by_family: BTreeMap<&'a str, FiguresFields<'a>>,
}

#[derive(Serialize)]
struct FiguresFields<'a> {
    games: u64,
    won: u64,
    verdicts: &'a VerdictCounts,
    excused: &'a VerdictCounts,
    /// `null` if the bot gave no answer.
    answer_ms: Option<TimeSpread>,
    game_ms: Option<TimeSpread>,
}

impl<'a> From<&'a Summary> for SummaryLine<'a> {
    fn from(summary: &'a Summary) -> Self {
        Self { schema: SCHEMA, summary: summary.bots.iter().map(BotFields::from).collect() }
    }
}

impl<'a> From<&'a BotSummary> for BotFields<'a> {
    fn from(BotSummary { bot, all, by_opponent, by_family, slowest }: &'a BotSummary) -> Self {
        let groups = |groups: &'a [(String, Figures)]| {
            groups.iter().map(|(name, figures)| (name.as_str(), figures.into())).collect()
        };
        let (by_opponent, by_family) = (groups(by_opponent), groups(by_family));
        Self { bot, all: all.into(), slowest, by_opponent, by_family }
    }
}

impl<'a> From<&'a Figures> for FiguresFields<'a> {
    fn from(figures: &'a Figures) -> Self {
        Self {
            games: figures.games(),
            won: figures.won(),
            verdicts: &figures.verdicts,
            excused: &figures.excused,
            answer_ms: figures.answer_times(),
            game_ms: figures.game_times(),
        }
    }
}
