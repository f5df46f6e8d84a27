//! The limits of a control group on memory and on processes.

use std::io;

use super::files::write;
use super::folder::{GroupFolders, Version};
use crate::limits::Limits;

/// Sets the limits on what all processes of the group may use together.
pub(super) fn write_limits(folders: &GroupFolders, limits: &Limits) -> io::Result<()> {
    let GroupFolders { memory, pids, .. } = folders;
    let bytes = limits.memory.to_string();
    let optional = |name: &str, value: &str| match write(&memory.path.join(name), value) {
        // Not every kernel counts what is swapped out, or has the file.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        written => written,
    };
    match memory.version {
        Version::One => {
            write(&memory.path.join("memory.limit_in_bytes"), &bytes)?;
            optional("memory.memsw.limit_in_bytes", &bytes)?;
        }
        Version::Two => {
            write(&memory.path.join("memory.max"), &bytes)?;
            optional("memory.swap.max", "0")?;
            optional("memory.oom.group", "1")?;
        }
    }
    write(&pids.path.join("pids.max"), &limits.processes.to_string())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::limits::DEFAULT_LIMITS;

    #[test]
    fn the_limits_in_words_of_version_2() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        for name in ["memory.max", "memory.swap.max", "memory.oom.group", "pids.max"] {
            fs::write(file(name), "").unwrap();
        }
        let folders = GroupFolders::version_2(folder.path().to_owned());
        write_limits(&folders, &DEFAULT_LIMITS).unwrap();
        for (name, value) in [
            ("memory.max", "1073741824"),
            ("memory.swap.max", "0"),
            ("memory.oom.group", "1"),
            ("pids.max", "64"),
        ] {
            assert_eq!(fs::read_to_string(file(name)).unwrap(), value, "{name}");
        }
        fs::remove_file(file("memory.swap.max")).unwrap();
        write_limits(&folders, &DEFAULT_LIMITS).expect("not every kernel swaps");
        fs::remove_file(file("memory.max")).unwrap();
        let error = write_limits(&folders, &DEFAULT_LIMITS).unwrap_err().to_string();
        assert!(error.contains("/memory.max: No such file"), "{error}");
    }
}
