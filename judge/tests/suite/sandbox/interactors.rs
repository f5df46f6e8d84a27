//! `--interactor-sandbox`: an interactor works as without the sandbox, but can write only in its own folder.

use std::process::Output;

use serde_json::Value;

use crate::kernel::without_call;
use crate::support::{Printed, TestDir, bare_command, has_sandbox, interactors, judge_in, names_in, root};

/// Runs `judge run` in the folder `tests/interactors`, with the bot `good.py`.
fn run(args: &[&str]) -> Output {
    judge_in(interactors(), &[&["run"], args, &["--json", "--", "python3", "bots/good.py"]].concat())
}

fn result(args: &[&str]) -> Value {
    run(args).report()
}

#[test]
fn interactors_of_each_style_work_inside() {
    if !has_sandbox() {
        return;
    }
    for args in [
        &["--interactor", "python3 icpc.py", "--style", "icpc"][..],
        &["--interactor", "python3 testlib.py", "--style", "testlib"],
        &["--interactor", "python3 testlib.py", "--style", "testlib", "--checker", "python3 checker.py"],
        &["--interactor", "python3 plain.py {input}", "--style", "plain"],
    ] {
        for sandbox in [&["--interactor-sandbox"][..], &["--sandbox", "--interactor-sandbox"]] {
            let line = result(&[args, &["--input", "inputs/2.in"], sandbox].concat());
            assert_eq!(line["verdict"], "ACCEPTED", "{line}");
            let command = line["command"].as_str().unwrap();
            assert!(sandbox.iter().all(|option| command.contains(&format!(" {option} "))), "{command}");
        }
    }
    // The validator of `number` runs at the same time as the bot. The validator of `message` runs after the bot and
    // asks for another pass.
    for package in ["number", "message"] {
        let folder = root().join("tests/packages").join(package);
        let bot = folder.join("submissions/accepted/binary.py");
        let mut judge = bare_command();
        judge.args(["run", "--interactor-sandbox", "--sandbox", "--problem"]).arg(&folder);
        judge.args(["--", "python3"]).arg(bot).output().unwrap().exits(0);
    }
}

#[test]
fn what_is_refused() {
    let here = TestDir::new();
    let (outside, input) = (here.directory("outside"), here.write("1.in", "1 1\n"));
    let interactor = format!("python3 -B reach_files.py {outside}");
    let attempt = |options: &[&str]| {
        let args =
            ["--interactor", &interactor, "--style", "icpc", "--input", &input, "--profile", "contest"];
        result(&[&args, options].concat())
    };
    // Without the sandbox all attempts work. This proves that the attempts are real.
    let free = attempt(&[]);
    let all = "worked: inside append truncate folder delete link fifo outside move socket input";
    assert_eq!(free["reason"], format!("the interactor accepted: {all}"), "{free}");
    if !has_sandbox() {
        return;
    }
    for file in ["log", "moved"] {
        std::fs::remove_file(format!("{outside}/{file}")).unwrap();
    }
    let confined = attempt(&["--interactor-sandbox"]);
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
    if !has_sandbox() {
        return;
    }
    let here = TestDir::new();
    let writes = format!("echo x >'{}' || exit 1; read x; exit 42", here.file("log"));
    let interactor = format!("sh {}", here.write("interactor.sh", &writes));
    let bot = here.write("bot.sh", &writes);
    let report = |options: &[&str]| {
        let args = ["run", "--json", "--interactor", &interactor, "--style", "icpc"];
        bare_command().args(args).args(options).args(["--", "sh", &bot]).output().unwrap().report()
    };
    for (options, expected) in [
        (&[][..], &[][..]),
        (&["--sandbox"], &["the bot"]),
        (&["--interactor-sandbox"], &["the interactor"]),
        (&["--sandbox", "--interactor-sandbox"], &["the bot", "the interactor"]),
    ] {
        let report = report(options);
        assert_eq!(refusals(&report), expected, "{report}");
    }
}

#[test]
fn a_checker_only_reads() {
    if !has_sandbox() {
        return;
    }
    let here = TestDir::new();
    let checker = here.write("checker.sh", "echo x > \"$2\" || exit 1; exit 0");
    let checker = format!("sh {checker}");
    let args = ["--interactor", "python3 testlib.py", "--style", "testlib", "--checker", &checker];
    let args = [&args[..], &["--input", "inputs/2.in"]].concat();
    assert_eq!(result(&args)["verdict"], "ACCEPTED");
    let confined = result(&[&args[..], &["--interactor-sandbox"]].concat());
    assert_eq!(confined["verdict"], "WRONG_ANSWER");
    assert_eq!(refusals(&confined), ["the checker"], "{confined}");
}

#[test]
fn the_option_is_refused_without_landlock() {
    let args = ["--interactor", "python3 icpc.py", "--style", "icpc", "--interactor-sandbox"];
    without_call(libc::SYS_landlock_create_ruleset, libc::ENOSYS, || run(&args)).refuses("Landlock");
}
