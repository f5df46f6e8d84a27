//! Problem packages: their tests, validator, limits and arguments, in the formats `legacy` and `2025-09`.
//!
//! Source: Kattis and ICPC, Problem Package Format (2025), <https://www.kattis.com/problem-package-format/>.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use runner::limits::DEFAULT_LIMITS;
use runner::message::print_error;
use runner::sources::folder::entries;
use serde::Deserialize;
use serde_json::Value;
use tempfile::TempDir;

use crate::conversation::facts::OutputLimit;
use crate::conversation::role::Role;
use crate::referee::interactor::conditions::DEFAULT_OUTPUT;
use crate::referee::interactor::passes::Passes;
use crate::referee::interactor::seats::Seats;
use crate::referee::interactor::style::Style;
use crate::trials::problem::constants::Constants;
use crate::trials::problem::generation::Generation;
use crate::trials::problem::grading::{Graders, Grading, GradingKeys};
use crate::trials::problem::inputs::Input;
use crate::trials::problem::limits::{LEGACY_LIMITS, LIMITS, LimitsInFile, PackageLimits};
use crate::trials::problem::submissions::Submission;
use crate::trials::problem::yaml::{Words, YamlFile};

/// A problem package.
#[derive(Debug)]
pub(crate) struct Package {
    /// The folder or the zip archive as it was typed.
    pub(crate) folder: PathBuf,
    /// The folder with the files as an absolute path, because the validator may run in another folder.
    pub(crate) root: PathBuf,
    pub(crate) passes: Passes,
    pub(crate) seats: Seats,
    /// The validator, which is the interactor of an interactive problem: a source, a program, or a folder of sources.
    /// `None` if only the checker decides.
    pub(crate) validator: Option<PathBuf>,
    /// The style of the validator.
    pub(crate) style: Style,
    /// Whether the validator need not flush.
    pub(crate) unbuffers_interactor: bool,
    /// The checker that decides after the validator has accepted.
    pub(crate) checker: Option<PathBuf>,
    pub(crate) limits: PackageLimits,
    pub(crate) constants: Constants,
    pub(crate) tests: Vec<PackageTest>,
    /// The validator's arguments for an input that is no test of the package.
    pub(crate) args: Vec<OsString>,
    /// Whether the format is `legacy`, which has other rules for submissions.
    pub(crate) is_legacy: bool,
    /// How a submission of a scoring problem is graded, if the format is `legacy`.
    pub(crate) graders: Option<Graders>,
    /// The submissions; `None` if they are in the folder `submissions`.
    pub(crate) solutions: Option<Vec<Submission>>,
    /// The temporary folders with the files of archives, and of inputs that are made.
    pub(crate) unpacked: Vec<TempDir>,
}

/// Maximum number of tests of a package whose file lists them.
pub(crate) const MAX_TESTS: u32 = 10_000;

/// A test of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PackageTest {
    /// The path of the input below `data`, without `.in`.
    pub(crate) name: String,
    pub(crate) input: Input,
    /// Additional arguments of the validator.
    pub(crate) args: Vec<OsString>,
    /// Arguments of the bot.
    pub(crate) bot_args: Vec<OsString>,
    /// How the input is made; `None` if the package has it.
    pub(crate) generation: Option<Generation>,
    /// The interactor of this test, if it is not that of the package.
    pub(crate) interactor: Option<PathBuf>,
}

impl PackageTest {
    pub(crate) fn new(name: String, input: Input) -> Self {
        let (args, bot_args) = (Vec::new(), Vec::new());
        Self { name, input, args, bot_args, generation: None, interactor: None }
    }

    /// Returns the tests with these inputs in the package in `root`. The name of a test is the path of its input without
    /// `.in`.
    pub(crate) fn of_inputs(root: &Path, inputs: Vec<Input>) -> anyhow::Result<Vec<Self>> {
        let test = |input: Input| {
            ensure_inside(root, &input.path)?;
            let name = input.path.strip_prefix(root).unwrap_or(&input.path).to_string_lossy();
            Ok(Self::new(name.strip_suffix(".in").unwrap_or(&name).to_owned(), input))
        };
        inputs.into_iter().map(test).collect()
    }
}

