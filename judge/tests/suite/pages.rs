//! The pages of `tests/pages`: commands with their complete output and their exit status. CONTRIBUTING.md describes how
//! to update the pages.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::{TestDir, program_of, root};

/// The programs that a page can run. The shell commands of a page can run `judge` and `grundy` too.
const PROGRAMS: [&str; 3] = ["judge", "grundy", "sh"];

fn folder() -> PathBuf {
    root().join("judge/tests/pages")
}

/// Returns a folder with links to `judge` and `grundy`, and a search path that begins with this folder.
fn programs() -> (TestDir, String) {
    let here = TestDir::new();
    for name in ["judge", "grundy"] {
        symlink(program_of(name), here.path().join(name)).unwrap();
    }
    let path = format!("{}:{}", here.path().display(), std::env::var("PATH").unwrap());
    (here, path)
}

/// Returns the commands of a page, each with the two lines after it.
fn commands(page: &Path) -> Vec<(String, [String; 2])> {
    let text = fs::read_to_string(page).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let at = |number: usize| lines.get(number).unwrap_or(&"").to_string();
    let commands = (0..lines.len()).filter_map(|number| Some((number, lines[number].strip_prefix("$ ")?)));
    commands.map(|(number, command)| (command.to_owned(), [at(number + 1), at(number + 2)])).collect()
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

/// Runs `pages` with the environment variables `variables`.
fn run(pages: impl IntoIterator<Item = PathBuf>, variables: &[(&str, &str)]) {
    let (programs, path) = programs();
    let cases = trycmd::TestCases::new();
    for name in PROGRAMS {
        let program = if name == "sh" { PathBuf::from("/bin/sh") } else { programs.path().join(name) };
        cases.register_bin(name, program);
    }
    cases.env("PATH", path);
    for (name, value) in variables {
        cases.env(*name, *value);
    }
    for page in pages {
        cases.case(page);
    }
    cases.run();
}

#[test]
fn pages_show_what_is_printed() {
    run(pages(), &[]);
}

/// Checks that `PROGRAMS` contains the program of every command. trycmd would skip the command of any other program.
#[test]
fn every_command_of_a_page_is_run() {
    for page in pages() {
        for (command, _) in commands(&page) {
            let words = shlex::split(&command).unwrap();
            let program = words.iter().find(|word| !word.contains('=')).unwrap();
            assert!(PROGRAMS.contains(&program.as_str()), "{}: {command}", page.display());
        }
    }
}

/// Checks that refused commands print the reason on stderr and nothing on stdout. The pages do not distinguish stdout
/// from stderr.
#[test]
fn refusals_are_printed_on_stderr() {
    let mut count = 0;
    for page in pages().into_iter().filter(|page| !page.with_extension("out").exists()) {
        let files = page.with_extension("in");
        let here = if files.exists() { files } else { root().join("judge") };
        for (command, [status, reason]) in commands(&page) {
            let words = shlex::split(&command).unwrap();
            let is_refused = ["judge: ", "grundy: ", "error: "].iter().any(|start| reason.starts_with(start));
            if ["? 2", "? 3"].contains(&status.as_str()) && is_refused && words[0] != "sh" {
                let mut refused = Command::new(program_of(&words[0]));
                refused.args(&words[1..]).current_dir(&here).stdin(Stdio::null());
                let output = refused.output().unwrap();
                assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{command}: {output:?}");
                count += 1;
            }
        }
    }
    assert!(count > 100, "{count}");
}
