//! The group of version 2 under which a judge may make others.

use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context, bail, ensure};
use itertools::Itertools;

use super::files::{processes, write};
use super::stale;
use crate::judge_processes::judge_processes;

/// The controllers that are needed.
const NEEDED: [&str; 2] = ["memory", "pids"];

/// The group of version 2 under which others with limits can be made, for a judge that is in this one.
///
/// Except for the root of the whole system, a group has either processes or groups with limits below it. So it
/// is the judge's own group if that has limits below it already or can have them. If only the judge is in it,
/// as in a scope of systemd's, the judge moves into a group below first. Otherwise it is the parent.
pub(super) fn parent(mount: &Path, own: &Path) -> anyhow::Result<PathBuf> {
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

/// Whether the groups below have the limits that are needed.
fn limits_below(group: &Path) -> bool {
    let enabled = words(&group.join("cgroup.subtree_control"));
    NEEDED.iter().all(|needed| enabled.iter().any(|word| word == needed))
}

fn enable(group: &Path) -> io::Result<()> {
    write(&group.join("cgroup.subtree_control"), "+memory +pids")
}

/// Whether this judge, with its supervisor, is alone in the group.
fn is_alone(group: &Path) -> bool {
    processes(group).is_ok_and(|listed| listed.iter().all(|process| judge_processes().contains(process)))
}

/// Moves the judge into a group below, and limits the groups beside that.
fn move_down(own: &Path) -> io::Result<()> {
    let below = own.join(stale::name()?);
    fs::create_dir(&below)?;
    let move_to = |group: &Path| {
        let mut judge = judge_processes().into_iter();
        judge.try_for_each(|process| write(&group.join("cgroup.procs"), &process.to_string()))
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

    /// A tree without a kernel behind it: /own below /parent.
    fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("parent/own")).unwrap();
        for (file, content) in files {
            fs::write(root.path().join("parent").join(file), content).unwrap();
        }
        root
    }

    fn parent_in(root: &Path) -> Result<PathBuf, String> {
        parent(root, &root.join("parent/own")).map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn in_the_own_group() {
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

    /// Where other processes are beside the judge, the groups are made beside its own.
    #[test]
    fn beside_the_own_group() {
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
    fn without_controllers() {
        let bare = parent_in(tree(&[("own/cgroup.controllers", "hugetlb pids\n")]).path()).unwrap_err();
        assert!(bare.ends_with("/parent/own has no memory controller"), "{bare}");
    }
}