/// The keys of `problem.yaml` that the judge uses.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ProblemFile {
    problem_format_version: Option<String>,
    #[serde(rename = "type")]
    kinds: Option<Words>,
    validation: Option<Words>,
    validator_flags: Option<Words>,
    limits: Option<LimitsInFile>,
    constants: Option<Constants>,
    grading: Value,
}

/// The keys of `problem.yaml` in all formats, and the keys that only `legacy` has.
const KEYS: &[&str] = &[
    "problem_format_version",
    "type",
    "name",
    "uuid",
    "version",
    "credits",
    "source",
    "license",
    "rights_owner",
    "embargo_until",
    "limits",
    "keywords",
    "languages",
    "allow_file_writing",
    "constants",
];
const LEGACY_KEYS: &[&str] = &["author", "source_url", "validation", "validator_flags", "grading"];

/// The keys that the judge reads in `testdata.yaml`, in `test_group.yaml` and in the YAML file of a test.
#[derive(Default, Deserialize)]
#[serde(default)]
struct TestFile {
    args: Option<Words>,
    output_validator_args: Option<Words>,
    output_validator_flags: Option<Flags>,
    #[serde(flatten)]
    grading: GradingKeys,
}

/// The keys of a [`TestFile`] in all formats, and the keys that only `legacy` has.
const TEST_KEYS: &[&str] = &[
    "max_score",
    "score_aggregation",
    "static_validation_score",
    "require_pass",
    "args",
    "input_validator_args",
    "static_validator_args",
    "output_validator_args",
    "input_visualizer_args",
    "output_visualizer_args",
    "full_feedback",
    "hint",
    "description",
];
const LEGACY_TEST_KEYS: &[&str] = &[
    "on_reject",
    "grading",
    "grader_flags",
    "input_validator_flags",
    "output_validator_flags",
    "accept_score",
    "reject_score",
    "range",
];

/// Flags, or a map with the `name` of the validator and its `flags`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Flags {
    All(Words),
    Named(BTreeMap<String, Words>),
}

/// The format of a package, which decides the keys that the package may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Legacy,
    /// A draft of `2025-09`, which may have the keys of `legacy` too.
    Draft,
    Final,
}

impl Format {
    fn of(version: &str, path: &Path) -> Self {
        match version {
            "legacy" | "legacy-icpc" => Self::Legacy,
            "2025-09" => Self::Final,
            _ => {
                if !version.ends_with("draft") {
                    print_error(format_args!(
                        "{}: problem_format_version: expected legacy, legacy-icpc or 2025-09, found {version}, which is \
                         read as 2025-09",
                        path.display()
                    ));
                }
                Self::Draft
            }
        }
    }

