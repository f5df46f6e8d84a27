//! A control group that one bot after the other uses. To make and to remove a group takes longer than a short game.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;

use super::files::{KeptFile, processes, write};
use super::folder::{GroupFolders, Version};

/// The most memory, in bytes, that a bot may leave in its group: pages of files, and what the kernel sets aside. It
/// takes that much from the next bot.
const LEFT_MEMORY_LIMIT: u64 = 1 << 20;

/// The links to a folder below which there is no other: its name, and its own entry `.`.
const LINKS_WITHOUT_GROUPS: u64 = 2;

/// Forgets the peak of the group's memory. Whether the group is as good as a new one: without processes, groups below, and
/// memory.
///
/// A group of version 2 never is, because the kernel keeps its peak.
pub(super) fn clear(folders: &GroupFolders) -> io::Result<bool> {
    let memory = &folders.memory;
    if memory.version == Version::Two {
        return Ok(false);
    }
    for folder in folders.paths() {
        if fs::metadata(folder)?.nlink() != LINKS_WITHOUT_GROUPS || !processes(folder)?.is_empty() {
            return Ok(false);
        }
    }
    write(&memory.path.join("memory.max_usage_in_bytes"), "0")?;
    let left = KeptFile::open(memory.path.join("memory.usage_in_bytes"))?.number()?;
    Ok(left <= LEFT_MEMORY_LIMIT)
}
