//! A game between two bots. The judge referees each side as a separate game in which the other bot is the opponent, so
//! each bot has its own clocks, limits and verdict.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use zeroxor::Move;

use crate::arena::seat_result::{SeatResult, is_clean};
use crate::arena::worker_bot::WorkerBot;
use crate::conversation::verdict::Verdict;
use crate::referee::game::game_runner::{GameRunner, Progress};
use crate::referee::game::opponent::{Opponent, OpponentTurn};
use crate::referee::game::setup::GameSetup;
use crate::report::transcript::GameLog;
use crate::report::transcript::writer::TranscriptWriter;

#[derive(Clone, Debug)]
pub(crate) struct SeatGame {
    /// The set-up, with the seat of the bot.
    pub(crate) setup: GameSetup,
    pub(crate) transcript: Option<PathBuf>,
    /// Whether to keep the transcript if the bot broke no rule.
    pub(crate) keeps_clean: bool,
}

impl SeatGame {
    fn log(&self) -> Box<dyn GameLog> {
        match &self.transcript {
            Some(path) => Box::new(TranscriptWriter::new(path)),
            None => Box::new(()),
        }
    }

    /// Removes the transcript of a bot that broke no rule, unless `keeps_clean` is set.
    fn remove_if_clean(&self, result: &SeatResult) -> anyhow::Result<()> {
        match &self.transcript {
            Some(path) if !self.keeps_clean && is_clean(result.verdict) => fs::remove_file(path)
                .with_context(|| format!("the transcript {} cannot be removed", path.display())),
            _ => Ok(()),
        }
    }
}

/// Plays a game between two bots, First and Second, and returns the result of each.
pub(crate) fn play(bots: [&mut WorkerBot; 2], games: &[SeatGame; 2]) -> anyhow::Result<[SeatResult; 2]> {
    let [first, second] = bots;
    // Start both bots at the same time.
    first.begin_start()?;
    second.begin_start()?;
    let [first_game, second_game] = games;
    let mut first_player = first.begin_game(&first_game.setup)?;
    let mut second_player = second.begin_game(&second_game.setup)?;
    let [mut first_log, mut second_log] = [first_game.log(), second_game.log()];
    let (of_first, of_second) = (Turns::default(), Turns::default());
    let [first_end, second_end] = {
        let (mut spectator, mut other_spectator) = ((), ());
        let peer = Box::new(Peer { own: &of_first, other: &of_second });
        let (setup, bot, start) = first_player.parts(first_game.setup.clone());
        let mut first = GameRunner::against(setup, bot, peer, &mut spectator, first_log.as_mut())?;
        let peer = Box::new(Peer { own: &of_second, other: &of_first });
        let (setup, bot, second_start) = second_player.parts(second_game.setup.clone());
        let mut second = GameRunner::against(setup, bot, peer, &mut other_spectator, second_log.as_mut())?;
        // Begin the second side and read its first line before the first side begins, so that the judge reads each
        // bot's line without delay.
        second.begin(second_start)?;
        second.advance()?;
        first.begin(start)?;
        while [first.advance()?, second.advance()?] != [Progress::Over; 2] {
            let has_turn = !of_first.is_empty() || !of_second.is_empty();
            ensure!(has_turn, "each side of the game waits for the other");
        }
        [first.finish()?, second.finish()?]
    };
    first.end_game(first_player, first_end.1);
    second.end_game(second_player, second_end.1);
    let results = [&first_end.0, &second_end.0].map(SeatResult::from);
    games.iter().zip(&results).try_for_each(|(game, result)| game.remove_if_clean(result))?;
    Ok(results)
}

/// The turns of a bot that have not been sent to its opponent yet.
#[derive(Debug, Default)]
pub(crate) struct Turns(RefCell<VecDeque<OpponentTurn>>);

impl Turns {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }

    fn add(&self, turn: OpponentTurn) {
        self.0.borrow_mut().push_back(turn);
    }
}

/// The opponent of a bot: the bot on the other side of the game.
#[derive(Debug)]
pub(crate) struct Peer<'a> {
    /// The turns of the bot, which the `Peer` of its opponent takes.
    pub(crate) own: &'a Turns,
    /// The turns of the bot's opponent.
    pub(crate) other: &'a Turns,
}

impl Opponent for Peer<'_> {
    fn bot_played(&mut self, mv: Move) -> anyhow::Result<()> {
        self.own.add(OpponentTurn::Move(mv));
        Ok(())
    }

    fn play(&mut self) -> anyhow::Result<OpponentTurn> {
        Ok(self.other.0.borrow_mut().pop_front().unwrap_or(OpponentTurn::Pending))
    }

    fn bot_has_no_move(&mut self) -> anyhow::Result<()> {
        self.own.add(OpponentTurn::NoMove);
        Ok(())
    }

    fn bot_forfeited(&mut self, verdict: Verdict) -> anyhow::Result<()> {
        self.own.add(OpponentTurn::Forfeit(verdict));
        Ok(())
    }
}
