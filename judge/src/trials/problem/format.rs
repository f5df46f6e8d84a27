//! The formats of problem packages that the judge reads, and how they are told apart: by the names of their files and,
//! if a name alone proves nothing, by keys.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use runner::sources::folder::entries;
use serde_json::Value;

use crate::text::read_text;
use crate::trials::problem::package::Package;
use crate::trials::problem::{archive, dmoj, hydro, interact_bench, polygon, rbx, yaml};

/// A format of problem packages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PackageFormat {
    /// `legacy` and `2025-09` of Kattis and ICPC.
    Icpc,
    Polygon,
    Rbx,
    Hydro,
    Dmoj,
    InteractBench,
}

/// The file by which a package was recognized, and its format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoundPackage {
    pub(crate) file: PathBuf,
    pub(crate) format: PackageFormat,
}

impl FoundPackage {
    /// Recognizes the package in a folder.
    pub(crate) fn in_folder(folder: &Path) -> Option<Self> {
        let (name, format) = recognize(folder)?;
        Some(Self { file: folder.join(name), format })
    }

    /// Returns the folder of the file by which the package was recognized.
    pub(crate) fn folder(&self) -> &Path {
        self.file.parent().unwrap_or(&self.file)
    }

    /// Reads the package. `folder` is its folder as it was typed.
    ///
    /// # Errors
    ///
    /// If a file is missing or malformed, or if the judge does not run such a problem.
    pub(crate) fn read(&self, folder: &Path) -> anyhow::Result<Package> {
        match self.format {
            PackageFormat::Icpc => Package::read(folder),
            PackageFormat::Polygon => polygon::read(folder),
            PackageFormat::Rbx => rbx::read(folder),
            PackageFormat::Hydro => hydro::read(folder, &self.file),
            PackageFormat::Dmoj => dmoj::read(folder),
            PackageFormat::InteractBench => interact_bench::read(folder),
        }
    }
}

/// Reads the package at a path: its folder, or a zip archive.
///
/// # Errors
///
/// If there is no package, a file is missing or malformed, or if the judge does not run such a problem.
pub(crate) fn read(path: &Path) -> anyhow::Result<Package> {
    if archive::is_archive(path) {
        return read_archive(path);
    }
    match FoundPackage::in_folder(path) {
        Some(package) => package.read(path),
        // This reader says what the folder lacks.
        None => Package::read(path),
    }
}

fn read_archive(path: &Path) -> anyhow::Result<Package> {
    let unpacked = archive::unpack(path)?;
    // An archive may have everything in one folder.
    let inside = entries(unpacked.path())?;
    let folder = match &inside[..] {
        [folder] if folder.is_dir() => folder,
        _ => unpacked.path(),
    };
    let found = FoundPackage::in_folder(folder);
    let found =
        found.with_context(|| format!("{}: expected a problem package, found none", path.display()))?;
    let package = found.read(folder).with_context(|| path.display().to_string())?;
    let files = package.unpacked.into_iter().chain([unpacked]).collect();
    Ok(Package { folder: path.to_owned(), unpacked: files, ..package })
}

/// Returns the path of the recognized file below `folder`, and the format.
fn recognize(folder: &Path) -> Option<(&'static str, PackageFormat)> {
    let keys = |name: &str| yaml_keys(&folder.join(name));
    let of_package = ["problem_format_version", "validation", "limits", "type"];
    match keys("problem.yaml") {
        Keys::Read(keys) if !has_one(&keys, &of_package) => {}
        Keys::Missing => {}
        // The reader of packages says what is wrong with a malformed file.
        Keys::Read(_) | Keys::Malformed => return Some(("problem.yaml", PackageFormat::Icpc)),
    }
    if text_of(&folder.join(polygon::FILE))
        .is_some_and(|text| text.contains("<problem") && text.contains("<judging"))
    {
        return Some((polygon::FILE, PackageFormat::Polygon));
    }
    let of_rbx = ["timeLimit", "memoryLimit", "testcases", "solutions", "interactor"];
    if matches!(keys(rbx::FILE), Keys::Read(keys) if has_one(&keys, &of_rbx)) {
        return Some((rbx::FILE, PackageFormat::Rbx));
    }
    for name in hydro::FILES {
        let Keys::Read(keys) = keys(name) else { continue };
        if matches!(keys.get("type").and_then(Value::as_str), Some("interactive" | "communication")) {
            return Some((name, PackageFormat::Hydro));
        }
    }
    let of_dmoj = ["test_cases", "archive", "interactive"];
    if matches!(keys(dmoj::FILE), Keys::Read(keys) if has_one(&keys, &of_dmoj)) {
        return Some((dmoj::FILE, PackageFormat::Dmoj));
    }
    let interactors = entries(&folder.join("interactor")).unwrap_or_default();
    if folder.join(interact_bench::FILE).is_file()
        && interactors.iter().any(|path| path.extension().is_some_and(|end| end == "cpp"))
    {
        return Some((interact_bench::FILE, PackageFormat::InteractBench));
    }
    None
}

/// Maximum size of a file whose text is searched for signs of a format, in bytes.
const MAX_SIZE: u64 = 1 << 20;

/// Returns the text of a file; `None` if it cannot be read, is too large or not UTF-8.
pub(crate) fn text_of(path: &Path) -> Option<String> {
    // Something else than a file, such as a named pipe, may have no end.
    path.is_file().then(|| read_text(path, MAX_SIZE).ok())?
}

/// The keys at the top level of a YAML file.
enum Keys {
    Missing,
    Malformed,
    Read(BTreeMap<String, Value>),
}

fn yaml_keys(file: &Path) -> Keys {
    if !file.is_file() {
        return Keys::Missing;
    }
    text_of(file).and_then(|text| yaml::parse(&text).ok()).map_or(Keys::Malformed, Keys::Read)
}

fn has_one(keys: &BTreeMap<String, Value>, known: &[&str]) -> bool {
    known.iter().any(|key| keys.contains_key(*key))
}

#[cfg(test)]
pub(crate) mod tests {
    use std::fs;

    use super::*;

    /// A temporary folder with these files. Each is a path, or a path and a text after a colon.
    pub(crate) fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let (name, text) = file.split_once(':').unwrap_or((file, ""));
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    /// Returns the name, the input and the answer of each test of a package. The paths are relative to its folder.
    pub(crate) fn tests_of(package: &Package) -> Vec<(String, String, Option<String>)> {
        let shown =
            |path: &Path| path.strip_prefix(&package.root).unwrap_or(path).to_str().unwrap().to_owned();
        let of_test = |test: &crate::trials::problem::package::PackageTest| {
            (test.name.clone(), shown(&test.input.path), test.input.answer.as_deref().map(shown))
        };
        package.tests.iter().map(of_test).collect()
    }

    /// Checks for each row that a change of `text`, the contents of the first of the `files`, leads to an error that
    /// contains the third text.
    pub(crate) fn assert_faults(text: &str, files: &[&str], rows: &[(&str, &str, &str)]) {
        for (from, to, expected) in rows {
            assert!(text.contains(from), "{from}");
            let changed = format!("{}:{}", files[0], text.replace(from, to));
            let folder = folder(&[&[&*changed], &files[1..]].concat());
            let error = FoundPackage::in_folder(folder.path()).unwrap().read(folder.path()).map(|_| ());
            let error = format!("{:#}", error.unwrap_err());
            assert!(error.contains(expected), "{from:?} {to:?}: {error}");
        }
    }
}
