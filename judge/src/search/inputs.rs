//! `judge stress --interactor`: runs a bot on generated inputs until it fails, and shrinks the input.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::ops::RangeInclusive;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use runner::event::Exit;
use runner::interrupt::interrupted;
use runner::message::print_error;

use crate::conversation::verdict::Verdict;
use crate::in_order::in_order;
use crate::progress::GamesProgress;
use crate::referee::interactor::style::Style;
use crate::referee::interactor::trial::{Programs, TrialResult};
use crate::report::runs::{Report, Smallest};
use crate::search::shrink_input::{MAX_TIME, MAX_TRIES, Shrunk, shrink};
use crate::trials::problem::inputs::Input;
use crate::trials::problem::run::{ProblemProgram, ProblemRun};
use crate::trials::problem::test::Test;
use crate::trials::problem::tool;
use crate::trials::problem::tool::ToolOutput;

/// The placeholder of the seed in the generator's command.
const SEED: &str = "{seed}";

/// How often an input that failed is run again before it is shrunk.
const REPEATS: u32 = 3;

/// The bounds of the search.
pub(crate) struct SearchBounds {
    pub(crate) seeds: RangeInclusive<u64>,
    /// Maximum number of inputs, if there is one.
    pub(crate) inputs: Option<u64>,
    /// The time after which no run begins.
    pub(crate) deadline: Option<Instant>,
}

/// Everything that is needed to search for an input with which a bot fails.
pub(crate) struct StressRun {
    pub(crate) problem: ProblemRun,
    pub(crate) generator: ProblemProgram,
    pub(crate) validator: Option<ProblemProgram>,
    pub(crate) bounds: SearchBounds,
    /// The folder in which the smallest input is kept.
    pub(crate) folder: PathBuf,
}

/// A run on the input of a seed.
struct Tried {
    seed: u64,
    input: Vec<u8>,
    result: TrialResult,
}

/// The way in which a run failed. Two runs with equal values failed in the same way.
#[derive(PartialEq, Eq)]
struct Failure {
    verdict: Verdict,
    /// If an interactor in plain style rejected: how it ended, and whether its stderr shows an exception. In this
    /// style, a crash, for example because the input is invalid, looks like a rejection.
    rejected: Option<(Option<Exit>, bool)>,
}

impl Failure {
    fn of(result: &TrialResult, style: Style) -> Self {
        let is_plain = style == Style::Plain && result.ruling.verdict == Verdict::WrongAnswer;
        let shows_exception = result.interactor.stderr.shows_exception();
        let rejected = is_plain.then_some((result.interactor_exit, shows_exception));
        Self { verdict: result.ruling.verdict, rejected }
    }
}

fn has_failed(verdict: Verdict) -> bool {
    // A partial score is no failure, because for some problems no bot gets the full score.
    !matches!(verdict, Verdict::Accepted | Verdict::Partial)
}

impl StressRun {
    /// Runs the bot on generated inputs until it fails or the bounds are reached, and reports the smallest input.
    ///
    /// # Errors
    ///
    /// If a program cannot be started, the generator fails, an input is invalid, or the judge cannot continue.
    pub(crate) fn run(&self, report: &mut Report) -> anyhow::Result<ExitCode> {
        let style = self.problem.style()?;
        self.problem.ensure_input_is_used(style)?;
        let folder = tempfile::Builder::new().prefix("judge-inputs-").tempdir();
        let folder = folder.context("a folder for the inputs cannot be made")?;
        let failed = self.search(style, folder.path(), report)?;
        report.end(&self.problem.bot.bot_name())?;
        let Some(failed) = failed else {
            ensure!(!interrupted(), "the search was interrupted");
            return Ok(ExitCode::SUCCESS);
        };
        if failed.result.ruling.verdict == Verdict::JudgeError {
            self.report_original(style, folder.path(), report, failed, None)?;
            return Ok(ExitCode::from(2));
        }
        let search =
            Search { stress: self, programs: self.problem.programs(style, 0)?, style, folder: folder.path() };
        search.shrink(report, failed)?;
        Ok(ExitCode::FAILURE)
    }

