//! Inputs of a problem as candidates of a search: a generator makes them, and a validator may check them.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::iter;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use itertools::chain;
use runner::escape::printable;
use runner::escape::with_values;
use runner::event::Exit;
use runner::message::print_error;
use runner::to_end::{Ended, ProgramOutput};
use runner::warden::Warden;
use tempfile::TempDir;

use crate::conversation::verdict::Verdict;
use crate::progress::GamesProgress;
use crate::referee::interactor::style::TestCase;
use crate::report::reporter::Reporter;
use crate::report::run::{RefereeReport, RunReport, RunSubject};
use crate::search::shrinker::Runner;
use crate::search::smaller_input::GeneratedInput;
use crate::search::{CandidateSource, JsonLine, SearchReport, ShrunkOf, Tried};
use crate::text::{counted, shortened};
use crate::trials::problem::run::{ProblemProgram, ProblemRun};
use crate::trials::problem::tool;
use crate::trials::problem::trial::{Programs, TrialResult};

/// The placeholder of the seed in the generator's command.
const SEED: &[u8] = b"{seed}";

pub(crate) struct Inputs {
    problem: ProblemRun,
    generator: ProblemProgram,
    validator: Option<ProblemProgram>,
    seed: u64,
    folder: TempDir,
    keep: PathBuf,
}

impl Inputs {
    /// Input k has the seed `seed` + k. Fails if the interactor does not use inputs.
    pub(crate) fn new(
        problem: ProblemRun,
        generator: ProblemProgram,
        validator: Option<ProblemProgram>,
        (seed, keep): (u64, PathBuf),
    ) -> anyhow::Result<Self> {
        problem.ensure_input_is_used()?;
        let folder = tempfile::Builder::new().prefix("judge-inputs-").tempdir();
        let folder = folder.context("a folder for the inputs cannot be made")?;
        Ok(Self { problem, generator, validator, seed, folder, keep })
    }

    fn seed(&self, number: u64) -> u64 {
        self.seed.wrapping_add(number)
    }

    fn tool_warden(&self) -> anyhow::Result<Warden> {
        tool::warden(self.problem.interactor_limits, self.problem.bot.limits_by)
    }

    fn path(&self, seed: u64) -> PathBuf {
        self.folder.path().join(format!("seed-{seed}.in"))
    }

    /// Returns the report of a run. `name` is shown in place of the temporary file of the input, which is removed after
    /// the run.
    fn report(&self, test: &TestCase, result: &TrialResult, again: Option<String>, name: &str) -> RunReport {
        let mut report = self.problem.report_with(test, result, again, true);
        let old = self.path(test.seed);
        if let Some(RefereeReport { command, checker, .. }) = &mut report.referee {
            for word in command.iter_mut().chain(checker.iter_mut().flatten()) {
                *word = word.replace(&*old.to_string_lossy(), name);
            }
        }
        report
    }

    fn test(&self, path: &Path, seed: u64) -> TestCase {
        let package = self.problem.package.as_ref();
        let args = package.map_or_else(Vec::new, |package| package.args.clone());
        TestCase { seed, args, ..TestCase::new(path.to_owned(), None) }
    }

    /// Runs the validator on an input, if there is one. Returns its output if it refuses the input.
    fn refusal(&self, warden: &Warden, input: &GeneratedInput) -> anyhow::Result<Option<ProgramOutput>> {
        let Some(validator) = &self.validator else { return Ok(None) };
        let finished = tool::run(warden, &validator.command, &input.bytes, self.problem.interactor_limits);
        let finished = finished.context("the validator failed")?;
        // 42 is the exit code in problem packages.
        Ok(Some(finished).filter(|finished| !matches!(finished.ended, Ended::Exited(Exit::Code(0 | 42)))))
    }

