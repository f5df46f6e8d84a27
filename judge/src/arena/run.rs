//! The workers of a run, which play the games of a plan, several at a time.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, bail};
use runner::OneProcessor;
use runner::interrupt::interrupted;
use zeroxor::Side;

use crate::arena::game;
use crate::arena::plan::{Plan, PlannedGame};
use crate::arena::record::{GameRecord, Seat, is_clean};
use crate::arena::worker_bot::WorkerBot;
use crate::in_order::in_order;
use crate::referee::game::setup::{GameHeader, GameSetup};
use crate::report::transcript::GameLog;
use crate::report::transcript::writer::TranscriptWriter;
use crate::trials::parallel::ExclusiveRerun;

#[derive(Clone, Debug)]
pub(crate) struct TranscriptFolder {
    pub(crate) path: PathBuf,
    /// Whether to keep the transcripts in which the bot broke no rule.
    pub(crate) keeps_clean: bool,
}

/// Plays the games of a plan with these numbers, `jobs` games at the same time. The records are passed to `show` in the
/// order of the numbers, until it returns `false`. Fails if a bot cannot be started, a game cannot be refereed, or
/// `show` fails. Ctrl-C ends the run without an error.
pub(crate) fn run(
    plan: &Plan,
    numbers: impl Iterator<Item = u64> + Send,
    jobs: u16,
    transcripts: Option<&TranscriptFolder>,
    mut show: impl FnMut(GameRecord) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let rerun = ExclusiveRerun::default();
    let worker = || ArenaWorker { plan, transcripts, rerun: &rerun, bots: HashMap::new() };
    in_order(jobs.into(), numbers, worker, ArenaWorker::play, |record| record.map_or(Ok(true), &mut show))
}

struct ArenaWorker<'a> {
    plan: &'a Plan,
    transcripts: Option<&'a TranscriptFolder>,
    rerun: &'a ExclusiveRerun,
    /// The bots by their numbers. Each bot is kept for its next game.
    bots: HashMap<usize, WorkerBot>,
}

impl ArenaWorker<'_> {
    /// Plays a game; returns `None` if Ctrl-C ended it. If the game has no result, or the judge cannot know whether a
    /// bot kept to its limits, plays the game again while no other game runs, and the second result counts.
    fn play(&mut self, index: u64) -> anyhow::Result<Option<GameRecord>> {
        let planned = self.plan.game(index)?;
        let rerun = self.rerun;
        let play = |repeat| {
            let seats = self.play_once(index, &planned, repeat)?;
            let is_doubtful = seats.iter().any(|seat| seat.doubtful);
            let reasons = seats.each_ref().map(|seat| format!("{}: {}", seat.bot, seat.reason));
            let header = GameHeader::new(planned.start.clone(), None).to_string();
            let record = GameRecord::new(&self.plan.run, index, (header, planned.seed), seats);
            let failed = || format!("game {index} could not be refereed: {}", reasons.join("; "));
            Ok((record.with_context(failed), is_doubtful))
        };
        let (record, _) = rerun.play(play, |(record, is_doubtful)| record.is_err() || *is_doubtful)?;
        if interrupted() { Ok(record.ok()) } else { record.map(Some) }
    }

    fn play_once(&mut self, index: u64, planned: &PlannedGame, repeat: bool) -> anyhow::Result<[Seat; 2]> {
        let setups = [Side::First, Side::Second].map(|side| GameSetup { repeat, ..planned.setup(side) });
        let names = planned.seats.map(|bot| &self.plan.entrants[bot].name);
        let path = |name: &String| Some(self.transcripts?.path.join(format!("{index:07}-{name}.jsonl")));
        let transcripts = names.map(path);
        let mut logs = transcripts.each_ref().map(|path| -> Box<dyn GameLog> {
            match path {
                Some(path) => Box::new(TranscriptWriter::new(path)),
                None => Box::new(()),
            }
        });
        for seat in planned.seats {
            if let Entry::Vacant(vacant) = self.bots.entry(seat) {
                vacant.insert(WorkerBot::new(&self.plan.entrants[seat], &self.plan.configs[seat])?);
            }
        }
        let _processor = OneProcessor::choose(self.bots.values().any(WorkerBot::plays_on));
        let ([first, second], [first_log, second_log]) = (planned.seats, &mut logs);
        let [Some(first), Some(second)] = self.bots.get_disjoint_mut([&first, &second]) else {
            bail!("a bot cannot play itself")
        };
        let [first, second] = game::play([first, second], setups, [first_log.as_mut(), second_log.as_mut()])
            .context("the game could not be played")?;
        let seats = [Seat::new(names[0].clone(), &first), Seat::new(names[1].clone(), &second)];
        let keeps_clean = self.transcripts.is_some_and(|folder| folder.keeps_clean);
        for (path, seat) in transcripts.iter().flatten().zip(&seats) {
            if !keeps_clean && is_clean(seat.verdict) {
                fs::remove_file(path)
                    .with_context(|| format!("the transcript {} cannot be removed", path.display()))?;
            }
        }
        Ok(seats)
    }
}
