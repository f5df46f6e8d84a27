//! The bots and interactors of `tests/interactors`, and the verdict that the judge must give for each pair.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::broken_bots::{check_rows, recorded_class, table};
use crate::support::schema::assert_valid;
use crate::support::{JUDGE, TestDir, has_program, has_python, json_lines, root, text};

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
    let verdicts: Vec<&str> = lines.iter().map(|line| line["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts[0], "WRONG_ANSWER");
    for line in &lines {
        let bot = &line["passes"][0]["seats"][0];
        assert!(bot["cpu_ms"].as_f64().unwrap() > 0.0 || !cfg!(target_os = "linux"), "{line}");
        assert!(bot["wall_ms"].as_f64().unwrap() > 0.0, "{line}");
        let interactor = &line["referee"];
        assert!(
            interactor["command"][0].as_str().unwrap().contains("icpc.py")
                || interactor["command"][1].as_str().unwrap().contains("icpc.py"),
            "{line}"
        );
        let input = line["input"].as_str().unwrap();
        let answer = input.replace(".in", ".ans");
        let command = interactor["command"].as_array().unwrap();
        let arguments = [input, &answer, "FEEDBACK/"];
        assert!(
            command.iter().rev().zip(arguments.iter().rev()).all(|(word, expected)| word == expected),
            "{line}"
        );
        let exit = if line["verdict"] == "ACCEPTED" { 42 } else { 43 };
        assert_eq!(interactor["exit"]["code"], exit, "{line}");
        assert!(line["command"].as_str().unwrap().starts_with("judge run --interactor icpc.py --style icpc"));
    }
}

/// Checks that the command that is printed for a run repeats the run.
#[test]
fn the_printed_command_repeats_a_run() {
    if !has_python() {
        return;
    }
    let options = ["--interactor", "plain.py {input}", "--input", "inputs/2.in", "--seed", "7", "--json"];
    let bot = [
        "--interactor-time",
        "5",
        "--interactor-memory",
        "300",
        "--time-limit",
        "1.5",
        "--",
        "bots/wrong_number.py",
    ];
    let (lines, code, stderr) = run(&[&options[..], &bot].concat());
    assert_eq!(code, Some(1), "{stderr}");
    let command = lines[0]["command"].as_str().unwrap();
    let words = split_by_shell(command);
    let words: Vec<&str> = words[2..].iter().map(String::as_str).collect();
    let at = words.iter().position(|word| *word == "--").unwrap();
    let again = [&words[..at], &["--json"], &words[at..]].concat();
    let (repeated, code, stderr) = run(&again);
    assert_eq!(code, Some(1), "{stderr}");
    for field in ["verdict", "reason", "command", "seed", "input"] {
        assert_eq!(lines[0][field], repeated[0][field]);
    }
}

/// Splits a printed command into words with a shell.
fn split_by_shell(command: &str) -> Vec<String> {
    let output = Command::new("sh").args(["-c", &format!("printf '%s\\n' {command}")]).output().unwrap();
    text(&output.stdout).lines().map(str::to_owned).collect()
}

/// Checks that two programs that sleep briefly before each line are not judged idle, even if all sleeps together are
/// longer than the idle limit.
#[test]
fn short_waits_do_not_add_up_to_idleness() {
    let here = TestDir::new();
    let turns = "for turn in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do";
    let interactor =
        here.write("interactor.sh", format!("{turns} sleep 0.1; echo $turn; read -r line; done"));
    let bot = here.write("bot.sh", format!("{turns} read -r line; sleep 0.1; echo $turn; done"));
    let options = ["--interactor", &format!("sh {interactor}"), "--idle-limit", "1", "--json", "--"];
    let (lines, code, stderr) = run(&[&options[..], &["sh", &bot]].concat());
    assert_eq!(code, Some(0), "{lines:?} {stderr}");
}

/// Checks the messages for wrong usage, before a program is started.
#[test]
fn wrong_usage_is_refused() {
    let here = TestDir::new();
    let empty = here.directory("empty");
    let new = format!("{empty}/new");
    for (arguments, expected) in [
        (&["--interactor", "icpc.py", "--opponent", "slow", "--", "bots/good.py"][..], "cannot be used with"),
        (&["--style", "icpc", "--", "bots/good.py"], "no problem and no game is named"),
        (&["--interactor-time", "1", "--", "bots/good.py"], "no problem and no game is named"),
        (&["--input", "inputs", "--", "bots/good.py"], "no problem and no game is named"),
        (&["--interactor", "icpc.py"], "expected the bot's command"),
        (&["--interactor", "icpc.py", "3", "1", "2", "--", "bots/good.py"], "got the header 3 1 2"),
        (&["--interactor", "'x", "--", "bots/good.py"], "unclosed quote"),
        (&["--interactor", "", "--", "bots/good.py"], "expected a command"),
        (
            &["--interactor", "icpc.py", "--input", "no/such", "--", "bots/good.py"],
            "no/such: expected an input",
        ),
        (
            &["--interactor", "icpc.py", "--input", &empty, "--", "bots/good.py"],
            "expected an input, found no file NAME.in",
        ),
        (&["--interactor", "icpc.py", "--checker", "checker.py", "--", "bots/good.py"], "the style testlib"),
        (&["--interactor", "no-such-program", "--", "bots/good.py"], "no-such-program"),
        (&["--interactor", "icpc.py", "--", "no-such-bot"], "no-such-bot"),
        (
            &["--interactor", "icpc.py", "--games", "2", "--interaction", &new, "--", "bots/good.py"],
            "--interaction: expected one run, got 2",
        ),
    ] {
        let (lines, code, stderr) = run(arguments);
        assert_eq!((lines.len(), code), (0, Some(2)), "{arguments:?}: {stderr}");
        assert!(stderr.contains(expected), "{arguments:?}: expected {expected:?}, got {stderr}");
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
    for (arguments, words) in [
        (&["--interactor", "sh x", "--style", "launcher", "--", "true"][..], "expected {bot} in the command"),
        (&["--interactor", "sh {bot}", "--interactor-sandbox", "--", "true"], "this sandbox does not allow"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(words), "{}", text(&output.stderr));
    }
}

/// Checks that no background process of either program is left after the run.
#[test]
#[cfg(target_os = "linux")]
fn no_process_is_left() {
    let seconds = format!("1000.{}", std::process::id());
    let script = format!("sleep {seconds} & sleep {seconds} & exit 0");
    let here = TestDir::new();
    let interactor = here.write("interactor.sh", &script);
    let output = Command::new(JUDGE)
        .args(["run", "--interactor", &format!("sh {interactor}"), "--", "sh", "-c", &script])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    let left = Command::new("pgrep").args(["-f", &format!("^sleep {seconds}$")]).output().unwrap();
    assert!(left.stdout.is_empty(), "{}", text(&left.stdout));
}
