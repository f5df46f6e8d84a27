//! `--interactor-sandbox`: an interactor works as without the sandbox, but can write only in its own folder.

use std::process::Output;

use serde_json::Value;

use crate::kernel::without_call;
use crate::support::{Printed, TestDir, interactors, judge_typed, names_in, root, sandbox_option};

const TESTLIB: &str = "--interactor 'python3 testlib.py' --style testlib --input inputs/2.in";

/// Runs `judge run` in the folder `tests/interactors`, with the bot `good.py`.
fn run(args: &str) -> Output {
    judge_typed(interactors(), &format!("run {args} --json -- python3 bots/good.py"))
}

#[test]
fn interactors_of_each_style_work_inside() {
    let Some(sandbox) = sandbox_option() else { return };
    for args in [
        "--interactor 'python3 icpc.py' --style icpc --input inputs/2.in",
        TESTLIB,
        &format!("{TESTLIB} --checker 'python3 checker.py'"),
        "--interactor 'python3 plain.py {input}' --style plain --input inputs/2.in",
    ] {
        for sandbox in ["--interactor-sandbox", &format!("--interactor-sandbox {sandbox}")] {
            let line = run(&format!("{args} {sandbox}")).report();
            assert_eq!(line["verdict"], "ACCEPTED", "{line}");
            assert!(line["command"].to_string().contains(&format!(" {sandbox} ")), "{line}");
        }
    }
    // The validator of `number` runs at the same time as the bot. The validator of `message` runs after the bot and
    // asks for another pass.
    for package in ["number", "message"] {
        let run = format!("run --interactor-sandbox {sandbox} -- submissions/accepted/binary.py");
        judge_typed(root().join("tests/packages").join(package), &run).exits(0);
    }
}

#[test]
fn what_is_refused() {
    let here = TestDir::new();
    let (outside, input) = (here.directory("outside"), here.write("1.in", "1 1\n"));
    let interactor = format!("python3 -B reach_files.py {outside}");
    let attempt = |options| {
        run(&format!("--interactor '{interactor}' --style icpc --input {input} --profile contest {options}"))
            .report()
    };
    // Without the sandbox all attempts work. This proves that the attempts are real.
    let free = attempt("");
    let all = "worked: inside append truncate folder delete link fifo outside move socket input";
    assert_eq!(free["reason"], format!("the interactor accepted: {all}"), "{free}");
    if sandbox_option().is_none() {
        return;
    }
    for file in ["log", "moved"] {
        std::fs::remove_file(format!("{outside}/{file}")).unwrap();
    }
    let confined = attempt("--interactor-sandbox");
    let reason = "the interactor accepted: worked: inside append truncate folder delete";
    assert_eq!(confined["reason"], reason, "{confined}");
    assert_eq!(names_in(&outside), [""; 0]);
    assert_eq!(here.read("1.in"), "1 1\n");
}

/// Returns the programs to which the sandbox may have refused something, as the report says.
fn refusals(report: &Value) -> Vec<&str> {
    let why = report["why"].as_array().unwrap().iter().map(|why| why.as_str().unwrap());
    why.filter_map(|why| why.strip_prefix("something was refused to ")?.split(',').next()).collect()
}

#[test]
fn a_refusal_is_explained() {
    let Some(sandbox) = sandbox_option() else { return };
    let here = TestDir::new();
    let writes = format!("echo x >'{}' || exit 1; read x; exit 42", here.file("log"));
    here.write("interactor.sh", &writes);
    here.write("bot.sh", &writes);
    for (options, expected) in [
        ("", &[][..]),
        (sandbox, &["the bot"]),
        ("--interactor-sandbox", &["the interactor"]),
        (&format!("{sandbox} --interactor-sandbox"), &["the bot", "the interactor"]),
    ] {
        let run = format!("run --json --interactor 'sh interactor.sh' --style icpc {options} -- sh bot.sh");
        let report = here.judge(&run).report();
        assert_eq!(refusals(&report), expected, "{report}");
    }
}

#[test]
fn a_checker_only_reads() {
    if sandbox_option().is_none() {
        return;
    }
    let here = TestDir::new();
    let checker = here.write("checker.sh", "echo x > \"$2\" || exit 1; exit 0");
    let args = format!("{TESTLIB} --checker 'sh {checker}'");
    assert_eq!(run(&args).report()["verdict"], "ACCEPTED");
    let confined = run(&format!("{args} --interactor-sandbox")).report();
    assert_eq!(confined["verdict"], "WRONG_ANSWER");
    assert_eq!(refusals(&confined), ["the checker"], "{confined}");
}

#[test]
fn the_option_is_refused_without_landlock() {
    let args = format!("{TESTLIB} --interactor-sandbox");
    without_call(libc::SYS_landlock_create_ruleset, libc::ENOSYS, || run(&args)).refuses("Landlock");
}
