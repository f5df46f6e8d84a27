//! `judge arena`: plays bots against each other.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, ensure};
use runner::descendants;
use runner::interrupt;
use runner::interrupt::interrupted;
use runner::message::print_error;

use crate::arena::record_file::{RecordFile, read_records};
use crate::output;
use crate::progress::ArenaProgress;

use crate::arena::entrant::missing_ability;
use crate::arena::games::Games;
use crate::arena::plan::Plan;
use crate::arena::record::GameRecord;
use crate::arena::run::{TranscriptFolder, WorkerProcessor, run};
use crate::arena::standings::Standings;
use crate::arena::statistics::sprt::Accepted;
use crate::arena::stop::StopRule;
use crate::arena::tables;
pub(crate) use crate::cli::arena::args::ArenaArgs;
use crate::settings::Settings;

mod args;

impl ArenaArgs {
    pub(crate) fn run(&self, settings: &Settings) -> anyhow::Result<ExitCode> {
        self.check_files()?;
        if !self.rate.is_empty() {
            return rate(self);
        }
        interrupt::watch()?;
        // This call comes before the first host process is started, so that a second Ctrl-C ends all descendants of
        // this process.
        descendants::become_subreaper()?;
        let plan = self.plan(settings)?;
        let workers = self.workers()?;
        let mut played = Played { stop: self.stop_rule(), ..Played::default() };
        let mut file = played.open(self, &plan)?;
        check_entrants(&plan)?;
        let result = play(self, &plan, &workers, &mut played, file.as_mut());
        if interrupted() || result.is_err() {
            let count = format!("the run ended after {} of {} games", played.games.len(), plan.games());
            match file {
                Some(_) => print_error(format_args!("{count}; the same command continues it")),
                None => print_error(format_args!(
                    "{count}; with --record FILE the same command would continue it"
                )),
            }
        }
        result?;
        if interrupted() {
            return Ok(ExitCode::from(2));
        }
        let end = played.end(&plan);
        played.games.truncate(end);
        show(self, &played.games)
    }
}

impl ArenaArgs {
    /// Checks the files before the first game, so that a bad path is reported early.
    fn check_files(&self) -> anyhow::Result<()> {
        let named = [("--record", self.record.as_deref()), ("--csv", self.csv.as_deref())];
        let rated = self.rate.iter().map(|path| ("--rate", Some(path.as_path())));
        output::ensure_different_files(rated.chain(named))?;
        self.csv.as_deref().map_or(Ok(()), output::check_writable)
    }
}

/// The games of a run so far.
#[derive(Default)]
struct Played {
    games: Games,
    stop: StopRule,
}

impl Played {
    fn add(&mut self, record: GameRecord) -> anyhow::Result<()> {
        self.stop.add(&record);
        self.games.add(record)
    }

    /// Opens the file for the games, and reads the games that it already has.
    fn open(&mut self, args: &ArenaArgs, plan: &Plan) -> anyhow::Result<Option<RecordFile>> {
        let add = |record: GameRecord| {
            ensure!(
                record.run == plan.run,
                "expected a game of the run {}, got one of the run {}: use the same bots, options, starts and seed, or \
                 another file",
                plan.run,
                record.run
            );
            self.add(record)
        };
        args.record.as_deref().map(|path| RecordFile::create_or_resume(path, add)).transpose()
    }

    /// Returns the number of games after which the run ends: by the stop rule if it is met, or else after all games.
    fn end(&self, plan: &Plan) -> u64 {
        self.stop.end().map_or(plan.games(), |end| end.min(plan.games()))
    }
}

/// Returns an error if a bot does not know assigned seats, or if its configuration asks for sessions and the bot does
/// not know them.
fn check_entrants(plan: &Plan) -> anyhow::Result<()> {
    let start = plan.game(0)?.start;
    let mut missing = Vec::new();
    for (entrant, config) in plan.entrants.iter().zip(&plan.configs) {
        missing.extend(missing_ability(entrant, config, &start)?);
    }
    ensure!(missing.is_empty(), "{}", missing.join("; "));
    Ok(())
}