    /// Returns the lists of keys that a file may have: `keys`, and `legacy` unless the format is final.
    fn keys<'a>(self, keys: &'a [&'a str], legacy: &'a [&'a str]) -> [&'a [&'a str]; 2] {
        [keys, if self == Self::Final { &[] } else { legacy }]
    }
}

/// What the files of the folders above a test say about it.
#[derive(Clone, Default)]
struct Inherited {
    arguments: Arguments,
    grading: Grading,
}

/// The arguments of the tests in a folder.
#[derive(Clone, Default)]
struct Arguments {
    /// The validator's arguments that `problem.yaml` gives for all tests.
    of_problem: Vec<OsString>,
    /// The validator's arguments for the folder.
    of_folder: Vec<OsString>,
    bot: Vec<OsString>,
}

impl Arguments {
    fn set(&mut self, file: &mut TestFile) -> anyhow::Result<()> {
        let flags = match file.output_validator_flags.take() {
            Some(Flags::All(flags)) => Some(flags),
            Some(Flags::Named(mut named)) => Some(named.remove("flags").unwrap_or(Words::List(Vec::new()))),
            None => None,
        };
        if let Some(words) = file.output_validator_args.take().or(flags) {
            self.of_folder = words.arguments()?;
        }
        if let Some(words) = file.args.take() {
            self.bot = words.arguments()?;
        }
        Ok(())
    }

    /// Returns the validator's arguments.
    fn of_validator(&self) -> Vec<OsString> {
        [&self.of_problem[..], &self.of_folder].concat()
    }
}

impl Package {
    /// Reads the package in `folder`.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or is malformed, or if the problem is neither interactive nor multi-pass.
    pub(crate) fn read(folder: &Path) -> anyhow::Result<Self> {
        ensure!(
            folder.is_dir(),
            "{}: expected the folder of a problem package, found none",
            folder.display()
        );
        let root = folder.canonicalize().with_context(|| format!("{} cannot be read", folder.display()))?;
        let path = folder.join("problem.yaml");
        let yaml = YamlFile::read(&path)?.with_context(|| {
            format!("{}: expected a problem package with problem.yaml, found none", folder.display())
        })?;
        let mut file: ProblemFile = yaml.parse()?;
        let format = Format::of(file.problem_format_version.as_deref().unwrap_or("legacy"), &path);
        yaml.warn_of_unknown_keys(None, &format.keys(KEYS, LEGACY_KEYS))?;
        yaml.warn_of_unknown_keys(Some("limits"), &format.keys(LIMITS, LEGACY_LIMITS))?;
        if format == Format::Final {
            (file.validation, file.validator_flags) = (None, None);
        }
        let kinds = file.kinds(&path)?;
        let included = folder.join("include");
        ensure!(
            !included.is_dir(),
            "{}: packages whose submissions need included files cannot be run",
            included.display()
        );
        let in_problem = || path.display().to_string();
        let is_legacy = format == Format::Legacy;
        let limits = file.limits.unwrap_or_default();
        let is_multi_pass = kinds.has("multi-pass");
        let most = if is_multi_pass { limits.validation_passes.unwrap_or(2) } else { 1 };
        ensure!(
            most >= 2 || !is_multi_pass,
            "{}: expected validation_passes of at least 2, found {most}",
            path.display()
        );
        let limits = limits.limits(folder, is_legacy).with_context(in_problem)?;
        let of_problem = file.validator_flags.map(Words::arguments).transpose().with_context(in_problem)?;
        let arguments = Arguments { of_problem: of_problem.unwrap_or_default(), ..Arguments::default() };
        let constants = file.constants.unwrap_or_default();
        let graders = (kinds.has("scoring") && is_legacy).then(|| Graders {
            minimizes: file.grading.get("objective") == Some(&Value::from("min")),
            by_validator: kinds.has("score"),
            ..Graders::default()
        });
        let mut search =
            TestSearch { root: &root, format, constants: &constants, graders, tests: Vec::new() };
        let data = root.join("data");
        let mut inherited = Inherited { arguments, grading: Grading::default() };
        search.read_group(&data, "", &mut inherited)?;
        for part in ["sample", "secret"] {
            if data.join(part).is_dir() {
                search.find(&data.join(part), part, &inherited)?;
            }
        }
        let TestSearch { graders, tests, .. } = search;
        let how = generation(&root).unwrap_or_default();
        ensure!(
            !tests.is_empty(),
            "{}: expected tests, found none: a test is a file NAME.in in data/sample or data/secret{how}",
            folder.display()
        );
        if !how.is_empty() && !tests.iter().any(|test| test.name.starts_with("secret/")) {
            print_error(format_args!(
                "{}: only the samples are there, no secret tests{how}",
                folder.display()
            ));
        }
        let role = if kinds.has("interactive") { Role::Interactor } else { Role::Validator };
        Ok(Self {
            passes: Passes::AsAsked { role, most },
            seats: Seats::ONE,
            validator: Some(validator(&root)?),
            style: Style::Icpc,
            unbuffers_interactor: false,
            checker: None,
            limits,
            constants,
            tests,
            args: inherited.arguments.of_validator(),
            is_legacy,
            graders,
            solutions: None,
            unpacked: Vec::new(),
            folder: folder.to_owned(),
            root,
        })
    }

    /// Returns a package in a format without constants, graders and arguments of programs: the bot talks with `interactor`
    /// once on each test. The other properties are to be set. `folder` is the folder as it was typed, `root` the same as an
    /// absolute path.
    pub(crate) fn in_one_pass(
        (folder, root): (&Path, PathBuf),
        (interactor, style): (Option<PathBuf>, Style),
        limits: PackageLimits,
        tests: Vec<PackageTest>,
    ) -> Self {
        Self {
            folder: folder.to_owned(),
            root,
            passes: Passes::ONE,
            seats: Seats::ONE,
            validator: interactor,
            style,
            unbuffers_interactor: false,
            checker: None,
            limits,
            constants: Constants::default(),
            tests,
            args: Vec::new(),
            is_legacy: true,
            graders: None,
            solutions: Some(Vec::new()),
            unpacked: Vec::new(),
        }
    }

    /// Returns the test whose input is in the file `path`. A link counts as a test of its own, not as the test of its
    /// target.
    ///
    /// # Errors
    ///
    /// If the folder of the file cannot be read.
    pub(crate) fn test_of(&self, path: &Path) -> anyhow::Result<Option<&PackageTest>> {
        // In the command of a report, the path of the input begins with the folder as it was typed.
        let typed = path.strip_prefix(&self.folder).map(|inside| self.root.join(inside));
        if let Some(test) = self.tests.iter().find(|test| typed.as_ref() == Ok(&test.input.path)) {
            return Ok(Some(test));
        }
        let place = |path: &Path| -> anyhow::Result<PathBuf> {
            let path = std::path::absolute(path)?;
            let name = path.file_name().context("expected a file")?;
            Ok(path.parent().unwrap_or(&path).canonicalize().context("an input cannot be read")?.join(name))
        };
        let wanted = place(path)?;
        for test in &self.tests {
            if place(&test.input.path)? == wanted {
                return Ok(Some(test));
            }
        }
        Ok(None)
    }

    /// Returns a path of a file below `folder`, or below `root` if the files of the package are not in `folder`.
    pub(crate) fn typed(&self, inside: &Path) -> PathBuf {
        if self.folder.is_dir() { self.folder.join(inside) } else { self.root.join(inside) }
    }

    /// Checks whether a path is in the folder of the submissions.
    pub(crate) fn has_submission(&self, path: &Path) -> bool {
        path.canonicalize().is_ok_and(|path| path.starts_with(self.root.join("submissions")))
    }

    /// Returns the path of the submission with this name, such as `accepted/a.py`; `None` if there is none.
    pub(crate) fn submission(&self, name: &Path) -> Option<PathBuf> {
        if let Some(solutions) = &self.solutions {
            let named = solutions.iter().find(|solution| Path::new(&solution.name) == name);
            return named.map(|solution| solution.path.clone());
        }
        let is_below = name.components().all(|part| matches!(part, Component::Normal(_)));
        Some(self.typed("submissions".as_ref()).join(name)).filter(|path| is_below && path.exists())
    }

    /// Returns the output limits of the bot and of the validator.
    pub(crate) fn output_limits(&self) -> (OutputLimit, OutputLimit) {
        let of_bot = self.limits.output.map_or(DEFAULT_OUTPUT, |bytes| {
            // In the format 2025-09, stderr counts too.
            OutputLimit { bytes, with_stderr: !self.is_legacy }
        });
        let bytes = self.limits.validation_output.unwrap_or(0).max(DEFAULT_OUTPUT.bytes);
        (of_bot, OutputLimit { bytes, ..DEFAULT_OUTPUT })
    }

    /// Returns the default limits of the bot: the CPU time, and the memory in bytes.
    pub(crate) fn default_limits(&self) -> (Duration, u64) {
        let PackageLimits { time, memory, .. } = self.limits;
        (time.unwrap_or(DEFAULT_LIMITS.cpu), memory.unwrap_or(DEFAULT_LIMITS.memory))
    }
}

/// The error for a problem whose outputs are only compared, which is no fault of its package.
#[derive(Debug)]
pub(crate) struct OnlyCompared {
    /// What an interactive problem has in this format, and what was found instead.
    pub(crate) expected: String,
}

impl fmt::Display for OnlyCompared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: the judge runs no problem whose outputs are only compared", self.expected)
    }
}

