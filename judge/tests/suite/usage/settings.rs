//! `judge.toml`.

use std::os::unix::fs::chown;
use std::process::{Command, Output};

use crate::support::{JUDGE, NOBODY, TestDir, command, is_root, text};

/// Runs the judge with `args` in a subdirectory of `here`.
fn judge_below(here: &TestDir, args: &str, bot: &[&str]) -> Output {
    let below = here.path().join("one/two");
    std::fs::create_dir_all(&below).unwrap();
    crate::support::command(args, bot).current_dir(below).env("XDG_CACHE_HOME", here.path()).output().unwrap()
}

/// Checks that the command that plays a game again names the same settings file, which defines the bot's name.
#[test]
fn the_printed_command_names_the_settings_file() {
    let here = TestDir::new();
    here.write("my settings.toml", "[bots]\nmine = [\"sh\", \"-c\", \"read h; exit 3\"]\n");
    let judge = |args: &str| {
        let mut judge = command(args, &[]);
        judge.args(["--config", "my settings.toml", "--", "mine"]).current_dir(here.path());
        judge.output().unwrap()
    };
    for args in [
        "run 6 1 2",
        "run 6 1 2 --games 2 --jobs 2",
        "lint --family segment",
        "lint --family segment --only 14 -v",
        "stress --family segment --games 1",
        "stress --family segment --games 4 --jobs 2 --keep-going",
    ] {
        let shown = judge(args);
        let shown = text(&shown.stdout);
        let commands = shown.lines().filter_map(|line| line.trim_start().strip_prefix("again: "));
        let commands: Vec<&str> = commands.collect();
        assert!(!commands.is_empty(), "{args}: {shown}");
        for command in commands {
            assert!(command.ends_with(" --config 'my settings.toml' -- mine"), "{args}: {command}");
            let again = command.replacen("judge", JUDGE, 1);
            let again = Command::new("sh").args(["-c", &again]).current_dir(here.path()).output();
            let again = again.unwrap();
            assert!(text(&again.stdout).contains("CRASHED"), "{command}: {again:?}");
        }
    }
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
    assert!(text(&refused.stderr).starts_with(&expected), "{}", text(&refused.stderr));
    assert_eq!(refused.status.code(), Some(2));
    let named = judge_below(&here, &format!("run 6 1 2 --config {file}"), &["mine"]);
    assert_eq!(named.status.code(), Some(0), "{}", text(&named.stderr));
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
    assert!(text(&refused.stderr).starts_with(&expected), "{}", text(&refused.stderr));
    assert_eq!(refused.status.code(), Some(2));
    let named = judge_below(&here, &format!("run --problem {interactor}"), &["echo"]);
    assert_eq!(named.status.code(), Some(0), "{}", text(&named.stderr));
}
