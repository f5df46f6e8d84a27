//! The generator and the validator of a problem: programs that run without a bot.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::ensure;
use itertools::Itertools;
use runner::event::Exit;
use runner::limits::{Limits, LimitsBy};
use runner::stderr_excerpt::{StderrExcerpt, shown_lines};
use runner::to_end::{Ended, ProgramOutput};
use runner::warden::{Confinement, Warden};

/// Starts the warden of generators and validators. It runs one after the other.
pub(crate) fn warden(limits: Limits, limits_by: LimitsBy) -> anyhow::Result<Warden> {
    Warden::start("the generator", &Confinement { limits, limits_by, ..Confinement::default() })
}

/// Runs a program to its end. It is an error if it cannot be started, runs too long or prints too much, or if the judge is
/// interrupted.
pub(crate) fn run(
    warden: &Warden,
    command: &[OsString],
    input: &[u8],
    limits: Limits,
) -> anyhow::Result<ProgramOutput> {
    let finished = warden.run_to_end(command, input, limits)?;
    ensure!(matches!(finished.ended, Ended::Exited(_)), "it {}", finished.ended);
    Ok(finished)
}

/// Returns how a program ended, and the end of what it wrote to stderr.
pub(crate) fn shown_end(ProgramOutput { ended, stderr, .. }: &ProgramOutput) -> String {
    const MAX_LINES: usize = 5;
    let mut excerpt = StderrExcerpt::default();
    excerpt.extend(stderr);
    let lines = shown_lines(&excerpt);
    let last = lines[lines.len().saturating_sub(MAX_LINES)..].iter().join(" | ");
    let stderr = if last.is_empty() { String::new() } else { format!("; its last lines on stderr: {last}") };
    format!("it {ended}{stderr}")
}

/// Runs a generator, and returns what it printed. It is an error if it fails.
pub(crate) fn generate(warden: &Warden, command: &[OsString], limits: Limits) -> anyhow::Result<Vec<u8>> {
    let finished = run(warden, command, &[], limits)?;
    ensure!(finished.ended == Ended::Exited(Exit::Code(0)), "{}", shown_end(&finished));
    Ok(finished.stdout)
}

/// The command that prints an input, which a package does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Generation {
    /// The source of the generator.
    pub(crate) generator: PathBuf,
    pub(crate) args: Vec<OsString>,
}
