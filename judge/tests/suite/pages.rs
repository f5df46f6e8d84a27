//! The pages of `tests/pages`: commands with their complete output and their exit status. CONTRIBUTING.md describes how
//! to update the pages.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{JUDGE, root};

/// The programs that a page can run. The shell commands of a page can run `judge` too.
const PROGRAMS: [&str; 2] = ["judge", "sh"];

fn folder() -> PathBuf {
    root().join("judge/tests/pages")
}

/// Returns the pages in the order of their names. The pages in `linux` are for Linux only.
fn pages() -> Vec<PathBuf> {
    let folders = [folder(), folder().join("linux")];
    let folders = &folders[..if cfg!(target_os = "linux") { 2 } else { 1 }];
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let mut pages: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    pages
}

#[test]
fn pages_show_what_is_printed() {
    let folder = Path::new(JUDGE).parent().unwrap().display();
    let cases = trycmd::TestCases::new();
    cases.register_bin("judge", Path::new(JUDGE)).register_bin("sh", Path::new("/bin/sh"));
    cases.env("PATH", format!("{folder}:{}", std::env::var("PATH").unwrap()));
    for page in pages() {
        cases.case(page);
    }
    cases.run();
}

/// Checks that `PROGRAMS` contains the program of every command. trycmd would skip the command of any other program.
#[test]
fn every_command_of_a_page_is_run() {
    for page in pages() {
        for command in fs::read_to_string(&page).unwrap().lines().filter_map(|line| line.strip_prefix("$ ")) {
            let words = shlex::split(command).unwrap();
            let program = words.iter().find(|word| !word.contains('=')).unwrap();
            assert!(PROGRAMS.contains(&program.as_str()), "{}: {command}", page.display());
        }
    }
}
