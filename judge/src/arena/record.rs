//! The record of a game: a line of JSON that can be read without the other records.

use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};
use zeroxor::Side;

use crate::SCHEMA;
use crate::arena::seat_result::{SeatResult, is_clean};
use crate::conversation::verdict::Verdict;
use crate::record_file::Record;
use crate::referee::game::exchange::side_to_move;
use crate::referee::game::setup::GameHeader;

/// Upper bound on the number of games of a run. JavaScript reads all smaller numbers exactly.
const MAX_GAMES: u64 = 1 << 53;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct GameRecord {
    schema: u32,
    /// The judge's version.
    judge: String,
    pub(crate) run: String,
    /// The game's number in the run. Games 2k and 2k+1 are a pair.
    pub(crate) index: u64,
    pub(crate) game: String,
    pub(crate) seed: u64,
    /// The name of the bot that won.
    winner: String,
    pub(crate) first: Seat,
    pub(crate) second: Seat,
}

/// A bot in a game, and its result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Seat {
    pub(crate) bot: String,
    #[serde(flatten)]
    pub(crate) result: SeatResult,
}

impl Record for GameRecord {
    const WHAT: &str = "a game of judge arena";
    /// Enough for a report, which may contain the longest header twice.
    const LINE_LIMIT: u64 = 4 << 20;
    /// Most values of a long line belong to blunders, with ten values each, and to the buckets of answer times.
    const VALUES_LIMIT: u64 = 1 << 18;

    fn check(&self) -> anyhow::Result<()> {
        let Self { schema, index, game, winner, first, second, .. } = self;
        ensure!(*schema == SCHEMA, "expected schema {SCHEMA}, got {schema}, in game {index}");
        ensure!(*index < MAX_GAMES, "expected a game number below {MAX_GAMES}, got {index}");
        game.parse::<GameHeader>().with_context(|| format!("the start {game:?} of game {index}"))?;
        ensure!(first.bot != second.bot, "expected two bots, got {:?} twice, in game {index}", first.bot);
        for seat in [first, second] {
            seat.result.check().with_context(|| format!("the bot {:?} in game {index}", seat.bot))?;
        }
        let expected = match winning_side([&first.result, &second.result]) {
            Some(Side::First) => &first.bot,
            Some(Side::Second) => &second.bot,
            None => bail!(
                "expected the verdicts of a game that one bot won, got {} and {}, in game {index}",
                first.result.verdict,
                second.result.verdict
            ),
        };
        ensure!(
            winner == expected,
            "expected the winner {expected:?}, as the verdicts say, got {winner:?}, in game {index}"
        );
        Ok(())
    }
}

impl GameRecord {
    /// Creates the record of a game; `None` if no bot won, for example because the judge could not continue.
    pub(crate) fn new(run: &str, index: u64, (game, seed): (String, u64), seats: [Seat; 2]) -> Option<Self> {
        let winner = winning_side([&seats[0].result, &seats[1].result])?;
        let [first, second] = seats;
        let winner = if winner == Side::First { &first.bot } else { &second.bot }.clone();
        let (judge, run) = (env!("CARGO_PKG_VERSION").to_owned(), run.to_owned());
        Some(Self { schema: SCHEMA, judge, run, index, game, seed, winner, first, second })
    }

    /// Whether two records with the same number show the same game. Times and resources may differ.
    pub(crate) fn is_same_game(&self, other: &Self) -> bool {
        let facts = |game: &Self| {
            let seats = [&game.first, &game.second].map(|seat| (seat.bot.clone(), seat.result.verdict));
            (game.game.clone(), game.seed, game.winner.clone(), seats)
        };
        facts(self) == facts(other)
    }

    /// Checks that two games are a pair.
    ///
    /// # Errors
    ///
    /// If the games do not have the same start and seed, or the bots did not swap seats.
    pub(crate) fn check_pair(&self, other: &Self) -> anyhow::Result<()> {
        let is_pair = (&self.game, self.seed) == (&other.game, other.seed)
            && (&self.first.bot, &self.second.bot) == (&other.second.bot, &other.first.bot);
        let shown = |Self { index, game, seed, first, second, .. }: &Self| {
            format!("game {index}: {game:?} with seed {seed}, {:?} against {:?}", first.bot, second.bot)
        };
        ensure!(
            is_pair,
            "expected the same start and seed with the seats swapped in the games of a pair, got {}, and {}",
            shown(self),
            shown(other)
        );
        Ok(())
    }

    pub(crate) fn seat(&self, side: Side) -> &Seat {
        if side == Side::First { &self.first } else { &self.second }
    }

    pub(crate) fn first_won(&self) -> bool {
        self.winner == self.first.bot
    }

