//! The summary of several games: verdicts and times by bot, opponent and family of games.

use std::time::Duration;

use serde::Serialize;

use referee::finished_game::FinishedGame;

pub(crate) mod figures;
pub(crate) mod json;
pub(crate) mod table;

use figures::Figures;

/// The figures of all games, for each bot, in the order in which the bots first played.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    pub(crate) bots: Vec<BotSummary>,
}

/// The figures of a bot's games.
#[derive(Debug, Default)]
pub(crate) struct BotSummary {
    pub(crate) bot: String,
    pub(crate) all: Figures,
    /// The figures against each opponent, by its name.
    pub(crate) by_opponent: Vec<(String, Figures)>,
    /// The figures of each family of games, by its name.
    pub(crate) by_family: Vec<(String, Figures)>,
    /// The game that took longest.
    pub(crate) slowest: Option<SlowestGame>,
}

/// The game that took longest.
#[derive(Debug, Serialize)]
pub(crate) struct SlowestGame {
    #[serde(rename = "ms", serialize_with = "figures::in_ms")]
    pub(crate) time: Duration,
    /// The command that plays it again; `None` if it is not UTF-8.
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
        if self.slowest.as_ref().is_none_or(|slowest| result.wall > slowest.time) {
            self.slowest = Some(SlowestGame { time: result.wall, again: setup.command() });
        }
    }
}

/// The figures with this name, which are added if there are none.
fn group<'a>(groups: &'a mut Vec<(String, Figures)>, name: &str) -> &'a mut Figures {
    let at = groups.iter().position(|(group, _)| group == name).unwrap_or_else(|| {
        groups.push((name.to_owned(), Figures::default()));
        groups.len() - 1
    });
    &mut groups[at].1
}
