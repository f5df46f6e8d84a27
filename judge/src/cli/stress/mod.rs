//! `judge stress`: searches for a game that a bot does not win.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread::available_parallelism;
use std::time::Instant;

use common::interrupt::interrupted;
use common::output::ensure_different_files;
use common::program::print_error;
use common::progress::GamesProgress;
use common::record_file::RecordFile;
use common::shards::shard::Shard;
use common::shards::{RunLabel, UNFINISHED};
use common::{interrupt, program};
use referee::setup::GameSetup;
use referee::verdict::Verdict;
use runner::config::MatchConfig;
use runner::descendants;

pub(crate) use self::args::StressArgs;
use super::bot;
use super::interactor_options::{NamedBy, ProblemSettings};
use crate::cli::subcommand::{Program, Subcommand};
use crate::matches::keep;
use crate::matches::session::{BotSession, start_of};
use crate::matches::stress::plan::Plan;
use crate::matches::stress::search_state::{ConfigWords, SearchLine, SearchState};
use crate::matches::stress::shrink::Shrinker;
use crate::matches::stress::summary::{FailureLines, PlayedFields};
use crate::matches::stress::{StopCondition, ensure_uninterrupted, search, summary};
use crate::matches::worker::WorkerStderr;
use crate::report::json::GameLine;
use crate::settings::{INTERACTOR, Settings};
use interactor::problem::{Form, Report};

mod args;

impl Subcommand for StressArgs {
    fn run(&self, program: &Program) -> anyhow::Result<ExitCode> {
        let Program { settings, .. } = program;
        interrupt::watch()?;
        // This call comes before the first worker is started, so that a second Ctrl-C ends all descendants of this
        // process.
        descendants::become_subreaper()?;
        let started = Instant::now();
        let option = self.interactor.interactor.as_ref().map(|_| INTERACTOR);
        if let Some(named_by) = NamedBy::find(program, option, &args::OPTIONS_OF_GAMES, false)? {
            return self.stress_problem(named_by, started, settings);
        }
        let shard = self.shard()?;
        let until = self.stop_condition(started);
        let families = self.families.families(settings);
        let plan = Plan::new(&families, self.max_n, self.seed);
        let bot = bot::typed_command("stress", &self.source, &self.bot, settings)?;
        let config = self.options.config(bot, self.verbose, settings)?;
        let words = ConfigWords::from(&config);
        let label = self.label(&words, &families, until.games)?;
        ensure_different_files([
            ("--resume", self.resume.as_deref()),
            ("--checkpoint", self.checkpoint.as_deref()),
            ("--keep", self.keep.as_deref()),
        ])?;
        let mut state = match &self.resume {
            Some(file) => SearchState::resume(file, &plan, &words)?,
            None => SearchState::default(),
        };
        let add = |line: SearchLine| state.add_earlier(line, &plan, &words);
        let file =
            self.checkpoint.as_deref().map(|path| RecordFile::create_or_resume(path, add)).transpose()?;
        // Check here that the bot can be started. Otherwise each worker would print its own error.
        start_of(&config)?;
        let mut out = anstream::stdout();
        if self.json && state.is_truncated {
            // End the line that was cut off, so that the next line is separate.
            writeln!(out)?;
        }
        let mut search =
            Search { label, words, plan, shard: shard.unwrap_or(Shard::WHOLE), until, state, file };
        let played = search.play(self, &config);
        if search.file.is_some() && (interrupted() || played.is_ok() && !search.is_finished()) {
            search.report_unfinished();
            return Ok(ExitCode::from(UNFINISHED));
        }
        let played = played?;
        let Search { words, plan, until, mut state, .. } = search;
        if !self.keep_going {
            state.end_at_first_failure();
        }
        let (bot, mut text) = (config.bot_name(), Vec::new());
        summary::write_summary(&mut text, &state, &plan, &bot, played, started.elapsed())?;
        if !self.json {
            out.write_all(&text)?;
        }
        if shard.is_some() {
            ensure_uninterrupted()?;
            return Ok(if state.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        }
        shrink(self, &plan, config, &words, &state, until.deadline, &mut out)
    }
}

impl StressArgs {
    /// Searches for an input with which the bot fails against an interactor.
    fn stress_problem(
        &self,
        named_by: NamedBy<'_>,
        started: Instant,
        settings: &Settings,
    ) -> anyhow::Result<ExitCode> {
        let bot = bot::typed_command("stress", &self.source, &self.bot, settings)?;
        named_by.ensure_bot(bot, settings)?;
        let processors = || u16::try_from(available_parallelism().map_or(1, usize::from)).unwrap_or(u16::MAX);
        let jobs = self.jobs.unwrap_or_else(processors);
        let section = named_by.section();
        let with = ProblemSettings { settings, section, is_verbose: self.verbose, jobs };
        let bot = with.bot(&self.options, bot, None)?;
        let interactor = self.interactor.interactor.as_deref();
        let problem = self.interactor.details().problem_run(interactor, bot, with)?;
        let (bounds, folder) = (self.bounds(started), PathBuf::new());
        let run = self.interactor.stress_run(problem, bounds, folder, with)?;
        let form = if self.json {
            Form::Json
        } else {
            Form::Console { quiet: false, show_stderr: self.stderr.show_stderr, show_lines: false }
        };
        run.run(&mut Report::new(Box::new(anstream::stdout()), form))
    }
}

/// Returns the line to show about a game, if any. With `--keep-going`, `failures` limits the number of lines about
/// games that were not won, except with `--verbose` or `--show-stderr`.
fn shown_line(
    args: &StressArgs,
    index: u64,
    report: &GameLine,
    failures: &mut FailureLines,
) -> Option<String> {
    let shows_all = args.verbose || args.stderr.show_stderr;
    if !args.keep_going || shows_all || report.verdict == Verdict::Won {
        let is_failure = args.keep_going && report.verdict != Verdict::Won;
        return (is_failure || !report.stderr.is_empty())
            .then(|| summary::failure_with_stderr(index, report));
    }
    failures.add(index, report)
}

/// A search and its games so far.
struct Search {
    label: RunLabel,
    words: ConfigWords,
    plan: Plan,
    shard: Shard,
    until: StopCondition,
    state: SearchState,
    /// The file to which the games are written.
    file: Option<RecordFile>,
}

impl Search {
    /// Plays the games of the shard that are not in the state yet, and returns their number.
    fn play(&mut self, args: &StressArgs, config: &MatchConfig) -> anyhow::Result<u32> {
        let jobs = args.jobs.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from);
        let progress = GamesProgress::new(self.games(), self.played());
        let mut failures = FailureLines::default();
        let (mut played, Self { label, words, plan, shard, until, state, file }) = (0_u32, self);
        let stderr = WorkerStderr { is_shown: args.stderr.show_stderr, folder: args.stderr.stderr.clone() };
        search(config, &stderr, (plan, *shard), jobs, until, state, |index, line, report, state| {
            // The number does not overflow in practice: 2^32 games take weeks.
            played = played.saturating_add(1);
            if args.json || file.is_some() {
                let line = summary::with_fields(&PlayedFields { label, index, config: words }, line)?;
                file.as_mut().map_or(Ok(()), |file| file.add(&line))?;
                if args.json {
                    progress.print(&line)?;
                }
            }
            if !args.json {
                shown_line(args, index, report, &mut failures)
                    .map_or(Ok(()), |line| progress.print(&line))?;
            }
            progress.update(state.played.len() as u64, summary::status(state));
            Ok(())
        })?;
        failures.others().try_for_each(|line| progress.print(&line))?;
        Ok(played)
    }

