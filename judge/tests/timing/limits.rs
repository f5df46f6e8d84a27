//! Bots that exceed a limit, some of which try to hide it, with limits enforced by a control group or by /proc. Also
//! tests the clock of the bundled bot.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use itertools::Itertools;
use rustix::process::Signal;
use serde_json::Value;

use crate::support::{
    JUDGE, NOBODY, TestDir, await_that, child_of, command, compiled, has_sandbox, is_root, is_running, judge,
    pass_as_an_ordinary_user, send, skip, start, state, text,
};

/// Returns the methods of enforcing limits that this machine has. A missing method is skipped with a message.
fn limit_methods() -> Vec<&'static str> {
    let trial = judge("run 1 1 1 --limits cgroup", &[]);
    if trial.status.code() == Some(2) {
        skip(text(&trial.stderr).trim_end());
        return vec!["proc"];
    }
    vec!["proc", "cgroup"]
}

/// Returns the report of a run of one game. Checks that no control group is left.
#[track_caller]
fn game(run: &mut Command) -> Value {
    let judge = start(run);
    let host = host_of(judge.id());
    let output = judge.wait_with_output().unwrap();
    if let Some(host) = host {
        assert_eq!(groups_of(host), Vec::<String>::new());
    }
    let line = text(&output.stdout);
    serde_json::from_str(line).unwrap_or_else(|_| panic!("{line:?}, {}", text(&output.stderr)))
}

/// Returns the host of a judge's bot; `None` if the judge has ended.
fn host_of(judge: u32) -> Option<u32> {
    let referee = child_of(judge)?;
    loop {
        // Before the host, the judge may start a process to check whether control groups are possible.
        let child = child_of(referee)?;
        let arguments = fs::read_to_string(format!("/proc/{child}/cmdline")).unwrap_or_default();
        if arguments.split('\0').nth(1) == Some("arena-host") {
            return Some(child);
        }
    }
}

/// Returns the control groups that a host has made.
fn groups_of(host: u32) -> Vec<String> {
    let found =
        Command::new("find").args(["/sys/fs/cgroup", "-name", &format!("zeroxor-*-{host}-*")]).output();
    text(&found.unwrap().stdout).lines().map(str::to_owned).collect()
}

/// Checks that the bot `resources.c` gets a verdict with every method of enforcing limits, in the sandbox and outside.
/// `attack` is the argument of the bot.
#[track_caller]
fn assert_verdict(attack: &str, options: &str, verdict: &str, reason: &str) {
    let Some(hostile) = compiled("resources.c") else { return };
    for method in limit_methods() {
        for sandbox in ["", "--sandbox"] {
            if !sandbox.is_empty() && !has_sandbox() {
                continue;
            }
            let args = format!("run 6 1 2 --opponent slow --json --limits {method} {sandbox} {options}");
            let game = game(&mut command(&args, &[&hostile.path, attack]));
            assert_eq!(game["verdict"], verdict, "{method} {sandbox}: {game}");
            assert!(game["reason"].as_str().unwrap().contains(reason), "{method} {sandbox}: {game}");
            assert_eq!(game["limits"], method, "{game}");
        }
    }
}

/// Checks that the CPU time of children counts even if their parent ignores SIGCHLD. The kernel adds this time to no
/// other process.
#[test]
fn children_that_nobody_waits_for() {
    let limits = "--time-limit 0.5 --wall-limit 60";
    assert_verdict("burn-long", limits, "TIME_CPU", "s of CPU time; the limit is 0.5 s");
    assert_verdict("burn-short", limits, "TIME_CPU", "s of CPU time; the limit is 0.5 s");
}

/// Checks that a process whose first thread has ended still counts, although it looks like an ended process.
#[test]
fn a_process_without_its_first_thread() {
    let limits = "--memory-limit 64 --time-limit 60";
    assert_verdict("leaderless", limits, "MEMORY", "; its limit is 64 MiB");
}

/// Checks that the kernel's memory for a bot's page tables counts as well.
#[test]
fn page_tables() {
    assert_verdict("page-tables", "--memory-limit 64 --time-limit 60", "MEMORY", "; its limit is 64 MiB");
}

/// Checks that shared memory, which makes measurements slow, hides neither CPU time nor memory, and counts once.
#[test]
fn children_that_share_memory() {
    assert_verdict(
        "share",
        "--time-limit 0.5 --wall-limit 60",
        "TIME_CPU",
        "s of CPU time; the limit is 0.5 s",
    );
    assert_verdict("copy", "--memory-limit 256 --time-limit 60", "MEMORY", "; its limit is 256 MiB");
    assert_verdict("share-in-peace", "--memory-limit 256 --time-limit 60", "WON", "");
}

/// Checks that a process still counts if other processes of the same user cannot read it.
#[test]
fn unreadable_processes() {
    assert_verdict("hide", "--memory-limit 128 --time-limit 60", "MEMORY", "; its limit is 128 MiB");
}

