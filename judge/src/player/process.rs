//! A bot as a process: pipes that never block the judge, and an end that leaves nothing running.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::idleness::{Idleness, Sleep};
use super::{Bot, Goodbye, LINE_LIMIT, OUTPUT_LIMIT, Silence};
use crate::interrupt::{self, interrupted};

/// How much of the bot's stderr is kept.
const STDERR_KEPT: usize = 64 << 10;

/// How often a wait looks up from the pipes: for Ctrl-C, and where no pipe tells it, for the exit.
const GLANCE: Duration = Duration::from_millis(20);

/// A running bot and its three pipes, all watched together.
pub(crate) struct Process {
    child: Child,
    pid: Pid,
    /// Readable once the process has ended, where the system has such a thing.
    exit: Option<OwnedFd>,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    /// What the bot has yet to read.
    outgoing: VecDeque<u8>,
    /// What it has said beyond the last line taken.
    incoming: VecDeque<u8>,
    /// How many bytes at the start of `incoming` are known to hold no line end.
    searched: usize,
    /// How many bytes it has said in all, and the last line of them that was taken.
    said: usize,
    last_line: Vec<u8>,
    /// How many bytes it has been told in all, and the last line of them.
    sent: usize,
    last_sent: String,
    last_words: VecDeque<u8>,
    /// The first of what it has said after the end.
    extra: Vec<u8>,
    /// Whether the system has been told that the process is done with.
    reaped: bool,
}

impl Process {
    /// Starts the program in a process group of its own.
    pub(crate) fn spawn(command: &[OsString]) -> anyhow::Result<Self> {
        let (program, args) = command.split_first().context("expected the bot's command")?;
        let mut child = Command::new(program)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .with_context(|| format!("the bot {} could not be started", program.display()))?;
        let pid = Pid::from_child(&child);
        let process = Self {
            pid,
            exit: exit_fd(pid),
            stdin: child.stdin.take(),
            stdout: child.stdout.take(),
            stderr: child.stderr.take(),
            child,
            outgoing: VecDeque::new(),
            incoming: VecDeque::new(),
            searched: 0,
            said: 0,
            last_line: Vec::new(),
            sent: 0,
            last_sent: String::new(),
            last_words: VecDeque::new(),
            extra: Vec::new(),
            reaped: false,
        };
        interrupt::remember(pid);
        let pipes = [
            process.stdin.as_ref().map(AsFd::as_fd),
            process.stdout.as_ref().map(AsFd::as_fd),
            process.stderr.as_ref().map(AsFd::as_fd),
        ];
        for pipe in pipes.into_iter().flatten() {
            rustix::io::ioctl_fionbio(pipe, true).context("the bot's pipes cannot be made non-blocking")?;
        }
        Ok(process)
    }

    /// A line that has come in whole; at the end of the output its last line needs no LF.
    fn take_line(&mut self) -> Option<Vec<u8>> {
        let end = self.incoming.iter().skip(self.searched).position(|&byte| byte == b'\n');
        let Some(end) = end.map(|end| self.searched + end) else {
            self.searched = self.incoming.len();
            let last = self.stdout.is_none() && self.searched > 0;
            self.searched *= usize::from(!last);
            return last.then(|| self.incoming.drain(..).collect());
        };
        self.searched = 0;
        let mut line: Vec<u8> = self.incoming.drain(..=end).collect();
        line.pop();
        Some(line)
    }

    /// Waits until a pipe moves, `patience` at most, and moves what can be moved.
    fn pump(&mut self, patience: Duration) -> io::Result<()> {
        let mut fds = Vec::with_capacity(4);
        if let Some(stdin) = self.stdin.as_ref().filter(|_| !self.outgoing.is_empty()) {
            fds.push(PollFd::new(stdin, PollFlags::OUT));
        }
        fds.extend(self.stdout.as_ref().map(|stdout| PollFd::new(stdout, PollFlags::IN)));
        fds.extend(self.stderr.as_ref().map(|stderr| PollFd::new(stderr, PollFlags::IN)));
        fds.extend(self.exit.as_ref().map(|exit| PollFd::new(exit, PollFlags::IN)));
        let timeout = Timespec::try_from(patience).map_err(io::Error::other)?;
        match poll(&mut fds, Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        self.write();
        self.said += read(&mut self.stdout, &mut self.incoming)?;
        read(&mut self.stderr, &mut self.last_words)?;
        let excess = self.last_words.len().saturating_sub(STDERR_KEPT);
        self.last_words.drain(..excess);
        Ok(())
    }

    /// Writes what the pipe takes. A bot that no longer reads may still have won: no error here.
    fn write(&mut self) {
        while let (Some(stdin), false) = (&mut self.stdin, self.outgoing.is_empty()) {
            match stdin.write(self.outgoing.as_slices().0) {
                Ok(written) => drop(self.outgoing.drain(..written)),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => self.stdin = None,
            }
        }
    }

    /// What the bot is doing while its line is due.
    fn idleness(&self) -> Idleness {
        Idleness {
            process: Sleep::of(self.pid),
            sent: self.sent,
            last_sent: self.last_sent.clone(),
            unread: self.outgoing.len(),
            received: self.said,
            last_received: self.last_line.clone(),
            unfinished: self.incoming.iter().copied().collect(),
        }
    }

    /// Whether the process has ended; it is not reaped, so its process group keeps its number.
    fn has_exited(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(self.pid), options).is_ok_and(|status| status.is_some())
    }

