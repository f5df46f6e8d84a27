//! The options of `judge run`, `judge lint` and `judge stress` for a foreign interactor, and the runs that they
//! describe.

use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use clap::{ArgGroup, Args};
use runner::config::MatchConfig;
use runner::limits::{DEFAULT_LIMITS, Limits, default_wall};
use runner::program;
use runner::sources::folder::{self, BuiltProgram};
use runner::sources::{self, BuildOptions};

use crate::cli::match_options::MatchOptions;
use crate::cli::subcommand::Program;
use crate::conversation::facts::Turn;
use crate::referee::interactor::style::Style;
use crate::search::inputs::Inputs;
use crate::settings::{INTERACTOR, ProblemSection, Settings};
use crate::trials::problem::package::Package;
use crate::trials::problem::run::{
    DEFAULT_IDLE, INTERACTOR_CPU, INTERACTOR_MEMORY, InteractorOrigin, PackageConditions, ProblemProgram,
    ProblemRun, split_command,
};
use crate::trials::problem::test::Test;
use crate::units::{parse_memory_limit, parse_time_limit};

/// The options of `judge run` and `judge lint` for an interactor.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Interactors", group = ArgGroup::new("judged_by").args(["interactor", "problem"]))]
pub(crate) struct InteractorOptions {
    /// Run the bot against this interactor instead of a game of the judge. The interactor is a source, which is
    /// compiled, or a command
    #[arg(long, value_name = "COMMAND")]
    pub(crate) interactor: Option<String>,

    /// Run the bot on the tests of this problem package, with its validator and its limits. Without a bot, run each
    /// submission of the package, and compare its verdicts with those expected for its folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["style", "checker"])]
    pub(crate) problem: Option<PathBuf>,

    /// The input of a test, a folder of inputs, or a pattern such as 'tests/*.in'; may be repeated. The answer to 1.in
    /// is 1.ans, 1.a or 1.out. A test of a package may be named as in reports, such as secret/01
    #[arg(long, value_name = "FILE")]
    pub(crate) input: Vec<PathBuf>,

    /// Write the lines of both programs to FILE, as in the samples of problem packages: "<" before a line that the bot
    /// reads, and ">" before a line that it writes. Only for one run
    #[arg(long, value_name = "FILE")]
    pub(crate) interaction: Option<PathBuf>,

    #[command(flatten)]
    details: InteractorDetails,
}

/// The options of `judge stress` for an interactor.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Interactors")]
pub(crate) struct GeneratorOptions {
    /// Run the bot against this interactor instead of games of the judge. The interactor is a source, which is
    /// compiled, or a command
    #[arg(long, value_name = "COMMAND", requires = "generator")]
    pub(crate) interactor: Option<String>,

    /// The program that prints an input: a source or a command. It gets the seed as its last argument, or in place of
    /// {seed}
    #[arg(long, value_name = "COMMAND")]
    generator: Option<String>,

    /// A program that reads an input and exits with 0 or 42 if it is valid; only valid inputs are tried when an input
    /// is shrunk
    #[arg(long, value_name = "COMMAND")]
    validator: Option<String>,

    #[command(flatten)]
    details: InteractorDetails,
}

/// The help of `--idle-limit` in the commands that run interactors.
pub(crate) const IDLE_HELP: &str = "How long the bot may print nothing and use almost no CPU time while its line is \
    expected, or how long the bot and the interactor may wait for each other [default: the time limit, and with an \
    interactor at most 1s]";

/// The options that need an interactor.
const OPTIONS_OF_INTERACTORS: [&str; 9] = [
    "input",
    "interaction",
    "style",
    "checker",
    "interactor-time",
    "interactor-memory",
    "interactor-sandbox",
    "generator",
    "validator",
];

/// What names the problem: an option or the settings file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NamedBy<'a> {
    /// An option: `--interactor` or `--problem`.
    Option,
    /// The section `[problem]` of `judge.toml`.
    Section(&'a ProblemSection),
}

