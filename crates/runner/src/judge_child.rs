//! Judge processes that this one has started: workers and hosts, and for a supervisor the judge proper.
//!
//! Without the sandbox a bot can stop the judge process that has started it, which its parent would wait for
//! without an end. So the parent continues it.

use std::io;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};

use super::stop;
use common::program::print_error;
use common::threads;

/// How often a judge process checks whether another one is stopped.
pub(super) const STOP_POLL_INTERVAL: Duration = Duration::from_millis(20);

/// How often a child is continued. A bot that stops it in a loop must not hang the judge.
const MAX_STOPS: u32 = 100;

/// The children that are continued.
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

    /// Continues the child if it is stopped, or ends it if that was too often.
    pub(super) fn continue_if_stopped(&mut self) {
        // The number of a child that has been reaped may be another process's, for which this fails.
        let stopped = waitid(WaitId::Pid(self.pid), WaitIdOptions::STOPPED | WaitIdOptions::NOHANG);
        if matches!(stopped, Ok(Some(_))) {
            self.stops += 1;
            stop::note();
            let signal = if self.stops < MAX_STOPS { Signal::CONT } else { Signal::KILL };
            if signal == Signal::KILL {
                print_error(format_args!(
                    "a process of the judge has been stopped {MAX_STOPS} times and is ended; without --sandbox a bot \
                     can stop it"
                ));
            }
            let _ = kill_process(self.pid, signal);
        }
    }
}

/// A judge process, which is waited for when this is dropped.
pub struct JudgeChild(Child);

impl JudgeChild {
    /// Starts it.
    ///
    /// # Errors
    ///
    /// If the system refuses it, or a thread.
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

    /// The process with its pipes.
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
