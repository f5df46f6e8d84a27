//! How a bot starts under `--sandbox`: as without.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{TestDir, bot, command, has_sandbox, judge, text};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

/// A bot in the sandbox has the same arguments and signals as outside, wherever its program is.
#[test]
fn a_bot_starts_as_outside() {
    if !has_sandbox() {
        return;
    }
    let folder = TestDir::new();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
    let script = executable(&folder, &fs::read_to_string(bot("signals.sh")).unwrap());
    let free = Command::new(&script).arg("word").output().unwrap();
    let shut = judge("launch", &[&script, "word"]);
    assert_eq!((text(&shut.stdout), text(&shut.stderr)), (text(&free.stdout), text(&free.stderr)));
    assert!(
        text(&free.stdout).starts_with(&format!("/bin/sh {script} word Blk 0000")),
        "{}",
        text(&free.stdout)
    );
}

/// A program of a test's own.
fn executable(folder: &TestDir, content: &str) -> String {
    let path = folder.file("program");
    // What other tests start at this moment would inherit a descriptor to write it, and keep it busy.
    let writer = "printf %s \"$2\" >\"$1\" && chmod 755 \"$1\"";
    assert!(Command::new("sh").args(["-c", writer, "sh", &path, content]).status().unwrap().success());
    path
}

/// An error of the bot's command is reported before the first game, as without a sandbox.
#[test]
fn a_bot_that_cannot_be_started() {
    if !has_sandbox() {
        return;
    }
    let folder = TestDir::new();
    let file = PathBuf::from(folder.write("file", ""));
    let path = |places: &[&Path]| std::env::join_paths(places).unwrap();
    let refused_on = |places: &[&Path], bot: &str, reason: &str| {
        let shown = format!("judge: the bot {bot} could not be started: {reason}");
        for options in ["", "--sandbox"] {
            let mut run = command(&format!("run 6 1 2 {options}"), &[bot]);
            let output = run.env("PATH", path(places)).output().unwrap();
            assert_eq!(text(&output.stdout), "", "{options}");
            // What to type instead may follow.
            assert!(text(&output.stderr).starts_with(&shown), "{options}: {}", text(&output.stderr));
            assert_eq!(output.status.code(), Some(2), "{bot}");
        }
        let launch = command("launch", &[bot]).env("PATH", path(places)).output().unwrap();
        assert_eq!(text(&launch.stderr), format!("{shown}\n"));
        launch.status.code()
    };
    let nowhere = folder.path().join("nowhere");
    let refused = |bot: &str, reason: &str| refused_on(&[&nowhere], bot, reason);
    let missing = "No such file or directory (os error 2)";
    let denied = "Permission denied (os error 13)";
    let not_there = "Not a directory (os error 20)";
    assert_eq!(refused("no-such-bot", missing), Some(127));
    assert_eq!(refused("./no/such/bot", missing), Some(127));
    assert_eq!(refused(file.to_str().unwrap(), denied), Some(126));
    assert_eq!(refused(folder.path().to_str().unwrap(), denied), Some(126));
    assert_eq!(refused("", missing), Some(127));
    assert_eq!(refused(&format!("{}/bot", file.display()), not_there), Some(126));
    // Of all places the one where it must not be started, or else the last.
    assert_eq!(refused_on(&[folder.path(), &nowhere, &file], "file", denied), Some(126));
    assert_eq!(refused_on(&[&nowhere, &file], "bot", not_there), Some(126));
    assert_eq!(refused_on(&[&file, &nowhere], "bot", missing), Some(127));
}

/// No shell takes a script that does not name one: neither outside nor inside.
#[test]
fn a_script_without_an_interpreter() {
    if !has_sandbox() {
        return;
    }
    let folder = TestDir::new();
    let script = executable(&folder, "read h; echo First; echo 3 2; read x; echo 5 1; read x; echo 6 1");
    for options in ["--limits proc", "--sandbox"] {
        let refused = judge(&format!("run 6 1 2 {options}"), &[&script]);
        let reason = "could not be started: it is a text file without a first line such as";
        assert!(text(&refused.stderr).contains(reason), "{}", text(&refused.stderr));
        assert_eq!(refused.status.code(), Some(2));
    }
    let launch = judge("launch", &[&script]);
    assert!(text(&launch.stderr).ends_with("could not be started: Exec format error (os error 8)\n"));
}