    /// Returns the command that repeats the run of a seed; `None` if a word of it is not UTF-8.
    fn again(&self, seed: u64) -> Option<String> {
        let validator = self.validator.iter().map(|validator| ("--validator", &*validator.typed));
        let words = chain!([("--games", "1"), ("--generator", &*self.generator.typed)], validator);
        self.problem.command("stress", words.map(|(option, word)| (option, Path::new(word))), seed)
    }

    /// Keeps an input in the folder of the smallest input, or else in that for temporary files.
    fn keep(&self, input: &GeneratedInput) -> anyhow::Result<PathBuf> {
        let not_kept = |folder: &Path| format!("the input cannot be kept in {}", folder.display());
        keep_in(&self.keep, input).or_else(|error| {
            print_error(format_args!("{}: {error}", not_kept(&self.keep)));
            let folder = std::env::temp_dir();
            keep_in(&folder, input).with_context(|| not_kept(&folder))
        })
    }
}

impl CandidateSource for Inputs {
    type Candidate = GeneratedInput;
    type Run = TrialResult;

    fn candidate(&self, number: u64) -> anyhow::Result<GeneratedInput> {
        let seed = self.seed(number);
        let command = with_seed(&self.generator.command, seed);
        let limits = self.problem.interactor_limits;
        let warden = self.tool_warden()?;
        let bytes = tool::generate(&warden, &command, limits)
            .with_context(|| format!("the generator failed with seed {seed}"))?;
        let input = GeneratedInput { seed, bytes };
        match self.refusal(&warden, &input)? {
            None => Ok(input),
            Some(refusal) => bail!(
                "the validator refuses the input that the generator made with seed {seed}: {}",
                tool::shown_end(&refusal)
            ),
        }
    }

    fn runner(&self, is_shrinking: bool) -> anyhow::Result<Runner<'_, GeneratedInput, TrialResult>> {
        let warden = is_shrinking.then(|| self.tool_warden()).transpose()?;
        let programs = Programs::new(self.problem.clone(), 0)?;
        Ok(Box::new(move |input| {
            if let Some(warden) = &warden
                && self.refusal(warden, input)?.is_some()
            {
                return Ok(None);
            }
            let path = self.path(input.seed);
            fs::write(&path, &input.bytes)
                .with_context(|| format!("{} cannot be written", path.display()))?;
            let result = programs.run(&self.test(&path, input.seed), false)?;
            fs::remove_file(&path).with_context(|| format!("{} cannot be removed", path.display()))?;
            Ok(Some(result))
        }))
    }
}

pub(crate) struct InputsReport<'a> {
    pub(crate) inputs: &'a Inputs,
    pub(crate) report: Reporter<Box<dyn Write>>,
}

impl SearchReport<Inputs> for InputsReport<'_> {
    fn add(&mut self, tried: &Tried<Inputs>, progress: &GamesProgress) -> anyhow::Result<()> {
        let (inputs, Tried { candidate: input, run: result, .. }) = (self.inputs, tried);
        let test = inputs.test(&inputs.path(input.seed), input.seed);
        let mut run = inputs.report(&test, result, inputs.again(input.seed), "INPUT");
        let name = Some("generated input".to_owned());
        run.subject = RunSubject::Test { test: name, input: None, seed: input.seed };
        progress.suspend(|| self.report.generated_run(&run))?;
        progress.update(self.report.reported(), "all accepted");
        Ok(())
    }

    fn summary(&mut self) -> anyhow::Result<()> {
        self.report.end_runs(&self.inputs.problem.bot.bot_name())?;
        Ok(())
    }

    fn name_of(&self, number: u64) -> String {
        format!("the input of seed {}", self.inputs.seed(number))
    }

    fn smallest(
        &mut self,
        number: u64,
        original: &GeneratedInput,
        shrunk: &ShrunkOf<Inputs>,
    ) -> anyhow::Result<()> {
        let (inputs, input) = (self.inputs, &shrunk.smallest);
        let kept = inputs.keep(input)?;
        let test = inputs.test(&kept, input.seed);
        let again = inputs.problem.again(&test);
        let mut line = inputs.report(&test, &shrunk.run, again, &kept.to_string_lossy());
        line.repeated(shrunk.different.iter().copied());
        let mut heading = shrunk.heading(&self.name_of(number), "input with which the bot failed");
        if shrunk.run.ruling.verdict != Verdict::JudgeError {
            heading += &format!(". It has {}", size(&input.bytes));
            if input != original {
                heading += &format!(", the original {}", size(&original.bytes));
                if inputs.validator.is_none() {
                    heading += ". Without --validator it may break the rules of the problem";
                }
            }
        }
        let line = JsonLine { fields: shrunk.fields(input.seed), options: None, run: &line };
        self.report.smallest_run(&line, &heading, &shown(&input.bytes))
    }
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|&byte| byte == b'\n')
}