    /// Runs the bot on the input of one seed after another. Returns the first run that failed.
    fn search(&self, style: Style, folder: &Path, report: &mut Report) -> anyhow::Result<Option<Tried>> {
        let SearchBounds { seeds, inputs, deadline } = &self.bounds;
        let jobs = usize::from(self.problem.jobs).max(1);
        runner::bot_process::wait::set_games_at_once(jobs);
        let has_time = |_: &u64| deadline.is_none_or(|deadline| Instant::now() < deadline);
        let limit = inputs.and_then(|inputs| usize::try_from(inputs).ok()).unwrap_or(usize::MAX);
        let seeds = seeds.clone().take(limit).take_while(has_time);
        let progress = GamesProgress::new(*inputs, 0).counting("runs");
        let mut failed = None;
        let mut runs = 0;
        let programs = || self.problem.programs(style, 0);
        let run = |programs: &mut anyhow::Result<Programs>, seed| {
            // Return an error as a result, so that the results of smaller seeds come first: one of them may be a
            // failure of the bot.
            Ok(match programs {
                Ok(programs) => self.run_seed(programs, folder, seed),
                Err(error) => Err(anyhow::anyhow!("{error:#}")),
            })
        };
        in_order(jobs, seeds, programs, run, |tried: anyhow::Result<Tried>| {
            let tried = tried?;
            runs += 1;
            let again = || self.again(style, tried.seed);
            progress.suspend(|| report.add_generated(tried.seed, &tried.result, again))?;
            progress.update(runs, format_args!("seed {}: {}", tried.seed, tried.result.ruling.verdict));
            let has_failed = has_failed(tried.result.ruling.verdict);
            failed = Some(tried).filter(|_| has_failed);
            Ok(!has_failed)
        })?;
        ensure!(
            runs > 0 || interrupted(),
            "no input was run within --time, so the search has no result: allow more time"
        );
        Ok(failed)
    }

    fn run_seed(&self, programs: &Programs, folder: &Path, seed: u64) -> anyhow::Result<Tried> {
        let input = self.generate(seed)?;
        let path = input_path(folder, seed);
        fs::write(&path, &input).with_context(|| format!("{} cannot be written", path.display()))?;
        if let Some(validator) = &self.validator {
            let output = self.validate(validator, &path)?;
            ensure!(
                is_valid(&output),
                "the validator refuses the input that the generator made with seed {seed}: {}",
                output.shown_end()
            );
        }
        let result = programs.run(&test(&path, seed).case())?;
        fs::remove_file(&path).with_context(|| format!("{} cannot be removed", path.display()))?;
        Ok(Tried { seed, input, result })
    }

    /// Returns the input that the generator prints with the seed.
    fn generate(&self, seed: u64) -> anyhow::Result<Vec<u8>> {
        let output = tool::run(&with_seed(&self.generator.command, seed), Stdio::null(), self.tool_time())
            .with_context(|| format!("the generator failed with seed {seed}"))?;
        if output.exit != Exit::Code(0) {
            bail!("the generator failed with seed {seed}: {}", output.shown_end());
        }
        Ok(output.stdout)
    }

    fn validate(&self, validator: &ProblemProgram, input: &Path) -> anyhow::Result<ToolOutput> {
        let file = File::open(input).with_context(|| format!("{} cannot be read", input.display()))?;
        tool::run(&validator.command, file.into(), self.tool_time()).context("the validator failed")
    }

    /// Returns how long the generator and the validator may run.
    fn tool_time(&self) -> Duration {
        self.problem.interactor_limits.wall
    }

