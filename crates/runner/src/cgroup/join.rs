//! How a new process joins a control group before it becomes a program.

use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use itertools::Itertools;
use rustix::fs::{Mode, OFlags, open};
use rustix::io::write;

/// Lets the process of this command join the group with these folders.
///
/// The alternative without `unsafe` is a launcher: the judge's own program, started a second time, joins the group and
/// becomes the bot. It takes as long as half of a short game, see `docs/performance.md`.
///
/// # Errors
///
/// If a folder's name has a NUL.
pub(super) fn before_exec<'a>(
    command: &mut Command,
    folders: impl Iterator<Item = &'a Path>,
) -> io::Result<()> {
    let list = |folder: &Path| CString::new(folder.join("cgroup.procs").as_os_str().as_bytes());
    let lists: Vec<CString> = folders.map(list).try_collect()?;
    let join = move || lists.iter().try_for_each(join);
    // SAFETY: Between fork and exec a process that had other threads may only do what is async-signal-safe. `join` makes
    // system calls, and neither allocates nor locks: its paths are made before the fork, and its errors are numbers.
    #[allow(unsafe_code, reason = "there is no safe way to run code between fork and exec")]
    unsafe {
        command.pre_exec(join);
    }
    Ok(())
}

/// Writes the calling process into the list of a group's processes.
fn join(list: &CString) -> io::Result<()> {
    let list = open(list.as_c_str(), OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?;
    // 0 is the writing process.
    write(&list, b"0")?;
    Ok(())
}
