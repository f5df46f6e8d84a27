//! The tests of a problem.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::Context;
use glob::Pattern;

use crate::referee::interactor::style::TestCase;
use crate::trials::problem::inputs;
use crate::trials::problem::inputs::Input;
use crate::trials::problem::package::{Package, PackageTest};

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
}

impl Test {
    pub(crate) fn case(&self) -> TestCase {
        TestCase {
            input: self.input.as_ref().map(|input| input.path.clone()),
            answer: self.input.as_ref().and_then(|input| input.answer.clone()),
            seed: self.seed,
            args: self.args.clone(),
            bot_args: self.bot_args.clone(),
        }
    }

    /// Creates a test without additional arguments. Its name is the path of its input.
    pub(crate) fn new(input: Option<Input>, seed: u64) -> Self {
        let name = match &input {
            Some(input) => input.path.to_string_lossy().into_owned(),
            None => "without input".to_owned(),
        };
        Self { name, input, typed_input: None, seed, args: Vec::new(), bot_args: Vec::new() }
    }

    /// Returns the path of the input for reports and commands.
    pub(crate) fn shown_input(&self) -> Option<&Path> {
        let path = || self.input.as_ref().map(|input| &*input.path);
        self.typed_input.as_deref().or_else(path)
    }

    /// Returns a test for each input that the arguments name. Without an argument, returns one test without an input.
    ///
    /// # Errors
    ///
    /// If an argument names no input.
    pub(crate) fn of_inputs(arguments: &[PathBuf]) -> anyhow::Result<Vec<Self>> {
        let inputs: Vec<Option<Input>> = match arguments {
            [] => vec![None],
            arguments => inputs::find(arguments)?.into_iter().map(Some).collect(),
        };
        Ok(inputs.into_iter().map(|input| Self::new(input, 0)).collect())
    }

    /// Returns the tests of a package, or those of its tests whose inputs are among the arguments, or whose names match
    /// an argument such as `secret/*`.
    ///
    /// # Errors
    ///
    /// If an argument names no input of the package.
    pub(crate) fn of_package(package: &Package, arguments: &[PathBuf]) -> anyhow::Result<Vec<Self>> {
        let all = || package.tests.iter();
        let chosen: Vec<&PackageTest> = match arguments {
            [] => all().collect(),
            arguments => {
                let names_test = |name: &Pattern| all().any(|test| name.matches(&test.name));
                let (mut names, mut paths) = (Vec::new(), Vec::new());
                for argument in arguments {
                    let name = argument.to_str().and_then(|text| Pattern::new(text).ok()).filter(names_test);
                    match name {
                        Some(name) => names.push(name),
                        None => paths.push(argument.clone()),
                    }
                }
                let mut chosen: Vec<&PackageTest> =
                    all().filter(|test| names.iter().any(|name| name.matches(&test.name))).collect();
                for input in inputs::find(&paths)? {
                    let test = package.test_of(&input.path)?.with_context(|| {
                        format!(
                            "--input {}: expected an input of the package {}, found another file",
                            input.path.display(),
                            package.folder.display()
                        )
                    })?;
                    chosen.push(test);
                }
                chosen
            }
        };
        let typed = |path: &Path| {
            let inside = path.strip_prefix(&package.root);
            inside.map_or_else(|_| path.to_owned(), |inside| package.folder.join(inside))
        };
        let test = |test: &PackageTest| Self {
            name: test.name.clone(),
            input: Some(test.input.clone()),
            typed_input: Some(typed(&test.input.path)),
            seed: 0,
            args: test.args.clone(),
            bot_args: test.bot_args.clone(),
        };
        Ok(chosen.into_iter().map(test).collect())
    }
}
