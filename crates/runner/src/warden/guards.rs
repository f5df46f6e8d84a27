//! The guards of a warden and its programs.
//!
//! The warden sets them up before it starts its first program. The programs inherit them, and no process can undo them.
//! docs/limits.md lists what a program cannot do in the sandbox, and which guard refuses it. Without the sandbox, the
//! only guard is that against signals to other programs, which needs Linux 6.12.
//!
//! Root's processes are not counted by `RLIMIT_NPROC`, so a program of root runs as a user that does not exist. A program
//! of another user, or of root in a container that maps no such user, gets a user namespace. So only the processes of this
//! warden count. Without user namespaces the limit is raised by the user's present number of processes, and for those
//! that start later.

use std::collections::BTreeSet;
use std::fs::{self, DirEntry};
use std::io::{PipeReader, PipeWriter};
use std::os::fd::{AsFd, RawFd};
use std::path::PathBuf;
use std::process::{Child, Command};
use std::{io, panic, thread};

use anyhow::{Context, ensure};
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, RulesetError, Scope, path_beneath_rules,
};
use nix::sched::CloneFlags;
use rustix::io::Errno;
use rustix::process::{
    DumpableBehavior, Pid, Resource, Rlimit, Uid, getpid, getppid, getrlimit, getuid, set_child_subreaper,
    set_dumpable_behavior, setrlimit, test_kill_process,
};
use rustix::thread::{
    CapabilitiesSecureBits, CapabilitySet, CapabilitySets, capabilities, configure_capability_in_ambient_set,
    set_capabilities, set_capabilities_secure_bits, set_keep_capabilities, set_no_new_privs,
    set_thread_res_uid,
};

use super::link::Isolation;
use super::{Confinement, init, syscalls};
use crate::children;
use crate::proc;
use crate::sandbox::{Guard, MissingGuards, Sandbox};

pub(super) struct Guards {
    /// The rules for the thread that starts a program: in the sandbox those for files, and everywhere, if the kernel
    /// has them, those that refuse signals to other programs, the warden among them.
    rules: Option<RulesetCreated>,
    /// A pipe whose other end each program's own process namespace watches; `None` if the programs have none.
    fresh: Option<(PipeReader, PipeWriter)>,
    pub(super) isolation: Isolation,
}

impl Guards {
    /// Isolates this process, which must have a single thread. `own` is the only descriptor that it needs besides the
    /// standard ones.
    pub(super) fn set_up(confinement: &Confinement, own: RawFd) -> anyhow::Result<Self> {
        let judge = getppid();
        let Confinement { sandbox, writable, are_compilers, .. } = confinement;
        set_child_subreaper(Some(getpid())).context("the warden cannot become a subreaper")?;
        let is_sandboxed = *sandbox != Sandbox::None;
        let mut fresh = None;
        let (mut missing, mut rules) = (Vec::new(), None);
        if is_sandboxed {
            drop_privileges(confinement, &mut missing)?;
            close_inherited(own)?;
            rules = attempt(&mut missing, &[Guard::Files, Guard::Terminals], file_rules(writable));
        }
        let rules = rules.or_else(|| signal_rules().ok());
        if let Ok(own) = signal_rules() {
            own.restrict_self()
                .context("Landlock, which refuses signals to other programs, cannot be set up")?;
        }
        if is_sandboxed {
            let refused = syscalls::refuse(*are_compilers, confinement.is_fresh());
            attempt(&mut missing, &[Guard::Files, Guard::Network, Guard::Terminals], refused);
            // No program may trace the warden or read its memory.
            set_dumpable_behavior(DumpableBehavior::NotDumpable)
                .context("the warden cannot protect its memory")?;
        }
        if confinement.is_fresh() {
            // A thread that has made a namespace can start no other thread.
            in_thread(init::make_namespace)
                .context("--fresh needs a process namespace for each program, and none can be made")?;
            fresh = Some(io::pipe().context("the warden cannot make a pipe")?);
        }
        // `kill(-1)` would end the whole session of a user if it reached the judge.
        let refuses_signals = judge.is_some_and(|judge| test_kill_process(judge) == Err(Errno::PERM));
        Ok(Self { rules, fresh, isolation: Isolation { refuses_signals, missing } })
    }

    /// Starts the program of this command. Returns it, and the first process of its namespace if it has its own.
    ///
    /// Neither the program nor any process that it starts can send signals to other programs, trace them, change their
    /// memory or use their open files; nor can they gain privileges. If the kernel cannot refuse signals (before Linux
    /// 6.12), a program outside the sandbox is started without these restrictions.
    pub(super) fn spawn(&self, command: &mut Command) -> io::Result<(Child, Option<Pid>)> {
        if self.rules.is_none() && self.fresh.is_none() {
            return Ok((command.spawn()?, None));
        }
        // The program inherits the rules of the thread that starts it. Each program has its own thread, because a
        // thread can enter only 16 sets of rules, and because the warden must stay outside.
        let rules = self.rules.as_ref().map(RulesetCreated::try_clone).transpose()?;
        let spawn = || {
            let warden = self.fresh.as_ref().map(|(reader, _)| reader.as_fd());
            let init = warden.map_or(Ok(None), init::start)?;
            let restricted = rules.map_or(Ok(()), |rules| rules.restrict_self().map(drop));
            Ok((restricted.map_err(io::Error::other).and_then(|()| command.spawn()), init))
        };
        let (started, init) = in_thread(spawn)?;
        let child = started.inspect_err(|_| init.into_iter().for_each(init::end))?;
        // If memory runs out, the kernel must end the program before the warden.
        let _ = fs::write(format!("/proc/{}/oom_score_adj", child.id()), "1000");
        Ok((child, init))
    }

