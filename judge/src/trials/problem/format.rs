//! The formats of problem packages that the judge reads, and how they are told apart: by the names of their files and,
//! if a name alone proves nothing, by keys.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use roxmltree::Document;
use runner::sources::folder::entries;
use serde_json::Value;

use crate::text::read_text;
use crate::trials::problem::package::Package;
use crate::trials::problem::yaml::YamlFile;
use crate::trials::problem::{archive, dmoj, hydro, icpc, interact_bench, polygon, rbx, yaml};

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
    pub(crate) fn in_folder(folder: &Path) -> Option<Self> {
        let (name, format) = recognize(folder)?;
        Some(Self { file: folder.join(name), format })
    }

    /// Returns the folder of the file by which the package was recognized.
    pub(crate) fn folder(&self) -> &Path {
        self.file.parent().unwrap_or(&self.file)
    }

    /// Reads the package. `folder` is its folder as it was typed. A problem that the judge does not run is an error.
    pub(crate) fn read(&self, folder: &Path) -> anyhow::Result<Package> {
        let path = match self.file.file_name() {
            Some(name) if self.format != PackageFormat::Hydro => folder.join(name),
            // The file may be in a folder of the package.
            _ => self.file.clone(),
        };
        let mut package = Package::new(folder)?;
        let text = yaml::read_file(&path)?.with_context(|| format!("{}: expected a file", path.display()))?;
        let malformed = || format!("{} is malformed", path.display());
        let read = match self.format {
            PackageFormat::Icpc => return icpc::read(package, &YamlFile { path, text }),
            PackageFormat::Polygon => {
                polygon::read(&mut package, Document::parse(&text).with_context(malformed)?.root_element())
            }
            PackageFormat::Rbx => rbx::read(&mut package, &yaml::parse(&text).with_context(malformed)?),
            PackageFormat::Hydro => {
                hydro::read(&mut package, self.folder(), &yaml::parse(&text).with_context(malformed)?)
            }
            PackageFormat::Dmoj => dmoj::read(&mut package, &yaml::parse(&text).with_context(malformed)?),
            PackageFormat::InteractBench => {
                interact_bench::read(&mut package, &serde_json::from_str(&text).with_context(malformed)?)
            }
        };
        read.with_context(|| path.display().to_string())?;
        if let Some(solutions) = &mut package.solutions {
            solutions.sort_by_key(|solution| !solution.is_accepted);
        }
        Ok(package)
    }
}

/// Reads the package in a zip archive.
pub(crate) fn read_archive(path: &Path) -> anyhow::Result<Package> {
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
    let mut package = found.read(folder).with_context(|| path.display().to_string())?;
    path.clone_into(&mut package.folder);
    package.unpacked.push(unpacked);
    Ok(package)
}

/// Returns the path of the recognized file below `folder`, and the format.
fn recognize(folder: &Path) -> Option<(&'static str, PackageFormat)> {
    let keys =
        |name: &str| -> Option<BTreeMap<String, Value>> { yaml::parse(&text_of(&folder.join(name))?).ok() };
    let has_one =
        |name: &str, known: &[&str]| keys(name).map(|keys| known.iter().any(|key| keys.contains_key(*key)));
    let of_icpc = ["problem_format_version", "validation", "limits", "type"];
    // The reader of packages says what is wrong with a malformed file.
    if folder.join("problem.yaml").is_file() && has_one("problem.yaml", &of_icpc).unwrap_or(true) {
        return Some(("problem.yaml", PackageFormat::Icpc));
    }
    if text_of(&folder.join(polygon::FILE))
        .is_some_and(|text| text.contains("<problem") && text.contains("<judging"))
    {
        return Some((polygon::FILE, PackageFormat::Polygon));
    }
    let of_rbx = ["timeLimit", "memoryLimit", "testcases", "solutions", "interactor"];
    if has_one(rbx::FILE, &of_rbx) == Some(true) {
        return Some((rbx::FILE, PackageFormat::Rbx));
    }
    let is_of_hydro = |name: &&str| {
        let keys = keys(name).unwrap_or_default();
        let kind = keys.get("type").and_then(Value::as_str);
        matches!(kind, Some("interactive" | "communication")) || keys.contains_key("checker_type")
    };
    if let Some(name) = hydro::FILES.into_iter().find(is_of_hydro) {
        return Some((name, PackageFormat::Hydro));
    }
    if has_one(dmoj::FILE, &["test_cases", "archive", "interactive"]) == Some(true) {
        return Some((dmoj::FILE, PackageFormat::Dmoj));
    }
    let interactors = entries(&folder.join("interactor")).unwrap_or_default();
    let is_interact_bench = folder.join(interact_bench::FILE).is_file()
        && interactors.iter().any(|path| path.extension().is_some_and(|end| end == "cpp"));
    is_interact_bench.then_some((interact_bench::FILE, PackageFormat::InteractBench))
}

/// Returns the text of a file; `None` if it cannot be read, is larger than 1 MiB or not UTF-8.
pub(crate) fn text_of(path: &Path) -> Option<String> {
    // Something else than a file, such as a named pipe, may have no end.
    path.is_file().then(|| read_text(path, 1 << 20).ok())?
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

    pub(crate) fn read(folder: &Path) -> anyhow::Result<Package> {
        FoundPackage::in_folder(folder).unwrap().read(folder)
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
            let error = format!("{:#}", read(folder.path()).map(|_| ()).unwrap_err());
            assert!(error.contains(expected), "{from:?} {to:?}: {error}");
        }
    }
}
