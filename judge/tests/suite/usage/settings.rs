//! `judge.toml`.

use std::os::unix::fs::chown;
use std::process::Output;

use crate::support::{JUDGE, NOBODY, Printed, TestDir, is_root};

/// Runs the judge with `args` in a subdirectory of `here`.
fn judge_below(here: &TestDir, args: &str, bot: &[&str]) -> Output {
    let below = here.path().join("one/two");
    std::fs::create_dir_all(&below).unwrap();
    crate::support::command(args, bot).current_dir(below).env("XDG_CACHE_HOME", here.path()).output().unwrap()
}

/// Checks that the commands of another user's settings file are not run, unless `--config` names the file.
#[test]
fn a_file_of_another_user() {
    if !is_root() {
        return;
    }
    let here = TestDir::new();
    let file = here.write("judge.toml", "[bots]\nmine = \"judge bot\"\n".replace("judge", JUDGE));
    chown(&file, Some(NOBODY), Some(NOBODY)).unwrap();
    let refused = judge_below(&here, "run 6 1 2", &["mine"]);
    let expected = format!(
        "judge: {file} belongs to another user, {NOBODY}, and can name commands that the judge starts: "
    );
    refused.complains(&expected).exits(2);
    judge_below(&here, &format!("run 6 1 2 --config {file}"), &["mine"]).exits(0);
}

/// Checks that the interactor of another user is not started, unless `--problem` names it.
#[test]
fn a_problem_of_another_user() {
    if !is_root() {
        return;
    }
    let here = TestDir::new();
    let interactor = here.write("interactor.sh", "read line");
    chown(&interactor, Some(NOBODY), Some(NOBODY)).unwrap();
    let refused = judge_below(&here, "run", &["echo"]);
    let expected = format!("judge: {interactor} belongs to another user, {NOBODY}, ");
    refused.complains(&expected).exits(2);
    judge_below(&here, &format!("run --problem {interactor}"), &["echo"]).exits(0);
}
