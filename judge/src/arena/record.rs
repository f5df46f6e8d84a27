//! The record of a game: a line of JSON that can be read without the other records.

use std::cmp::Ordering;

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};
use zeroxor::Side;

use crate::SCHEMA;
use crate::arena::plan::PlannedGame;
use crate::conversation::verdict::Verdict;
use crate::json::ms;
use crate::record_file::RecordKind;
use crate::referee::game::answer_times::AnswerTimes;
use crate::referee::game::exchange::side_to_move;
use crate::referee::game::review::FinishedGame;
use crate::referee::game::setup::GameHeader;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct GameRecord {
    schema: u32,
    judge: String,
    pub(crate) run: String,
    /// The game's number in the run. Games 2k and 2k+1 are a pair.
    pub(crate) index: u64,
    pub(crate) game: GameHeader,
    pub(crate) seed: u64,
    winner: String,
    pub(crate) first: SeatRecord,
    pub(crate) second: SeatRecord,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SeatRecord {
    pub(crate) bot: String,
    pub(crate) verdict: Verdict,
    pub(crate) reason: String,
    pub(crate) doubtful: bool,
    pub(crate) has_named_side: bool,
    /// The number of moves made by both bots, as seen on this bot's side of the game.
    pub(crate) moves: usize,
    pub(crate) slowest_ms: Option<f64>,
    pub(crate) cpu_ms: Option<f64>,
    pub(crate) memory_kib: Option<u64>,
    pub(crate) answer_times: AnswerTimes,
    pub(crate) review: Option<ReviewFields>,
    /// The command that plays the game again with the same moves of the opponent, if the bot broke a rule and the moves
    /// fit into a command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) again: Option<String>,
}

/// Maximum length of a command in bytes. Linux starts no program with a longer argument, and a record has to be read again.
const MAX_COMMAND: usize = 128 << 10;

impl SeatRecord {
    pub(crate) fn new(bot: String, game: &FinishedGame) -> Self {
        let result = &game.result;
        let review = game.review.as_ref().and_then(|review| review.as_ref().ok());
        Self {
            bot,
            verdict: result.ruling.verdict,
            reason: result.ruling.reason.clone(),
            doubtful: result.doubtful,
            has_named_side: result.side.is_some(),
            moves: result.moves.len(),
            slowest_ms: result.timing.slowest.map(|(_, wait)| ms(wait)),
            cpu_ms: result.bot.used.cpu.map(ms),
            memory_kib: result.bot.used.memory.map(|bytes| bytes >> 10),
            answer_times: result.timing.answers.clone(),
            review: review.map(|review| ReviewFields {
                start_won_by: review.winner.to_string(),
                blunders: review.blunders.iter().map(|blunder| blunder.ply).collect(),
                opponent_blunders: review.opponent_blunders,
            }),
            again: game
                .command()
                .filter(|command| !is_clean(result.ruling.verdict) && command.len() < MAX_COMMAND),
        }
    }
}

/// The part of a comparison with perfect play that the standings need.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ReviewFields {
    pub(crate) start_won_by: String,
    pub(crate) blunders: Vec<u64>,
    pub(crate) opponent_blunders: u64,
}

/// Returns whether a bot that ended a game with this verdict kept to the rules.
pub(crate) fn is_clean(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Won | Verdict::Lost | Verdict::Resigned)
}

impl GameRecord {
    /// A line has room for a report, which may contain the longest header twice.
    pub(crate) const KIND: RecordKind = ("a game of judge arena", 4 << 20);

    /// Refuses a record that no run can write.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        let Self { schema, index, winner, first, second, .. } = self;
        ensure!(*schema == SCHEMA, "expected schema {SCHEMA}, got {schema}, in game {index}");
        ensure!(first.bot != second.bot, "expected two bots, got {:?} twice, in game {index}", first.bot);
        let winning = winning_side([first, second]).with_context(|| {
            let verdicts = format!("{} and {}", first.verdict, second.verdict);
            format!("expected the verdicts of a game that one bot won, got {verdicts}, in game {index}")
        })?;
        let expected = &self.seat(winning).bot;
        ensure!(
            winner == expected,
            "expected the winner {expected:?}, as the verdicts say, got {winner:?}, in game {index}"
        );
        Ok(())
    }

    /// Creates the record of a game; `None` if no bot won, for example because the judge could not continue.
    pub(crate) fn new(run: &str, index: u64, planned: &PlannedGame, seats: [SeatRecord; 2]) -> Option<Self> {
        let winner = winning_side(seats.each_ref())?;
        let [first, second] = seats;
        let winner = if winner == Side::First { &first.bot } else { &second.bot }.clone();
        let (game, seed) = (GameHeader::new(planned.start.clone(), None), planned.seed);
        let (judge, run) = (env!("CARGO_PKG_VERSION").to_owned(), run.to_owned());
        Some(Self { schema: SCHEMA, judge, run, index, game, seed, winner, first, second })
    }

    /// Whether two records with the same number show the same game. Times and resources may differ.
    pub(crate) fn is_same_game(&self, other: &Self) -> bool {
        let facts = |game: &Self| {
            let seats = [&game.first, &game.second].map(|seat| (seat.bot.clone(), seat.verdict));
            (game.game.clone(), game.seed, game.winner.clone(), seats)
        };
        facts(self) == facts(other)
    }

    /// Fails if the games of a pair have other starts or seeds, or the bots did not swap seats.
    pub(crate) fn check_pair(&self, other: &Self) -> anyhow::Result<()> {
        let is_pair = (&self.game, self.seed) == (&other.game, other.seed)
            && (&self.first.bot, &self.second.bot) == (&other.second.bot, &other.first.bot);
        let shown = |Self { index, game, seed, first, second, .. }: &Self| {
            format!("game {index}: \"{game}\" with seed {seed}, {:?} against {:?}", first.bot, second.bot)
        };
        ensure!(
            is_pair,
            "expected the same start and seed with the seats swapped in the games of a pair, got {}, and {}",
            shown(self),
            shown(other)
        );
        Ok(())
    }

    pub(crate) fn seat(&self, side: Side) -> &SeatRecord {
        if side == Side::First { &self.first } else { &self.second }
    }

    pub(crate) fn first_won(&self) -> bool {
        self.winner == self.first.bot
    }

    pub(crate) fn has_violation(&self) -> bool {
        [&self.first, &self.second].into_iter().any(|seat| !is_clean(seat.verdict))
    }
}

