//! The janitor: a process that removes folders and control groups which a judge that was killed has left.
//!
//! The judge removes them itself if it can. The janitor waits until the judge has ended, and then removes the rest.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, DirBuilder};
use std::io::{self, BufRead, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::children::{self, OwnChild};
use crate::proc::with_path;

pub const ROLE: &str = "janitor";

static JANITOR: Mutex<Option<OwnChild>> = Mutex::new(None);

/// Folders that this judge has made. Dropping this value removes them; if the judge is killed, the janitor does.
#[derive(Debug)]
pub struct OwnFolders(Vec<PathBuf>);

impl OwnFolders {
    /// Makes folders for this user only. It is an error if one exists.
    pub fn make<'a>(paths: impl IntoIterator<Item = &'a Path>) -> io::Result<Self> {
        let paths: Vec<PathBuf> = paths.into_iter().map(Path::to_owned).collect();
        // Registered before they are made, so that they are removed even if the judge ends in between.
        register(&paths)
            .map_err(|error| io::Error::other(format!("the janitor cannot be started: {error}")))?;
        let mut made = Self(Vec::new());
        for path in &paths {
            if let Err(error) = DirBuilder::new().mode(0o700).create(path) {
                let _ = tell(&mut janitor(), b'-', &paths);
                return Err(with_path(path, &error));
            }
            made.0.push(path.clone());
        }
        Ok(made)
    }
}

impl Drop for OwnFolders {
    fn drop(&mut self) {
        remove_all(self.0.clone(), OWN_TIMEOUT);
        // Without the janitor there is nothing to take back.
        let _ = tell(&mut janitor(), b'-', &self.0);
    }
}

/// Starts the janitor if it does not run.
fn register(folders: &[PathBuf]) -> io::Result<()> {
    let mut janitor = janitor();
    if janitor.is_none() {
        let mut command = Command::new(children::own_program().map_err(io::Error::other)?);
        command.arg(ROLE).stdin(Stdio::piped()).stdout(Stdio::null()).process_group(0);
        *janitor = Some(OwnChild::spawn(&mut command)?);
    }
    tell(&mut janitor, b'+', folders)
}

fn janitor() -> MutexGuard<'static, Option<OwnChild>> {
    JANITOR.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sends a line for each folder, which ends with NUL.
fn tell(janitor: &mut Option<OwnChild>, sign: u8, folders: &[PathBuf]) -> io::Result<()> {
    let Some(stdin) = janitor.as_mut().and_then(|child| child.0.stdin.as_mut()) else { return Ok(()) };
    let mut message = Vec::new();
    for folder in folders {
        message.push(sign);
        message.extend(folder.as_os_str().as_bytes());
        message.push(0);
    }
    stdin.write_all(&message)
}

pub fn end() {
    if let Some(mut child) = janitor().take() {
        // Closes its stdin first, at which it ends.
        let _ = child.0.wait();
    }
}

/// Maximum time for which a control group is waited for whose last process has just ended.
const OWN_TIMEOUT: Duration = Duration::from_secs(1);

/// Maximum time for which the wardens of a killed judge are waited for, whose processes may use the folders.
const TIMEOUT: Duration = Duration::from_secs(10);

const POLL_INTERVAL: Duration = Duration::from_micros(200);

/// Reads folders from stdin until the judge ends, and removes those that are left.
pub fn serve() {
    let mut left: BTreeSet<PathBuf> = BTreeSet::new();
    for line in io::stdin().lock().split(0) {
        let Ok(line) = line else { break };
        let Some((&sign, folder)) = line.split_first() else { continue };
        let folder = PathBuf::from(OsStr::from_bytes(folder));
        if sign == b'+' {
            left.insert(folder)
        } else {
            left.remove(&folder)
        };
    }
    remove_all(left.into_iter().collect(), TIMEOUT);
}

fn remove_all(mut left: Vec<PathBuf>, timeout: Duration) {
    let deadline = Instant::now() + timeout;
    loop {
        left.retain(|folder| !remove(folder));
        if left.is_empty() || Instant::now() >= deadline {
            return;
        }
        thread::sleep(POLL_INTERVAL);
    }
}

fn remove(folder: &Path) -> bool {
    let is_gone = |result: io::Result<()>| match result {
        Ok(()) => true,
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    // The files of a control group cannot be removed one by one.
    is_gone(fs::remove_dir(folder)) || (!folder.starts_with("/sys") && is_gone(fs::remove_dir_all(folder)))
}
