//! The result of a pair of games, in the formats of programs that run leagues.

use std::time::Duration;

use serde::Serialize;

use super::record::GameRecord;
use super::seat_result::is_clean;

/// The results of both bots in a pair of games.
#[derive(Debug)]
pub(crate) struct PairReport {
    game: String,
    seed: u64,
    bots: [BotReport; 2],
}

/// The results of one bot in a pair of games.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct BotReport {
    /// The number of games that the bot won.
    won: u8,
    /// The number of games in which the bot broke a rule.
    violations: u8,
    /// The number of the bot's moves from a won position to a position that the other bot can win.
    blunders: u64,
    /// The longest wait for a line, in whole microseconds: psyleague drops fractions.
    slowest_us: u64,
    /// The first verdict that names a broken rule.
    #[serde(skip)]
    verdict: Option<String>,
}

impl PairReport {
    /// Returns the report of both games between the bots with the names `names`.
    pub(crate) fn of(games: &[GameRecord], names: [&str; 2]) -> Self {
        let mut games: Vec<&GameRecord> = games.iter().collect();
        games.sort_by_key(|game| game.index);
        let mut bots: [BotReport; 2] = Default::default();
        for game in &games {
            let seats = [(&game.first, game.first_won()), (&game.second, !game.first_won())];
            for (seat, has_won) in seats {
                let bot = &mut bots[usize::from(seat.bot != names[0])];
                let is_violation = !is_clean(seat.result.verdict);
                bot.won += u8::from(has_won);
                bot.violations += u8::from(is_violation);
                bot.blunders += seat.result.blunders();
                let slowest = Duration::try_from_secs_f64(seat.result.slowest_ms.unwrap_or(0.0) / 1e3);
                let slowest = slowest.unwrap_or_default().as_micros();
                bot.slowest_us = bot.slowest_us.max(u64::try_from(slowest).unwrap_or(u64::MAX));
                if is_violation {
                    bot.verdict.get_or_insert_with(|| seat.result.verdict.to_string());
                }
            }
        }
        let game = games.first().map_or_else(String::new, |game| game.game.clone());
        Self { game, seed: games.first().map_or(0, |game| game.seed), bots }
    }

    /// Returns the rank of each bot, counted from 0. Both ranks are 0 if each bot won one game.
    fn ranks(&self) -> [u8; 2] {
        let [a, b] = self.bots.each_ref().map(|bot| bot.won);
        [u8::from(a < b), u8::from(b < a)]
    }

    /// Returns 1 for each bot that broke a rule, and 0 for the others.
    fn errors(&self) -> [u8; 2] {
        self.bots.each_ref().map(|bot| u8::from(bot.violations > 0))
    }
}

/// The result in the format of cgarena.
#[derive(Debug, Serialize)]
pub(crate) struct CgarenaResult {
    ranks: [u8; 2],
    errors: [u8; 2],
    attributes: Vec<CgarenaAttribute>,
}

/// A fact about the pair, or about one of the bots.
#[derive(Debug, Serialize)]
struct CgarenaAttribute {
    name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<u8>,
    value: String,
}

pub(crate) fn cgarena(pair: &PairReport) -> CgarenaResult {
    let mut attributes = vec![CgarenaAttribute { name: "game", player: None, value: pair.game.clone() }];
    for (player, bot) in (0..).zip(&pair.bots) {
        let facts = [
            ("won", Some(bot.won.to_string())),
            ("blunders", Some(bot.blunders.to_string())),
            ("slowest_us", Some(bot.slowest_us.to_string())),
            ("verdict", bot.verdict.clone()),
        ];
        attributes.extend(facts.into_iter().filter_map(|(name, value)| {
            Some(CgarenaAttribute { name, player: Some(player), value: value? })
        }));
    }
    CgarenaResult { ranks: pair.ranks(), errors: pair.errors(), attributes }
}

/// The result in the format of psyleague. All values of `player_data` are numbers, because psyleague shows their means.
#[derive(Debug, Serialize)]
pub(crate) struct PsyleagueResult<'a> {
    ranks: [u8; 2],
    errors: [u8; 2],
    test_data: PsyleagueTest<'a>,
    player_data: &'a [BotReport; 2],
}

/// The fields by which `psyleague show` can filter games.
#[derive(Debug, Serialize)]
struct PsyleagueTest<'a> {
    game: &'a str,
    seed: u64,
}

pub(crate) fn psyleague(pair: &PairReport) -> PsyleagueResult<'_> {
    PsyleagueResult {
        ranks: pair.ranks(),
        errors: pair.errors(),
        test_data: PsyleagueTest { game: &pair.game, seed: pair.seed },
        player_data: &pair.bots,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::arena::record::Seat;
    use crate::matches::arena::record::tests::result;
    use common::shards::RunLabel;
    use referee::verdict::Verdict;

    fn pair(verdicts: [[Verdict; 2]; 2]) -> PairReport {
        let seat = |bot: &str, verdict| Seat { bot: bot.to_owned(), result: result(verdict, 3) };
        let game = |index: u64, [a, b]: [Verdict; 2]| {
            let seats = if index == 0 { [seat("A", a), seat("B", b)] } else { [seat("B", b), seat("A", a)] };
            GameRecord::new(&RunLabel::new(&7).unwrap(), index, ("3 1 2".to_owned(), 9), None, seats).unwrap()
        };
        PairReport::of(&[game(1, verdicts[1]), game(0, verdicts[0])], ["A", "B"])
    }

    #[test]
    fn results_as_json() {
        use Verdict::{Crashed, Lost, Won};
        let cgarena = |pair: &PairReport| serde_json::to_string(&cgarena(pair)).unwrap();
        let won = pair([[Won, Crashed], [Won, Lost]]);
        assert_eq!(
            cgarena(&won),
            r#"{"ranks":[0,1],"errors":[0,1],"attributes":[{"name":"game","value":"3 1 2"},{"name":"won","player":0,"value":"2"},{"name":"blunders","player":0,"value":"0"},{"name":"slowest_us","player":0,"value":"1000"},{"name":"won","player":1,"value":"0"},{"name":"blunders","player":1,"value":"0"},{"name":"slowest_us","player":1,"value":"1000"},{"name":"verdict","player":1,"value":"CRASHED"}]}"#
        );
        assert_eq!(
            serde_json::to_string(&psyleague(&won)).unwrap(),
            r#"{"ranks":[0,1],"errors":[0,1],"test_data":{"game":"3 1 2","seed":9},"player_data":[{"won":2,"violations":0,"blunders":0,"slowest_us":1000},{"won":0,"violations":1,"blunders":0,"slowest_us":1000}]}"#
        );
        let even = pair([[Lost, Won], [Won, Lost]]);
        assert!(cgarena(&even).starts_with(r#"{"ranks":[0,0],"errors":[0,0]"#));
        assert!(cgarena(&pair([[Lost, Won], [Lost, Won]])).starts_with(r#"{"ranks":[1,0],"#));
    }
}
