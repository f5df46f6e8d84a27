//! The options of `judge run`, `judge lint` and `judge stress` for a foreign interactor, and the runs that they
//! describe.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, ensure};
use clap::Args;
use runner::config::MatchConfig;
use runner::limits::{DEFAULT_LIMITS, Limits, default_wall};
use runner::program;
use runner::sandbox::Sandbox;
use runner::sources::folder::{self, BuiltProgram};
use runner::sources::{self, BuildOptions};

use crate::cli::options::BotOptions;
use crate::conversation::facts::Turn;
use crate::referee::interactor::style::Style;
use crate::settings::{INTERACTOR, ProblemSection, Settings};
use crate::trials::problem::package::Package;
use crate::trials::problem::run::{
    DEFAULT_IDLE, INTERACTOR_CPU, INTERACTOR_MEMORY, InteractorOrigin, PackageConditions, ProblemProgram,
    ProblemRun, split_command,
};
use crate::trials::problem::test::Test;
use crate::units::{parse_memory_limit, parse_time_limit};

/// The options for an interactor. Without `interactor`, they are for the one that `judge.toml` or a package names.
#[derive(Clone, Debug, Default, PartialEq, Args)]
#[command(next_help_heading = "Interactors")]
pub(crate) struct InteractorOptions {
    /// Play against this interactor, not a game of the judge: a source, which is compiled, or a command
    #[arg(long, value_name = "COMMAND")]
    pub(crate) interactor: Option<String>,

    /// How the interactor is called, and how it reports its decision [default: detected from its source]
    #[arg(long, value_enum, value_name = "STYLE")]
    pub(crate) style: Option<Style>,

    /// A checker that decides after an interactor of the style testlib has accepted
    #[arg(long, value_name = "COMMAND")]
    pub(crate) checker: Option<String>,

    /// How much CPU time the interactor may use [default: 10s, or the limit of the package]
    #[arg(long, value_name = "TIME", value_parser = parse_time_limit)]
    pub(crate) interactor_time: Option<Duration>,

    /// How much memory the interactor may use, in MiB if there is no unit [default: 2GiB, or the limit of the package]
    #[arg(long, value_name = "SIZE", value_parser = parse_memory_limit)]
    pub(crate) interactor_memory: Option<u64>,

    /// Allow the interactor and the checker only to read, compute and write files in their own folder (Linux); with
    /// =best, as far as this machine can refuse the rest
    #[arg(long, value_enum, value_name = "GUARDS", num_args = 0..=1, require_equals = true,
        default_value = "none", default_missing_value = "all", hide_default_value = true)]
    pub(crate) interactor_sandbox: Sandbox,
}

/// What the options of a command line are for. Options and headers of games have priority over `judge.toml`, which has
/// priority over the games that are played without any of them.
pub(crate) struct Purpose {
    /// Whether an option names an interactor or a problem package.
    pub(crate) names_problem: bool,
    /// Whether an option is given that is only for interactors.
    pub(crate) has_problem_options: bool,
    /// Whether an option or a header is given that is only for games of the judge.
    pub(crate) has_game_options: bool,
}

impl Purpose {
    /// Returns the settings of the problem; `None` if the judge's own games are played. It is an error if an option
    /// needs an interactor, and none is named.
    pub(crate) fn problem(
        self,
        settings: &Settings,
        is_verbose: bool,
        jobs: u16,
    ) -> anyhow::Result<Option<ProblemSettings<'_>>> {
        let is_free = !self.names_problem && !self.has_game_options;
        let section = settings.problem.as_ref().filter(|_| is_free);
        let is_problem = self.names_problem || section.is_some();
        ensure!(
            is_problem || !self.has_problem_options,
            "the options for interactors need one: expected --interactor too, or a judge.toml with [problem] and no \
             option or header of a game"
        );
        Ok(is_problem.then_some(ProblemSettings { settings, section, is_verbose, jobs }))
    }
}

