//! The tree of processes below the judge, read from `/proc`.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::OnceLock;

use anyhow::Context;
use procfs::process::Process;
use procfs::{ProcError, ProcResult};
use rustix::io::Errno;
use rustix::process::getpid;

/// An upper bound on the usual length of a list of children, in bytes.
const LIST_CAPACITY: usize = 256;

/// The children that the judge had before its first bot: they belong to the program that became the judge.
static FOREIGN_CHILDREN: OnceLock<Vec<i32>> = OnceLock::new();

/// Makes the judge the parent of its descendants' orphans from now on.
///
/// # Errors
///
/// If the judge cannot see its own processes, because it could then enforce no limit on a bot.
pub fn become_subreaper() -> anyhow::Result<()> {
    if FOREIGN_CHILDREN.get().is_none() {
        let judge = Process::myself().and_then(|judge| judge.task_main_thread());
        judge.and_then(|thread| thread.children()).context(
            "the judge cannot enforce the limits of a bot without /proc, which must be mounted and show the \
             judge's own processes and their children",
        )?;
        rustix::process::set_child_subreaper(Some(getpid()))
            .context("the judge cannot become a subreaper")?;
        let present = children(own_id()).context("the judge's own children cannot be listed")?;
        FOREIGN_CHILDREN.get_or_init(|| present);
    }
    Ok(())
}

fn own_id() -> i32 {
    getpid().as_raw_pid()
}

fn foreign_children() -> &'static [i32] {
    FOREIGN_CHILDREN.get().map_or(&[], Vec::as_slice)
}

/// Checks whether the judge may have children that do not belong to its bot.
pub(super) fn has_foreign_children() -> bool {
    !foreign_children().is_empty()
}

/// Returns the children of all threads of a process.
///
/// Does not use procfs, which opens three files for each thread: the children are read several times in each game.
pub(crate) fn children(of: i32) -> io::Result<Vec<i32>> {
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

/// Returns the judge's children that belong to its bot.
pub(crate) fn own_children() -> io::Result<Vec<i32>> {
    let mut found = children(own_id())?;
    found.retain(|child| !foreign_children().contains(child));
    Ok(found)
}

/// Visits all descendants of the judge, each as soon as it is found. If processes start and end all the time, the walk
/// may miss some of them.
pub(super) fn walk(mut visit: impl FnMut(i32)) {
    let mut found = own_children().unwrap_or_default();
    found.iter().copied().for_each(&mut visit);
    while let Some(process) = found.pop() {
        let children = children(process).unwrap_or_default();
        children.iter().copied().for_each(&mut visit);
        found.extend(children);
    }
}

/// Checks whether a signal has stopped a process.
pub fn is_stopped(process: i32) -> bool {
    state(process) == Some('T')
}

/// Returns the state of a process as a letter such as `R`, `S` or `T`; `None` if the state cannot be read.
pub(super) fn state(process: i32) -> Option<char> {
    Some(Process::new(process).and_then(|process| process.stat()).ok()?.state)
}
