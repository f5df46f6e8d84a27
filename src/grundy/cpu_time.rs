//! The CPU time of this process.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The CPU time that this process has taken so far, all its threads together; where the system does not tell, the time
/// since the first call.
pub(super) fn cpu_time() -> Duration {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    of_process().unwrap_or_else(|| FIRST.get_or_init(Instant::now).elapsed())
}

/// User and system time, the 14th and the 15th word of /proc/self/stat, in hundredths of a second. The second word is
/// the program's name, in parentheses, and may have blanks.
#[cfg(target_os = "linux")]
fn of_process() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let mut words = stat.rsplit_once(')')?.1.split_ascii_whitespace().skip(11);
    let mut ticks = || words.next()?.parse::<u64>().ok();
    Some(Duration::from_millis(10 * ticks()?.checked_add(ticks()?)?))
}

#[cfg(not(target_os = "linux"))]
fn of_process() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_time() {
        let start = cpu_time();
        let mut sum = 1_u64;
        // Bounded: it ends with the first tick.
        while cpu_time() == start {
            (0..1 << 20).for_each(|at| sum = std::hint::black_box(sum.wrapping_mul(at | 1)));
        }
        assert!(cpu_time() > start);
    }
}
