//! `judge arena`: plays bots against each other.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, ensure};
use common::escape::shell_word;
use common::interrupt::interrupted;
use common::output::{Output, ensure_different_files};
use common::program::print_error;
use common::progress::ArenaProgress;
use common::record_file::{RecordFile, read_records};
use common::shards::shard::Shard;
use common::shards::{UNFINISHED, with_option};
use common::{interrupt, program};
use runner::descendants;

pub(crate) use self::args::{ArenaArgs, entrant_config};
use crate::cli::subcommand::{Program, Properties, Subcommand};
use crate::matches::arena::entrant::missing_ability;
use crate::matches::arena::games::Games;
use crate::matches::arena::plan::Plan;
use crate::matches::arena::record::GameRecord;
use crate::matches::arena::run::{TranscriptFolder, WorkerProcessor, run};
use crate::matches::arena::standings::Standings;
use crate::matches::arena::stop::StopRule;
use crate::matches::arena::tables;
use common::statistics::sprt::Accepted;

mod args;

impl Subcommand for ArenaArgs {
    fn properties(&self, declared: Properties) -> Properties {
        if self.rate.is_empty() { declared } else { Properties::LISTING_WITH_SETTINGS }
    }

    fn run(&self, Program { settings, .. }: &Program) -> anyhow::Result<ExitCode> {
        let files = Files::open(self)?;
        if !self.rate.is_empty() {
            return rate(self, files);
        }
        interrupt::watch()?;
        // This call comes before the first host process is started, so that a second Ctrl-C ends all descendants of
        // this process.
        descendants::become_subreaper()?;
        let shard = self.shard()?;
        let plan = self.plan(settings)?;
        let workers = self.workers()?;
        let games = 2 * shard.units_of(plan.games() / 2);
        let mut played = Played { stop: self.stop_rule(), ..Played::default() };
        let mut file = played.open(self, &plan)?;
        check_entrants(&plan)?;
        let result = play(self, (&plan, shard), &workers, &mut played, file.as_mut());
        if result.is_err() && !interrupted() {
            report_failure(self, file.as_ref());
        }
        result?;
        if interrupted() {
            report_interruption(self, games, &played, file.as_ref());
            return Ok(ExitCode::from(if self.checkpoint.is_some() { UNFINISHED } else { 2 }));
        }
        if played.games.len() == 0 {
            print_error(format_args!("shard {shard} has no game: the run has {} pairs", plan.games() / 2));
            return Ok(ExitCode::SUCCESS);
        }
        let end = played.end(&plan);
        played.games.truncate(end);
        show(self, &played.games, files)
    }
}

/// The output files for the standings. They are opened before the first game, so that a bad path is reported early.
struct Files {
    csv: Option<Output>,
}

impl Files {
    fn open(args: &ArenaArgs) -> anyhow::Result<Self> {
        let named = [
            ("--record", &args.record),
            ("--resume", &args.resume),
            ("--checkpoint", &args.checkpoint),
            ("--csv", &args.csv),
        ];
        let rated = args.rate.iter().map(|path| ("--rate", Some(path.as_path())));
        ensure_different_files(rated.chain(named.map(|(option, path)| (option, path.as_deref()))))?;
        let open = |path| Output::open(Some(path), tables::CSV, args.force.force);
        Ok(Self { csv: args.csv.as_deref().map(open).transpose()? })
    }
}

/// The games of a run so far.
#[derive(Default)]
struct Played {
    games: Games,
    /// The numbers of `games`.
    numbers: BTreeSet<u64>,
    stop: StopRule,
}

impl Played {
    fn add(&mut self, record: &GameRecord) -> anyhow::Result<()> {
        self.games.add(record)?;
        self.numbers.insert(record.index);
        self.stop.add(record);
        Ok(())
    }

