//! The start of a bot under `--sandbox`: the same as without, but restricted by the kernel and bound to its judge.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Output};

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};

use crate::support::{
    JUDGE, TestDir, assert_all_won, await_that, bot, command, has_python, has_sandbox, is_running,
    is_the_systems_root, judge, skip, text,
};

/// A bot in the sandbox has the same arguments and signals as outside, for every location of its program.
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

/// Writes an executable program into a folder and returns its path.
fn executable(folder: &TestDir, content: &str) -> String {
    let path = folder.file("program");
    // A shell writes the file. If this process wrote it, processes that other tests start would inherit the descriptor,
    // and the kernel would not run a file that is open for writing.
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
            // A suggestion may follow the message.
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
    // The error is that of a place where the start is forbidden, or else that of the last place.
    assert_eq!(refused_on(&[folder.path(), &nowhere, &file], "file", denied), Some(126));
    assert_eq!(refused_on(&[&nowhere, &file], "bot", not_there), Some(126));
    assert_eq!(refused_on(&[&file, &nowhere], "bot", missing), Some(127));
}

/// A script that names no interpreter is not run by a shell, neither outside nor inside the sandbox.
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

/// A file that was open for writing before the start is closed.
#[test]
fn no_inherited_descriptor() {
    if !has_sandbox() {
        return;
    }
    let folder = TestDir::new();
    let script = "exec 5>open; \"$0\" launch -- sh -c 'echo written >&5'; \"$0\" launch -- sh -c 'echo said'";
    let mut shell = Command::new("sh");
    shell.args(["-c", script, JUDGE]).current_dir(folder.path());
    assert_eq!(text(&shell.output().unwrap().stdout), "said\n");
    assert_eq!(folder.read("open"), "");
}

/// A bot gets no new privileges, no capability except root's capability to read, and no core dump.
#[test]
fn no_privileges() {
    if !has_sandbox() {
        return;
    }
    let script =
        "grep -E '^(NoNewPrivs|CapEff|CapPrm|Seccomp):' /proc/self/status >&2; ulimit -c >&2; exit 7";
    let output = judge("run 6 1 2 --sandbox", &["sh", "-c", script]);
    let held = if is_the_systems_root() { 2 } else { 0 };
    for line in [
        "NoNewPrivs:\t1",
        &format!("CapEff:\t{held:016x}"),
        &format!("CapPrm:\t{held:016x}"),
        "Seccomp:\t2",
        "0",
    ] {
        let shown = text(&output.stdout);
        assert!(shown.contains(&format!("    stderr: {line}\n")), "{line}: {shown}");
    }
}

/// Runs the judge as on a kernel that lacks the system call `call`.
fn judge_without(call: i64, error: i32, args: &str, bot: &[&str]) -> Output {
    let lacks = SeccompAction::Errno(error.unsigned_abs());
    let arch = std::env::consts::ARCH.try_into().unwrap();
    let filter = SeccompFilter::new([(call, vec![])].into(), SeccompAction::Allow, lacks, arch).unwrap();
    let filter: BpfProgram = filter.try_into().unwrap();
    std::thread::scope(|scope| {
        // A filter applies to its thread and to the processes that this thread starts.
        let run = scope.spawn(|| {
            seccompiler::apply_filter(&filter).unwrap();
            judge(args, bot)
        });
        run.join().unwrap()
    })
}

/// If the kernel lacks one of these features, no game is played.
#[test]
fn a_kernel_that_cannot() {
    if !has_sandbox() {
        return;
    }
    for (call, error, reason) in [
        (
            libc::SYS_landlock_create_ruleset,
            libc::ENOSYS,
            "the guard of the file system is missing: Landlock as of Linux 6.2",
        ),
        (
            libc::SYS_landlock_create_ruleset,
            libc::EOPNOTSUPP,
            "the guard of the file system is missing: Landlock as of Linux 6.2",
        ),
        (libc::SYS_seccomp, libc::ENOSYS, "the guard of the network is missing: seccomp filters"),
    ] {
        let output = judge_without(call, error, "run 6 1 2 --sandbox", &["true"]);
        let shown = text(&output.stderr);
        let start = format!("judge: --sandbox is not possible here: {reason}");
        assert!(shown.starts_with(&start), "{shown}");
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{reason}");
        let launch = judge_without(call, error, "launch", &["true"]);
        assert_eq!(launch.status.code(), Some(125), "{reason}");
    }
    // Namespaces are not required: without them, the judge counts the user's processes.
    let without = judge_without(libc::SYS_unshare, libc::EPERM, "run 20 3 5 --sandbox", &[]);
    assert!(text(&without.stdout).starts_with("WON "), "{}", text(&without.stdout));
}

/// A bot cannot send signals to the judge, because the bot has another user number or because of Linux 6.12.
#[test]
fn no_signal_to_the_judge() {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
    let mut numbers = release.split(|symbol: char| !symbol.is_ascii_digit()).map(str::parse::<u32>);
    let release = [numbers.next(), numbers.next()].map(|number| number.unwrap().unwrap());
    if !is_the_systems_root() && release < [6, 12] {
        skip(format!("Linux {release:?} cannot keep signals inside"));
        return;
    }
    if !has_sandbox() {
        return;
    }
    let script = "kill -KILL $PPID; read h; echo First; echo 3 2; read x; echo 5 1; read x; echo 6 1";
    assert_all_won("6 1 2 --sandbox --opponent slow", &["sh", "-c", script], 1);
}

/// A bot in the sandbox cannot forge a result.
#[test]
fn no_way_into_the_judge() {
    if !has_sandbox() || !has_python() {
        return;
    }
    let output = judge("run 6 1 2 --sandbox", &["python3", "-B", &bot("reach_judge.py")]);
    assert!(text(&output.stdout).contains("    stderr: worked: command\n"), "{}", text(&output.stdout));
}

/// When the judge is killed, the kernel also kills the bot's first process. The bot cannot prevent that.
#[test]
fn a_bot_ends_with_the_judge() {
    if !has_sandbox() || !has_python() {
        return;
    }
    // The bot ignores its stdin, and its arguments distinguish it from all other processes.
    let sleep = ["sleep".to_owned(), format!("1000.{}", process::id())];
    let args = ["python3", &bot("outlive_judge.py"), &sleep[1]];
    let mut judge = command("run 6 1 2 --sandbox --time-limit 1000", &args).spawn().unwrap();
    await_that(|| is_running(|arguments| arguments == sleep));
    judge.kill().unwrap();
    judge.wait().unwrap();
    await_that(|| !is_running(|arguments| arguments == sleep));
}

/// `judge launch`, which starts the bot, notices if the judge ended before the kernel was asked to report that end.
#[test]
fn a_judge_that_has_ended() {
    if !has_sandbox() {
        return;
    }
    let output = judge("launch --judge 1", &["echo", "played"]);
    let seen = (text(&output.stdout), text(&output.stderr), output.status.code());
    assert_eq!(seen, ("", "judge: the judge has ended\n", Some(125)));
    let own = judge(&format!("launch --judge {}", process::id()), &["echo", "played"]);
    assert_eq!((text(&own.stdout), own.status.code()), ("played\n", Some(0)));
}
