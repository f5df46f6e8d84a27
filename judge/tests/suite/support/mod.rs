//! Functions that the suites share: they start the judge, read its output, and remove the files of a test.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use itertools::Itertools;
use tempfile::TempDir;

mod bots;
mod judge;
mod machine;
mod processes;
mod pty;
pub mod schema;

pub use self::bots::*;
pub use self::judge::*;
pub use self::machine::*;
pub use self::processes::*;
pub use self::pty::AtTerminal;

/// Returns the blocks of a page that are fenced as `language`, such as the commands of README.md.
pub fn blocks(page: &str, language: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"));
    let fenced = text.split("\n```").skip(1).step_by(2);
    fenced
        .filter_map(|block| Some(format!("{}\n", block.strip_prefix(language)?.strip_prefix('\n')?)))
        .collect()
}

/// Returns the sorted names of the files and directories in a directory.
pub fn names_in(directory: impl AsRef<Path>) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).sorted().collect()
}

/// A directory for one test, empty at first. It is removed with its content when the test ends.
pub struct TestDir(TempDir);

impl AsRef<Path> for TestDir {
    fn as_ref(&self) -> &Path {
        self.0.path()
    }
}

impl TestDir {
    pub fn new() -> Self {
        // Bots that run as other users read from this directory.
        let mode = Permissions::from_mode(0o755);
        Self(tempfile::Builder::new().prefix("zeroxor-test-").permissions(mode).tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Runs the judge here, with arguments as typed in a shell.
    pub fn judge(&self, arguments: &str) -> Output {
        judge_typed(self.path(), arguments)
    }

    /// Returns the path of a file in the directory. The file need not exist.
    pub fn file(&self, name: &str) -> String {
        self.path().join(name).into_os_string().into_string().unwrap()
    }

    /// Writes a file, creates the folders above it, and returns its path.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let file = self.file(name);
        fs::create_dir_all(Path::new(&file).parent().unwrap()).unwrap();
        fs::write(&file, content).unwrap();
        file
    }

    /// Writes an executable program and returns its path. A shell writes it: if this process did, a process that another
    /// test starts could inherit the descriptor, and the kernel runs no file that is open for writing.
    pub fn program(&self, name: &str, content: &str) -> String {
        let file = self.file(name);
        let writer = "mkdir -p \"${1%/*}\" && printf %s \"$2\" >\"$1\" && chmod 755 \"$1\"";
        assert!(Command::new("sh").args(["-c", writer, "sh", &file, content]).status().unwrap().success());
        file
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).unwrap()
    }

    pub fn directory(&self, name: &str) -> String {
        let directory = self.file(name);
        fs::create_dir(&directory).unwrap();
        directory
    }

    /// Creates a named pipe, by which a bot or a reader reports its progress, and returns its path.
    pub fn fifo(&self, name: &str) -> String {
        let file = self.file(name);
        assert!(Command::new("mkfifo").arg(&file).status().unwrap().success());
        file
    }
}
