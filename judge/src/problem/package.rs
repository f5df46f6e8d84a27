//! Problem packages: their tests, validator, limits and arguments, in the formats `legacy` and `2025-09`.
//!
//! Source: Kattis and ICPC, Problem Package Format (2025), <https://www.kattis.com/problem-package-format/>.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::inputs::Input;
use common::text::open_regular;
use interactor::trial::Turn;
use runner::limits::DEFAULT_LIMITS;

/// A problem package.
#[derive(Debug)]
pub(crate) struct Package {
    /// The folder as it was typed.
    pub(crate) folder: PathBuf,
    /// The folder as an absolute path: the validator may run in another folder.
    pub(crate) root: PathBuf,
    pub(crate) turn: Turn,
    pub(crate) max_passes: u32,
    /// The validator, which is the interactor of an interactive problem: a source, a program, or a folder of sources.
    pub(crate) validator: PathBuf,
    pub(crate) limits: PackageLimits,
    pub(crate) tests: Vec<PackageTest>,
    /// Whether the format is `legacy`, with other rules for submissions.
    pub(crate) is_legacy: bool,
}

/// The limits of a package; `None` stands for the default of the system.
#[derive(Clone, Debug)]
pub(crate) struct PackageLimits {
    pub(crate) time: Option<Duration>,
    /// In bytes.
    pub(crate) memory: Option<u64>,
    pub(crate) validation_time: Option<Duration>,
    /// In bytes.
    pub(crate) validation_memory: Option<u64>,
    /// Without a time limit: how many times the time of the slowest accepted submission the limit is.
    pub(crate) time_multiplier: f64,
    /// Without a time limit: the limit is a multiple of this.
    pub(crate) time_resolution: Duration,
}

/// A test of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PackageTest {
    /// The path of the input below `data`, without `.in`.
    pub(crate) name: String,
    pub(super) input: Input,
    /// More arguments of the validator.
    pub(crate) args: Vec<OsString>,
    /// Arguments of the bot.
    pub(crate) bot_args: Vec<OsString>,
}

