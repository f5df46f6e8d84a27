//! The janitor: a process that removes folders and control groups which a judge that was killed has left.
//!
//! The judge removes them itself if it can. The janitor waits until the judge has ended, and then removes the rest.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, DirBuilder};
use std::io::{self, BufRead, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
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
    /// Makes a folder for this user only. It is an error if it exists.
    pub fn make(path: &Path) -> io::Result<Self> {
        let mut janitor = janitor();
        // The janitor is told first, so that the folder is removed even if the judge ends in between.
        start(&mut janitor)
            .and_then(|()| tell(&mut janitor, path))
            .map_err(|error| io::Error::other(format!("the janitor cannot be started: {error}")))?;
        if let Err(error) = DirBuilder::new().mode(0o700).create(path) {
            let _ = tell(&mut janitor, path);
            return Err(with_path(path, &error));
        }
        Ok(Self(path.to_owned()))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for OwnFolder {
    fn drop(&mut self) {
        remove(&self.0, Instant::now() + OWN_TIMEOUT);
        // Without the janitor there is nothing to take back.
        let _ = tell(&mut janitor(), &self.0);
    }
}

/// Returns a new name for a folder. The time distinguishes it from a folder that a judge with the same process number has
/// left, after both it and its janitor were killed.
pub fn new_name(prefix: &str) -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_micros();
    format!("{prefix}-{}-{now:x}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Starts the janitor if it does not run.
fn start(janitor: &mut Option<OwnChild>) -> io::Result<()> {
    if janitor.is_none() {
        let mut command = Command::new(children::own_program().map_err(io::Error::other)?);
        command.arg(ROLE).stdin(Stdio::piped()).stdout(Stdio::null()).process_group(0);
        *janitor = Some(OwnChild::spawn(&mut command)?);
    }
    Ok(())
}

fn janitor() -> MutexGuard<'static, Option<OwnChild>> {
    JANITOR.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sends the path of a folder, and then NUL. The first time, the janitor adds the folder to its list, and the second time
/// it takes the folder from the list.
fn tell(janitor: &mut Option<OwnChild>, folder: &Path) -> io::Result<()> {
    let Some(stdin) = janitor.as_mut().and_then(|child| child.0.stdin.as_mut()) else { return Ok(()) };
    stdin.write_all(&[folder.as_os_str().as_bytes(), b"\0"].concat())
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
    for folder in io::stdin().lock().split(0) {
        let Ok(folder) = folder else { break };
        let folder = PathBuf::from(OsString::from_vec(folder));
        if !left.remove(&folder) {
            left.insert(folder);
        }
    }
    let deadline = Instant::now() + TIMEOUT;
    for folder in &left {
        remove(folder, deadline);
    }
}

/// Removes a folder. If that fails, tries again until `deadline`.
fn remove(folder: &Path, deadline: Instant) {
    while !is_removed(folder) && Instant::now() < deadline {
        thread::sleep(POLL_INTERVAL);
    }
}

/// Removes a folder, and returns whether it no longer exists.
fn is_removed(folder: &Path) -> bool {
    let is_gone = |result: io::Result<()>| match result {
        Ok(()) => true,
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    // The files of a control group cannot be removed one by one.
    is_gone(fs::remove_dir(folder)) || (!folder.starts_with("/sys") && is_gone(fs::remove_dir_all(folder)))
}
