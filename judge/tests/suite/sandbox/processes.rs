//! How many processes a bot in the sandbox may have.

use std::process::{self, Command};

use crate::support::{
    JUDGE, NO_CORPUS, await_that, bot, has_namespaces, has_python, has_sandbox, is_running,
    is_the_systems_root, judge, skip, text,
};

/// Sixty-three children beside the bot itself, or without a control group one more, by which the judge sees
/// that it is too many; and none is left.
#[test]
fn a_bounded_number_of_processes() {
    if !has_sandbox() || !has_python() {
        return;
    }
    if !is_the_systems_root() && !has_namespaces() {
        skip("without namespaces the user's other processes count as well");
        return;
    }
    let token = format!("fork-bomb-{}", process::id());
    let output = judge("run 6 1 2 --games 2 --sandbox", &["python3", &bot("fork_bomb.py"), &token]);
    let shown = text(&output.stdout);
    if shown.contains("limits by cgroup") {
        assert_eq!(shown.matches("PROCESSES 6 1 2 ").count(), 2, "{shown}");
        assert_eq!(shown.matches("    stderr: children: 63\n").count(), 2, "{shown}");
    } else {
        assert_eq!(shown.matches("    stderr: children: 64\n").count(), 2, "{shown}");
    }
    assert!(shown.contains(": 0 of 2 games won; "), "{shown}");
    await_that(|| !is_running(|arguments| arguments.contains(&token)));
}

/// The root of a container that maps no other user is an ordinary user, unless it is the system's own: of
/// that one's processes none is counted.
#[test]
fn a_containers_root() {
    if !has_sandbox() || !has_python() {
        return;
    }
    if !has_namespaces() {
        return;
    }
    let mut container = Command::new("unshare");
    container.args(["--user", "--map-root-user", JUDGE, "run", "6", "1", "2"]).envs([NO_CORPUS]);
    let output = container.args(["--sandbox", "--", "python3", &bot("fork_bomb.py")]).output().unwrap();
    if is_the_systems_root() {
        let reason = "judge: --sandbox is not possible here: the number of processes cannot be limited: to the \
                      kernel this is its own root, and no other user is mapped here";
        assert!(text(&output.stderr).starts_with(reason), "{}", text(&output.stderr));
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""));
    } else {
        let shown = text(&output.stdout);
        assert!(shown.contains("    stderr: children: 6"), "{shown}{}", text(&output.stderr));
    }
}
