//! The pages of `tests/pages`: commands with their complete output and their exit status. CONTRIBUTING.md describes how
//! to update the pages.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{JUDGE, PATH, root};

/// Returns the pages. The pages in `linux` are for Linux only.
fn pages() -> Vec<PathBuf> {
    let folder = root().join("judge/tests/pages");
    let linux = folder.join("linux");
    let folders = [Some(folder), cfg!(target_os = "linux").then_some(linux)];
    let files = folders.iter().flatten().flat_map(|folder| fs::read_dir(folder).unwrap());
    files.map(|file| file.unwrap().path()).filter(|path| path.extension() == Some("md".as_ref())).collect()
}

#[test]
fn pages_show_what_is_printed() {
    let folder = Path::new(JUDGE).parent().unwrap().display();
    let cases = trycmd::TestCases::new();
    cases.register_bin("judge", Path::new(JUDGE)).register_bin("sh", Path::new("/bin/sh"));
    cases.env("PATH", format!("{folder}:{}", *PATH));
    cases.env("TESTS", root().join("tests").to_str().unwrap());
    for page in pages() {
        // trycmd would skip the command of a program that it does not know.
        for command in fs::read_to_string(&page).unwrap().lines().filter_map(|line| line.strip_prefix("$ ")) {
            let program = command.split(' ').find(|word| !word.contains('='));
            assert!(["judge", "sh"].map(Some).contains(&program), "{}: {command}", page.display());
        }
        cases.case(page);
    }
    cases.run();
}
