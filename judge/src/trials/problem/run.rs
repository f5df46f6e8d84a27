//! `judge run --interactor`: runs a bot against a foreign interactor.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use std::{fmt, fs};

use anyhow::{Context, ensure};
use runner::event::Exit;
use runner::interrupt::interrupted;
use runner::limits::{DEFAULT_LIMITS, Limits};
use runner::message::print_error;
use runner::program;
use runner::sandbox::Sandbox;
use runner::sources::Builder;
use runner::sources::folder::BuiltProgram;

use crate::config::{MatchConfig, Profile, typed};
use crate::conversation::facts::{Excused, Terms};
use crate::conversation::language::CommandLanguage;
use crate::conversation::role::Role;
use crate::conversation::verdict::{Class, Verdict};
use crate::in_order::in_order;
use crate::referee::interactor::passes::Passes;
use crate::referee::interactor::relayed::Conditions;
use crate::referee::interactor::seats::{BotIo, Seats};
use crate::referee::interactor::style::{BOT, ICPC_ACCEPTS, ICPC_REJECTS, INPUT, Style, TestCase};
use crate::report::reporter::Reporter;
use crate::report::run::RunReport;
use crate::report::transcript::{MAX_RECORDED, RunSetup};
use crate::trials::parallel::ExclusiveRerun;
use crate::trials::problem::format::text_of;
use crate::trials::problem::limits::PackageLimits;
use crate::trials::problem::package::Package;
use crate::trials::problem::run_files::RunFiles;
use crate::trials::problem::tool::{self, Generation};
use crate::trials::problem::trial::{Programs, TrialResult};

#[derive(Clone, Debug)]
pub(crate) struct ProblemProgram {
    /// Where the user named the program, for messages: an option, or a line of `judge.toml`.
    pub(crate) named_by: String,
    /// The command as it was typed, in one word of the command line. U+FFFD replaces bytes that are not UTF-8.
    pub(crate) typed: String,
    /// The words of this command.
    pub(crate) typed_words: Vec<OsString>,
    /// The command that starts the program.
    pub(crate) command: Vec<OsString>,
}

/// Says that an error is about a program of the problem, and where the program was named.
#[derive(Debug)]
pub(crate) struct OfProblem(pub(crate) String);

impl fmt::Display for OfProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The beginning of a command that starts a program in Python, or one that writes by stdio of C, without a buffer.
const UNBUFFERED: [&str; 4] = ["env", "PYTHONUNBUFFERED=1", "stdbuf", "-o0"];

/// The default limits of a bot: both programs may wait for each other for a second.
pub(crate) const LIMITS_OF_PROBLEMS: Limits = Limits { idle: Duration::from_secs(1), ..DEFAULT_LIMITS };

#[derive(Clone)]
pub(crate) struct ProblemRun {
    pub(crate) bot: MatchConfig,
    pub(crate) passes: Passes,
    /// `None` if no pass has an interactor.
    pub(crate) interactor: Option<ProblemProgram>,
    pub(crate) checker: Option<ProblemProgram>,
    pub(crate) between: Option<ProblemProgram>,
    pub(crate) seats: Seats,
    pub(crate) with: Vec<PathBuf>,
    /// The style of the interactor; without one, that of checkers.
    pub(crate) style: Style,
    /// The package whose validator the interactor is; `None` if the interactor comes from an option or from `judge.toml`.
    pub(crate) package: Option<Arc<Package>>,
    /// The tests, each of which is run with all seeds.
    pub(crate) tests: Vec<TestCase>,
    pub(crate) seeds: RangeInclusive<u64>,
    pub(crate) interactor_limits: Limits,
    pub(crate) interactor_sandbox: Sandbox,
    pub(crate) jobs: u16,
    pub(crate) full_score: Option<f64>,
    /// The compiled programs. Dropping one removes its temporary files.
    pub(crate) built: Vec<Arc<BuiltProgram>>,
}

