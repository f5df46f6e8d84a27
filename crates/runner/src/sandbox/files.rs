//! The guard of files: a read-only file system without terminals and other devices.

use std::fs::DirEntry;
use std::io;
use std::path::PathBuf;

use anyhow::Context;
use itertools::Itertools;
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr,
    Scope, path_beneath_rules,
};

/// The devices that may be written to: they keep nothing.
const WRITABLE_DEVICES: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/full"];

/// What may be read in `/dev` besides these. Its other files are terminals, keyboards, disks and the like.
/// `/dev/stdin` and `/dev/fd` need no rule: they are links to `/proc`.
const READABLE_IN_DEV: [&str; 3] = ["/dev/random", "/dev/urandom", "/dev/shm"];

/// Closes every descriptor but stdin, stdout and stderr: one that is open for writing would stay so.
pub(super) fn close_inherited() -> anyhow::Result<()> {
    let open = std::fs::read_dir("/proc/self/fd").context("the open descriptors cannot be listed")?;
    let open: Vec<i32> = open
        .map_ok(|entry| entry.file_name().to_str().and_then(|name| name.parse().ok()))
        .filter_map_ok(|descriptor| descriptor.filter(|&descriptor| descriptor > 2))
        .try_collect()?;
    for descriptor in open {
        // The list's own descriptor is closed already.
        let _ = nix::unistd::close(descriptor);
    }
    Ok(())
}

/// Refuses every write to a file, and every device that is not harmless, from now on.
pub(super) fn restrict() -> anyhow::Result<()> {
    // Its third version, of Linux 6.2, is the first that also watches truncation.
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_write(ABI::V3) | AccessFs::ReadFile)
        .context("the guard of the file system is missing: Landlock as of Linux 6.2")?;
    // Beyond what is promised, where the kernel has it.
    let ruleset = ruleset
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::IoctlDev)?
        .handle_access(AccessNet::from_all(ABI::V4))?
        .scope(Scope::from_all(ABI::V6))?;
    let outside_dev = path_beneath_rules(outside_dev()?, AccessFs::ReadFile);
    let readable = path_beneath_rules(READABLE_IN_DEV, AccessFs::ReadFile);
    let writable = path_beneath_rules(WRITABLE_DEVICES, AccessFs::ReadFile | AccessFs::WriteFile);
    let rules = outside_dev.chain(readable).chain(writable);
    let ruleset = ruleset.create().and_then(|ruleset| ruleset.add_rules(rules)?.restrict_self());
    ruleset.context("the guard of the file system, Landlock, cannot be set up")?;
    Ok(())
}

/// Everything in the root directory except `/dev`: Landlock can allow a directory, but make no exception in it.
fn outside_dev() -> anyhow::Result<Vec<PathBuf>> {
    let entries: io::Result<Vec<DirEntry>> = std::fs::read_dir("/").and_then(Iterator::collect);
    let entries = entries.context("the directory / cannot be listed")?;
    // A rule for a symbolic link would allow what it points to, which may be in /dev.
    let is_link = |entry: &DirEntry| entry.file_type().map_or(true, |kind| kind.is_symlink());
    let allowed = entries.into_iter().filter(|entry| entry.file_name() != "dev" && !is_link(entry));
    Ok(allowed.map(|entry| entry.path()).collect())
}
