//! The options of several commands for a foreign interactor, and the runs that they describe.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow, ensure};
use clap::Args;
use runner::limits::{DEFAULT_LIMITS, Limits, default_wall};
use runner::program;
use runner::sandbox::Sandbox;
use runner::sources::BuildOptions;
use runner::sources::folder::BuiltProgram;

use crate::cli::bot::start_command;
use crate::cli::options::BotOptions;
use crate::config::MatchConfig;
use crate::referee::interactor::passes::{Passes, PassesError, WantedPasses};
use crate::referee::interactor::seats::{BotIo, MAX_PROCESSES_OF_BOT, Seats};
use crate::referee::interactor::style::{Style, TestCase};
use crate::settings::{INTERACTOR, ProblemSection, Settings};
use crate::text::shell_words;
use crate::trials::problem::inputs;
use crate::trials::problem::run::{OfProblem, ProblemProgram, ProblemRun, limits_of, style_of};
use crate::units::{number_in, parse_memory_limit, parse_time_limit};

/// The options for an interactor. Without `interactor`, they are for the one that `judge.toml` or a package names.
#[derive(Clone, Debug, Default, PartialEq, Args)]
#[command(next_help_heading = "Interactors")]
pub(crate) struct InteractorOptions {
    /// Play against this interactor, not a game of the judge: a source, which is compiled, or a command
    #[arg(long, value_name = "COMMAND")]
    pub(crate) interactor: Option<OsString>,

    /// The problem: the folder or zip archive of a problem package, the folder of an interactor or of a contest, or a
    /// judge.toml with [problem]. Without any option the problem is found in the current folder or above it
    #[arg(long, value_name = "PATH", conflicts_with = "interactor")]
    pub(crate) problem: Option<PathBuf>,

    /// How the interactor is called, and how it reports its decision [default: detected from its source]
    #[arg(long, value_enum, value_name = "STYLE")]
    pub(crate) style: Option<Style>,

    /// A checker that decides after an interactor of the style testlib has accepted
    #[arg(long, value_name = "COMMAND")]
    pub(crate) checker: Option<OsString>,

    /// How often the bot is started on each test. The second pass gets the output of the interactor, or what the checker
    /// prints [default: 1, or 2 with --between]
    #[arg(long, value_name = "N", value_parser = number_in(1..=2_u8))]
    pub(crate) passes: Option<u8>,

    /// How many of two passes have the interactor; the checker decides on the others [default: both if there is an
    /// interactor, the second with --between]
    #[arg(long, value_name = "N", value_parser = number_in(0..=2_u8))]
    pub(crate) interactive_passes: Option<u8>,

    /// A program that makes the input of the second pass: it gets the files with the first input and with the bot's
    /// output, and prints the second input
    #[arg(long, value_name = "COMMAND")]
    pub(crate) between: Option<OsString>,

    /// With --style cms: how many processes of the bot the manager talks to. Each gets its index, from 0, as its last
    /// argument if there are several [default: 1]
    #[arg(long, value_name = "N", value_parser = number_in(1..=MAX_PROCESSES_OF_BOT))]
    pub(crate) processes_of_bot: Option<u8>,

    /// With --style cms: how the bot talks with the manager [default: std]
    #[arg(long, value_enum, value_name = "IO")]
    pub(crate) bot_io: Option<BotIo>,

    /// A file that is compiled together with the bot, such as a grader or a header. A grader in another language than the
    /// bot's is left out. A bot in Python is started by its grader, which imports it
    #[arg(long, value_name = "FILE")]
    pub(crate) with: Vec<PathBuf>,

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

impl InteractorOptions {
    pub(crate) fn names_programs(&self) -> bool {
        self.interactor.is_some() || self.names_readers()
    }

    /// Returns whether the options name all programs of a problem without an interactor.
    fn names_readers(&self) -> bool {
        let is_twice = self.passes == Some(2) || self.between.is_some();
        let is_interactive =
            self.interactor.is_some() || self.interactive_passes.is_some_and(|count| count > 0);
        is_twice && self.checker.is_some() && self.problem.is_none() && !is_interactive
    }

