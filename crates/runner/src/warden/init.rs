//! The first process of a process namespace, in which a warden then starts one program.
//!
//! The program itself cannot be the first process: the system would ignore the signal by which it ends itself when it
//! calls `abort`.

use std::io;

use nix::sched::{CloneFlags, unshare};
use nix::sys::signal::{SigSet, Signal};
use nix::unistd::{ForkResult, close, fork};
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use rustix::thread::{CapabilitySets, capabilities, set_capabilities};

/// Above the descriptors of a warden in the sandbox, which has closed those that it inherited.
const MAX_DESCRIPTOR: i32 = 64;

/// Makes a process namespace for the programs that this thread starts from now on. Returns its first process, which
/// reaps orphans until the warden kills it. The system then ends all other processes of the namespace.
#[expect(unsafe_code, reason = "the fork costs a quarter of what the start of another program would")]
pub(super) fn start() -> io::Result<Option<Pid>> {
    make_namespace()?;
    // SAFETY: Of several threads only this one is in the child, so the child must not wait for what another thread held,
    // such as a lock of the allocator. It makes nothing but system calls.
    match unsafe { fork() }? {
        ForkResult::Parent { child } => Ok(Pid::from_raw(child.as_raw())),
        ForkResult::Child => reap_orphans(),
    }
}

pub(super) fn make_namespace() -> io::Result<()> {
    // No limit on processes holds for a thread of root's in which this capability is effective.
    let held = capabilities(None)?;
    set_capabilities(None, CapabilitySets { effective: held.permitted, ..held })?;
    Ok(unshare(CloneFlags::CLONE_NEWPID)?)
}

fn reap_orphans() -> ! {
    // The pipes of the program must not stay open after its end.
    for descriptor in 0..MAX_DESCRIPTOR {
        let _ = close(descriptor);
    }
    // A blocked signal stays pending, so that none comes between the two waits and is lost.
    let mut child_ended = SigSet::empty();
    child_ended.add(Signal::SIGCHLD);
    let _ = child_ended.thread_block();
    loop {
        while let Ok(Some(_)) = waitid(WaitId::All, WaitIdOptions::EXITED | WaitIdOptions::NOHANG) {}
        let _ = child_ended.wait();
    }
}
