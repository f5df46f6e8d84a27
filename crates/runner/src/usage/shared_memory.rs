//! The memory of several processes, in which a shared page counts once.

use std::io;
use std::time::Instant;

use rustix::io::Errno;

use super::process_state::ProcessState;

/// The sum of the memory of several processes. It is made a few processes at a time, as the kernel goes through
/// all pages of each.
#[derive(Debug, Default)]
pub(super) struct SharedMemory {
    /// The processes that are still to be added: number, thread, and memory.
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
            let present = processes.iter().filter(|process| process.memory > 0);
            self.waiting.extend(present.map(|process| (process.pid, process.tid, process.memory)));
        }
        while let Some((pid, tid, memory)) = self.waiting.pop() {
            self.sum += proportional(pid, tid, memory);
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
/// `memory` if the judge may not read that, as of a process that has made itself unreadable.
fn proportional(pid: i32, tid: i32, memory: u64) -> u64 {
    match std::fs::read_to_string(format!("/proc/{pid}/task/{tid}/smaps_rollup")) {
        Ok(text) => parse_pss(&text).unwrap_or(memory),
        Err(error) if is_gone(&error) => 0,
        Err(_) => memory,
    }
}

fn is_gone(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound || Errno::from_io_error(error) == Some(Errno::SRCH)
}

/// The proportional memory in RAM and swap, in bytes.
fn parse_pss(text: &str) -> Option<u64> {
    let kib = |name| {
        let kib = text.lines().find_map(|line| line.strip_prefix(name)?.strip_suffix("kB"))?;
        kib.trim().parse::<u64>().ok()
    };
    // A kernel without swap has no second line.
    kib("Pss:")?.checked_add(kib("SwapPss:").unwrap_or(0))?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_in_swap_counts() {
        let rollup =
            "Rss:                2000 kB\nPss:                 700 kB\nPss_Anon:            600 kB\n";
        assert_eq!(parse_pss(rollup), Some(700 * 1024));
        let swapped = format!("{rollup}Swap:                900 kB\nSwapPss:             300 kB\n");
        assert_eq!(parse_pss(&swapped), Some(1000 * 1024));
        assert_eq!(parse_pss(""), None);
    }
}
