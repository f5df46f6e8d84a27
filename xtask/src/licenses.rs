//! The licence texts of the crates that are linked into a program, as one file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use serde_json::Value;

/// The prefixes of the names of files with licence texts, in upper case.
const PREFIXES: [&str; 5] = ["COPYING", "COPYRIGHT", "LICENCE", "LICENSE", "NOTICE"];

/// Returns the licence file of `package`: this repository's licences, and the licence texts of the crates that
/// `package` depends on under Linux. Each text appears once, below the names of its crates.
pub(crate) fn collect(root: &Path, package: &str) -> anyhow::Result<String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([
        "metadata",
        "--format-version",
        "1",
        "--locked",
        "--filter-platform",
        "x86_64-unknown-linux-gnu",
    ]);
    let output = cargo.arg("--manifest-path").arg(root.join("python/Cargo.toml")).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr).trim_end());
    let metadata: Value = serde_json::from_slice(&output.stdout)?;

    let mut crates_of_text: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut without_text = String::new();
    for linked in linked(&metadata, package)? {
        let crate_name =
            format!("{} {} ({})", text(linked, "name")?, text(linked, "version")?, text(linked, "license")?);
        let texts = texts(Path::new(text(linked, "manifest_path")?))?;
        if texts.is_empty() {
            without_text += &format!("{crate_name}, {}\n", text(linked, "repository")?);
        }
        for text in texts {
            crates_of_text.entry(text).or_default().push(crate_name.clone());
        }
    }
    let mut sections: Vec<_> = crates_of_text.into_iter().map(|(text, crates)| (crates, text)).collect();
    sections.sort();

    let own = |name| fs::read_to_string(root.join(name)).with_context(|| format!("{name} cannot be read"));
    let line = "-".repeat(80);
    let mut file = format!(
        "The programs judge, grundy and zeroxor, and the Python package, may be used under the MIT licence or the Apache \
         licence 2.0, at\nyour option.\n\n{}\n{line}\n\n{}\n",
        own("LICENSE-MIT")?.trim_end(),
        own("LICENSE-APACHE")?.trim_end()
    );
    for (crates, text) in sections {
        file += &format!("{line}\n{}\n\n{text}\n", crates.join("\n"));
    }
    if !without_text.is_empty() {
        file += &format!("{line}\nThese crates contain no text of their licences:\n\n{without_text}");
    }
    Ok(file)
}

/// Returns the crates of a registry that `package` is linked with, in the order of their names.
fn linked<'a>(metadata: &'a Value, package: &str) -> anyhow::Result<Vec<&'a Value>> {
    let list = |of: &'a Value| of.as_array().context("expected a list in the output of cargo metadata");
    let packages = list(&metadata["packages"])?;
    let root = packages.iter().find(|known| known["name"] == package);
    let root = root.with_context(|| format!("expected a package of python/Cargo.toml, got {package:?}"))?;
    let mut seen = BTreeSet::from([text(root, "id")?]);
    let mut queue = vec![text(root, "id")?];
    while let Some(id) = queue.pop() {
        let node = list(&metadata["resolve"]["nodes"])?.iter().find(|node| node["id"] == id);
        for dependency in list(&node.context("expected a node for each package")?["deps"])? {
            let is_linked = list(&dependency["dep_kinds"])?.iter().any(|kind| kind["kind"].is_null());
            let id = text(dependency, "pkg")?;
            if is_linked && seen.insert(id) {
                queue.push(id);
            }
        }
    }
    let mut linked: Vec<_> = packages
        .iter()
        .filter(|known| {
            !known["source"].is_null() && known["id"].as_str().is_some_and(|id| seen.contains(id))
        })
        .collect();
    linked.sort_by_key(|known| known["name"].as_str());
    Ok(linked)
}

/// Returns the licence texts in the folder of a crate.
fn texts(manifest: &Path) -> anyhow::Result<BTreeSet<String>> {
    let folder = manifest.parent().context("expected a manifest in a folder")?;
    let files = fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))?;
    let files: Vec<PathBuf> = files.map(|file| Ok(file?.path())).collect::<std::io::Result<_>>()?;
    let is_licence = |file: &&PathBuf| {
        let name = file.file_name().map(|name| name.to_string_lossy().to_uppercase()).unwrap_or_default();
        file.is_file() && PREFIXES.iter().any(|prefix| name.starts_with(prefix))
    };
    let texts = files.iter().filter(is_licence).map(|file| {
        let text = fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
        Ok(text.trim_matches('\n').replace("\r\n", "\n"))
    });
    texts.collect()
}

/// Returns a string of cargo's metadata.
fn text<'a>(of: &'a Value, key: &str) -> anyhow::Result<&'a str> {
    of[key].as_str().with_context(|| format!("expected {key:?} in {}", of["name"]))
}
