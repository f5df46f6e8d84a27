//! Games that several workers play at the same time, with the results in the order of the games. A game whose time is
//! in doubt is played again while no other game runs.

use std::collections::BTreeMap;
use std::sync::mpsc;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread;

use super::worker::{TranscribedGame, Worker, WorkerOutput};
use common::interrupt::interrupted;
use common::threads;
use referee::config::MatchConfig;
use referee::setup::GameSetup;

/// Maximum number of games that have begun but whose results have not been passed on, for all jobs together. Results
/// that wait for an earlier game are kept in memory.
const MAX_AHEAD: u64 = 256;

/// A lock for games whose time is in doubt: such a game is played again while no other game runs. A worker holds the
/// lock for reading while it plays, and for writing while it repeats a game.
#[derive(Default)]
pub(crate) struct ExclusiveRerun(RwLock<()>);

impl ExclusiveRerun {
    /// Plays a game by `play(false)`. If the time is in doubt, plays the game again by `play(true)` while no other
    /// worker plays, and the second result counts. After Ctrl-C no game is played again.
    pub(crate) fn play<T>(
        &self,
        mut play: impl FnMut(bool) -> anyhow::Result<T>,
        is_doubtful: impl Fn(&T) -> bool,
    ) -> anyhow::Result<T> {
        let game = {
            let _others_play = self.0.read().unwrap_or_else(PoisonError::into_inner);
            play(false)?
        };
        if !is_doubtful(&game) || interrupted() {
            return Ok(game);
        }
        let _exclusive = self.0.write().unwrap_or_else(PoisonError::into_inner);
        play(true)
    }
}

/// A game and the bot that plays it.
pub(crate) struct BotGame {
    /// The index of the bot in the list of configurations.
    pub(crate) bot: usize,
    pub(crate) setup: GameSetup,
}

/// Plays games, `jobs` at a time, and passes each to `take` in the order of `games`. Stops when `take` returns
/// `false`, which means that no more games are needed, or after Ctrl-C.
pub(crate) fn play(
    configs: &[MatchConfig],
    jobs: u16,
    games: impl Iterator<Item = BotGame> + Send,
    take: impl FnMut(TranscribedGame) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let rerun = ExclusiveRerun::default();
    let workers = || configs.iter().map(|_| None).collect::<Vec<Option<Worker>>>();
    let play = |workers: &mut Vec<_>, game| play_one(configs, workers, &rerun, game);
    in_order(usize::from(jobs), games, workers, play, take)
}

/// Calls `play` for each game in `jobs` threads, each with its own state, and passes the results to `take` in the
/// order of the games. Stops after an error, after Ctrl-C, and when `take` returns `false`.
pub(crate) fn in_order<G: Send, S, R: Send>(
    jobs: usize,
    games: impl Iterator<Item = G> + Send,
    state: impl Fn() -> S + Sync,
    play: impl Fn(&mut S, G) -> anyhow::Result<R> + Sync,
    mut take: impl FnMut(R) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let queue = Queue::new(games);
    thread::scope(|scope| {
        let (sender, played) = mpsc::channel();
        for _ in 0..jobs {
            let (queue, state, play, sender) = (&queue, &state, &play, sender.clone());
            let play_all = move || {
                let mut state = state();
                while let Some((index, game)) = queue.next() {
                    let result = play(&mut state, game);
                    let has_failed = result.is_err();
                    if sender.send((index, result)).is_err() || has_failed {
                        break;
                    }
                }
            };
            threads::start_scoped(scope, play_all).inspect_err(|_| queue.stop())?;
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut due = 0;
        for (index, result) in played {
            waiting.insert(index, result.inspect_err(|_| queue.stop())?);
            while let Some(result) = waiting.remove(&due) {
                due += 1;
                queue.passed_on();
                if !take(result).inspect_err(|_| queue.stop())? {
                    queue.stop();
                    return Ok(());
                }
            }
        }
        Ok(())
    })
}

/// Plays a game with the bot's worker. Starts that worker for its first game.
fn play_one(
    configs: &[MatchConfig],
    workers: &mut [Option<Worker>],
    rerun: &ExclusiveRerun,
    BotGame { bot, setup }: BotGame,
) -> anyhow::Result<TranscribedGame> {
    let (config, worker) = (&configs[bot], &mut workers[bot]);
    let mut running = match worker.take() {
        Some(running) => running,
        None => Worker::start(config, WorkerOutput::Transcript)?,
    };
    let is_doubtful = |played: &TranscribedGame| played.game.result.doubtful;
    let play = |repeat| running.transcribe(&GameSetup { repeat, ..setup.clone() }, config);
    let game = rerun.play(play, is_doubtful)?;
    *worker = Some(running);
    Ok(game)
}

/// The games that have not begun yet.
struct Queue<I> {
    state: Mutex<QueueState<I>>,
    changed: Condvar,
}

struct QueueState<I> {
    games: I,
    is_stopped: bool,
    /// The number of games that have begun.
    begun: u64,
    /// The number of games whose results have been passed on.
    passed_on: u64,
}

impl<I: Iterator> Queue<I> {
    fn new(games: I) -> Self {
        let state = QueueState { games, is_stopped: false, begun: 0, passed_on: 0 };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState<I>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the next game may begin, and returns it with its number; `None` if no game is left.
    fn next(&self) -> Option<(u64, I::Item)> {
        let waits =
            |state: &mut QueueState<I>| !state.is_stopped && state.begun - state.passed_on >= MAX_AHEAD;
        let mut state = self.changed.wait_while(self.lock(), waits).unwrap_or_else(PoisonError::into_inner);
        if state.is_stopped || interrupted() {
            return None;
        }
        let game = state.games.next()?;
        state.begun += 1;
        Some((state.begun - 1, game))
    }

    fn passed_on(&self) {
        self.lock().passed_on += 1;
        self.changed.notify_all();
    }

    /// Lets no further game begin.
    fn stop(&self) {
        self.lock().is_stopped = true;
        self.changed.notify_all();
    }
}
