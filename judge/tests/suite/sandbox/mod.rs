//! `--sandbox`: a bot can still play, but cannot use forbidden features.

use std::process::{self, Command, Stdio};

use crate::kernel::has_signal_scopes;
use crate::support::{
    AtTerminal, JUDGE, Printed, TestDir, await_that, bot, has_namespaces, is_running, is_the_systems_root,
    judge, pass_as_an_ordinary_user, sandbox_option, skip,
};

mod fresh;
mod interactors;
mod reach;
mod refusals;
mod start;

#[test]
fn the_version_names_the_guards() {
    let output = judge("--version -v", &[]);
    let shown = output.out();
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!((lines.len(), output.code()), (4, Some(0)), "{shown}");
    let can_limit = judge("run 1 1 1 --limits cgroup", &[]).code() == Some(0);
    assert_eq!(lines[1].starts_with("limits: cgroup, proc"), can_limit, "{shown}");
    let all = "sandbox: files, network, privileges, processes, terminals";
    assert_eq!(lines[2] == all, sandbox_option().is_some(), "{shown}");
    assert_eq!(lines[3] == "signals to other programs: refused", has_signal_scopes(), "{shown}");
}

/// Returns what a program prints if a bot in the sandbox becomes this program.
fn said_inside(program: &[&str]) -> String {
    let here = TestDir::new();
    // The judge waits for the end of the program, although the program closes its stdout.
    let run = format!("run 6 1 2 --sandbox --grace 60 --stderr {}", here.file("stderr"));
    let shell = ["sh", "-c", "exec \"$0\" \"$@\" >&2"];
    judge(&run, &[&shell, program].concat()).exits(1);
    here.read("stderr/seed-1.txt")
}

fn said_outside(program: &[&str]) -> String {
    let output = Command::new(program[0]).args(&program[1..]).stdin(Stdio::null()).output().unwrap();
    output.out().to_owned() + output.err()
}

#[test]
fn a_bot_plays_inside() {
    let Some(sandbox) = sandbox_option() else { return };
    judge(&format!("run 20 3 5 {sandbox} --games 3"), &[]).exits(0).prints("3 of 3 games won\n");
    judge(&format!("run 2000 1 1 {sandbox} --opponent random"), &[JUDGE, "bot"]).exits(0);
    let script = "read h </dev/stdin; echo First; echo 3 2; read x; echo 5 1 >/dev/null; \
                  echo 5 1 >/dev/stdout; read x; echo 6 1";
    judge(&format!("run 6 1 2 {sandbox} --opponent slow"), &["sh", "-c", script]).exits(0);
    judge(&format!("run 6 1 2 --time-limit 1 {sandbox}"), &["sleep", "100"]).begins("IDLE ");
    judge(&format!("run 20 3 3 {sandbox}"), &["python3", "tests/bots/definition.py"]).exits(0);
}

/// Checks that the tests of the sandbox also pass for an ordinary user, whose sandbox uses other features of the
/// kernel.
#[test]
fn as_an_ordinary_user() {
    if sandbox_option().is_some() {
        pass_as_an_ordinary_user(&["sandbox::"]);
    }
}

/// Checks that a bot that forks too often does not win and leaves no process. A control group refuses the 64th
/// child. Without a control group, the 64th child starts, and the judge then sees that the limit is exceeded.
#[test]
fn a_bounded_number_of_processes() {
    let Some(sandbox) = sandbox_option() else { return };
    if !is_the_systems_root() && !has_namespaces() {
        skip("without user namespaces, the limit on processes also counts the user's other processes");
        return;
    }
    let token = format!("fork-bomb-{}", process::id());
    let output = judge(&format!("run 6 1 2 --games 2 {sandbox}"), &["python3", &bot("fork_bomb.py"), &token]);
    let shown = output.out();
    let is_group = shown.contains("limits by cgroup");
    assert!(!is_group || shown.matches("PROCESSES 6 1 2 ").count() == 2, "{shown}");
    let children = format!("    stderr: children: {}\n", if is_group { 63 } else { 64 });
    assert_eq!(shown.matches(&children).count(), 2, "{shown}");
    output.prints(": 0 of 2 games won; ");
    await_that(|| !is_running(|arguments| arguments.contains(&token)));
}

/// Checks the sandbox for the root of a container that maps no other user. If an ordinary user has started the
/// container, its root is treated as an ordinary user. If the system's root has started it, the sandbox is refused,
/// because the kernel does not limit the number of processes of the system's root.
#[test]
fn a_containers_root() {
    if sandbox_option().is_none() || !has_namespaces() {
        return;
    }
    let mut container = Command::new("unshare");
    container.args(["--user", "--map-root-user", JUDGE, "run", "6", "1", "2"]);
    let output = container.args(["--sandbox", "--", "python3", &bot("fork_bomb.py")]).output().unwrap();
    if is_the_systems_root() {
        let reason = "judge: the sandbox is not possible here: the number of processes cannot be limited: this \
                      user is root of the initial namespace, and no other user is mapped here";
        output.refuses(reason);
    } else {
        output.prints("    stderr: children: 6");
    }
}

/// Returns the files that a bot can open if it or, as `launcher`, the judge is started from a shell at a terminal.
fn opened(launcher: &[&str]) -> String {
    let script = r#"terminal=$(tty); : | "$@" "$terminal" "/proc/$$/fd/0" 2>&1 | cat"#;
    let program = bot("reach_terminal.py");
    let bot = ["python3", "-B", &program];
    let command = [&["sh", "-c", script, "sh"], launcher, &bot].concat();
    AtTerminal::run(&command).end().0
}

#[test]
fn no_terminal() {
    // Without the sandbox the terminal can be opened. This proves that the attempts are real.
    let all = opened(&[]);
    for name in ["terminal", "link", "tty"] {
        assert!(all.contains(&format!(" {name}-r ")) && all.contains(&format!(" {name}-w ")), "{all}");
    }
    let harmless = "stdin stdin-of-self stdout stderr null zero full random urandom";
    assert!(all.ends_with(&format!(" {harmless}\r\n")), "{all}");
    if let Some(sandbox) = sandbox_option() {
        let inside = opened(&[JUDGE, "run", "6", "1", "2", sandbox, "--"]);
        assert!(inside.contains(&format!("    stderr: worked: {harmless}\r\n")), "{inside}");
    }
}
