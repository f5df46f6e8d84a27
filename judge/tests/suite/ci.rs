//! The repetition of tests by `.ci/run`, with a fake cargo that prints given outputs.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::support::{TestDir, has_program, text};

/// The end of cargo's output if only tests of `timing` have failed.
const ONLY_TIMING: &str = "error: 1 target failed:\n    `-p judge --test timing`\n";

/// The result of `.ci/run` with the fake cargo.
struct Run {
    passed: bool,
    /// The names of the repeated tests.
    repeated: String,
    output: String,
}

/// Runs the tests with a cargo that fails with the output `first` and then succeeds with `second`.
fn run(first: &str, second: &str) -> Run {
    let here = TestDir::new();
    here.write("1", first);
    here.write("2", second);
    let cargo = "#!/bin/sh\nif [ -e second ]; then cat 2; shift 9; echo \"$*\" >repeated; exit 0; fi\n\
                 touch second\ncat 1\nexit 101\n";
    let cargo = here.write("cargo", cargo);
    fs::set_permissions(&cargo, Permissions::from_mode(0o755)).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../.ci/run");
    let run = format!(
        "set -euo pipefail; step() {{ \"$@\"; }}; eval \"$(sed -n '/^[a-z]*_and_repeat()/,/^}}/p' {script})\"; \
         PATH=$PWD:$PATH; test_and_repeat 'cargo test --workspace'"
    );
    let output = Command::new("bash").args(["-c", &run]).current_dir(here.path()).output().unwrap();
    assert_eq!(text(&output.stderr), "");
    let repeated = fs::read_to_string(here.path().join("repeated")).unwrap_or_default();
    Run { passed: output.status.success(), repeated, output: text(&output.stdout).to_owned() }
}

/// Returns whether the run passes, and the names of the repeated tests.
fn passes(first: &str, second: &str) -> (bool, String) {
    let run = run(first, second);
    (run.passed, run.repeated)
}

/// Checks that at most two tests are repeated, and only tests of `timing`. The number of passed tests must be the
/// number of repeated tests.
#[test]
fn only_tests_that_depend_on_time_are_repeated() {
    if !has_program("bash", &["-c", "true"]) {
        return;
    }
    let ran = |count: usize| format!("test result: ok. {count} passed; 0 failed; 0 ignored\n");
    let failed = |tests: &[&str]| {
        let lines: Vec<String> = tests.iter().map(|test| format!("test {test} ... FAILED\n")).collect();
        format!("test other ... ok\n{}{ONLY_TIMING}", lines.concat())
    };
    assert_eq!(passes(&failed(&["a::b"]), &ran(1)), (true, "a::b\n".to_owned()));
    assert_eq!(passes(&failed(&["a::b", "c - should panic"]), &ran(2)), (true, "a::b c\n".to_owned()));
    // No test or another number of tests has run, or more than two tests have failed.
    assert!(!passes(&failed(&["a::b"]), &ran(0)).0);
    assert!(!passes(&failed(&["a::b", "c"]), &ran(1)).0);
    assert!(!passes(&failed(&["a", "b", "c"]), &ran(3)).0);
    // The tests did not compile, or a signal ended them.
    assert!(!passes(&failed(&[]), &ran(0)).0);
    // Tests of another target have failed.
    let two = "test a ... FAILED\nerror: 2 targets failed:\n    `-p judge --test timing`\n    `-p judge --test suite`\n";
    assert!(!passes(two, &ran(1)).0);
    assert!(!passes(&failed(&["a"]).replace("timing", "suite"), &ran(1)).0);
    assert!(
        !passes("error: could not compile `judge` (test \"suite\") due to 1 previous error\n", &ran(1)).0
    );
}

/// Checks that the output of a run that fails ends with the messages of the failed tests: a log may keep only the end
/// of the output.
#[test]
fn the_messages_of_failed_tests_come_last() {
    if !has_program("bash", &["-c", "true"]) {
        return;
    }
    let messages = "failures:\n\n---- a stdout ----\nassertion failed\n\n\nfailures:\n    a\n\n";
    let end = "test result: FAILED. 0 passed; 1 failed\n\nrunning 1 test\ntest b ... ok\n\ntest result: ok. 1 passed\n";
    let suite = ONLY_TIMING.replace("timing", "suite");
    let run = run(&format!("test a ... FAILED\n\n{messages}{end}{suite}"), "");
    assert!(!run.passed);
    assert_eq!(run.output.split_once("== FAILED: cargo test --workspace\n").unwrap().1, messages);
}
