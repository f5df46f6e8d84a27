//! The pages of console blocks in `tests/pages`: the output of the commands and their exit status.

use std::path::{Path, PathBuf};

/// The folder of the package, in which the commands of the pages run.
const PACKAGE: &str = env!("CARGO_MANIFEST_DIR");

/// Checks that every command prints the output on its page. `TRYCMD=overwrite` writes the pages again.
#[test]
fn pages_show_real_output() {
    let grundy = Path::new(env!("CARGO_BIN_EXE_grundy"));
    let path = std::env::var_os("PATH").unwrap();
    let folders = || std::env::split_paths(&path);
    let cases = trycmd::TestCases::new();
    cases.register_bin("grundy", grundy);
    let shell: PathBuf = folders().map(|folder| folder.join("sh")).find(|file| file.exists()).unwrap();
    cases.register_bin("sh", shell.as_path());
    // For the shell lines in the pages.
    let path =
        std::env::join_paths([grundy.parent().unwrap().to_owned()].into_iter().chain(folders())).unwrap();
    cases.env("PATH", path.into_string().unwrap());
    cases.case(format!("{PACKAGE}/tests/pages/*.md"));
}

/// Checks that the pages only use programs that `trycmd` knows, because it skips commands of unknown programs.
#[test]
fn pages_use_known_programs() {
    let mut commands = 0;
    for page in std::fs::read_dir(Path::new(PACKAGE).join("tests/pages")).unwrap() {
        let page = std::fs::read_to_string(page.unwrap().path()).unwrap();
        for command in page.lines().filter_map(|line| line.strip_prefix("$ ")) {
            assert!(
                command == "grundy" || command.starts_with("grundy ") || command.starts_with("sh "),
                "{command}"
            );
            commands += 1;
        }
    }
    assert!(commands > 100, "{commands}");
}