fn size(input: &[u8]) -> String {
    let (lines, bytes) = (lines(input).count() as u64, input.len() as u64);
    format!("{} ({})", counted(lines, "line"), counted(bytes, "byte"))
}

fn shown(input: &[u8]) -> Vec<String> {
    /// Maximum number of lines that are shown.
    const MAX_LINES: usize = 10;
    let shown = |line: &[u8]| {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        printable(&shortened(&String::from_utf8_lossy(line)))
    };
    let mut lines = lines(input);
    let mut result: Vec<String> = lines.by_ref().take(MAX_LINES).map(shown).collect();
    let left = lines.count();
    result.extend((left > 0).then(|| format!("... and {}", counted(left as u64, "more line"))));
    result
}

/// Returns the generator's command with the seed in place of `{seed}`, or else as the last argument.
fn with_seed(command: &[OsString], seed: u64) -> Vec<OsString> {
    let seed = seed.to_string();
    let values = [(SEED, seed.as_bytes())];
    let replaced = |word: &OsString| OsString::from_vec(with_values(word.as_bytes(), &values));
    let mut words: Vec<OsString> = command.iter().map(replaced).collect();
    if words == command {
        words.push(seed.into());
    }
    words
}

/// Keeps an input in `folder` as `seed-S.in`, or as `seed-S-2.in` and so on if a file of that name has other content.
fn keep_in(folder: &Path, GeneratedInput { seed, bytes }: &GeneratedInput) -> io::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    let others = (2_u64..).map(|number| format!("seed-{seed}-{number}.in"));
    for name in iter::once(format!("seed-{seed}.in")).chain(others) {
        let path = folder.join(name);
        match File::create_new(&path) {
            Ok(mut file) => return file.write_all(bytes).map(|()| path),
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
            Err(_) if fs::read(&path).is_ok_and(|kept| kept == *bytes) => return Ok(path),
            Err(_) => {}
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;

    #[test]
    fn place_of_the_seed() {
        let words = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<OsString>>();
        assert_eq!(with_seed(&words(&["gen", "-n", "9"]), 7), words(&["gen", "-n", "9", "7"]));
        let command = words(&["gen", "--seed={seed}", "{seed}", "x"]);
        assert_eq!(with_seed(&command, 7), words(&["gen", "--seed=7", "7", "x"]));
        assert_eq!(
            with_seed(&[OsString::from_vec(b"\xff{seed}".to_vec())], 7),
            [OsStr::from_bytes(b"\xff7")]
        );
    }

    #[test]
    fn kept_inputs_replace_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("new/inputs");
        let keep = |input: &[u8]| {
            let path = keep_in(&folder, &GeneratedInput { seed: 3, bytes: input.to_vec() }).unwrap();
            assert_eq!(fs::read(&path).unwrap(), input);
            path.file_name().unwrap().to_str().unwrap().to_owned()
        };
        let names = [keep(b"a"), keep(b"b"), keep(b"a"), keep(b"c"), keep(b"b")];
        assert_eq!(names, ["seed-3.in", "seed-3-2.in", "seed-3.in", "seed-3-3.in", "seed-3-2.in"]);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 3);
    }
}
