//! The bots and interactors of `tests/interactors`, and the verdict that the judge must give for each pair.

use std::fs;
use std::process::{Command, Output};

use crate::broken_bots::{check_rows, difference, is_source, missing_languages};
use crate::support::schema::assert_valid;
use crate::support::{JUDGE, Printed, TestDir, has_python, interactors, judge_in, table};

/// A line of `expected.tsv`: the bot, the interactor, the style, the input, options, the verdict, the class, and words of
/// the report.
type Row = [String; 8];

/// Reads the lines whose programs this machine can run or compile.
fn expected() -> Vec<Row> {
    let (missing, mut rows) = (missing_languages(), table(&interactors().join("expected.tsv")));
    rows.retain(|[bot, interactor, ..]: &Row| {
        ![bot, interactor].iter().any(|file| is_source(file, &missing))
    });
    rows
}

/// Runs the judge. Returns how its report differs from the table; `None` if they agree.
fn check([bot, interactor, style, input, options, verdict, class, words]: &Row) -> Option<String> {
    let here = TestDir::new();
    let transcript = here.file("transcript.jsonl");
    let mut judge = Command::new(JUDGE);
    // The judge removes this variable, which would hide a missing flush.
    judge.current_dir(interactors()).env("PYTHONUNBUFFERED", "1");
    judge.args(["run", "--interactor", interactor, "--style", style, "--transcript", &transcript]);
    if input != "-" {
        judge.args(["--input", input]);
    }
    judge.args(options.split(' ').filter(|word| *word != "-")).args(["--", bot]);
    let code = match verdict.as_str() {
        "ACCEPTED" => 0,
        "PARTIAL" if !options.contains("--full-score") => 0,
        "JUDGE_ERROR" => 2,
        _ => 1,
    };
    difference(&mut judge, &transcript, [verdict, class, words], code)
}

/// Checks the programs that need no compiler, each pair on one input.
#[test]
fn every_pair_gets_its_verdict() {
    let mut rows = expected();
    rows.retain(|[bot, interactor, _, input, ..]| {
        input == "inputs/2.in" && ![bot, interactor].iter().any(|file| is_source(file, &["c", "cpp", "rs"]))
    });
    check_rows(&rows, 4, check);
}

#[test]
#[ignore = "compiles programs, and runs several hundred pairs"]
fn every_pair_gets_its_verdict_each_time() {
    let rows = expected();
    for _ in 0..3 {
        check_rows(&rows, 4, check);
    }
}

/// Checks the JSON of several inputs that are played at the same time.
#[test]
fn json_of_several_inputs() {
    if !has_python() {
        return;
    }
    let run = "run --interactor icpc.py --input inputs --jobs 2 --json -- bots/exclusive_end.py";
    let lines = judge_in(interactors(), &run.split(' ').collect::<Vec<_>>()).exits(1).json();
    assert_valid(&lines);
    let names: Vec<&str> = lines.iter().map(|line| line["input"].as_str().unwrap()).collect();
    assert_eq!(names, ["inputs/1.in", "inputs/2.in", "inputs/3.in"]);
    assert_eq!(lines[0]["verdict"], "WRONG_ANSWER");
    for line in &lines {
        let bot = &line["passes"][0]["seats"][0];
        assert!(bot["cpu_ms"].as_f64().unwrap() > 0.0 || !cfg!(target_os = "linux"), "{line}");
        assert!(bot["wall_ms"].as_f64().unwrap() > 0.0, "{line}");
        let interactor = &line["referee"];
        assert!(interactor["command"].to_string().contains("icpc.py"), "{line}");
        let exit = if line["verdict"] == "ACCEPTED" { 42 } else { 43 };
        assert_eq!(interactor["exit"]["code"], exit, "{line}");
        assert!(line["command"].as_str().unwrap().starts_with("judge run --interactor icpc.py --style icpc"));
    }
}

fn run_shells(options: &[&str], interactor: &str, bot: &str) -> Output {
    let interactor = format!("sh -c '{interactor}'");
    judge_in(".", &[&["run", "--interactor", &interactor], options, &["--", "sh", "-c", bot]].concat())
}

#[test]
fn an_interaction_has_the_lines_of_both_programs() {
    let here = TestDir::new();
    let file = format!("{}/1.interaction", here.directory("samples"));
    for _ in 0..2 {
        let interactor = "echo 41; read x; read y; exit 0";
        let bot = "read x; echo $((x + 1)); printf end";
        let output = run_shells(&["--interaction", &file], interactor, bot);
        let report = output.exits(0).out();
        assert_eq!(fs::read_to_string(&file).unwrap(), "<41\n>42\n>end\n");
        assert!(report.contains("; CPU of the interactor ") || !cfg!(target_os = "linux"), "{report}");
        assert!(!report.contains("    <41"), "{report}");
    }
}

#[test]
fn the_lines_of_both_programs_are_shown() {
    let interactor = "echo 41; read x; printf \"\\033[1m\\n\"; read y; exit 1";
    let bot = "read x; echo x=$x >&2; echo $((x + 1)); read y; printf end";
    let output = run_shells(&["-v"], interactor, bot);
    let report = output.prints("\nWRONG_ANSWER without input: ").out();
    // Each line has a time, and the text in the column of its program.
    let shown = report.lines().map_while(|line| line.get(12..)).map(str::trim_end);
    let shown: Vec<&str> = shown.skip(1).take(5).collect();
    let of_bot = |text| format!("{}{text}", " ".repeat(45));
    let expected =
        ["41", &of_bot("[stderr: x=41]"), &of_bot("42"), "\\u{1b}[1m", &of_bot("end [no line end]")];
    assert_eq!(shown, expected, "{report}");
}

/// The bot writes which processors it may use. The interactor accepts if they are its own, and only one.
#[test]
#[cfg(target_os = "linux")]
fn the_programs_of_a_run_share_one_processor() {
    const ALLOWED: &str = "grep Cpus_allowed_list: /proc/self/status";
    let interactor =
        format!("read x; case $x in *[-,]*) exit 1; esac; test \"$x\" = \"$({ALLOWED} | tr \"\\t\" \" \")\"");
    run_shells(&[], &interactor, &format!("{ALLOWED} | tr '\\t' ' '")).exits(0);
}

/// Checks that a testing tool in the folder is run if its text shows its usage, and that the bot gets the arguments that a tester gives to it.
#[test]
fn a_tester_starts_the_bot() {
    if !has_python() {
        return;
    }
    let here = TestDir::new();
    let tool = fs::read_to_string(interactors().join("starts_bot.py")).unwrap();
    here.write("testing_tool.py", format!("# python3 testing_tool.py -f FILE <program>\n{tool}"));
    here.write("1.in", "1000 777\n");
    let bot = interactors().join("bots/good.py");
    judge_in(here.path(), &["run", "--", "python3", bot.to_str().unwrap()])
        .begins("ACCEPTED 1.in: ")
        .says("judge: problem: testing_tool.py, style launcher, inputs *.in");
    let tester = "sh -c 'test \"$(\"$0\" b \"c d\")\" = \"a b c d\"' {bot}";
    judge_in(here.path(), &["run", "--interactor", tester, "--", "echo", "a"])
        .begins("ACCEPTED without input: ");
}
