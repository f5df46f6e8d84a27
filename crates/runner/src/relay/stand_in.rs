//! A tester that starts the bot itself. It starts a stand-in, this program in another role, which passes the tester's
//! pipes to the judge and waits. The judge starts the bot, connects it to these pipes like to those of any other
//! interactor, and tells the stand-in how the bot ended, so that the tester sees the same exit.

use std::ffi::OsString;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use rustix::event::PollFlags;
use signal_hook::low_level::emulate_default_handler;

use crate::children;
use crate::escape::shell_word;
use crate::event::{Event, Exit, Limit};
use crate::interrupt::interrupted;
use crate::party::Party;
use crate::pipes::{Pipes, is_ready, limit_capacity};
use crate::relay::{POLL_INTERVAL, SideEvent};
use crate::warden::link::{receive, send};

/// The argument of the judge's program that makes it a stand-in. The path of the socket follows, and then the arguments
/// of the bot.
pub const ROLE: &str = "stand-in";

/// How long the judge waits for the message of a stand-in that has connected.
const MESSAGE_TIMEOUT: Duration = Duration::from_secs(1);

/// Passes stdin and stdout to the judge that listens at `socket`, and waits for the end of the bot. Then ends as the bot
/// did, by the same signal or with the returned exit code.
pub fn serve(socket: &Path, args: &[OsString]) -> anyhow::Result<u8> {
    let stream = UnixStream::connect(socket).context("the judge that runs the bot cannot be reached")?;
    send(&stream, &args, &[io::stdin().as_fd(), io::stdout().as_fd()])?;
    // Only the judge may hold the pipes, so that the tester sees when the bot has closed them.
    let nothing = File::options().read(true).write(true).open("/dev/null").context("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    rustix::stdio::dup2_stdout(&nothing)?;
    match receive(&stream).context("the judge has ended the run")?.0 {
        Exit::Code(code) => Ok(u8::try_from(code & 0xff)?),
        Exit::Signal(signal) => {
            emulate_default_handler(signal)?;
            bail!("the bot was ended by signal {signal}")
        }
    }
}

#[derive(Debug)]
pub struct StandIn {
    /// The program that a tester starts in place of the bot.
    pub path: PathBuf,
    listener: UnixListener,
}

impl StandIn {
    /// Makes a program in `folder` that connects to this judge. The path may be too long for a socket.
    pub fn new(folder: &Path) -> anyhow::Result<Self> {
        let socket = folder.join("judge");
        let listener = UnixListener::bind(&socket)
            .and_then(|listener| listener.set_nonblocking(true).map(|()| listener))
            .with_context(|| format!("the socket {} cannot be made", socket.display()))?;
        let path = folder.join("bot");
        let word = |path: &Path| -> anyhow::Result<String> {
            Ok(shell_word(path.to_str().with_context(|| format!("{}: expected UTF-8", path.display()))?)?)
        };
        let (program, address) = (word(&children::own_program()?)?, word(&socket)?);
        let text = format!("#!/bin/sh\nexec {program} {ROLE} {address} \"$@\"\n");
        fs::write(&path, text)
            .and_then(|()| fs::set_permissions(&path, Permissions::from_mode(0o700)))
            .with_context(|| format!("{} cannot be written", path.display()))?;
        Ok(Self { path, listener })
    }

    /// Returns whether it was started since the last call, or since a tester's start was awaited. Forgets these starts.
    pub fn is_started_again(&self) -> bool {
        let mut is_started = false;
        while self.listener.accept().is_ok() {
            is_started = true;
        }
        is_started
    }

    /// Returns a stand-in that has connected, its arguments, and its stdin and stdout. Ignores other connections.
    fn accept(&self) -> Option<(UnixStream, Vec<OsString>, [OwnedFd; 2])> {
        let (stream, _) = self.listener.accept().ok()?;
        stream.set_nonblocking(false).ok()?;
        stream.set_read_timeout(Some(MESSAGE_TIMEOUT)).ok()?;
        let (args, pipes) = receive(&stream).ok()?;
        Some((stream, args, pipes.try_into().ok()?))
    }
}

impl Party {
    /// Waits until this program, a tester, starts the bot, and takes over the tester's pipes to the bot. Returns the
    /// arguments that the tester gave to the bot; `None` if the tester has ended or reached a limit before. Adds what the
    /// tester did to `events`. An interrupt is an error.
    pub fn await_start_of_bot(
        &mut self,
        stand_in: &StandIn,
        events: &mut Vec<SideEvent>,
    ) -> anyhow::Result<Option<Vec<OsString>>> {
        self.pipes[0] = Pipes::default();
        let mut counted_at = Instant::now();
        loop {
            let is_started = is_ready(&stand_in.listener, PollFlags::IN, POLL_INTERVAL)?;
            self.exchange(0, [true, false, true, false], 0, events)?;
            if is_started && let Some((stream, args, [stdin, stdout])) = stand_in.accept() {
                for pipe in [&stdin, &stdout] {
                    limit_capacity(pipe);
                    rustix::io::ioctl_fionbio(pipe, true)?;
                }
                (self.pipes[0].stdin, self.pipes[0].stdout) = (Some(stdout.into()), Some(stdin.into()));
                self.stand_in = Some(stream);
                self.restart_quiet_time();
                return Ok(Some(args));
            }
            if !self.is_running() {
                return Ok(None);
            }
            ensure!(!interrupted(), "interrupted");
            self.waited += counted_at.elapsed();
            counted_at = Instant::now();
            if let Some(report) = self.check()?.filter(|report| report.limit != Limit::Idle) {
                events.push(self.event(Event::Limit(report)));
                return Ok(None);
            }
        }
    }
}
