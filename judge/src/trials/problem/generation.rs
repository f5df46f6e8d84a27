//! Inputs that a package does not have, but whose generators it has.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, ensure};
use runner::event::Exit;

use crate::trials::problem::package::PackageTest;
use crate::trials::problem::tool;

/// The command that prints an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Generation {
    /// The source of the generator.
    pub(crate) generator: PathBuf,
    pub(crate) args: Vec<OsString>,
}

impl Generation {
    /// Makes the input of `test`. `generator` is the command that starts the generator, which may run for `wall`.
    ///
    /// # Errors
    ///
    /// If the generator fails, or if the input cannot be written.
    pub(crate) fn make(
        &self,
        test: &PackageTest,
        generator: &[OsString],
        wall: Duration,
    ) -> anyhow::Result<()> {
        let made = || -> anyhow::Result<()> {
            let output = tool::run(&[generator, &self.args].concat(), Stdio::null(), wall)?;
            ensure!(output.exit == Exit::Code(0), "{}", output.shown_end());
            Ok(fs::write(&test.input.path, output.stdout)?)
        };
        let name = || format!("{}: the generator {} failed", test.name, self.generator.display());
        made().with_context(name)
    }
}
