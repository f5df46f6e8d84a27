//! Which of its two outputs a program writes to first.

use std::os::fd::{BorrowedFd, OwnedFd};

#[cfg(target_os = "linux")]
use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};

#[cfg(target_os = "linux")]
const STDERR: u64 = 2;

/// Watches both outputs of a program, which are empty, until one is read. Only Linux can watch them.
#[cfg(target_os = "linux")]
pub(super) fn watch(stdout: BorrowedFd<'_>, stderr: BorrowedFd<'_>) -> Option<OwnedFd> {
    let watch = epoll::create(CreateFlags::CLOEXEC).ok()?;
    epoll::add(&watch, stdout, EventData::new_u64(1), EventFlags::IN).ok()?;
    epoll::add(&watch, stderr, EventData::new_u64(STDERR), EventFlags::IN).ok()?;
    Some(watch)
}

/// Returns whether the first write was to stderr, if none of the outputs has been read yet.
///
/// A write to an empty pipe adds the pipe to the end of epoll's list of ready pipes before write(2) returns. Therefore the
/// list has the order of the writes, however late it is read; poll(2) would say only that both pipes are ready.
#[cfg(target_os = "linux")]
pub(super) fn is_stderr(watch: &OwnedFd) -> bool {
    let mut first = [epoll::Event { flags: EventFlags::empty(), data: EventData::new_u64(0) }];
    let count = epoll::wait(watch, &mut first, Some(&rustix::event::Timespec::default()));
    count == Ok(1) && first[0].data.u64() == STDERR
}

#[cfg(not(target_os = "linux"))]
pub(super) fn watch(_: BorrowedFd<'_>, _: BorrowedFd<'_>) -> Option<OwnedFd> {
    None
}

#[cfg(not(target_os = "linux"))]
pub(super) fn is_stderr(_: &OwnedFd) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read, Write};
    use std::os::fd::AsFd;

    use super::*;

    /// Checks that the order of the first writes counts, not the order of the pipes or of later writes.
    #[test]
    fn the_order_of_the_first_writes() {
        if !cfg!(target_os = "linux") {
            return;
        }
        for (writes, is_stderr) in [
            ("e", true),
            ("o", false),
            ("eo", true),
            ("oe", false),
            ("eeoo", true),
            ("oeee", false),
            ("", false),
        ] {
            let (stdout, mut to_stdout) = io::pipe().unwrap();
            let (mut stderr, mut to_stderr) = io::pipe().unwrap();
            // A pipe that was read is as good as new.
            to_stderr.write_all(b"x").unwrap();
            stderr.read_exact(&mut [0]).unwrap();
            let first = watch(stdout.as_fd(), stderr.as_fd()).unwrap();
            for pipe in writes.bytes() {
                if pipe == b'e' { to_stderr.write_all(b"x") } else { to_stdout.write_all(b"x") }.unwrap();
            }
            drop((to_stdout, to_stderr));
            assert_eq!(super::is_stderr(&first), is_stderr, "{writes:?}");
        }
    }
}
