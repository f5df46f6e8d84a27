//! The tests of a problem.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::referee::interactor::style::TestCase;
use crate::trials::problem::inputs;
use crate::trials::problem::inputs::Input;
use crate::trials::problem::package::{Package, PackageTest};
use crate::trials::problem::patterns::matches_with_parents;

/// One run: an input, if the problem has inputs, and a seed.
#[derive(Clone, Debug)]
pub(crate) struct Test {
    /// The input's name in a report.
    pub(crate) name: String,
    pub(crate) input: Option<Input>,
    /// For a test of a package: the path of the input, beginning with the package's folder as it was typed.
    pub(crate) typed_input: Option<PathBuf>,
    pub(crate) seed: u64,
    /// Additional arguments of the interactor, and of the bot.
    pub(crate) args: Vec<OsString>,
    pub(crate) bot_args: Vec<OsString>,
    /// The words of the command of this test's interactor, if it is not that of all tests.
    pub(crate) interactor: Option<Vec<OsString>>,
}

/// Returns whether an argument names a test of a package, or a group with the test: by the path below `data`, or by the
/// rest of this path after `sample` or `secret`. The argument may be a pattern, but not the path of an existing file.
fn is_named(test: &PackageTest, argument: &Path) -> bool {
    let Some(pattern) = argument.to_str().filter(|_| !argument.exists()) else { return false };
    let pattern = pattern.strip_prefix("data/").unwrap_or(pattern).trim_end_matches('/');
    let pattern = pattern.strip_suffix(".in").unwrap_or(pattern);
    let rest = test.name.split_once('/').map_or("", |(_, rest)| rest);
    [&test.name, rest].iter().any(|name| matches_with_parents(pattern, name))
}

impl Test {
    pub(crate) fn case(&self) -> TestCase {
        TestCase {
            input: self.input.as_ref().map(|input| input.path.clone()),
            answer: self.input.as_ref().and_then(|input| input.answer.clone()),
            seed: self.seed,
            args: self.args.clone(),
            bot_args: self.bot_args.clone(),
            interactor: self.interactor.clone(),
        }
    }

    /// Creates a test without additional arguments. Its name is the path of its input.
    pub(crate) fn new(input: Option<Input>, seed: u64) -> Self {
        let name = match &input {
            Some(input) => input.path.to_string_lossy().into_owned(),
            None => "without input".to_owned(),
        };
        let (args, bot_args) = (Vec::new(), Vec::new());
        Self { name, input, typed_input: None, seed, args, bot_args, interactor: None }
    }

    pub(crate) fn shown_input(&self) -> Option<&Path> {
        let path = || self.input.as_ref().map(|input| &*input.path);
        self.typed_input.as_deref().or_else(path)
    }

    /// Returns a test for each input that the arguments name. Without an argument, returns one test without an input.
    pub(crate) fn of_inputs(arguments: &[PathBuf]) -> anyhow::Result<Vec<Self>> {
        let inputs: Vec<Option<Input>> = match arguments {
            [] => vec![None],
            arguments => inputs::find(arguments)?.into_iter().map(Some).collect(),
        };
        Ok(inputs.into_iter().map(|input| Self::new(input, 0)).collect())
    }

    /// Returns the tests of a package, or those of its tests whose names or inputs are among the arguments. An input
    /// that is no test of the package, such as a generated one, is a test of its own. Interactors of single tests are
    /// still to be set.
    pub(crate) fn of_package(package: &Package, arguments: &[PathBuf]) -> anyhow::Result<Vec<Self>> {
        let all = || package.tests.iter();
        // A path in a temporary folder, into which an archive is unpacked, is of no use in a later command.
        let typed = |test: &PackageTest| match test.input.path.strip_prefix(&package.root) {
            Ok(inside) if package.folder.is_dir() => package.folder.join(inside),
            _ => PathBuf::from(&test.name),
        };
        let of_test = |test: &PackageTest| Self {
            name: test.name.clone(),
            typed_input: Some(typed(test)),
            args: test.args.clone(),
            bot_args: test.bot_args.clone(),
            ..Self::new(Some(test.input.clone()), 0)
        };
        if arguments.is_empty() {
            return Ok(all().map(of_test).collect());
        }
        let is_name = |argument: &&PathBuf| all().any(|test| is_named(test, argument));
        let (names, paths): (Vec<&PathBuf>, Vec<&PathBuf>) = arguments.iter().partition(is_name);
        let named = all().filter(|test| names.iter().any(|name| is_named(test, name)));
        let mut chosen: Vec<Self> = named.map(of_test).collect();
        let paths: Vec<PathBuf> = paths.into_iter().cloned().collect();
        for input in inputs::find(&paths)? {
            chosen.push(match package.test_of(&input.path)? {
                Some(test) => of_test(test),
                None => Self { args: package.args.clone(), ..Self::new(Some(input), 0) },
            });
        }
        Ok(chosen)
    }
}