#[test]
fn many_processes() {
    let reason = "the bot asked for more than its limit of 64 processes and threads at a time";
    assert_verdict("many", "--time-limit 60", "PROCESSES", reason);
    assert_verdict("zombies", "--time-limit 60", "PROCESSES", reason);
    assert_verdict("few", "--time-limit 60", "WON", "");
    let reason = "the bot asked for more than its limit of 20 processes and threads at a time";
    assert_verdict("few", "--time-limit 60 --processes 20", "PROCESSES", reason);
    assert_verdict("few", "--time-limit 60 --processes 21", "WON", "");
}

/// Checks that a bot that leaves its control group still counts. Only root can leave its group here.
#[test]
fn a_bot_that_leaves_its_group() {
    assert_verdict("leave", "--memory-limit 64 --time-limit 60", "MEMORY", "; its limit is 64 MiB");
}

/// Checks that no game is played without /proc or, with `--limits cgroup`, without a control group, and that the
/// message names the reason.
#[test]
fn methods_that_are_not_possible() {
    if !rustix::process::getuid().is_root() {
        let refused = judge("run 6 1 2 --limits cgroup", &["true"]);
        if refused.status.code() == Some(2) {
            let shown = text(&refused.stderr);
            assert!(shown.starts_with("judge: --limits cgroup is not possible here: "), "{shown}");
            assert!(shown.contains("; --limits proc needs no control group"), "{shown}");
        }
        return;
    }
    let without = |mount: &str, args: &str| {
        let script = format!("{mount} && exec {JUDGE} run 6 1 2 {args} -- true");
        Command::new("unshare").args(["--mount", "sh", "-c", &script]).output().unwrap()
    };
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
        let output = without(mount, args);
        let shown = text(&output.stderr);
        assert!(shown.starts_with(&format!("judge: {reason}")), "{mount}: {shown}");
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{mount}");
    }
}

/// Checks that no game is played with too few descriptors to measure a bot.
#[test]
fn too_few_descriptors() {
    for descriptors in 6..=24 {
        let script = format!(
            "ulimit -n {descriptors} && exec \"$0\" run 6 1 2 --time-limit 30 -- sh -c 'read h; exit 7'"
        );
        let output = Command::new("sh").args(["-c", &script, JUDGE]).output().unwrap();
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        if output.status.code() == Some(2) {
            let messages = ["Too many open files", "the limit on open files"];
            let is_named = messages.iter().any(|message| stderr.contains(message));
            assert!(is_named, "{descriptors}: {stdout}{stderr}");
            assert_eq!(stdout, "", "{descriptors}");
        } else {
            // The number of descriptors is sufficient.
            assert!(stdout.starts_with("CRASHED 6 1 2 "), "{descriptors}: {stdout}{stderr}");
        }
    }
}

/// Checks that a bot whose processes /proc hides from the judge's user does not win.
#[test]
fn a_hidden_process() {
    let Some(hostile) = compiled("resources.c") else { return };
    if !is_root() {
        return;
    }
    let bot = &hostile.path;
    let run = format!("{JUDGE} run 6 1 2 --opponent slow --json --limits proc --time-limit 60 -- {bot} hide");
    for hidden in [1, 2] {
        // Members of the group 0 see all processes, so the judge must not be a member.
        let user = format!("setpriv --reuid {NOBODY} --regid {NOBODY} --clear-groups");
        let script = format!("mount -t proc -o hidepid={hidden} proc /proc && exec {user} {run}");
        let mut unshare = Command::new("unshare");
        let output = unshare.args(["--mount", "sh", "-c", &script]).output().unwrap();
        let Ok(game) = serde_json::from_slice::<Value>(&output.stdout) else {
            skip(format!("/proc cannot be mounted here: {}", text(&output.stderr)));
            return;
        };
        assert_eq!(game["verdict"], "JUDGE_ERROR", "{hidden}: {game}");
        let reason = game["reason"].as_str().unwrap();
        assert!(reason.starts_with("the judge cannot measure what the bot uses"), "{hidden}: {game}");
        assert_eq!(output.status.code(), Some(2));
    }
}

/// Checks that the next judge removes the control groups of a killed judge, and ends the bot in them.
#[test]
fn groups_of_a_killed_judge() {
    if !limit_methods().contains(&"cgroup") {
        return;
    }
    let bot = ["sleep".to_owned(), format!("60.{}", std::process::id())];
    let mut killed = start(&mut command("run 6 1 2 --limits cgroup --time-limit 60", &[&bot[0], &bot[1]]));
    let referee = child_of(killed.id()).unwrap();
    let host = host_of(killed.id()).unwrap();
    await_that(|| is_running(|arguments| arguments == bot));
    assert!(groups_of(host).iter().any(|group| has_processes(group)));
    // Stop the supervisor first, so that it cannot end any process.
    for (signal, process) in
        [(Signal::STOP, killed.id()), (Signal::KILL, referee), (Signal::KILL, killed.id())]
    {
        send(signal, process);
    }
    killed.wait().unwrap();
    // The next judge does not remove the groups of a judge that has not ended yet.
    await_that(|| matches!(state(referee), None | Some('Z')));
    judge("run 6 1 2 --limits cgroup", &["true"]);
    // The judge of another test may remove the groups at the same time.
    await_that(|| groups_of(host).is_empty());
    assert!(!is_running(|arguments| arguments == bot));
}

