//! `judge stress`: searches for a game that a bot does not win.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args;
use runner::config::MatchConfig;
use runner::descendants;
use runner::interrupt;
use zeroxor::MAX_SIZE;

use crate::conversation::verdict::Verdict;
use crate::output;
use crate::progress::GamesProgress;
use crate::referee::game::review::FinishedGame;
use crate::referee::game::setup::GameSetup;

use crate::cli::bot::BotArgs;
use crate::cli::interactors::{InteractorOptions, ProblemSettings, Purpose};
use crate::cli::options::{BotOptions, FamilyOptions, StderrOptions, jobs_or_processors};
use crate::report::json::GameLine;
use crate::report::runs::{Form, Report};
use crate::search::games::plan::Plan;
use crate::search::games::search_state::SearchState;
use crate::search::games::shrink::{Shrinker, Shrunk};
use crate::search::games::summary::{ConfigWords, FailureLines, PlayedFields};
use crate::search::games::{StopCondition, ensure_uninterrupted, search, summary};
use crate::search::inputs::{SearchBounds, StressRun};
use crate::settings::Settings;
use crate::trials::session::{BotSession, start_of};
use crate::trials::worker::WorkerStderr;
use crate::units::{number_in, parse_time_limit};

/// Search for a game that a bot does not win, and shrink it
#[derive(Debug, Args)]
#[command(
    mut_arg("interactor", |option| option.conflicts_with_all(FOR_GAMES)),
    after_help = "\
The first game that was not won is shrunk: first to a smaller start that fails in the same way, then to the fewest moves of the \
opponent. With --interactor and --generator, the bot is run on generated inputs of another problem, and the input is shrunk.

Examples:
  judge stress -- ./bot
  judge stress bot.cpp --time 1m
  judge stress --family square --games 10000 --jobs 4 -- python3 my_bot.py
  judge stress --time 600 --json -- ./bot > games.jsonl
  judge stress --keep failed.txt -- ./bot
  judge stress --interactor interactor.cpp --generator gen.py -- bot.cpp

Exit codes:
  0  the bot won every game, or passed with every input
  1  the bot did not win every game, or failed with an input
  2  wrong usage, a program could not be started, the interactor or the
     generator failed, or the judge could not continue, or was interrupted"
)]
pub(crate) struct StressArgs {
    #[command(flatten)]
    families: FamilyOptions,

    /// Maximum size of a row, a pile or a number [default: 2000]
    #[arg(long, value_name = "N", value_parser = number_in(1..=MAX_SIZE))]
    max_n: Option<u64>,

    /// How many games to play, or inputs of the generator to try [default: 2000, or no limit with --time]
    #[arg(short = 'n', long, value_name = "K", value_parser = number_in(1..=u64::MAX))]
    games: Option<u64>,

    /// How long to play and to shrink; a game that has begun is played to its end
    #[arg(long, value_name = "TIME", value_parser = parse_time_limit)]
    time: Option<Duration>,

    /// How many games to play or inputs to run at the same time [default: one for each processor]
    #[arg(short, long, value_name = "J", value_parser = number_in(1..=1024_u16))]
    jobs: Option<u16>,

    /// The seed of game 0, or of the first input; game or input k has the seed S+k
    #[arg(short, long, default_value_t = 1, value_name = "S", value_parser = number_in(0..=u64::MAX))]
    seed: u64,

    /// Continue after a game that was not won; show three of each kind of failure, and count the others
    #[arg(long)]
    keep_going: bool,

    /// Append the smallest game that was not won to this file, which "judge test FILE" plays. With --interactor, the
    /// directory for the smallest input [default: the current directory]
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,

    #[command(flatten)]
    options: BotOptions,

    #[command(flatten)]
    stderr: StderrOptions,

    /// Print one JSON object for each game or run when it ends, and then one for the shrunk game or input
    #[arg(long)]
    json: bool,

    /// Print the command that compiles a source, and with --keep-going each game that was not won
    #[arg(short, long)]
    verbose: bool,

    #[command(flatten)]
    interactor: InteractorOptions,

    /// The program that prints an input. It gets the seed as its last argument, or in place of {seed}
    #[arg(long, value_name = "COMMAND", help_heading = "Interactors")]
    generator: Option<String>,

    /// A program that exits with 0 or 42 if its input is valid; a shrunk input must be valid
    #[arg(long, value_name = "COMMAND", help_heading = "Interactors")]
    validator: Option<String>,

    #[command(flatten)]
    bot: BotArgs,
}

/// The options that cannot be used with an interactor, because they are only for games of the judge.
const FOR_GAMES: [&str; 5] = ["family", "max_n", "keep_going", "stderr", "session"];

/// The default of `--max-n`.
const DEFAULT_MAX_N: u64 = 2000;

/// The number of games if neither `--games` nor `--time` is given.
const DEFAULT_GAMES: u64 = 2000;