    /// Returns whether a bot broke a rule.
    pub(crate) fn has_violation(&self) -> bool {
        [&self.first, &self.second].into_iter().any(|seat| !is_clean(seat.result.verdict))
    }
}

/// The point of a game at which a bot broke a rule. Points are ordered like the expected lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ViolationTime {
    /// The bot broke the rule instead of printing its side.
    Side,
    /// The bot broke the rule instead of making the move with this number.
    Move(usize),
    /// The bot broke the rule after it had won.
    AfterTheEnd,
}

fn violation_time(result: &SeatResult, side: Side) -> ViolationTime {
    let ply = result.moves.saturating_add(1);
    if !result.has_named_side {
        ViolationTime::Side
    } else if side_to_move(ply as u64) == side {
        ViolationTime::Move(ply)
    } else {
        ViolationTime::AfterTheEnd
    }
}

/// Returns the side that won, from the results of First and Second; `None` if the results name no single winner, for
/// example because the judge could not continue.
///
/// A bot that breaks a rule loses. If neither bot breaks a rule, the bot without a move loses, or wins in misère play.
/// If both break a rule, the first to do so loses. The order of the expected lines decides who was first, not the
/// clock, so the winner does not depend on timing.
fn winning_side(results: [&SeatResult; 2]) -> Option<Side> {
    let verdicts = results.map(|result| result.verdict);
    if verdicts.iter().any(|verdict| matches!(verdict, Verdict::JudgeError | Verdict::Interrupted)) {
        return None;
    }
    match verdicts {
        [Verdict::Won, Verdict::Won] => None,
        [Verdict::Won, _] => Some(Side::First),
        [_, Verdict::Won] => Some(Side::Second),
        verdicts => match verdicts.map(is_clean) {
            [true, true] => None,
            [true, false] => Some(Side::First),
            [false, true] => Some(Side::Second),
            [false, false] => {
                let first = violation_time(results[0], Side::First);
                let second = violation_time(results[1], Side::Second);
                Some(if first <= second { Side::Second } else { Side::First })
            }
        },
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::referee::game::answer_times::AnswerTimes;

    pub(in crate::arena) fn result(verdict: Verdict, moves: usize) -> SeatResult {
        SeatResult {
            verdict,
            reason: "a reason".to_owned(),
            doubtful: false,
            has_named_side: true,
            moves,
            slowest_ms: Some(1.0),
            cpu_ms: None,
            memory_kib: None,
            answer_times: AnswerTimes::default(),
            review: None,
            again: None,
        }
    }

    #[test]
    fn the_verdicts_of_both_bots_decide_who_won() {
        use Verdict::{Crashed, Illegal, Lost, NoExit, Resigned, Won};
        for (first, second, expected) in [
            (result(Won, 3), result(Lost, 3), Some(Side::First)),
            (result(Resigned, 2), result(Won, 2), Some(Side::Second)),
            (result(Won, 1), result(Crashed, 1), Some(Side::First)),
            (result(NoExit, 3), result(Lost, 3), Some(Side::Second)),
            // Second does not make move 2. Then First does not exit.
            (result(NoExit, 1), result(Illegal, 1), Some(Side::First)),
            (result(Illegal, 2), result(NoExit, 2), Some(Side::Second)),
            (result(Verdict::JudgeError, 2), result(Won, 2), None),
            (result(Won, 2), result(Verdict::Interrupted, 2), None),
        ] {
            assert_eq!(winning_side([&first, &second]), expected, "{first:?} {second:?}");
        }
    }

    /// If both bots crash at the same time, the bot whose line was expected first loses.
    #[test]
    fn two_violations_in_the_order_of_the_lines() {
        let silent = || SeatResult { has_named_side: false, ..result(Verdict::Crashed, 0) };
        assert_eq!(winning_side([&silent(), &silent()]), Some(Side::Second));
        assert_eq!(winning_side([&result(Verdict::Crashed, 0), &silent()]), Some(Side::First));
    }

    #[test]
    fn a_record_as_json() {
        let seat = |bot: &str, verdict| Seat { bot: bot.to_owned(), result: result(verdict, 3) };
        let seats = [seat("a", Verdict::Lost), seat("b", Verdict::Won)];
        let record = GameRecord::new("run", 7, ("3 1 2".to_owned(), 9), seats).unwrap();
        assert!(!record.first_won() && !record.has_violation());
        let text = serde_json::to_string(&record).unwrap();
        assert!(text.contains(r#""winner":"b","first":{"bot":"a","verdict":"LOST""#), "{text}");
        assert_eq!(serde_json::from_str::<GameRecord>(&text).unwrap(), record);
    }
}
