//! A problem package: what the readers of all formats find in its files.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, ensure};
use runner::limits::Limits;
use tempfile::TempDir;

use crate::referee::interactor::passes::Passes;
use crate::referee::interactor::seats::Seats;
use crate::referee::interactor::style::{Style, TestCase};
use crate::trials::problem::constants::Constants;
use crate::trials::problem::expected::{Expected, Outcome, Rule, matches_with_parents};
use crate::trials::problem::grading::Graders;
use crate::trials::problem::inputs;
use crate::trials::problem::limits::PackageLimits;
use crate::trials::problem::run::LIMITS_OF_PROBLEMS;
use crate::trials::problem::submissions::Submission;
use crate::trials::problem::tool::Generation;

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
    pub(crate) style: Style,
    pub(crate) unbuffers_interactor: bool,
    /// The checker that decides after the validator has accepted.
    pub(crate) checker: Option<PathBuf>,
    pub(crate) limits: PackageLimits,
    pub(crate) constants: Constants,
    pub(crate) tests: Vec<TestCase>,
    /// How the inputs are made that the package does not have, by their paths.
    pub(crate) generations: BTreeMap<PathBuf, Generation>,
    /// The interactors of the tests that have one of their own, by the paths of the inputs.
    pub(crate) interactors: BTreeMap<PathBuf, PathBuf>,
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

impl Package {
    /// Returns what a package has if its reader sets nothing else: no tests, no programs, and an interactor in the style
    /// testlib that the bot talks with once. `folder` is the folder as it was typed.
    pub(crate) fn new(folder: &Path) -> anyhow::Result<Self> {
        let root = folder.canonicalize().with_context(|| format!("{} cannot be read", folder.display()))?;
        Ok(Self {
            folder: folder.to_owned(),
            root,
            passes: Passes::ONE,
            seats: Seats::ONE,
            validator: None,
            style: Style::Testlib,
            unbuffers_interactor: false,
            checker: None,
            limits: PackageLimits::of_bot(None, None)?,
            constants: Constants::default(),
            tests: Vec::new(),
            generations: BTreeMap::new(),
            interactors: BTreeMap::new(),
            args: Vec::new(),
            is_legacy: true,
            graders: None,
            solutions: Some(Vec::new()),
            unpacked: Vec::new(),
        })
    }

    pub(crate) fn file(&self, name: &str) -> anyhow::Result<PathBuf> {
        file_in(&self.root, name)
    }

    /// Returns the solution in the file or the folder `path`, which promises one of the outcomes `required` on a test, and
    /// else `AC`. If `required` is empty, nothing is promised.
    pub(crate) fn solution(&self, path: &Path, required: &[Outcome]) -> anyhow::Result<Submission> {
        ensure_inside(&self.root, path)?;
        let name = path.strip_prefix(&self.root).unwrap_or(path);
        let rules = if required.is_empty() { Vec::new() } else { vec![Rule::promising(required)] };
        Ok(Submission {
            name: name.to_string_lossy().into_owned(),
            path: self.folder.join(name),
            is_accepted: required == [Outcome::Accepted],
            expected: Expected::of_rules(rules),
            limits: (None, None),
        })
    }

    /// Returns the tests, or those of them whose names or inputs are among the arguments. An input that is no test of
    /// the package, such as a generated one, is a test of its own. Interactors of single tests are still to be set.
    pub(crate) fn chosen_tests(&self, arguments: &[PathBuf]) -> anyhow::Result<Vec<TestCase>> {
        // A path in a temporary folder, into which an archive is unpacked, is of no use in a later command.
        let is_in_folder = self.folder.is_dir();
        let with_typed = |test: &TestCase| {
            let inside = test.input.as_ref().and_then(|input| input.strip_prefix(&self.root).ok());
            let typed = inside.filter(|_| is_in_folder).map(|inside| self.folder.join(inside));
            TestCase { typed_input: Some(typed.unwrap_or_else(|| (&test.name).into())), ..test.clone() }
        };
        if arguments.is_empty() {
            return Ok(self.tests.iter().map(with_typed).collect());
        }
        let is_name = |argument: &PathBuf| self.tests.iter().any(|test| is_named(test, argument));
        let (names, paths): (Vec<PathBuf>, Vec<PathBuf>) = arguments.iter().cloned().partition(is_name);
        let is_chosen = |test: &&TestCase| names.iter().any(|name| is_named(test, name));
        let mut chosen: Vec<TestCase> = self.tests.iter().filter(is_chosen).map(with_typed).collect();
        for test in inputs::find(&paths)? {
            chosen.push(match self.test_of(&test)? {
                Some(test) => with_typed(test),
                None => TestCase { args: self.args.clone(), ..test },
            });
        }
        Ok(chosen)
    }

