//! The processes, descriptors and limits of the bots.

use std::process;

use super::{arena, played, script};
use crate::support::{JUDGE, Printed, TestDir, is_running, limited};

/// Checks that the CPU time of an orphan counts for its bot, even if the orphan is in another session and there is no
/// control group. The orphan is ended with its bot, and the other bot wins.
#[test]
fn an_orphan_counts_for_its_bot() {
    // Sleeps for hours. No other test and no other test run sleeps for this time.
    let seconds = format!("9176.{}", process::id());
    let orphan = script(
        "orphan",
        &format!("ulimit -t 20; (setsid sh -c \"while :; do :; done; : {seconds}\" &); exec sleep {seconds}"),
    );
    for limits in ["auto", "proc"] {
        let args =
            format!("6 1 2 --pairs 1 --time-limit 0.1 --wall-limit 20 --idle-limit 20 --limits {limits}");
        let output = played(&args, &[&orphan, "honest=bundled"]);
        output.exits(1).says("");
        let shown = output.out();
        assert!(shown.contains("\n  orphan  2 TIME_CPU\n"), "{limits}: {shown}");
        assert!(shown.contains("\n  honest  2 WON\n"), "{limits}: {shown}");
        let is_left = is_running(|words| words.iter().any(|word| word.contains(&seconds)));
        assert!(!is_left, "{limits}: the orphan is still running");
    }
}

#[test]
fn a_bot_has_one_processor_and_only_its_own_pipes() {
    let dir = TestDir::new();
    let file = dir.file("lists");
    let lists = |name: &str| {
        let list = "echo $(ls /proc/self/fd) $(grep Cpus_allowed_list: /proc/self/status)";
        script(name, &format!("{list} >> {file}; exec {JUDGE} bot"))
    };
    // The third bot is started while the other two are running. Before the run, the check of seats and sessions plays
    // three games with each bot.
    played("6 1 2 --pairs 1 --jobs 1 --session", &[&lists("a"), &lists("b"), &lists("c")]).exits(0).says("");
    let listed = dir.read("lists");
    let lists: Vec<_> = listed.lines().map(|list| list.split_once(" Cpus_allowed_list: ").unwrap()).collect();
    assert_eq!(lists.len(), 9 + 3, "{listed}");
    for (descriptors, processor) in &lists {
        assert!(*descriptors == lists[0].0 && descriptors.starts_with("0 1 "), "{listed}");
        assert!(processor.parse::<usize>().is_ok(), "{listed}");
    }
}

/// Checks that a judge that keeps many bots raises its own limit on open files, but not the limit of the bots. If the
/// hard limit forbids that, the message says what to do.
#[test]
fn the_limit_on_open_files_is_raised() {
    let dir = TestDir::new();
    let file = dir.file("limits");
    let reports_limit = |name: &str| script(name, &format!("ulimit -Sn >> {file}; exec {JUDGE} bot"));
    let bots: Vec<String> = ('a'..='j').map(|name| reports_limit(&name.to_string())).collect();
    let play = |limit: &str| {
        let bots: Vec<&str> = bots.iter().map(String::as_str).collect();
        limited(limit, &arena("6 1 2 --pairs 1 --jobs 1 --session", &bots)).output().unwrap()
    };
    play("-Sn 48").exits(0).says("");
    assert!(dir.read("limits").lines().all(|limit| limit == "48"), "{}", dir.read("limits"));
    play("-Sn 48; ulimit -Hn 48").exits(2).complains("the limit on open files (48) is reached: raise it");
}