impl<'a> NamedBy<'a> {
    /// Returns what names the problem; `None` if the judge's own games are played. `option` is the typed option that
    /// names the problem, `options_of_games` are the options that are only for games, and `is_game` is whether the
    /// command line has the header of a game. Options and a game on the command line have priority over the section.
    ///
    /// # Errors
    ///
    /// If the typed options contain both an option for an interactor and one for games, or if an option needs an
    /// interactor and none is named.
    pub(crate) fn find(
        program: &'a Program,
        option: Option<&str>,
        options_of_games: &[&str],
        is_game: bool,
    ) -> anyhow::Result<Option<Self>> {
        let of_games = program.typed_among(options_of_games);
        if let Some(option) = option {
            if let Some(of_games) = of_games {
                bail!("--{of_games} cannot be used with --{option}: it is for games of the judge");
            }
            return Ok(Some(Self::Option));
        }
        if let Some(section) = program.settings.problem.as_ref().filter(|_| of_games.is_none() && !is_game) {
            return Ok(Some(Self::Section(section)));
        }
        if let Some(of_interactors) = program.typed_among(&OPTIONS_OF_INTERACTORS) {
            bail!(
                "--{of_interactors} needs an interactor: expected --interactor too, or a judge.toml with [problem] and \
                 no option or header of a game"
            );
        }
        Ok(None)
    }

    /// Returns the section, if it names the problem.
    pub(crate) fn section(self) -> Option<&'a ProblemSection> {
        match self {
            Self::Option => None,
            Self::Section(section) => Some(section),
        }
    }

    /// Returns an error if `bot` is empty, because there is no bundled bot for other problems.
    pub(crate) fn ensure_bot(self, bot: &[OsString], settings: &Settings) -> anyhow::Result<()> {
        let place = self.section().map(|section| settings.at(section.line));
        let place = place.map_or_else(String::new, |place| format!("; {place} names a problem"));
        ensure!(!bot.is_empty(), "expected the bot's command after \"--\", got none{place}");
        Ok(())
    }
}

/// The options for how an interactor is called, and for its limits.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Interactors")]
pub(crate) struct InteractorDetails {
    /// How the interactor is called, and how it reports its decision [default: detected from its source]
    #[arg(long, value_enum, value_name = "STYLE")]
    style: Option<Style>,

    /// A checker that decides after an interactor of the style testlib has accepted
    #[arg(long, value_name = "COMMAND")]
    checker: Option<String>,

    /// How much CPU time the interactor may use [default: 10s, or the limit of the package]
    #[arg(long, value_name = "TIME", value_parser = parse_time_limit)]
    interactor_time: Option<Duration>,

    /// How much memory the interactor may use, in MiB if there is no unit [default: 2GiB, or the limit of the package]
    #[arg(long, value_name = "SIZE", value_parser = parse_memory_limit)]
    interactor_memory: Option<u64>,

    /// Allow the interactor and the checker only to read and compute (Linux). The interactor may also write files in
    /// its own folder. --sandbox restricts the bot instead
    #[arg(long)]
    interactor_sandbox: bool,
}

/// The settings with which the programs of a problem are compiled and run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProblemSettings<'a> {
    pub(crate) settings: &'a Settings,
    /// The section `[problem]`, if it names the problem. It provides the programs and inputs that no option names.
    pub(crate) section: Option<&'a ProblemSection>,
    pub(crate) is_verbose: bool,
    pub(crate) jobs: u16,
}