impl ProblemRun {
    /// Returns the run on the tests of the package that `inputs` choose, or on all. Builds the programs of the package, and
    /// makes the inputs that it does not have.
    pub(crate) fn of_package(
        mut self,
        package: &Package,
        inputs: &[PathBuf],
        builder: Builder<'_>,
    ) -> anyhow::Result<Self> {
        let mut built: HashMap<PathBuf, Arc<BuiltProgram>> = HashMap::new();
        let mut build = |source: &Path| -> anyhow::Result<Vec<OsString>> {
            if !built.contains_key(source) {
                let program = package.constants.build(source, builder);
                let program = program.with_context(|| OfProblem(PACKAGE.to_owned()))?;
                built.insert(source.to_owned(), Arc::new(program));
            }
            Ok(built[source].command.clone())
        };
        let mut program = |source: &PathBuf| -> anyhow::Result<ProblemProgram> {
            let (named_by, typed) = (PACKAGE.to_owned(), source.to_string_lossy().into_owned());
            let typed_words = vec![source.into()];
            Ok(ProblemProgram { named_by, typed, typed_words, command: build(source)? })
        };
        self.interactor = package.validator.as_ref().map(&mut program).transpose()?;
        self.checker = package.checker.as_ref().map(&mut program).transpose()?;
        if let Some(interactor) = &mut self.interactor
            && package.unbuffers_interactor
            && program::find(UNBUFFERED[2].as_ref()).is_ok()
        {
            interactor.command.splice(..0, UNBUFFERED.map(OsString::from));
        }
        self.tests = package.chosen_tests(inputs)?;
        for test in &mut self.tests {
            let Some(input) = &test.input else { continue };
            if let Some(Generation { generator, args }) = package.generations.get(input) {
                let words = [&build(generator)?, &args[..]].concat();
                let limits = self.interactor_limits;
                let warden = tool::warden(limits, self.bot.limits_by);
                let made = warden.and_then(|warden| tool::generate(&warden, &words, limits));
                let made = made.and_then(|made| Ok(fs::write(input, made)?));
                made.with_context(|| format!("{}: the generator {} failed", test.name, generator.display()))?;
            }
            test.interactor = package.interactors.get(input).map(|source| build(source)).transpose()?;
        }
        self.built.extend(built.into_values());
        let Package { passes, seats, style, .. } = *package;
        Ok(Self { passes, seats, style, ..self })
    }

    /// Runs the bot on all tests, reports the results in their order, and writes them to `files`.
    pub(crate) fn run(
        &self,
        report: &mut Reporter<impl Write>,
        mut files: RunFiles<'_>,
    ) -> anyhow::Result<ExitCode> {
        let decides = self.interactor.as_ref().or(self.checker.as_ref());
        let typed = decides.map_or_else(String::new, |program| program.typed.clone());
        let role = match (&self.interactor, self.passes.first()) {
            (None, _) => Role::Checker,
            (Some(_), Role::Validator) => Role::Validator,
            (Some(_), _) => Role::Interactor,
        };
        let setup = RunSetup::new(typed, role, self.bot.bot_words());
        let max_recorded = if files.is_empty() && !report.shows_lines() { 0 } else { MAX_RECORDED };
        self.run_tests(max_recorded, |test, result| {
            let mut line = self.report(test, result);
            if max_recorded > 0 && !result.is_recorded() {
                line.ruling
                    .why
                    .push(format!("the run is recorded up to a size of {} MiB only", MAX_RECORDED >> 20));
            }
            report.show(&setup, &result.interactions)?;
            report.run(&line)?;
            files.add(&setup, result, &line).map(|()| true)
        })?;
        let exit_code = report.end_runs(&self.bot.bot_name())?;
        if interrupted() {
            print_error(format_args!("interrupted, so not all tests were run"));
            return Ok(ExitCode::from(2));
        }
        Ok(exit_code)
    }