    /// Returns the test of the package with the same input. A link counts as a test of its own, not as the test of its
    /// target.
    fn test_of(&self, wanted: &TestCase) -> anyhow::Result<Option<&TestCase>> {
        let place = |test: &TestCase| -> anyhow::Result<PathBuf> {
            let path = std::path::absolute(test.input())?;
            let name = path.file_name().context("expected a file")?;
            Ok(path.parent().unwrap_or(&path).canonicalize().context("an input cannot be read")?.join(name))
        };
        let wanted = place(wanted)?;
        Ok(self.tests.iter().find(|test| place(test).is_ok_and(|place| place == wanted)))
    }

    /// Returns a path of a file below `folder`, or below `root` if the files of the package are not in `folder`.
    pub(crate) fn typed(&self, inside: &Path) -> PathBuf {
        if self.folder.is_dir() { self.folder.join(inside) } else { self.root.join(inside) }
    }

    /// Returns the path of the submission that is named by its path, or else by a name such as `accepted/a.py`.
    pub(crate) fn submission(&self, name: &Path) -> Option<PathBuf> {
        if let Ok(path) = name.canonicalize() {
            return path.starts_with(self.root.join("submissions")).then(|| name.to_owned());
        }
        if let Some(solutions) = &self.solutions {
            let named = solutions.iter().find(|solution| Path::new(&solution.name) == name);
            return named.map(|solution| solution.path.clone());
        }
        let is_below = name.components().all(|part| matches!(part, Component::Normal(_)));
        Some(self.typed("submissions".as_ref()).join(name)).filter(|path| is_below && path.exists())
    }

    /// Returns the default limits of the bot.
    pub(crate) fn default_limits(&self) -> Limits {
        let PackageLimits { time, memory, .. } = self.limits;
        let default = LIMITS_OF_PROBLEMS;
        Limits { cpu: time.unwrap_or(default.cpu), memory: memory.unwrap_or(default.memory), ..default }
    }
}

/// Returns whether an argument names a test of a package, or a group with the test: by the path below `data`, or by the
/// rest of this path after `sample` or `secret`. The argument may be a pattern, but not the path of an existing file.
fn is_named(test: &TestCase, argument: &Path) -> bool {
    let Some(pattern) = argument.to_str().filter(|_| !argument.exists()) else { return false };
    let pattern = pattern.strip_prefix("data/").unwrap_or(pattern).trim_end_matches('/');
    let pattern = pattern.strip_suffix(".in").unwrap_or(pattern);
    let rest = test.name.split_once('/').map_or("", |(_, rest)| rest);
    [&test.name, rest].iter().any(|name| matches_with_parents(pattern, name))
}

/// The error for a problem whose outputs are only compared, which is no fault of its package. The text says what an
/// interactive problem has in this format, and what was found instead.
#[derive(Debug)]
pub(crate) struct OnlyCompared(pub(crate) String);

impl fmt::Display for OnlyCompared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: the judge runs no problem whose outputs are only compared", self.0)
    }
}

impl std::error::Error for OnlyCompared {}

/// Names tests by the paths of their inputs below `root`, without `.in`.
pub(crate) fn named_below(root: &Path, tests: Vec<TestCase>) -> anyhow::Result<Vec<TestCase>> {
    let named = |test: TestCase| {
        let path = test.input.as_deref().unwrap_or(root);
        ensure_inside(root, path)?;
        let name = path.strip_prefix(root).unwrap_or(path).to_string_lossy();
        Ok(TestCase { name: name.strip_suffix(".in").unwrap_or(&name).to_owned(), ..test })
    };
    tests.into_iter().map(named).collect()
}

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

/// Returns whether a file of this name is a header, which is compiled as a part of the sources beside it.
pub(crate) fn is_header(name: &str) -> bool {
    [".h", ".hpp"].iter().any(|end| name.ends_with(end))
}
