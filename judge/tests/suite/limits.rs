//! Bots that use more than they may and try to hide it, held to their limits by a control group and by /proc.

use std::fs;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::judge::{child_of, command, judge, text};
use crate::sandbox::{Folder, await_that, has_sandbox, is_running};
use crate::verdicts::heed_signals;

const NOBODY: u32 = 65534;

/// The hostile bots, compiled; where there is no compiler, they are skipped with a message.
fn hostile_bots() -> Option<(Folder, String)> {
    let folder = Folder::new(&format!("limits-{:?}", std::thread::current().id()));
    let bot = folder.0.join("hostile").to_str().unwrap().to_owned();
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/bots/hostile.c");
    let compiled = Command::new("cc").args(["-O1", "-pthread", "-o", &bot, source]).status();
    if !compiled.is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: there is no C compiler cc for tests/bots/hostile.c");
        return None;
    }
    Some((folder, bot))
}

/// The ways to hold a bot to its limits that there are here; the other is skipped with a message.
fn ways() -> Vec<&'static str> {
    let trial = judge("run 1 1 1 --limits cgroup", &[]);
    if trial.status.code() == Some(2) {
        eprintln!("SKIPPED: {}", text(&trial.stderr).trim_end());
        return vec!["proc"];
    }
    vec!["proc", "cgroup"]
}

/// What a run of one game reported. Nothing is left of its control group.
#[track_caller]
fn game(run: &mut Command) -> Value {
    let judge = run.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let referee = child_of(judge.id());
    let output = judge.wait_with_output().unwrap();
    if let Some(referee) = referee {
        assert_eq!(groups_of(referee), Vec::<String>::new());
    }
    let line = text(&output.stdout);
    serde_json::from_str(line).unwrap_or_else(|_| panic!("{line:?}, {}", text(&output.stderr)))
}

/// The control groups that the judge proper of this number has made.
fn groups_of(judge: u32) -> Vec<String> {
    let found =
        Command::new("find").args(["/sys/fs/cgroup", "-name", &format!("zeroxor-*-{judge}-*")]).output();
    text(&found.unwrap().stdout).lines().map(str::to_owned).collect()
}

/// In every way, in the sandbox and outside, this hostile bot gets that verdict.
#[track_caller]
fn assert_verdict(bot_way: &str, options: &str, verdict: &str, reason: &str) {
    let Some((_folder, bot)) = hostile_bots() else { return };
    for way in ways() {
        for sandbox in ["", "--sandbox"] {
            if !sandbox.is_empty() && !has_sandbox() {
                continue;
            }
            let args = format!("run 6 1 2 --opponent slow --json --limits {way} {sandbox} {options}");
            let game = game(&mut command(&args, &[&bot, bot_way]));
            assert_eq!(game["verdict"], verdict, "{way} {sandbox}: {game}");
            assert!(game["reason"].as_str().unwrap().contains(reason), "{way} {sandbox}: {game}");
            assert_eq!(game["limits"], way, "{game}");
        }
    }
}

/// CPU time of children whose end is ignored: the kernel adds it to nobody's.
#[test]
fn children_that_nobody_waits_for() {
    let limits = "--time-limit 0.5 --wall-limit 60";
    assert_verdict("burn-long", limits, "TIME_CPU", "s of CPU, its limit is 0.5 s");
    assert_verdict("burn-short", limits, "TIME_CPU", "s of CPU, its limit is 0.5 s");
}

/// A first thread that has ended makes its process look like one that has.
#[test]
fn a_process_without_its_first_thread() {
    let limits = "--memory-limit 64 --time-limit 60";
    assert_verdict("leaderless", limits, "MEMORY", "memory, its limit is 64 MiB");
}