    /// Runs the bot on all tests, several at the same time, and calls `add` with the results in the order of the tests.
    /// The record of each run has at most `max_recorded` bytes. Stops when `add` returns `false`, or after Ctrl-C.
    pub(crate) fn run_tests(
        &self,
        max_recorded: usize,
        mut add: impl FnMut(&TestCase, &TrialResult) -> anyhow::Result<bool>,
    ) -> anyhow::Result<()> {
        let with_seeds = |test: &TestCase| {
            let test = test.clone();
            self.seeds.clone().map(move |seed| TestCase { seed, ..test.clone() })
        };
        let jobs = usize::from(self.jobs).min(self.count()).max(1);
        let rerun = ExclusiveRerun::default();
        let run = |programs: &mut Programs, test: TestCase| match rerun
            .play(|repeat| programs.run(&test, repeat), |result| result.doubtful)
        {
            Err(_) if interrupted() => Ok(None),
            result => Ok(Some((test, result?))),
        };
        in_order(
            jobs,
            self.tests.iter().flat_map(with_seeds),
            || Programs::new(self.clone(), max_recorded),
            run,
            |result| result.map_or(Ok(false), |(test, result)| add(&test, &result)),
        )
    }

    pub(crate) fn count(&self) -> usize {
        let seeds = self.seeds.end().saturating_sub(*self.seeds.start()).saturating_add(1);
        usize::try_from(seeds).unwrap_or(usize::MAX).saturating_mul(self.tests.len())
    }

    /// Checks that the other options and the inputs suit the style of the interactor.
    pub(crate) fn ensure_options_suit_style(&self) -> anyhow::Result<()> {
        let Some(interactor) = &self.interactor else { return Ok(()) };
        let style = self.style;
        ensure!(
            style != Style::Launcher || Style::of_command(&interactor.command).is_some(),
            "{}: expected {BOT} in the command of the tester, in the place where it expects the solution",
            interactor.named_by
        );
        ensure!(
            self.interactor_sandbox == Sandbox::None || style != Style::Launcher,
            "--interactor-sandbox: in the style launcher the interactor starts the bot, which this sandbox does not allow"
        );
        let reader = match (self.passes, &self.checker) {
            (Passes::Twice(Role::Interactor, _), _) => Some((interactor, "the second pass")),
            (_, Some(checker)) => Some((checker, "the checker")),
            (_, None) => None,
        };
        if let Some((program, reader)) = reader {
            ensure!(
                style == Style::Testlib,
                "{}: expected an interactor of the style testlib, which writes an output for {reader}; this one has the \
                 style {}: if its source does not show the style, type --style testlib",
                program.named_by,
                style.name()
            );
        }
        ensure!(
            style == Style::Cms || self.seats == Seats::ONE,
            "--processes-of-bot and --bot-io: expected --style cms; this interactor has the style {}",
            style.name()
        );
        if self.tests.iter().any(|test| test.input.is_some()) { self.ensure_input_is_used() } else { Ok(()) }
    }

    /// Checks that the interactor gets the inputs.
    pub(crate) fn ensure_input_is_used(&self) -> anyhow::Result<()> {
        let Some(interactor) = &self.interactor else { return Ok(()) };
        let has_place = interactor.command.iter().any(|word| word.to_string_lossy().contains(INPUT));
        ensure!(
            self.style != Style::Plain || has_place,
            "{}: expected {{input}} in the command of the interactor: its style is plain, so the judge adds no arguments; if \
             it has another style, name it by --style",
            interactor.named_by
        );
        Ok(())
    }

    /// Returns how a run is judged. `gives_scores` says whether the interactor is a tester that gives scores.
    pub(crate) fn conditions(&self, gives_scores: bool) -> Conditions {
        let excused = match self.bot.profile {
            Some(Profile::Strict) => Excused::Nothing,
            None => Excused::Output,
            Some(Profile::Contest) => Excused::Everything,
        };
        let of_package = limits_of(self.package.as_ref());
        let terms = Terms {
            limits: self.bot.limits,
            interactor_limits: self.interactor_limits,
            languages: self.languages(),
            is_bot_confined: self.bot.sandbox != Sandbox::None,
            role: self.passes.first(),
            excused,
            ..Terms::default()
        };
        let output = [of_package.output, of_package.interactor_output];
        Conditions { terms, style: self.style, gives_scores, output, full_score: self.full_score }
    }

