//! The memory of several processes, of what they share each one's share.

use std::io;
use std::time::Instant;

use rustix::io::Errno;

use super::snapshot::ProcessState;

/// A sum that is made a few processes at a time: the kernel goes through all pages of each.
#[derive(Debug, Default)]
pub(super) struct SharedMemory {
    /// The processes that are still to be added: number, thread, and resident memory.
    waiting: Vec<(i32, i32, u64)>,
    sum: u64,
}

impl SharedMemory {
    /// Goes on until that time, or to the end; the sum once all is added, or enough to be beyond the limit.
    /// The next sum is of these processes.
    pub(super) fn add_up(
        &mut self,
        processes: &[ProcessState],
        limit: u64,
        until: Option<Instant>,
    ) -> Option<u64> {
        if self.waiting.is_empty() {
            self.sum = 0;
            let present = processes.iter().filter(|process| process.resident > 0);
            self.waiting.extend(present.map(|process| (process.pid, process.tid, process.resident)));
        }
        while let Some((pid, tid, resident)) = self.waiting.pop() {
            self.sum += proportional(pid, tid, resident);
            if self.sum > limit {
                self.waiting.clear();
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                break;
            }
        }
        self.waiting.is_empty().then_some(self.sum)
    }
}

/// The memory of a process with its share of what it shares; all of it if the kernel does not tell the judge,
/// as of a process that has made itself unreadable.
fn proportional(pid: i32, tid: i32, resident: u64) -> u64 {
    match std::fs::read_to_string(format!("/proc/{pid}/task/{tid}/smaps_rollup")) {
        Ok(text) => share(&text).unwrap_or(resident),
        Err(error) if is_gone(&error) => 0,
        Err(_) => resident,
    }
}

fn is_gone(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound || Errno::from_io_error(error) == Some(Errno::SRCH)
}

fn share(text: &str) -> Option<u64> {
    let kib = text.lines().find_map(|line| line.strip_prefix("Pss:")?.strip_suffix("kB"))?;
    kib.trim().parse::<u64>().ok()?.checked_mul(1024)
}
