//! The files of a problem package that `judge run --problem` reads: damaged files, keys, names, links and limits.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use crate::packages::{RIGHT, copy, run};
use crate::support::{TestDir, has_python, json_lines, text};

/// Checks faults of other files than `problem.yaml`.
#[test]
fn damaged_packages() {
    if !has_python() {
        return;
    }
    let cases: &[(&str, Option<&str>, &str)] = &[
        ("package/problem.yaml", None, "expected a problem package, a judge.toml with [problem]"),
        ("package/output_validator/validator.py", None, "expected the validator, found an empty folder"),
        ("package/output_validator/build", Some("#!/bin/sh\nexit 3\n"), "its script \"build\" failed"),
        (
            "package/output_validator/build",
            Some("#!/bin/sh\nexit 0\n"),
            "expected the file \"run\" after the script",
        ),
        (
            "package/submissions/submissions.yaml",
            Some("accepted:\n  permitted: [OK]\n"),
            "accepted: permitted: expected a list of AC, WA, TLE and RTE, found [\"OK\"]",
        ),
        ("package/include/default/a.h", Some(""), "submissions need included files"),
        ("package/data/secret/a.files/a", Some(""), "tests with files for the submission cannot be run"),
    ];
    for (file, contents, words) in cases {
        let here = copy("number");
        match contents {
            Some(contents) => {
                fs::create_dir_all(here.path().join(file).parent().unwrap()).unwrap();
                here.write(file, contents);
                if file.ends_with("build") {
                    fs::set_permissions(here.path().join(file), fs::Permissions::from_mode(0o755)).unwrap();
                }
            }
            None => fs::remove_file(here.path().join(file)).unwrap(),
        }
        let output = run(here.path(), &["package"]);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{file} {contents:?}: {message}");
        assert!(message.contains(words), "{file} {contents:?}: {message}");
        assert_eq!(text(&output.stdout), "", "{file} {contents:?}");
    }
}

/// Runs `judge run --problem package --json` with more arguments, and returns its lines.
fn json(here: &TestDir, args: &[&str]) -> Vec<Value> {
    let output = run(here.path(), &[&["package", "--json"], args].concat());
    assert_ne!(output.status.code(), Some(2), "{}", text(&output.stderr));
    json_lines(&output.stdout)
}

