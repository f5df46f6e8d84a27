//! What a release needs: one version in all places.

use crate::support::pages::page;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Returns the lines of a section of a file in TOML, without comments.
fn section<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let lines = text.lines().skip_while(|&line| line != name).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

/// Checks that the workspace of the Python packages, which cannot inherit from another workspace, says the same.
#[test]
fn the_python_packages_have_the_version_of_the_workspace() {
    let of = |file: &str| section(&page(file).text, "[workspace.package]").join("\n");
    let root = of("Cargo.toml");
    assert!(root.contains(&format!("version = \"{VERSION}\"")), "{root}");
    assert_eq!(of("python/Cargo.toml"), root);
}

/// Checks that docs/python.md installs the wheel of this version.
#[test]
fn the_documented_wheel_has_the_version_of_the_workspace() {
    let page = page("docs/python.md");
    let installed = page.text.lines().filter(|line| line.starts_with("pip install zeroxor_judge-"));
    let version = format!("pip install zeroxor_judge-{VERSION}-py3-");
    let installed: Vec<_> = installed.collect();
    assert!(
        !installed.is_empty() && installed.iter().all(|line| line.starts_with(&version)),
        "{installed:?}"
    );
}
