//! The other processes of this judge: its supervisor, and the judge processes that this process has started.

use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, Once, OnceLock, PoisonError};
use std::time::Duration;
use std::{io, thread};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, getppid, kill_process, waitid};

use crate::delay::note_stop;
use crate::message::print_error;
use crate::threads;

static SUPERVISOR: OnceLock<i32> = OnceLock::new();

/// Stores the supervisor of this judge.
#[cfg(target_os = "linux")]
pub(super) fn set_supervisor(process: i32) {
    SUPERVISOR.get_or_init(|| process);
}

/// Continues the supervisor of this judge, if there is one: a bot may have stopped the supervisor.
pub(super) fn continue_supervisor() {
    if let Some(supervisor) = SUPERVISOR.get().and_then(|&process| Pid::from_raw(process))
        && getppid() == Some(supervisor)
    {
        let _ = kill_process(supervisor, Signal::CONT);
    }
}

/// Returns the process numbers of this judge and of its supervisor.
#[cfg(target_os = "linux")]
pub(super) fn judge_processes() -> Vec<i32> {
    SUPERVISOR.get().copied().into_iter().chain([std::process::id().cast_signed()]).collect()
}

/// How often a judge process checks whether another judge process is stopped.
pub(super) const STOP_POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Number of stops after which a child is ended. A bot that stops the child in a loop must not hang the judge.
const MAX_STOPS: u32 = 100;

/// The children that this process continues when a signal has stopped them.
static CHILDREN: Mutex<Vec<Continued>> = Mutex::new(Vec::new());

/// A child that is continued when a signal has stopped it.
pub(super) struct Continued {
    pid: Pid,
    stops: u32,
}

impl Continued {
    pub(super) fn new(child: &Child) -> Self {
        Self { pid: Pid::from_child(child), stops: 0 }
    }

    /// Continues the child if it is stopped, or ends the child if it was stopped too often.
    pub(super) fn continue_if_stopped(&mut self) {
        // Another process may have the number of a reaped child. For such a process this call fails.
        let stopped = waitid(WaitId::Pid(self.pid), WaitIdOptions::STOPPED | WaitIdOptions::NOHANG);
        if matches!(stopped, Ok(Some(_))) {
            self.stops += 1;
            note_stop();
            let signal = if self.stops < MAX_STOPS { Signal::CONT } else { Signal::KILL };
            if signal == Signal::KILL {
                print_error(format_args!(
                    "a process of the judge was stopped {MAX_STOPS} times and is now ended; without \
                     --sandbox a bot can stop it"
                ));
            }
            let _ = kill_process(self.pid, signal);
        }
    }
}

/// A judge process. Dropping this value waits for the end of the process.
pub struct JudgeChild(Child);

impl JudgeChild {
    /// Starts the process.
    ///
    /// # Errors
    ///
    /// If the system refuses the process or a thread.
    pub fn spawn(command: &mut Command) -> io::Result<Self> {
        static STARTED: Once = Once::new();
        let mut children = children();
        if !STARTED.is_completed() {
            threads::start(continue_children).map_err(io::Error::other)?;
            STARTED.call_once(|| ());
        }
        let child = command.spawn()?;
        children.push(Continued::new(&child));
        Ok(Self(child))
    }

    /// Returns the process with its pipes.
    pub fn child_mut(&mut self) -> &mut Child {
        &mut self.0
    }
}

impl Drop for JudgeChild {
    fn drop(&mut self) {
        let _ = self.0.wait();
        let pid = Pid::from_child(&self.0);
        children().retain(|child| child.pid != pid);
    }
}

fn children() -> MutexGuard<'static, Vec<Continued>> {
    CHILDREN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn continue_children() {
    loop {
        children().iter_mut().for_each(Continued::continue_if_stopped);
        thread::sleep(STOP_POLL_INTERVAL);
    }
}