    /// Returns the first given option for what a package determines itself.
    pub(crate) fn set_by_packages(&self) -> Option<&'static str> {
        let options = [
            ("--style", self.style.is_some()),
            ("--checker", self.checker.is_some()),
            ("--between", self.between.is_some()),
            ("--passes", self.passes.is_some()),
            ("--interactive-passes", self.interactive_passes.is_some()),
            ("--processes-of-bot", self.processes_of_bot.is_some()),
            ("--bot-io", self.bot_io.is_some()),
            ("--with", !self.with.is_empty()),
        ];
        options.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
    }

    /// Returns the run of `bot` on the package, or else against the interactor, with one seed. Compiles the programs. The
    /// tests are `inputs`, or if that is empty, those of the package or of the section, or else one without an input.
    /// `None` is for inputs that a generator will make.
    pub(crate) fn problem_run(
        &self,
        inputs: Option<&[PathBuf]>,
        options: &BotOptions,
        bot: &[OsString],
        settings: &Settings,
    ) -> anyhow::Result<ProblemRun> {
        let (bot, built) = settings.problem_bot(options, bot, self)?;
        let (cpu, memory) = limits_of(settings.package.as_ref()).interactor;
        let cpu = self.interactor_time.unwrap_or(cpu);
        let memory = self.interactor_memory.unwrap_or(memory);
        let idle = bot.limits.idle;
        let run = ProblemRun {
            passes: Passes::ONE,
            interactor: None,
            checker: None,
            between: None,
            seats: Seats::ONE,
            with: Vec::new(),
            style: Style::Testlib,
            package: settings.package.clone(),
            tests: vec![TestCase::default()],
            seeds: 1..=1,
            interactor_limits: Limits { cpu, memory, wall: default_wall(cpu), idle, ..DEFAULT_LIMITS },
            interactor_sandbox: self.interactor_sandbox,
            bot,
            jobs: 1,
            full_score: None,
            built: built.into_iter().map(Arc::new).collect(),
        };
        let run = match &settings.package {
            Some(package) => {
                run.of_package(package, inputs.unwrap_or_default(), settings.builder(&options.build))?
            }
            None => self.interactor_run(inputs, run, settings)?,
        };
        run.ensure_options_suit_style()?;
        Ok(run)
    }

    /// Compiles the sources of the interactor and the checker. Without inputs, there is one test without an input.
    fn interactor_run(
        &self,
        inputs: Option<&[PathBuf]>,
        run: ProblemRun,
        settings: &Settings,
    ) -> anyhow::Result<ProblemRun> {
        let program =
            |name, typed: &Option<OsString>| settings.program(name, typed.as_deref(), &run.bot.build);
        let interactor = if self.names_readers() { None } else { program(INTERACTOR, &self.interactor)? };
        let checker = program("checker", &self.checker)?;
        let between = program("between", &self.between)?;
        let section = settings.problem.as_ref();
        let wanted = WantedPasses {
            passes: self.passes.or_else(|| section?.passes),
            interactive: self.interactive_passes.or_else(|| section?.interactive_passes),
            has_interactor: interactor.is_some(),
            has_checker: checker.is_some(),
            has_between: between.is_some(),
        };
        let passes = wanted.passes().map_err(|error| match (error, section) {
            (PassesError::Missing(name), _) => anyhow!(settings.missing(name)),
            (error, Some(section)) => anyhow!("{}: {error}", section.place),
            (error, None) => error.into(),
        })?;
        let count = self.processes_of_bot.or_else(|| section?.processes_of_bot);
        let io = self.bot_io.or_else(|| section?.bot_io);
        let inputs = inputs.map(|typed| settings.paths(typed, |section| &section.inputs)).unwrap_or_default();
        Ok(ProblemRun {
            passes,
            style: style_of(interactor.as_ref(), self.style.or_else(|| section?.style))?,
            interactor,
            checker,
            between,
            seats: Seats { count: count.unwrap_or(1), io: io.unwrap_or_default() },
            with: settings.paths(&self.with, |section| &section.files_of_bot),
            tests: if inputs.is_empty() { run.tests } else { inputs::find(&inputs)? },
            ..run
        })
    }
}

