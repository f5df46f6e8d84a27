//! Checks whether the kernel has the features that tests need, and disables system calls that tests must do without.

use std::fs;

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, SeccompRule};

use crate::support::skip;

/// Returns whether Landlock can refuse signals, which needs Linux 6.12. If it cannot, reports that the test is skipped.
pub fn has_signal_scopes() -> bool {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
    let mut numbers = release.split(|symbol: char| !symbol.is_ascii_digit()).map(str::parse::<u32>);
    let release = [numbers.next(), numbers.next()].map(|number| number.unwrap().unwrap());
    if release < [6, 12] {
        skip(format!("Linux {release:?} cannot refuse signals"));
    }
    release >= [6, 12]
}

/// Does `work` in a thread whose programs can send signals to the judge and to each other, because the kernel lacks
/// Landlock.
pub fn with_signals<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    without_call(libc::SYS_landlock_create_ruleset, libc::ENOSYS, work)
}

/// Does `work` in a thread in which the system call `call` fails with `error`. The call also fails in all programs that
/// `work` starts.
pub fn without_call<T: Send>(call: i64, error: i32, work: impl FnOnce() -> T + Send) -> T {
    without_calls(call, Vec::new(), error, work)
}

/// Does the same as [`without_call`] for the calls to which one of the rules applies, or all calls if there is no rule.
pub fn without_calls<T: Send>(
    call: i64,
    rules: Vec<SeccompRule>,
    error: i32,
    work: impl FnOnce() -> T + Send,
) -> T {
    let failure = SeccompAction::Errno(error.unsigned_abs());
    let arch = std::env::consts::ARCH.try_into().unwrap();
    let filter = SeccompFilter::new([(call, rules)].into(), SeccompAction::Allow, failure, arch).unwrap();
    let filter: BpfProgram = filter.try_into().unwrap();
    std::thread::scope(|scope| {
        let work = || {
            seccompiler::apply_filter(&filter).unwrap();
            work()
        };
        scope.spawn(work).join().unwrap()
    })
}
