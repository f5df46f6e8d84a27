//! The bots of `tests/bots`, which both crates share.

use std::process::Command;

use super::{JUDGE, TestDir, root, skip_without};

/// The path of a bot.
pub fn bot(name: &str) -> String {
    let path = root().join("tests/bots").join(name).to_str().unwrap().to_owned();
    assert!(std::fs::exists(&path).unwrap(), "there is no {path}");
    path
}

/// A bot in C, compiled for one test.
pub struct Compiled {
    pub path: String,
    _here: TestDir,
}

/// Compiles a bot; without a C compiler, what needs it is skipped.
pub fn compiled(name: &str) -> Option<Compiled> {
    let (here, source) = (TestDir::new(), bot(name));
    let path = here.file("bot");
    let Ok(compiler) = Command::new("cc").args(["-O1", "-pthread", "-o", &path, &source]).status() else {
        skip_without("cc, a C compiler");
        return None;
    };
    assert!(compiler.success(), "{source} does not compile");
    Some(Compiled { path, _here: here })
}

/// A bot that plays perfectly, except for a shell script that runs after the header was read into `$h` and its words
/// into `$1` and so on.
pub fn perfect_but(script: &str) -> String {
    format!("read h; set -- $h; {script} {{ echo \"$h\"; cat; }} | {JUDGE} bot")
}