    pub(super) fn kill_all(&self) {
        if self.isolation.refuses_signals {
            let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(-1), nix::sys::signal::SIGKILL);
        } else {
            children::kill_all(&BTreeSet::new());
        }
    }
}

/// Returns the value of an attempt. Records a failed one as the lack of `guards`, and returns `None`.
fn attempt<T>(missing: &mut Vec<MissingGuards>, guards: &[Guard], result: anyhow::Result<T>) -> Option<T> {
    let lack = |error| MissingGuards { guards: guards.to_vec(), reason: format!("{error:#}") };
    result.map_err(|error| missing.push(lack(error))).ok()
}

/// Does what must not change this thread.
fn in_thread<T: Send>(work: impl FnOnce() -> io::Result<T> + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work)?;
        thread.join().unwrap_or_else(|payload| panic::resume_unwind(payload))
    })
}

const STACK: usize = 64 << 10;

/// The lowest user ID for bots of root, above the IDs that systems and containers assign.
const NOBODYS_USERS: u32 = 2_000_000_000;

/// Gives up all privileges, except that a bot of root can still read all files, and limits the number of processes.
///
/// The limit allows one more process than the program may have, so that the judge notices a bot that starts too many.
fn drop_privileges(confinement: &Confinement, missing: &mut Vec<MissingGuards>) -> anyhow::Result<()> {
    let processes = confinement.processes(1);
    let is_nobody = if getuid().is_root() {
        attempt(missing, &[Guard::Processes], become_nobody(confinement))
    } else {
        Some(false)
    };
    let limit = if is_nobody == Some(true) {
        processes
    } else {
        let apart = nix::sched::unshare(CloneFlags::CLONE_NEWUSER);
        let given_up = give_up_capabilities(CapabilitySet::empty(), confinement);
        attempt(missing, &[Guard::Privileges], given_up.context("capabilities cannot be given up"));
        // In its own user namespace the kernel counts the processes from 0, otherwise all of the user.
        let of_others = || present_processes().map(|present| present.saturating_add(LATER_PROCESSES));
        if apart.is_ok() { processes } else { processes.saturating_add(of_others()?) }
    };
    if is_nobody.is_some() {
        let limited = limit_processes(limit).context("the number of processes cannot be limited");
        attempt(missing, &[Guard::Processes], limited);
    }
    set_limit(Resource::Core, 0).context("core dumps cannot be switched off")?;
    let restricted = set_no_new_privs(true).context("no_new_privs, which restricts privileges, is missing");
    attempt(missing, &[Guard::Privileges], restricted);
    Ok(())
}

/// Changes from root, whose processes no limit counts, to a user ID that no other process has. The process can still
/// read all that root can read. Returns false if there is no such user ID, because a container maps too few IDs.
fn become_nobody(confinement: &Confinement) -> anyhow::Result<bool> {
    let held = capabilities(None).context("root's capabilities cannot be read")?.permitted;
    // Without CAP_KILL the judge could not end a bot of another user.
    for (capability, name) in [(CapabilitySet::SETUID, "CAP_SETUID"), (CapabilitySet::KILL, "CAP_KILL")] {
        ensure!(held.contains(capability), "the processes of root cannot be counted without {name}");
    }
    // Then access(2), by which compilers look for their parts, respects the capability to read.
    let _ = set_capabilities_secure_bits(CapabilitiesSecureBits::NO_SETUID_FIXUP);
    set_keep_capabilities(true).context("root's capabilities cannot be kept")?;
    let user = Uid::from_raw(NOBODYS_USERS + getpid().as_raw_nonzero().get().unsigned_abs());
    match set_thread_res_uid(user, user, user) {
        Err(Errno::INVAL) => return Ok(false),
        changed => changed.with_context(|| format!("root cannot become user {}", user.as_raw()))?,
    }
    // This capability also allows writing, which Landlock forbids.
    let reading = held & CapabilitySet::DAC_OVERRIDE;
    give_up_capabilities(reading, confinement).context("root's capabilities cannot be given up")?;
    if !reading.is_empty() {
        configure_capability_in_ambient_set(reading, true)
            .context("root's capability to read cannot be kept")?;
    }
    Ok(true)
}

/// Keeps `effective`, which the programs inherit. For process namespaces the warden can make one more effective, which the
/// thread that starts a program gives up before.
fn give_up_capabilities(effective: CapabilitySet, confinement: &Confinement) -> rustix::io::Result<()> {
    let wanted = if confinement.is_fresh() { CapabilitySet::SYS_ADMIN } else { CapabilitySet::empty() };
    let permitted = effective | capabilities(None)?.permitted & wanted;
    set_capabilities(None, CapabilitySets { effective, permitted, inheritable: effective })
}

