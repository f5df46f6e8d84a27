//! The system calls that `--sandbox` refuses, one by one.

use itertools::Itertools;

use super::{said_inside, said_outside};
use crate::support::{bot, sandbox_option, skip};

/// A system call: its name, number and arguments.
type Call<'a> = (&'a str, i64, &'a [i64]);

/// Arguments of -1, which is an invalid descriptor, address and number, so that no call has an effect.
const BAD: &[i64] = &[-1; 5];

macro_rules! calls {
    ($($name:ident)*) => { [$((stringify!($name), libc::$name, BAD)),*] };
}

/// Calls that are refused for all arguments.
const ALWAYS: &[Call<'_>] = &calls! {
    SYS_socket SYS_connect SYS_bind SYS_listen SYS_accept SYS_accept4
    SYS_io_uring_setup SYS_io_uring_enter SYS_io_uring_register SYS_io_setup
    SYS_fchmod SYS_fchmodat SYS_fchown SYS_fchownat SYS_utimensat
    SYS_setxattr SYS_lsetxattr SYS_fsetxattr SYS_removexattr SYS_lremovexattr SYS_fremovexattr
    SYS_unshare SYS_setns
    SYS_shmget SYS_shmat SYS_shmctl SYS_semget SYS_semop SYS_semtimedop SYS_semctl
    SYS_msgget SYS_msgsnd SYS_msgrcv SYS_msgctl SYS_mq_open SYS_mq_unlink
    SYS_add_key SYS_request_key SYS_keyctl SYS_flock
};

/// Calls that are refused for all arguments, and that only the older architectures have.
#[cfg(target_arch = "x86_64")]
const OLDER: &[Call<'_>] = &calls! {
    SYS_chmod SYS_chown SYS_lchown SYS_utime SYS_utimes SYS_futimesat
};
#[cfg(not(target_arch = "x86_64"))]
const OLDER: &[Call<'_>] = &[];

/// Calls for which the `libc` crate has no constant, because they are too new.
const WITHOUT_CONSTANT: &[Call<'_>] = &[
    ("fchmodat2", 452, BAD),
    ("setxattrat", 463, BAD),
    ("removexattrat", 466, BAD),
    ("file_setattr", 469, BAD),
];

/// Calls that are refused only with arguments such as these.
const SOMETIMES: &[Call<'_>] = &[
    ("TIOCSTI", libc::SYS_ioctl, &[-1, 0x5412, -1]),
    ("F_SETLK", libc::SYS_fcntl, &[-1, libc::F_SETLK as i64, -1]),
    ("F_SETLKW", libc::SYS_fcntl, &[-1, libc::F_SETLKW as i64, -1]),
    ("F_OFD_SETLK", libc::SYS_fcntl, &[-1, libc::F_OFD_SETLK as i64, -1]),
    ("F_OFD_SETLKW", libc::SYS_fcntl, &[-1, libc::F_OFD_SETLKW as i64, -1]),
    ("F_SETLEASE", libc::SYS_fcntl, &[-1, libc::F_SETLEASE as i64, -1]),
    ("F_SETDELEG", libc::SYS_fcntl, &[-1, 1040, -1]),
    ("foreign-pair", libc::SYS_socketpair, &[libc::AF_INET as i64, libc::SOCK_STREAM as i64, 0, -1]),
    ("datagram-pair", libc::SYS_socketpair, &[libc::AF_UNIX as i64, libc::SOCK_DGRAM as i64, 0, -1]),
    ("raw-pair", libc::SYS_socketpair, &[libc::AF_UNIX as i64, libc::SOCK_RAW as i64, 0, -1]),
    ("limits-of-others", libc::SYS_prlimit64, &[1, -1, -1, -1]),
    // The kernel rejects these two flags together.
    ("CLONE_NEWUSER", libc::SYS_clone, &[(libc::CLONE_NEWUSER | libc::CLONE_FS) as i64, 0, 0, 0, 0]),
];

/// Some of the calls above, with arguments that are not refused.
const ALLOWED: &[Call<'_>] = &[
    ("TCGETS", libc::SYS_ioctl, &[-1, 0x5401, -1]),
    ("TCGETS2", libc::SYS_ioctl, &[-1, 0x802c_542a, -1]),
    ("F_GETLK", libc::SYS_fcntl, &[-1, libc::F_GETLK as i64, -1]),
    ("stream-pair", libc::SYS_socketpair, &[libc::AF_UNIX as i64, libc::SOCK_STREAM as i64, 0, -1]),
    ("own-limits", libc::SYS_prlimit64, &[0, -1, -1, -1]),
];

/// Returns the names of the calls that fail with `error`, in the sandbox or outside.
fn refused(is_inside: bool, error: i32, calls: &[Call<'_>]) -> String {
    let calls = calls.iter().map(|&(name, number, arguments)| {
        format!("{name} {}", [&[number], arguments].concat().iter().join(" "))
    });
    let (error, program, calls) = (error.to_string(), bot("system_calls.py"), calls.collect::<Vec<_>>());
    let mut command = vec!["python3", &program, &error];
    command.extend(calls.iter().map(String::as_str));
    let shown = if is_inside { said_inside(&command) } else { said_outside(&command) };
    shown.trim_end().to_owned()
}

/// Checks that exactly the forbidden calls fail with EPERM, before the kernel checks their arguments. `clone3` fails
/// with ENOSYS, so that libraries call `clone` instead.
#[test]
fn forbidden_calls_are_refused() {
    if sandbox_option().is_none() {
        return;
    }
    let newer = calls! { SYS_clone3 };
    let refusals = [ALWAYS, OLDER, WITHOUT_CONSTANT, SOMETIMES].concat();
    let tried = [&refusals, ALLOWED].concat();
    for (error, tried, expected) in [(libc::EPERM, &tried[..], &refusals[..]), (libc::ENOSYS, &newer, &newer)]
    {
        let names: Vec<&str> = expected.iter().map(|&(name, ..)| name).collect();
        assert_eq!(refused(true, error, tried), names.join(" "));
        let anyway = refused(false, error, tried);
        if !anyway.is_empty() {
            skip(format_args!("refused here anyway: {anyway}"));
        }
    }
}

/// Checks that the x32 interface does not bypass the sandbox, even if the kernel supports x32. Two of its own call
/// numbers and two shared call numbers are refused.
#[cfg(target_arch = "x86_64")]
#[test]
fn calls_of_x32_are_refused() {
    if sandbox_option().is_none() {
        return;
    }
    let calls = [("ioctl", 16), ("own-ioctl", 514), ("socket", 41), ("own-io_setup", 543)];
    let calls = calls.map(|(name, number)| (name, 1 << 30 | number, &[0, 0x5412, 0][..]));
    assert_eq!(refused(true, libc::EPERM, &calls), "ioctl own-ioctl socket own-io_setup");
}
