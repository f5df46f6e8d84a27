//! The end of a control group: its processes are killed, and its folders removed.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use rustix::process::{Pid, Signal, kill_process};

use super::files::{processes, write};

/// How long the judge tries to end and remove a group and all groups below it.
const REMOVAL_TIMEOUT: Duration = Duration::from_secs(1);

/// How long it waits for killed processes before it tries to remove their group again.
const POLL_INTERVAL: Duration = Duration::from_micros(200);

/// Ends the processes of a group and of those below it, and removes them all, if that can be done in time.
pub(super) fn end(folder: &Path) {
    end_until(folder, Instant::now() + REMOVAL_TIMEOUT);
}

/// Ends and removes a group. The groups below share the deadline, however many a bot has made.
fn end_until(folder: &Path, deadline: Instant) {
    loop {
        kill(folder);
        for below in below(folder) {
            end_until(&below, deadline);
        }
        match fs::remove_dir(folder) {
            // Some process is not gone yet.
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

/// Forbids new processes, so that those that are listed are all, and kills them.
pub(super) fn kill(folder: &Path) {
    let _ = write(&folder.join("pids.max"), "0");
    // Version 2 as of Linux 5.14 ends all at once, also those of groups below.
    if write(&folder.join("cgroup.kill"), "1").is_ok() {
        return;
    }
    let listed = processes(folder).unwrap_or_default();
    for process in listed.into_iter().filter_map(Pid::from_raw) {
        let _ = kill_process(process, Signal::KILL);
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Read, Write, stderr};
    use std::process::{Command, Stdio};

    use super::super::files::KeptFile;
    use super::super::stale;
    use super::*;

    /// A real group of version 2 needs no controller to be ended.
    #[test]
    fn a_group_of_version_2_ends() {
        let mounts = ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"].map(Path::new);
        let mount = mounts.into_iter().find(|mount| mount.join("cgroup.controllers").exists());
        let folder = mount.and_then(|mount| Some(mount.join(stale::name().ok()?)));
        let Some(folder) = folder.filter(|folder| fs::create_dir(folder).is_ok()) else {
            let _ = stderr().write_all(b"SKIPPED: no control group of version 2 can be made here\n");
            return;
        };
        fs::create_dir(folder.join("below")).unwrap();
        // Each sleeper is its shell's child, and the shell tells of its end: the reaper of another test's bot may take a
        // child of this process at any time.
        let script = "sleep 100 & echo $!; wait $!; echo $?";
        let sleepers = [&folder, &folder.join("below")].map(|group| {
            let mut shell = Command::new("sh");
            let shell = shell.args(["-c", script]).stdout(Stdio::piped()).stderr(Stdio::null());
            let mut shell = shell.spawn().unwrap();
            let mut said = BufReader::new(shell.stdout.take().unwrap());
            let mut sleeper = String::new();
            said.read_line(&mut sleeper).unwrap();
            write(&group.join("cgroup.procs"), sleeper.trim_end()).unwrap();
            (shell, said)
        });
        assert!(KeptFile::open(folder.join("cpu.stat")).unwrap().entry("usage_usec").is_ok());
        kill(&folder);
        for (mut shell, mut said) in sleepers {
            let mut status = String::new();
            said.read_to_string(&mut status).unwrap();
            // 137: killed by signal 9. Nothing: another test's judge has ended the shell, as a descendant of this process.
            assert!(["137\n", ""].contains(&status.as_str()), "{status:?}");
            // It may be reaped already.
            let _ = shell.wait();
        }
        end(&folder);
        assert!(!folder.exists());
    }
}
