//! Where the judge may make control groups.

use std::path::{Path, PathBuf};
use std::{fs, io, process};

use anyhow::{Context, bail, ensure};
use itertools::Itertools;
use procfs::process::{MountInfo, MountInfos};
use procfs::{FromBufRead, ProcessCGroups};

use super::stale;
use crate::process::supervisor;

/// The interface of a tree of groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    One,
    Two,
}

/// A group under which others can be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parent {
    pub(super) version: Version,
    pub(super) path: PathBuf,
}

/// The groups under which those of bots are made, one for each resource; with version 2 they are one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(super) memory: Parent,
    pub(super) pids: Parent,
    pub(super) cpu: Parent,
}

impl Place {
    /// Where this judge may make groups. Those of judges that were killed are removed.
    ///
    /// # Errors
    ///
    /// If it may not, and why.
    pub(crate) fn find() -> anyhow::Result<Self> {
        let mounts = fs::read_to_string("/proc/self/mountinfo").context("the mounts cannot be read")?;
        let own = fs::read_to_string("/proc/self/cgroup").context("the judge's own group cannot be read")?;
        let place = Self::among(&mounts, &own)?;
        for path in place.paths() {
            stale::remove(path);
        }
        Ok(place)
    }

    /// The same by the text of these two files.
    fn among(mounts: &str, own: &str) -> anyhow::Result<Self> {
        let mounts = MountInfos::from_buf_read(mounts.as_bytes()).context("the mounts cannot be read")?;
        let own = ProcessCGroups::from_buf_read(own.as_bytes()).context("the own group cannot be read")?;
        let one = |controller: &str| {
            let mount = mounts
                .0
                .iter()
                .find(|mount| mount.fs_type == "cgroup" && mount.super_options.contains_key(controller))?;
            let own = own.0.iter().find(|group| group.controllers.iter().any(|name| name == controller))?;
            Some(Parent { version: Version::One, path: folder(mount, &own.pathname)? })
        };
        let two = || {
            let mount = mounts.0.iter().find(|mount| mount.fs_type == "cgroup2")?;
            let own = own.0.iter().find(|group| group.hierarchy == 0)?;
            Some((mount.mount_point.clone(), folder(mount, &own.pathname)?))
        };
        if let (Some(memory), Some(pids)) = (one("memory"), one("pids")) {
            // Version 2 tells the CPU time of every group, whatever controllers it has.
            let unified = || two().map(|(_, path)| Parent { version: Version::Two, path });
            let cpu = one("cpuacct").or_else(unified).context("no control group tells the CPU time")?;
            return Ok(Self { memory, pids, cpu });
        }
        let (mount, own) = two().context("no control groups with limits are mounted")?;
        let all = Parent { version: Version::Two, path: version_2(&mount, &own)? };
        Ok(Self { memory: all.clone(), pids: all.clone(), cpu: all })
    }

    /// The folders, each once.
    fn paths(&self) -> impl Iterator<Item = &Path> {
        [&self.memory, &self.pids, &self.cpu].into_iter().map(|parent| parent.path.as_path()).unique()
    }
}

/// The folder of a group of that name; `None` if the mount does not show it.
fn folder(mount: &MountInfo, group: &str) -> Option<PathBuf> {
    let below = Path::new(group).strip_prefix(&mount.root).ok()?;
    (!group.contains("/..")).then(|| mount.mount_point.join(below))
}

/// The controllers that are needed.
const NEEDED: [&str; 2] = ["memory", "pids"];

