//! The pages of console blocks in `tests/pages`: the output of the commands and their exit status.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::text;

/// The folder of the package, in which the commands of the pages run. A page with a folder `*.out` runs in an empty
/// folder instead.
const PACKAGE: &str = env!("CARGO_MANIFEST_DIR");

/// Returns `PATH` with `grundy` added, for the shell lines in the pages.
fn path_with_grundy() -> OsString {
    let program = Path::new(env!("CARGO_BIN_EXE_grundy")).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths([program].into_iter().chain(std::env::split_paths(&path))).unwrap()
}

/// Finds a program of the system.
fn installed(program: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.exists()).unwrap()
}

fn pages() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(Path::new(PACKAGE).join("tests/pages")).unwrap();
    entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect()
}

/// Returns the commands of a page, each with its exit status if the status is not 0.
fn commands(page: &Path) -> Vec<(String, Option<i32>)> {
    let page = std::fs::read_to_string(page).unwrap();
    let lines: Vec<&str> = page.lines().collect();
    let status = |line: &str| line.strip_prefix("? ").map(|status| status.parse().unwrap());
    let command = |pair: &[&str]| pair[0].strip_prefix("$ ").map(|line| (line.to_owned(), status(pair[1])));
    lines.windows(2).filter_map(command).collect()
}

/// Checks that every command prints the output on its page. `TRYCMD=overwrite` writes the pages again.
#[test]
fn pages_show_real_output() {
    let cases = trycmd::TestCases::new();
    cases.register_bin("grundy", Path::new(env!("CARGO_BIN_EXE_grundy")));
    for program in PROGRAMS {
        cases.register_bin(program, installed(program).as_path());
    }
    cases.env("PATH", path_with_grundy().into_string().unwrap());
    cases.case(format!("{PACKAGE}/tests/pages/*.md"));
}

/// Programs of the system that the pages use.
const PROGRAMS: [&str; 4] = ["sh", "cat", "cmp", "cp"];

/// Checks that `trycmd` knows all programs in the pages, because it skips commands of unknown programs.
#[test]
fn pages_use_known_programs() {
    let pages = pages();
    assert!(pages.len() > 5, "{pages:?}");
    for (command, _) in pages.iter().flat_map(|page| commands(page)) {
        let program = command.split(' ').next().unwrap();
        assert!(program == "grundy" || PROGRAMS.contains(&program), "{command}");
    }
}

/// Checks that a command with exit code 2 prints nothing on stdout, which the pages do not distinguish from stderr.
/// Skips the pages that run in an empty folder.
#[test]
fn refusals_are_on_stderr() {
    let mut refusals = 0;
    for page in pages().iter().filter(|page| !page.with_extension("out").exists()) {
        for (command, _) in commands(page).iter().filter(|(_, status)| *status == Some(2)) {
            let mut shell = Command::new("sh");
            shell.args(["-c", command]).current_dir(PACKAGE).env("PATH", path_with_grundy());
            let output = shell.stdin(Stdio::null()).output().unwrap();
            assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{command}");
            refusals += 1;
        }
    }
    assert!(refusals > 50, "{refusals}");
}
