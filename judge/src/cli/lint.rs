//! `judge lint`: checks whether a bot follows the protocol, or whether an interactor copes with any bot.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::ensure;
use clap::Args;
use runner::config::MatchConfig;
use runner::interrupt;
use runner::limits::DEFAULT_LIMITS;
use runner::sources::BuildOptions;

use crate::cli::bot;
use crate::cli::complete;
use crate::cli::interactor_options::{IDLE_HELP, InteractorOptions, NamedBy, ProblemSettings};
use crate::cli::match_options::{LimitOptions, with_started};
use crate::cli::subcommand::{Program, Subcommand};
use crate::lint::bot::CHECKS;
use crate::lint::bot_under_test::BotUnderTest;
use crate::lint::interactor_under_test::InteractorUnderTest;
use crate::lint::{LintOptions, lint};
use crate::trials::problem::run::DEFAULT_IDLE;
use crate::units::number_in;

/// Check whether a bot follows the protocol, or an interactor copes with bots
#[derive(Debug, Args)]
#[command(
    mut_arg("interactor", |option| option.help(INTERACTOR_HELP)),
    mut_arg("problem", |option| option.hide(true)),
    mut_arg("interaction", |option| option.hide(true)),
    mut_arg("idle_limit", |option| option.help(IDLE_HELP)),
    override_usage = "\
judge lint [OPTIONS] -- BOT ARGS...
       judge lint [OPTIONS] SOURCE [ARGS...]
       judge lint --interactor COMMAND [--input FILE] [OPTIONS] -- RIGHT_BOT ARGS...",
    after_help = "\
A check passes, fails, or leaves a note; it is \"lost\" if the bot follows the protocol but loses a game that it can win. \
A note is not a failure. Most notes are about features that a bot for the contest does not need: assigned sides, \
several games in one conversation, the other games, or a certain exit code when its input ends.

With --interactor the interactor of another problem is checked, on one input. The bot has to be right. The judge adds \
bots that leave early, write malformed lines or write 60 MB.

Examples:
  judge lint -- python3 my_bot.py
  judge lint --json -- ./bot
  judge lint bot.cpp                 a source is compiled first
  judge lint --interactor interactor.py --input tests/1.in -- right.py

Exit codes:
  0  no check failed
  1  a check failed
  2  wrong usage, or a program could not be started"
)]
pub(crate) struct LintArgs {
    #[command(flatten)]
    limits: LimitOptions,

    /// Run only the check with this number
    #[arg(long, value_name = "K", value_parser = number_in(1..=CHECKS.len() as u64))]
    pub(crate) only: Option<u64>,

    /// Print one JSON object for each check
    #[arg(long)]
    pub(crate) json: bool,

    /// Print the command that compiles a source, and each note
    #[arg(short, long)]
    pub(crate) verbose: bool,

    #[command(flatten)]
    pub(crate) build: BuildOptions,

    #[command(flatten)]
    interactor: InteractorOptions,

    /// The bot's source, such as bot.cpp, which is compiled, and its arguments
    #[arg(add = complete::bot(), value_name = "SOURCE", conflicts_with = "bot")]
    pub(crate) source: Vec<OsString>,

    /// The bot's command and its arguments
    #[arg(add = complete::bot(), last = true, value_name = "BOT", required_unless_present = "source")]
    pub(crate) bot: Vec<OsString>,
}

const INTERACTOR_HELP: &str =
    "Check this interactor, a source (which is compiled) or a command, with a bot that is right";

impl Subcommand for LintArgs {
    fn run(&self, program: &Program) -> anyhow::Result<ExitCode> {
        let Program { settings, .. } = program;
        interrupt::watch()?;
        let bot = bot::typed_command("lint", &self.source, &self.bot, settings)?;
        let config =
            with_started(self.limits.config(bot, &self.build, &settings.limits), self.verbose, settings)?;
        ensure!(
            self.interactor.problem.is_none() && self.interactor.interaction.is_none(),
            "expected --interactor and its options, got --problem or --interaction of judge run"
        );
        let Some(named_by) = NamedBy::find(program, self.interactor.naming_option(), &[], false)? else {
            return lint(&BotUnderTest::new(config)?, self.options(false));
        };
        let limits =
            self.limits.limits_or(DEFAULT_LIMITS.cpu, DEFAULT_LIMITS.memory, DEFAULT_IDLE, &settings.limits);
        let with =
            ProblemSettings { settings, section: named_by.section(), is_verbose: self.verbose, jobs: 1 };
        let mut run =
            self.interactor.interactor_run((MatchConfig { limits, ..config }, None), 1..=1, with)?;
        if self.interactor.input.is_empty() {
            // Without `--input`, the tests are all inputs that judge.toml names. The checks use only one.
            run.tests.truncate(1);
        }
        lint(&InteractorUnderTest::new(run)?, self.options(true))
    }
}

impl LintArgs {
    fn options(&self, shows_notes: bool) -> LintOptions {
        LintOptions { only: self.only, json: self.json, shows_notes: shows_notes || self.verbose }
    }
}