/// What `problem.yaml` says, as far as the judge needs it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ProblemFile {
    problem_format_version: Option<String>,
    #[serde(rename = "type")]
    kinds: Option<OneOrMore>,
    validation: Option<String>,
    validator_flags: Option<String>,
    limits: LimitsInFile,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct LimitsInFile {
    time_limit: Option<f64>,
    time_multiplier: Option<f64>,
    time_multipliers: Multipliers,
    time_resolution: Option<f64>,
    memory: Option<u64>,
    validation_time: Option<f64>,
    validation_memory: Option<u64>,
    validation_passes: Option<u32>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Multipliers {
    ac_to_time_limit: Option<f64>,
}

/// What `testdata.yaml`, `test_group.yaml` and the file of a test say, as far as the judge needs it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct TestFile {
    args: Option<OneOrMore>,
    output_validator_args: Option<OneOrMore>,
    output_validator_flags: Option<Flags>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl OneOrMore {
    /// Returns the words: of a list its members, of a text its words as a shell splits them.
    fn words(self) -> anyhow::Result<Vec<OsString>> {
        match self {
            Self::One(text) => split(&text),
            Self::More(words) => Ok(words.into_iter().map(OsString::from).collect()),
        }
    }
}

/// Flags, or a map with the validator's name and its flags.
#[derive(Deserialize)]
#[serde(untagged)]
enum Flags {
    All(String),
    Named(BTreeMap<String, String>),
}

fn split(text: &str) -> anyhow::Result<Vec<OsString>> {
    let words = shlex::split(text).with_context(|| format!("unclosed quote in the flags: {text}"))?;
    Ok(words.into_iter().map(OsString::from).collect())
}

/// The arguments of the tests in a folder.
#[derive(Clone, Default)]
struct Arguments {
    validator: Vec<OsString>,
    bot: Vec<OsString>,
}

impl Arguments {
    /// Returns the arguments after those that the file `path`, if it exists, sets.
    fn with_file(&self, path: &Path) -> anyhow::Result<Self> {
        let mut arguments = self.clone();
        let Some(file) = read_yaml::<TestFile>(path)? else { return Ok(arguments) };
        arguments.set(file).with_context(|| path.display().to_string())?;
        Ok(arguments)
    }

    fn set(&mut self, file: TestFile) -> anyhow::Result<()> {
        match file.output_validator_flags {
            Some(Flags::All(flags)) => self.validator = split(&flags)?,
            Some(Flags::Named(named)) => {
                self.validator = split(named.get("flags").map_or("", String::as_str))?;
            }
            None => {}
        }
        if let Some(args) = file.output_validator_args {
            self.validator = args.words()?;
        }
        if let Some(args) = file.args {
            self.bot = args.words()?;
        }
        Ok(())
    }
}

impl Package {
    /// Reads the package in `folder`.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or has unknown contents, or if the problem is neither interactive nor in several passes.
    pub(crate) fn read(folder: &Path) -> anyhow::Result<Self> {
        ensure!(
            folder.is_dir(),
            "{}: expected the folder of a problem package, found none",
            folder.display()
        );
        let root = folder.canonicalize().with_context(|| format!("{} cannot be read", folder.display()))?;
        let path = folder.join("problem.yaml");
        let file: ProblemFile = read_yaml(&path)?.with_context(|| {
            format!("{}: expected a problem package with problem.yaml, found none", folder.display())
        })?;
        let version = file.problem_format_version.as_deref().unwrap_or("legacy");
        let is_legacy = matches!(version, "legacy" | "legacy-icpc");
        let kinds: Vec<String> = match file.kinds {
            Some(OneOrMore::One(kind)) => kind.split_whitespace().map(str::to_owned).collect(),
            Some(OneOrMore::More(kinds)) => kinds,
            None => Vec::new(),
        };
        let validation = file.validation.unwrap_or_default();
        let has = |word| {
            kinds.iter().any(|kind| kind == word) || validation.split_whitespace().any(|part| part == word)
        };
        let (is_interactive, is_multi_pass) = (has("interactive"), has("multi-pass"));
        ensure!(
            is_interactive || is_multi_pass,
            "{}: expected an interactive or multi-pass problem, found the type {}: the judge runs no problem whose \
             outputs are only compared",
            path.display(),
            if kinds.is_empty() { "pass-fail".to_owned() } else { kinds.join(" ") }
        );
        let included = folder.join("include");
        ensure!(
            !included.is_dir(),
            "{}: packages whose submissions need included files cannot be run",
            included.display()
        );
        let limits = file.limits.limits(folder, is_legacy).with_context(|| path.display().to_string())?;
        let max_passes = if is_multi_pass { file.limits.validation_passes.unwrap_or(2) } else { 1 };
        ensure!(
            max_passes >= 2 || !is_multi_pass,
            "{}: expected validation_passes of at least 2, found {max_passes}",
            path.display()
        );
        let arguments = Arguments {
            validator: split(&file.validator_flags.unwrap_or_default())
                .with_context(|| path.display().to_string())?,
            bot: Vec::new(),
        };
        let mut tests = Vec::new();
        for part in ["sample", "secret"] {
            let data = root.join("data").join(part);
            if data.is_dir() {
                find_tests(&data, part, &arguments, &mut tests)?;
            }
        }
        ensure!(
            !tests.is_empty(),
            "{}: expected tests, found none: a test is a file NAME.in in data/sample or data/secret",
            folder.display()
        );
        let turn = if is_interactive { Turn::WithBot } else { Turn::AfterBot };
        Ok(Self {
            turn,
            max_passes,
            validator: validator(&root)?,
            limits,
            tests,
            is_legacy,
            folder: folder.to_owned(),
            root,
        })
    }
}

/// How many times the time of the slowest accepted submission the time limit is, by default.
const MULTIPLIER: f64 = 2.0;
const LEGACY_MULTIPLIER: f64 = 5.0;

/// The smallest and the largest time in a package, as of the options for limits.
const MIN_TIME: Duration = Duration::from_millis(1);
pub(super) const MAX_TIME: Duration = Duration::from_secs(86_400);

/// The largest memory limit of a package: 1 TiB.
const MAX_MEMORY_MIB: u64 = 1 << 20;

const MAX_MULTIPLIER: f64 = 1000.0;

impl Package {
    /// Returns the bot's CPU time and memory that hold without an option.
    pub(crate) fn default_limits(&self) -> (Duration, u64) {
        let PackageLimits { time, memory, .. } = self.limits;
        (time.unwrap_or(DEFAULT_LIMITS.cpu), memory.unwrap_or(DEFAULT_LIMITS.memory))
    }
}

impl LimitsInFile {
    fn limits(&self, folder: &Path, is_legacy: bool) -> anyhow::Result<PackageLimits> {
        let seconds = |name: &str, value: Option<f64>| -> anyhow::Result<Option<Duration>> {
            let Some(value) = value else { return Ok(None) };
            let duration = Duration::try_from_secs_f64(value).ok();
            let duration = duration.filter(|duration| (MIN_TIME..=MAX_TIME).contains(duration));
            Ok(Some(duration.with_context(|| {
                format!("{name}: expected a number of seconds from 0.001 to 86400, found {value}")
            })?))
        };
        let mib = |name: &str, value: Option<u64>| -> anyhow::Result<Option<u64>> {
            let Some(value) = value else { return Ok(None) };
            ensure!(
                (1..=MAX_MEMORY_MIB).contains(&value),
                "{name}: expected a number of MiB from 1 to {MAX_MEMORY_MIB}, found {value}"
            );
            Ok(Some(value << 20))
        };
        let time = match seconds("time_limit", self.time_limit)? {
            Some(time) => Some(time),
            None => seconds("the time limit beside problem.yaml", time_beside(folder)?)?,
        };
        let by_default = if is_legacy { LEGACY_MULTIPLIER } else { MULTIPLIER };
        let time_multiplier =
            self.time_multipliers.ac_to_time_limit.or(self.time_multiplier).unwrap_or(by_default);
        ensure!(
            (1.0..=MAX_MULTIPLIER).contains(&time_multiplier),
            "time_multiplier: expected a number from 1 to {MAX_MULTIPLIER}, found {time_multiplier}"
        );
        Ok(PackageLimits {
            time,
            memory: mib("memory", self.memory)?,
            validation_time: seconds("validation_time", self.validation_time)?,
            validation_memory: mib("validation_memory", self.validation_memory)?,
            time_multiplier,
            time_resolution: seconds("time_resolution", self.time_resolution)?
                .unwrap_or(Duration::from_secs(1)),
        })
    }
}

/// Returns the time limit in seconds of the files of contest systems: `.timelimit`, or `domjudge-problem.ini`.
fn time_beside(folder: &Path) -> anyhow::Result<Option<f64>> {
    if let Some(text) = read_file(&folder.join(".timelimit"))? {
        let time = text.trim().parse();
        let time =
            time.with_context(|| format!(".timelimit: expected a number of seconds, found {}", text.trim()))?;
        return Ok(Some(time));
    }
    let Some(text) = read_file(&folder.join("domjudge-problem.ini"))? else { return Ok(None) };
    let mut values = text.lines().filter_map(|line| line.split_once('='));
    let Some((_, value)) = values.find(|(name, _)| name.trim() == "timelimit") else { return Ok(None) };
    let value = value.trim().trim_matches(['\'', '"']);
    let time = value.parse();
    Ok(Some(
        time.with_context(|| format!("domjudge-problem.ini: expected timelimit in seconds, found {value}"))?,
    ))
}

/// Maximum depth of folders with tests.
const MAX_DEPTH: usize = 16;

/// Adds the tests in `folder`, in the order of their names. `name` is the folder's path below `data`.
fn find_tests(
    folder: &Path,
    name: &str,
    arguments: &Arguments,
    tests: &mut Vec<PackageTest>,
) -> anyhow::Result<()> {
    ensure!(
        name.split('/').count() <= MAX_DEPTH,
        "{}: expected folders of tests at most {MAX_DEPTH} deep",
        folder.display()
    );
    let arguments = arguments.with_file(&folder.join("testdata.yaml"))?;
    let arguments = arguments.with_file(&folder.join("test_group.yaml"))?;
    for path in entries(folder)? {
        let is_input = path.extension().is_some_and(|end| end == "in");
        let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()) else {
            bail!("{}: expected a name that is UTF-8", path.display());
        };
        if path.is_dir() {
            ensure!(
                path.extension().is_none_or(|end| end != "files"),
                "{}: tests with files for the submission cannot be run",
                path.display()
            );
            let inner = path.file_name().and_then(|inner| inner.to_str()).unwrap_or(stem);
            find_tests(&path, &format!("{name}/{inner}"), &arguments, tests)?;
        } else if is_input {
            let answer = path.with_extension("ans");
            ensure!(answer.is_file(), "{}: expected the answer of the test, found none", answer.display());
            let arguments = arguments.with_file(&path.with_extension("yaml"))?;
            tests.push(PackageTest {
                name: format!("{name}/{stem}"),
                input: Input { path, answer: Some(answer) },
                args: arguments.validator,
                bot_args: arguments.bot,
            });
        }
    }
    Ok(())
}

