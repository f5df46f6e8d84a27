//! Finds where the judge may make control groups.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{fs, io};

use anyhow::{Context, bail, ensure};
use itertools::Itertools;
use procfs::process::{MountInfo, MountInfos};
use procfs::{FromBufRead, ProcessCGroups};
use rustix::fs::{Access, access};

use crate::cgroup::folder::{GroupFolder, GroupFolders, Version, processes, with_path, write};
use crate::cgroup::group::new_name;

/// The group below which the groups of bots are made.
#[derive(Clone, Debug)]
pub(crate) struct Place(GroupFolders);

impl Place {
    /// Finds where this judge may make groups.
    ///
    /// # Errors
    ///
    /// If the judge may not make groups. The error says why.
    pub(crate) fn find() -> anyhow::Result<Self> {
        static FOUND: Mutex<Option<Place>> = Mutex::new(None);
        let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = &*found {
            return Ok(place.clone());
        }
        let mounts = fs::read_to_string("/proc/self/mountinfo").context("the mounts cannot be read")?;
        let own = fs::read_to_string("/proc/self/cgroup").context("the judge's own group cannot be read")?;
        let place = Self(find_in(&mounts, &own)?);
        place.check()?;
        Ok(found.insert(place).clone())
    }

    /// Checks that a group may be made here. A trial could leave its group behind if the judge were killed.
    fn check(&self) -> io::Result<()> {
        self.0.paths().try_for_each(|folder| {
            access(folder, Access::WRITE_OK).map_err(|error| with_path(folder, &error.into()))
        })
    }

    pub(super) fn folders(&self) -> &GroupFolders {
        &self.0
    }
}

/// Returns the group below which other groups can be made, from the texts of the process's `mountinfo` and `cgroup`.
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
        // Version 2 counts the CPU time of every group, whatever controllers the group has.
        let unified = || two().map(|(_, path)| GroupFolder { version: Version::Two, path });
        let cpu = one("cpuacct").or_else(unified).context("no control group counts the CPU time")?;
        return Ok(GroupFolders { memory, pids, cpu });
    }
    let (mount, own) = two().context("no control groups with limits are mounted")?;
    Ok(GroupFolders::version_2(parent_of_version_2(&mount, &own)?))
}

/// Returns the folder of the group with this name; `None` if the mount does not show the folder.
fn folder(mount: &MountInfo, group: &str) -> Option<PathBuf> {
    let below = Path::new(group).strip_prefix(&mount.root).ok()?;
    (!group.contains("/..")).then(|| mount.mount_point.join(below))
}

/// The required controllers.
const NEEDED: [&str; 2] = ["memory", "pids"];

/// Returns the group of version 2 below which a judge in the group `own` can make groups with limits.
///
/// Except for the root of the whole system, a group has either processes or groups with limits below it. So the
/// function returns `own` if groups below it already have limits or can have them. If only the judge is in `own`, as
/// in a systemd scope, the judge first moves into a group below. Otherwise the function returns the parent of `own`.
fn parent_of_version_2(mount: &Path, own: &Path) -> anyhow::Result<PathBuf> {
    if limits_below(own) {
        return Ok(own.to_owned());
    }
    let available = words(&own.join("cgroup.controllers"));
    let parent = own.parent().filter(|parent| parent.starts_with(mount) && limits_below(parent));
    if NEEDED.iter().all(|needed| available.iter().any(|word| word == needed)) {
        match enable(own) {
            Ok(()) => return Ok(own.to_owned()),
            Err(_) if is_alone(own) => {
                move_down(own).context("the judge cannot move into a group below its own")?;
                return Ok(own.to_owned());
            }
            Err(_) if parent.is_some() => {}
            Err(error) => bail!("the group {} cannot have limits below it: {error}", own.display()),
        }
    }
    let missing = NEEDED.iter().filter(|&needed| !available.iter().any(|word| word == needed)).join(" and ");
    ensure!(
        parent.is_some() || missing.is_empty(),
        "the group {} has no {missing} controller",
        own.display()
    );
    parent.map(Path::to_owned).context("no control group with limits can be made")
}

/// Checks whether the groups below have the required limits.
fn limits_below(group: &Path) -> bool {
    let enabled = words(&group.join("cgroup.subtree_control"));
    NEEDED.iter().all(|needed| enabled.iter().any(|word| word == needed))
}

fn enable(group: &Path) -> io::Result<()> {
    write(&group.join("cgroup.subtree_control"), "+memory +pids")
}

/// Checks that the group has no processes except this judge.
fn is_alone(group: &Path) -> bool {
    let judge = std::process::id().cast_signed();
    processes(group).is_ok_and(|listed| listed.iter().all(|&process| process == judge))
}

/// Moves the judge into a group below its own group, and enables limits for the groups at the same level.
fn move_down(own: &Path) -> io::Result<()> {
    let below = own.join(new_name());
    fs::create_dir(&below)?;
    let move_to = |group: &Path| write(&group.join("cgroup.procs"), &std::process::id().to_string());
    move_to(&below).and_then(|()| enable(own)).inspect_err(|_| {
        let _ = move_to(own);
        let _ = fs::remove_dir(&below);
    })
}

fn words(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.split_whitespace().map(str::to_owned).collect()
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
        // Version 2 counts the CPU time if version 1 does not.
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

    /// Makes ordinary files in place of the kernel's, in the folder `parent` and its folder `own`.
    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("parent/own")).unwrap();
        for (file, content) in files {
            fs::write(root.path().join("parent").join(file), content).unwrap();
        }
        root
    }

    fn parent_in(root: &Path) -> Result<PathBuf, String> {
        parent_of_version_2(root, &root.join("parent/own")).map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn groups_in_the_judges_group() {
        let enabled = tree(&[("own/cgroup.subtree_control", "cpu memory pids\n")]);
        assert_eq!(parent_in(enabled.path()), Ok(enabled.path().join("parent/own")));
        let available = tree(&[
            ("own/cgroup.controllers", "cpuset cpu io memory pids\n"),
            ("own/cgroup.subtree_control", ""),
        ]);
        let own = available.path().join("parent/own");
        assert_eq!(parent_in(available.path()), Ok(own.clone()));
        assert_eq!(fs::read_to_string(own.join("cgroup.subtree_control")).unwrap(), "+memory +pids");
    }

    /// Checks that the groups are made next to the judge's group if that group has other processes.
    #[test]
    fn groups_beside_the_judges_group() {
        let files = [
            ("own/cgroup.controllers", "memory pids\n"),
            ("own/cgroup.procs", "1\n2\n"),
            ("cgroup.subtree_control", "memory pids\n"),
        ];
        let beside = tree(&files);
        assert_eq!(parent_in(beside.path()), Ok(beside.path().join("parent")));
        let nowhere = parent_in(tree(&files[..2]).path()).unwrap_err();
        assert!(nowhere.contains("/own cannot have limits below it: "), "{nowhere}");
    }

    #[test]
    fn no_groups_without_controllers() {
        let bare = parent_in(tree(&[("own/cgroup.controllers", "hugetlb pids\n")]).path()).unwrap_err();
        assert!(bare.ends_with("/parent/own has no memory controller"), "{bare}");
    }
}
