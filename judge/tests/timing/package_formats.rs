//! Packages in formats other than that of ICPC, zip archives, and contests.

use std::process::Command;

use crate::broken_bots::check_rows;
use crate::packages::{copy, remove, run};
use crate::support::{PATH, Printed, TestDir, bare_command, has_program, names_in, root};

/// Checks that the submissions of a package of each format that has submissions get the verdicts that the package
/// expects. The package `message` has two passes, and a validator in C++.
#[test]
fn submissions_of_each_format() {
    let mut packages = vec![("number", 5), ("secret_number", 4), ("rbx", 4), ("dmoj", 5)];
    packages.extend(has_program("g++").then_some(("message", 5)));
    check_rows(&packages, 3, |(package, submissions)| {
        let expected = format!("{submissions} submissions: all verdicts as expected\n");
        run(root().join("tests/packages").join(package), "--idle-limit 0.5").exits(0).prints(&expected);
    });
    // The command of a run whose input is in an archive has the name of the test.
    let again = "again: judge run --problem . --input number.2 -- tests/linear/linear.py\n";
    run(root().join("tests/packages/dmoj"), "-- tests/linear/linear.py").prints(again);
}

#[test]
fn inputs_and_answers_that_are_missing() {
    let here = copy("secret_number");
    remove(&here, &["tests/02"]);
    let wrong = "--input tests/02 -- solutions/linear.py";
    // The checker rejects what the interactor has accepted.
    run(&here, wrong)
        .begins("WRONG_ANSWER tests/02: the checker rejected: wrong answer 513 after 513 questions")
        .prints(&format!("again: judge run --problem . {wrong}\n"));
    // A checker that cannot read the missing answer is not the fault of the solution.
    remove(&here, &["tests/01.a", "tests/02.a"]);
    run(&here, "").exits(2).prints(
        "JUDGE_ERROR: there is no answer file ./tests/01.ans, and the checker ended with an exception\n",
    );
    here.write("files/generate.py", "import sys\nsys.exit('no such test')\n");
    let failed = "generate.py failed: it exited with code 1; its last lines on stderr: no such test\n";
    run(&here, wrong).exits(2).complains(failed);
}

/// Checks a package as a zip archive, and that no temporary file is left.
#[test]
fn submissions_of_an_archive() {
    let (here, temporary) = (TestDir::new(), TestDir::new());
    let (archive, package) = (here.file("number.zip"), copy("number"));
    let mut zip = Command::new("python3");
    zip.args(["-m", "zipfile", "-c", &archive, "."]).env("PATH", &*PATH).current_dir(package.path());
    assert!(zip.status().unwrap().success());
    let right = root().join("tests/packages/rbx/sols/main.py");
    let linear = "--problem number.zip --input secret/many -- wrong_answer/linear.py";
    for (args, words) in [
        ("run --problem number.zip", "4 submissions: all verdicts as expected\n"),
        (&*format!("run {linear}"), "secret/many: the interactor rejected: more than 10 questions"),
        (&format!("run {linear}"), &format!("again: judge run {linear}\n")),
        (&format!("lint --problem number.zip --only 2 -- python3 {}", right.display()), " 0 failed"),
    ] {
        let mut judge = bare_command();
        judge.env("TMPDIR", temporary.path()).current_dir(here.path());
        judge.args(args.split(' ')).output().unwrap().prints(words);
        assert_eq!(names_in(temporary.path()), [""; 0], "temporary files");
    }
}

#[test]
fn problems_of_a_contest() {
    let here = TestDir::new();
    let number = copy("number");
    remove(
        &number,
        &["submissions/wrong_answer", "submissions/run_time_error", "submissions/submissions.yaml"],
    );
    std::fs::rename(number.path(), here.file("package")).unwrap();
    here.write("plain/problem.yaml", "problem_format_version: 2025-09\ntype: pass-fail\n");
    run(&here, "")
        .exits(0)
        .begins("./package\naccepted/binary.py ")
        .prints("\n1 problem: 1 with all verdicts as expected\n")
        .says(
            "judge: not run: ./plain/problem.yaml: expected an interactive or multi-pass problem, found the type \
             pass-fail: the judge runs no problem whose outputs are only compared",
        );
    // A broken package does not stop the others.
    here.write("broken/problem.xml", "<problem><judging/></problem>");
    run(&here, "--quiet").refuses("./broken/problem.xml: expected <assets>");
    run(&here, "-- true").complains(
        "expected one problem, found a contest: choose one by --problem: ./broken, ./package, ./plain\n",
    );
}
