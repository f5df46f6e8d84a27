//! The memory of several processes, in which a shared page counts once.

use std::io;
use std::time::Instant;

use rustix::io::Errno;

use super::process_state::ProcessState;

/// The sum of the memory of several processes. It is made a few processes at a time, as the kernel goes through
/// all pages of each.
#[derive(Debug, Default)]
pub(super) struct SharedMemory {
    /// The processes that are still to be added: number, thread, and resident memory.
    waiting: Vec<(i32, i32, u64)>,
    sum: u64,
}

impl SharedMemory {
    /// Goes on with the sum until that time, or to its end. Returns it once it is complete, or beyond the limit.
    /// A new sum is begun of these processes.
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

/// The memory of a process, in which a page that n processes share counts as a page divided by n. It is all its
/// resident memory if the judge may not read that, as of a process that has made itself unreadable.
fn proportional(pid: i32, tid: i32, resident: u64) -> u64 {
    match std::fs::read_to_string(format!("/proc/{pid}/task/{tid}/smaps_rollup")) {
        Ok(text) => parse_pss(&text).unwrap_or(resident),
        Err(error) if is_gone(&error) => 0,
        Err(_) => resident,
    }
}

fn is_gone(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound || Errno::from_io_error(error) == Some(Errno::SRCH)
}

fn parse_pss(text: &str) -> Option<u64> {
    let kib = text.lines().find_map(|line| line.strip_prefix("Pss:")?.strip_suffix("kB"))?;
    kib.trim().parse::<u64>().ok()?.checked_mul(1024)
}