    /// Returns the languages of the bot and of the interactor, which a command as it was typed shows best.
    fn languages(&self) -> [CommandLanguage; 2] {
        let of_bot = [&self.bot.bot[..], self.bot.command()].concat();
        let of_interactor = self
            .interactor
            .as_ref()
            .map_or_else(Vec::new, |interactor| [&interactor.typed_words[..], &interactor.command].concat());
        [of_bot, of_interactor].map(|words| CommandLanguage::of_command(&words))
    }

    pub(crate) fn report(&self, test: &TestCase, result: &TrialResult) -> RunReport {
        self.report_with(test, result, self.again(test), false)
    }

    /// Returns the report of a run that the command `again` repeats. A generated input has no answer, whatever the
    /// interactor does without one.
    pub(crate) fn report_with(
        &self,
        test: &TestCase,
        result: &TrialResult,
        again: Option<String>,
        is_generated: bool,
    ) -> RunReport {
        let mut report = RunReport::of_trial(test, result, again);
        report.explain_refusals(self.bot.sandbox, self.interactor_sandbox);
        let ruling = &mut report.ruling;
        if matches!(ruling.verdict, Verdict::WrongAnswer | Verdict::Idle) {
            let source = self.bot.bot.first().and_then(|source| text_of(Path::new(source)));
            let streams = source.and_then(|source| self.languages()[0].mixed_streams(&source));
            ruling.why.extend(streams.map(|streams| {
                format!(
                    "its source mixes {streams}, which have buffers of their own after sync_with_stdio(false)"
                )
            }));
        }
        if ruling.verdict == Verdict::JudgeError && test.input.is_none() && self.style != Style::Plain {
            let advice = "the interactor got /dev/null as its input: name one with --input FILE";
            ruling.advice.push(advice.to_owned());
        }
        // The interactor or the checker failed, maybe because it got no answer.
        let has_failed = matches!(
            ruling.class,
            Class::InteractorWrongStyle | Class::InteractorCrash | Class::CheckerFailed
        );
        let Some(answer) = self.missing_answer(test).filter(|_| has_failed) else { return report };
        let missing = format!("there is no answer file {}", answer.display());
        match result.checked.as_ref().map_or(result.interactor.exit, |checked| checked.exit) {
            _ if is_generated => ruling.why.push("a generated input has no answer file".to_owned()),
            // Other ends have other causes, such as a signal, or that the program has another style.
            Some(Exit::Code(code)) if !matches!(code, 0 | ICPC_ACCEPTS | ICPC_REJECTS) => {
                ruling.class = Class::BadTest;
                ruling.reason = format!("{missing}, and {}", ruling.reason);
            }
            _ => ruling.why.push(missing),
        }
        report
    }

    /// Returns the answer file that the interactor gets on other tests, but not on this one.
    fn missing_answer(&self, test: &TestCase) -> Option<PathBuf> {
        let mut words = self.interactor.iter().flat_map(|interactor| &interactor.command);
        let gets_answer = !matches!(self.style, Style::Plain | Style::Launcher | Style::Cms)
            || words.any(|word| word.to_string_lossy().contains("{answer}"));
        let input = test.shown_input().filter(|_| gets_answer && test.answer.is_none())?;
        Some(input.with_extension("ans"))
    }

    /// Returns the command that repeats a test; `None` if a word of it is not UTF-8.
    pub(crate) fn again(&self, test: &TestCase) -> Option<String> {
        self.command("run", test.shown_input().map(|input| ("--input", input)), test.seed)
    }

