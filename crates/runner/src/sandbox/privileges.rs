//! No privileges, and a number of processes of its own.

use std::thread;

use anyhow::{Context, ensure};
use nix::sched::CloneFlags;
use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, Uid, getpid, getrlimit, getuid, setrlimit};
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, configure_capability_in_ambient_set, set_capabilities,
    set_keep_capabilities, set_no_new_privs, set_thread_res_uid,
};

/// The first number of the users that do not exist: it is above those that systems and containers assign.
const NOBODYS_USERS: u32 = 2_000_000_000;

/// Gives up all privileges except that to read, and limits the number of processes.
///
/// One more than is allowed can be started, so that the judge sees a bot that starts too many.
pub(super) fn drop_all(processes: u64) -> anyhow::Result<()> {
    let processes = processes.saturating_add(1);
    let limit = if getuid().is_root() && become_nobody()? {
        processes
    } else {
        let apart = nix::sched::unshare(CloneFlags::CLONE_NEWUSER);
        set_capabilities(None, only(CapabilitySet::empty())).context("capabilities cannot be given up")?;
        // In a user namespace of its own the processes are counted from 0; else all of the user's are.
        if apart.is_ok() { processes } else { processes.saturating_add(present_processes()?) }
    };
    limit_processes(limit).context("the number of processes cannot be limited")?;
    set_limit(Resource::Core, 0).context("core dumps cannot be switched off")?;
    set_no_new_privs(true).context("the guard of privileges is missing: no_new_privs")
}

/// Changes from root, whose processes no limit counts, to a user of this process alone, who can still read all that
/// root can. Returns whether there is such a user: a container may map too few.
fn become_nobody() -> anyhow::Result<bool> {
    let held = capabilities(None).context("root's capabilities cannot be read")?.permitted;
    // Without the second the judge could not end a bot that is another user.
    for (capability, name) in [(CapabilitySet::SETUID, "CAP_SETUID"), (CapabilitySet::KILL, "CAP_KILL")] {
        ensure!(held.contains(capability), "the processes of root cannot be counted without {name}");
    }
    set_keep_capabilities(true).context("root's capabilities cannot be kept")?;
    let user = Uid::from_raw(NOBODYS_USERS + getpid().as_raw_nonzero().get().unsigned_abs());
    match set_thread_res_uid(user, user, user) {
        Err(Errno::INVAL) => return Ok(false),
        changed => changed.with_context(|| format!("root cannot become user {}", user.as_raw()))?,
    }
    // It would also allow to write, which Landlock forbids.
    let reading = held & CapabilitySet::DAC_OVERRIDE;
    set_capabilities(None, only(reading)).context("root's capabilities cannot be given up")?;
    if !reading.is_empty() {
        configure_capability_in_ambient_set(reading, true)
            .context("root's capability to read cannot be kept")?;
    }
    Ok(true)
}

fn only(kept: CapabilitySet) -> CapabilitySets {
    CapabilitySets { effective: kept, permitted: kept, inheritable: kept }
}

/// Limits the processes and threads, once it is seen that the kernel counts them: not those of its own root,
/// under whatever number a container knows that user.
fn limit_processes(limit: u64) -> anyhow::Result<()> {
    setrlimit(Resource::Nproc, Rlimit { current: Some(0), ..getrlimit(Resource::Nproc) })?;
    ensure!(
        thread::Builder::new().spawn(|| ()).is_err(),
        "to the kernel this is its own root, and no other user is mapped here"
    );
    Ok(set_limit(Resource::Nproc, limit)?)
}

/// Lowers a limit, for good.
fn set_limit(resource: Resource, limit: u64) -> rustix::io::Result<()> {
    let limit = getrlimit(resource).maximum.map_or(limit, |maximum| maximum.min(limit));
    setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) })
}

/// The number of processes and threads that this user has.
fn present_processes() -> anyhow::Result<u64> {
    let user = getuid().as_raw();
    let processes = procfs::process::all_processes().context("the user's processes cannot be counted")?;
    let statuses = processes.filter_map(|process| process.ok()?.status().ok());
    Ok(statuses.filter(|status| status.ruid == user).map(|status| status.threads).sum())
}
