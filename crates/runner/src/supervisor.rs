//! The two processes of a judge that starts bots: a supervisor, and the judge proper below it.
//!
//! Orphans become children of the nearest ancestor that is a subreaper: of the judge proper while it lives, and of the
//! supervisor after that. When the judge proper has ended for any reason, the supervisor ends all its descendants. When
//! the supervisor is killed, the judge proper ends its bot and itself. So killing either process leaves no process of a
//! bot.
//!
//! A bot without sandbox may also stop the two processes. Each of them continues the other, and if both are stopped, a
//! kernel timer continues the supervisor. When the supervisor is killed, the kernel continues the judge proper. Only
//! Ctrl-Z stops both for longer, together with their bots: see [`job`].
//!
//! The caller of the judge starts the supervisor. The supervisor passes the signals that it receives on to the judge
//! proper and exits with the exit code of the judge proper. The cost is one more start of the program per run and
//! almost nothing per game. The judge proper has its own session: signals to the caller's process group, from the
//! terminal or by kill(2), do not reach the judge proper, and a bot cannot reach the caller's terminal by `/dev/tty`.
//!
//! The supervisor is not a child of the judge proper: as a child, it would have to start every bot itself to be the
//! bot's ancestor, and report the bot's end and usage to the judge. That would cost several messages per game.

use std::ffi::OsString;
use std::fs::File;
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus};
use std::thread;
use std::time::Duration;

use anyhow::{Context, ensure};
use nix::sys::signal::{SigEvent, SigSet, SigevNotify, Signal as Caught};
use nix::sys::timer::{Expiration, Timer, TimerSetTimeFlags};
use nix::time::ClockId;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, PidfdFlags, Signal, getpid, getppid, kill_process, pidfd_open, set_parent_process_death_signal,
    setsid,
};

use crate::descendants;
use crate::event::Exit;
use crate::interrupt;
use crate::job;
use crate::judge_processes::{Continued, STOP_POLL_INTERVAL};
use crate::judge_processes::{continue_supervisor, set_supervisor};
use crate::message::print_error;
use crate::signals::was_ignored;
use crate::threads;

/// The first argument of the judge proper. The second is the process number of the supervisor.
const ROLE: &str = "supervised";

/// The exit code of a Rust program that panicked.
const PANICKED: i32 = 101;

/// Maximum time for which the supervisor stays stopped if nobody continues it. The timer's SIGCONT discards a Ctrl-Z
/// that the supervisor has not seen yet, so the timer should fire rarely.
const WAKE_INTERVAL: Duration = Duration::from_secs(1);

/// Separates the arguments of the judge proper from the caller's arguments, which include the program's name. Returns
/// the supervisor's process number, if there is one, and the caller's arguments.
pub fn split(mut args: Vec<OsString>) -> (Option<i32>, Vec<OsString>) {
    let is_supervised = args.get(1).is_some_and(|arg| arg == ROLE);
    let supervisor = args.get(2).and_then(|arg| arg.to_str()?.parse().ok()).filter(|_| is_supervised);
    if supervisor.is_some() {
        args.drain(1..3);
    }
    (supervisor, args)
}

