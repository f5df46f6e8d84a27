//! The generator and the validator of a problem: programs that run without a bot.

use std::cell::Cell;
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use itertools::Itertools;
use runner::Bot;
use runner::bot_process::Process;
use runner::event::{Event, Exit};
use runner::limits::LimitsBy;
use runner::stderr_excerpt::{StderrExcerpt, shown_lines};
use runner::warden::{Confinement, Warden};

use crate::conversation::facts::ProgramRecord;
use crate::referee::interactor::style::by_script;
use crate::units::{in_mib, in_ms};

/// Maximum size of a program's stdout, in bytes.
const MAX_OUTPUT: u64 = 32 << 20;

pub(crate) struct ToolOutput {
    stdout: Vec<u8>,
    stderr: StderrExcerpt,
    pub(crate) exit: Exit,
}

impl ToolOutput {
    /// Returns how the program ended, and the end of what it wrote to stderr.
    pub(crate) fn shown_end(&self) -> String {
        const MAX_LINES: usize = 5;
        let lines = shown_lines(&self.stderr);
        let last = lines[lines.len().saturating_sub(MAX_LINES)..].iter().join(" | ");
        let stderr =
            if last.is_empty() { String::new() } else { format!("; its last lines on stderr: {last}") };
        format!("it {}{stderr}", self.exit)
    }
}

thread_local! {
    /// The warden of the last program that this thread has run. To start another one may take longer than the program.
    static WARDEN: Cell<Option<Warden>> = const { Cell::new(None) };
}

/// Runs a program to its end, with the file `input` as its stdin. It is an error if it cannot be started, runs longer than
/// `wall`, or prints too much, or if the judge is interrupted.
pub(crate) fn run(command: &[OsString], input: &Path, wall: Duration) -> anyhow::Result<ToolOutput> {
    // A file instead of a pipe, because the judge reads only the first lines of a program that it ends. The limit on the
    // size of a file is in blocks of 512 bytes.
    let mut stdout = tempfile::NamedTempFile::new().context("a file for the output cannot be made")?;
    let script = format!(
        r#"ulimit -f {} 2>/dev/null; input=$1; shift; exec "$@" <"$input" >"$0""#,
        MAX_OUTPUT / 512 + 1
    );
    let command = by_script(&[&[input.into()], command].concat(), stdout.path().into(), &script);
    let confinement = Confinement { limits_by: LimitsBy::Proc, ..Confinement::default() };
    let warden = WARDEN.take().map_or_else(|| Warden::start("the program", &confinement), Ok)?;
    warden.begin_start(&command)?;
    let ProgramRecord { exit, stderr, .. } = end(warden.spawn()?, wall)?;
    WARDEN.set(Some(warden));
    let mut printed = Vec::new();
    stdout.read_to_end(&mut printed).context("the output cannot be read")?;
    ensure!(printed.len() as u64 <= MAX_OUTPUT, "it printed more than {}", in_mib(MAX_OUTPUT));
    let exit = exit.with_context(|| format!("it did not end within {}", in_ms(wall)))?;
    Ok(ToolOutput { stdout: printed, stderr, exit })
}

/// Waits at most `wall` for the end of a program. Without an exit, the judge has ended it.
pub(crate) fn end(mut program: Process, wall: Duration) -> anyhow::Result<ProgramRecord> {
    let mut record = ProgramRecord::default();
    for timed in program.end(wall) {
        match timed.event {
            Event::Interrupted => bail!("interrupted"),
            Event::Failed { why } => bail!(why),
            event => record.note(&event),
        }
    }
    Ok(record)
}

/// Runs a generator, and returns what it printed. It is an error if it fails.
pub(crate) fn generate(command: &[OsString], wall: Duration) -> anyhow::Result<Vec<u8>> {
    let output = run(command, Path::new("/dev/null"), wall)?;
    ensure!(output.exit == Exit::Code(0), "{}", output.shown_end());
    Ok(output.stdout)
}

/// The command that prints an input, which a package does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Generation {
    /// The source of the generator.
    pub(crate) generator: PathBuf,
    pub(crate) args: Vec<OsString>,
}