impl std::error::Error for OnlyCompared {}

/// The words of the keys `type` and `validation`.
struct Kinds(Vec<String>);

impl Kinds {
    fn has(&self, word: &str) -> bool {
        self.0.iter().any(|kind| kind == word)
    }
}

impl ProblemFile {
    /// Returns the kinds of the problem. `path` is the path of `problem.yaml`.
    fn kinds(&mut self, path: &Path) -> anyhow::Result<Kinds> {
        let types = self.kinds.take().map(Words::names).unwrap_or_default();
        let validation = self.validation.take().map(Words::names).unwrap_or_default();
        let kinds = Kinds([&types[..], &validation].concat());
        if kinds.has("interactive") || kinds.has("multi-pass") {
            return Ok(kinds);
        }
        let found = if types.is_empty() { "pass-fail".to_owned() } else { types.join(" ") };
        let expected = format!("expected an interactive or multi-pass problem, found the type {found}");
        Err(anyhow::Error::new(OnlyCompared { expected }).context(path.display().to_string()))
    }
}

/// Maximum depth of folders with tests.
const MAX_DEPTH: usize = 16;

/// The tests of a package that have been found so far.
struct TestSearch<'a> {
    root: &'a Path,
    format: Format,
    constants: &'a Constants,
    /// The gradings so far; `None` if the submissions are not graded.
    graders: Option<Graders>,
    tests: Vec<PackageTest>,
}