/// Starts the judge proper with `args`, whose first element is the program's name, waits for its end, and ends all
/// remaining processes of its bots. Returns the exit code of the judge proper, or `None` if a signal ended it or it
/// panicked.
///
/// # Errors
///
/// If the judge proper cannot be started.
pub fn supervise(args: &[OsString]) -> anyhow::Result<Option<u8>> {
    descendants::become_subreaper()?;
    let passed_on = [Caught::SIGHUP, Caught::SIGINT, Caught::SIGQUIT, Caught::SIGTERM, Caught::SIGTSTP];
    let mut awaited: SigSet = passed_on.into_iter().filter(|&signal| !was_ignored(signal as i32)).collect();
    awaited.add(Caught::SIGCHLD);
    awaited.add(Caught::SIGCONT);
    awaited.thread_block().context("signals cannot be waited for")?;
    let null = File::options().read(true).write(true).open("/dev/null").context("/dev/null")?;
    let program = std::env::current_exe().context("the judge does not know its own path")?;
    let own = getpid().as_raw_pid().to_string();
    let judge = Command::new(program).args([ROLE, &own]).args(args.iter().skip(1)).spawn();
    let mut judge = judge.context("the judge cannot start its second process")?;
    let mut continued = Continued::new(&judge);
    let mut wake_timer = WakeTimer::new();
    // Close stdin and stdout here, so that the programs at their other ends see when the judge proper closes them.
    rustix::stdio::dup2_stdin(&null).context("stdin cannot be closed")?;
    rustix::stdio::dup2_stdout(&null).context("stdout cannot be closed")?;
    let pid = Pid::from_child(&judge);
    let mut passed_on = None;
    let status = loop {
        wake_timer.set(WAKE_INTERVAL);
        match awaited.wait().context("signals cannot be waited for")? {
            Caught::SIGCHLD | Caught::SIGCONT => {
                if let Some(status) = judge.try_wait().context("the judge cannot be waited for")? {
                    break status;
                }
                continued.continue_if_stopped();
            }
            Caught::SIGTSTP => {
                wake_timer.set(Duration::ZERO);
                if let Err(error) = job::stop() {
                    print_error(format_args!("the judge cannot be stopped: {error:#}"));
                }
            }
            signal => {
                passed_on = Some(signal as i32);
                let _ = kill_process(pid, Signal::from_named_raw(signal as i32).context("a signal")?);
            }
        }
    };
    let is_ended = descendants::end_all();
    // The passed-on signal came before the judge proper could catch it.
    if passed_on.is_some() && status.signal() == passed_on {
        return Ok(Some(interrupt::EXIT_CODE));
    }
    Ok(exit_code(status, is_ended))
}

/// A timer that sends SIGCONT to this process, even while this process is stopped; `None` if the system has no timer
/// left.
struct WakeTimer(Option<Timer>);

impl WakeTimer {
    fn new() -> Self {
        let signal = SigevNotify::SigevSignal { signal: Caught::SIGCONT, si_value: 0 };
        Self(Timer::new(ClockId::CLOCK_MONOTONIC, SigEvent::new(signal)).ok())
    }

    /// Sets the time after which the timer sends the signal. Zero disables the timer.
    fn set(&mut self, after: Duration) {
        let after = Expiration::OneShot(after.into());
        let _ = self.0.as_mut().map(|timer| timer.set(after, TimerSetTimeFlags::empty()));
    }
}

/// Returns the exit code of the judge proper. If a signal or a panic ended it, prints a message and returns `None`.
fn exit_code(status: ExitStatus, is_ended: bool) -> Option<u8> {
    let exit = match (status.code(), status.signal()) {
        (Some(PANICKED), _) => Exit::Code(PANICKED),
        (Some(code), _) => return u8::try_from(code).ok(),
        (None, signal) => Exit::Signal(signal.unwrap_or(0)),
    };
    let bots = if is_ended { "no process of its bot is left" } else { "its bot could not be ended" };
    print_error(format_args!(
        "JUDGE_ERROR: the referee process {exit}; a game in progress gets no verdict; {bots}"
    ));
    None
}

/// Makes this process the judge proper below `supervisor`: when the supervisor ends, this process ends its bot and
/// itself.
///
/// # Errors
///
/// If the supervisor is not this process's parent, or the system refuses a session or a thread.
pub fn follow(supervisor: i32) -> anyhow::Result<()> {
    let parent = getppid().filter(|parent| parent.as_raw_pid() == supervisor);
    let parent = parent.with_context(|| format!("expected process {supervisor} to be the judge's parent"))?;
    setsid().context("the judge cannot have a session of its own")?;
    // A stopped judge must be continued so that it can end its bot.
    set_parent_process_death_signal(Some(Signal::CONT))
        .context("the judge cannot be continued when its supervisor ends")?;
    let end = pidfd_open(parent, PidfdFlags::empty()).ok();
    ensure!(getppid() == Some(parent), "the judge's supervisor has ended");
    set_supervisor(supervisor);
    let timeout = Timespec::try_from(STOP_POLL_INTERVAL).context("a timeout")?;
    let wait = move || {
        while getppid() == Some(parent) {
            if let Some(end) = &end {
                let _ = poll(&mut [PollFd::from_borrowed_fd(end.as_fd(), PollFlags::IN)], Some(&timeout));
            } else {
                thread::sleep(STOP_POLL_INTERVAL);
            }
            if descendants::is_stopped(supervisor) {
                continue_supervisor();
            }
        }
        interrupt::end_at_once();
    };
    threads::start(wait)
}
