//! The options of `judge run` for a foreign interactor.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::problem::{Helper, ProblemRun, words};
use crate::settings::Settings;
use crate::sources;
use common::units::{memory_limit, time_limit};
use interactor::style::Style;
use referee::config::MatchConfig;
use runner::limits::{Limits, default_wall};

/// The options of an interactor.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Interactors")]
pub(crate) struct InteractorOptions {
    /// Run the bot against this interactor instead of a game of the judge: a source, which is compiled, or a command
    #[arg(long, value_name = "COMMAND", conflicts_with_all = OPTIONS_OF_GAMES)]
    pub(crate) interactor: Option<String>,

    /// How the interactor is called, and how it says what it decided [default: found out from its source]
    #[arg(long, value_enum, value_name = "STYLE", requires = "interactor")]
    style: Option<Style>,

    /// The input of a test, a folder of inputs, or a pattern such as 'tests/*.in'; may be repeated. The answer to 1.in
    /// is 1.ans, 1.a or 1.out
    #[arg(long, value_name = "FILE", requires = "interactor")]
    input: Vec<PathBuf>,

    /// A checker that decides after an interactor of the style testlib has accepted
    #[arg(long, value_name = "COMMAND", requires = "interactor")]
    pub(crate) checker: Option<String>,

    /// Write the lines of both programs to FILE, as in the samples of problem packages: "<" and what the bot reads, or
    /// ">" and what it writes; only for one run
    #[arg(long, value_name = "FILE", requires = "interactor")]
    interaction: Option<PathBuf>,

    /// How much CPU time the interactor may use
    #[arg(long, default_value = "10s", value_name = "TIME", value_parser = time_limit, requires = "interactor")]
    interactor_time: Duration,

    /// How much memory the interactor may use, in MiB if there is no unit
    #[arg(long, default_value = "2GiB", value_name = "SIZE", value_parser = memory_limit, requires = "interactor")]
    interactor_memory: u64,
}

/// The options of `judge run` that are about games of the judge.
const OPTIONS_OF_GAMES: [&str; 9] =
    ["family", "opponent", "bots", "line", "transcript", "stderr", "html", "html_all", "session"];

impl InteractorOptions {
    /// Returns what is needed to run `bot` against the interactor with the seeds `seeds`; `None` without an interactor.
    /// Compiles the sources of the interactor and the checker.
    ///
    /// # Errors
    ///
    /// If a command is malformed, or a source cannot be compiled.
    pub(super) fn problem_run(
        &self,
        bot: MatchConfig,
        is_verbose: bool,
        settings: &Settings,
        seeds: std::ops::RangeInclusive<u64>,
        jobs: u16,
        force: bool,
    ) -> anyhow::Result<Option<ProblemRun>> {
        let Some(interactor) = &self.interactor else { return Ok(None) };
        let helper = |option: &str, typed: &String| {
            let typed_words = words(option, typed)?;
            let started = sources::command(&typed_words, &settings.languages, &bot.build, is_verbose)?;
            anyhow::Ok(Helper { typed: typed.clone(), command: started.unwrap_or(typed_words) })
        };
        let interactor = helper("--interactor", interactor)?;
        let checker = self.checker.as_ref().map(|checker| helper("--checker", checker)).transpose()?;
        let (cpu, memory) = (self.interactor_time, self.interactor_memory);
        let interactor_limits = Limits { cpu, memory, wall: default_wall(cpu), ..bot.limits };
        Ok(Some(ProblemRun {
            bot,
            interactor,
            checker,
            style: self.style,
            inputs: self.input.clone(),
            interactor_limits,
            seeds,
            jobs,
            interaction: self.interaction.clone(),
            force,
        }))
    }
}