impl TestSearch<'_> {
    /// Adds the tests in `folder`, in the order of their names. `name` is the folder's path below `data`.
    fn find(&mut self, folder: &Path, name: &str, inherited: &Inherited) -> anyhow::Result<()> {
        ensure!(
            name.split('/').count() <= MAX_DEPTH,
            "{}: expected folders of tests at most {MAX_DEPTH} deep",
            folder.display()
        );
        let mut inherited = inherited.clone();
        self.read_group(folder, name, &mut inherited)?;
        for (file, path) in named_entries(folder)? {
            if path.is_dir() {
                ensure!(
                    path.extension().is_none_or(|end| end != "files"),
                    "{}: tests with files for the submission cannot be run",
                    path.display()
                );
                self.find(&path, &format!("{name}/{file}"), &inherited)?;
            } else if let Some(stem) = file.strip_suffix(".in") {
                let answer = path.with_extension("ans");
                ensure!(
                    answer.is_file(),
                    "{}: expected the answer of the test, found none",
                    answer.display()
                );
                ensure_inside(self.root, &path)?;
                ensure_inside(self.root, &answer)?;
                let mut inherited = inherited.clone();
                self.read_test(&path.with_extension("yaml"), false, &mut inherited)?;
                let arguments = inherited.arguments;
                self.tests.push(PackageTest {
                    args: arguments.of_validator(),
                    bot_args: arguments.bot,
                    ..PackageTest::new(format!("{name}/{stem}"), Input { path, answer: Some(answer) })
                });
            }
        }
        Ok(())
    }

    /// Reads what the files of a group of tests say. `name` is the folder's path below `data`.
    fn read_group(&mut self, folder: &Path, name: &str, inherited: &mut Inherited) -> anyhow::Result<()> {
        let of_legacy = folder.join("testdata.yaml");
        if self.format == Format::Final && of_legacy.is_file() {
            print_error(format_args!(
                "{} is ignored: in the format 2025-09 its name is test_group.yaml",
                of_legacy.display()
            ));
        } else {
            self.read_test(&of_legacy, true, inherited)?;
        }
        self.read_test(&folder.join("test_group.yaml"), true, inherited)?;
        if let Some(graders) = &mut self.graders {
            graders.gradings.insert(name.to_owned(), inherited.grading.clone());
        }
        Ok(())
    }

    /// Sets what the file `path` gives, if the file exists. Constants are replaced only in the file of a group of tests.
    fn read_test(&mut self, path: &Path, is_group: bool, inherited: &mut Inherited) -> anyhow::Result<()> {
        let Some(mut yaml) = YamlFile::read(path)? else { return Ok(()) };
        if let Some(text) = self.constants.replaced(&yaml.text).filter(|_| is_group) {
            yaml.text = text;
        }
        let mut file: TestFile = yaml.parse()?;
        yaml.warn_of_unknown_keys(None, &self.format.keys(TEST_KEYS, LEGACY_TEST_KEYS))?;
        if self.format == Format::Final {
            file.output_validator_flags = None;
        }
        let in_file = || path.display().to_string();
        inherited.arguments.set(&mut file).with_context(in_file)?;
        if file.grading.has_own_grader() && self.graders.take().is_some() {
            print_error(format_args!(
                "{}: the package's own grader is not run, so the verdicts are compared test by test",
                path.display()
            ));
        }
        if is_group && self.graders.is_some() {
            inherited.grading = inherited.grading.inherited(file.grading).with_context(in_file)?;
        }
        Ok(())
    }
}

