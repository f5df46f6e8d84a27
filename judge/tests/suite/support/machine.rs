//! Checks for features of this machine. A check that fails reports that the test is skipped, and `tests/summary.rs`
//! counts the skipped tests. Only [`is_the_systems_root`] reports nothing.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::File;
use std::io::Write;
use std::os::unix::fs::chown;
use std::os::unix::process::{CommandExt, parent_id};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::{fs, io, iter};

use super::{JUDGE, PATH, Printed, TestDir, judge};

/// The ID of an unprivileged user and of a group, usually `nobody` and `nogroup`.
pub const NOBODY: u32 = 65534;

/// Reports that a test or a part of a test is skipped, and why. The report goes to stderr, bypassing the capture of a
/// passing test's output, and to the file that `tests/summary.rs` of the same run reads.
pub fn skip(reason: impl Display) {
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let line = format!("SKIPPED {test}: {reason}\n");
    let summary = format!("{}/skipped-{}", env!("CARGO_TARGET_TMPDIR"), parent_id());
    let _ = io::stderr().write_all(line.as_bytes());
    // A test that runs as another user has no permission to write to this file. The test that started it prints the
    // report.
    let _ = File::options()
        .create(true)
        .append(true)
        .open(summary)
        .map(|mut file| file.write_all(line.as_bytes()));
}

/// Reports that a test or a part of a test is skipped because a program or package is not installed. If `CI` is `true`,
/// this is a failure, because `.ci/run` installs everything that the tests need.
#[track_caller]
pub fn skip_without(tool: impl Display) {
    assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "not installed: {tool}");
    skip(format_args!("not installed: {tool}"));
}

/// Returns whether a program is installed, that is, whether it succeeds with `--version`.
#[track_caller]
pub fn has_program(program: &str) -> bool {
    let version = Command::new(program).arg("--version").env("PATH", &*PATH).output();
    let found = version.is_ok_and(|output| output.status.success());
    if !found {
        skip_without(program);
    }
    found
}

pub fn is_root() -> bool {
    let is_root = rustix::process::getuid().is_root();
    if !is_root {
        skip("this needs root");
    }
    is_root
}

/// Returns `option` if a game can be played with it here. The first call tries it.
fn possible(option: &'static str) -> Option<&'static str> {
    static MISSING: Mutex<BTreeMap<&str, Option<String>>> = Mutex::new(BTreeMap::new());
    let mut missing = MISSING.lock().unwrap();
    let missing = missing.entry(option).or_insert_with(|| {
        let trial = judge(&format!("run 1 1 1 {option}"), &[]);
        (!trial.status.success()).then(|| trial.err().trim_end().to_owned())
    });
    missing.as_ref().map(skip).is_none().then_some(option)
}

/// Returns the option `--sandbox`, if this kernel has all features that the sandbox needs.
pub fn sandbox_option() -> Option<&'static str> {
    possible("--sandbox")
}

/// Returns the options of `--fresh`, if the sandbox and process namespaces are possible here.
pub fn fresh_option() -> Option<&'static str> {
    sandbox_option().and_then(|_| possible("--sandbox --fresh"))
}

/// Returns the methods of enforcing limits that this machine has.
pub fn limit_methods() -> Vec<&'static str> {
    iter::once("proc").chain(possible("--limits cgroup").map(|_| "cgroup")).collect()
}

/// Returns the options with which a test plays: none, and `--sandbox` if the sandbox is possible here.
pub fn sandbox_options() -> impl Iterator<Item = &'static str> + Clone {
    iter::once("").chain(sandbox_option())
}

/// Returns whether this user is root of the whole system, not only of a user namespace, and so can become any user.
pub fn is_the_systems_root() -> bool {
    let map = fs::read_to_string("/proc/self/uid_map").unwrap();
    rustix::process::getuid().is_root() && map.split_whitespace().eq(["0", "0", "4294967295"])
}

pub fn has_namespaces() -> bool {
    let unshare = Command::new("unshare").args(["--user", "--map-root-user", "true"]).output();
    let found = unshare.is_ok_and(|output| output.status.success());
    if !found {
        skip("user namespaces cannot be created");
    }
    found
}

/// Runs `tests` of this suite again as an ordinary user, who lacks the rights of root.
pub fn pass_as_an_ordinary_user(tests: &[&str]) {
    if !is_root() {
        return;
    }
    let ordinary = |program: &Path| {
        let mut program = Command::new(program);
        program.uid(NOBODY).gid(NOBODY);
        program
    };
    let mut trial = ordinary(JUDGE.as_ref());
    if let Err(error) = trial.arg("--version").current_dir(env!("CARGO_MANIFEST_DIR")).output() {
        skip(format!("an ordinary user cannot start this judge here: {error}"));
        return;
    }
    let here = TestDir::new();
    chown(here.path(), Some(NOBODY), Some(NOBODY)).unwrap();
    let mut suite = ordinary(&std::env::current_exe().unwrap());
    suite.args(tests).arg("--nocapture").env("TMPDIR", here.path());
    let output = suite.output().unwrap();
    eprintln!("{}{}", output.out(), output.err());
    assert!(output.status.success());
}