fn has_processes(group: &str) -> bool {
    fs::read_to_string(Path::new(group).join("cgroup.procs")).is_ok_and(|listed| !listed.is_empty())
}

/// Checks that a second Ctrl-C leaves no control group.
#[test]
fn groups_of_an_interrupted_judge() {
    if !limit_methods().contains(&"cgroup") {
        return;
    }
    // Only the judge gets the signals, and the bot sleeps for a minute before it ends, so the judge has to end the bot.
    let bot = ["sh", "-c", "read h; echo First; echo 3 2; read x; echo 5 1; read x; echo 6 1; exec sleep 60"];
    let run = "run 6 1 2 --opponent slow --limits cgroup --grace 60 --time-limit 60";
    let mut judge = command(run, &bot);
    let mut judge = judge.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let host = host_of(judge.id()).unwrap();
    await_that(|| groups_of(host).iter().any(|group| has_processes(group)));
    while judge.try_wait().unwrap().is_none() {
        send(Signal::INT, judge.id());
    }
    assert_eq!(groups_of(host), Vec::<String>::new());
}

/// Plays three games with a bot that runs `script` before it wins. Returns the control groups and the reports.
fn groups_of_three_games(here: &TestDir, script: &str) -> (Vec<String>, Vec<Value>) {
    let script =
        format!("grep -h memory /proc/self/cgroup >>groups; {script}; read h; echo First; echo 1 1; read x");
    let args = "run 1 1 1 --games 3 --limits cgroup --json";
    let output = command(args, &["sh", "-c", &script]).current_dir(here.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
    let games = text(&output.stdout).lines().take(3).map(|line| serde_json::from_str(line).unwrap());
    let groups = fs::read_to_string(here.path().join("groups")).unwrap();
    (groups.lines().map(str::to_owned).collect(), games.collect())
}

/// Checks that several games can use the same group one after the other, and that each game is charged only for its own
/// usage.
#[cfg(target_os = "linux")]
#[test]
fn a_group_is_used_again() {
    if !limit_methods().contains(&"cgroup") || !Path::new("/sys/fs/cgroup/memory").exists() {
        return skip("control groups of version 1 cannot be created");
    }
    let large_once = "mkdir once 2>/dev/null && head -c 60000000 /dev/zero | tail -c 60000000 | wc -c >&2";
    // On a busy machine the kernel may return memory late. In that case the judge does not use the group again, so
    // the test tries several times.
    let mut attempts = (0..5).map(|_| groups_of_three_games(&TestDir::new(), large_once));
    let is_one_group = |groups: &[String]| groups.len() == 3 && groups.iter().all_equal();
    let games = attempts.find_map(|(groups, games)| is_one_group(&groups).then_some(games));
    let games = games.expect("the same group for all three in one of five attempts");
    let used = |game: &Value, what: &str| game["passes"][0]["seats"][0][what].as_f64().unwrap();
    let [first, second, third] = games.as_slice() else { panic!("{games:?}") };
    assert!(used(first, "memory_kib") > 50_000.0, "{first}");
    for game in [second, third] {
        // The kernel keeps several hundred KiB in a group for the next process. A shell may need no more than that.
        assert!(used(game, "memory_kib") < 20_000.0, "{game}");
        assert!(used(game, "cpu_ms") > 0.0, "{game}");
    }
}

/// Checks that a group in which a bot left memory is not used again, so that the memory counts for no other bot.
#[cfg(target_os = "linux")]
#[test]
fn a_group_with_remaining_memory_is_not_used_again() {
    if !limit_methods().contains(&"cgroup") {
        return;
    }
    let here = TestDir::new();
    let (groups, games) = groups_of_three_games(&here, "head -c 4000000 /dev/zero >file.$$");
    assert_eq!(groups.iter().collect::<HashSet<_>>().len(), 3, "{groups:?}");
    assert!(games.iter().all(|game| game["verdict"] == "WON"), "{games:?}");
}

/// Checks that the limits of an ordinary user's bots are enforced too.
#[test]
fn as_an_ordinary_user() {
    let tests = ["children_that_nobody", "unreadable", "many_processes", "methods_that_are_not"];
    let tests = tests.map(|test| format!("limits::{test}"));
    pass_as_an_ordinary_user(&tests.each_ref().map(String::as_str));
}
