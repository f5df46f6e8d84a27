//! What a release needs: one version in all places.

use crate::support::pages::page;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Returns the lines of a section of a file in TOML, without comments.
fn section<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let lines = text.lines().skip_while(|&line| line != name).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

/// Checks that both workspaces have the same `[workspace.package]`. That of the Python packages cannot inherit it.
#[test]
fn the_python_packages_have_the_version_of_the_workspace() {
    let of = |file: &str| section(&page(file).text, "[workspace.package]").join("\n");
    let root = of("Cargo.toml");
    assert!(root.contains(&format!("version = \"{VERSION}\"")), "{root}");
    assert_eq!(of("python/Cargo.toml"), root);
}

/// Checks that the pages of the documentation install this version.
#[test]
fn the_documented_packages_have_the_version_of_the_workspace() {
    let uses = "      - uses: OWNER/REPOSITORY@v";
    for (file, start) in [("docs/python.md", "pip install zeroxor_judge-"), ("docs/install.md", uses)] {
        let page = page(file);
        let installed: Vec<&str> = page.text.lines().filter_map(|line| line.strip_prefix(start)).collect();
        let is_current = |rest: &&str| rest.split('-').next() == Some(VERSION);
        assert!(!installed.is_empty() && installed.iter().all(is_current), "{file}: {installed:?}");
    }
}
