//! The cache of compiled programs. Each program has a folder, whose name is a hash of what the program was made from, and a
//! file with the names of the files that its source includes. Judges that run at the same time share the cache: a folder
//! is complete as soon as it has its final name, and its files never change.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::thread;
use std::time::{Duration, SystemTime};

use anyhow::Context;
use hmac_sha256::Hash;
use itertools::Itertools;
use tempfile::Builder;

use crate::interrupt::interrupted;
use crate::relay::POLL_INTERVAL;

const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);

/// Returns a hash of what a program is made from.
pub(super) fn hash<'a>(parts: impl IntoIterator<Item = &'a OsStr>) -> String {
    let mut hash = Hash::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).join("")
}

/// Returns the key of a program combined with the paths and contents of the files that its source includes.
fn hash_with_files(key: &str, files: &[PathBuf]) -> String {
    let contents: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).unwrap_or_default()).collect();
    let contents = contents.iter().map(|content| OsStr::from_bytes(content));
    hash([OsStr::new(key)].into_iter().chain(files.iter().map(|file| file.as_os_str())).chain(contents))
}

pub(super) fn cache() -> anyhow::Result<PathBuf> {
    let folder_in = |name, below| {
        let folder = PathBuf::from(env::var_os(name)?);
        folder.is_absolute().then(|| folder.join(below))
    };
    let caches = folder_in("XDG_CACHE_HOME", "").or_else(|| folder_in("HOME", ".cache"));
    let caches = caches.context("there is no cache folder for its program: set XDG_CACHE_HOME or HOME")?;
    let cache = caches.join("zeroxor-judge");
    fs::create_dir_all(&cache)
        .with_context(|| format!("the cache folder {} cannot be created", cache.display()))?;
    Ok(cache)
}

/// Returns the folder of the program with this key, the hash of what it is made from without included files. If there is no
/// such folder, or if an included file has changed, makes it by `fill`, which returns the files that the program's source
/// includes.
pub(super) fn folder(
    key: &str,
    fill: impl FnOnce(&Path) -> anyhow::Result<Vec<PathBuf>>,
) -> anyhow::Result<PathBuf> {
    static REMOVAL: Once = Once::new();
    let cache = cache()?;
    let path = cache.join(format!("{key}.includes"));
    let lock = File::options().read(true).append(true).create(true).open(&path);
    let lock = lock.with_context(|| format!("{} cannot be opened", path.display()))?;
    // Of all judges and threads that need the program, only one makes it. Without a lock, several may.
    while matches!(lock.try_lock(), Err(TryLockError::WouldBlock)) && !interrupted() {
        thread::sleep(POLL_INTERVAL);
    }
    // Of the file that is locked: another judge may have removed its name, after a failed compilation.
    let mut known = Vec::new();
    (&lock).read_to_end(&mut known)?;
    let known = known.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    let known: Vec<PathBuf> = known.map(|line| OsStr::from_bytes(line).into()).collect();
    let folder = cache.join(hash_with_files(key, &known));
    // Marks both as used. If this fails, they may be removed too early and made again.
    let mark = |file: &File| drop(file.set_modified(SystemTime::now()));
    mark(&lock);
    if let Ok(found) = File::open(&folder) {
        mark(&found);
        return Ok(folder);
    }
    REMOVAL.call_once(|| remove_old(&cache));
    let new = Builder::new().prefix(".new").tempdir_in(&cache)?;
    let included = fill(new.path()).inspect_err(|_| {
        if known.is_empty() {
            let _ = fs::remove_file(&path);
        }
    })?;
    let folder = cache.join(hash_with_files(key, &included));
    fs::rename(new.path(), &folder).or_else(|error| if folder.is_dir() { Ok(()) } else { Err(error) })?;
    let included = included.iter().map(|path| path.as_os_str().as_bytes()).collect_vec();
    fs::write(&path, included.join(&b'\n'))?;
    Ok(folder)
}

fn remove_old(cache: &Path) {
    let Ok(entries) = fs::read_dir(cache) else { return };
    for entry in entries.flatten() {
        let used = entry.metadata().and_then(|data| data.modified());
        if used.is_ok_and(|used| used.elapsed().is_ok_and(|age| age > KEPT)) {
            let _ = fs::remove_dir_all(entry.path()).or_else(|_| fs::remove_file(entry.path()));
        }
    }
}
