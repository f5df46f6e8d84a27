//! The bots of `tests/bots`.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::{JUDGE, TestDir, root, skip_without};

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
