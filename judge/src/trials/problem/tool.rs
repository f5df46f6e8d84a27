//! The generator and the validator of a problem: programs that run without a bot.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use itertools::Itertools;
use runner::children::{self, Started};
use runner::event::Exit;
use runner::interrupt::interrupted;
use runner::limits::STDERR_SHOWN;
use runner::stderr_excerpt::StderrExcerpt;
use runner::stderr_excerpt::shown_lines;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::trials::problem::package::PackageTest;
use crate::units::{in_mib, in_ms};

/// Maximum size of a program's stdout, in bytes.
pub(crate) const MAX_OUTPUT: usize = 32 << 20;

/// Number of bytes of stderr after which [`run`] pauses reading stderr, so that its other checks are not delayed.
const MAX_IN_TURN: usize = 1 << 20;

/// Time between two checks whether the program has ended, if the program prints nothing.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

pub(crate) struct ToolOutput {
    pub(crate) stdout: Vec<u8>,
    stderr: StderrExcerpt,
    pub(crate) exit: Exit,
}

impl ToolOutput {
    /// Returns how the program ended, and the end of what it wrote to stderr.
    pub(crate) fn shown_end(&self) -> String {
        /// Maximum number of lines that are shown.
        const MAX_LINES: usize = 5;
        let lines = shown_lines(&self.stderr);
        let last = lines[lines.len().saturating_sub(MAX_LINES)..].iter().join(" | ");
        let stderr =
            if last.is_empty() { String::new() } else { format!("; its last lines on stderr: {last}") };
        format!("it {}{stderr}", self.exit)
    }
}

/// A running program. Dropping it ends all processes of its group.
struct Running {
    child: Child,
    _started: Started,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // Nobody has reaped the process, so the number of its group is not in use again.
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        let _ = self.child.wait();
    }
}

impl Running {
    fn start(command: &[OsString], stdin: Stdio) -> anyhow::Result<Self> {
        let (program, args) = command.split_first().context("expected a command")?;
        let mut started = Command::new(program);
        started.args(args).stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let not_started = || format!("{} could not be started", program.display());
        let (mut child, registered) = children::spawn(&mut started).with_context(not_started)?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let running = Self { child, _started: registered, stdout, stderr };
        for pipe in running.pipes() {
            rustix::io::ioctl_fionbio(pipe, true).context("the pipes cannot be made non-blocking")?;
        }
        Ok(running)
    }

    fn pipes(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        let stdout = self.stdout.as_ref().map(AsFd::as_fd);
        stdout.into_iter().chain(self.stderr.as_ref().map(AsFd::as_fd))
    }

    /// Waits at most [`POLL_INTERVAL`] for output or for the end of a pipe.
    fn wait_for_output(&self) -> io::Result<()> {
        let mut pipes: Vec<PollFd<'_>> =
            self.pipes().map(|pipe| PollFd::from_borrowed_fd(pipe, PollFlags::IN)).collect();
        let timeout = Timespec::try_from(POLL_INTERVAL).map_err(io::Error::other)?;
        match poll(&mut pipes, Some(&timeout)) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn exit(&self) -> io::Result<Option<Exit>> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let status = waitid(WaitId::Pid(Pid::from_child(&self.child)), options)?;
        Ok(status.map(|status| match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => Exit::Code(code),
            (None, signal) => Exit::Signal(signal.unwrap_or(0)),
        }))
    }
}

/// Reads what is in the pipe, and passes it to `take` until `take` returns false. A pipe at its end becomes `None`.
fn read<P: Read>(pipe: &mut Option<P>, mut take: impl FnMut(&[u8]) -> bool) -> io::Result<()> {
    let mut buffer = vec![0; 1 << 16];
    while let Some(open) = pipe {
        match open.read(&mut buffer) {
            Ok(0) => *pipe = None,
            Ok(length) if take(&buffer[..length]) => {}
            Ok(_) => break,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Runs a program to its end. It is an error if it cannot be started, runs longer than `wall`, or prints too much, or if
/// the judge is interrupted.
pub(crate) fn run(command: &[OsString], stdin: Stdio, wall: Duration) -> anyhow::Result<ToolOutput> {
    let mut running = Running::start(command, stdin)?;
    let deadline = Instant::now() + wall;
    let mut stdout = Vec::new();
    let mut stderr = StderrExcerpt::new(STDERR_SHOWN, STDERR_SHOWN);
    loop {
        running.wait_for_output()?;
        // Check for the end before reading the pipes: the pipes then have everything that the process wrote before its
        // end.
        let exit = running.exit()?;
        read(&mut running.stdout, |bytes| {
            stdout.extend(bytes);
            stdout.len() <= MAX_OUTPUT
        })?;
        let mut in_turn = 0;
        read(&mut running.stderr, |bytes| {
            stderr.extend(bytes);
            in_turn += bytes.len();
            in_turn < MAX_IN_TURN
        })?;
        ensure!(stdout.len() <= MAX_OUTPUT, "it printed more than {}", in_mib(MAX_OUTPUT as u64));
        ensure!(!interrupted(), "interrupted");
        if let Some(exit) = exit {
            return Ok(ToolOutput { stdout, stderr, exit });
        }
        ensure!(Instant::now() < deadline, "it did not end within {}", in_ms(wall));
    }
}

/// The command that prints an input, which a package does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Generation {
    /// The source of the generator.
    pub(crate) generator: PathBuf,
    pub(crate) args: Vec<OsString>,
}

impl Generation {
    /// Makes the input of `test`. `generator` is the command that starts the generator, which may run for `wall`.
    pub(crate) fn make(
        &self,
        test: &PackageTest,
        generator: &[OsString],
        wall: Duration,
    ) -> anyhow::Result<()> {
        let made = || -> anyhow::Result<()> {
            let output = run(&[generator, &self.args].concat(), Stdio::null(), wall)?;
            ensure!(output.exit == Exit::Code(0), "{}", output.shown_end());
            Ok(fs::write(&test.input.path, output.stdout)?)
        };
        made().with_context(|| format!("{}: the generator {} failed", test.name, self.generator.display()))
    }
}
