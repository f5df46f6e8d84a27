//! The bots and interactors of `tests/interactors`, and the verdict that the judge must give for each pair.

use std::collections::BTreeSet;

use crate::broken_bots::{assert_reports, check_rows, is_compiled, is_source, missing_languages};
use crate::support::{TestDir, bare_command, interactors, table};

/// A line of `expected.tsv`: the bot with its arguments, the interactor, the style, the input, options, the verdict, the
/// class, and words of the report.
type Expected = [String; 8];

/// Reads the lines whose programs this machine can run or compile.
fn expected() -> Vec<Expected> {
    let (missing, mut rows) = (missing_languages(), table(&interactors().join("expected.tsv")));
    rows.retain(|[bot, interactor, ..]: &Expected| {
        ![bot, interactor].iter().any(|file| is_source(file, &missing))
    });
    rows
}

fn check([bot, interactor, style, input, options, verdict, class, words]: &Expected) {
    let here = TestDir::new();
    let transcript = here.file("transcript.jsonl");
    let mut judge = bare_command();
    // The judge removes this variable, which would hide a missing flush.
    judge.current_dir(interactors()).env("PYTHONUNBUFFERED", "1");
    judge.args(["run", "--transcript", &transcript]);
    for (option, value) in [("--interactor", interactor), ("--style", style), ("--input", input)] {
        judge.args([option, value].into_iter().filter(|_| value != "-"));
    }
    judge.args(options.split(' ').filter(|word| *word != "-")).arg("--").args(bot.split(' '));
    let code = match verdict.as_str() {
        "ACCEPTED" => 0,
        "PARTIAL" if !options.contains("--full-score") => 0,
        "JUDGE_ERROR" => 2,
        _ => 1,
    };
    assert_reports(&mut judge, &transcript, [verdict, class, words], code);
}

/// Checks the interactors that need no compiler, and each class of each style, on one input. The other rows are left to the
/// test below.
#[test]
fn every_interactor_and_class() {
    let (mut rows, mut seen) = (expected(), BTreeSet::new());
    rows.retain(|[bot, interactor, _, input, ..]| {
        !["inputs/1.in", "inputs/3.in"].contains(&&**input) && !is_compiled(bot) && !is_compiled(interactor)
    });
    rows.retain(|[_, interactor, style, _, _, _, class, _]| {
        let shown = [interactor.clone(), format!("{style} {class}")];
        shown.map(|what| seen.insert(what)).contains(&true)
    });
    check_rows(&rows, 6, check);
}

#[test]
#[ignore = "compiles programs, and runs several hundred pairs"]
fn every_pair_gets_its_verdict_each_time() {
    let rows = expected();
    for _ in 0..3 {
        check_rows(&rows, 4, check);
    }
}

/// The bot writes which processors it may use. The interactor accepts if they are its own, and only one.
#[test]
#[cfg(target_os = "linux")]
fn the_programs_of_a_run_share_one_processor() {
    const ALLOWED: &str = "grep Cpus_allowed_list: /proc/self/status";
    let interactor =
        format!("read x; case $x in *[-,]*) exit 1; esac; test \"$x\" = \"$({ALLOWED} | tr \"\\t\" \" \")\"");
    let bot = format!("{ALLOWED} | tr '\\t' ' '");
    let mut judge = bare_command();
    judge.args(["run", "--interactor", &format!("sh -c '{interactor}'"), "--", "sh", "-c", &bot]);
    let output = judge.output().unwrap();
    assert!(output.status.success(), "{output:?}");
}
