//! Finds where the judge may make control groups.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::{fs, io};

use anyhow::{Context, anyhow, ensure};
use itertools::Itertools;
use rustix::fs::{Access, access};

use super::{GroupFolders, processes, write};
use crate::janitor::new_name;
use crate::proc::with_path;

/// Returns the group below which this judge may make groups. An error says why it may not.
pub(super) fn find_place() -> anyhow::Result<GroupFolders> {
    static FOUND: LazyLock<anyhow::Result<GroupFolders>> = LazyLock::new(find);
    FOUND.as_ref().cloned().map_err(|error| anyhow!("{error:#}"))
}

fn find() -> anyhow::Result<GroupFolders> {
    ensure!(cfg!(target_os = "linux"), "control groups need Linux");
    let mounts = fs::read_to_string("/proc/self/mountinfo").context("the mounts cannot be read")?;
    let own = fs::read_to_string("/proc/self/cgroup").context("the judge's own group cannot be read")?;
    let folders = find_in(&mounts, &own)?;
    // A trial could leave its group behind if the judge were killed.
    folders.iter().try_for_each(|folder| {
        access(folder, Access::WRITE_OK).map_err(|error| with_path(folder, &error.into()))
    })?;
    Ok(folders)
}

/// Returns the group below which other groups can be made, from the texts of the process's `mountinfo` and `cgroup`.
fn find_in(mounts: &str, own: &str) -> anyhow::Result<GroupFolders> {
    // Returns the folder of the process's group in a hierarchy: of version 1 with a controller, of version 2 without.
    let folder = |version: &str, controller: &str| {
        let is_named = |names: &str| names.split(',').any(|name| name == controller);
        // Each line of `cgroup` has the number of a hierarchy, its controllers, and the group.
        let mut own = own.lines().filter_map(|line| line.splitn(3, ':').collect_tuple());
        let (_, _, group): (&str, _, _) =
            own.find(|(_, controllers, group)| is_named(controllers) && !group.contains("/.."))?;
        mounts.lines().find_map(|line| {
            let (place, file_system) = line.split_once(" - ")?;
            let (_, _, _, root, point) = place.split(' ').next_tuple()?;
            let (kind, _, options) = file_system.split(' ').next_tuple()?;
            let is_shown = kind == version && (controller.is_empty() || is_named(options));
            // The mount shows the group `root` in the folder `point`.
            let below = Path::new(group).strip_prefix(root).ok().filter(|_| is_shown)?;
            Some(Path::new(point).join(below))
        })
    };
    let one = |controller| folder("cgroup", controller);
    let two = || folder("cgroup2", "");
    if let (Some(memory), Some(pids)) = (one("memory"), one("pids")) {
        // Version 2 counts the CPU time of every group, whatever controllers the group has.
        let cpu = one("cpuacct").or_else(two).context("no control group counts the CPU time")?;
        return Ok([memory, pids, cpu]);
    }
    let parent = parent_of_version_2(&two().context("no control groups with limits are mounted")?)?;
    Ok([(); 3].map(|()| parent.clone()))
}

const NEEDED: [&str; 2] = ["memory", "pids"];

/// Returns the group of version 2 below which a judge in the group `own` can make groups with limits.
///
/// Except for the root of the whole system, a group has either processes or groups with limits below it. So the
/// function returns `own` if groups below it already have limits or can have them. If only the judge is in `own`, as
/// in a systemd scope, the judge first moves into a group below. Otherwise the function returns the parent of `own`.
fn parent_of_version_2(own: &Path) -> anyhow::Result<PathBuf> {
    if limits_below(own) {
        return Ok(own.to_owned());
    }
    let Err(reason) = allow_limits_below(own) else { return Ok(own.to_owned()) };
    let parent = own.parent().filter(|parent| limits_below(parent));
    parent.map(Path::to_owned).ok_or(reason)
}

fn allow_limits_below(own: &Path) -> anyhow::Result<()> {
    let missing = missing(&own.join("cgroup.controllers"));
    ensure!(missing.is_empty(), "the group {} has no {} controller", own.display(), missing.join(" and "));
    enable(own).or_else(|error| {
        let judge = std::process::id().cast_signed();
        let is_alone = processes(own).is_ok_and(|listed| listed.iter().all(|&process| process == judge));
        ensure!(is_alone, "the group {} cannot have limits below it: {error}", own.display());
        move_down(own).context("the judge cannot move into a group below its own")
    })
}

