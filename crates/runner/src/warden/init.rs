//! The first process of a process namespace, in which a warden then starts one program.
//!
//! The program itself cannot be the first process: the system would ignore the signal by which it ends itself when it
//! calls `abort`.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::process;

use nix::sched::{CloneFlags, unshare};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::signalfd::SignalFd;
use nix::unistd::{ForkResult, close, fork};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, WaitId, WaitIdOptions, kill_process, waitid};
use rustix::thread::{CapabilitySet, CapabilitySets, capabilities, set_capabilities};

/// Above the descriptors of a warden in the sandbox, which has closed those that it inherited.
const MAX_DESCRIPTOR: i32 = 64;

/// Makes a process namespace for the programs that this thread starts from now on. Returns its first process, which
/// reaps orphans until the warden kills it, or until the other end of the pipe `warden` is closed. The system then ends all
/// other processes of the namespace.
#[expect(unsafe_code, reason = "the fork costs a quarter of what the start of another program would")]
pub(super) fn start(warden: BorrowedFd<'_>) -> io::Result<Option<Pid>> {
    make_namespace()?;
    // SAFETY: Of several threads only this one is in the child, so the child must not wait for what another thread held,
    // such as a lock of the allocator. As long as the warden lives, it makes nothing but system calls.
    match unsafe { fork() }? {
        ForkResult::Parent { child } => {
            // A program of root would inherit the capability.
            without_capability()?;
            Ok(Pid::from_raw(child.as_raw()))
        }
        ForkResult::Child => {
            let _ = reap_orphans(warden);
            process::exit(0)
        }
    }
}

pub(super) fn make_namespace() -> io::Result<()> {
    // No limit on processes holds for a thread of root's in which this capability is effective.
    let held = capabilities(None)?;
    set_capabilities(None, CapabilitySets { effective: held.permitted, ..held })?;
    Ok(unshare(CloneFlags::CLONE_NEWPID)?)
}

fn without_capability() -> rustix::io::Result<()> {
    let mut held = capabilities(None)?;
    held.effective.remove(CapabilitySet::SYS_ADMIN);
    held.permitted.remove(CapabilitySet::SYS_ADMIN);
    set_capabilities(None, held)
}

fn reap_orphans(warden: BorrowedFd<'_>) -> io::Result<()> {
    without_capability()?;
    // The pipes of the program must not stay open after its end.
    for descriptor in (0..MAX_DESCRIPTOR).filter(|&descriptor| descriptor != warden.as_raw_fd()) {
        let _ = close(descriptor);
    }
    // A blocked signal stays pending, so that none comes before the wait and is lost.
    let mut child_ended = SigSet::empty();
    child_ended.add(Signal::SIGCHLD);
    child_ended.thread_block()?;
    let signals = SignalFd::new(&child_ended)?;
    loop {
        while let Ok(Some(_)) = waitid(WaitId::All, WaitIdOptions::EXITED | WaitIdOptions::NOHANG) {}
        let watched = &mut [PollFd::new(&signals, PollFlags::IN), PollFd::new(&warden, PollFlags::IN)];
        poll(watched, None)?;
        if !watched[1].revents().is_empty() {
            return Ok(());
        }
        signals.read_signal()?;
    }
}

/// Ends a namespace in which no program could be started. The caller must not be a thread that has started one.
pub(super) fn end(init: Pid) {
    let _ = kill_process(init, rustix::process::Signal::KILL);
    let _ = waitid(WaitId::Pid(init), WaitIdOptions::EXITED);
}
