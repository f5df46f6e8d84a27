//! Zip archives of problem packages, and of the tests of DMOJ.

use std::fs::{self, File, Permissions};
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, bail, ensure};
use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZError, MZFlush, MZStatus};
use rawzip::{CompressionMethod, RECOMMENDED_BUFFER_SIZE, ZipArchive};
use tempfile::TempDir;

/// Maximum number of entries of an archive, and of the bytes that all files have together.
const MAX_ENTRIES: usize = 100_000;
const MAX_BYTES: u64 = 4 << 30;

pub(crate) fn is_archive(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("zip")) && path.is_file()
}

/// Unpacks an archive into a temporary folder. It is an error if the archive is too large, or if an entry is a link or
/// leads out of the folder.
pub(crate) fn unpack(path: &Path) -> anyhow::Result<TempDir> {
    let folder = tempfile::Builder::new().prefix("judge-package-").tempdir()?;
    unpack_into(path, folder.path(), MAX_ENTRIES, MAX_BYTES).with_context(|| path.display().to_string())?;
    Ok(folder)
}

fn unpack_into(path: &Path, folder: &Path, max_entries: usize, max_bytes: u64) -> anyhow::Result<()> {
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let file = File::open(path).context("the archive cannot be read")?;
    let archive = ZipArchive::from_file(file, &mut buffer).context("expected a zip archive")?;
    let mut entries = archive.entries(&mut buffer);
    let (mut count, mut left) = (0, max_bytes);
    while let Some(entry) = entries.next_entry().context("the list of entries is malformed")? {
        count += 1;
        ensure!(count <= max_entries, "expected at most {max_entries} entries, found more");
        let raw = entry.file_path();
        let name = String::from_utf8_lossy(raw.as_bytes()).into_owned();
        let place = place_of(raw.as_bytes()).with_context(|| {
            format!("the entry {name:?}: expected a path in UTF-8 inside of the archive, without \"..\"")
        })?;
        let place = folder.join(place);
        let mode = entry.mode();
        ensure!(!mode.is_symlink(), "the entry {name:?}: expected a file or a folder, found a link");
        if entry.is_dir() {
            fs::create_dir_all(&place).with_context(|| format!("the entry {name:?}"))?;
            continue;
        }
        ensure!(!entry.flags().is_encrypted(), "the entry {name:?}: expected no encryption");
        let method = entry.compression_method();
        let unpacked = || -> anyhow::Result<u64> {
            let entry = archive.get_entry(entry.wayfinder())?;
            let contents: Box<dyn Read + '_> = match method {
                CompressionMethod::STORE => Box::new(entry.reader()),
                CompressionMethod::DEFLATE => Box::new(Inflated {
                    deflated: BufReader::new(entry.reader()),
                    state: InflateState::new_boxed(DataFormat::Raw),
                }),
                _ => bail!("expected a file that is stored or deflated, found another method"),
            };
            if let Some(parent) = place.parent() {
                fs::create_dir_all(parent)?;
            }
            // The size in the list of entries may be wrong, so the bytes that come out count.
            let mut contents = entry.verifying_reader(contents).take(left + 1);
            Ok(io::copy(&mut contents, &mut File::create_new(&place)?)?)
        };
        let bytes = unpacked().with_context(|| format!("the entry {name:?} cannot be unpacked"))?;
        left = left.checked_sub(bytes).with_context(|| {
            format!("the entry {name:?}: expected at most {max_bytes} bytes in all files, found more")
        })?;
        if mode.permissions() & 0o100 != 0 {
            fs::set_permissions(&place, Permissions::from_mode(0o755))?;
        }
    }
    Ok(())
}

struct Inflated<R> {
    deflated: BufReader<R>,
    state: Box<InflateState>,
}