/// The group of version 2 under which others with limits can be made, for a judge that is in this one.
///
/// A group has either processes or groups with limits below it, but for the root of the whole system. So it is
/// the judge's own group if that has limits below it already or can have them; if only the judge is in it, as
/// in a scope of systemd's, after a move into a group below; or else its parent.
fn version_2(mount: &Path, own: &Path) -> anyhow::Result<PathBuf> {
    if limits_below(own) {
        return Ok(own.to_owned());
    }
    let available = words(&own.join("cgroup.controllers"));
    let parent = own.parent().filter(|parent| parent.starts_with(mount) && limits_below(parent));
    if NEEDED.iter().all(|needed| available.iter().any(|word| word == needed)) {
        match enable(own) {
            Ok(()) => return Ok(own.to_owned()),
            Err(_) if is_alone(own) => {
                step_down(own).context("the judge cannot move into a group below its own")?;
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

/// Whether the groups below have the limits that are needed.
fn limits_below(group: &Path) -> bool {
    let enabled = words(&group.join("cgroup.subtree_control"));
    NEEDED.iter().all(|needed| enabled.iter().any(|word| word == needed))
}

fn enable(group: &Path) -> io::Result<()> {
    super::group::write(&group.join("cgroup.subtree_control"), "+memory +pids")
}

/// Whether this judge, with its supervisor, is alone in the group.
fn is_alone(group: &Path) -> bool {
    let own = own_processes();
    words(&group.join("cgroup.procs")).iter().all(|process| own.contains(process))
}

/// The numbers of the judge's processes.
fn own_processes() -> Vec<String> {
    supervisor::number().into_iter().chain([process::id().cast_signed()]).map(|pid| pid.to_string()).collect()
}

/// Moves the judge into a group below, and limits the groups beside that.
fn step_down(own: &Path) -> io::Result<()> {
    let below = own.join(stale::name()?);
    fs::create_dir(&below)?;
    let own_processes = own_processes();
    let move_to = |group: &Path| {
        own_processes.iter().try_for_each(|process| super::group::write(&group.join("cgroup.procs"), process))
    };
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

    /// A tree of version 2 without a kernel behind it: /own below /parent.
    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("parent/own")).unwrap();
        for (file, content) in files {
            fs::write(root.path().join("parent").join(file), content).unwrap();
        }
        root
    }

    fn among(root: &Path) -> Result<Place, String> {
        let mounts = format!("30 23 0:26 / {} rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n", root.display());
        Place::among(&mounts, "0::/parent/own\n").map_err(|error| format!("{error:#}"))
    }

    fn all_in(path: PathBuf) -> Place {
        let all = Parent { version: Version::Two, path };
        Place { memory: all.clone(), pids: all.clone(), cpu: all }
    }

    #[test]
    fn version_1_has_a_tree_for_each_resource() {
        let mounts = "\
30 23 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
31 23 0:27 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids
32 23 0:28 /docker/1 /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
33 23 0:29 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
";
        let own = "4:memory:/user/7\n8:pids:/\n2:cpu,cpuacct:/docker/1/a\n0::/\n";
        let one = |path: &str| Parent { version: Version::One, path: path.into() };
        let expected = Place {
            memory: one("/sys/fs/cgroup/memory/user/7"),
            pids: one("/sys/fs/cgroup/pids"),
            cpu: one("/sys/fs/cgroup/cpu,cpuacct/a"),
        };
        assert_eq!(Place::among(mounts, own).unwrap(), expected);
        // What version 1 does not count, version 2 does.
        let own = own.replace("2:cpu,cpuacct:/docker/1/a\n", "");
        let cpu = Parent { version: Version::Two, path: "/sys/fs/cgroup/unified".into() };
        assert_eq!(Place::among(mounts, &own).unwrap(), Place { cpu, ..expected });
    }

    #[test]
    fn version_2_in_the_own_group() {
        let enabled = tree(&[("own/cgroup.subtree_control", "cpu memory pids\n")]);
        assert_eq!(among(enabled.path()), Ok(all_in(enabled.path().join("parent/own"))));
        let available = tree(&[
            ("own/cgroup.controllers", "cpuset cpu io memory pids\n"),
            ("own/cgroup.subtree_control", ""),
        ]);
        let own = available.path().join("parent/own");
        assert_eq!(among(available.path()), Ok(all_in(own.clone())));
        assert_eq!(fs::read_to_string(own.join("cgroup.subtree_control")).unwrap(), "+memory +pids");
    }

    /// Where other processes are beside the judge, the groups are made beside its own.
    #[test]
    fn version_2_beside_the_own_group() {
        let files = [
            ("own/cgroup.controllers", "memory pids\n"),
            ("own/cgroup.procs", "1\n2\n"),
            ("cgroup.subtree_control", "memory pids\n"),
        ];
        let beside = tree(&files);
        assert_eq!(among(beside.path()), Ok(all_in(beside.path().join("parent"))));
        let nowhere = among(tree(&files[..2]).path()).unwrap_err();
        assert!(nowhere.contains("/own cannot have limits below it: "), "{nowhere}");
    }

    #[test]
    fn version_2_without_controllers() {
        let bare = among(tree(&[("own/cgroup.controllers", "hugetlb pids\n")]).path()).unwrap_err();
        assert!(bare.ends_with("/parent/own has no memory controller"), "{bare}");
        let none = Place::among("", "").unwrap_err().to_string();
        assert_eq!(none, "no control groups with limits are mounted");
    }
}
