//! The run: the games of a plan are played, several at a time.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::PathBuf;
use std::sync::mpsc::{self, Sender};
use std::sync::{PoisonError, RwLock};
use std::thread;

use anyhow::{Context, bail};

use super::game::{self, SeatGame};
use super::plan::{Plan, PlannedGame};
use super::queue::GameQueue;
use super::record::{GameRecord, Seat};
use super::seat_result::SeatResult;
use super::table_bot::TableBot;
use common::interrupt::interrupted;
use common::threads;
use referee::setup::GameHeader;
use runner::affinity;
use runner::bot_process::wait::set_games_at_once;

/// The processor on which the bots of a table run alone, if they are given one.
pub(crate) type TableProcessor = Option<usize>;

/// Where the transcripts of games go.
#[derive(Clone, Debug)]
pub(crate) struct TranscriptFolder {
    pub(crate) path: PathBuf,
    /// Whether those of games in which a bot broke no rule are kept.
    pub(crate) keeps_clean: bool,
}

/// Plays the games of a plan below the number `end` that are wanted, at these tables at the same time, and passes each record to `show`,
/// which adds it to the plan and returns where the run ends now.
///
/// # Errors
///
/// If a bot cannot be started, a game cannot be refereed, or `show` fails. After Ctrl-C it returns without an error.
pub(crate) fn run(
    plan: &Plan,
    is_wanted: impl Fn(u64) -> bool + Sync,
    end: u64,
    tables: &[TableProcessor],
    transcripts: Option<&TranscriptFolder>,
    mut show: impl FnMut(GameRecord) -> anyhow::Result<u64>,
) -> anyhow::Result<()> {
    let (queue, turns) = (GameQueue::new(is_wanted, plan.ready(), end), RwLock::new(()));
    set_games_at_once(tables.len());
    thread::scope(|scope| {
        let (sender, records) = mpsc::channel();
        for &processor in tables {
            let (sender, queue) = (sender.clone(), &queue);
            let table = Table { plan, transcripts, turns: &turns, processor };
            let play = move || table.play_all(queue, &sender);
            threads::start_scoped(scope, play).inspect_err(|_| queue.stop())?;
        }
        drop(sender);
        let collected = records.iter().try_for_each(|record| {
            let end = show(record?)?;
            queue.extend(plan.ready(), end);
            Ok(())
        });
        // After an error no game is begun.
        queue.stop();
        collected
    })
}

/// A table at which one game is played at a time.
struct Table<'a> {
    plan: &'a Plan,
    transcripts: Option<&'a TranscriptFolder>,
    /// A table that plays holds it for reading, and one that must play alone for writing.
    turns: &'a RwLock<()>,
    processor: TableProcessor,
}

/// The bots at a table by their numbers. Each stays for its next game.
type TableBots = HashMap<usize, TableBot>;

impl Table<'_> {
    /// Plays the games of the queue, until there are no more.
    fn play_all(self, queue: &GameQueue<impl Fn(u64) -> bool>, records: &Sender<anyhow::Result<GameRecord>>) {
        let mut bots = TableBots::new();
        // What this thread starts runs there as well.
        if let Some(Err(error)) = self.processor.map(affinity::run_on) {
            let _ = records.send(Err(error));
            return;
        }
        while let Some(index) = queue.next() {
            let record = match self.play(index, &mut bots) {
                Ok(Some(record)) => Ok(record),
                Ok(None) => break,
                Err(error) => Err(error),
            };
            let failed = record.is_err();
            if records.send(record).is_err() || failed {
                break;
            }
        }
        // Whoever waits for the end of a round that will not end need not.
        if interrupted() {
            queue.stop();
        }
    }

    /// Plays a game; `None` after Ctrl-C. If the judge cannot know whether a bot kept to its limits, the game is played
    /// again while no other one is, and the second result counts.
    fn play(&self, index: u64, bots: &mut TableBots) -> anyhow::Result<Option<GameRecord>> {
        let planned = self.plan.game(index)?;
        let results = {
            let _others_play = self.turns.read().unwrap_or_else(PoisonError::into_inner);
            self.play_once(&planned, &self.seat_games(index, &planned, false), bots)?
        };
        let is_doubtful = results.iter().any(|result| result.doubtful);
        let record = self.record(index, &planned, results);
        if interrupted() {
            return Ok(record.ok());
        }
        if record.is_ok() && !is_doubtful {
            return record.map(Some);
        }
        let _alone = self.turns.write().unwrap_or_else(PoisonError::into_inner);
        let results = self.play_once(&planned, &self.seat_games(index, &planned, true), bots)?;
        let record = self.record(index, &planned, results);
        if interrupted() { Ok(record.ok()) } else { record.map(Some) }
    }

    /// The record of a game.
    fn record(
        &self,
        index: u64,
        planned: &PlannedGame,
        results: [SeatResult; 2],
    ) -> anyhow::Result<GameRecord> {
        let [first, second] = results;
        let name = |seat: usize| self.plan.entrants[planned.seats[seat]].name.clone();
        let seats = [Seat { bot: name(0), result: first }, Seat { bot: name(1), result: second }];
        let reasons = seats.each_ref().map(|seat| format!("{}: {}", seat.bot, seat.result.reason));
        let header = GameHeader::new(planned.start.clone(), None).to_string();
        let record = GameRecord::new(&self.plan.label, index, (header, planned.seed), planned.round, seats);
        record.with_context(|| format!("game {index} could not be refereed: {}", reasons.join("; ")))
    }

    fn play_once(
        &self,
        planned: &PlannedGame,
        games: &[SeatGame; 2],
        bots: &mut TableBots,
    ) -> anyhow::Result<[SeatResult; 2]> {
        for seat in planned.seats {
            if let Entry::Vacant(vacant) = bots.entry(seat) {
                vacant.insert(TableBot::new(&self.plan.entrants[seat], &self.plan.configs[seat])?);
            }
        }
        let [first, second] = planned.seats;
        let [Some(first), Some(second)] = bots.get_disjoint_mut([&first, &second]) else {
            bail!("a bot cannot play itself")
        };
        game::play([first, second], games).context("the game could not be played")
    }

    /// The two sides of the game, with the files for transcripts.
    fn seat_games(&self, index: u64, planned: &PlannedGame, repeat: bool) -> [SeatGame; 2] {
        let mut games = planned.seat_games();
        for game in &mut games {
            game.setup.repeat = repeat;
        }
        if let Some(folder) = self.transcripts {
            for (game, seat) in games.iter_mut().zip(planned.seats) {
                let name = format!("{index:07}-{}.jsonl", self.plan.entrants[seat].name);
                game.transcript = Some(folder.path.join(name));
                game.keeps_clean = folder.keeps_clean;
            }
        }
        games
    }
}