/// Returns what is in a folder, sorted by name, without hidden files.
pub(super) fn entries(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let error = || format!("{} cannot be read", folder.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).with_context(error)? {
        let path = entry.with_context(error)?.path();
        if path.file_name().is_some_and(|name| !name.as_encoded_bytes().starts_with(b".")) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// Returns the validator: the only program of `output_validators` or `output_validator`, or the folder itself.
fn validator(folder: &Path) -> anyhow::Result<PathBuf> {
    for name in ["output_validators", "output_validator"] {
        let programs = folder.join(name);
        if programs.is_dir() {
            let mut inside = entries(&programs)?;
            inside.retain(|path| !is_readme(path));
            let is_program = ["build", "run", "__main__.py"].iter().any(|name| programs.join(name).is_file());
            return match &inside[..] {
                _ if is_program => Ok(programs),
                [] => bail!("{}: expected the validator, found an empty folder", programs.display()),
                [program] => Ok(program.clone()),
                _ => Ok(programs),
            };
        }
    }
    bail!(
        "{}: expected the validator in the folder output_validator or output_validators, found none",
        folder.display()
    )
}

/// Returns whether a file only explains the others.
pub(super) fn is_readme(path: &Path) -> bool {
    let name = path.file_name().map(std::ffi::OsStr::to_ascii_lowercase);
    name.is_some_and(|name| ["readme", "readme.txt", "readme.md"].iter().any(|readme| name == *readme))
}

/// Reads a file of a package; `None` if it does not exist.
fn read_file(path: &Path) -> anyhow::Result<Option<String>> {
    /// Maximum size of a file.
    const MAX_SIZE: u64 = 1 << 20;
    let unread = || format!("{} cannot be read", path.display());
    // Links are allowed within a package.
    let file = match path.canonicalize().and_then(|path| open_regular(&path)) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        file => file.with_context(unread)?,
    };
    let mut text = String::new();
    file.take(MAX_SIZE + 1).read_to_string(&mut text).with_context(unread)?;
    ensure!(text.len() as u64 <= MAX_SIZE, "{}: expected at most 1 MiB, found more", path.display());
    Ok(Some(text))
}

/// Reads a YAML file; `None` if it does not exist.
pub(super) fn read_yaml<T: DeserializeOwned + Default>(path: &Path) -> anyhow::Result<Option<T>> {
    let Some(text) = read_file(path)? else { return Ok(None) };
    // A file with comments only says nothing.
    if text.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')) {
        return Ok(Some(T::default()));
    }
    let value = serde_saphyr::from_str(&text).with_context(|| format!("{} is malformed", path.display()))?;
    Ok(Some(value))
}
