//! The bots and interactors of `tests/interactors`, and the verdict that the judge must give for each pair.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::broken_bots::{check_rows, recorded_class};
use crate::support::schema::assert_valid;
use crate::support::{JUDGE, TestDir, has_program, has_python, json_lines, root, table, text};

/// A line of `expected.tsv`.
#[derive(Clone)]
struct Expected {
    bot: String,
    interactor: String,
    style: String,
    input: String,
    options: String,
    verdict: String,
    class: String,
    words: String,
}

fn directory() -> PathBuf {
    root().join("tests/interactors")
}

/// Reads the lines of `expected.tsv` whose programs this machine can run or compile.
fn expected() -> Vec<Expected> {
    let programs = [("py", "python3"), ("cpp", "g++"), ("c", "gcc"), ("rs", "rustc")];
    let missing: Vec<String> = programs
        .iter()
        .filter(|(_, program)| !has_program(program, &["--version"]))
        .map(|(extension, _)| format!(".{extension}"))
        .collect();
    let rows = table(&directory().join("expected.tsv")).into_iter();
    let rows = rows.map(|[bot, interactor, style, input, options, verdict, class, words]| Expected {
        bot,
        interactor,
        style,
        input,
        options,
        verdict,
        class,
        words,
    });
    let is_possible = |row: &Expected| {
        let file = row.interactor.split(' ').next().unwrap();
        !missing.iter().any(|end| row.bot.ends_with(end) || file.ends_with(end))
    };
    rows.filter(is_possible).collect()
}

impl Expected {
    /// Checks whether the judge compiles a program of this line.
    fn is_compiled(&self) -> bool {
        [&self.bot, &self.interactor].iter().any(|program| {
            let file = program.split(' ').next().unwrap();
            Path::new(file)
                .extension()
                .is_some_and(|end| ["c", "cpp", "rs"].iter().any(|source| end == *source))
        })
    }

    /// Runs the judge. Returns how its report differs from the table; `None` if they agree.
    fn check(&self) -> Option<String> {
        let Self { bot, interactor, style, input, options, verdict, class, words } = self;
        let here = TestDir::new();
        let transcript = here.file("transcript.jsonl");
        let mut judge = Command::new(JUDGE);
        // The judge removes this variable, which would hide a missing flush.
        judge.current_dir(directory()).env("PYTHONUNBUFFERED", "1");
        judge.args(["run", "--interactor", interactor, "--style", style, "--transcript", &transcript]);
        if input != "-" {
            judge.args(["--input", input]);
        }
        judge.args(options.split(' ').filter(|word| *word != "-")).args(["--", bot]);
        let output = judge.output().unwrap();
        let report = text(&output.stdout);
        let code = match verdict.as_str() {
            "ACCEPTED" => 0,
            "PARTIAL" if !options.contains("--full-score") => 0,
            "JUDGE_ERROR" => 2,
            _ => 1,
        };
        let has_words = words == "-" || report.contains(words);
        let is_expected = report.starts_with(&format!("{verdict} ")) && has_words;
        let recorded = recorded_class(&transcript);
        (!is_expected || recorded != *class || output.status.code() != Some(code)).then(|| {
            format!(
                "{bot} with {interactor}: expected {verdict}, {class}, with {words:?} and exit code {code}, got \
                 {recorded}, {report}{}",
                text(&output.stderr)
            )
        })
    }
}

/// Checks the programs that need no compiler, each pair on one input.
#[test]
fn every_pair_gets_its_verdict() {
    let rows = expected();
    let rows: Vec<Expected> =
        rows.into_iter().filter(|row| !row.is_compiled() && row.input == "inputs/2.in").collect();
    check_rows(&rows, 4, Expected::check);
}

#[test]
#[ignore = "compiles programs, and runs several hundred pairs"]
fn every_pair_gets_its_verdict_each_time() {
    let rows = expected();
    for _ in 0..3 {
        check_rows(&rows, 4, Expected::check);
    }
}

/// Runs `judge run`. Returns the JSON lines, the exit code and stderr.
fn run(arguments: &[&str]) -> (Vec<Value>, Option<i32>, String) {
    let output = Command::new(JUDGE).current_dir(directory()).arg("run").args(arguments).output().unwrap();
    let lines = json_lines(&output.stdout);
    (lines, output.status.code(), text(&output.stderr).to_owned())
}