    /// Returns the command line of the judge's `subcommand` with these options; `None` if a word of it is not UTF-8.
    pub(crate) fn command<'a>(
        &self,
        subcommand: &str,
        files: impl IntoIterator<Item = (&'a str, &'a Path)>,
        seed: u64,
    ) -> Option<String> {
        let named = |program: &Option<ProblemProgram>| Some(program.as_ref()?.typed.clone());
        let path = |path: &Path| Some(path.to_string_lossy().into_owned());
        let is_twice = matches!(self.passes, Passes::Twice(..));
        let has_first = self.passes.first() == Role::Interactor && self.passes.has_role(Role::Checker);
        // Each option with its value, if it has to be typed.
        let mut options: Vec<(&str, Option<String>)> = match &self.package {
            Some(package) => vec![("--problem", path(&package.folder))],
            None => vec![
                ("--interactor", named(&self.interactor)),
                ("--style", self.interactor.as_ref().map(|_| self.style.name().to_owned())),
                ("--passes", is_twice.then(|| "2".to_owned())),
                ("--interactive-passes", (is_twice && has_first).then(|| "1".to_owned())),
                ("--processes-of-bot", (self.seats.count > 1).then(|| self.seats.count.to_string())),
                ("--bot-io", (self.seats.io == BotIo::Fifo).then(|| "fifo".to_owned())),
            ],
        };
        options.extend(self.with.iter().map(|file| ("--with", path(file))));
        options.push(("--between", named(&self.between)));
        options.extend(files.into_iter().map(|(option, file)| (option, path(file))));
        // A package names its checker itself.
        options.push(("--checker", named(&self.checker).filter(|_| self.package.is_none())));
        let Limits { cpu, memory, .. } = self.interactor_limits;
        let of_package = limits_of(self.package.as_ref());
        let (default_cpu, default_memory) = of_package.interactor;
        options.extend([
            ("--interactor-time", (cpu != default_cpu).then(|| cpu.as_secs_f64().to_string())),
            ("--interactor-memory", (memory != default_memory).then(|| format!("{memory}B"))),
        ]);
        let sandbox = self.interactor_sandbox.option("--interactor-sandbox");
        let last = [
            ("--full-score", self.full_score.map(|score| score.to_string())),
            ("--seed", (seed != 1).then(|| seed.to_string())),
        ];
        let options = typed(options).chain(sandbox).chain(typed(last)).collect();
        let default = of_package.bot();
        self.bot.judge_command(subcommand, options, &default)
    }
}

/// Where the user named a program of a package.
const PACKAGE: &str = "--problem";

/// Returns the limits of the package, or else the default ones.
pub(crate) fn limits_of(package: Option<&Arc<Package>>) -> PackageLimits {
    package.map_or_else(PackageLimits::default, |package| package.limits)
}

/// Returns the style of an interactor: the one that was typed, or else the one that its source shows. Without an
/// interactor, returns that of checkers. It is an error if there is no such source, or a checker with another style.
pub(crate) fn style_of(interactor: Option<&ProblemProgram>, typed: Option<Style>) -> anyhow::Result<Style> {
    let Some(interactor) = interactor else {
        ensure!(
            matches!(typed, None | Some(Style::Testlib)),
            "--style: expected testlib, the style of checkers: exit code 0 accepts, 1 rejects"
        );
        return Ok(Style::Testlib);
    };
    if let Some(style) = typed {
        return Ok(style);
    }
    let words = &interactor.typed_words;
    if let Some(style) = Style::of_command(words) {
        return Ok(style);
    }
    let Some(file) = words.iter().find(|word| Path::new(word).is_file()) else { return Ok(Style::Plain) };
    let source = text_of(Path::new(file)).with_context(|| {
        format!(
            "{}: the style of the interactor cannot be inferred from {}, which is not a source of at most 1 MiB: give \
             the style by --style or in judge.toml",
            interactor.named_by,
            file.display()
        )
    })?;
    Ok(Style::of_source(&source))
}