/// Much shared memory makes a look long, but not the time to the next.
#[test]
fn children_that_share_memory() {
    assert_verdict("share", "--time-limit 0.5 --wall-limit 60", "TIME_CPU", "s of CPU, its limit is 0.5 s");
    assert_verdict("copy", "--memory-limit 256 --time-limit 60", "MEMORY", "memory, its limit is 256 MiB");
    // What is shared counts once.
    assert_verdict("share-in-peace", "--memory-limit 256 --time-limit 60", "WON", "");
}

/// A process that cannot be read by others of its user still counts.
#[test]
fn unreadable_processes() {
    assert_verdict("hide", "--memory-limit 128 --time-limit 60", "MEMORY", "memory, its limit is 128 MiB");
}

#[test]
fn many_processes() {
    let reason = "the bot asked for more processes and threads at a time than its limit, 64";
    assert_verdict("many", "--time-limit 60", "PROCESSES", reason);
    assert_verdict("zombies", "--time-limit 60", "PROCESSES", reason);
    assert_verdict("few", "--time-limit 60", "WON", "");
    let reason = "the bot asked for more processes and threads at a time than its limit, 20";
    assert_verdict("few", "--time-limit 60 --processes 20", "PROCESSES", reason);
    assert_verdict("few", "--time-limit 60 --processes 21", "WON", "");
}

/// A bot that leaves its control group, as only root can here, is counted all the same.
#[test]
fn a_bot_that_leaves_its_group() {
    assert_verdict("leave", "--memory-limit 64 --time-limit 60", "MEMORY", "memory, its limit is 64 MiB");
}

/// Without a control group or without /proc no game is played, and it is told why.
#[test]
fn ways_that_are_not_there() {
    if !rustix::process::getuid().is_root() {
        let refused = judge("run 6 1 2 --limits cgroup", &["true"]);
        if refused.status.code() == Some(2) {
            let shown = text(&refused.stderr);
            assert!(shown.starts_with("judge: --limits cgroup is not possible here: "), "{shown}");
            assert!(shown.contains("; --limits proc needs none"), "{shown}");
        }
        return;
    }
    let without = |mount: &str, args: &str| {
        let judge = env!("CARGO_BIN_EXE_judge");
        let script = format!("{mount} && exec {judge} run 6 1 2 {args} -- true");
        Command::new("unshare").args(["--mount", "sh", "-c", &script]).output().unwrap()
    };
    if !Command::new("unshare").args(["--mount", "true"]).status().is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: no mount namespace can be made here");
        return;
    }
    let no_proc = "the judge cannot hold a bot to its limits without /proc";
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

/// With too few descriptors to look at a bot no game is played.
#[test]
fn too_few_descriptors() {
    for descriptors in 6..=24 {
        let script = format!(
            "ulimit -n {descriptors} && exec \"$0\" run 6 1 2 --time-limit 30 -- sh -c 'read h; exit 7'"
        );
        let output = Command::new("sh").args(["-c", &script, env!("CARGO_BIN_EXE_judge")]).output().unwrap();
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        if output.status.code() == Some(2) {
            assert!(stderr.contains("Too many open files"), "{descriptors}: {stdout}{stderr}");
            assert_eq!(stdout, "", "{descriptors}");
        } else {
            // Enough of them.
            assert!(stdout.starts_with("CRASHED 6 1 2 "), "{descriptors}: {stdout}{stderr}");
        }
    }
}

/// A process that /proc hides from the judge's user ends the game, and is nobody's win.
#[test]
fn a_hidden_process() {
    let Some((_folder, bot)) = hostile_bots() else { return };
    if !rustix::process::getuid().is_root() {
        return;
    }
    let judge = env!("CARGO_BIN_EXE_judge");
    let run = format!("{judge} run 6 1 2 --opponent slow --json --limits proc --time-limit 60 -- {bot} hide");
    for hidden in [1, 2] {
        let script = format!(
            "mount -t proc -o hidepid={hidden} proc /proc && exec setpriv --reuid {NOBODY} --clear-groups {run}"
        );
        let output = Command::new("unshare").args(["--mount", "sh", "-c", &script]).output().unwrap();
        let Ok(game) = serde_json::from_slice::<Value>(&output.stdout) else {
            eprintln!("SKIPPED: /proc cannot be mounted here: {}", text(&output.stderr));
            return;
        };
        assert_eq!(game["verdict"], "JUDGE_ERROR", "{hidden}: {game}");
        let reason = game["reason"].as_str().unwrap();
        assert!(reason.starts_with("the judge cannot see what the bot uses"), "{hidden}: {game}");
        assert_eq!(output.status.code(), Some(2));
    }
}

