//! The bot as one file: `submission/abc278_g.rs` is the core, file after file, and a short `main`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const FILES: [&str; 4] = ["nimbers", "row", "strategy", "protocol"];

/// The first lines of the file, after which its `use` declarations follow.
const HEAD: &str = "\
//! The bot zeroxor for AtCoder ABC278 G. Made from src/core by the test `submission`: do not edit it.
//! Needs edition 2024 and the crate itertools. Licence: MIT OR Apache-2.0.
";

const MAIN: &str = r#"
fn main() {
    let mut header = String::new();
    io::stdin().read_line(&mut header).unwrap_or_default();
    let numbers = header.split_whitespace().filter_map(number).collect_tuple();
    let row = numbers.and_then(|(n, l, r)| Row::new(n, l, r)).unwrap_or_else(|| {
        eprintln!("expected N L R, got {header:?}");
        exit(2)
    });
    if let Err(error) = play(row, io::stdin().lock(), io::stdout()) {
        eprintln!("{error}");
        exit(error.exit_code().into());
    }
}
"#;

/// Joins the files. Their `use` declarations come first, each once, and documentation of modules becomes comments.
fn joined() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/core");
    let (mut uses, mut code) = (BTreeSet::from(["use std::process::exit;".to_owned()]), String::new());
    for file in FILES {
        code += "\n";
        for line in fs::read_to_string(folder.join(file).with_extension("rs")).unwrap().lines() {
            if !line.starts_with("use ") {
                code += &line.replace("//!", "//");
                code += "\n";
            } else if !line.starts_with("use super::") {
                uses.insert(line.to_owned());
            }
        }
    }
    let uses = uses.into_iter().collect::<Vec<_>>().join("\n");
    // Where `use` declarations were, two empty lines are left.
    format!("{HEAD}\n{uses}\n{code}{MAIN}").replace("\n\n\n", "\n\n")
}

#[test]
fn the_submission_is_made_of_the_core() {
    let (file, joined) = (Path::new(env!("CARGO_MANIFEST_DIR")).join("submission/abc278_g.rs"), joined());
    if std::env::var_os("WRITE_SUBMISSION").is_some() {
        fs::write(&file, &joined).unwrap();
    }
    assert!(
        fs::read_to_string(&file).unwrap() == joined,
        "the submission is not made of the current src/core: run the test `submission` with WRITE_SUBMISSION=1"
    );
    assert!(joined.lines().count() <= 700 && joined.len() <= 32 << 10);
}