/// The settings with which the programs of a problem are compiled and run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProblemSettings<'a> {
    pub(crate) settings: &'a Settings,
    /// The section `[problem]`, if it names the problem. It provides the programs and inputs that no option names.
    section: Option<&'a ProblemSection>,
    pub(crate) is_verbose: bool,
    jobs: u16,
}

impl InteractorOptions {
    /// Returns the run of `bot` against the interactor with one seed. The tests are `inputs`, or if that is empty, one
    /// without an input. Compiles the sources of the interactor and the checker.
    pub(crate) fn interactor_run(
        &self,
        inputs: &[PathBuf],
        (bot, built): (MatchConfig, Option<BuiltProgram>),
        with: ProblemSettings<'_>,
    ) -> anyhow::Result<ProblemRun> {
        let interactor = with.program(INTERACTOR, self.interactor.as_deref(), &bot.build)?;
        let defaults = (INTERACTOR_CPU, INTERACTOR_MEMORY);
        Ok(ProblemRun {
            interactor: interactor.with_context(|| with.missing(INTERACTOR))?,
            checker: with.program("checker", self.checker.as_deref(), &bot.build)?,
            interactor_limits: self.limits(defaults, &bot),
            default_interactor_limits: defaults,
            interactor_sandbox: self.interactor_sandbox,
            bot,
            style: self.style.or_else(|| with.section?.style),
            origin: InteractorOrigin::Typed,
            tests: Test::of_inputs(inputs)?,
            seeds: 1..=1,
            jobs: with.jobs,
            built: built.into_iter().map(Arc::new).collect(),
        })
    }

    /// Returns the run of `bot` on the tests of `package` with one seed. Builds the output validator.
    pub(crate) fn package_run(
        &self,
        package: &Package,
        inputs: &[PathBuf],
        (bot, built): (MatchConfig, Option<BuiltProgram>),
        with: ProblemSettings<'_>,
    ) -> anyhow::Result<ProblemRun> {
        let limits = &package.limits;
        let languages = &with.settings.languages;
        let validator = package
            .constants
            .build(&package.validator, languages, &bot.build, with.is_verbose)
            .context(OfProblem("--problem".to_owned()))?;
        let defaults = (
            limits.validation_time.unwrap_or(INTERACTOR_CPU),
            limits.validation_memory.unwrap_or(INTERACTOR_MEMORY),
        );
        let mut interactor_limits = self.limits(defaults, &bot);
        if package.turn == Turn::AfterBot {
            // This validator reads a file after the bot has ended, so the two programs cannot wait for each other. With
            // an idle limit above the wall limit, only the wall limit can be reached.
            interactor_limits.idle = interactor_limits.wall.saturating_mul(2);
        }
        let (output, validator_output) = package.output_limits();
        Ok(ProblemRun {
            interactor_limits,
            default_interactor_limits: defaults,
            interactor_sandbox: self.interactor_sandbox,
            bot,
            interactor: ProblemProgram {
                named_by: "--problem".to_owned(),
                typed: package.validator.to_string_lossy().into_owned(),
                command: validator.command.clone(),
            },
            checker: None,
            style: Some(Style::Icpc),
            origin: InteractorOrigin::Package(PackageConditions {
                folder: package.folder.clone(),
                turn: package.turn,
                max_passes: package.max_passes,
                output,
                validator_output,
                default_limits: package.default_limits(),
            }),
            tests: Test::of_package(package, inputs)?,
            seeds: 1..=1,
            jobs: with.jobs,
            built: built.into_iter().chain([validator]).map(Arc::new).collect(),
        })
    }

    /// Returns the limits of the interactor. `cpu` and `memory` (in bytes) are the defaults. The idle limit is that of
    /// the bot.
    fn limits(&self, (cpu, memory): (Duration, u64), bot: &MatchConfig) -> Limits {
        let cpu = self.interactor_time.unwrap_or(cpu);
        let memory = self.interactor_memory.unwrap_or(memory);
        Limits { cpu, memory, wall: default_wall(cpu), idle: bot.limits.idle, ..DEFAULT_LIMITS }
    }
}

/// Says that an error is about a program of the problem, and where the program was named.
#[derive(Debug)]
pub(crate) struct OfProblem(String);