/// The groups of a judge that was killed, and the bot in them, are removed by the next one.
#[test]
fn groups_of_a_killed_judge() {
    if !ways().contains(&"cgroup") {
        return;
    }
    let bot = ["sleep".to_owned(), format!("60.{}", std::process::id())];
    let mut killed = command("run 6 1 2 --limits cgroup --time-limit 60", &[&bot[0], &bot[1]]);
    let mut killed =
        killed.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let referee = child_of(killed.id()).unwrap();
    await_that(|| is_running(|arguments| arguments == bot));
    // Its supervisor can end nothing.
    for (signal, process) in [("-STOP", killed.id()), ("-KILL", referee), ("-KILL", killed.id())] {
        assert!(Command::new("kill").args([signal, &process.to_string()]).status().unwrap().success());
    }
    killed.wait().unwrap();
    assert!(groups_of(referee).iter().any(|group| has_processes(group)), "nothing has ended the bot");
    judge("run 6 1 2 --limits cgroup", &["true"]);
    assert_eq!(groups_of(referee), Vec::<String>::new());
}

fn has_processes(group: &str) -> bool {
    fs::read_to_string(Path::new(group).join("cgroup.procs")).is_ok_and(|listed| !listed.is_empty())
}

/// A second Ctrl-C leaves no control group.
#[test]
fn groups_of_an_interrupted_judge() {
    if !ways().contains(&"cgroup") {
        return;
    }
    heed_signals();
    // It takes no notice of the first: nothing ends it but the judge.
    let bot = ["sh", "-c", "read h; echo First; echo 3 2; read x; echo 5 1; read x; echo 6 1; exec sleep 60"];
    let run = "run 6 1 2 --opponent slow --limits cgroup --grace 60 --time-limit 60";
    let mut judge = command(run, &bot);
    let mut judge = judge.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let referee = child_of(judge.id()).unwrap();
    await_that(|| groups_of(referee).iter().any(|group| has_processes(group)));
    let id = judge.id().to_string();
    while judge.try_wait().unwrap().is_none() {
        Command::new("kill").args(["-INT", &id]).stderr(Stdio::null()).status().unwrap();
    }
    assert_eq!(groups_of(referee), Vec::<String>::new());
}

/// What holds for root's bots holds for an ordinary user's.
#[test]
fn as_an_ordinary_user() {
    if !rustix::process::getuid().is_root() {
        return;
    }
    let ordinary = |program: &Path| {
        let mut program = Command::new(program);
        program.uid(NOBODY).gid(NOBODY);
        program
    };
    let trial = ordinary(env!("CARGO_BIN_EXE_judge").as_ref()).arg("--version").output();
    if let Err(error) = trial {
        eprintln!("SKIPPED: an ordinary user cannot start this judge here: {error}");
        return;
    }
    let folder = Folder::new("ordinary-limits");
    chown(&folder.0, Some(NOBODY), Some(NOBODY)).unwrap();
    let mut suite = ordinary(&std::env::current_exe().unwrap());
    let tests = ["children_that_nobody", "unreadable", "many_processes", "ways_that_are_not"];
    let tests = tests.map(|test| format!("limits::{test}"));
    let output: Output = suite.args(tests).arg("--nocapture").env("TMPDIR", &folder.0).output().unwrap();
    eprintln!("{}{}", text(&output.stdout), text(&output.stderr));
    assert!(output.status.success());
}
