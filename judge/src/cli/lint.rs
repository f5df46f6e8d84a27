//! `judge lint`: checks whether a bot follows the protocol, or whether an interactor copes with any bot.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use runner::config::MatchConfig;
use runner::interrupt;
use runner::limits::{DEFAULT_LIMITS, Limits};
use runner::sources::BuildOptions;

use crate::cli::bot::{BotArgs, start_command};
use crate::cli::interactors::{InteractorOptions, Purpose};
use crate::cli::options::LimitOptions;
use crate::lint::bot::CHECKS;
use crate::lint::bot_under_test::BotUnderTest;
use crate::lint::interactor_under_test::InteractorUnderTest;
use crate::lint::{LintOptions, lint};
use crate::settings::Settings;
use crate::trials::problem::run::DEFAULT_IDLE;
use crate::units::number_in;

/// Check whether a bot follows the protocol, or an interactor copes with bots
#[derive(Debug, Args)]
#[command(mut_arg("bot", |bot| bot.required_unless_present("source")), after_help = "\
A note is not a failure. Most notes are about features that a bot for the contest does not need. With --interactor the \
interactor is checked with a bot that is right, on one input; the judge adds bots that are wrong.

Examples:
  judge lint -- python3 my_bot.py
  judge lint bot.cpp                 a source is compiled first
  judge lint --interactor interactor.py --input tests/1.in -- right.py

Exit codes:
  0  no check failed
  1  a check failed
  2  wrong usage, or a program could not be started")]
pub(crate) struct LintArgs {
    #[command(flatten)]
    bot: BotArgs,

    #[command(flatten)]
    limits: LimitOptions,

    /// Run only the check with this number
    #[arg(long, value_name = "K", value_parser = number_in(1..=CHECKS.len() as u64))]
    only: Option<u64>,

    /// Print one JSON object for each check
    #[arg(long)]
    json: bool,

    /// Print the command that compiles a source, and each note
    #[arg(short, long)]
    verbose: bool,

    #[command(flatten)]
    build: BuildOptions,

    #[command(flatten)]
    interactor: InteractorOptions,

    /// The input on which the interactor is checked
    #[arg(long, value_name = "FILE", help_heading = "Interactors")]
    input: Vec<PathBuf>,
}

impl LintArgs {
    pub(crate) fn run(&self, settings: &Settings) -> anyhow::Result<ExitCode> {
        interrupt::watch()?;
        let bot = self.bot.command("lint", settings)?;
        let started = start_command(bot, &self.build, self.verbose, settings)?;
        let mut config = MatchConfig { started, ..self.limits.config(bot, &self.build, settings) };
        let purpose = Purpose {
            names_problem: self.interactor.interactor.is_some(),
            has_problem_options: self.interactor != InteractorOptions::default() || !self.input.is_empty(),
            has_game_options: false,
        };
        let Some(problem) = purpose.problem(settings, self.verbose, 1)? else {
            return lint(&BotUnderTest::new(config)?, self.options(false));
        };
        let Limits { cpu, memory, .. } = DEFAULT_LIMITS;
        config.limits = self.limits.or(settings).limits(cpu, memory, DEFAULT_IDLE);
        let inputs = problem.inputs(&self.input);
        let mut run = self.interactor.interactor_run(&inputs, (config, None), problem)?;
        if self.input.is_empty() {
            // Without `--input`, the tests are all inputs that judge.toml names. The checks use only one.
            run.tests.truncate(1);
        }
        lint(&InteractorUnderTest::new(run)?, self.options(true))
    }

    fn options(&self, shows_notes: bool) -> LintOptions {
        LintOptions { only: self.only, json: self.json, shows_notes: shows_notes || self.verbose }
    }
}