/// Returns when a bot broke a rule, in the order of the expected lines: 0 if the bot named no side, the number of the
/// move that it did not make, or the largest number after its win.
fn violation_time(seat: &SeatRecord, side: Side) -> usize {
    let ply = seat.moves.saturating_add(1);
    match side_to_move(ply as u64) == side {
        _ if !seat.has_named_side => 0,
        true => ply,
        false => usize::MAX,
    }
}

/// Returns the side that won, from the seats of First and Second; `None` if the results name no single winner, for
/// example because the judge could not continue.
///
/// A bot that breaks a rule loses. If neither bot breaks a rule, the bot without a move loses, or wins in misère play.
/// If both break a rule, the first to do so loses. The order of the expected lines decides who was first, not the
/// clock, so the winner does not depend on timing.
fn winning_side(seats: [&SeatRecord; 2]) -> Option<Side> {
    if seats.iter().any(|seat| matches!(seat.verdict, Verdict::JudgeError | Verdict::Interrupted)) {
        return None;
    }
    let rank = |seat: &SeatRecord| (seat.verdict == Verdict::Won, is_clean(seat.verdict));
    let is_second = match rank(seats[0]).cmp(&rank(seats[1])) {
        Ordering::Equal if is_clean(seats[0].verdict) => return None,
        Ordering::Equal => violation_time(seats[0], Side::First) <= violation_time(seats[1], Side::Second),
        order => order == Ordering::Less,
    };
    Some(if is_second { Side::Second } else { Side::First })
}

#[cfg(test)]
pub(crate) mod tests {
    use std::time::Duration;

    use zeroxor::Move;

    use super::*;
    use crate::config::MatchConfig;
    use crate::conversation::verdict::{Class, Ruling};
    use crate::referee::game::game_state::GameState;
    use crate::referee::game::setup::{GameSetup, OpponentKind};
    use crate::report::transcript::SetupLine;

    pub(in crate::arena) fn seat(bot: &str, verdict: Verdict, moves: usize) -> SeatRecord {
        SeatRecord {
            bot: bot.to_owned(),
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

    /// The command of a game has the opponent's moves, if they are not too many.
    #[test]
    fn the_command_of_a_game() {
        let command = |moves: u64| {
            let game =
                GameSetup::new("1000000000000000000 1 1 seat second".parse().unwrap(), OpponentKind::Bot, 1);
            let setup =
                SetupLine::new(game, MatchConfig { bot: vec!["b".into()], ..MatchConfig::default() }, None);
            let mut game = FinishedGame::new(GameState::new(setup).unwrap(), Duration::ZERO).unwrap();
            game.result.ruling = Ruling::new(Class::Crash, "");
            game.result.side = Some(Side::Second);
            game.result.moves = (0..moves).map(|at| Move { place: 10_u64.pow(17) + at, take: 1 }).collect();
            SeatRecord::new("b".to_owned(), &game).again
        };
        assert!(command(10_000).is_some_and(|command| command.contains("100000000000009998 1\" -- b")));
        assert_eq!(command(20_000), None);
    }

    #[test]
    fn the_verdicts_of_both_bots_decide_who_won() {
        use Verdict::{Crashed, Illegal, Lost, NoExit, Resigned, Won};
        let result = |verdict, moves| seat("a", verdict, moves);
        let silent = || SeatRecord { has_named_side: false, ..result(Crashed, 0) };
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
            // Both crash at the same time. The bot whose line was expected first loses.
            (silent(), silent(), Some(Side::Second)),
            (result(Crashed, 0), silent(), Some(Side::First)),
        ] {
            assert_eq!(winning_side([&first, &second]), expected, "{first:?} {second:?}");
        }
    }
}
