//! What a hostile bot can do, and how it does it.

use std::env;
use std::fs::File;
use std::io::{self, BufWriter, Stdout, Write};
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Signal, getpgid, getpid, getppid, kill_process, setpgid, setsid};
use rustix::stdio::{dup2_stdin, dup2_stdout};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// A step of a hostile bot's.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// Reads a line.
    Read,
    /// Prints these bytes, and flushes.
    Say(Vec<u8>),
    /// Prints these bytes into a buffer that nobody flushes.
    Keep(&'static [u8]),
    /// Prints these bytes over and over.
    Flood(&'static [u8]),
    /// Writes so many MiB to stderr.
    Chatter(usize),
    /// Plays as the bundled bot does.
    Play,
    /// Waits so long.
    Pause(Duration),
    /// Waits for ever.
    Sleep,
    /// Is stopped, as a job in the background is that reads from the terminal.
    Stop,
    /// Computes for ever, or so long.
    Spin,
    Work(Duration),
    /// Takes a MiB of memory at a time, so many, and keeps them.
    Hoard(usize),
    Exit(u8),
    /// Dies as of a bad pointer.
    Crash,
    CloseStdin,
    CloseStdout,
    /// Does not die of what can be caught.
    IgnoreTermination,
    /// Leaves its session and process group.
    LeaveSession,
    /// Leaves its process group for that of the judge.
    JoinJudge,
    /// Starts another bot with the same pipes.
    Start(&'static str),
    /// The same, and waits for its end.
    Await(&'static str),
}

/// Performs these steps, one after the other; the exit code.
///
/// # Errors
///
/// If a step fails.
pub(crate) fn perform(actions: &[Action]) -> anyhow::Result<ExitCode> {
    let mut actor = Actor { out: BufWriter::new(io::stdout()), hoard: Vec::new() };
    for action in actions {
        if let Some(code) = actor.perform(action)? {
            return Ok(code);
        }
    }
    Ok(ExitCode::SUCCESS)
}

struct Actor {
    out: BufWriter<Stdout>,
    hoard: Vec<Vec<u8>>,
}

impl Actor {
    /// Performs a step; an exit code if it is the last.
    fn perform(&mut self, action: &Action) -> anyhow::Result<Option<ExitCode>> {
        match action {
            Action::Read => drop(io::stdin().read_line(&mut String::new())?),
            Action::Say(bytes) => self.out.write_all(bytes).and_then(|()| self.out.flush())?,
            Action::Keep(bytes) => self.out.write_all(bytes)?,
            Action::Flood(bytes) => loop {
                self.out.write_all(bytes)?;
            },
            Action::Chatter(mebibytes) => {
                let line = [[b'.'; 1023].as_slice(), b"\n"].concat();
                (0..mebibytes << 10).try_for_each(|_| io::stderr().write_all(&line))?;
            }
            Action::Play => return Ok(Some(zeroxor::wire::run_on_stdio())),
            Action::Pause(time) => thread::sleep(*time),
            Action::Sleep => loop {
                thread::park();
            },
            Action::Stop => kill_process(getpid(), Signal::STOP)?,
            Action::Spin => loop {
                std::hint::spin_loop();
            },
            Action::Work(time) => {
                let started = Instant::now();
                while started.elapsed() < *time {
                    std::hint::spin_loop();
                }
            }
            Action::Hoard(mebibytes) => self.hoard.extend((0..*mebibytes).map(|_| vec![1; 1 << 20])),
            Action::Exit(code) => return Ok(Some(ExitCode::from(*code))),
            // The first is for the handler of Rust's own runtime.
            Action::Crash => loop {
                kill_process(getpid(), Signal::SEGV)?;
            },
            Action::CloseStdin => dup2_stdin(File::open("/dev/null")?)?,
            Action::CloseStdout => dup2_stdout(File::options().write(true).open("/dev/null")?)?,
            Action::IgnoreTermination => {
                for signal in [SIGHUP, SIGINT, SIGTERM] {
                    signal_hook::flag::register(signal, Arc::default())?;
                }
            }
            Action::LeaveSession => drop(setsid()?),
            Action::JoinJudge => setpgid(None, Some(getpgid(getppid())?))?,
            Action::Start(name) => drop(hostile(name)?.spawn()?),
            Action::Await(name) => drop(hostile(name)?.status()?),
        }
        Ok(None)
    }
}

fn hostile(name: &str) -> anyhow::Result<Command> {
    let mut command = Command::new(env::current_exe()?);
    command.args(["hostile", name]);
    Ok(command)
}
