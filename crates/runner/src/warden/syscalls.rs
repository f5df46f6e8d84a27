//! The system calls that the sandbox refuses.

use std::collections::BTreeMap;

use anyhow::Context;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Width, SeccompCmpOp as Is, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch, apply_filter,
};

const REFUSED: &[i64] = &[
    // Every access to the network and to the sockets of other programs.
    libc::SYS_socket,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    // The requests of io_uring bypass this filter.
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // The whole system has few slots for asynchronous requests.
    libc::SYS_io_setup,
    X32_IO_SETUP,
    // A namespace of its own would give the bot capabilities.
    libc::SYS_setns,
    // Objects that outlive their process, or that other programs have made.
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
];

/// Changes that Landlock does not restrict, and that are refused: modes, owners, times and attributes, and locks, for
/// which other programs would wait.
const CHANGES: &[i64] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    SETXATTRAT,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    REMOVEXATTRAT,
    FILE_SETATTR,
    libc::SYS_flock,
];

#[cfg(target_arch = "x86_64")]
const OLDER_CHANGES: &[i64] = &[
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
];
#[cfg(not(target_arch = "x86_64"))]
const OLDER_CHANGES: &[i64] = &[];

// These calls are newer than the bindings. Their numbers are the same on every architecture.
const FCHMODAT2: i64 = 452;
const SETXATTRAT: i64 = 463;
const REMOVEXATTRAT: i64 = 466;
const FILE_SETATTR: i64 = 469;

/// Locks of a part of a file, and leases: other programs would wait for them.
const LOCKS: [libc::c_int; 6] =
    [libc::F_SETLK, libc::F_SETLKW, libc::F_OFD_SETLK, libc::F_OFD_SETLKW, libc::F_SETLEASE, F_SETDELEG];

// The bindings do not have this constant, which is new in Linux 6.19.
const F_SETDELEG: libc::c_int = 1040;

/// The only allowed requests to devices and files: queries, and the modes of a descriptor. Other requests could type
/// into the judge's terminal or change a file's flags.
const REQUESTS: [libc::Ioctl; 8] = [
    libc::TCGETS,
    libc::TCGETS2,
    libc::TIOCGWINSZ,
    libc::TIOCGPGRP,
    libc::FIONREAD,
    libc::FIONBIO,
    libc::FIOCLEX,
    libc::FIONCLEX,
];

/// The bit that marks calls of the x32 interface. For seccomp, x32 has the same architecture as x86-64.
#[cfg(target_arch = "x86_64")]
const X32: i64 = 0x4000_0000;

// The numbers that some calls have only in x32. No other architecture uses them.
const X32_IOCTL: i64 = 514;
const X32_IO_SETUP: i64 = 543;

/// The calls to refuse. Each has the rules for the arguments to refuse, or no rule if the call is always refused.
type CallRules = BTreeMap<i64, Vec<SeccompRule>>;

