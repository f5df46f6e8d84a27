//! `judge.toml`.

use std::os::unix::fs::chown;
use std::process::Output;

use crate::support::{JUDGE, NOBODY, Printed, TestDir, is_root};

fn judge_below(here: &TestDir, args: &str, bot: &[&str]) -> Output {
    let below = here.path().join("one/two");
    std::fs::create_dir_all(&below).unwrap();
    crate::support::command(args, bot).current_dir(below).env("XDG_CACHE_HOME", here.path()).output().unwrap()
}

/// Checks that the commands of another user's settings file are not run, and that the interactor of another user is not
/// started, unless an option names the file.
#[test]
fn a_file_of_another_user() {
    if !is_root() {
        return;
    }
    let settings = format!("[bots]\nmine = \"{JUDGE} bot\"\n");
    let names_commands = "and can name commands that the judge starts: ";
    for (name, content, args, bot, option, reason) in [
        ("judge.toml", &*settings, "run 6 1 2", "mine", "--config", names_commands),
        ("interactor.sh", "read line", "run", "echo", "--problem", ""),
    ] {
        let here = TestDir::new();
        let file = here.write(name, content);
        chown(&file, Some(NOBODY), Some(NOBODY)).unwrap();
        let refused = judge_below(&here, args, &[bot]);
        refused.complains(&format!("judge: {file} belongs to another user, {NOBODY}, {reason}")).exits(2);
        judge_below(&here, &format!("{args} {option} {file}"), &[bot]).exits(0);
    }
}
