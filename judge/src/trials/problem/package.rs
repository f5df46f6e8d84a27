//! A problem package: what the readers of all formats find in its files.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, ensure};
use runner::message::print_error;
use tempfile::TempDir;

use crate::referee::interactor::passes::Passes;
use crate::referee::interactor::seats::Seats;
use crate::referee::interactor::style::{Style, TestCase};
use crate::trials::problem::constants::Constants;
use crate::trials::problem::expected::{Expected, OutcomeRule, TestOutcome, matches_with_parents};
use crate::trials::problem::grading::Graders;
use crate::trials::problem::inputs;
use crate::trials::problem::limits::PackageLimits;
use crate::trials::problem::submissions::Submission;
use crate::trials::problem::tool::Generation;

#[derive(Debug)]
pub(crate) struct Package {
    /// The folder or the zip archive as it was typed.
    pub(crate) folder: PathBuf,
    /// The folder with the files: the typed one, or that into which the archive is unpacked.
    pub(crate) root: PathBuf,
    /// The folders in which a file that the package names is looked for, one after the other.
    pub(crate) places: Vec<PathBuf>,
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
    pub(crate) generations: HashMap<PathBuf, Generation>,
    /// The interactors of the tests that have one of their own, by the paths of the inputs.
    pub(crate) interactors: HashMap<PathBuf, PathBuf>,
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

/// Returns the path of a file below a folder; `None` if it is elsewhere. The paths may be relative.
fn below(path: &Path, folder: &Path) -> Option<PathBuf> {
    let (path, folder) = (std::path::absolute(path).ok()?, std::path::absolute(folder).ok()?);
    path.strip_prefix(folder).ok().map(Path::to_owned)
}

/// Maximum number of tests of a package whose file lists them.
pub(crate) const MAX_TESTS: u64 = 10_000;

impl Package {
    /// Returns what a package has if its reader sets nothing else: no tests, no programs, and an interactor in the style
    /// testlib that the bot talks with once. `folder` is the folder as it was typed.
    pub(crate) fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            root: folder.to_owned(),
            places: vec![folder.to_owned()],
            passes: Passes::ONE,
            seats: Seats::ONE,
            validator: None,
            style: Style::Testlib,
            unbuffers_interactor: false,
            checker: None,
            limits: PackageLimits::default(),
            constants: Constants::default(),
            tests: Vec::new(),
            generations: HashMap::new(),
            interactors: HashMap::new(),
            args: Vec::new(),
            is_legacy: true,
            graders: None,
            solutions: Some(Vec::new()),
            unpacked: Vec::new(),
        }
    }

    /// Returns the path of a file that the package names.
    pub(crate) fn file(&self, name: &str) -> anyhow::Result<PathBuf> {
        self.find_file(name)?.with_context(|| format!("expected the file {name}, found none"))
    }

    /// Returns the path of a file that the package names; `None` if there is no such file.
    pub(crate) fn find_file(&self, name: &str) -> anyhow::Result<Option<PathBuf>> {
        let path = self.places.iter().map(|place| place.join(name)).find(|path| path.is_file());
        path.iter().try_for_each(|path| self.ensure_inside(path))?;
        Ok(path)
    }

    /// Checks that a file of the package is not a link to a file elsewhere, because other systems do not get that file.
    pub(crate) fn ensure_inside(&self, path: &Path) -> anyhow::Result<()> {
        let target = path.canonicalize().with_context(|| format!("{} cannot be read", path.display()))?;
        let mut folders = [&*self.root].into_iter().chain(self.unpacked.iter().map(TempDir::path));
        ensure!(
            folders.any(|folder| folder.canonicalize().is_ok_and(|folder| target.starts_with(folder))),
            "{}: expected a file of the package, found a link to {}",
            path.display(),
            target.display()
        );
        Ok(())
    }

    /// Names a test by the path of its input in the package, without `.in`, if the input is in the package.
    pub(crate) fn named(&self, test: TestCase) -> anyhow::Result<TestCase> {
        let input = test.input.as_deref().unwrap_or(Path::new(""));
        let mut folders = [&self.root].into_iter().chain(&self.places);
        let Some(inside) = folders.find_map(|folder| below(input, folder)) else { return Ok(test) };
        self.ensure_inside(input)?;
        let name = inside.to_string_lossy();
        let name = name.strip_suffix(".in").unwrap_or(&name).to_owned();
        Ok(TestCase { name, ..test })
    }

    /// Adds the solution in the file or the folder `path`, with what it promises and with limits of its own. Warns if it
    /// promises an outcome that the judge cannot check, which is the error; then the solution is not run.
    pub(crate) fn add_solution(
        &mut self,
        path: &Path,
        promised: Result<Vec<OutcomeRule>, &str>,
        limits: (Option<Duration>, Option<u64>),
    ) -> anyhow::Result<()> {
        match promised {
            Ok(rules) => {
                self.ensure_inside(path)?;
                let name = below(path, &self.root).unwrap_or_else(|| path.to_owned());
                let name = name.to_string_lossy().into_owned();
                let is_accepted = rules.first() == Some(&OutcomeRule::promising(&[TestOutcome::Accepted]));
                let (path, expected) = (path.to_owned(), Expected::of_rules(rules));
                let solution = Submission { name, path, is_accepted, expected, limits };
                self.solutions.get_or_insert_default().push(solution);
            }
            Err(outcome) => print_error(format_args!(
                "{} is not run: the judge cannot check the outcome {outcome:?}",
                path.display()
            )),
        }
        Ok(())
    }

    /// Returns the tests, or those of them whose names or inputs are among the arguments. An input that is no test of
    /// the package, such as a generated one, is a test of its own. Interactors of single tests are still to be set.
    pub(crate) fn chosen_tests(&self, arguments: &[PathBuf]) -> anyhow::Result<Vec<TestCase>> {
        // A path in a temporary folder, into which an archive is unpacked, is of no use in a later command.
        let with_typed = |test: &TestCase| {
            let is_in_folder = test.input.as_ref().is_some_and(|input| below(input, &self.folder).is_some());
            TestCase { typed_input: (!is_in_folder).then(|| (&test.name).into()), ..test.clone() }
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

    /// Returns the path of the submission that is named by its path, or else by a name such as `accepted/a.py`.
    pub(crate) fn submission(&self, name: &Path) -> Option<PathBuf> {
        let submissions = self.root.join("submissions");
        if let Ok(path) = name.canonicalize() {
            let is_inside = submissions.canonicalize().is_ok_and(|submissions| path.starts_with(submissions));
            return is_inside.then(|| name.to_owned());
        }
        if let Some(solutions) = &self.solutions {
            let named = solutions.iter().find(|solution| Path::new(&solution.name) == name);
            return named.map(|solution| solution.path.clone());
        }
        let is_below = name.components().all(|part| matches!(part, Component::Normal(_)));
        Some(submissions.join(name)).filter(|path| is_below && path.exists())
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

/// Returns whether a file of this name is a header, which is compiled as a part of the sources beside it.
pub(crate) fn is_header(name: &str) -> bool {
    [".h", ".hpp"].iter().any(|end| name.ends_with(end))
}