fn limits_below(group: &Path) -> bool {
    missing(&group.join("cgroup.subtree_control")).is_empty()
}

/// Returns the required controllers that a file with the names of controllers does not have.
fn missing(file: &Path) -> Vec<&'static str> {
    let listed = fs::read_to_string(file).unwrap_or_default();
    let is_listed = |needed: &str| listed.split_whitespace().any(|word| word == needed);
    NEEDED.into_iter().filter(|needed| !is_listed(needed)).collect()
}

fn enable(group: &Path) -> io::Result<()> {
    write(&group.join("cgroup.subtree_control"), "+memory +pids")
}

/// Moves the judge into a group below its own group, and enables limits for the groups at the same level.
fn move_down(own: &Path) -> io::Result<()> {
    let below = own.join(new_name("zeroxor"));
    fs::create_dir(&below)?;
    let move_to = |group: &Path| write(&group.join("cgroup.procs"), &std::process::id().to_string());
    move_to(&below).and_then(|()| enable(own)).inspect_err(|_| {
        let _ = move_to(own);
        let _ = fs::remove_dir(&below);
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_1_has_a_tree_for_each_resource() {
        let mounts = "\
30 23 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
31 23 0:27 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids
32 23 0:28 /docker/1 /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
33 23 0:29 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
";
        let own = "4:memory:/user/7\n8:pids:/\n2:cpu,cpuacct:/docker/1/a\n0::/\n";
        let folders = |cpu| ["memory/user/7", "pids", cpu].map(|name| Path::new("/sys/fs/cgroup").join(name));
        assert_eq!(find_in(mounts, own).unwrap(), folders("cpu,cpuacct/a"));
        // Version 2 counts the CPU time if version 1 does not.
        let own = own.replace("2:cpu,cpuacct:/docker/1/a\n", "");
        assert_eq!(find_in(mounts, &own).unwrap(), folders("unified"));
        let none = find_in("", "").unwrap_err().to_string();
        assert_eq!(none, "no control groups with limits are mounted");
    }

    /// Checks the group below which groups are made, and what is written into the judge's own group, with ordinary files in
    /// place of the kernel's: in the judge's group, or beside it if it has other processes.
    #[test]
    fn groups_in_and_beside_the_judges_group() {
        let others = ("own/cgroup.procs", "1\n2\n");
        for (files, expected) in [
            (&[("own/cgroup.subtree_control", "cpu memory pids\n")][..], Ok(("own", "cpu memory pids\n"))),
            (
                &[
                    ("own/cgroup.controllers", "cpuset cpu io memory pids\n"),
                    ("own/cgroup.subtree_control", ""),
                ],
                Ok(("own", "+memory +pids")),
            ),
            (
                &[
                    ("own/cgroup.controllers", "memory pids\n"),
                    others,
                    ("cgroup.subtree_control", "memory pids\n"),
                ],
                Ok(("", "")),
            ),
            (
                &[("own/cgroup.controllers", "memory pids\n"), others],
                Err("/own cannot have limits below it: "),
            ),
            (&[("own/cgroup.controllers", "hugetlb pids\n")], Err("/parent/own has no memory controller")),
        ] {
            let root = tempfile::tempdir().unwrap();
            let parent = root.path().join("parent");
            let own = parent.join("own");
            fs::create_dir_all(&own).unwrap();
            for (file, content) in files {
                fs::write(parent.join(file), content).unwrap();
            }
            let mounts =
                format!("30 23 0:26 / {} rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n", root.path().display());
            let found = find_in(&mounts, "0::/parent/own\n").map_err(|error| format!("{error:#}"));
            match expected {
                Ok((folder, written)) => {
                    assert_eq!(found, Ok([(); 3].map(|()| parent.join(folder))));
                    let own = fs::read_to_string(own.join("cgroup.subtree_control")).unwrap_or_default();
                    assert_eq!(own, written);
                }
                Err(why) => assert!(found.as_ref().is_err_and(|error| error.contains(why)), "{found:?}"),
            }
        }
    }
}
