//! Enters the sandbox, and sets up its guards of privileges, processes and files. Also starts programs that are kept
//! apart from other programs without the sandbox.

use std::fs::DirEntry;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::{io, panic, thread};

use anyhow::{Context, ensure};
use itertools::Itertools;
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, Scope, path_beneath_rules,
};
use nix::sched::CloneFlags;
use rustix::io::Errno;
use rustix::process::{
    Pid, Resource, Rlimit, Signal, Uid, getpid, getppid, getrlimit, getuid, set_parent_process_death_signal,
    setrlimit,
};
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, configure_capability_in_ambient_set, set_capabilities,
    set_keep_capabilities, set_no_new_privs, set_thread_res_uid,
};

use crate::sandbox::syscalls;

/// Moves this process into the sandbox permanently, with at most `processes` processes and threads. The process can
/// write files only in the folders `writable`. If `judge` is given, it must be the process number of the parent, and
/// this process ends when the parent ends. This process must have a single thread.
///
/// # Errors
///
/// If a guard is missing (the error names it), or if the judge has ended.
pub fn enter(judge: Option<i32>, processes: u64, writable: &[PathBuf]) -> anyhow::Result<()> {
    drop_privileges(processes)?;
    // This must come after the change of user, which clears the death signal.
    set_parent_process_death_signal(Some(Signal::KILL))
        .context("the bot cannot be made to end with the judge")?;
    // If the judge ended earlier, the kernel sends no signal.
    ensure!(judge.is_none_or(|judge| judge == Pid::as_raw(getppid())), "the judge has ended");
    close_inherited()?;
    restrict_files(writable)?;
    syscalls::refuse()
}

/// The lowest user ID for bots of root, above the IDs that systems and containers assign.
const NOBODYS_USERS: u32 = 2_000_000_000;

/// Gives up all privileges, except that a bot of root can still read all files, and limits the number of processes.
///
/// The limit allows one more process than `processes`, so that the judge notices a bot that starts too many.
pub(super) fn drop_privileges(processes: u64) -> anyhow::Result<()> {
    let processes = processes.saturating_add(1);
    let limit = if getuid().is_root() && become_nobody()? {
        processes
    } else {
        let apart = nix::sched::unshare(CloneFlags::CLONE_NEWUSER);
        set_capabilities(None, only(CapabilitySet::empty())).context("capabilities cannot be given up")?;
        // In its own user namespace, the kernel counts the processes from 0. Otherwise it counts all processes of the
        // user.
        if apart.is_ok() { processes } else { processes.saturating_add(present_processes()?) }
    };
    limit_processes(limit).context("the number of processes cannot be limited")?;
    set_limit(Resource::Core, 0).context("core dumps cannot be switched off")?;
    set_no_new_privs(true).context("no_new_privs, which restricts privileges, is missing")
}

/// Changes from root, whose processes no limit counts, to a user ID that no other process has. The process can still
/// read all that root can read. Returns false if there is no such user ID, because a container maps too few IDs.
fn become_nobody() -> anyhow::Result<bool> {
    let held = capabilities(None).context("root's capabilities cannot be read")?.permitted;
    // Without CAP_KILL the judge could not end a bot of another user.
    for (capability, name) in [(CapabilitySet::SETUID, "CAP_SETUID"), (CapabilitySet::KILL, "CAP_KILL")] {
        ensure!(held.contains(capability), "the processes of root cannot be counted without {name}");
    }
    set_keep_capabilities(true).context("root's capabilities cannot be kept")?;
    let user = Uid::from_raw(NOBODYS_USERS + getpid().as_raw_nonzero().get().unsigned_abs());
    match set_thread_res_uid(user, user, user) {
        Err(Errno::INVAL) => return Ok(false),
        changed => changed.with_context(|| format!("root cannot become user {}", user.as_raw()))?,
    }
    // This capability also allows writing, which Landlock forbids.
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

/// Limits the number of processes and threads, after a check that the kernel counts them. The kernel does not count
/// processes of the initial namespace's root, whatever ID that user has in a container.
fn limit_processes(limit: u64) -> anyhow::Result<()> {
    setrlimit(Resource::Nproc, Rlimit { current: Some(0), ..getrlimit(Resource::Nproc) })?;
    ensure!(
        thread::Builder::new().spawn(|| ()).is_err(),
        "this user is root of the initial namespace, and no other user is mapped here"
    );
    Ok(set_limit(Resource::Nproc, limit)?)
}

/// Lowers a limit permanently.
fn set_limit(resource: Resource, limit: u64) -> rustix::io::Result<()> {
    let limit = getrlimit(resource).maximum.map_or(limit, |maximum| maximum.min(limit));
    setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) })
}

/// Returns the number of processes and threads of this user.
fn present_processes() -> anyhow::Result<u64> {
    let user = getuid().as_raw();
    let processes = procfs::process::all_processes().context("the user's processes cannot be counted")?;
    let statuses = processes.filter_map(|process| process.ok()?.status().ok());
    Ok(statuses.filter(|status| status.ruid == user).map(|status| status.threads).sum())
}

