//! `judge run --interactor`: runs a bot against a foreign interactor.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, ensure};

use super::inputs;
use super::inputs::Input;
use super::report::Report;
use crate::matches::session::start_host;
use common::escape::shell_word;
use common::file_kind::FileKind;
use common::output::Output;
use interactor::BotEnd;
use interactor::style::{Style, TestCase};
use interactor::trial::{Programs, TrialResult};
use referee::config::MatchConfig;
use referee::verdict::Profile;
use runner::limits::Limits;

/// A program of the problem: the interactor or the checker.
#[derive(Clone, Debug)]
pub(crate) struct Helper {
    /// The command as it was typed, in one word of the command line.
    pub(crate) typed: String,
    /// The words of the command that starts it.
    pub(crate) command: Vec<OsString>,
}

/// The default limits of an interactor.
pub(crate) const INTERACTOR_CPU: Duration = Duration::from_secs(10);
pub(crate) const INTERACTOR_MEMORY: u64 = 2 << 30;

/// How long both programs may wait for each other by default.
pub(crate) const DEFAULT_IDLE: Duration = Duration::from_secs(1);

/// Everything that is needed to run a bot against an interactor.
pub(crate) struct ProblemRun {
    pub(crate) bot: MatchConfig,
    pub(crate) interactor: Helper,
    pub(crate) checker: Option<Helper>,
    /// The style, if it is not to be found out.
    pub(crate) style: Option<Style>,
    /// Files, folders and patterns; empty for one run without an input.
    pub(crate) inputs: Vec<PathBuf>,
    pub(crate) interactor_limits: Limits,
    pub(crate) seeds: std::ops::RangeInclusive<u64>,
    pub(crate) jobs: u16,
    /// The file for the lines of both programs.
    pub(crate) interaction: Option<PathBuf>,
    /// Whether `interaction` replaces any file.
    pub(crate) force: bool,
}

/// The lines of both programs, as in the samples of problem packages.
const INTERACTION: FileKind = FileKind::new("an interaction", &["<", ">"]);