/// Limits the number of processes and threads, after a check that the kernel counts them. The kernel does not count
/// processes of the initial namespace's root, whatever ID that user has in a container.
fn limit_processes(limit: u64) -> anyhow::Result<()> {
    setrlimit(Resource::Nproc, Rlimit { current: Some(0), ..getrlimit(Resource::Nproc) })?;
    let is_counted = thread::Builder::new().spawn(|| ()).is_err();
    set_limit(Resource::Nproc, limit)?;
    ensure!(is_counted, "this user is root of the initial namespace, and no other user is mapped here");
    Ok(())
}

/// Lowers a limit permanently.
fn set_limit(resource: Resource, limit: u64) -> rustix::io::Result<()> {
    let limit = getrlimit(resource).maximum.map_or(limit, |maximum| maximum.min(limit));
    setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) })
}

/// Number of processes and threads of the same user, such as those of other bots, that may start after this one. A bot
/// must not reach the kernel's limit because of them.
const LATER_PROCESSES: u64 = 1024;

fn present_processes() -> anyhow::Result<u64> {
    let user = getuid().to_string();
    let entries = fs::read_dir("/proc").context("the user's processes cannot be counted")?;
    let status = |entry: DirEntry| proc::read(&format!("{}/status", entry.path().display())).ok()?;
    let threads = |status: String| {
        let owner = proc::value(&status, "Uid:")?.split_ascii_whitespace().next()?;
        proc::value(&status, "Threads:")?.parse::<u64>().ok().filter(|_| owner == user)
    };
    Ok(entries.flatten().filter_map(status).filter_map(threads).sum())
}

/// The devices that may be written to, because none of them stores data.
const WRITABLE_DEVICES: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/full"];

/// The readable files in `/dev` besides the writable devices. The other files there are terminals, keyboards, disks
/// and similar devices. `/dev/stdin` and `/dev/fd` need no rule: they are links to `/proc`.
const READABLE_IN_DEV: [&str; 3] = ["/dev/random", "/dev/urandom", "/dev/shm"];

/// Closes every descriptor except stdin, stdout, stderr and `own`: a descriptor open for writing would stay writable.
fn close_inherited(own: RawFd) -> anyhow::Result<()> {
    let listed = fs::read_dir("/proc/self/fd").and_then(Iterator::collect::<io::Result<Vec<DirEntry>>>);
    let listed = listed.context("the open descriptors cannot be listed")?;
    let open: Vec<RawFd> =
        listed.into_iter().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    for descriptor in open.into_iter().filter(|&descriptor| descriptor > 2 && descriptor != own) {
        // The descriptor of the directory list is closed already.
        let _ = nix::unistd::close(descriptor);
    }
    Ok(())
}

/// Returns the rules that refuse every write to a file and every access to a device. Exceptions are the harmless devices
/// above, what is not a folder in `writable`, and the regular files and folders below the folders in `writable`.
fn file_rules(writable: &[PathBuf]) -> anyhow::Result<RulesetCreated> {
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
    let both = AccessFs::ReadFile | AccessFs::WriteFile;
    // Everything except links, FIFOs, sockets and devices.
    let made = AccessFs::MakeReg | AccessFs::MakeDir | AccessFs::RemoveFile | AccessFs::RemoveDir;
    let rules = path_beneath_rules(outside_dev()?, AccessFs::ReadFile)
        .chain(path_beneath_rules(READABLE_IN_DEV, AccessFs::ReadFile))
        .chain(path_beneath_rules(WRITABLE_DEVICES, both))
        .chain(path_beneath_rules(writable, both | AccessFs::Truncate | made));
    let ruleset = ruleset.create().and_then(|ruleset| ruleset.add_rules(rules));
    ruleset.context("Landlock, which restricts the file system, cannot be set up")
}

/// Returns the entries of `/` except `/dev` and links. The rules name each entry, because Landlock can
/// allow a directory, but cannot exclude an entry of the directory.
fn outside_dev() -> anyhow::Result<Vec<PathBuf>> {
    let entries: io::Result<Vec<DirEntry>> = fs::read_dir("/").and_then(Iterator::collect);
    let entries = entries.context("the directory / cannot be listed")?;
    // A rule for a link would allow its target, which may be in /dev.
    let is_link = |entry: &DirEntry| entry.file_type().map_or(true, |kind| kind.is_symlink());
    let allowed = entries.into_iter().filter(|entry| entry.file_name() != "dev" && !is_link(entry));
    Ok(allowed.map(|entry| entry.path()).collect())
}

/// Returns the rules that refuse signals to other programs. With these rules Landlock also refuses the other accesses
/// that [`Guards::spawn`] names.
fn signal_rules() -> Result<RulesetCreated, RulesetError> {
    Ruleset::default().set_compatibility(CompatLevel::HardRequirement).scope(Scope::Signal)?.create()
}
