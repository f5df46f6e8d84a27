//! The cache of compiled programs. Each program has a folder, whose name is a hash of what the program was made from, and a
//! file with the names of the files that its source includes. Judges that run at the same time share the cache: a folder
//! is complete as soon as it has its final name, and its files never change.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::{Duration, SystemTime};

use anyhow::Context;
use hmac_sha256::Hash;
use itertools::Itertools;
use tempfile::Builder;

const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);

/// The key of a program: a hash of what the program is made from, without included files.
#[derive(Debug)]
pub(super) struct Key(String);

impl Key {
    pub(super) fn of<'a>(parts: impl IntoIterator<Item = &'a OsStr>) -> Self {
        let mut hash = Hash::new();
        for part in parts {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part.as_bytes());
        }
        Self(hash.finalize().iter().map(|byte| format!("{byte:02x}")).join(""))
    }

    /// Returns this key combined with the paths and contents of these files.
    fn with_files(&self, files: &[PathBuf]) -> Self {
        let contents: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).unwrap_or_default()).collect();
        let files = files.iter().map(|file| file.as_os_str());
        let contents = contents.iter().map(|content| OsStr::from_bytes(content));
        Self::of([OsStr::new(&self.0)].into_iter().chain(files).chain(contents))
    }
}

#[derive(Debug)]
pub(super) struct Cache {
    folder: PathBuf,
}

impl Cache {
    pub(super) fn open() -> anyhow::Result<Self> {
        let folder_in = |name, below| {
            let folder = PathBuf::from(env::var_os(name)?);
            folder.is_absolute().then(|| folder.join(below))
        };
        let caches = folder_in("XDG_CACHE_HOME", "").or_else(|| folder_in("HOME", ".cache"));
        let caches =
            caches.context("there is no cache folder for its program: set XDG_CACHE_HOME or HOME")?;
        let folder = caches.join("zeroxor-judge");
        fs::create_dir_all(&folder)
            .with_context(|| format!("the cache folder {} cannot be created", folder.display()))?;
        Ok(Self { folder })
    }

    /// Returns the folder of the program with this key. If there is none, or if an included file has changed, makes the folder
    /// by `fill`, which returns the files that the program's source includes.
    pub(super) fn folder(
        &self,
        key: &Key,
        fill: impl FnOnce(&Path) -> anyhow::Result<Vec<PathBuf>>,
    ) -> anyhow::Result<PathBuf> {
        static REMOVAL: Once = Once::new();
        let includes = self.folder.join(format!("{}.includes", key.0));
        let mut includes =
            File::options().read(true).write(true).create(true).truncate(false).open(includes)?;
        // Of all judges and threads that need the program, only one makes it. Without a lock, several may.
        let _ = includes.lock();
        let mut known = Vec::new();
        includes.read_to_end(&mut known)?;
        let known = known.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        let known: Vec<PathBuf> = known.map(|line| OsStr::from_bytes(line).into()).collect();
        let folder = self.folder.join(key.with_files(&known).0);
        // Marks both as used. If this fails, they may be removed too early and made again.
        let _ = includes.set_modified(SystemTime::now());
        if let Ok(found) = File::open(&folder) {
            let _ = found.set_modified(SystemTime::now());
            return Ok(folder);
        }
        REMOVAL.call_once(|| self.remove_old());
        let new = Builder::new().prefix(".new").tempdir_in(&self.folder)?;
        let included = fill(new.path())?;
        let folder = self.folder.join(key.with_files(&included).0);
        if let Err(error) = fs::rename(new.path(), &folder)
            && !folder.is_dir()
        {
            return Err(error.into());
        }
        let paths: Vec<&[u8]> = included.iter().map(|path| path.as_os_str().as_bytes()).collect();
        includes.set_len(0)?;
        includes.write_all_at(&paths.join(&b'\n'), 0)?;
        Ok(folder)
    }

    pub(super) fn go_cache(&self) -> io::Result<PathBuf> {
        let folder = self.folder.join("go");
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    fn remove_old(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        for entry in entries.flatten() {
            let used = entry.metadata().and_then(|data| data.modified());
            if used.is_ok_and(|used| used.elapsed().is_ok_and(|age| age > KEPT)) {
                let _ = fs::remove_dir_all(entry.path()).or_else(|_| fs::remove_file(entry.path()));
            }
        }
    }
}