/// The programs of a problem. The section `[problem]` provides those that no option names.
impl Settings {
    /// Returns an error if `bot` is empty, because there is no bundled bot for other problems.
    pub(crate) fn ensure_bot(&self, bot: &[OsString]) -> anyhow::Result<()> {
        let place = self.problem.as_ref().map(|section| format!("; {} names a problem", section.place));
        let place = place.unwrap_or_default();
        ensure!(!bot.is_empty(), "expected the bot's command after \"--\", got none{place}");
        Ok(())
    }

    pub(crate) fn missing(&self, name: &str) -> String {
        match self.problem.as_ref().map(|section| &section.place) {
            Some(place) => format!("{place}: expected --{name}, or {name} in [problem] of a judge.toml"),
            None => format!("expected --{name}"),
        }
    }

    /// Returns the typed paths, or else those of the section.
    fn paths(&self, typed: &[PathBuf], of_section: fn(&ProblemSection) -> &Vec<PathBuf>) -> Vec<PathBuf> {
        self.problem
            .as_ref()
            .filter(|_| typed.is_empty())
            .map_or(typed, |section| of_section(section))
            .to_vec()
    }

    /// Returns the program `name` of the problem, such as the checker. `typed`, the value of the option `--name`, has
    /// priority over the section. Returns `None` if neither names the program. Compiles a source.
    pub(crate) fn program(
        &self,
        name: &str,
        typed: Option<&OsStr>,
        build: &BuildOptions,
    ) -> anyhow::Result<Option<ProblemProgram>> {
        let entry = self.problem.as_ref().and_then(|section| section.programs.get(name));
        let (place, typed) = match (typed, entry) {
            (Some(typed), _) => (format!("--{name}"), typed),
            (None, Some(entry)) => (entry.place.clone(), entry.command.as_ref()),
            (None, None) => return Ok(None),
        };
        let typed_words = split_command(&place, typed)?;
        let started = self.builder(build).command(&typed_words).with_context(|| OfProblem(place.clone()))?;
        let command = started.unwrap_or_else(|| typed_words.clone());
        if let Some(program) = command.first() {
            program::find(program)
                .with_context(|| format!("{place}: {} cannot be started", program.display()))?;
        }
        let typed = typed.to_string_lossy().into_owned();
        Ok(Some(ProblemProgram { named_by: place, typed, typed_words, command }))
    }

    /// Returns the configuration of a bot with the command `bot`. If the bot is a folder, a submission of the package, or
    /// compiled together with other files, builds it and also returns the program.
    pub(crate) fn problem_bot(
        &self,
        options: &BotOptions,
        bot: &[OsString],
        interactor: &InteractorOptions,
    ) -> anyhow::Result<(MatchConfig, Option<BuiltProgram>)> {
        let (package, builder) = (self.package.as_deref(), self.builder(&options.build));
        let files = self.paths(&interactor.with, |section| &section.files_of_bot);
        let submission = |typed| package.and_then(|package| Some((package, package.submission(typed)?)));
        let built = match bot.first().map(Path::new) {
            None => None,
            Some(source) if !files.is_empty() => Some(builder.build_with(source, &files)?),
            Some(typed) => match submission(typed) {
                Some((package, path)) => Some(package.constants.build(&path, builder)?),
                None => typed.is_dir().then(|| builder.build(typed)).transpose()?,
            },
        };
        let started = match (&built, bot) {
            (Some(built), [_, args @ ..]) => Some([&built.command[..], args].concat()),
            _ => start_command(bot, &options.build, self)?,
        };
        let default = limits_of(self.package.as_ref()).bot();
        let config = MatchConfig { started, ..options.config(bot, self, &default) };
        if !config.command().is_empty() {
            program::check(config.command())?;
        }
        Ok((config, built))
    }
}

/// Splits a command into words as a shell does. `place` says in messages where the command was given.
fn split_command(place: &str, command: &OsStr) -> anyhow::Result<Vec<OsString>> {
    // The command may be only the path of a source, and the path may have blanks.
    if Path::new(command).is_file() {
        return Ok(vec![command.to_owned()]);
    }
    let words = shell_words(command.as_bytes())
        .with_context(|| format!("{place}: the command has an unclosed quote, or a backslash at its end"))?;
    ensure!(!words.is_empty(), "{place}: expected a command, got nothing");
    Ok(words)
}
