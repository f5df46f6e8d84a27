//! The guard of files: a read-only file system.

use anyhow::Context;
use itertools::Itertools;
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr,
    Scope, path_beneath_rules,
};

/// The devices that may be written to: they keep nothing.
const DEVICES: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/full"];

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

/// Refuses every write to a file from now on.
pub(super) fn make_read_only() -> anyhow::Result<()> {
    // Its third version, of Linux 6.2, is the first that also watches truncation.
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_write(ABI::V3))
        .context("the guard of the file system is missing: Landlock as of Linux 6.2")?;
    // Beyond what is promised, where the kernel has it.
    let ruleset = ruleset
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::IoctlDev)?
        .handle_access(AccessNet::from_all(ABI::V4))?
        .scope(Scope::from_all(ABI::V6))?;
    let devices = path_beneath_rules(DEVICES, AccessFs::WriteFile);
    let ruleset = ruleset.create().and_then(|ruleset| ruleset.add_rules(devices)?.restrict_self());
    ruleset.context("the guard of the file system, Landlock, cannot be set up")?;
    Ok(())
}