#[test]
fn unknown_keys_and_patterns_are_reported() {
    if !has_python() {
        return;
    }
    let here = copy("number");
    here.write("package/problem.yaml", "type: interactive\nvalidaton: custom\nlimits: {memry: 1, code: 1}\n");
    here.write("package/data/secret/test_group.yaml", "output_validator_arg: [max_questions=1]\n");
    here.write(
        "package/submissions/submissions.yaml",
        "wrong_anser/linear.py: {}\naccepted:\n  secret/mny: {permitted: [AC], requird: [AC]}\n  mesage: a\n  score: 1\n",
    );
    fs::remove_dir_all(here.path().join("package/submissions/time_limit_exceeded")).unwrap();
    let output = run(here.path(), &["package"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
    let messages = text(&output.stderr);
    for words in [
        "package/problem.yaml: the key \"validaton\" is unknown and ignored; did you mean \"validation\"?",
        "package/problem.yaml: limits: the key \"memry\" is unknown and ignored; did you mean \"memory\"?",
        "test_group.yaml: the key \"output_validator_arg\" is unknown and ignored; did you mean",
        "submissions.yaml: accepted: the key \"mesage\" is unknown and ignored; did you mean \"message\"?",
        "submissions.yaml: accepted: secret/mny: the key \"requird\" is unknown and ignored; did you mean",
        "submissions.yaml: accepted: the key \"score\" is ignored",
        "submissions.yaml: no submission matches \"wrong_anser/linear.py\"; did you mean \"wrong_answer/linear.py\"?",
        "submissions.yaml: accepted: no test matches \"secret/mny\"; did you mean \"secret/many\"?",
    ] {
        assert!(messages.contains(words), "{words}: {messages}");
    }
    assert_eq!(messages.lines().count(), 8, "{messages}");
}

/// Checks that the keys of the format `legacy` have no effect in the format `2025-09`.
#[test]
fn keys_of_another_format() {
    if !has_python() {
        return;
    }
    let here = copy("number");
    let problem = here.read("package/problem.yaml");
    here.write("package/problem.yaml", problem + "validator_flags: max_questions=1\n");
    here.write("package/data/secret/testdata.yaml", "output_validator_flags: max_questions=1\n");
    let output = run(here.path(), &["package", "--", RIGHT]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    let messages = text(&output.stderr);
    assert!(messages.contains("the key \"validator_flags\" is unknown and ignored"), "{messages}");
    assert!(messages.contains("testdata.yaml is ignored: in the format 2025-09 its name is"), "{messages}");
}

#[test]
fn a_link_is_a_test_of_its_own() {
    if !has_python() {
        return;
    }
    let here = copy("number");
    let link = |target: &str, name: &str| {
        std::os::unix::fs::symlink(target, here.path().join("package/data/secret").join(name)).unwrap();
    };
    link("many.in", "link.in");
    link("many.ans", "link.ans");
    here.write("package/data/secret/link.yaml", "output_validator_args: [max_questions=20]\n");
    let output = run(here.path(), &["package", "--input", "package/data/secret/link.in", "--", RIGHT]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert!(text(&output.stdout).starts_with("ACCEPTED secret/link: "), "{}", text(&output.stdout));
    // Name the package and the input by other paths.
    let package = here.path().join("package/./data/secret/link.in");
    let output = run(
        &here.path().join("package"),
        &[".", "--input", package.to_str().unwrap(), "--", "submissions/accepted/binary.py"],
    );
    assert!(text(&output.stdout).starts_with("ACCEPTED secret/link: "), "{}", text(&output.stdout));
}

#[test]
fn links_out_of_a_package() {
    if !has_python() {
        return;
    }
    for (name, target) in [
        ("data/secret/many.in", "many.in"),
        ("data/secret/many.ans", "many.ans"),
        ("output_validator/validator.py", "validator.py"),
        ("submissions/accepted/binary.py", "binary.py"),
    ] {
        let here = copy("number");
        let inside = here.path().join("package").join(name);
        fs::rename(&inside, here.path().join(target)).unwrap();
        std::os::unix::fs::symlink(here.path().join(target), inside).unwrap();
        let output = run(here.path(), &["package"]);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{name}: {message}");
        assert!(
            message.contains(&format!("{name}: expected a file of the package, found a link to ")),
            "{message}"
        );
    }
}

#[test]
fn names_that_the_format_ignores() {
    if !has_python() {
        return;
    }
    let here = copy("number");
    for name in [
        "data/secret/-x.in",
        "data/secret/a b.in",
        "data/secret/.x.in",
        "submissions/accepted/.gitkeep",
        "submissions/accepted/-x.py",
    ] {
        here.write(&format!("package/{name}"), "");
    }
    here.write("package/submissions/accepted/README.md", "");
    fs::remove_dir_all(here.path().join("package/submissions/time_limit_exceeded")).unwrap();
    let output = run(here.path(), &["package"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
    let messages = text(&output.stderr);
    for name in ["data/secret/-x.in", "data/secret/a b.in", "submissions/accepted/-x.py"] {
        assert!(
            messages.contains(&format!("{name} is ignored: in a package a name consists of")),
            "{messages}"
        );
    }
    assert_eq!(messages.lines().count(), 3, "{messages}");
    assert!(
        text(&output.stdout).ends_with("4 submissions: all verdicts as expected\n"),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn the_output_limit_of_a_package() {
    if !has_python() {
        return;
    }
    let here = copy("number");
    let flooding = "import sys\nsys.stderr.write('x' * (3 << 19))\nsys.stderr.flush()\n";
    here.write("flooding.py", flooding.to_owned() + &here.read(RIGHT));
    let problem = here.read("package/problem.yaml");
    for (limit, code) in [(1, 1), (2, 0)] {
        here.write("package/problem.yaml", format!("{problem}  output: {limit}\n"));
        let output = run(here.path(), &["package", "--input", "sample/1", "--", "flooding.py"]);
        assert_eq!(output.status.code(), Some(code), "{}{}", text(&output.stdout), text(&output.stderr));
        let words = "OUTPUT_LIMIT sample/1: the bot wrote more than 1 MiB to stdout and stderr together";
        assert_eq!(text(&output.stdout).starts_with(words), limit == 1, "{}", text(&output.stdout));
    }
    // In the format `legacy`, only stdout counts.
    here.write("package/problem.yaml", "validation: custom interactive\nlimits: {output: 1}\n");
    let output = run(here.path(), &["package", "--input", "sample/1", "--", "flooding.py"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
}

#[test]
fn constants_of_a_package() {
    if !has_python() {
        return;
    }
    let here = copy("number");
    let problem = here.read("package/problem.yaml");
    here.write("package/problem.yaml", problem + "constants: {K: 10, first: {value: 1, word: one}}\n");
    here.write("package/data/secret/test_group.yaml", "output_validator_args: [\"max_questions={{K}}\"]\n");
    let validator = "package/output_validator/validator.py";
    here.write(validator, here.read(validator).replace("100)", "{{K}})"));
    here.write(RIGHT, here.read(RIGHT).replace("low, high = 1,", "low, high = {{first}},"));
    let lines = json(&here, &["--", RIGHT]);
    let commands: Vec<&Value> = lines.iter().map(|line| &line["referee"]["command"]).collect();
    assert_eq!(lines.len(), 3);
    assert!(lines.iter().all(|line| line["verdict"] == "ACCEPTED"), "{lines:?}");
    assert!(
        commands.iter().any(|words| words[words.as_array().unwrap().len() - 1] == "max_questions=10"),
        "{commands:?}"
    );
    fs::remove_dir_all(here.path().join("package/submissions/time_limit_exceeded")).unwrap();
    let output = run(here.path(), &["package"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    // Constants are not replaced in a bot outside of the package.
    here.write("bot.py", here.read(RIGHT));
    assert_eq!(run(here.path(), &["package", "--", "bot.py"]).status.code(), Some(1));
}
