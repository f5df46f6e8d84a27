//! The actions of hostile bots.

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

/// One action of a hostile bot.
#[derive(Clone, Debug)]
pub enum Action {
    /// Reads a line.
    Read,
    /// Prints these bytes, and flushes.
    Print(Vec<u8>),
    /// Prints these bytes into a buffer that is not flushed.
    PrintUnflushed(&'static [u8]),
    /// Prints these bytes again and again.
    PrintForever(&'static [u8]),
    /// Writes this many MiB to stderr.
    WriteStderr(usize),
    /// Plays as the bundled bot does.
    Play,
    /// Sleeps for this time.
    Sleep(Duration),
    /// Sleeps until the bot is killed.
    SleepForever,
    /// Stops the bot by a signal, as happens to a background job that reads from the terminal.
    Stop,
    /// Computes until the bot is killed.
    ComputeForever,
    /// Computes for this time.
    Compute(Duration),
    /// Allocates this many MiB of memory, one at a time, and keeps them.
    Allocate(usize),
    /// Exits with this code.
    Exit(u8),
    /// Ends the bot by SIGSEGV, as a bad pointer does.
    Crash,
    CloseStdin,
    CloseStdout,
    /// Ignores the signals that ask a process to end.
    IgnoreTermination,
    /// Leaves the bot's session and process group.
    LeaveSession,
    /// Moves to the process group of the judge.
    JoinJudge,
    /// Starts another bot with the same pipes.
    Start(&'static str),
    /// Starts another bot with the same pipes and waits until that bot has ended.
    StartAndWait(&'static str),
}

/// Performs `actions` one after the other and returns the exit code.
pub fn perform(actions: &[Action]) -> anyhow::Result<ExitCode> {
    let mut actor = Actor { out: BufWriter::new(io::stdout()), memory: Vec::new() };
    for action in actions {
        if let Some(code) = actor.perform(action)? {
            return Ok(code);
        }
    }
    Ok(ExitCode::SUCCESS)
}

struct Actor {
    out: BufWriter<Stdout>,
    memory: Vec<Vec<u8>>,
}

impl Actor {
    /// Performs an action. Returns the exit code if the action ends the bot.
    fn perform(&mut self, action: &Action) -> anyhow::Result<Option<ExitCode>> {
        match action {
            Action::Read => drop(io::stdin().read_line(&mut String::new())?),
            Action::Print(bytes) => self.out.write_all(bytes).and_then(|()| self.out.flush())?,
            Action::PrintUnflushed(bytes) => self.out.write_all(bytes)?,
            Action::PrintForever(bytes) => loop {
                self.out.write_all(bytes)?;
            },
            Action::WriteStderr(mebibytes) => {
                let line = [[b'.'; 1023].as_slice(), b"\n"].concat();
                (0..mebibytes << 10).try_for_each(|_| io::stderr().write_all(&line))?;
            }
            Action::Play => return Ok(Some(zeroxor::wire::run_on_stdio())),
            Action::Sleep(time) => thread::sleep(*time),
            Action::SleepForever => loop {
                thread::park();
            },
            Action::Stop => kill_process(getpid(), Signal::STOP)?,
            Action::ComputeForever => loop {
                std::hint::spin_loop();
            },
            Action::Compute(time) => {
                let started = Instant::now();
                while started.elapsed() < *time {
                    std::hint::spin_loop();
                }
            }
            Action::Allocate(mebibytes) => self.memory.extend((0..*mebibytes).map(|_| vec![1; 1 << 20])),
            Action::Exit(code) => return Ok(Some(ExitCode::from(*code))),
            // The handler of Rust's runtime consumes the first signal, so one signal is not enough.
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
            Action::StartAndWait(name) => drop(hostile(name)?.status()?),
        }
        Ok(None)
    }
}

fn hostile(name: &str) -> anyhow::Result<Command> {
    let mut command = Command::new(env::current_exe()?);
    command.arg(name);
    Ok(command)
}
