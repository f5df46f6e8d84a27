//! The names of the judge's control groups, and the removal of those whose judge was killed.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fs, io};

use procfs::process::Process;
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use super::removal;

const PREFIX: &str = "zeroxor";

/// The name of a new group: it identifies the judge by its process number, the time at which the process began,
/// and the namespace of the number.
pub(super) fn name() -> io::Result<String> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let judge = Process::myself().and_then(|judge| judge.stat()).map_err(io::Error::other)?;
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    Ok(format!("{PREFIX}-{}-{}-{}-{number}", namespace()?, judge.pid, judge.starttime))
}

/// The namespace of this judge's process.
fn namespace() -> io::Result<String> {
    let link = fs::read_link("/proc/self/ns/pid")?;
    Ok(link.to_string_lossy().chars().filter(char::is_ascii_digit).collect())
}

/// Ends and removes the groups below this one whose judge is no more.
pub(super) fn remove(parent: &Path) {
    let (Ok(entries), Ok(namespace)) = (fs::read_dir(parent), namespace()) else { return };
    for entry in entries.flatten() {
        if entry.file_name().to_str().is_some_and(|name| is_stale(name, &namespace)) {
            removal::end(&entry.path());
        }
    }
}

/// Whether that is the name of a judge's group, and no such judge runs. It is not known for a judge in another
/// process namespace, whose groups are left alone.
fn is_stale(name: &str, own: &str) -> bool {
    let mut parts = name.split('-');
    if parts.next() != Some(PREFIX) || parts.next() != Some(own) {
        return false;
    }
    let mut number = || parts.next().and_then(|part| part.parse::<u64>().ok());
    let (Some(pid), Some(start)) = (number(), number()) else { return false };
    let Ok(pid) = i32::try_from(pid) else { return false };
    match Process::new(pid).and_then(|judge| judge.stat()) {
        Ok(judge) => judge.starttime != start || judge.state == 'Z',
        // One that only cannot be read, as without descriptors or with a hidden /proc, may well be there.
        Err(_) => Pid::from_raw(pid).is_some_and(|pid| test_kill_process(pid) == Err(Errno::SRCH)),
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn only_the_names_of_judges_that_are_gone() {
        let own = namespace().unwrap();
        let name = name().unwrap();
        assert!(!is_stale(&name, &own), "this judge runs: {name}");
        let start = Process::myself().unwrap().stat().unwrap().starttime;
        let judge = std::process::id();
        assert!(is_stale(&format!("{PREFIX}-{own}-{judge}-{}-0", start - 1), &own), "another had its number");
        let mut gone = Command::new("true").spawn().unwrap();
        gone.wait().unwrap();
        let gone = gone.id();
        assert!(is_stale(&format!("{PREFIX}-{own}-{gone}-{start}-0"), &own));
        assert!(
            !is_stale(&format!("{PREFIX}-1-{gone}-{start}-0"), &own),
            "another namespace counts otherwise"
        );
        for other in ["user.slice", PREFIX, &format!("{PREFIX}-{own}"), &format!("{PREFIX}-{own}-x-y")] {
            assert!(!is_stale(other, &own), "{other}");
        }
    }
}
