//! The removal of control groups: their processes are killed and their folders removed. The name of a group identifies
//! its judge, so that the groups of killed judges are found.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use procfs::process::Process;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use crate::cgroup::folder::{processes, write};

/// Maximum time for ending and removing a group and all groups below it.
const REMOVAL_TIMEOUT: Duration = Duration::from_secs(1);

/// How long to wait for killed processes before trying again to remove their group.
const POLL_INTERVAL: Duration = Duration::from_micros(200);

/// Ends the processes of a group and of the groups below it, and removes the groups. Gives up after
/// [`REMOVAL_TIMEOUT`].
pub(super) fn end(folder: &Path) {
    end_until(folder, Instant::now() + REMOVAL_TIMEOUT);
}

/// Ends and removes a group. The groups below it share its deadline, however many groups a bot has made.
fn end_until(folder: &Path, deadline: Instant) {
    loop {
        kill(folder);
        for below in below(folder) {
            end_until(&below, deadline);
        }
        match fs::remove_dir(folder) {
            // A process has not ended yet.
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy && Instant::now() < deadline => {
                thread::sleep(POLL_INTERVAL);
            }
            _ => return,
        }
    }
}

fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .collect()
}

/// Forbids new processes, so that the list of processes is complete, and kills the listed processes.
pub(super) fn kill(folder: &Path) {
    let _ = write(&folder.join("pids.max"), "0");
    // Since Linux 5.14, version 2 can end all processes at once, including those of groups below.
    if write(&folder.join("cgroup.kill"), "1").is_ok() {
        return;
    }
    let listed = processes(folder).unwrap_or_default();
    for process in listed.into_iter().filter_map(Pid::from_raw) {
        let _ = kill_process(process, Signal::KILL);
    }
}

const PREFIX: &str = "zeroxor";

/// Returns the name of a new group. The name identifies the judge by its process number, the start of its process, and
/// the namespace of the number.
pub(super) fn new_name() -> io::Result<String> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let judge = Process::myself().and_then(|judge| judge.stat()).map_err(io::Error::other)?;
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    Ok(format!("{PREFIX}-{}-{}-{}-{number}", namespace()?, judge.pid, judge.starttime))
}

/// Returns the process namespace of this judge.
fn namespace() -> io::Result<String> {
    let link = fs::read_link("/proc/self/ns/pid")?;
    Ok(link.to_string_lossy().chars().filter(char::is_ascii_digit).collect())
}

/// Ends and removes the groups below `parent` whose judge no longer runs.
pub(super) fn remove_stale(parent: &Path) {
    let (Ok(entries), Ok(namespace)) = (fs::read_dir(parent), namespace()) else { return };
    for entry in entries.flatten() {
        if entry.file_name().to_str().is_some_and(|name| is_stale(name, &namespace)) {
            end(&entry.path());
        }
    }
}

/// Checks whether `name` is the name of a group whose judge no longer runs. Judges outside the process namespace `own`
/// cannot be checked, so their groups stay.
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
        // A process may exist although it cannot be read, for example if no descriptor is free or /proc is hidden.
        Err(_) => Pid::from_raw(pid).is_some_and(|pid| test_kill_process(pid) == Err(Errno::SRCH)),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Read, Write, stderr};
    use std::process::{Command, Stdio};

    use crate::cgroup::folder::KeptFile;

    use super::*;

    /// Checks that a real group of version 2 can be ended without a controller.
    #[test]
    fn a_group_of_version_2_ends() {
        let mounts = ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"].map(Path::new);
        let mount = mounts.into_iter().find(|mount| mount.join("cgroup.controllers").exists());
        let folder = mount.and_then(|mount| Some(mount.join(new_name().ok()?)));
        let Some(folder) = folder.filter(|folder| fs::create_dir(folder).is_ok()) else {
            let _ = stderr().write_all(b"SKIPPED: no control group of version 2 can be made here\n");
            return;
        };
        fs::create_dir(folder.join("below")).unwrap();
        // A shell starts each sleeper and prints its exit code. The test itself could not wait for a sleeper, because
        // the reaper of another test's bot may reap a child of this process at any time.
        let script = "sleep 100 & echo $!; wait $!; echo $?";
        let sleepers = [&folder, &folder.join("below")].map(|group| {
            let mut shell = Command::new("sh");
            let shell = shell.args(["-c", script]).stdout(Stdio::piped()).stderr(Stdio::null());
            let mut shell = shell.spawn().unwrap();
            let mut output = BufReader::new(shell.stdout.take().unwrap());
            let mut sleeper = String::new();
            output.read_line(&mut sleeper).unwrap();
            write(&group.join("cgroup.procs"), sleeper.trim_end()).unwrap();
            (shell, output)
        });
        assert!(KeptFile::open(folder.join("cpu.stat")).unwrap().entry("usage_usec").is_ok());
        kill(&folder);
        for (mut shell, mut output) in sleepers {
            let mut status = String::new();
            output.read_to_string(&mut status).unwrap();
            // 137 means killed by signal 9. Empty output means that another test's judge has ended the shell, because
            // the shell is a descendant of this process.
            assert!(["137\n", ""].contains(&status.as_str()), "{status:?}");
            // The shell may be reaped already.
            let _ = shell.wait();
        }
        end(&folder);
        assert!(!folder.exists());
    }

    #[test]
    fn groups_of_ended_judges_are_stale() {
        let own = namespace().unwrap();
        let name = new_name().unwrap();
        assert!(!is_stale(&name, &own), "this judge runs: {name}");
        let start = Process::myself().unwrap().stat().unwrap().starttime;
        let judge = std::process::id();
        assert!(is_stale(&format!("{PREFIX}-{own}-{judge}-{}-0", start - 1), &own), "the number is reused");
        let mut gone = Command::new("true").spawn().unwrap();
        gone.wait().unwrap();
        let gone = gone.id();
        assert!(is_stale(&format!("{PREFIX}-{own}-{gone}-{start}-0"), &own));
        assert!(
            !is_stale(&format!("{PREFIX}-1-{gone}-{start}-0"), &own),
            "its judge is in another namespace"
        );
        for other in ["user.slice", PREFIX, &format!("{PREFIX}-{own}"), &format!("{PREFIX}-{own}-x-y")] {
            assert!(!is_stale(other, &own), "{other}");
        }
    }
}
