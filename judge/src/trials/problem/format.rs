//! The formats of problem packages that the judge reads, and how they are told apart: by the names of their files and,
//! if a name alone proves nothing, by keys.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, ensure};
use itertools::chain;
use roxmltree::Document;
use runner::sources::folder::entries;
use serde_json::Value;

use crate::trials::problem::package::{MAX_TESTS, Package};
use crate::trials::problem::yaml::YamlFile;
use crate::trials::problem::{archive, dmoj, hydro, icpc, interact_bench, polygon, rbx, yaml};

/// Returns the file by which the package in `folder` is recognized, which may be in a folder of it.
pub(crate) fn find(folder: &Path) -> Option<&'static str> {
    let is_of_package = |name: &&str| {
        let path = folder.join(name);
        // The reader of packages says what is wrong with a malformed file.
        let Some(text) = text_of(&path) else { return *name == icpc::FILE && path.is_file() };
        let keys = || yaml::parse::<BTreeMap<String, Value>>(&text).ok();
        let has_one = |known: &[&str]| keys().map(|keys| known.iter().any(|key| keys.contains_key(*key)));
        match *name {
            icpc::FILE => {
                has_one(&["problem_format_version", "validation", "limits", "type"]).unwrap_or(true)
            }
            polygon::FILE => text.contains("<problem") && text.contains("<judging"),
            rbx::FILE => {
                let known = ["timeLimit", "memoryLimit", "testcases", "solutions", "interactor"];
                has_one(&known) == Some(true)
            }
            dmoj::FILE => has_one(&["test_cases", "archive", "interactive"]) == Some(true),
            interact_bench::FILE => {
                let interactors = entries(&folder.join("interactor")).unwrap_or_default();
                interactors.iter().any(|path| path.extension().is_some_and(|end| end == "cpp"))
            }
            // Of Hydro.
            _ => {
                let keys = keys().unwrap_or_default();
                let kind = keys.get("type").and_then(Value::as_str);
                matches!(kind, Some("interactive" | "communication")) || keys.contains_key("checker_type")
            }
        }
    };
    let mut files =
        chain!([icpc::FILE, polygon::FILE, rbx::FILE], hydro::FILES, [dmoj::FILE, interact_bench::FILE]);
    files.find(is_of_package)
}

/// Reads the package in `folder`, or the archive of a package. A problem that the judge does not run is an error.
pub(crate) fn read(folder: &Path) -> anyhow::Result<Package> {
    if archive::is_archive(folder) {
        return read_archive(folder);
    }
    let file = find(folder);
    let file =
        file.with_context(|| format!("{}: expected a problem package, found none", folder.display()))?;
    let path = folder.join(file);
    let mut package = Package::new(folder);
    let yaml = YamlFile::read(&path)?.with_context(|| format!("{}: expected a file", path.display()))?;
    let malformed = || format!("{} is malformed", path.display());
    let read = match file {
        icpc::FILE => return icpc::read(package, &yaml),
        polygon::FILE => {
            let document = Document::parse(&yaml.text).with_context(malformed)?;
            polygon::read(&mut package, document.root_element())
        }
        rbx::FILE => rbx::read(&mut package, &yaml.parse()?),
        dmoj::FILE => dmoj::read(&mut package, &yaml.parse()?),
        interact_bench::FILE => {
            interact_bench::read(&mut package, &serde_json::from_str(&yaml.text).with_context(malformed)?)
        }
        _ => hydro::read(&mut package, path.parent().unwrap_or(folder), &yaml.parse()?),
    };
    let tests = read.and_then(|()| package.tests.iter().cloned().map(|test| package.named(test)).collect());
    package.tests = tests.with_context(|| path.display().to_string())?;
    let count = package.tests.len() as u64;
    ensure!(
        (1..=MAX_TESTS).contains(&count),
        "{}: expected from 1 to {MAX_TESTS} tests, found {count}",
        path.display()
    );
    if let Some(solutions) = &mut package.solutions {
        solutions.sort_by_key(|solution| !solution.is_accepted);
    }
    Ok(package)
}

fn read_archive(path: &Path) -> anyhow::Result<Package> {
    let unpacked = archive::unpack(path)?;
    // An archive may have everything in one folder.
    let inside = entries(unpacked.path())?;
    let folder = match &inside[..] {
        [folder] if folder.is_dir() => folder,
        _ => unpacked.path(),
    };
    let mut package = read(folder).with_context(|| path.display().to_string())?;
    path.clone_into(&mut package.folder);
    package.unpacked.push(unpacked);
    Ok(package)
}

/// Returns the text of a file; `None` if it cannot be read, is larger than 1 MiB or not UTF-8.
pub(crate) fn text_of(path: &Path) -> Option<String> {
    yaml::read_file(path).ok()?
}

#[cfg(test)]
pub(crate) mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;

    pub(crate) use super::read;

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

    /// A temporary folder with the file `name`, which has this text, and with `others`, separated by blanks.
    pub(crate) fn with_files(name: &str, text: &str, others: &str) -> tempfile::TempDir {
        let file = format!("{name}:{text}");
        folder(&[&*file].into_iter().chain(others.split(' ')).collect::<Vec<_>>())
    }

    /// Describes a package: its style, its programs and the default limits of the bot, and then each test with its files
    /// and each solution with what it promises. Paths are relative to its folder.
    pub(crate) fn described(package: &Package) -> String {
        let path = |path: &Option<PathBuf>| {
            let path = path.as_deref().unwrap_or(Path::new("-"));
            path.strip_prefix(&package.root).unwrap_or(path).display().to_string()
        };
        let limits = package.limits.bot();
        let (cpu, memory) = (limits.cpu, limits.memory >> 20);
        let [program, checker] = [&package.validator, &package.checker].map(path);
        let mut text = format!("{} {program} {checker} {cpu:?} {memory} MiB\n", package.style.name());
        for test in &package.tests {
            text += &format!("test {}: {} {}\n", test.name, path(&test.input), path(&test.answer));
        }
        for solution in package.solutions.iter().flatten() {
            text += &format!("{}: {}\n", solution.name, solution.expected.text());
        }
        text
    }

    /// Checks that a change of `text`, the contents of the file `name`, leads to an error that contains `expected`. Without
    /// a text `from`, `to` is a line that is added.
    pub(crate) fn assert_fault(
        name: &str,
        text: &str,
        others: &str,
        (from, to, expected): (&str, &str, &str),
    ) {
        assert!(text.contains(from), "{from}");
        let changed = if from.is_empty() { format!("{text}{to}\n") } else { text.replace(from, to) };
        let folder = with_files(name, &changed, others);
        let error = format!("{:#}", read(folder.path()).map(|_| ()).unwrap_err());
        assert!(error.contains(expected), "{from:?} {to:?}: {error}");
    }
}