/// Plays the games that are not yet in `played`.
fn play(
    args: &ArenaArgs,
    plan: &Plan,
    workers: &[WorkerProcessor],
    played: &mut Played,
    mut file: Option<&mut RecordFile>,
) -> anyhow::Result<()> {
    let known: BTreeSet<u64> = played.games.iter().map(|game| game.index).collect();
    let folder = transcripts(args, known.is_empty())?;
    let names = plan.entrants.iter().map(|entrant| entrant.name.clone()).collect();
    let mut progress = ArenaProgress::new(plan.games(), names);
    progress.resume(known.len() as u64);
    let is_wanted = |index: u64| !known.contains(&index);
    run(plan, is_wanted, played.end(plan), workers, folder.as_ref(), |record| {
        let line = serde_json::to_string(&record)?;
        if let Some(file) = &mut file {
            file.add(&line)?;
        }
        if args.json {
            progress.print(&line)?;
        }
        let bots = [record.first.bot.clone(), record.second.bot.clone()];
        let winner = usize::from(!record.first_won());
        played.add(record)?;
        progress.add(bots.each_ref().map(String::as_str), &bots[winner], || played.stop.status());
        Ok(played.end(plan))
    })
}

/// Creates the directory for transcripts. A new run needs an empty directory: transcripts of another run would be
/// overwritten, or mistaken for transcripts of this run.
fn transcripts(args: &ArenaArgs, is_new_run: bool) -> anyhow::Result<Option<TranscriptFolder>> {
    let Some(path) = &args.transcripts else { return Ok(None) };
    let name = path.display();
    fs::create_dir_all(path).with_context(|| format!("the directory {name} cannot be created"))?;
    let mut files = fs::read_dir(path).with_context(|| format!("the directory {name} cannot be read"))?;
    ensure!(
        !is_new_run || files.next().is_none(),
        "the directory {name} is not empty: a new run needs a new or empty directory for its transcripts"
    );
    Ok(Some(TranscriptFolder { path: path.clone(), keeps_clean: args.all_transcripts }))
}

/// Computes the tables again from recorded games.
fn rate(args: &ArenaArgs) -> anyhow::Result<ExitCode> {
    let mut played = Played { stop: args.stop_rule(), ..Played::default() };
    let mut run = None;
    for path in &args.rate {
        read_records(path, |record: GameRecord| {
            let run = run.get_or_insert_with(|| record.run.clone());
            ensure!(
                args.sprt.is_none() || *run == record.run,
                "--sprt tests the games of one run, got the runs {run} and {}",
                record.run
            );
            played.add(record)
        })?;
    }
    ensure!(played.games.len() > 0, "the files have no game");
    if let Some(end) = played.stop.end() {
        played.games.truncate(end);
    }
    show(args, &played.games)
}

/// Writes the tables, and returns the exit code.
fn show(args: &ArenaArgs, games: &Games) -> anyhow::Result<ExitCode> {
    let standings = Standings::of(games);
    ensure!(
        args.sprt.is_none() || standings.rows.len() == 2,
        "--sprt compares two bots, got {}",
        standings.rows.len()
    );
    if !args.json {
        let mut out = anstream::stdout().lock();
        tables::write_all(&mut out, &standings, args.sprt())?;
        out.flush()?;
    }
    if let Some(path) = &args.csv {
        let mut csv = Vec::new();
        tables::write_csv(&mut csv, &standings)?;
        output::write(path, &csv)?;
    }
    let is_accepted = args.sprt().is_none_or(|sprt| {
        standings.tested_pairs().is_some_and(|pairs| sprt.accepted(pairs) == Some(Accepted::Elo1))
    });
    Ok(if is_accepted && !standings.has_violation() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
