//! The workers of a run, which play the games of a plan, several at a time.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;

use anyhow::{Context, bail};
use runner::interrupt::interrupted;
use runner::{OneProcessor, threads};

use crate::arena::game;
use crate::arena::game::SeatGame;
use crate::arena::plan::{Plan, PlannedGame};
use crate::arena::record::{GameRecord, Seat};
use crate::arena::seat_result::SeatResult;
use crate::arena::worker_bot::WorkerBot;
use crate::referee::game::setup::GameHeader;
use crate::trials::parallel::ExclusiveRerun;

/// The folder for the transcripts of games.
#[derive(Clone, Debug)]
pub(crate) struct TranscriptFolder {
    pub(crate) path: PathBuf,
    /// Whether to keep the transcripts in which the bot broke no rule.
    pub(crate) keeps_clean: bool,
}

/// Plays the games of a plan with numbers below `end` for which `is_wanted` returns true, `jobs` games at the same
/// time. Each record is passed to `show`, which returns the new value of `end`.
///
/// # Errors
///
/// If a bot cannot be started, a game cannot be refereed, or `show` fails. Ctrl-C ends the run without an error.
pub(crate) fn run(
    plan: &Plan,
    is_wanted: impl Fn(u64) -> bool + Sync,
    end: u64,
    jobs: u16,
    transcripts: Option<&TranscriptFolder>,
    mut show: impl FnMut(GameRecord) -> anyhow::Result<u64>,
) -> anyhow::Result<()> {
    let (queue, rerun) = (GameQueue::new(is_wanted, end), ExclusiveRerun::default());
    thread::scope(|scope| {
        let (sender, records) = mpsc::channel();
        for _ in 0..jobs {
            let (sender, queue) = (sender.clone(), &queue);
            let worker = ArenaWorker { plan, transcripts, rerun: &rerun };
            let play = move || worker.play_all(queue, &sender);
            threads::start_scoped(scope, play).inspect_err(|_| queue.stop())?;
        }
        drop(sender);
        let collected = records.iter().try_for_each(|record| {
            queue.end_at(show(record?)?);
            Ok(())
        });
        // Let no game begin after an error.
        queue.stop();
        collected
    })
}

/// A worker, which plays one game at a time.
struct ArenaWorker<'a> {
    plan: &'a Plan,
    transcripts: Option<&'a TranscriptFolder>,
    rerun: &'a ExclusiveRerun,
}

/// The bots of a worker by their numbers. Each bot is kept for its next game.
type WorkerBots = HashMap<usize, WorkerBot>;

impl ArenaWorker<'_> {
    /// Plays the games of the queue until no game is left.
    fn play_all(self, queue: &GameQueue<impl Fn(u64) -> bool>, records: &Sender<anyhow::Result<GameRecord>>) {
        let mut bots = WorkerBots::new();
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
    }

    /// Plays a game; returns `None` if Ctrl-C ended it. If the game has no result, or the judge cannot know whether a
    /// bot kept to its limits, plays the game again while no other game runs, and the second result counts.
    fn play(&self, index: u64, bots: &mut WorkerBots) -> anyhow::Result<Option<GameRecord>> {
        let planned = self.plan.game(index)?;
        let play = |repeat| {
            let results = self.play_once(&planned, &self.seat_games(index, &planned, repeat), bots)?;
            let is_doubtful = results.iter().any(|result| result.doubtful);
            Ok((self.record(index, &planned, results), is_doubtful))
        };
        let (record, _) = self.rerun.play(play, |(record, is_doubtful)| record.is_err() || *is_doubtful)?;
        if interrupted() { Ok(record.ok()) } else { record.map(Some) }
    }

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
        let record = GameRecord::new(&self.plan.run, index, (header, planned.seed), seats);
        record.with_context(|| format!("game {index} could not be refereed: {}", reasons.join("; ")))
    }

    fn play_once(
        &self,
        planned: &PlannedGame,
        games: &[SeatGame; 2],
        bots: &mut WorkerBots,
    ) -> anyhow::Result<[SeatResult; 2]> {
        for seat in planned.seats {
            if let Entry::Vacant(vacant) = bots.entry(seat) {
                vacant.insert(WorkerBot::new(&self.plan.entrants[seat], &self.plan.configs[seat])?);
            }
        }
        let _processor = OneProcessor::choose(bots.values().any(WorkerBot::plays_on));
        let [first, second] = planned.seats;
        let [Some(first), Some(second)] = bots.get_disjoint_mut([&first, &second]) else {
            bail!("a bot cannot play itself")
        };
        game::play([first, second], games).context("the game could not be played")
    }

    /// Returns the two sides of the game, with the files for transcripts.
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

/// The games of a run in the order of their numbers, for several workers.
struct GameQueue<W> {
    is_wanted: W,
    next: AtomicU64,
    /// The number of games after which the run ends.
    end: AtomicU64,
}

impl<W: Fn(u64) -> bool> GameQueue<W> {
    /// Creates a queue of the wanted games below `end`.
    fn new(is_wanted: W, end: u64) -> Self {
        Self { is_wanted, next: AtomicU64::new(0), end: AtomicU64::new(end) }
    }

    /// Returns the number of the next game; `None` if no game is left or after Ctrl-C.
    fn next(&self) -> Option<u64> {
        loop {
            let game = self.next.fetch_add(1, Ordering::SeqCst);
            if interrupted() || game >= self.end.load(Ordering::SeqCst) {
                return None;
            }
            if (self.is_wanted)(game) {
                return Some(game);
            }
        }
    }

    fn end_at(&self, end: u64) {
        self.end.store(end, Ordering::SeqCst);
    }

    /// Lets no further game begin.
    fn stop(&self) {
        self.end_at(0);
    }
}
