//! The generator and the validator of a problem: programs that run without a bot.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use itertools::Itertools;
use runner::children::OwnChild;
use runner::event::Exit;
use runner::interrupt::interrupted;
use runner::stderr_excerpt::{StderrExcerpt, shown_lines};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::units::{in_mib, in_ms};

/// Maximum size of a program's stdout, and of its stderr, in bytes.
const MAX_OUTPUT: u64 = 32 << 20;

/// Maximum time between two checks whether the program has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

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

/// A running program. Dropping it ends all processes of its group.
struct ProcessGroup(OwnChild);

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        // Nobody has reaped the process, so the number of its group is not in use again.
        let _ = kill_process_group(Pid::from_child(&self.0.0), Signal::KILL);
        let _ = self.0.0.wait();
    }
}

/// Runs a program to its end. It is an error if it cannot be started, runs longer than `wall`, or prints too much, or if
/// the judge is interrupted.
pub(crate) fn run(command: &[OsString], stdin: Stdio, wall: Duration) -> anyhow::Result<ToolOutput> {
    let (program, args) = command.split_first().context("expected a command")?;
    // Files instead of pipes: they end with the program, even if another process keeps them open.
    let outputs = || -> anyhow::Result<_> { Ok((tempfile::tempfile()?, tempfile::tempfile()?)) };
    let (stdout, stderr) = outputs().context("files for the output cannot be made")?;
    let mut started = Command::new(program);
    started.args(args).stdin(stdin).stdout(stdout.try_clone()?).stderr(stderr.try_clone()?).process_group(0);
    let not_started = || format!("{} could not be started", program.display());
    let running = ProcessGroup(OwnChild::spawn(&mut started).with_context(not_started)?);
    let begin = Instant::now();
    let exit = loop {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(Pid::from_child(&running.0.0)), options)?;
        for output in [&stdout, &stderr] {
            ensure!(output.metadata()?.len() <= MAX_OUTPUT, "it printed more than {}", in_mib(MAX_OUTPUT));
        }
        ensure!(!interrupted(), "interrupted");
        if let Some(status) = status {
            break Exit::from(&status);
        }
        ensure!(begin.elapsed() < wall, "it did not end within {}", in_ms(wall));
        // Most programs end soon, so the first checks are close to each other.
        thread::sleep((begin.elapsed() / 8).min(POLL_INTERVAL));
    };
    drop(running);
    let contents = |mut file: File| -> io::Result<Vec<u8>> {
        let mut contents = Vec::new();
        file.rewind()?;
        file.read_to_end(&mut contents)?;
        Ok(contents)
    };
    let mut excerpt = StderrExcerpt::default();
    excerpt.extend(&contents(stderr)?);
    Ok(ToolOutput { stdout: contents(stdout)?, stderr: excerpt, exit })
}

/// Runs a generator, and returns what it printed. It is an error if it fails.
pub(crate) fn generate(command: &[OsString], wall: Duration) -> anyhow::Result<Vec<u8>> {
    let output = run(command, Stdio::null(), wall)?;
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
