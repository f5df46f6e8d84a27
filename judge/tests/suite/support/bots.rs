//! The bots of `tests/bots`.

use std::process::Command;

use super::{JUDGE, TestDir, root, skip_without};

pub fn bot(name: &str) -> String {
    let path = root().join("tests/bots").join(name).to_str().unwrap().to_owned();
    assert!(std::fs::exists(&path).unwrap(), "there is no {path}");
    path
}

/// Compiles a bot in C. Returns its directory and its path. Returns `None` and reports the test as skipped if there is no
/// C compiler.
pub fn compiled(name: &str) -> Option<(TestDir, String)> {
    let here = TestDir::new();
    let (path, source) = (here.file("bot"), bot(name));
    let Ok(compiler) = Command::new("cc").args(["-O1", "-pthread", "-o", &path, &source]).status() else {
        skip_without("cc, a C compiler");
        return None;
    };
    assert!(compiler.success(), "{source} does not compile");
    Some((here, path))
}

/// Returns the shell script of a bot that runs `script` and then plays perfectly. `script` finds the header in `$h`,
/// and the words of the header in `$1`, `$2` and so on.
pub fn perfect_but(script: &str) -> String {
    format!("read h; set -- $h; {script} {{ echo \"$h\"; cat; }} | {JUDGE} bot")
}
