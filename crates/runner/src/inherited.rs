//! The limit on open files, which the programs that this process starts inherit from it.
//!
//! An arena needs many open files: a socket for each bot of each worker and a file of its control group, and in a session
//! also the bot's pipes.

use std::io;
use std::sync::OnceLock;

use anyhow::{Context, anyhow};
use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Raises the limit on open files to the maximum for this user. Returns the limit before the first call; `None` if
/// there was no limit.
///
/// Programs that this process starts inherit the raised limit, unless [`limit_open_files`] is called.
pub(super) fn raise_open_files() -> Option<u64> {
    static BEFORE: OnceLock<Option<u64>> = OnceLock::new();
    *BEFORE.get_or_init(|| {
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        // If the system refuses, the limit stays.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
        current
    })
}

pub(super) fn limit_open_files(limit: u64) -> anyhow::Result<()> {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: Some(limit), maximum })
        .with_context(|| format!("the limit on open files cannot be set to {limit}"))
}

/// Converts the error. Adds advice if no more files can be opened.
pub(super) fn explain_open_files(error: io::Error) -> anyhow::Error {
    if Errno::from_io_error(&error) != Some(Errno::MFILE) {
        return error.into();
    }
    let limit = getrlimit(Resource::Nofile).current.map_or_else(String::new, |limit| format!(" ({limit})"));
    anyhow!(
        "the limit on open files{limit} is reached: raise it (\"ulimit -n\" shows it), or play with fewer \
         --jobs, fewer bots, or without --session"
    )
}