/// Checks the JSON of several inputs that are played at the same time.
#[test]
fn json_of_several_inputs() {
    if !has_python() {
        return;
    }
    let inputs = ["--interactor", "icpc.py", "--input", "inputs", "--jobs", "2", "--json", "--"];
    let (lines, code, stderr) = run(&[&inputs[..], &["bots/exclusive_end.py"]].concat());
    assert_eq!((lines.len(), code), (3, Some(1)), "{stderr}");
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

#[test]
fn an_interaction_has_the_lines_of_both_programs() {
    let here = TestDir::new();
    let file = format!("{}/1.interaction", here.directory("samples"));
    let bot = "read x; echo $((x + 1)); printf end";
    for _ in 0..2 {
        let output = Command::new(JUDGE)
            .args(["run", "--interactor", "sh -c 'echo 41; read x; read y; exit 0'", "--interaction", &file])
            .args(["--", "sh", "-c", bot])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
        assert_eq!(fs::read_to_string(&file).unwrap(), "<41\n>42\n>end\n");
        let report = text(&output.stdout);
        assert!(report.contains("; CPU of the interactor ") || !cfg!(target_os = "linux"), "{report}");
        assert!(!text(&output.stdout).contains("    <41"), "{}", text(&output.stdout));
    }
}

#[test]
fn the_lines_of_both_programs_are_shown() {
    let interactor = "sh -c 'echo 41; read x; printf \"\\033[1m\\n\"; read y; exit 1'";
    let bot = "read x; echo x=$x >&2; echo $((x + 1)); read y; printf end";
    let (options, bot) = (["run", "-v", "--interactor", interactor], ["--", "sh", "-c", bot]);
    let output = Command::new(JUDGE).args(options).args(bot).output().unwrap();
    let report = text(&output.stdout);
    // Each line has a time, and the text in the column of its program.
    let shown = report.lines().map_while(|line| line.get(12..)).map(str::trim_end);
    let shown: Vec<&str> = shown.skip(1).take(5).collect();
    let of_bot = |text| format!("{}{text}", " ".repeat(45));
    let expected =
        ["41", &of_bot("[stderr: x=41]"), &of_bot("42"), "\\u{1b}[1m", &of_bot("end [no line end]")];
    assert_eq!(shown, expected, "{report}{}", text(&output.stderr));
    assert!(report.contains("\nWRONG_ANSWER without input: "), "{report}");
}

/// The bot writes which processors it may use. The interactor accepts if they are its own, and only one.
#[test]
#[cfg(target_os = "linux")]
fn the_programs_of_a_run_share_one_processor() {
    const ALLOWED: &str = "grep Cpus_allowed_list: /proc/self/status";
    let interactor = format!(
        "sh -c 'read x; case $x in *[-,]*) exit 1; esac; test \"$x\" = \"$({ALLOWED} | tr \"\\t\" \" \")\"'"
    );
    let bot = format!("{ALLOWED} | tr '\\t' ' '");
    let (lines, code, stderr) = run(&["--json", "--interactor", &interactor, "--", "sh", "-c", &bot]);
    assert_eq!((&lines[0]["verdict"], code), (&Value::from("ACCEPTED"), Some(0)), "{lines:?}{stderr}");
}

/// Checks that a testing tool in the folder is run if its text shows its usage, and that the bot gets the arguments that a tester gives to it.
#[test]
fn a_tester_starts_the_bot() {
    if !has_python() {
        return;
    }
    let here = TestDir::new();
    let tool = fs::read_to_string(directory().join("starts_bot.py")).unwrap();
    here.write("testing_tool.py", format!("# python3 testing_tool.py -f FILE <program>\n{tool}"));
    here.write("1.in", "1000 777\n");
    let run = |arguments: &[&str]| {
        let mut judge = Command::new(JUDGE);
        judge.current_dir(here.path()).arg("run").args(arguments).output().unwrap()
    };
    let bot = directory().join("bots/good.py");
    let output = run(&["--", "python3", bot.to_str().unwrap()]);
    let (report, notes) = (text(&output.stdout), text(&output.stderr));
    assert!(report.starts_with("ACCEPTED 1.in: "), "{report}{notes}");
    assert_eq!(notes, "judge: problem: testing_tool.py, style launcher, inputs *.in\n");
    let tester = "sh -c 'test \"$(\"$0\" b \"c d\")\" = \"a b c d\"' {bot}";
    let output = run(&["--interactor", tester, "--", "echo", "a"]);
    assert!(text(&output.stdout).starts_with("ACCEPTED without input: "), "{}", text(&output.stdout));
}
