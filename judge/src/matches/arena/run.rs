//! The run: hosts play the games of a plan, several at a time.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{PoisonError, RwLock};
use std::thread;

use anyhow::{Context, bail};

use super::host::{self, HostProcess, HostedGame};
use super::plan::{Plan, PlannedGame};
use super::record::{GameRecord, Seat};
use crate::process::interrupt::interrupted;
use crate::process::threads;
use crate::referee::setup::GameHeader;

/// Where the transcripts of games go.
#[derive(Clone, Debug)]
pub(crate) struct TranscriptFolder {
    pub(crate) path: PathBuf,
    /// Whether those of games in which a bot broke no rule are kept.
    pub(crate) keeps_clean: bool,
}

/// Plays the games of a plan below the number `end` that are wanted, `jobs` at a time, and passes each record to `show`,
/// which returns where the run ends now.
///
/// # Errors
///
/// If a host fails, a game cannot be refereed, or `show` fails. After Ctrl-C it returns without an error.
pub(crate) fn run(
    plan: &Plan,
    is_wanted: impl Fn(u64) -> bool + Sync,
    end: u64,
    jobs: usize,
    transcripts: Option<&TranscriptFolder>,
    mut show: impl FnMut(GameRecord) -> anyhow::Result<u64>,
) -> anyhow::Result<()> {
    let (end, counter, turns) = (AtomicU64::new(end), AtomicU64::new(0), RwLock::new(()));
    let next = || loop {
        let index = counter.fetch_add(1, Ordering::SeqCst);
        if index >= end.load(Ordering::SeqCst) || interrupted() {
            return None;
        }
        if is_wanted(index) {
            return Some(index);
        }
    };
    thread::scope(|scope| {
        let (sender, records) = mpsc::channel();
        for _ in 0..jobs {
            let (sender, next) = (sender.clone(), &next);
            let table = Table { plan, transcripts, turns: &turns, hosts: HashMap::new() };
            let play = move || table.play_all(next, &sender);
            threads::start_scoped(scope, play).inspect_err(|_| end.store(0, Ordering::SeqCst))?;
        }
        drop(sender);
        let collected = records.iter().try_for_each(|record| {
            end.store(show(record?)?, Ordering::SeqCst);
            Ok(())
        });
        // After an error no game is begun.
        end.store(0, Ordering::SeqCst);
        collected
    })
}

/// A table at which one game is played at a time. The host of each bot stays for its next game.
struct Table<'a> {
    plan: &'a Plan,
    transcripts: Option<&'a TranscriptFolder>,
    /// A table that plays holds it for reading, and one that must play alone for writing.
    turns: &'a RwLock<()>,
    hosts: HashMap<usize, HostProcess>,
}

impl Table<'_> {
    /// Plays the games that `next` returns, until there are no more.
    fn play_all(mut self, next: impl Fn() -> Option<u64>, records: &Sender<anyhow::Result<GameRecord>>) {
        while let Some(index) = next() {
            let record = match self.play(index) {
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

    /// Plays a game; `None` after Ctrl-C. If the judge cannot know whether a bot kept to its limits, the game is played
    /// again while no other one is, and the second result counts.
    fn play(&mut self, index: u64) -> anyhow::Result<Option<GameRecord>> {
        let planned = self.plan.game(index)?;
        let first = {
            let _others_play = self.turns.read().unwrap_or_else(PoisonError::into_inner);
            self.play_once(&planned, self.hosted(index, &planned, false))?
        };
        let Some(results) = first else { return Ok(None) };
        let is_doubtful = results.iter().any(|result| result.doubtful);
        let record = self.record(index, &planned, results);
        if interrupted() {
            return Ok(record.ok());
        }
        if record.is_ok() && !is_doubtful {
            return record.map(Some);
        }
        let _alone = self.turns.write().unwrap_or_else(PoisonError::into_inner);
        let second = self.play_once(&planned, self.hosted(index, &planned, true))?;
        second.map(|results| self.record(index, &planned, results)).transpose()
    }

    /// The record of a game.
    fn record(
        &self,
        index: u64,
        planned: &PlannedGame,
        results: [host::SeatResult; 2],
    ) -> anyhow::Result<GameRecord> {
        let [first, second] = results;
        let name = |seat: usize| self.plan.entrants[planned.seats[seat]].name.clone();
        let seats = [Seat { bot: name(0), result: first }, Seat { bot: name(1), result: second }];
        let reasons = seats.each_ref().map(|seat| format!("{}: {}", seat.bot, seat.result.reason));
        let header = GameHeader::new(planned.start.clone(), None).to_string();
        let record = GameRecord::new(&self.plan.label, index, header, planned.seed, seats);
        record.with_context(|| format!("game {index} could not be refereed: {}", reasons.join("; ")))
    }

    fn play_once(
        &mut self,
        planned: &PlannedGame,
        games: [HostedGame; 2],
    ) -> anyhow::Result<Option<[host::SeatResult; 2]>> {
        for seat in planned.seats {
            if !self.hosts.contains_key(&seat) {
                let entrant = &self.plan.entrants[seat];
                let host = HostProcess::start(entrant, &self.plan.configs[seat])?;
                self.hosts.insert(seat, host);
            }
        }
        let [first, second] = planned.seats;
        let hosts = self.hosts.get_disjoint_mut([&first, &second]);
        let [Some(first), Some(second)] = hosts else { bail!("a bot cannot play itself") };
        host::play([first, second], games).context("the game could not be played")
    }

    /// The game as each host plays it, with the files for transcripts.
    fn hosted(&self, index: u64, planned: &PlannedGame, repeat: bool) -> [HostedGame; 2] {
        let mut games = planned.hosted(index);
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
