//! How `--sandbox` starts a bot: as usual, but restricted by the kernel.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use seccompiler::{SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompRule};

use super::{said_inside, said_outside};
use crate::kernel::{has_signal_scopes, without_call, without_calls};
use crate::support::{
    FIND_ABOVE, JUDGE, Printed, TestDir, bot, command, is_the_systems_root, judge, sandbox_option,
    sandbox_options,
};

/// Checks that without Landlock `--sandbox=best` names what is missing and has the rest.
#[test]
fn the_best_sandbox_without_landlock() {
    if sandbox_option().is_none() {
        return;
    }
    let folder = TestDir::new();
    let (sockets, file) = (bot("system_calls.py"), folder.file("written"));
    let script =
        format!("python3 {sockets} {} 'socket {} -1 -1 -1' >&2; echo >{file}", libc::EPERM, libc::SYS_socket);
    let best = without_call(libc::SYS_landlock_create_ruleset, libc::ENOSYS, || {
        judge("run 6 1 2 --games 2 --show-stderr --sandbox=best", &["sh", "-c", &script])
    });
    best.complains("judge: the sandbox does not have the guards files, terminals: Landlock, which")
        .prints("    stderr: socket\n")
        .prints(" '--sandbox=best' -- sh -c ");
    assert_eq!(best.err().lines().count(), 1, "{}", best.err());
    assert!(Path::new(&file).exists());
}

/// Checks that a bot gets the same arguments and signals as outside, even if its program is in a private directory.
#[test]
fn a_bot_in_the_sandbox_starts_as_usual() {
    if sandbox_option().is_none() {
        return;
    }
    let folder = TestDir::new();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
    let script = folder.program("program", &fs::read_to_string(bot("signals.sh")).unwrap());
    let outside = said_outside(&[&script, "word"]);
    assert_eq!(said_inside(&[&script, "word"]), outside);
    assert!(outside.starts_with(&format!("/bin/sh {script} word Blk 0000")), "{outside}");
}

#[test]
fn a_bot_that_cannot_be_started() {
    let folder = TestDir::new();
    let (here, file) = (folder.path().to_str().unwrap(), folder.write("file", ""));
    let nowhere = folder.file("nowhere");
    let script =
        folder.program("program", "read h; echo First; echo 3 2; read x; echo 5 1; read x; echo 6 1");
    let missing = "No such file or directory (os error 2)";
    let denied = "Permission denied (os error 13)";
    let not_there = "Not a directory (os error 20)";
    for (path, bot, reason) in [
        (&*nowhere, "no-such-bot", missing),
        (&nowhere, "./no/such/bot", missing),
        (&nowhere, &file, denied),
        (&nowhere, here, denied),
        (&nowhere, "", missing),
        (&nowhere, &format!("{file}/bot"), not_there),
        (&nowhere, &script, "it is a text file without a first line such as"),
        // The error comes from the entry of PATH that denies permission if there is one, otherwise from the last entry.
        (&format!("{here}:{nowhere}:{file}"), "file", denied),
        (&format!("{nowhere}:{file}"), "bot", not_there),
        (&format!("{file}:{nowhere}"), "bot", missing),
    ] {
        for options in sandbox_options().chain(["--limits proc"]) {
            let mut run = command(&format!("run 6 1 2 {options}"), &[bot]);
            let output = run.env("PATH", path).output().unwrap();
            output.refuses(&format!("judge: the bot {bot} could not be started: {reason}"));
        }
    }
}

#[test]
fn no_inherited_descriptor() {
    let Some(sandbox) = sandbox_option() else { return };
    let folder = TestDir::new();
    let script = "exec 5>open; \"$0\" run 6 1 2 $1 -- sh -c 'echo said >&2; echo written >&5; exit 7'";
    let mut shell = Command::new("sh");
    shell.args(["-c", script, JUDGE, sandbox]).current_dir(folder.path());
    shell.output().unwrap().prints("    stderr: said\n");
    assert_eq!(folder.read("open"), "");
}

/// Checks that a bot cannot gain privileges or dump core, and has no capability. A bot of the system's root keeps
/// `CAP_DAC_OVERRIDE` to read files. Landlock refuses its writes.
#[test]
fn no_privileges() {
    if sandbox_option().is_none() {
        return;
    }
    let script = "grep -E '^(NoNewPrivs|CapEff|CapPrm|Seccomp):' /proc/self/status; ulimit -c";
    let held = format!("{:016x}", if is_the_systems_root() { 2 } else { 0 });
    let expected = format!("CapPrm:\t{held}\nCapEff:\t{held}\nNoNewPrivs:\t1\nSeccomp:\t2\n0\n");
    assert_eq!(said_inside(&["sh", "-c", script]), expected);
}

/// Checks that no game is played if the kernel lacks Landlock or seccomp, which the sandbox requires.
#[test]
fn a_kernel_without_the_features_of_the_sandbox() {
    let Some(sandbox) = sandbox_option() else { return };
    let landlock = "Landlock, which restricts the file system, is missing (it needs Linux 6.2 or later)";
    let seccomp = "seccomp filters, which restrict system calls, are missing";
    for (call, error, reason) in [
        (libc::SYS_landlock_create_ruleset, libc::ENOSYS, landlock),
        (libc::SYS_landlock_create_ruleset, libc::EOPNOTSUPP, landlock),
        (libc::SYS_seccomp, libc::ENOSYS, seccomp),
    ] {
        let output = without_call(call, error, || judge(&format!("run 6 1 2 {sandbox}"), &["true"]));
        output.refuses(&format!("judge: the sandbox is not possible here: {reason}"));
    }
    // Namespaces are not required. Without them, the limit on processes counts all processes of the user.
    without_call(libc::SYS_unshare, libc::EPERM, || judge(&format!("run 20 3 5 {sandbox}"), &[]))
        .begins("WON ");
}

/// Checks that a bot is measured by a warden that cannot read its own memory, as that of an ordinary user cannot, also
/// if the kernel does not have `PR_GET_AUXV` (before Linux 6.4).
#[test]
fn a_warden_that_cannot_read_its_own_memory() {
    // The bindings do not have this constant.
    const PR_GET_AUXV: u64 = 0x4155_5856;
    let is_asked = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, PR_GET_AUXV).unwrap();
    let rules = vec![SeccompRule::new(vec![is_asked]).unwrap()];
    let play = || judge("run 6 1 2 --idle-limit 0.1 --sandbox=best", &["sleep", "100"]);
    without_calls(libc::SYS_prctl, rules, libc::EINVAL, play).begins("IDLE ");
}

/// Checks that a bot can kill neither the judge nor its warden: it has another user ID, or Landlock refuses the signal (since Linux 6.12).
#[test]
fn no_signal_to_the_judge() {
    let Some(sandbox) = sandbox_option() else { return };
    if !is_the_systems_root() && !has_signal_scopes() {
        return;
    }
    let attack = format!("{FIND_ABOVE}; kill -KILL $PPID $above; kill -KILL -$above");
    judge(&format!("run 6 1 2 {sandbox}"), &["sh", "-c", &format!("{attack}; exec {JUDGE} bot")]).exits(0);
}

/// Checks that the command line is the only part of the judge and of the warden that `reach_judge.py` can reach.
#[test]
fn only_the_command_line_of_the_judge_can_be_read() {
    if sandbox_option().is_some() {
        let said = said_inside(&["python3", "-B", &bot("reach_judge.py")]);
        assert_eq!(said, "worked: command-of-warden command-of-judge\n");
    }
}
