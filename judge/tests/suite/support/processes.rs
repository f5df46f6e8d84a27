//! Functions that find processes, wait for them, and send signals to them.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Once};
use std::time::{Duration, Instant, SystemTime};

use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

use super::Printed;

/// A shell command of a bot that sets `above` to the judge, which is the parent of the bot's warden.
pub const FIND_ABOVE: &str = "read -r _ _ _ above _ < /proc/$PPID/stat";

/// Returns the wardens of a judge, which any of its threads has started.
pub fn wardens_of(judge: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{judge}/task")).into_iter().flatten().flatten();
    let lists = threads.map(|thread| fs::read_to_string(thread.path().join("children")).unwrap_or_default());
    let is_warden = |child: &u32| {
        let arguments = fs::read_to_string(format!("/proc/{child}/cmdline")).unwrap_or_default();
        arguments.split('\0').nth(1) == Some("warden")
    };
    let children = lists.flat_map(|list| list.split_whitespace().map(str::parse).collect::<Vec<_>>());
    children.map(Result::unwrap).filter(is_warden).collect()
}

/// Returns whether the arguments of some process satisfy `wanted`.
pub fn is_running(mut wanted: impl FnMut(&[String]) -> bool) -> bool {
    fs::read_dir("/proc").unwrap().any(|entry| {
        let arguments = fs::read(entry.unwrap().path().join("cmdline")).unwrap_or_default();
        let arguments = String::from_utf8_lossy(&arguments);
        wanted(&arguments.split_terminator('\0').map(str::to_owned).collect::<Vec<_>>())
    })
}

/// Waits until a condition holds, for example until a killed process has disappeared.
#[track_caller]
pub fn await_that(holds: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < deadline, "the condition did not become true within 60 s");
        // Without a pause, the test would take the processor from what it waits for.
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Returns whether a process exists. A process that has ended exists until it is reaped; for an orphan, the first process
/// of a container may take seconds, so that an ended orphan does not count.
pub fn is_alive(process: &str) -> bool {
    let stat = fs::read_to_string(Path::new("/proc").join(process).join("stat"));
    stat.is_ok_and(|stat| !stat.contains(") Z 1 "))
}

pub fn send(signal: Signal, process: u32) {
    kill_process(Pid::from_raw(process.try_into().unwrap()).unwrap(), signal).unwrap();
}

/// Undoes the effect of nohup(1) or of a background shell: programs that start from now on do not ignore signals.
pub fn stop_ignoring_signals() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
            signal_hook::flag::register_conditional_default(signal, Arc::new(true.into())).unwrap();
        }
    });
}

/// Returns the folders of the control groups that a judge has made. The judge was started after `since`: an older judge
/// with the same process number may have left groups on this machine.
pub fn groups_of(judge: u32, since: SystemTime) -> Vec<String> {
    let found =
        Command::new("find").args(["/sys/fs/cgroup", "-name", &format!("zeroxor-{judge}-*")]).output();
    let since = since.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_micros();
    // The name has the time in hexadecimal microseconds.
    let is_new = |group: &&str| {
        let time = group.rsplit('-').nth(1).unwrap();
        u128::from_str_radix(time, 16).unwrap() >= since
    };
    found.unwrap().out().lines().filter(is_new).map(str::to_owned).collect()
}