/// Returns how the tests of a package are generated, as the end of a sentence; `None` if the package does not show it.
fn generation(root: &Path) -> Option<String> {
    if root.join("generators/generators.yaml").is_file() {
        return Some(
            "; generators/generators.yaml generates them by \"bt generate\" of BAPCtools".to_owned(),
        );
    }
    let mut scripts = ["data", "data/secret", "generators", "."].into_iter().flat_map(|folder| {
        ["generator.sh", "generate.sh", "gen.sh"].map(|name| Path::new(folder).join(name))
    });
    let script = scripts.find(|script| root.join(script).is_file())?;
    Some(format!("; the script {} generates them", script.display()))
}

/// Returns the names and paths of the entries of a folder, sorted by name. Leaves out what the format ignores: hidden
/// files, and, with a warning, names with characters that the format does not allow.
pub(crate) fn named_entries(folder: &Path) -> anyhow::Result<Vec<(String, PathBuf)>> {
    let mut named = Vec::new();
    for path in entries(folder)? {
        match path.file_name().and_then(OsStr::to_str).filter(|name| is_name(name)) {
            Some(name) => named.push((name.to_owned(), path)),
            None => print_error(format_args!(
                "{} is ignored: in a package a name consists of letters, digits, \"_\", \".\" and \"-\", and does not \
                 begin with \"-\"",
                path.display()
            )),
        }
    }
    Ok(named)
}

/// Checks whether the format allows this name of a file or folder.
fn is_name(name: &str) -> bool {
    name.len() <= 255
        && !name.starts_with(['-', '.'])
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c))
}

/// Returns the absolute path of a package's folder.
pub(crate) fn root_of(folder: &Path) -> anyhow::Result<PathBuf> {
    folder.canonicalize().with_context(|| format!("{} cannot be read", folder.display()))
}

/// Returns the path of the file `name` of the package in `root`.
pub(crate) fn file_in(root: &Path, name: &str) -> anyhow::Result<PathBuf> {
    let path = root.join(name);
    ensure_inside(root, &path)?;
    ensure!(path.is_file(), "{}: expected a file", path.display());
    Ok(path)
}

/// Checks that a file of the package in `root` is not a link to a file outside of `root`, because other systems do not
/// get that file.
pub(crate) fn ensure_inside(root: &Path, path: &Path) -> anyhow::Result<()> {
    let target = path.canonicalize().with_context(|| format!("{} cannot be read", path.display()))?;
    ensure!(
        target.starts_with(root),
        "{}: expected a file of the package, found a link to {}",
        path.display(),
        target.display()
    );
    Ok(())
}