    /// Returns the command that repeats the run of a seed; `None` if a word of it is not UTF-8.
    fn again(&self, style: Style, seed: u64) -> Option<String> {
        let typed = |helper: &ProblemProgram| helper.typed.clone();
        let validator = self.validator.as_ref().map(typed);
        let programs = [("--generator", Some(typed(&self.generator))), ("--validator", validator)];
        let mut words = vec![("--games", PathBuf::from("1"))];
        words.extend(programs.into_iter().filter_map(|(option, typed)| Some((option, typed?.into()))));
        self.problem.command("stress", style, words.iter().map(|(option, word)| (*option, &**word)), seed)
    }

    /// Keeps an input in the folder of the smallest input or, if that is not possible, in the folder for temporary
    /// files.
    fn keep(&self, seed: u64, input: &[u8]) -> anyhow::Result<PathBuf> {
        let not_kept = |folder: &Path| format!("the input cannot be kept in {}", folder.display());
        keep_in(&self.folder, seed, input).or_else(|error| {
            print_error(format_args!("{}: {error}", not_kept(&self.folder)));
            let folder = std::env::temp_dir();
            keep_in(&folder, seed, input).with_context(|| not_kept(&folder))
        })
    }

    /// Keeps the generated input of a run, and reports the run.
    fn report_original(
        &self,
        style: Style,
        folder: &Path,
        report: &mut Report,
        tried: Tried,
        flaky: Option<(u32, bool)>,
    ) -> anyhow::Result<()> {
        let Tried { seed, input, mut result } = tried;
        let kept = self.keep(seed, &input)?;
        // The command names a temporary file that is removed, so name the kept file instead.
        for word in &mut result.interactor_command {
            if let (Some(text), Some(old), Some(new)) =
                (word.to_str(), input_path(folder, seed).to_str(), kept.to_str())
            {
                *word = text.replace(old, new).into();
            }
        }
        let smallest = Smallest {
            original: &input,
            input: &input,
            tried: 0,
            is_complete: false,
            is_validated: true,
            flaky,
        };
        let again = self.problem.again(style, &test(&kept, seed));
        report.add_smallest(&kept, seed, &result, again, &smallest)
    }
}

/// The search for a smaller input.
struct Search<'a> {
    stress: &'a StressRun,
    programs: Programs,
    style: Style,
    folder: &'a Path,
}

impl Search<'_> {
    fn shrink(&self, report: &mut Report, failed: Tried) -> anyhow::Result<()> {
        runner::bot_process::wait::set_games_at_once(1);
        let (stress, seed) = (self.stress, failed.seed);
        let deadline = Instant::now() + MAX_TIME;
        let deadline = stress.bounds.deadline.map_or(deadline, |end| end.min(deadline));
        let failure = Failure::of(&failed.result, self.style);
        let path = input_path(self.folder, seed);
        let mut others = 0;
        let mut has_passed = false;
        for _ in 0..REPEATS {
            fs::write(&path, &failed.input)
                .with_context(|| format!("{} cannot be written", path.display()))?;
            let result = self.programs.run(&test(&path, seed).case())?;
            others += u32::from(Failure::of(&result, self.style) != failure);
            has_passed |= !has_failed(result.ruling.verdict);
        }
        if others > 0 {
            let flaky = Some((others, has_passed));
            return stress.report_original(self.style, self.folder, report, failed, flaky);
        }
        let progress = GamesProgress::new(None, 0).counting("inputs");
        let mut error = None;
        let mut tried = 0;
        let Shrunk { input, tried, is_complete } = shrink(&failed.input, MAX_TRIES, |input| {
            tried += 1;
            progress.update(tried, format_args!("shrinking the input of seed {seed}: {} bytes", input.len()));
            if Instant::now() >= deadline || interrupted() {
                return None;
            }
            self.fails(&path, seed, input, &failure).map_err(|failed| error = Some(failed)).ok()
        });
        drop(progress);
        let kept = stress.keep(seed, &input)?;
        let again = stress.problem.again(self.style, &test(&kept, seed));
        ensure!(
            !interrupted(),
            "the search was interrupted; the smallest input so far is {}",
            kept.display()
        );
        if let Some(error) = error {
            return Err(error.context(format!("the smallest input so far is {}", kept.display())));
        }
        let result = self.programs.run(&test(&kept, seed).case())?;
        let is_other = Failure::of(&result, self.style) != failure;
        let flaky = is_other.then(|| (1, !has_failed(result.ruling.verdict)));
        let is_validated = self.stress.validator.is_some();
        let smallest =
            Smallest { original: &failed.input, input: &input, tried, is_complete, is_validated, flaky };
        report.add_smallest(&kept, seed, &result, again, &smallest)
    }

    /// Returns whether `input` is valid and fails in the same way as `failure`.
    fn fails(&self, path: &Path, seed: u64, input: &[u8], failure: &Failure) -> anyhow::Result<bool> {
        fs::write(path, input).with_context(|| format!("{} cannot be written", path.display()))?;
        if let Some(validator) = &self.stress.validator
            && !is_valid(&self.stress.validate(validator, path)?)
        {
            return Ok(false);
        }
        let result = self.programs.run(&test(path, seed).case())?;
        Ok(Failure::of(&result, self.style) == *failure)
    }
}

