//! Bots that exceed a limit, some of which try to hide it, with limits enforced by a control group or by /proc. Also
//! tests the clock of the bundled bot.

use std::process::{Command, Output};
use std::time::SystemTime;

use itertools::{Itertools, iproduct};
use serde_json::Value;

use crate::broken_bots::check_rows;
use crate::support::{
    JUDGE, NOBODY, Printed, TestDir, command, compiled, groups_of, is_root, judge, limit_methods, limited,
    pass_as_an_ordinary_user, sandbox_options, skip, start,
};

/// Runs a judge, and checks that no control group is left.
#[track_caller]
pub fn output_without_groups(run: &mut Command) -> Output {
    let started = SystemTime::now();
    let judge = start(run);
    let id = judge.id();
    let output = judge.wait_with_output().unwrap();
    assert_eq!(groups_of(id, started), [""; 0], "{}{}", output.out(), output.err());
    output
}

/// Checks the verdicts of the bot `resources.c` with every method of enforcing limits, and in the sandbox, which hides from
/// `--limits proc` what a bot does.
#[test]
fn attacks_get_their_verdicts() {
    let Some((_here, hostile)) = compiled("resources.c") else { return };
    let mut rows: Vec<_> = iproduct!(limit_methods(), sandbox_options(), ATTACKS).collect();
    rows.retain(|(method, sandbox, _)| *method == "proc" || sandbox.is_empty());
    check_rows(&rows, 2, |(method, sandbox, (attack, options, verdict, reason))| {
        let args = format!("run 6 1 2 --opponent slow --json --limits {method} {sandbox} {options}");
        let output = output_without_groups(&mut command(&args, &[&hostile, attack]));
        let game = output.report();
        assert_eq!(game["verdict"], *verdict, "{attack} {method} {sandbox}: {game}");
        assert!(game["reason"].as_str().unwrap().contains(reason), "{method} {sandbox}: {game}");
        assert_eq!(game["limits"], *method, "{game}");
    });
}

/// What `resources.c` does, the options, the verdict, and words of the reason.
const ATTACKS: [(&str, &str, &str, &str); 14] = [
    // The CPU time of children counts even if their parent ignores SIGCHLD. The kernel adds it to no other process.
    ("burn-long", "--time-limit 0.25 --wall-limit 60", "TIME_CPU", " of CPU time; the limit is 0.25 s"),
    ("burn-short", "--time-limit 0.25 --wall-limit 60", "TIME_CPU", " of CPU time; the limit is 0.25 s"),
    // A process still counts if other processes of the same user cannot read it.
    ("hide", "--memory-limit 128 --time-limit 60", "MEMORY", "; its limit is 128 MiB"),
    ("many", "--time-limit 60", "PROCESSES", "its limit of 64 processes and threads at a time"),
    ("zombies", "--time-limit 60", "PROCESSES", "its limit of 64 processes and threads at a time"),
    ("few", "--time-limit 60", "WON", ""),
    ("few", "--time-limit 60 --processes 20", "PROCESSES", "its limit of 20 processes and threads at a time"),
    ("few", "--time-limit 60 --processes 21", "WON", ""),
    // A process whose first thread has ended looks like an ended process.
    ("leaderless", "--memory-limit 64 --time-limit 60", "MEMORY", "; its limit is 64 MiB"),
    // The kernel's memory for a bot's page tables counts as well.
    ("page-tables", "--memory-limit 64 --time-limit 60", "MEMORY", "; its limit is 64 MiB"),
    // Shared memory, which makes measurements slow, hides neither CPU time nor memory, and counts once.
    ("share", "--time-limit 0.25 --wall-limit 60", "TIME_CPU", " of CPU time; the limit is 0.25 s"),
    ("copy", "--memory-limit 128 --time-limit 60", "MEMORY", "; its limit is 128 MiB"),
    ("share-in-peace", "--memory-limit 256 --time-limit 60", "WON", ""),
    // Only root can leave its control group here.
    ("leave", "--memory-limit 64 --time-limit 60", "MEMORY", "; its limit is 64 MiB"),
];