/// Returns the validator: the only program of `output_validators` or `output_validator`, or the folder itself.
fn validator(root: &Path) -> anyhow::Result<PathBuf> {
    for name in ["output_validators", "output_validator"] {
        let programs = root.join(name);
        if programs.is_dir() {
            let mut inside = named_entries(&programs)?;
            inside.retain(|(name, _)| !is_readme(name));
            let is_program = ["build", "run", "__main__.py"].iter().any(|name| programs.join(name).is_file());
            let validator = match &inside[..] {
                _ if is_program => programs,
                [] => bail!("{}: expected the validator, found an empty folder", programs.display()),
                [(_, program)] => program.clone(),
                _ => programs,
            };
            ensure_inside(root, &validator)?;
            return Ok(validator);
        }
    }
    bail!(
        "{}: expected the validator in the folder output_validator or output_validators, found none",
        root.display()
    )
}

/// Returns whether a file of this name is documentation and not a program.
pub(crate) fn is_readme(name: &str) -> bool {
    ["readme", "readme.txt", "readme.md"].contains(&name.to_ascii_lowercase().as_str())
}

/// Returns whether a file of this name is a header, which is compiled as a part of the sources beside it.
pub(crate) fn is_header(name: &str) -> bool {
    [".h", ".hpp"].iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trials::problem::format::tests::{assert_faults, folder};

    #[test]
    fn faults_of_the_problem() {
        const FILES: [&str; 4] =
            ["problem.yaml", "output_validator/run", "data/secret/1.in", "data/secret/1.ans"];
        let number = "expected a number";
        let problem = "type: interactive\nlimits: {time_limit: 1}\n";
        assert_faults(
            problem,
            &FILES,
            &[
                ("interactive", "[interactive", "problem.yaml is malformed"),
                ("interactive", "pass-fail", "expected an interactive or multi-pass problem, found the type"),
                ("time_limit: 1", "time_limit: -1", "time_limit: expected a number of seconds from 0.001"),
                ("time_limit: 1", "time_multiplier: .nan", "problem.yaml is malformed"),
                ("time_limit: 1", "time_multiplier: 0.5", "time_multiplier: expected"),
                (
                    "time_limit: 1",
                    "time_resolution: 1e18, time_multipliers: {ac_to_time_limit: 1e300}",
                    number,
                ),
                ("time_limit: 1", "memory: 0", "memory: expected a number of MiB from 1"),
                ("limits:", "validator_flags: \"'\"\nlimits:", "unclosed quote"),
            ],
        );
        let group = "data/secret/test_group.yaml:args: {a: b}";
        for (files, expected) in [
            (FILES[..3].to_vec(), "1.ans: expected the answer of the test, found none"),
            ([&FILES[..], &[group]].concat(), "test_group.yaml is malformed"),
        ] {
            assert_faults(problem, &files, &[("limits", "limits", expected)]);
        }
    }

    /// Checks empty values, and numbers as flags. The flags of a group follow those of the problem.
    #[test]
    fn arguments_of_the_validator() {
        for (problem, group, expected) in [
            ("limits:\nvalidator_flags:", "--letters ab", &["--letters", "ab"][..]),
            ("limits: {time_multipliers: }", "--letters ab", &["--letters", "ab"]),
            ("validator_flags: --letters ab", "1e-6", &["--letters", "ab", "1e-6"]),
            ("validator_flags: --letters ab", "", &["--letters", "ab"]),
            ("validator_flags: 1 --x", "{name: a, flags: 7}", &["1", "--x", "7"]),
        ] {
            let problem = format!("problem.yaml:validation: custom multi-pass\n{problem}\n");
            let group = format!("data/secret/testdata.yaml:output_validator_flags: {group}\n");
            let files =
                [&problem, &group, "output_validators/check", "data/secret/1.in", "data/secret/1.ans"];
            let folder = folder(&files);
            let package = Package::read(folder.path()).unwrap();
            assert_eq!(package.tests[0].args, expected, "{problem} {group}");
        }
    }
}
