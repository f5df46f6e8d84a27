//! The bots of `tests/bots`, which both crates share.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use super::{JUDGE, TestDir, root, skip_without, text};

/// The path of a bot.
pub fn bot(name: &str) -> String {
    let path = root().join("tests/bots").join(name).to_str().unwrap().to_owned();
    assert!(std::fs::exists(&path).unwrap(), "there is no {path}");
    path
}

/// A bot in C, which is removed when no test uses it any more.
pub struct Compiled {
    pub path: String,
    _here: TestDir,
}

/// Compiles a bot, unless another test uses it now. Without a C compiler, what needs it is skipped.
pub fn compiled(name: &str) -> Option<Arc<Compiled>> {
    static BOTS: Mutex<BTreeMap<String, Weak<Compiled>>> = Mutex::new(BTreeMap::new());
    let mut bots = BOTS.lock().unwrap_or_else(PoisonError::into_inner);
    let known = bots.get(name).and_then(Weak::upgrade);
    if known.is_some() {
        return known;
    }
    let (here, source) = (TestDir::new(), bot(name));
    let path = here.file("bot");
    let Ok(compiler) = Command::new("cc").args(["-O1", "-pthread", "-o", &path, &source]).status() else {
        skip_without("cc, a C compiler");
        return None;
    };
    assert!(compiler.success(), "{source} does not compile");
    let compiled = Arc::new(Compiled { path, _here: here });
    bots.insert(name.to_owned(), Arc::downgrade(&compiled));
    Some(compiled)
}

/// A bot that plays perfectly, except for a shell script that runs after the header was read into `$h` and its words
/// into `$1` and so on.
pub fn perfect_but(script: &str) -> String {
    format!("read h; set -- $h; {script} {{ echo \"$h\"; cat; }} | {JUDGE} bot")
}

/// The path of the file, from the top level folder of the repository.
pub const SUBMISSION: &str = "submission/abc278_g.rs";

/// The text of the file.
pub fn submission() -> String {
    fs::read_to_string(root().join(SUBMISSION)).unwrap()
}

/// The package that AtCoder compiles a submission in, with the crates that it offers left out: the file uses none.
const MANIFEST: &str = r#"[package]
name = "submission"
edition = "2024"

[workspace]
"#;

/// The path of the file's program, compiled as AtCoder does it, with warnings as errors.
pub fn compiled_submission() -> &'static str {
    static PROGRAM: OnceLock<String> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let here = TestDir::new();
        here.directory("src");
        here.write("Cargo.toml", MANIFEST);
        here.write("src/main.rs", submission());
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--release", "--quiet", "--offline", "--target-dir", "target"]);
        let output = build.current_dir(here.path()).env("RUSTFLAGS", "-D warnings").output().unwrap();
        assert!(output.status.success(), "{SUBMISSION}: {}", text(&output.stderr));
        // It outlives the directory, and is the same for each run of the tests.
        let program = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("submission");
        let new = program.with_extension(std::process::id().to_string());
        fs::copy(here.path().join("target/release/submission"), &new).unwrap();
        fs::rename(&new, &program).unwrap();
        program.to_str().unwrap().to_owned()
    })
}
