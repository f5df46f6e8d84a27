//! `judge.toml`.

use std::os::unix::fs::chown;

use crate::support::{JUDGE, NOBODY, Printed, TestDir, is_root, judge_typed};

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
        let below = here.directory("below");
        let refused = judge_typed(&below, &format!("{args} -- {bot}"));
        refused.complains(&format!("judge: {file} belongs to another user, {NOBODY}, {reason}")).exits(2);
        judge_typed(&below, &format!("{args} {option} {file} -- {bot}")).exits(0);
    }
}