/// Checks that no game is played without /proc or, with `--limits cgroup`, without a control group, and that the
/// message names the reason.
#[test]
fn methods_that_are_not_possible() {
    if !rustix::process::getuid().is_root() {
        let refused = judge("run 6 1 2 --limits cgroup", &["true"]);
        if refused.code() == Some(2) {
            refused
                .complains("judge: --limits cgroup is not possible here: ")
                .complains("; --limits proc needs no control group");
        }
        return;
    }
    if !Command::new("unshare").args(["--mount", "true"]).status().is_ok_and(|status| status.success()) {
        skip("mount namespaces cannot be created");
        return;
    }
    let no_proc = "the judge cannot enforce the limits of a bot without /proc";
    for (mount, args, reason) in [
        ("mount -t tmpfs none /proc", "--limits proc", no_proc),
        ("mount -t tmpfs none /proc", "--limits auto", no_proc),
        ("mount -t tmpfs none /proc", "--limits cgroup", no_proc),
        ("mount -t tmpfs none /sys", "--limits cgroup", "--limits cgroup is not possible here: "),
    ] {
        let script = format!("{mount} && exec {JUDGE} run 6 1 2 {args} -- true");
        let output = Command::new("unshare").args(["--mount", "sh", "-c", &script]).output().unwrap();
        output.refuses(&format!("judge: {reason}"));
    }
}

/// Checks that no game is played with too few descriptors to measure a bot.
#[test]
fn too_few_descriptors() {
    for descriptors in 6..=24 {
        let run = command("run 6 1 2 --time-limit 30", &["sh", "-c", "read h; exit 7"]);
        let output = output_without_groups(&mut limited(&format!("-n {descriptors}"), &run));
        if output.code() == Some(2) {
            let is_named = output.err().contains("Too many open files");
            output.refuses(if is_named { "" } else { "the limit on open files" });
        } else {
            // The number of descriptors is sufficient.
            output.begins("CRASHED 6 1 2 ");
        }
    }
}

/// Checks that a bot whose processes /proc hides from the judge's user does not win.
#[test]
fn a_hidden_process() {
    let Some((_here, hostile)) = compiled("resources.c") else { return };
    if !is_root() {
        return;
    }
    let run =
        format!("{JUDGE} run 6 1 2 --opponent slow --json --limits proc --time-limit 60 -- {hostile} hide");
    for hidden in [1, 2] {
        // Members of the group 0 see all processes, so the judge must not be a member.
        let user = format!("setpriv --reuid {NOBODY} --regid {NOBODY} --clear-groups");
        let script = format!("mount -t proc -o hidepid={hidden} proc /proc && exec {user} {run}");
        let mut unshare = Command::new("unshare");
        let output = unshare.args(["--mount", "sh", "-c", &script]).output().unwrap();
        let Ok(game) = serde_json::from_slice::<Value>(&output.stdout) else {
            skip(format!("/proc cannot be mounted here: {}", output.err()));
            return;
        };
        assert_eq!(game["verdict"], "JUDGE_ERROR", "{hidden}: {game}");
        let reason = game["reason"].as_str().unwrap();
        assert!(reason.starts_with("the judge cannot measure what the bot uses"), "{hidden}: {game}");
        output.exits(2);
    }
}

/// Checks that several games use the same group one after the other, and that each game is charged only for its own
/// usage, even if a game has left a file whose memory counts for the group.
#[test]
fn a_group_counts_only_the_current_game() {
    if !limit_methods().contains(&"cgroup") {
        return;
    }
    let here = TestDir::new();
    let large_once = "mkdir once 2>/dev/null && head -c 60000000 /dev/zero | tail -c 60000000 >file";
    let script = format!(
        "grep -h memory /proc/self/cgroup >>groups; {large_once}; read h; echo First; echo 1 1; read x"
    );
    let args = "run 1 1 1 --games 3 --limits cgroup --json";
    let output = command(args, &["sh", "-c", &script]).current_dir(here.path()).output().unwrap();
    let games = output.exits(0).json();
    assert!(here.read("groups").lines().all_equal(), "{}", here.read("groups"));
    let used = |game: &Value, what: &str| game["passes"][0]["seats"][0][what].as_f64().unwrap();
    assert!(used(&games[0], "memory_kib") > 50_000.0, "{}", games[0]);
    for game in &games[1..3] {
        // The kernel keeps several hundred KiB in a group for the next process. A shell may need no more than that.
        assert!(used(game, "memory_kib") < 20_000.0, "{game}");
        assert!(used(game, "cpu_ms") > 0.0, "{game}");
    }
}

#[test]
fn as_an_ordinary_user() {
    pass_as_an_ordinary_user(&["limits::attacks", "limits::methods_that_are_not"]);
}