    /// Opens the file for the games, and reads the games that it already has.
    fn open(&mut self, args: &ArenaArgs, plan: &Plan) -> anyhow::Result<Option<RecordFile>> {
        let add = |record: GameRecord| {
            ensure!(
                record.run == plan.run(),
                "expected a game of the run {}, got one of the run {}: use the same bots, options, starts and seed",
                plan.run(),
                record.run
            );
            plan.add(&record)?;
            self.add(&record)
        };
        let file = match (&args.checkpoint, &args.resume, &args.record) {
            (Some(path), ..) => RecordFile::create_or_resume(path, add)?,
            (_, Some(path), _) => RecordFile::resume(path, add)?,
            (.., Some(path)) => RecordFile::create(
                path,
                "choose another file, or continue the arena in it with --resume instead of --record",
            )?,
            _ => return Ok(None),
        };
        Ok(Some(file))
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
    (plan, shard): (&Plan, Shard),
    workers: &[WorkerProcessor],
    played: &mut Played,
    mut file: Option<&mut RecordFile>,
) -> anyhow::Result<()> {
    // Several shards may share one directory, so the directory need not be empty.
    let folder = transcripts(args, played.numbers.is_empty() && !args.shards.is_given())?;
    let names = plan.entrants.iter().map(|entrant| entrant.name.clone()).collect();
    let mut progress = ArenaProgress::new(2 * shard.units_of(plan.games() / 2), names);
    let numbers = played.numbers.clone();
    progress.resume(numbers.iter().filter(|&&index| shard.has(index / 2)).count() as u64);
    let is_wanted = |index: u64| shard.has(index / 2) && !numbers.contains(&index);
    run(plan, is_wanted, played.end(plan), workers, folder.as_ref(), |record| {
        let line = serde_json::to_string(&record)?;
        if let Some(file) = &mut file {
            file.add(&line)?;
        }
        if args.json {
            progress.print(&line)?;
        }
        plan.add(&record)?;
        played.add(&record)?;
        let winner = if record.first_won() { &record.first.bot } else { &record.second.bot };
        progress.add([&record.first.bot, &record.second.bot], winner, || played.stop.status());
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
fn rate(args: &ArenaArgs, files: Files) -> anyhow::Result<ExitCode> {
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
            played.add(&record)
        })?;
    }
    ensure!(played.games.len() > 0, "the files have no game");
    if let Some(end) = played.stop.end() {
        played.games.truncate(end);
    }
    show(args, &played.games, files)
}

/// Writes the tables, and returns the exit code.
fn show(args: &ArenaArgs, games: &Games, files: Files) -> anyhow::Result<ExitCode> {
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
    if let Some(csv) = files.csv {
        csv.write(|out| tables::write_csv(out, &standings))?;
    }
    let is_accepted = args.sprt().is_none_or(|sprt| {
        standings.tested_pairs().is_some_and(|pairs| sprt.accepted(pairs) == Some(Accepted::Elo1))
    });
    Ok(if is_accepted && !standings.has_violation() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints how many games have been played, and how to continue.
fn report_interruption(args: &ArenaArgs, games: u64, played: &Played, file: Option<&RecordFile>) {
    let count = format!("interrupted after {} of {games} games", played.games.len());
    match file.and_then(|file| resume_command(args, file)) {
        Some(command) => print_error(format_args!("{count}; to continue: {command}")),
        None => print_error(format_args!("{count}; with --record FILE such a run can be resumed")),
    }
}

/// Prints how to continue after an error.
fn report_failure(args: &ArenaArgs, file: Option<&RecordFile>) {
    if let Some(command) = file.and_then(|file| resume_command(args, file)) {
        print_error(format_args!("the run ended early; to continue: {command}"));
    }
}

/// Returns the command that resumes this run; `None` if the command is not UTF-8.
fn resume_command(args: &ArenaArgs, file: &RecordFile) -> Option<String> {
    if args.checkpoint.is_some() {
        return program::command_without(&[], &[]);
    }
    let path = shell_word(file.path().to_str()?).ok()?;
    let command = program::command_without(&["--record", "--resume"], &[])?;
    Some(with_option(&command, &format!("--resume {path}")))
}