impl fmt::Display for OfProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'a> ProblemSettings<'a> {
    /// Returns the settings for a problem that `judge.toml` does not name.
    pub(crate) fn without_section(settings: &'a Settings) -> Self {
        Self { settings, section: None, is_verbose: false, jobs: 1 }
    }
}

impl ProblemSettings<'_> {
    /// Returns an error if `bot` is empty, because there is no bundled bot for other problems.
    pub(crate) fn ensure_bot(&self, bot: &[OsString]) -> anyhow::Result<()> {
        let place = self.section.map(|section| self.settings.at(section.line));
        let place = place.map_or_else(String::new, |place| format!("; {place} names a problem"));
        ensure!(!bot.is_empty(), "expected the bot's command after \"--\", got none{place}");
        Ok(())
    }

    /// Returns the error message for a problem without the program `name`.
    pub(crate) fn missing(&self, name: &str) -> String {
        match self.section.map(|section| self.settings.at(section.line)) {
            Some(place) => format!("{place}: expected a {name} in [problem], or --{name}"),
            None => format!("expected --{name}"),
        }
    }

    /// Returns the typed inputs, or else those of the section.
    pub(crate) fn inputs(&self, typed: &[PathBuf]) -> Vec<PathBuf> {
        let section = self.section.filter(|_| typed.is_empty());
        section.map_or_else(|| typed.to_vec(), ProblemSection::inputs)
    }

    /// Returns the program `name` of the problem, such as the checker. `typed`, the value of the option `--name`, has
    /// priority over the section. Returns `None` if neither names the program. Compiles a source.
    pub(crate) fn program(
        self,
        name: &str,
        typed: Option<&str>,
        build: &BuildOptions,
    ) -> anyhow::Result<Option<ProblemProgram>> {
        let entry = self.section.and_then(|section| section.entry(name));
        let (place, typed) = match (typed, entry) {
            (Some(typed), _) => (format!("--{name}"), typed.to_owned()),
            (None, Some(entry)) => (self.settings.at(entry.line), entry.command()),
            (None, None) => return Ok(None),
        };
        let typed_words = split_command(&place, &typed)?;
        let started = sources::command(&typed_words, &self.settings.languages, build, self.is_verbose)
            .with_context(|| OfProblem(place.clone()))?;
        let command = started.unwrap_or(typed_words);
        if let Some(program) = command.first() {
            program::find(program)
                .with_context(|| format!("{place}: {} cannot be started", program.display()))?;
        }
        Ok(Some(ProblemProgram { named_by: place, typed, command }))
    }

    /// Returns the configuration of a bot with the command `bot`. If the bot is a folder or a submission of the
    /// package, builds it and also returns the program.
    pub(crate) fn bot(
        self,
        options: &BotOptions,
        bot: &[OsString],
        package: Option<&Package>,
    ) -> anyhow::Result<(MatchConfig, Option<BuiltProgram>)> {
        let ProblemSettings { settings, is_verbose, .. } = self;
        let owner =
            bot.first().and_then(|path| package.filter(|package| package.has_submission(path.as_ref())));
        let (config, built) = match bot {
            [path, args @ ..] if owner.is_some() || Path::new(path).is_dir() => {
                let (path, languages, build) = (Path::new(path), &settings.languages, &options.build);
                let built = match owner {
                    Some(package) => package.constants.build(path, languages, build, is_verbose)?,
                    None => folder::build(path, languages, build, is_verbose)?,
                };
                let started = Some([&built.command[..], args].concat());
                (MatchConfig { started, ..options.config(bot, settings) }, Some(built))
            }
            _ => (options.start_config(bot, is_verbose, settings)?, None),
        };
        if !config.command().is_empty() {
            program::check(config.command())?;
        }
        let (cpu, memory) =
            package.map_or((DEFAULT_LIMITS.cpu, DEFAULT_LIMITS.memory), Package::default_limits);
        let limits = options.limits.or(settings).limits(cpu, memory, DEFAULT_IDLE);
        Ok((MatchConfig { limits, ..config }, built))
    }
}