/// Refuses the calls from now on, with `EPERM`. With `ignores_changes`, changes seem to succeed without effect. With
/// `allows_process_namespaces` a warden can make process namespaces, as far as it has the capability.
pub(super) fn refuse(ignores_changes: bool, allows_process_namespaces: bool) -> anyhow::Result<()> {
    let mut rules: CallRules = REFUSED.iter().map(|&call| (call, Vec::new())).collect();
    let mut changes: CallRules =
        CHANGES.iter().chain(OLDER_CHANGES).map(|&call| (call, Vec::new())).collect();
    changes.insert(libc::SYS_fcntl, any(LOCKS.map(|lock| condition(1, Is::Eq, lock.unsigned_abs())))?);
    // Mono sets the priority of each of its threads so, and writes to stdout if it cannot.
    let mut ignored = CallRules::from([(libc::SYS_sched_setscheduler, any([another(0)])?)]);
    if ignores_changes { &mut ignored } else { &mut rules }.extend(changes);
    // Pairs of sockets that could send to other programs: datagram and raw sockets, and all that are not local.
    let foreign = condition(0, Is::Ne, libc::AF_UNIX.unsigned_abs());
    let kind = |kind: libc::c_int| condition(1, Is::MaskedEq(0xf), kind.unsigned_abs());
    rules.insert(libc::SYS_socketpair, any([foreign, kind(libc::SOCK_DGRAM), kind(libc::SOCK_RAW)])?);
    // A lower limit can end another process.
    let set = SeccompCondition::new(2, Width::Qword, Is::Ne, 0)?;
    rules.insert(libc::SYS_prlimit64, vec![SeccompRule::new(vec![another(0)?, set])?]);
    let others = condition(0, Is::Ne, libc::CLONE_NEWPID.unsigned_abs());
    rules.insert(libc::SYS_unshare, if allows_process_namespaces { any([others])? } else { Vec::new() });
    // Other namespaces need the capabilities of a user namespace.
    let user = libc::CLONE_NEWUSER.unsigned_abs();
    rules.insert(libc::SYS_clone, any([condition(0, Is::MaskedEq(user.into()), user)])?);
    for call in [libc::SYS_ioctl, X32_IOCTL] {
        rules.insert(call, requests()?);
    }
    // Changes of threads other than the calling one.
    for call in [libc::SYS_sched_setaffinity, libc::SYS_sched_setparam, libc::SYS_sched_setattr] {
        rules.insert(call, any([another(0)])?);
    }
    // The first argument says whether the second one is a thread, which is `PRIO_PROCESS` or `IOPRIO_WHO_PROCESS`.
    for (call, thread) in [(libc::SYS_setpriority, 0), (libc::SYS_ioprio_set, 1)] {
        rules.insert(call, any([condition(0, Is::Ne, thread), another(1)])?);
    }
    // A filter cannot read the arguments of clone3. After ENOSYS libraries call clone instead.
    let newer = CallRules::from([(libc::SYS_clone3, Vec::new())]);
    for (rules, error) in [(rules, libc::EPERM), (ignored, 0), (newer, libc::ENOSYS)] {
        let filter = filter(rules, error)
            .context("seccomp, which restricts system calls, is not supported on this architecture")?;
        apply_filter(&filter).context("seccomp filters, which restrict system calls, are missing")?;
    }
    Ok(())
}

fn filter(rules: CallRules, error: libc::c_int) -> anyhow::Result<BpfProgram> {
    #[cfg(target_arch = "x86_64")]
    let rules =
        rules.into_iter().flat_map(|(call, when)| [(call, when.clone()), (call | X32, when)]).collect();
    let refused = SeccompAction::Errno(error.unsigned_abs());
    let arch: TargetArch = std::env::consts::ARCH.try_into()?;
    Ok(SeccompFilter::new(rules, SeccompAction::Allow, refused, arch)?.try_into()?)
}

/// Returns rules that refuse requests to a device or file, except for [`REQUESTS`].
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a request has 32 bits, which glibc's bindings widen and musl's make signed"
)]
fn requests() -> anyhow::Result<Vec<SeccompRule>> {
    let other = REQUESTS.iter().map(|&request| condition(1, Is::Ne, request as u32));
    Ok(vec![SeccompRule::new(other.collect::<anyhow::Result<_>>()?)?])
}

/// Returns the condition that an argument is not 0. The number 0 means the calling process or thread.
fn another(argument: u8) -> anyhow::Result<SeccompCondition> {
    condition(argument, Is::Ne, 0)
}

fn any(
    conditions: impl IntoIterator<Item = anyhow::Result<SeccompCondition>>,
) -> anyhow::Result<Vec<SeccompRule>> {
    conditions.into_iter().map(|condition| Ok(SeccompRule::new(vec![condition?])?)).collect()
}

/// Returns a condition on an argument of 32 bits. The kernel ignores the other bits.
fn condition(argument: u8, is: Is, value: u32) -> anyhow::Result<SeccompCondition> {
    Ok(SeccompCondition::new(argument, Width::Dword, is, value.into())?)
}