impl InteractorOptions {
    /// Returns the option that names the problem.
    pub(crate) fn naming_option(&self) -> Option<&'static str> {
        let problem = self.problem.as_ref().map(|_| "problem");
        self.interactor.as_ref().map(|_| INTERACTOR).or(problem)
    }

    /// Returns the run of `bot` against the interactor, on all inputs. Compiles the sources of the interactor and the
    /// checker.
    ///
    /// # Errors
    ///
    /// If a command is malformed, an argument names no input, or a source cannot be compiled.
    pub(crate) fn interactor_run(
        &self,
        bot: (MatchConfig, Option<BuiltProgram>),
        seeds: RangeInclusive<u64>,
        with: ProblemSettings<'_>,
    ) -> anyhow::Result<ProblemRun> {
        let run = self.details.problem_run(self.interactor.as_deref(), bot, with)?;
        let of_section = || with.section.map_or_else(Vec::new, ProblemSection::inputs);
        let inputs = if self.input.is_empty() { of_section() } else { self.input.clone() };
        Ok(ProblemRun { tests: Test::of_inputs(&inputs)?, seeds, ..run })
    }

    /// Returns the run of `bot` on the tests of `package`. Builds the output validator.
    ///
    /// # Errors
    ///
    /// If an argument names no input of the package, or the validator cannot be built.
    pub(crate) fn package_run(
        &self,
        package: &Package,
        (bot, built): (MatchConfig, Option<BuiltProgram>),
        seeds: RangeInclusive<u64>,
        with: ProblemSettings<'_>,
    ) -> anyhow::Result<ProblemRun> {
        let limits = &package.limits;
        let validator = package.constants.build(
            &package.validator,
            &with.settings.languages,
            &bot.build,
            with.is_verbose,
        )?;
        let defaults = (
            limits.validation_time.unwrap_or(INTERACTOR_CPU),
            limits.validation_memory.unwrap_or(INTERACTOR_MEMORY),
        );
        let mut interactor_limits = self.details.limits(defaults, bot.limits);
        if package.turn == Turn::AfterBot {
            // This validator reads a file after the bot has ended, so the two programs cannot wait for each other. With
            // an idle limit above the wall limit, only the wall limit can be reached.
            interactor_limits.idle = interactor_limits.wall.saturating_mul(2);
        }
        let (output, validator_output) = package.output_limits();
        Ok(ProblemRun {
            interactor_limits,
            default_interactor_limits: defaults,
            interactor_sandbox: self.details.interactor_sandbox,
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
            tests: Test::of_package(package, &self.input)?,
            seeds,
            jobs: with.jobs,
            built: built.into_iter().chain([validator]).map(Arc::new).collect(),
        })
    }
}

impl InteractorDetails {
    /// Returns the run of `bot` against an interactor, without an input. `interactor` is the value of `--interactor`,
    /// if that option is given. Compiles the sources of the interactor and the checker.
    ///
    /// # Errors
    ///
    /// If a command is malformed, or a source cannot be compiled.
    pub(crate) fn problem_run(
        &self,
        interactor: Option<&str>,
        (bot, built): (MatchConfig, Option<BuiltProgram>),
        with: ProblemSettings<'_>,
    ) -> anyhow::Result<ProblemRun> {
        let interactor = with.problem_program(INTERACTOR, interactor, &bot.build)?;
        let interactor = interactor.context("expected --interactor")?;
        let checker = with.problem_program("checker", self.checker.as_deref(), &bot.build)?;
        let defaults = (INTERACTOR_CPU, INTERACTOR_MEMORY);
        Ok(ProblemRun {
            interactor_limits: self.limits(defaults, bot.limits),
            default_interactor_limits: defaults,
            interactor_sandbox: self.interactor_sandbox,
            bot,
            interactor,
            checker,
            style: self.style.or_else(|| with.section?.style),
            origin: InteractorOrigin::Typed,
            tests: Test::of_inputs(&[])?,
            seeds: 1..=1,
            jobs: with.jobs,
            built: built.into_iter().map(Arc::new).collect(),
        })
    }

