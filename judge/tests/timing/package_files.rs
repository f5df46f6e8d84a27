//! The files of a problem package that `judge run --problem` reads: damaged files, keys, names, links and limits.

use std::fs;
use std::os::unix::fs::symlink;

use crate::packages::{RIGHT, copy, remove, run};
use crate::support::{Printed, TestDir};

/// The keys of the format `legacy` are unknown too. They would limit the number of questions.
#[test]
fn unknown_keys_patterns_and_names_are_reported() {
    let here = copy("number");
    for (file, content) in [
        ("data/secret/-x.in", ""),
        ("data/secret/a b.in", ""),
        ("data/secret/.x.in", ""),
        ("data/secret/test_group.yaml", "output_validator_arg: [max_questions=1]\n"),
        ("data/testdata.yaml", "output_validator_flags: max_questions=1\n"),
        (
            "problem.yaml",
            "problem_format_version: 2025-09\ntype: interactive\nnmae: a\nvalidator_flags: max_questions=1\nlimits: {memry: 1, code: 1}\n",
        ),
        ("submissions/accepted/-x.py", ""),
        ("submissions/accepted/README.md", ""),
        (
            "submissions/submissions.yaml",
            "wrong_anser/linear.py: {}\naccepted:\n  secret/mny: {permitted: [AC], requird: [AC]}\n  mesage: a\n  score: 1\n",
        ),
    ] {
        here.write(file, content);
    }
    let output = run(&here, "--input sample");
    output.exits(0).prints("4 submissions: ");
    for words in [
        "problem.yaml: the key \"nmae\" is unknown and ignored; did you mean \"name\"?",
        "problem.yaml: the key \"validator_flags\" is unknown and ignored",
        "data/testdata.yaml is ignored: in the format 2025-09 its name is",
        "problem.yaml: limits: the key \"memry\" is unknown and ignored; did you mean \"memory\"?",
        "test_group.yaml: the key \"output_validator_arg\" is unknown and ignored; did you mean",
        "submissions.yaml: accepted: the key \"mesage\" is unknown and ignored; did you mean \"message\"?",
        "submissions.yaml: accepted: secret/mny: the key \"requird\" is unknown and ignored; did you mean",
        "submissions.yaml: accepted: the key \"score\" is ignored",
        "submissions.yaml: no submission matches \"wrong_anser/linear.py\"; did you mean \"wrong_answer/linear.py\"?",
        "submissions.yaml: accepted: no test matches \"secret/mny\"; did you mean \"secret/many\"?",
        "data/secret/-x.in is ignored: in a package a name consists of",
        "data/secret/a b.in is ignored: ",
        "submissions/accepted/-x.py is ignored: ",
    ] {
        output.complains(words);
    }
    assert_eq!(output.err().lines().count(), 13, "{}", output.err());
}

/// Checks that the message of a validator names paths as they were typed, and its files in the feedback folder.
#[test]
fn paths_in_messages_of_a_validator() {
    let here = copy("number");
    remove(&here, &["output_validator"]);
    for (file, name) in
        [("sys.argv[3] + 'no/x'", "'FEEDBACK/no/x'"), ("sys.argv[1] + '.x'", "'./data/sample/1.in.x'")]
    {
        here.write("output_validator/validator.py", format!("import sys\nopen({file})\n"));
        let message = format!("FileNotFoundError: [Errno 2] No such file or directory: {name}\n");
        let output = run(&here, &format!("--input sample -- {RIGHT}"));
        output.exits(2).prints(&format!("why: its message: {message}"));
        output.prints(&format!("stderr of the interactor: {message}"));
        output.prints("  File \"./output_validator/validator.py\", line 2, in");
    }
}

#[test]
fn a_link_is_a_test_of_its_own() {
    let here = copy("number");
    symlink("many.in", here.file("data/secret/link.in")).unwrap();
    symlink("many.ans", here.file("data/secret/link.ans")).unwrap();
    here.write("data/secret/link.yaml", "output_validator_args: [max_questions=20]\n");
    // The second time, the input is named by another path.
    for input in ["data/secret/link.in", &here.file("./data/secret/link.in")] {
        run(&here, &format!("--input {input} -- {RIGHT}")).exits(0).begins("ACCEPTED secret/link: ");
    }
}

#[test]
fn links_out_of_a_package() {
    let outside = TestDir::new();
    for name in ["data/secret/many.in", "data/secret/many.ans", "output_validator/validator.py", RIGHT] {
        let here = copy("number");
        let (inside, target) = (here.file(name), outside.write(name, here.read(name)));
        fs::remove_file(&inside).unwrap();
        symlink(target, inside).unwrap();
        run(&here, "")
            .exits(2)
            .complains(&format!("{name}: expected a file of the package, found a link to "));
    }
}

#[test]
fn the_output_limit_of_a_package() {
    let here = copy("number");
    let flooding = "import sys\nsys.stderr.write('x' * (3 << 19))\nsys.stderr.flush()\n";
    here.write("flooding.py", flooding.to_owned() + &here.read(RIGHT));
    let problem = here.read("problem.yaml");
    let exceeded = "OUTPUT_LIMIT sample/1: the bot wrote more than 1 MiB to stdout and stderr together";
    for (problem, code, words) in [
        (format!("{problem}  output: 1\n"), 1, exceeded),
        (format!("{problem}  output: 2\n"), 0, "ACCEPTED"),
        // In the format `legacy`, only stdout counts.
        ("validation: custom interactive\nlimits: {output: 1}\n".to_owned(), 0, "ACCEPTED"),
    ] {
        here.write("problem.yaml", problem);
        run(&here, "--input sample/1 -- flooding.py").exits(code).begins(words);
    }
}

#[test]
fn constants_of_a_package() {
    let (here, outside) = (copy("number"), TestDir::new());
    here.write(
        "problem.yaml",
        here.read("problem.yaml") + "constants: {K: 10, first: {value: 1, word: one}}\n",
    );
    here.write("data/secret/test_group.yaml", "output_validator_args: [\"max_questions={{K}}\"]\n");
    let validator = "output_validator/validator.py";
    here.write(validator, here.read(validator).replace("100)", "{{K}})"));
    here.write(RIGHT, here.read(RIGHT).replace("low, high = 1,", "low, high = {{first}},"));
    run(&here, "").exits(0);
    // Constants are not replaced in a bot outside of the package.
    run(&here, &format!("-- {}", outside.write("bot.py", here.read(RIGHT)))).exits(1);
}