    /// Returns the number of games of the shard, if it is known.
    fn games(&self) -> Option<u64> {
        self.until.games.map(|games| self.shard.units_of(games))
    }

    /// Returns the number of games of the shard that have been played.
    fn played(&self) -> u64 {
        let is_wanted =
            |index: u64| self.shard.has(index) && self.until.games.is_none_or(|games| index < games);
        self.state.played.keys().filter(|&&index| is_wanted(index)).count() as u64
    }

    /// Returns whether all games of the shard have been played or a failure has ended the search. Returns true if the
    /// number of games is not known.
    fn is_finished(&self) -> bool {
        let has_failed = !self.until.keep_going && self.state.first.is_some();
        has_failed || self.games().is_none_or(|games| self.played() >= games)
    }

    /// Prints how many games have been played, and how to continue.
    fn report_unfinished(&self) {
        let why = if interrupted() { "interrupted" } else { "--time is over" };
        let of = self.games().map_or_else(String::new, |games| format!(" of {games}"));
        let count = format!("{why} after {}{of} games", self.played());
        match program::command_without(&[], &[]) {
            Some(command) => print_error(format_args!("{count}; to continue: {command}")),
            None => print_error(format_args!("{count}; the same command continues")),
        }
    }
}

/// Shrinks the first game that was not won, if there is one, and writes the result. Returns the exit code.
fn shrink(
    args: &StressArgs,
    plan: &Plan,
    config: MatchConfig,
    words: &ConfigWords,
    state: &SearchState,
    deadline: Option<Instant>,
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    let Some((first, report)) = &state.first else {
        ensure_uninterrupted()?;
        return Ok(ExitCode::SUCCESS);
    };
    if args.json && state.shrunk.contains(first) {
        // The resumed file already has the result.
        ensure_uninterrupted()?;
        return Ok(ExitCode::FAILURE);
    }
    let mut session = BotSession::new(config, u64::MAX, ())?;
    let progress = GamesProgress::new(None, 0);
    let mut show = |smallest: &GameSetup, runs: u32| {
        progress.update(runs.into(), format_args!("shrinking game {first}: {}", smallest.header));
    };
    let shrunk = Shrinker::new(&mut session, report.verdict, deadline, &mut show).shrink(plan.game(*first));
    drop(progress);
    if shrunk.is_err() && !args.json {
        summary::write_failure(out, *first, report)?;
    }
    let shrunk = shrunk?;
    if args.json {
        summary::write_shrunk_json(out, *first, report, &shrunk, words)?;
    } else {
        summary::write_shrunk(out, *first, report, &shrunk)?;
    }
    if let (Some(file), Some(game)) = (&args.keep, &shrunk.game) {
        keep::keep(file, game)?;
    }
    Ok(ExitCode::FAILURE)
}
