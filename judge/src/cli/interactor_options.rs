//! The options of `judge run` and `judge stress` for a foreign interactor.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use clap::Args;

use crate::problem::{Effort, Helper, ProblemRun, StressRun, words};
use crate::settings::Settings;
use crate::sources;
use common::units::{memory_limit, time_limit};
use interactor::style::Style;
use referee::config::{BuildOptions, MatchConfig};
use runner::limits::{Limits, default_wall};

/// The options of `judge run` for an interactor.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Interactors")]
pub(crate) struct InteractorOptions {
    /// Run the bot against this interactor instead of a game of the judge: a source, which is compiled, or a command
    #[arg(long, value_name = "COMMAND", conflicts_with_all = OPTIONS_OF_GAMES)]
    pub(crate) interactor: Option<String>,

    /// The input of a test, a folder of inputs, or a pattern such as 'tests/*.in'; may be repeated. The answer to 1.in
    /// is 1.ans, 1.a or 1.out
    #[arg(long, value_name = "FILE", requires = "interactor")]
    pub(super) input: Vec<PathBuf>,

    #[command(flatten)]
    pub(super) details: InteractorDetails,
}

/// The options of `judge run` that are about games of the judge.
const OPTIONS_OF_GAMES: [&str; 9] =
    ["family", "opponent", "bots", "line", "transcript", "stderr", "html", "html_all", "session"];

/// The options of `judge stress` for an interactor.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Interactors")]
pub(crate) struct GeneratorOptions {
    /// Run the bot against this interactor instead of games of the judge: a source, which is compiled, or a command
    #[arg(long, value_name = "COMMAND", requires = "generator", conflicts_with_all = OPTIONS_OF_SEARCHES)]
    pub(crate) interactor: Option<String>,

    /// The program that prints an input: a source or a command. It gets the seed as its last argument, or in place of
    /// {seed}
    #[arg(long, value_name = "COMMAND", requires = "interactor")]
    generator: Option<String>,

    /// A program that reads an input and exits with 0 or 42 if it is valid; only valid inputs are tried when an input is
    /// shrunk
    #[arg(long, value_name = "COMMAND", requires = "interactor")]
    validator: Option<String>,

    #[command(flatten)]
    details: InteractorDetails,
}

/// The options of `judge stress` that are about games of the judge.
const OPTIONS_OF_SEARCHES: [&str; 11] = [
    "family",
    "max_n",
    "keep_going",
    "resume",
    "checkpoint",
    "shard",
    "shards",
    "stderr",
    "html",
    "force",
    "session",
];

/// How an interactor is called, and its limits.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Interactors")]
pub(crate) struct InteractorDetails {
    /// How the interactor is called, and how it says what it decided [default: found out from its source]
    #[arg(long, value_enum, value_name = "STYLE", requires = "interactor")]
    style: Option<Style>,

    /// A checker that decides after an interactor of the style testlib has accepted
    #[arg(long, value_name = "COMMAND", requires = "interactor")]
    checker: Option<String>,

    /// How much CPU time the interactor may use
    #[arg(long, default_value = "10s", value_name = "TIME", value_parser = time_limit, requires = "interactor")]
    interactor_time: Duration,

    /// How much memory the interactor may use, in MiB if there is no unit
    #[arg(long, default_value = "2GiB", value_name = "SIZE", value_parser = memory_limit, requires = "interactor")]
    interactor_memory: u64,
}

/// Returns the program of a problem that was typed as `typed`. Compiles it if it is a source.
///
/// # Errors
///
/// If the command is malformed, or the source cannot be compiled.
fn helper(
    option: &str,
    typed: &str,
    build: &BuildOptions,
    is_verbose: bool,
    settings: &Settings,
) -> anyhow::Result<Helper> {
    let typed_words = words(option, typed)?;
    let started = sources::command(&typed_words, &settings.languages, build, is_verbose)?;
    Ok(Helper { typed: typed.to_owned(), command: started.unwrap_or(typed_words) })
}

impl InteractorDetails {
    /// Returns what is needed to run `bot` against the interactor once, without an input. Compiles the sources of the
    /// interactor and the checker.
    ///
    /// # Errors
    ///
    /// If a command is malformed, or a source cannot be compiled.
    pub(super) fn problem_run(
        &self,
        interactor: &str,
        bot: MatchConfig,
        is_verbose: bool,
        settings: &Settings,
    ) -> anyhow::Result<ProblemRun> {
        let helper = |option, typed: &String| helper(option, typed, &bot.build, is_verbose, settings);
        let interactor = helper("--interactor", &interactor.to_owned())?;
        let checker = self.checker.as_ref().map(|checker| helper("--checker", checker)).transpose()?;
        let (cpu, memory) = (self.interactor_time, self.interactor_memory);
        let interactor_limits = Limits { cpu, memory, wall: default_wall(cpu), ..bot.limits };
        let (inputs, seeds, jobs) = (Vec::new(), 1..=1, 1);
        Ok(ProblemRun { bot, interactor, checker, style: self.style, inputs, interactor_limits, seeds, jobs })
    }
}

impl GeneratorOptions {
    /// Returns what is needed to search for an input with which `bot` fails against `interactor`. The smallest input is
    /// kept in `folder`.
    ///
    /// # Errors
    ///
    /// If a command is malformed, or a source cannot be compiled.
    pub(super) fn stress_run(
        &self,
        problem: ProblemRun,
        effort: Effort,
        folder: PathBuf,
        is_verbose: bool,
        settings: &Settings,
    ) -> anyhow::Result<StressRun> {
        let helper = |option, typed: &String| helper(option, typed, &problem.bot.build, is_verbose, settings);
        let generator = self.generator.as_ref().context("expected --generator")?;
        let generator = helper("--generator", generator)?;
        let validator = self.validator.as_ref().map(|typed| helper("--validator", typed)).transpose()?;
        Ok(StressRun { problem, generator, validator, effort, folder })
    }

    /// Returns the options for how the interactor is called.
    pub(super) fn details(&self) -> &InteractorDetails {
        &self.details
    }
}
