//! The janitor: a process that removes folders and control groups which a judge that was killed has left.
//!
//! The judge removes them itself if it can. The janitor waits until the judge has ended, and then removes the rest.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, BufRead, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::children::{self, Started};

pub const ROLE: &str = "janitor";

static JANITOR: Mutex<Option<(Child, Started)>> = Mutex::new(None);

/// Folders that the janitor removes if this judge is killed. Dropping this value takes them back: by then the judge has
/// removed them.
#[derive(Debug)]
pub struct Registration(Vec<PathBuf>);

impl Registration {
    /// Registers folders, which need not exist yet. Starts the janitor if it does not run.
    pub fn new<'a>(folders: impl IntoIterator<Item = &'a Path>) -> io::Result<Self> {
        let folders: Vec<PathBuf> = folders.into_iter().map(Path::to_owned).collect();
        let mut janitor = janitor();
        if janitor.is_none() {
            let mut command = Command::new(children::own_program().map_err(io::Error::other)?);
            command.arg(ROLE).stdin(Stdio::piped()).stdout(Stdio::null()).process_group(0);
            *janitor = Some(children::spawn(&mut command)?);
        }
        tell(&mut janitor, b'+', &folders)?;
        drop(janitor);
        Ok(Self(folders))
    }

    pub(crate) fn folders(&self) -> &[PathBuf] {
        &self.0
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        // Without the janitor there is nothing to take back.
        let _ = tell(&mut janitor(), b'-', &self.0);
    }
}

fn janitor() -> MutexGuard<'static, Option<(Child, Started)>> {
    JANITOR.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sends a line for each folder, which ends with NUL.
fn tell(janitor: &mut Option<(Child, Started)>, sign: u8, folders: &[PathBuf]) -> io::Result<()> {
    let Some(stdin) = janitor.as_mut().and_then(|(child, _)| child.stdin.as_mut()) else { return Ok(()) };
    let mut message = Vec::new();
    for folder in folders {
        message.push(sign);
        message.extend(folder.as_os_str().as_bytes());
        message.push(0);
    }
    stdin.write_all(&message)
}

pub fn end() {
    if let Some((mut child, _started)) = janitor().take() {
        // Closes its stdin first, at which it ends.
        let _ = child.wait();
    }
}

/// Maximum time for which the wardens of the judge are waited for, whose processes may use the folders.
const REMOVAL_TIMEOUT: Duration = Duration::from_secs(10);

const POLL_INTERVAL: Duration = Duration::from_millis(5);

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
    let deadline = Instant::now() + REMOVAL_TIMEOUT;
    while !left.is_empty() && Instant::now() < deadline {
        left.retain(|folder| !remove(folder));
        thread::sleep(POLL_INTERVAL);
    }
}

/// Returns whether the folder no longer exists.
fn remove(folder: &Path) -> bool {
    let is_gone = |result: io::Result<()>| match result {
        Ok(()) => true,
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    // The files of a control group cannot be removed one by one.
    is_gone(fs::remove_dir(folder)) || (!folder.starts_with("/sys") && is_gone(fs::remove_dir_all(folder)))
}
