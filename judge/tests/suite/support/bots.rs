//! The bots of `tests/bots`, which both crates share.

use std::process::Command;

use super::{TestDir, skip};

/// The path of a bot.
pub fn bot(name: &str) -> String {
    let path = format!("{}/../tests/bots/{name}", env!("CARGO_MANIFEST_DIR"));
    assert!(std::fs::exists(&path).unwrap(), "there is no {path}");
    path
}

/// A bot in C, compiled for one test.
pub struct Compiled {
    pub path: String,
    _here: TestDir,
}

/// Compiles a bot; where there is no C compiler, what needs it is skipped with a message.
pub fn compiled(name: &str) -> Option<Compiled> {
    let (here, source) = (TestDir::new(), bot(name));
    let path = here.file("bot");
    let Ok(compiler) = Command::new("cc").args(["-O1", "-pthread", "-o", &path, &source]).status() else {
        skip("there is no C compiler, cc");
        return None;
    };
    assert!(compiler.success(), "{source} does not compile");
    Some(Compiled { path, _here: here })
}
