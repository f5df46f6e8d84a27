//! What this machine has; a test that needs something else is skipped with a message.

use std::fmt::Display;
use std::fs;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use super::{JUDGE, TestDir, judge, text};

/// The user and the group that own nothing.
pub const NOBODY: u32 = 65534;

/// Says that a test, or a part of it, is skipped, and why.
pub fn skip(reason: impl Display) {
    eprintln!("SKIPPED: {reason}");
}

/// Whether this is Linux.
pub fn is_linux() -> bool {
    let is_linux = cfg!(target_os = "linux");
    if !is_linux {
        skip("this is not Linux");
    }
    is_linux
}

/// Whether this user is root.
pub fn is_root() -> bool {
    let is_root = rustix::process::getuid().is_root();
    if !is_root {
        skip("this takes root");
    }
    is_root
}

/// Whether Python is there.
pub fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        skip("there is no python3");
    }
    found
}

/// Whether this kernel has all the guards of the sandbox.
pub fn has_sandbox() -> bool {
    let trial = judge("launch", &[]);
    if !trial.status.success() {
        skip(text(&trial.stderr).trim_end());
    }
    trial.status.success()
}

/// Root as the kernel knows it, who can become every other user.
pub fn is_the_systems_root() -> bool {
    let map = fs::read_to_string("/proc/self/uid_map").unwrap();
    rustix::process::getuid().is_root() && map.split_whitespace().eq(["0", "0", "4294967295"])
}

/// Whether user namespaces can be made.
pub fn has_namespaces() -> bool {
    let unshare = Command::new("unshare").args(["--user", "--map-root-user", "true"]).output();
    let found = unshare.is_ok_and(|output| output.status.success());
    if !found {
        skip("no user namespace can be made");
    }
    found
}

/// Runs these tests of this suite once more as an ordinary user, who cannot do what root can.
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
    let output = suite.args(tests).arg("--nocapture").env("TMPDIR", here.path()).output().unwrap();
    eprintln!("{}{}", text(&output.stdout), text(&output.stderr));
    assert!(output.status.success());
}
