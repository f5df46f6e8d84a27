//! What the suites share: the judge is started, its output read, and what a test leaves behind removed.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

mod bots;
mod judge;
mod machine;
pub mod pages;
mod processes;
mod pty;
mod server;

pub use self::bots::{Compiled, SUBMISSION, bot, compiled, compiled_submission, perfect_but, submission};
pub use self::judge::{
    JUDGE, NO_CORPUS, assert_all_won, assert_prints, assert_refused, assert_refuses, assert_wins_starts,
    command, games, json_lines, judge, judge_reading, program_name, program_of, reading, root, start,
    start_talking, text, timeless, with_stack,
};
#[allow(unused_imports, reason = "only `timing` runs one test at a time")]
pub use self::machine::{Alone, alone};
pub use self::machine::{
    NOBODY, has_namespaces, has_program, has_python, has_sandbox, is_linux, is_root, is_the_systems_root,
    pass_as_an_ordinary_user, skip, skip_without,
};
pub use self::processes::{await_that, child_of, heed_signals, is_alive, is_running, send, state};
pub use self::pty::AtTerminal;
pub use self::server::{Server, answer};

/// A directory of one test's own, empty at first, which is removed with all that is in it when the test ends.
pub struct TestDir(TempDir);

impl TestDir {
    pub fn new() -> Self {
        // Bots of other users read from it.
        let mode = Permissions::from_mode(0o755);
        Self(tempfile::Builder::new().prefix("zeroxor-test-").permissions(mode).tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// The path of a file in it, which need not be there.
    pub fn file(&self, name: &str) -> String {
        self.path().join(name).into_os_string().into_string().unwrap()
    }

    /// Writes a file, and returns its path.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let file = self.file(name);
        fs::write(&file, content).unwrap();
        file
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).unwrap()
    }

    /// Makes a directory, and returns its path.
    pub fn directory(&self, name: &str) -> String {
        let directory = self.file(name);
        fs::create_dir(&directory).unwrap();
        directory
    }

    /// Makes a pipe with a name, by which a bot or a reader tells how far it is, and returns its path.
    pub fn fifo(&self, name: &str) -> String {
        let file = self.file(name);
        assert!(Command::new("mkfifo").arg(&file).status().unwrap().success());
        file
    }

    /// How many files and directories it has.
    pub fn count(&self) -> usize {
        fs::read_dir(self.path()).unwrap().count()
    }
}