impl StressArgs {
    pub(crate) fn run(&self, settings: &Settings) -> anyhow::Result<ExitCode> {
        interrupt::watch()?;
        // This call comes before the first worker is started, so that a second Ctrl-C ends all descendants of this
        // process.
        descendants::become_subreaper()?;
        let started = Instant::now();
        let purpose = Purpose {
            names_problem: self.interactor.interactor.is_some(),
            has_problem_options: self.interactor != InteractorOptions::default()
                || self.generator.is_some()
                || self.validator.is_some(),
            has_game_options: !self.families.family.is_empty()
                || self.max_n.is_some()
                || self.keep_going
                || self.stderr.stderr.is_some()
                || self.options.session,
        };
        let bot = self.bot.command("stress", settings)?;
        if let Some(problem) = purpose.problem(settings, self.verbose, jobs_or_processors(self.jobs))? {
            return self.stress_problem(bot, problem, started);
        }
        let until = self.stop_condition(started);
        let families = self.families.families(settings);
        let plan = Plan::new(&families, self.max_n.unwrap_or(DEFAULT_MAX_N), self.seed);
        let config = self.options.start_config(bot, self.verbose, settings)?;
        let words = ConfigWords::from(&config);
        let keep = self.keep.as_deref().map(output::append).transpose()?;
        // Check here that the bot can be started. Otherwise each worker would print its own error.
        start_of(&config)?;
        let mut out = anstream::stdout();
        let mut state = SearchState::default();
        let played = self.play(&config, &words, (&plan, &until), &mut state)?;
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
        let shrunk = self.shrink(plan.game(*first), config, (*first, report), until.deadline)?;
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

    /// Searches for an input with which the bot fails against an interactor.
    fn stress_problem(
        &self,
        bot: &[OsString],
        with: ProblemSettings<'_>,
        started: Instant,
    ) -> anyhow::Result<ExitCode> {
        with.ensure_bot(bot)?;
        let bot = with.bot(&self.options, bot, None)?;
        let problem = self.interactor.interactor_run(&[], bot, with)?;
        let build = &problem.bot.build;
        let generator = with.program("generator", self.generator.as_deref(), build)?;
        let validator = with.program("validator", self.validator.as_deref(), build)?;
        let StopCondition { games: inputs, deadline, .. } = self.stop_condition(started);
        let run = StressRun {
            generator: generator.with_context(|| with.missing("generator"))?,
            validator,
            bounds: SearchBounds { seeds: self.seed..=u64::MAX, inputs, deadline },
            folder: self.keep.clone().unwrap_or_default(),
            problem,
        };
        let form = if self.json {
            Form::Json
        } else {
            Form::Console { quiet: false, show_stderr: self.stderr.show_stderr, show_lines: false }
        };
        run.run(&mut Report::new(Box::new(anstream::stdout()), form))
    }

    /// Returns the condition under which a search that began at `started` ends.
    fn stop_condition(&self, started: Instant) -> StopCondition {
        StopCondition {
            games: self.games.or(Some(DEFAULT_GAMES).filter(|_| self.time.is_none())),
            deadline: self.time.map(|time| started + time),
            keep_going: self.keep_going,
            shrink_from: self.time.map(|time| started + time * 3 / 4),
        }
    }
    /// Plays the games of the search, and returns their number.
    fn play(
        &self,
        config: &MatchConfig,
        words: &ConfigWords,
        (plan, until): (&Plan, &StopCondition),
        state: &mut SearchState,
    ) -> anyhow::Result<u32> {
        let progress = GamesProgress::new(until.games, 0);
        let (mut failures, mut played) = (FailureLines::default(), 0_u32);
        let show = |index: u64, line: &str, report: &GameLine, state: &SearchState| {
            // The number does not overflow in practice: 2^32 games take weeks.
            played = played.saturating_add(1);
            if self.json {
                progress.print(&summary::with_fields(&PlayedFields { index, config: words }, line)?)?;
            } else if let Some(line) = self.shown_line(index, report, &mut failures) {
                progress.print(&line)?;
            }
            progress.update(state.played.len() as u64, summary::status(state));
            Ok(())
        };
        let StderrOptions { show_stderr: is_shown, stderr: folder } = self.stderr.clone();
        let jobs = jobs_or_processors(self.jobs).into();
        search(config, &WorkerStderr { is_shown, folder }, plan, jobs, until, state, show)?;
        failures.others().try_for_each(|line| progress.print(&line))?;
        Ok(played)
    }

    /// Returns the line to show about a game, if any. With `--keep-going`, `failures` limits the number of lines about
    /// games that were not won, except with `--verbose` or `--show-stderr`.
    fn shown_line(&self, index: u64, report: &GameLine, failures: &mut FailureLines) -> Option<String> {
        let is_failure = self.keep_going && report.verdict != Verdict::Won;
        if is_failure && !self.verbose && !self.stderr.show_stderr {
            return failures.add(index, report);
        }
        (is_failure || !report.stderr.is_empty()).then(|| summary::failure_with_stderr(index, report))
    }

    /// Shrinks the first game that was not won.
    fn shrink(
        &self,
        game: GameSetup,
        config: MatchConfig,
        (first, report): (u64, &GameLine),
        deadline: Option<Instant>,
    ) -> anyhow::Result<Shrunk> {
        let mut session = BotSession::new(config, u64::MAX, ())?;
        let progress = GamesProgress::new(None, 0);
        let mut show = |smallest: &GameSetup, runs: u32| {
            progress.update(runs.into(), format_args!("shrinking game {first}: {}", smallest.header));
        };
        let shrunk = Shrinker::new(&mut session, report.verdict, deadline, &mut show).shrink(game);
        drop(progress);
        if shrunk.is_err() && !self.json {
            summary::write_failure(&mut anstream::stdout(), first, report)?;
        }
        shrunk
    }
}