impl ProblemRun {
    /// Runs the bot on all inputs, and reports the results in the order of the inputs.
    ///
    /// # Errors
    ///
    /// If a program cannot be started, or the judge cannot continue.
    pub(crate) fn run(&self, report: &mut Report) -> anyhow::Result<ExitCode> {
        let style = self.style.unwrap_or_else(|| self.style_of_source());
        ensure!(
            self.checker.is_none() || style == Style::Testlib,
            "--checker: expected an interactor of the style testlib, which writes an output for the checker; this one \
             has the style {}",
            style.name()
        );
        let inputs: Vec<Option<Input>> = match &self.inputs[..] {
            [] => vec![None],
            arguments => inputs::find(arguments)?.into_iter().map(Some).collect(),
        };
        let tests: Vec<(Option<Input>, u64)> = inputs
            .into_iter()
            .flat_map(|input| self.seeds.clone().map(move |seed| (input.clone(), seed)))
            .collect();
        ensure!(
            self.interaction.is_none() || tests.len() == 1,
            "--interaction: expected one run, got {}: choose one input with --input, and leave out --games",
            tests.len()
        );
        let open = |path: &PathBuf| Output::open(Some(path), INTERACTION, self.force);
        let mut interaction = self.interaction.as_ref().map(open).transpose()?;
        let jobs = usize::from(self.jobs).min(tests.len()).max(1);
        runner::bot_process::wait::set_games_at_once(jobs);
        let next = AtomicUsize::new(0);
        let is_stopped = AtomicBool::new(false);
        let tests = &tests;
        let (sender, results) = mpsc::channel();
        thread::scope(|scope| -> anyhow::Result<()> {
            for _ in 0..jobs {
                let sender = sender.clone();
                let (next, is_stopped) = (&next, &is_stopped);
                scope.spawn(move || {
                    let programs = self.programs(style);
                    while !is_stopped.load(Ordering::Relaxed) {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some((input, seed)) = tests.get(at) else { break };
                        let result = match &programs {
                            Ok(programs) => programs.run(&test_case(input.as_ref(), *seed)),
                            Err(error) => Err(anyhow::anyhow!("{error:#}")),
                        };
                        is_stopped.fetch_or(result.is_err(), Ordering::Relaxed);
                        if sender.send((at, result)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let mut waiting: BTreeMap<usize, TrialResult> = BTreeMap::new();
            let mut reported = 0;
            for (at, result) in results {
                waiting.insert(at, result?);
                while let Some(result) = waiting.remove(&reported) {
                    let (input, seed) = &tests[reported];
                    let again = self.again(style, input.as_ref(), *seed);
                    report.add(input.as_ref().map(|input| input.path.as_path()), *seed, &result, again)?;
                    if let Some(output) = interaction.take() {
                        output.write(|out| out.write_all(&result.interaction.sample()))?;
                    }
                    reported += 1;
                }
            }
            Ok(())
        })?;
        report.end(&self.bot.bot_name())
    }

    /// Returns the style that the interactor's source shows.
    fn style_of_source(&self) -> Style {
        /// Maximum size of a source.
        const MAX_SOURCE: u64 = 1 << 20;
        let words = words("--interactor", &self.interactor.typed).unwrap_or_default();
        let is_source = |word: &&OsString| {
            fs::metadata(word).is_ok_and(|data| data.is_file() && data.len() <= MAX_SOURCE)
        };
        let source = words.iter().find(is_source).and_then(|word| fs::read(word).ok());
        source.map_or(Style::Plain, |source| Style::of_source(&String::from_utf8_lossy(&source)))
    }

    fn programs(&self, style: Style) -> anyhow::Result<Programs> {
        let command = &self.interactor.command;
        let config = MatchConfig {
            limits: self.interactor_limits,
            limits_by: self.bot.limits_by,
            bot: command.clone(),
            ..MatchConfig::default()
        };
        Ok(Programs {
            bot: start_host("the bot", &self.bot)?,
            bot_limits: self.bot.limits,
            interactor: start_host("the interactor", &config)?,
            interactor_command: command.clone(),
            interactor_limits: self.interactor_limits,
            style,
            bot_end: match self.bot.profile {
                Profile::Strict => BotEnd::Counts,
                Profile::Contest => BotEnd::IsExcused,
            },
            checker: self.checker.as_ref().map(|checker| checker.command.clone()),
        })
    }

    /// Returns the command that repeats a test; `None` if a word of it is not UTF-8.
    fn again(&self, style: Style, input: Option<&Input>, seed: u64) -> Option<String> {
        let quote = |text: &str| shell_word(text).ok();
        let mut words = format!("--interactor {} --style {}", quote(&self.interactor.typed)?, style.name());
        if let Some(input) = input {
            words += &format!(" --input {}", quote(input.path.to_str()?)?);
        }
        if let Some(checker) = &self.checker {
            words += &format!(" --checker {}", quote(&checker.typed)?);
        }
        let Limits { cpu, memory, .. } = self.interactor_limits;
        if cpu != INTERACTOR_CPU {
            words += &format!(" --interactor-time {}", cpu.as_secs_f64());
        }
        if memory != INTERACTOR_MEMORY {
            words += &format!(" --interactor-memory {memory}B");
        }
        if seed != 1 {
            words += &format!(" --seed {seed}");
        }
        // The default idle limit of a game is another one, so it is not in the command.
        let mut limits = self.bot.limits;
        if limits.idle == DEFAULT_IDLE.min(limits.cpu.min(limits.wall)) {
            limits.idle = limits.cpu.min(limits.wall);
        }
        MatchConfig { limits, ..self.bot.clone() }.run_command(&words)
    }
}

fn test_case(input: Option<&Input>, seed: u64) -> TestCase {
    TestCase {
        input: input.map(|input| input.path.clone()),
        answer: input.and_then(|input| input.answer.clone()),
        seed,
    }
}

/// Splits a command into words as a shell does.
///
/// # Errors
///
/// If the command is empty, or a quote is not closed.
pub(crate) fn words(option: &str, command: &str) -> anyhow::Result<Vec<OsString>> {
    // A source may have blanks in its name.
    if Path::new(command).is_file() {
        return Ok(vec![command.into()]);
    }
    let words = shlex::split(command)
        .with_context(|| format!("{option}: the command has an unclosed quote, or a backslash at its end"))?;
    ensure!(!words.is_empty(), "{option}: expected a command, got nothing");
    Ok(words.into_iter().map(OsString::from).collect())
}