impl<R: Read> Read for Inflated<R> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        loop {
            let input = self.deflated.fill_buf()?;
            let is_at_end = input.is_empty();
            let result = inflate(&mut self.state, input, output, MZFlush::None);
            self.deflated.consume(result.bytes_consumed);
            match result.status {
                Ok(MZStatus::StreamEnd) => return Ok(result.bytes_written),
                Ok(_) | Err(MZError::Buf) if result.bytes_written > 0 => return Ok(result.bytes_written),
                Ok(_) | Err(MZError::Buf) if !is_at_end => {}
                _ => return Err(io::Error::new(ErrorKind::InvalidData, "corrupt deflate stream")),
            }
        }
    }
}

/// Returns the path of an entry below the folder into which it is unpacked; `None` if it would be elsewhere.
fn place_of(name: &[u8]) -> Option<PathBuf> {
    let place = PathBuf::from(str::from_utf8(name).ok()?);
    let is_inside = place.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    (is_inside && place.file_name().is_some()).then_some(place)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use miniz_oxide::deflate::compress_to_vec;
    use rawzip::ZipArchiveWriter;
    use rawzip::path::EntryPath;

    use super::*;

    /// Writes an archive with the entries. Each is a name, the mode of its file, and a text, which is deflated.
    fn archive(entries: &[(&str, u32, &str)]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::with_suffix(".zip").unwrap();
        let mut archive = ZipArchiveWriter::new(&file);
        for (name, mode, text) in entries {
            let builder = archive.new_file(EntryPath::verbatim(name.as_bytes()));
            let builder = builder.compression_method(CompressionMethod::DEFLATE).unix_permissions(*mode);
            let (mut entry, config) = builder.start().unwrap();
            let mut writer = config.wrap(Vec::new());
            writer.write_all(text.as_bytes()).unwrap();
            let (text, descriptor) = writer.finish().unwrap();
            entry.write_all(&compress_to_vec(&text, 1)).unwrap();
            entry.finish(descriptor).unwrap();
        }
        archive.finish().unwrap();
        file
    }

    #[test]
    fn files_and_programs() {
        let file = archive(&[("a/b.txt", 0o100_644, "text"), ("./run", 0o100_755, "#!/bin/sh\n")]);
        assert!(is_archive(file.path()));
        let unpacked = unpack(file.path()).unwrap();
        assert_eq!(fs::read_to_string(unpacked.path().join("a/b.txt")).unwrap(), "text");
        let mode = |name: &str| fs::metadata(unpacked.path().join(name)).unwrap().permissions().mode();
        assert_eq!((mode("run") & 0o111, mode("a/b.txt") & 0o111), (0o111, 0));
    }

    #[test]
    fn refused_archives() {
        let long = "x".repeat(1 << 20);
        let file = 0o100_644;
        for (entries, expected) in [
            (&[("../a", file, "")][..], "the entry \"../a\": expected a path in UTF-8 inside of the archive"),
            (&[("a/../../b", file, "")], "the entry \"a/../../b\": expected a path"),
            (&[("/etc/a", file, "")], "the entry \"/etc/a\": expected a path"),
            (&[("a", 0o120_777, "/etc")], "the entry \"a\": expected a file or a folder, found a link"),
            (&[("a", file, "x"), ("a", file, "y")], "the entry \"a\" cannot be unpacked: File exists"),
            (&[("a", file, ""), ("b", file, ""), ("c", file, "")], "expected at most 2 entries, found more"),
            (&[("a", file, "x"), ("b", file, &long)], "\"b\": expected at most 2048 bytes in all files"),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let inner = folder.path().join("inner");
            let error = unpack_into(archive(entries).path(), &inner, 2, 2048).unwrap_err();
            assert!(format!("{error:#}").contains(expected), "{error:#}");
            let outside =
                fs::read_dir(folder.path()).unwrap().filter(|entry| entry.as_ref().unwrap().path() != inner);
            assert_eq!(outside.count(), 0, "{expected}");
        }
        let text = tempfile::NamedTempFile::new().unwrap();
        let error = unpack(text.path()).unwrap_err();
        assert!(format!("{error:#}").contains("expected a zip archive"), "{error:#}");
    }
}
