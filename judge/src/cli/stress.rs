//! `judge stress`: searches for a game that a bot does not win, or an input with which it fails.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args;
use zeroxor::MAX_SIZE;

use crate::cli::bot::BotArgs;
use crate::cli::interactors::InteractorOptions;
use crate::cli::options::{BotOptions, FamilyOptions, MAX_N, StderrOptions, jobs_or_processors};
use crate::cli::subject::{Subject, SubjectOptions};
use crate::output;
use crate::report::reporter::{Form, Reporter};
use crate::search::games::{GameSearch, GamesReport, SearchPlan};
use crate::search::inputs::{Inputs, InputsReport};
use crate::search::{self, SearchBounds};
use crate::settings::Settings;
use crate::trials::parallel::ExclusiveRerun;
use crate::units::{number_in, parse_time_limit};

/// Search for a game that a bot does not win, and shrink it
#[derive(Debug, Args)]
#[command(
    mut_group("InteractorOptions", |of| of.conflicts_with_all(["family", "max_n", "keep_going", "stderr", "session"])),
    after_help = "\
The first game that was not won is shrunk: first to a smaller start that fails in the same way, then to the fewest moves of the \
opponent. With --interactor and --generator, the bot is run on generated inputs of another problem, and the input is shrunk.

Examples:
  judge stress --family segment -- ./bot
  judge stress bot.cpp --time 1m         in the folder of a game or a problem
  judge stress --family square --games 10000 --jobs 4 -- python3 my_bot.py
  judge stress --family nim --time 600 --json -- ./bot > games.jsonl
  judge stress --family segment --keep failed.txt -- ./bot
  judge stress --interactor interactor.cpp --generator gen.py -- bot.cpp

Exit codes:
  0  the bot won every game, or passed with every input
  1  the bot did not win every game, or failed with an input
  2  wrong usage, a program could not be started, the interactor or the
     generator failed, or the judge could not continue, or was interrupted"
)]
pub(crate) struct StressArgs {
    #[command(flatten)]
    bot: BotArgs,

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
    pub(crate) verbose: bool,

    #[command(flatten)]
    interactor: InteractorOptions,

    /// The program that prints an input. It gets the seed as its last argument, or in place of {seed}
    #[arg(long, value_name = "COMMAND", help_heading = "Interactors")]
    generator: Option<OsString>,

    /// A program that exits with 0 or 42 if its input is valid; a shrunk input must be valid
    #[arg(long, value_name = "COMMAND", help_heading = "Interactors")]
    validator: Option<OsString>,
}

/// How many games of each kind of failure `--keep-going` shows.
const SHOWN_FAILURES: u64 = 3;

/// The number of games if neither `--games` nor `--time` is given.
const DEFAULT_GAMES: u64 = 2000;

impl StressArgs {
    pub(crate) fn run(&self, settings: &Settings) -> anyhow::Result<ExitCode> {
        let about = SubjectOptions {
            options: &self.interactor,
            inputs: None,
            has_problem_options: self.generator.is_some() || self.validator.is_some(),
            names_game: !self.families.family.is_empty(),
            needs_game: self.max_n.is_some()
                || self.keep_going
                || self.stderr.stderr.is_some()
                || self.options.session,
            is_quiet: false,
            command: "stress",
        };
        let bot = self.bot.command("stress", settings)?;
        let jobs = jobs_or_processors(self.jobs);
        let settings = match about.subject(settings)? {
            Subject::Games(settings) => settings,
            Subject::Problem(settings) => return self.stress_problem(bot, &settings, jobs),
        };
        let config = self.options.start_config(bot, &settings)?;
        let families = self.families.families(&settings);
        let plan = SearchPlan::new(&families, self.max_n.unwrap_or(MAX_N), self.seed);
        let (stderr, rerun) = (self.stderr.stderr.clone(), ExclusiveRerun::default());
        let games = GameSearch { plan, config, stderr, rerun };
        let failures = match self.keep_going {
            false => 0,
            true if self.verbose || self.stderr.show_stderr => u64::MAX,
            true => SHOWN_FAILURES,
        };
        let (form, keep) = ((self.form(), failures), self.keep.as_deref());
        let mut report = GamesReport::new(&games, form, keep)?;
        search::run(&games, jobs.into(), &self.bounds(), &mut report)
    }

    fn stress_problem(&self, bot: &[OsString], settings: &Settings, jobs: u16) -> anyhow::Result<ExitCode> {
        settings.ensure_bot(bot)?;
        let problem = self.interactor.problem_run(None, &self.options, bot, settings)?;
        let build = &problem.bot.build;
        let generator = settings.program("generator", self.generator.as_deref(), build)?;
        let validator = settings.program("validator", self.validator.as_deref(), build)?;
        let generator = generator.with_context(|| settings.missing("generator"))?;
        let keep = self.keep.clone().unwrap_or_default();
        let inputs = Inputs::new(problem, generator, validator, (self.seed, keep))?;
        let report = Reporter::new(output::beside(&[]), self.form());
        let mut report = InputsReport { inputs: &inputs, report };
        search::run(&inputs, jobs.into(), &self.bounds(), &mut report)
    }

    fn form(&self) -> Form {
        let show_stderr = self.stderr.show_stderr;
        if self.json { Form::Json } else { Form::Console { quiet: false, show_stderr, show_lines: false } }
    }

    /// Returns the bounds of a search that begins now, when all sources are compiled and all games are planned.
    fn bounds(&self) -> SearchBounds {
        let started = Instant::now();
        SearchBounds {
            candidates: self.games.or(Some(DEFAULT_GAMES).filter(|_| self.time.is_none())),
            deadline: self.time.map(|time| started + time),
            keep_going: self.keep_going,
            shrink_from: self.time.map(|time| started + time * 3 / 4),
        }
    }
}