/// The devices that may be written to, because none of them stores data.
const WRITABLE_DEVICES: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/full"];

/// The readable files in `/dev` besides the writable devices. The other files there are terminals, keyboards, disks
/// and similar devices. `/dev/stdin` and `/dev/fd` need no rule: they are links to `/proc`.
const READABLE_IN_DEV: [&str; 3] = ["/dev/random", "/dev/urandom", "/dev/shm"];

/// Closes every descriptor except stdin, stdout and stderr: a descriptor open for writing would stay writable.
pub(super) fn close_inherited() -> anyhow::Result<()> {
    let open = std::fs::read_dir("/proc/self/fd").context("the open descriptors cannot be listed")?;
    let open: Vec<i32> = open
        .map_ok(|entry| entry.file_name().to_str().and_then(|name| name.parse().ok()))
        .filter_map_ok(|descriptor| descriptor.filter(|&descriptor| descriptor > 2))
        .try_collect()?;
    for descriptor in open {
        // The descriptor of the directory list is closed already.
        let _ = nix::unistd::close(descriptor);
    }
    Ok(())
}

/// From now on, refuses every write to a file and every access to a device. Exceptions are the harmless devices above,
/// and the regular files and folders below `writable`.
pub(super) fn restrict_files(writable: &[PathBuf]) -> anyhow::Result<()> {
    // The third version of Landlock, in Linux 6.2, is the first that also restricts truncation.
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_write(ABI::V3) | AccessFs::ReadFile)
        .context("Landlock, which restricts the file system, is missing (it needs Linux 6.2 or later)")?;
    // Also restrict accesses that the sandbox does not promise to restrict, if the kernel can.
    let ruleset = ruleset
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::IoctlDev)?
        .handle_access(AccessNet::from_all(ABI::V4))?
        .scope(Scope::from_all(ABI::V6))?;
    let outside_dev = path_beneath_rules(outside_dev()?, AccessFs::ReadFile);
    let readable = path_beneath_rules(READABLE_IN_DEV, AccessFs::ReadFile);
    let devices = path_beneath_rules(WRITABLE_DEVICES, AccessFs::ReadFile | AccessFs::WriteFile);
    let writable = path_beneath_rules(writable, writes());
    let rules = outside_dev.chain(readable).chain(devices).chain(writable);
    let ruleset = ruleset.create().and_then(|ruleset| ruleset.add_rules(rules)?.restrict_self());
    ruleset.context("Landlock, which restricts the file system, cannot be set up")?;
    Ok(())
}

/// Returns what is allowed in a writable folder: everything except links, FIFOs, sockets and devices.
fn writes() -> BitFlags<AccessFs> {
    AccessFs::ReadFile
        | AccessFs::WriteFile
        | AccessFs::Truncate
        | AccessFs::MakeReg
        | AccessFs::MakeDir
        | AccessFs::RemoveFile
        | AccessFs::RemoveDir
}

/// Returns the entries of `/` except `/dev` and links. The rules name each entry, because Landlock can
/// allow a directory, but cannot exclude an entry of the directory.
fn outside_dev() -> anyhow::Result<Vec<PathBuf>> {
    let entries: io::Result<Vec<DirEntry>> = std::fs::read_dir("/").and_then(Iterator::collect);
    let entries = entries.context("the directory / cannot be listed")?;
    // A rule for a link would allow its target, which may be in /dev.
    let is_link = |entry: &DirEntry| entry.file_type().map_or(true, |kind| kind.is_symlink());
    let allowed = entries.into_iter().filter(|entry| entry.file_name() != "dev" && !is_link(entry));
    Ok(allowed.map(|entry| entry.path()).collect())
}

/// Starts the program of this command. Neither the program nor any process that it starts can send signals to other
/// programs, trace them, change their memory or use their open files; nor can they gain privileges.
///
/// If the kernel cannot refuse signals (before Linux 6.12), the program is started without any of these restrictions.
///
/// # Errors
///
/// If the program or a thread cannot be started.
pub(crate) fn spawn_apart(command: &mut Command) -> io::Result<Child> {
    let Ok(ruleset) = signal_rules() else { return command.spawn() };
    // The program inherits the rules of the thread that starts it. A separate thread starts the program, because the
    // rules must not hold for the rest of this process.
    let spawn = || {
        ruleset.restrict_self().map_err(io::Error::other)?;
        command.spawn()
    };
    thread::scope(|scope| {
        let thread = thread::Builder::new().spawn_scoped(scope, spawn)?;
        thread.join().unwrap_or_else(|payload| panic::resume_unwind(payload))
    })
}

/// Returns the rules that refuse signals to other programs. With these rules Landlock also refuses the other accesses
/// that [`spawn_apart`] names.
fn signal_rules() -> Result<RulesetCreated, RulesetError> {
    Ruleset::default().set_compatibility(CompatLevel::HardRequirement).scope(Scope::Signal)?.create()
}
