//! The limit on open files of this process. An arena keeps one socket for each bot of each worker. In a session an
//! arena also keeps the bot's pipes and the files of its control group.

use std::io;
use std::sync::OnceLock;

use anyhow::{Context, anyhow};
use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Raises the limit to the maximum for this user. Returns the limit before the first call; `None` if there was no
/// limit.
///
/// Programs that this process starts inherit the raised limit, unless [`lower`] is called.
pub(super) fn raise() -> Option<u64> {
    static BEFORE: OnceLock<Option<u64>> = OnceLock::new();
    *BEFORE.get_or_init(|| {
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        // If the system refuses, the limit stays.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
        current
    })
}

/// Sets the limit of this process, which the programs that it starts inherit.
///
/// # Errors
///
/// If this user may not have `limit` files open.
pub fn lower(limit: u64) -> anyhow::Result<()> {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: Some(limit), maximum })
        .with_context(|| format!("the limit on open files cannot be set to {limit}"))
}

/// Converts the error. Adds advice if no more files can be opened.
pub(super) fn explain(error: io::Error) -> anyhow::Error {
    if error.raw_os_error() == Some(Errno::MFILE.raw_os_error()) {
        anyhow!(none_left())
    } else {
        error.into()
    }
}

/// Returns the message, with advice, that no more files can be opened.
pub(super) fn none_left() -> String {
    let limit = getrlimit(Resource::Nofile).current.map_or_else(String::new, |limit| format!(" ({limit})"));
    format!(
        "the limit on open files{limit} is reached: raise it (\"ulimit -n\" shows it), or play with fewer \
         --jobs, fewer bots, or without --session"
    )
}
