//! `judge stress`: searches for a game that a bot does not win, or an input with which it fails.

use std::process::ExitCode;
use std::thread::available_parallelism;
use std::time::Instant;

use runner::{descendants, interrupt};

use crate::cli::bot;
use crate::cli::interactor_options::{NamedBy, ProblemSettings};
pub(crate) use crate::cli::stress::args::StressArgs;
use crate::cli::subcommand::{Program, Subcommand};
use crate::report::runs::{Form, Report};
use crate::search;
use crate::search::games::Games;
use crate::search::games_report::{GamesForm, GamesReport, ShownFailures};
use crate::search::inputs::InputsReport;
use crate::settings::{INTERACTOR, Settings};

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
        match NamedBy::find(program, option, &args::OPTIONS_OF_GAMES, false)? {
            Some(named_by) => self.search_inputs(named_by, started, settings),
            None => self.search_games(started, settings),
        }
    }
}

impl StressArgs {
    fn jobs(&self) -> u16 {
        let processors = || u16::try_from(available_parallelism().map_or(1, usize::from)).unwrap_or(u16::MAX);
        self.jobs.unwrap_or_else(processors)
    }

    /// Searches for a game that the bot does not win.
    fn search_games(&self, started: Instant, settings: &Settings) -> anyhow::Result<ExitCode> {
        let bot = bot::typed_command("stress", &self.source, &self.bot, settings)?;
        let config = self.options.config(bot, self.verbose, settings)?;
        let families = self.families.families(settings);
        let games = Games::new(config, (&families, self.max_n, self.seed), self.stderr.stderr.clone())?;
        let stderr = self.stderr.show_stderr;
        let failures = match self.keep_going {
            false => ShownFailures::None,
            true if self.verbose || stderr => ShownFailures::All,
            true => ShownFailures::FirstOfEachKind,
        };
        let form = if self.json { GamesForm::Json } else { GamesForm::Text { failures, stderr } };
        let mut report = GamesReport::new(anstream::stdout(), &games, form, self.keep.as_deref(), started)?;
        search::run(&games, usize::from(self.jobs()), &self.bounds(started), &mut report)
    }

    /// Searches for an input with which the bot fails against an interactor.
    fn search_inputs(
        &self,
        named_by: NamedBy<'_>,
        started: Instant,
        settings: &Settings,
    ) -> anyhow::Result<ExitCode> {
        let bot = bot::typed_command("stress", &self.source, &self.bot, settings)?;
        named_by.ensure_bot(bot, settings)?;
        let (section, jobs) = (named_by.section(), self.jobs());
        let with = ProblemSettings { settings, section, is_verbose: self.verbose, jobs };
        let bot = with.bot(&self.options, bot, None)?;
        let interactor = self.interactor.interactor.as_deref();
        let problem = self.interactor.details().problem_run(interactor, bot, with)?;
        let keep = self.keep.clone().unwrap_or_default();
        let inputs = self.interactor.inputs(problem, (self.seed, keep), with)?;
        let form = if self.json {
            Form::Json
        } else {
            Form::Console { quiet: false, show_stderr: self.stderr.show_stderr, show_lines: false }
        };
        let report = Report::new(Box::new(anstream::stdout()), form);
        let mut report = InputsReport { inputs: &inputs, report };
        search::run(&inputs, usize::from(jobs), &self.bounds(started), &mut report)
    }
}
