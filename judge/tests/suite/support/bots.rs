//! The bots of `tests/bots`, and the submission for the contest.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use super::{JUDGE, TestDir, root, skip_without, text};

/// Returns the path of a bot.
pub fn bot(name: &str) -> String {
    let path = root().join("tests/bots").join(name).to_str().unwrap().to_owned();
    assert!(std::fs::exists(&path).unwrap(), "there is no {path}");
    path
}

/// A compiled bot in C. The program is removed when no test uses it any more.
pub struct Compiled {
    pub path: String,
    _here: TestDir,
}

/// Compiles a bot, or returns the program that another test is using. Returns `None` and reports the
/// test as skipped if there is no C compiler.
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

/// Returns the shell script of a bot that runs `script` and then plays perfectly. `script` finds the header in `$h`,
/// and the words of the header in `$1`, `$2` and so on.
pub fn perfect_but(script: &str) -> String {
    format!("read h; set -- $h; {script} {{ echo \"$h\"; cat; }} | {JUDGE} bot")
}

/// The path of the submission, relative to the root of the repository.
pub const SUBMISSION: &str = "submission/abc278_g.rs";

/// Returns the text of the submission.
pub fn submission() -> String {
    fs::read_to_string(root().join(SUBMISSION)).unwrap()
}

/// The manifest with which AtCoder compiles a submission, without AtCoder's crates, which the file does not use.
const MANIFEST: &str = r#"[package]
name = "submission"
edition = "2024"

[workspace]
"#;

/// Returns the path of the submission's program, compiled in the same way as by AtCoder, with warnings as errors.
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
        // The program outlives the directory, and has the same path in each run of the tests.
        let program = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("submission");
        let new = program.with_extension(std::process::id().to_string());
        fs::copy(here.path().join("target/release/submission"), &new).unwrap();
        fs::rename(&new, &program).unwrap();
        program.to_str().unwrap().to_owned()
    })
}
