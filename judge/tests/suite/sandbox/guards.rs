//! The features of the kernel that the sandbox needs, and a kernel without them.

use std::process::{Command, Output};

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};

use crate::support::{JUDGE, TestDir, has_sandbox, is_the_systems_root, judge, text};

/// A file that was open for writing before is closed.
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

/// No new privileges, no capability but root's to read, and no core dump.
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

/// Runs the judge on a kernel that lacks this call.
fn judge_without(call: i64, error: i32, args: &str, bot: &[&str]) -> Output {
    let lacks = SeccompAction::Errno(error.unsigned_abs());
    let arch = std::env::consts::ARCH.try_into().unwrap();
    let filter = SeccompFilter::new([(call, vec![])].into(), SeccompAction::Allow, lacks, arch).unwrap();
    let filter: BpfProgram = filter.try_into().unwrap();
    std::thread::scope(|scope| {
        // A filter holds for its thread, and for what that starts.
        let run = scope.spawn(|| {
            seccompiler::apply_filter(&filter).unwrap();
            judge(args, bot)
        });
        run.join().unwrap()
    })
}

/// Without one of these features no game is played.
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
    // Namespaces are not needed: then the user's processes are counted.
    let without = judge_without(libc::SYS_unshare, libc::EPERM, "run 20 3 5 --sandbox", &[]);
    assert!(text(&without.stdout).starts_with("WON "), "{}", text(&without.stdout));
}
