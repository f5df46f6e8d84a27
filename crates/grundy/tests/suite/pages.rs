//! The pages of console blocks in `tests/pages` and in docs: the output of the commands and their exit status.

use std::path::Path;

use super::{file, printed};

/// Checks that every command prints the output on its page. `TRYCMD=overwrite` writes the pages again.
#[test]
fn pages_show_real_output() {
    let grundy = Path::new(env!("CARGO_BIN_EXE_grundy"));
    let cases = trycmd::TestCases::new();
    cases.register_bin("grundy", grundy).register_bin("sh", Path::new("/bin/sh"));
    // For the shell lines in the pages.
    cases.env("PATH", format!("{}:{}", grundy.parent().unwrap().display(), std::env::var("PATH").unwrap()));
    for page in std::fs::read_dir(file("crates/grundy/tests/pages")).unwrap() {
        let page = page.unwrap().path();
        let text = std::fs::read_to_string(&page).unwrap();
        // trycmd would skip the command of a program that it does not know.
        for command in text.lines().filter_map(|line| line.strip_prefix("$ ")) {
            assert!(["grundy", "sh"].contains(&command.split(' ').next().unwrap()), "{command}");
        }
        cases.case(page);
    }
}

/// Checks the commands of `grundy` that the documentation shows, except for the time that they take.
#[test]
fn docs_show_real_output() {
    let timeless = |text: &str| -> Vec<String> {
        text.lines().filter(|line| !line.starts_with("time: ")).map(str::to_owned).collect()
    };
    let mut commands = 0;
    for page in ["games", "misere", "tables"] {
        let text = std::fs::read_to_string(file(&format!("docs/{page}.md"))).unwrap();
        for shown in text.split("$ grundy ").skip(1) {
            let (args, rest) = shown.split_once('\n').unwrap();
            let shown = rest.split("```").next().unwrap().split("$ ").next().unwrap();
            assert_eq!(timeless(&printed(args)), timeless(shown), "{page}.md: grundy {args}");
            commands += 1;
        }
    }
    assert!(commands > 10, "{commands}");
}
