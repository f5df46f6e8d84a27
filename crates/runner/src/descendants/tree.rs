//! The tree of processes below this process, read from `/proc`.

use std::collections::HashSet;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use anyhow::Context;
use procfs::{ProcError, ProcResult};
use rustix::io::Errno;

/// An upper bound on the usual length of a list of children, in bytes.
const LIST_CAPACITY: usize = 256;

/// Checks that this process can see its own processes: without them no limit can be enforced.
///
/// # Errors
///
/// If `/proc` is missing or hides the processes.
pub(crate) fn check_access() -> anyhow::Result<()> {
    own_children().map(drop).context(
        "the judge cannot enforce the limits of a bot without /proc, which must be mounted and show the judge's own \
         processes and their children",
    )
}

/// Returns the children of all threads of a process.
///
/// Does not use procfs, which opens three files for each thread: the children are read several times in each game.
pub(crate) fn children(of: impl Display) -> io::Result<Vec<i32>> {
    let tasks = format!("/proc/{of}/task");
    let mut found = Vec::new();
    let mut listed = Vec::with_capacity(LIST_CAPACITY);
    for thread in fs::read_dir(&tasks)? {
        let children = Path::new(&tasks).join(thread?.file_name()).join("children");
        listed.clear();
        match File::open(children).and_then(|mut file| file.read_to_end(&mut listed)) {
            // The thread has ended.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) if error.raw_os_error() == Some(Errno::SRCH.raw_os_error()) => continue,
            read => read?,
        };
        let numbers = listed.split(|&byte| byte == b' ');
        found.extend(numbers.filter_map(|number| str::from_utf8(number).ok()?.parse::<i32>().ok()));
    }
    Ok(found)
}

/// Replaces the error for an ended thread or process by `Ok(None)`.
pub(crate) fn unless_gone<T>(read: ProcResult<T>) -> ProcResult<Option<T>> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(ProcError::NotFound(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

pub(crate) fn own_children() -> io::Result<Vec<i32>> {
    children("self")
}

/// Visits all descendants of this process, except the children in `spared` and their descendants, each as soon as it is
/// found. If processes start and end all the time, the walk may miss some of them.
pub(super) fn walk(spared: &HashSet<i32>, mut visit: impl FnMut(i32)) {
    let mut found = own_children().unwrap_or_default();
    found.retain(|child| !spared.contains(child));
    found.iter().copied().for_each(&mut visit);
    while let Some(process) = found.pop() {
        let children = children(process).unwrap_or_default();
        children.iter().copied().for_each(&mut visit);
        found.extend(children);
    }
}