    /// Ends the whole process group; those already gone are no error.
    fn kill(&self) {
        let _ = kill_process_group(self.pid, Signal::KILL);
    }

    /// Drops what the bot says when it is no longer listened to, but for the first of it.
    fn drop_output(&mut self) {
        let room = LINE_LIMIT.saturating_sub(self.extra.len()).min(self.incoming.len());
        self.extra.extend(self.incoming.drain(..room));
        self.incoming.clear();
    }

    /// Waits for the exit until the deadline; what the bot prints meanwhile is dropped.
    fn wait(&mut self, deadline: Instant) -> bool {
        loop {
            if self.outgoing.is_empty() {
                // It has been told everything.
                self.stdin = None;
            }
            self.drop_output();
            let exited = self.has_exited();
            let left = deadline.saturating_duration_since(Instant::now());
            if exited || left.is_zero() || interrupted() {
                return exited;
            }
            if self.pump(left.min(GLANCE)).is_err() {
                return false;
            }
        }
    }
}

impl Bot for Process {
    fn say(&mut self, line: &str) {
        self.outgoing.extend(line.bytes());
        self.outgoing.push_back(b'\n');
        self.sent += line.len() + 1;
        line.clone_into(&mut self.last_sent);
        self.write();
    }

    fn line(&mut self, budget: &mut Duration) -> Result<Vec<u8>, Silence> {
        let start = Instant::now();
        let deadline = start + *budget;
        let mut exited = false;
        let line = loop {
            if let Some(line) = self.take_line() {
                line.clone_into(&mut self.last_line);
                break if line.len() > LINE_LIMIT { Err(Silence::TooLong) } else { Ok(line) };
            }
            if self.incoming.len() > LINE_LIMIT {
                break Err(Silence::TooLong);
            }
            if self.said > OUTPUT_LIMIT {
                break Err(Silence::TooMuch);
            }
            if self.stdout.is_none() {
                break Err(Silence::Gone);
            }
            if exited {
                // It was gone before the last look into the pipe, which somebody else holds open.
                self.stdout = None;
                continue;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break Err(Silence::TimedOut(Box::new(self.idleness())));
            }
            if interrupted() {
                break Err(Silence::Interrupted);
            }
            exited = self.has_exited();
            let patience = if exited { Duration::ZERO } else { left.min(GLANCE) };
            if let Err(error) = self.pump(patience) {
                break Err(Silence::Failed(error));
            }
        };
        *budget = budget.saturating_sub(start.elapsed());
        line
    }

    fn end(&mut self, grace: Duration) -> Goodbye {
        let ended = self.wait(Instant::now() + grace);
        self.kill();
        let status = self.child.wait().ok().filter(|_| ended);
        self.reaped = true;
        // What is left in the pipes was written before the end.
        let _ = read(&mut self.stderr, &mut self.last_words);
        let _ = read(&mut self.stdout, &mut self.incoming);
        self.drop_output();
        Goodbye {
            status,
            extra: std::mem::take(&mut self.extra),
            stderr: self.last_words.drain(..).collect(),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Until it is reaped its process group keeps its number, and may have members that outlive it.
        if !self.reaped {
            self.kill();
            let _ = self.child.wait();
        }
        interrupt::forget();
    }
}

#[cfg(target_os = "linux")]
fn exit_fd(pid: Pid) -> Option<OwnedFd> {
    // Before Linux 5.3 there is none; the glances do.
    rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn exit_fd(_pid: Pid) -> Option<OwnedFd> {
    None
}

/// Reads what a pipe holds, some hundred kilobytes at most, and closes it at its end.
fn read(pipe: &mut Option<impl Read>, into: &mut VecDeque<u8>) -> io::Result<usize> {
    let mut buffer = [0; 16 << 10];
    let mut total = 0;
    while let Some(open) = pipe.as_mut().filter(|_| total < 256 << 10) {
        match open.read(&mut buffer) {
            Ok(0) => *pipe = None,
            Ok(count) => {
                into.extend(&buffer[..count]);
                total += count;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => break,
            Err(error) => return Err(error),
        }
    }
    Ok(total)
}
