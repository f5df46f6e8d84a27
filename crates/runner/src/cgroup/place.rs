//! Where the judge may make control groups.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::Context;
use procfs::process::{MountInfo, MountInfos};
use procfs::{FromBufRead, ProcessCGroups};

use super::folder::{GroupFolder, GroupFolders, Version};
use super::{stale, version_2};

/// Where this judge makes groups.
static FOUND: OnceLock<GroupFolders> = OnceLock::new();

/// The group under which those of bots are made.
#[derive(Clone, Debug)]
pub struct Place(GroupFolders);

impl Place {
    /// Where this judge may make groups. Those of judges that were killed are removed.
    ///
    /// # Errors
    ///
    /// If it may not, and why.
    pub fn find() -> anyhow::Result<Self> {
        let mounts = fs::read_to_string("/proc/self/mountinfo").context("the mounts cannot be read")?;
        let own = fs::read_to_string("/proc/self/cgroup").context("the judge's own group cannot be read")?;
        let folders = find_in(&mounts, &own)?;
        FOUND.get_or_init(|| folders.clone());
        remove_stale();
        Ok(Self(folders))
    }

    pub(super) fn folders(&self) -> &GroupFolders {
        &self.0
    }
}

/// Ends and removes the groups of judges that were killed, where this judge has made groups.
pub(super) fn remove_stale() {
    FOUND.get().into_iter().flat_map(GroupFolders::paths).for_each(stale::remove);
}

/// The group under which others can be made, by the text of the process's `mountinfo` and `cgroup`.
fn find_in(mounts: &str, own: &str) -> anyhow::Result<GroupFolders> {
    let mounts = MountInfos::from_buf_read(mounts.as_bytes()).context("the mounts cannot be read")?;
    let own =
        ProcessCGroups::from_buf_read(own.as_bytes()).context("the judge's own group cannot be read")?;
    let one = |controller: &str| {
        let mount = mounts
            .0
            .iter()
            .find(|mount| mount.fs_type == "cgroup" && mount.super_options.contains_key(controller))?;
        let own = own.0.iter().find(|group| group.controllers.iter().any(|name| name == controller))?;
        Some(GroupFolder { version: Version::One, path: folder(mount, &own.pathname)? })
    };
    let two = || {
        let mount = mounts.0.iter().find(|mount| mount.fs_type == "cgroup2")?;
        let own = own.0.iter().find(|group| group.hierarchy == 0)?;
        Some((mount.mount_point.clone(), folder(mount, &own.pathname)?))
    };
    if let (Some(memory), Some(pids)) = (one("memory"), one("pids")) {
        // Version 2 counts the CPU time of every group, whatever controllers it has.
        let unified = || two().map(|(_, path)| GroupFolder { version: Version::Two, path });
        let cpu = one("cpuacct").or_else(unified).context("no control group counts the CPU time")?;
        return Ok(GroupFolders { memory, pids, cpu });
    }
    let (mount, own) = two().context("no control groups with limits are mounted")?;
    Ok(GroupFolders::version_2(version_2::parent(&mount, &own)?))
}

/// The folder of a group of that name; `None` if the mount does not show it.
fn folder(mount: &MountInfo, group: &str) -> Option<PathBuf> {
    let below = Path::new(group).strip_prefix(&mount.root).ok()?;
    (!group.contains("/..")).then(|| mount.mount_point.join(below))
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
        let one = |path: &str| GroupFolder { version: Version::One, path: path.into() };
        let expected = GroupFolders {
            memory: one("/sys/fs/cgroup/memory/user/7"),
            pids: one("/sys/fs/cgroup/pids"),
            cpu: one("/sys/fs/cgroup/cpu,cpuacct/a"),
        };
        assert_eq!(find_in(mounts, own).unwrap(), expected);
        // What version 1 does not count, version 2 does.
        let own = own.replace("2:cpu,cpuacct:/docker/1/a\n", "");
        let cpu = GroupFolder { version: Version::Two, path: "/sys/fs/cgroup/unified".into() };
        assert_eq!(find_in(mounts, &own).unwrap(), GroupFolders { cpu, ..expected });
    }

    #[test]
    fn version_2_has_one_tree() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("parent/own")).unwrap();
        fs::write(root.path().join("parent/own/cgroup.subtree_control"), "cpu memory pids\n").unwrap();
        let mounts =
            format!("30 23 0:26 / {} rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n", root.path().display());
        let expected = GroupFolders::version_2(root.path().join("parent/own"));
        assert_eq!(find_in(&mounts, "0::/parent/own\n").unwrap(), expected);
        let none = find_in("", "").unwrap_err().to_string();
        assert_eq!(none, "no control groups with limits are mounted");
    }
}
