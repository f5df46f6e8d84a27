//! Games that several workers play at the same time, in the order of their numbers.

use std::collections::BTreeMap;
use std::sync::mpsc;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::match_plan::{Fixture, MatchPlan};
use super::transcribed_game::TranscribedGame;
use super::turns::Turns;
use super::worker::{Worker, WorkerOutput};
use crate::process::interrupt::interrupted;
use crate::process::threads;
use crate::referee::config::MatchConfig;

/// How many games at most are played while an earlier one has not ended, for all jobs together. They are kept in memory.
const MAX_AHEAD: u64 = 256;

/// Plays the first `games` games of a plan, `jobs` at a time, and passes each to `take` in the order of their numbers, until that returns
/// that no more are needed, or Ctrl-C.
///
/// # Errors
///
/// If a worker cannot be started or fails, or `take` fails.
pub(crate) fn play(
    configs: &[MatchConfig],
    jobs: u16,
    games: u64,
    plan: &MatchPlan,
    mut take: impl FnMut(TranscribedGame) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let (queue, turns) = (Queue::new(games), Turns::default());
    thread::scope(|scope| {
        let (sender, played) = mpsc::channel();
        for _ in 0..jobs {
            let (queue, turns, sender) = (&queue, &turns, sender.clone());
            let play_all = move || {
                let mut workers: Vec<Option<Worker>> = configs.iter().map(|_| None).collect();
                while let Some(index) = queue.next() {
                    let game = play_one(configs, &mut workers, turns, plan.game(index));
                    let has_failed = game.is_err();
                    if sender.send((index, game)).is_err() || has_failed {
                        break;
                    }
                }
            };
            threads::start_scoped(scope, play_all).inspect_err(|_| queue.stop())?;
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut due = 0;
        for (index, game) in played {
            waiting.insert(index, game.inspect_err(|_| queue.stop())?);
            while let Some(game) = waiting.remove(&due) {
                due += 1;
                queue.passed_on();
                if !take(game).inspect_err(|_| queue.stop())? {
                    queue.stop();
                    return Ok(());
                }
            }
        }
        Ok(())
    })
}

/// Plays a game with the bot's worker, which is started for its first game.
fn play_one(
    configs: &[MatchConfig],
    workers: &mut [Option<Worker>],
    turns: &Turns,
    Fixture { bot, setup }: Fixture,
) -> anyhow::Result<TranscribedGame> {
    let (config, worker) = (&configs[bot], &mut workers[bot]);
    let mut running = match worker.take() {
        Some(running) => running,
        None => Worker::start(config, WorkerOutput::Transcript)?,
    };
    let is_doubtful = |played: &TranscribedGame| played.game.result.doubtful;
    let game = turns.play(&setup, |setup| running.transcribe(setup), is_doubtful)?;
    *worker = Some(running);
    Ok(game.of_bot(config.clone()))
}

/// The numbers of the games that are still to be begun.
struct Queue {
    state: Mutex<QueueState>,
    changed: Condvar,
}

struct QueueState {
    next: u64,
    /// No game from here on is begun.
    end: u64,
    /// How many have been passed on.
    passed_on: u64,
}

impl Queue {
    fn new(games: u64) -> Self {
        let state = QueueState { next: 0, end: games, passed_on: 0 };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of the next game, as soon as it may be begun; `None` if there are no more.
    fn next(&self) -> Option<u64> {
        let may_wait =
            |state: &mut QueueState| state.next < state.end && state.next - state.passed_on >= MAX_AHEAD;
        let mut state =
            self.changed.wait_while(self.lock(), may_wait).unwrap_or_else(PoisonError::into_inner);
        if state.next >= state.end || interrupted() {
            return None;
        }
        state.next += 1;
        Some(state.next - 1)
    }

    fn passed_on(&self) {
        self.lock().passed_on += 1;
        self.changed.notify_all();
    }

    /// No more games are begun.
    fn stop(&self) {
        self.lock().end = 0;
        self.changed.notify_all();
    }
}
