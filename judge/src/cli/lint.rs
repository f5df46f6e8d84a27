//! `judge lint`: checks whether a bot follows the protocol, or whether an interactor copes with any bot.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use runner::sources::BuildOptions;

use crate::cli::bot::BotArgs;
use crate::cli::interactors::InteractorOptions;
use crate::cli::options::{BotOptions, LimitOptions};
use crate::cli::subject::{Subject, SubjectOptions};
use crate::conversation::role::Role;
use crate::lint::bot::CHECKS;
use crate::lint::{self, LintOptions};
use crate::settings::Settings;
use crate::trials::family::GameFamily;
use crate::units::number_in;

/// Check whether a bot follows the protocol, or an interactor copes with bots
#[derive(Debug, Args)]
#[command(mut_arg("bot", |bot| bot.required_unless_present("source")), after_help = "\
A note is not a failure. Most notes are about features that a bot for the contest does not need. In the folder of a problem \
and with --interactor, the interactor is checked with a bot that is right, on one input; the judge adds bots that are wrong.

Examples:
  judge lint --family segment -- python3 my_bot.py
  judge lint --family segment bot.cpp   a source is compiled first
  judge lint right.cpp                  in the folder of a problem, or of a game
  judge lint --interactor interactor.py --input tests/1.in -- right.py

Exit codes:
  0  no check failed
  1  a check failed
  2  wrong usage, or a program could not be started")]
pub(crate) struct LintArgs {
    #[command(flatten)]
    bot: BotArgs,

    /// Check a bot for games of this family, without a judge.toml that names a game
    #[arg(long, value_name = "NAME", value_parser = [GameFamily::SEGMENT.name()], conflicts_with_all = ["interactor", "problem"])]
    family: Option<String>,

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
    pub(crate) verbose: bool,

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
        let bot = self.bot.command("lint", settings)?;
        let about = SubjectOptions {
            options: &self.interactor,
            inputs: Some(&self.input),
            has_problem_options: false,
            names_game: self.family.is_some(),
            needs_game: false,
            is_quiet: false,
            command: "lint",
        };
        let (limits, build) = (self.limits.clone(), self.build.clone());
        let options = BotOptions { limits, build, ..BotOptions::default() };
        // It has the package, whose files may be temporary.
        let settings = match about.subject(settings)? {
            Subject::Games(settings) => {
                let config = options.start_config(bot, &settings)?;
                return lint::bot::lint(config, self.shown(self.verbose));
            }
            Subject::Problem(settings) => settings,
        };
        if let Some(package) =
            settings.package.as_ref().filter(|package| package.passes.first() != Role::Interactor)
        {
            bail!(
                "{}: expected an interactive problem: the validator of this one gets no lines of the bot",
                package.folder.display()
            );
        }
        let mut run = self.interactor.problem_run(Some(&self.input), &options, bot, &settings)?;
        if self.input.is_empty() {
            // Without `--input`, the tests are all inputs of the problem. The checks use only one.
            run.tests.truncate(1);
        }
        lint::interactor::lint(run, self.shown(true))
    }

    fn shown(&self, shows_notes: bool) -> LintOptions {
        LintOptions { only: self.only, json: self.json, shows_notes }
    }
}
