//! `judge stress`: searches for a game that a bot does not win.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::process::ExitCode;
use std::thread::available_parallelism;
use std::time::Instant;

use anyhow::Context;
use runner::config::MatchConfig;
use runner::descendants;
use runner::interrupt;

use crate::conversation::verdict::Verdict;
use crate::progress::GamesProgress;
use crate::referee::game::review::FinishedGame;
use crate::referee::game::setup::GameSetup;

use crate::cli::bot;
use crate::cli::interactor_options::{NamedBy, ProblemSettings};
pub(crate) use crate::cli::stress::args::StressArgs;
use crate::cli::subcommand::{Program, Subcommand};
use crate::report::run::RunReport;
use crate::report::runs::{Form, Report};
use crate::search::games::plan::Plan;
use crate::search::games::search_state::SearchState;
use crate::search::games::shrink::{Shrinker, Shrunk};
use crate::search::games::summary::{ConfigWords, FailureLines, PlayedFields};
use crate::search::games::{StopCondition, ensure_uninterrupted, search, summary};
use crate::settings::{INTERACTOR, Settings};
use crate::trials::session::{BotSession, start_of};
use crate::trials::worker::WorkerStderr;

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
        let until = self.stop_condition(started);
        let families = self.families.families(settings);
        let plan = Plan::new(&families, self.max_n, self.seed);
        let bot = bot::typed_command("stress", &self.source, &self.bot, settings)?;
        let config = self.options.config(bot, self.verbose, settings)?;
        let words = ConfigWords::from(&config);
        let keep = self.keep.as_deref().map(open_to_append).transpose()?;
        // Check here that the bot can be started. Otherwise each worker would print its own error.
        start_of(&config)?;
        let mut out = anstream::stdout();
        let mut state = SearchState::default();
        let played = play(self, &config, &words, (&plan, &until), &mut state)?;
        if !self.keep_going {
            state.end_at_first_failure();
        }
        if !self.json {
            summary::write_summary(&mut out, &state, &plan, &config.bot_name(), played, started.elapsed())?;
        }
        let Some((first, report)) = &state.first else {
            ensure_uninterrupted()?;
            return Ok(ExitCode::SUCCESS);
        };
        let shrunk = shrink(self, plan.game(*first), config, (*first, report), until.deadline)?;
        if self.json {
            summary::write_shrunk_json(&mut out, *first, report, &shrunk, &words)?;
        } else {
            summary::write_shrunk(&mut out, *first, report, &shrunk)?;
        }
        if let (Some(mut file), Some(FinishedGame { setup, result, .. })) = (keep, &shrunk.game) {
            writeln!(file, "{}   # {}", setup.game, result.ruling.verdict)
                .context("the game cannot be kept")?;
        }
        Ok(ExitCode::FAILURE)
    }
}

/// Opens a file before the first game, so that a bad path is reported early. Ends its last line, if it has no line end.
fn open_to_append(path: &Path) -> anyhow::Result<File> {
    let open = || {
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(path)?;
        let mut last = [b'\n'];
        if file.seek(SeekFrom::End(-1)).is_ok() {
            file.read_exact(&mut last)?;
        }
        if last != [b'\n'] {
            file.write_all(b"\n")?;
        }
        Ok::<_, io::Error>(file)
    };
    open().with_context(|| format!("{} cannot be written", path.display()))
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
        let (bounds, folder) = (self.bounds(started), self.keep.clone().unwrap_or_default());
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
    report: &RunReport,
    failures: &mut FailureLines,
) -> Option<String> {
    let shows_all = args.verbose || args.stderr.show_stderr;
    if !args.keep_going || shows_all || report.verdict == Verdict::Won {
        let is_failure = args.keep_going && report.verdict != Verdict::Won;
        return (is_failure || !report.stderr().is_empty())
            .then(|| summary::failure_with_stderr(index, report));
    }
    failures.add(index, report)
}

/// Plays the games of the search, and returns their number.
fn play(
    args: &StressArgs,
    config: &MatchConfig,
    words: &ConfigWords,
    (plan, until): (&Plan, &StopCondition),
    state: &mut SearchState,
) -> anyhow::Result<u32> {
    let jobs = args.jobs.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from);
    let progress = GamesProgress::new(until.games, 0);
    let (mut failures, mut played) = (FailureLines::default(), 0_u32);
    let stderr = WorkerStderr { is_shown: args.stderr.show_stderr, folder: args.stderr.stderr.clone() };
    search(config, &stderr, plan, jobs, until, state, |index, line, report, state| {
        // The number does not overflow in practice: 2^32 games take weeks.
        played = played.saturating_add(1);
        if args.json {
            progress.print(&summary::with_fields(&PlayedFields { index, config: words }, line)?)?;
        } else if let Some(line) = shown_line(args, index, report, &mut failures) {
            progress.print(&line)?;
        }
        progress.update(state.played.len() as u64, summary::status(state));
        Ok(())
    })?;
    failures.others().try_for_each(|line| progress.print(&line))?;
    Ok(played)
}

/// Shrinks the first game that was not won.
fn shrink(
    args: &StressArgs,
    game: GameSetup,
    config: MatchConfig,
    (first, report): (u64, &RunReport),
    deadline: Option<Instant>,
) -> anyhow::Result<Shrunk> {
    let mut session = BotSession::new(config, u64::MAX, ())?;
    let progress = GamesProgress::new(None, 0);
    let mut show = |smallest: &GameSetup, runs: u32| {
        progress.update(runs.into(), format_args!("shrinking game {first}: {}", smallest.header));
    };
    let shrunk = Shrinker::new(&mut session, report.verdict, deadline, &mut show).shrink(game);
    drop(progress);
    if shrunk.is_err() && !args.json {
        summary::write_failure(&mut anstream::stdout(), first, report)?;
    }
    shrunk
}