fn input_path(folder: &Path, seed: u64) -> PathBuf {
    folder.join(format!("seed-{seed}.in"))
}

fn test(input: &Path, seed: u64) -> Test {
    Test::new(Some(Input { path: input.to_owned(), answer: None }), seed)
}

/// Returns the generator's command with the seed in place of `{seed}` or, without this placeholder, as the last
/// argument.
fn with_seed(command: &[OsString], seed: u64) -> Vec<OsString> {
    let seed = seed.to_string();
    let has_place = |word: &OsString| word.to_str().is_some_and(|word| word.contains(SEED));
    if !command.iter().any(has_place) {
        return [command, &[seed.into()]].concat();
    }
    let replaced =
        |word: &OsString| word.to_str().map_or_else(|| word.clone(), |word| word.replace(SEED, &seed).into());
    command.iter().map(replaced).collect()
}

/// Returns whether a validator has accepted: by exit code 0, or by 42 as in problem packages.
fn is_valid(output: &ToolOutput) -> bool {
    matches!(output.exit, Exit::Code(0 | 42))
}

/// Keeps an input in `folder` as `seed-S.in`, or as `seed-S-2.in` and so on if a file of that name has other content.
fn keep_in(folder: &Path, seed: u64, input: &[u8]) -> io::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    let place = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let permissions = fs::Permissions::from_mode(0o666);
    let mut file = tempfile::Builder::new().prefix(".seed-").permissions(permissions).tempfile_in(place)?;
    file.write_all(input)?;
    file.as_file().sync_all()?;
    let mut path = input_path(folder, seed);
    for number in 2_u64.. {
        match file.persist_noclobber(&path) {
            Ok(_) => break,
            Err(error) if error.error.kind() != ErrorKind::AlreadyExists => return Err(error.error),
            Err(error) => file = error.file,
        }
        if fs::read(&path).is_ok_and(|kept| kept == input) {
            break;
        }
        path = folder.join(format!("seed-{seed}-{number}.in"));
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn place_of_the_seed() {
        let words = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<OsString>>();
        assert_eq!(with_seed(&words(&["gen", "-n", "9"]), 7), words(&["gen", "-n", "9", "7"]));
        let command = words(&["gen", "--seed={seed}", "{seed}", "x"]);
        assert_eq!(with_seed(&command, 7), words(&["gen", "--seed=7", "7", "x"]));
    }

    #[test]
    fn kept_inputs_replace_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("new/inputs");
        let keep = |input: &[u8]| {
            let path = keep_in(&folder, 3, input).unwrap();
            assert_eq!(fs::read(&path).unwrap(), input);
            path.file_name().unwrap().to_str().unwrap().to_owned()
        };
        let names = [keep(b"a"), keep(b"b"), keep(b"a"), keep(b"c"), keep(b"b")];
        assert_eq!(names, ["seed-3.in", "seed-3-2.in", "seed-3.in", "seed-3-3.in", "seed-3-2.in"]);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 3);
    }
}