    /// Returns the limits of the interactor. `cpu` and `memory` (in bytes) are the defaults. The idle limit is
    /// `bot.idle`; `bot` holds the limits of the bot.
    fn limits(&self, (cpu, memory): (Duration, u64), bot: Limits) -> Limits {
        let cpu = self.interactor_time.unwrap_or(cpu);
        let memory = self.interactor_memory.unwrap_or(memory);
        Limits { cpu, memory, wall: default_wall(cpu), idle: bot.idle, ..DEFAULT_LIMITS }
    }
}

impl GeneratorOptions {
    /// Returns the inputs of a search for one with which the bot of `problem` fails. The first has the seed `seed`, and
    /// the smallest is kept in `folder`.
    ///
    /// # Errors
    ///
    /// If a command is malformed, a source cannot be compiled, or the interactor does not use inputs.
    pub(crate) fn inputs(
        &self,
        problem: ProblemRun,
        (seed, folder): (u64, PathBuf),
        with: ProblemSettings<'_>,
    ) -> anyhow::Result<Inputs> {
        let build = &problem.bot.build;
        let generator = with.problem_program("generator", self.generator.as_deref(), build)?;
        let generator = generator.with_context(|| match with.section {
            Some(section) => {
                let place = with.settings.at(section.line);
                format!("{place}: expected a generator in [problem], or --generator, to stress a bot")
            }
            None => "expected --generator".to_owned(),
        })?;
        let validator = with.problem_program("validator", self.validator.as_deref(), build)?;
        Inputs::new(problem, generator, validator, (seed, folder))
    }

    /// Returns the options for how the interactor is called.
    pub(crate) fn details(&self) -> &InteractorDetails {
        &self.details
    }
}

impl ProblemSettings<'_> {
    /// Returns the program `name` of the problem, such as the checker. `typed`, the value of the option `--name`, has
    /// priority over the section. Returns `None` if neither names the program. Compiles a source.
    ///
    /// # Errors
    ///
    /// If the command is malformed, the program is not found, or the source cannot be compiled.
    fn problem_program(
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
        let started = sources::command(&typed_words, &self.settings.languages, build, self.is_verbose)?;
        let command = started.unwrap_or(typed_words);
        if let Some(program) = command.first() {
            program::find(program)
                .with_context(|| format!("{place}: {} cannot be started", program.display()))?;
        }
        Ok(Some(ProblemProgram { named_by: place, typed, command }))
    }

    /// Returns the configuration of a bot with the command `bot`. If the bot is a folder or a submission of the
    /// package, builds it and also returns the program.
    ///
    /// # Errors
    ///
    /// If the bot cannot be built or started.
    pub(crate) fn bot(
        self,
        options: &MatchOptions,
        bot: &[OsString],
        package: Option<&Package>,
    ) -> anyhow::Result<(MatchConfig, Option<BuiltProgram>)> {
        let ProblemSettings { settings, is_verbose, .. } = self;
        let owner =
            bot.first().and_then(|path| package.filter(|package| package.has_submission(path.as_ref())));
        let (config, built) = match bot {
            [] => (options.config_as_is(bot, &settings.limits), None),
            [path, args @ ..] if owner.is_some() || Path::new(path).is_dir() => {
                let (path, languages, build) = (Path::new(path), &settings.languages, options.build());
                let built = match owner {
                    Some(package) => package.constants.build(path, languages, build, is_verbose)?,
                    None => folder::build(path, languages, build, is_verbose)?,
                };
                let started = Some([&built.command[..], args].concat());
                (MatchConfig { started, ..options.config_as_is(bot, &settings.limits) }, Some(built))
            }
            _ => (options.config(bot, is_verbose, settings)?, None),
        };
        if !config.command().is_empty() {
            program::check(config.command())?;
        }
        let (cpu, memory) =
            package.map_or((DEFAULT_LIMITS.cpu, DEFAULT_LIMITS.memory), Package::default_limits);
        let limits = options.limits().limits_or(cpu, memory, DEFAULT_IDLE, &settings.limits);
        Ok((MatchConfig { limits, ..config }, built))
    }
}
