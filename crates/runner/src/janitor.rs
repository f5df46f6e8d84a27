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
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::children::{self, OwnChild};
use crate::proc::with_path;

pub const ROLE: &str = "janitor";

static JANITOR: Mutex<Option<OwnChild>> = Mutex::new(None);

/// A folder that this judge has made. Dropping this value removes it; if the judge is killed, the janitor does.
#[derive(Debug)]
pub struct OwnFolder(PathBuf);

impl OwnFolder {
    /// Makes a folder for this user only. Its name must be a [`new_name`], because the janitor removes the folder in any case.
    pub fn make(path: &Path) -> io::Result<Self> {
        // The janitor is told first, so that the folder is removed even if the judge ends in between.
        tell(path).map_err(|error| io::Error::other(format!("the janitor cannot be started: {error}")))?;
        DirBuilder::new().mode(0o700).create(path).map_err(|error| with_path(path, &error))?;
        Ok(Self(path.to_owned()))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for OwnFolder {
    fn drop(&mut self) {
        if remove(&self.0, Instant::now() + OWN_TIMEOUT) {
            // If this fails, the janitor looks for the folder in vain.
            let _ = tell(&self.0);
        }
    }
}

/// Returns a new name for a folder. The time distinguishes it from a folder that a judge with the same process number has
/// left, after both it and its janitor were killed.
pub fn new_name(prefix: &str) -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_micros();
    format!("{prefix}-{}-{now:x}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Sends the path of a folder, and then NUL, to the janitor, which is started if it does not run. It gets the path of
/// a removed folder once more.
fn tell(folder: &Path) -> io::Result<()> {
    let mut janitor = janitor();
    if janitor.is_none() {
        let mut command = Command::new(children::own_program().map_err(io::Error::other)?);
        command.arg(ROLE).stdin(Stdio::piped()).stdout(Stdio::null()).process_group(0);
        *janitor = Some(OwnChild::spawn(&mut command)?);
    }
    let stdin = janitor.as_mut().and_then(|child| child.0.stdin.as_mut());
    stdin.map_or(Ok(()), |stdin| stdin.write_all(&[folder.as_os_str().as_bytes(), b"\0"].concat()))
}

fn janitor() -> MutexGuard<'static, Option<OwnChild>> {
    JANITOR.lock().unwrap_or_else(PoisonError::into_inner)
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
    let folders = left_of(io::stdin().lock());
    let deadline = Instant::now() + TIMEOUT;
    for folder in folders {
        remove(Path::new(OsStr::from_bytes(&folder)), deadline);
    }
}

/// Returns the folders that the judge has sent once, and so has not removed.
fn left_of(sent: impl BufRead) -> BTreeSet<Vec<u8>> {
    let mut left = BTreeSet::new();
    for folder in sent.split(0).map_while(Result::ok) {
        if !left.remove(&folder) {
            left.insert(folder);
        }
    }
    left
}

/// Removes a folder if it exists. If that fails, tries again until `deadline`. Returns whether it is gone.
fn remove(folder: &Path, deadline: Instant) -> bool {
    let is_gone = |result: io::Result<()>| {
        result.map_or_else(|error| error.kind() == io::ErrorKind::NotFound, |()| true)
    };
    // The files of a control group cannot be removed one by one.
    while !is_gone(fs::remove_dir(folder))
        && (folder.starts_with("/sys") || !is_gone(fs::remove_dir_all(folder)))
    {
        if Instant::now() >= deadline {
            return false;
        }
        thread::sleep(POLL_INTERVAL);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_removed_folder_is_forgotten() {
        let left = left_of(&b"/tmp/a\0/tmp/b\0/tmp/a\0/tmp/c\0"[..]);
        assert_eq!(left, BTreeSet::from([b"/tmp/b".to_vec(), b"/tmp/c".to_vec()]));
    }
}
