//! `judge batch`: jobs of many classes with bad lines among them, resumed files, and interrupts.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::fs;
use std::io::{BufRead, BufReader, Write};
#[cfg(target_os = "linux")]
use std::os::unix::fs::chown;
use std::path::Path;
use std::process::{Command, Output};

use itertools::Itertools;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::schema::{self, assert_follows};
use crate::support::{
    JUDGE, PATH, Printed, TestDir, bare_command, blocks, has_program, interactors, json_lines, reading, root,
    sandbox_option, send, start_talking, table,
};
#[cfg(target_os = "linux")]
use crate::support::{NOBODY, is_root};

/// Returns the command `judge batch ARGS`. Paths in jobs are relative to `tests/interactors`.
pub fn batch(args: &str) -> Command {
    let mut judge = bare_command();
    judge.current_dir(interactors()).arg("batch").args(args.split_whitespace());
    judge
}

fn judged(args: &str, jobs: &[impl Display]) -> Output {
    reading(&mut batch(args), lines(jobs).as_bytes())
}

fn lines(jobs: impl IntoIterator<Item: Display>) -> String {
    jobs.into_iter().join("\n") + "\n"
}

/// A job with the expected verdict and class.
pub type ExpectedJob = (Value, [String; 2]);

/// Returns a job of each class in `expected.tsv` that needs no compiler and no special options.
fn jobs_of_runs() -> Vec<ExpectedJob> {
    let mut jobs = BTreeMap::new();
    for [bot, interactor, style, input, options, verdict, class, _] in
        table(&interactors().join("expected.tsv"))
    {
        let is_script = |program: &str| [".py", ".sh"].iter().any(|end| program.ends_with(end));
        let is_plain = options == "-" || options.starts_with("--idle-limit 0.5");
        if is_plain && is_script(&bot) && is_script(interactor.split(' ').next().unwrap()) {
            let inputs: Vec<&str> = [&*input].into_iter().filter(|input| *input != "-").collect();
            let problem = json!({"interactor": interactor, "style": style, "inputs": inputs});
            let job = json!({"id": class, "problem": problem, "source": {"path": bot}});
            jobs.insert(class.clone(), (job, [verdict, class]));
        }
    }
    jobs.into_values().collect()
}

/// Runs the tests of the client in Python, and the example of README.md.
#[test]
fn the_python_client() {
    let python = |folder: &str, args: &[&str]| {
        let mut python = Command::new("python3");
        python.current_dir(root().join(folder)).args(["-B", "-W", "error"]).args(args);
        python
    };
    let mut tests = python("python", &["tests/test_client.py"]);
    tests.env("PYTHONPATH", ".").env("JUDGE", JUDGE).env("PATH", &*PATH).output().unwrap().exits(0);
    let here = TestDir::new();
    std::os::unix::fs::symlink(JUDGE, here.file("judge")).unwrap();
    let [example] = &blocks("README.md", "python")[..] else { panic!("README.md has one example in Python") };
    let path = format!("{}:{}", here.path().display(), *PATH);
    let mut example = python("", &["-c", example]);
    let output = example.env("PYTHONPATH", "python").env("PATH", path).output().unwrap();
    output.exits(0).begins("WRONG_ANSWER wrong_answer 0 of 2\n  secret/many WRONG_ANSWER ");
}

/// Returns what must not depend on the moment: no times and memory.
fn timeless(answer: &Value) -> Value {
    let keys = "id verdict class passed ran total score guards missing_guards line error test game seed pass flaky classes";
    let fields = keys.split(' ').filter_map(|key| Some((key.to_owned(), answer.get(key)?.clone())));
    let mut kept = Value::Object(fields.collect());
    kept["runs"] = answer["runs"].as_array().into_iter().flatten().map(timeless).collect();
    kept
}

/// Checks that the answers follow the schema, and returns them without times by id and line.
pub fn by_id(output: &[u8]) -> BTreeMap<String, Value> {
    let answers = json_lines(output);
    for answer in &answers {
        let kind = if answer.get("error").is_some() { "error" } else { "result" };
        assert_follows("batch.schema.json", &format!("/$defs/{kind}"), answer);
    }
    let named = |answer: &Value| (format!("{} {}", answer["id"], answer["line"]), timeless(answer));
    let by_id: BTreeMap<String, Value> = answers.iter().map(named).collect();
    assert_eq!(by_id.len(), answers.len());
    by_id
}

pub fn python(code: &str) -> Value {
    json!({"language": "python", "code": code})
}

pub fn shell(code: &str) -> Value {
    json!({"language": "shell", "code": code})
}

/// Returns the jobs of `jobs.tsv`.
fn own_jobs() -> Vec<ExpectedJob> {
    let rows = table(&interactors().join("jobs.tsv")).into_iter();
    rows.map(|[verdict, class, job]| {
        let mut job: Value = serde_json::from_str(&job).unwrap();
        job["id"] = json!(format!("own {class}"));
        (job, [verdict, class])
    })
    .collect()
}

/// Returns jobs of all classes but `judge`, `interrupted` and `time_wall`. A run whose class is `time_wall` is repeated
/// alone, with a longer limit, and takes many seconds.
pub fn jobs_of_many_classes() -> Vec<ExpectedJob> {
    [jobs_of_runs(), own_jobs()].concat()
}

/// Returns lines that are answered with an error.
pub fn bad_lines() -> [String; 5] {
    let missing = json!({"interactor": "icpc.py", "inputs": "missing"});
    [
        "nonsense".to_owned(),
        json!({"id": "no source", "game": "6 1 2"}).to_string(),
        json!({"id": "no file", "game": "6 1 2", "source": {"path": "missing.py"}}).to_string(),
        json!({"id": "accepted", "game": "6 1 2", "source": python("")}).to_string(),
        json!({"id": "no input", "problem": missing, "source": python("")}).to_string(),
    ]
}

#[track_caller]
pub fn assert_classes(answers: &BTreeMap<String, Value>, jobs: &[ExpectedJob]) {
    for (job, [verdict, class]) in jobs {
        let answer = &answers[&format!("{} null", job["id"])];
        let is_accepted = class == "accepted";
        let is_run = !class.ends_with("compile_error");
        let expected = json!([verdict, class, i32::from(is_accepted), i32::from(is_run)]);
        let found = ["verdict", "class", "passed", "ran"].map(|key| &answer[key]);
        assert_eq!(json!(found), expected, "{answer}");
    }
}

#[test]
fn jobs_of_many_classes_with_bad_lines_among_them() {
    if !has_program("g++") {
        return;
    }
    let jobs = jobs_of_many_classes();
    for (job, _) in &jobs {
        assert_follows("batch.schema.json", "/$defs/job", job);
    }
    let mut lines: Vec<String> = jobs.iter().map(|(job, _)| job.to_string()).collect();
    for (at, line) in bad_lines().into_iter().enumerate() {
        lines.insert(4 * (at + 1), line);
    }
    let classes: BTreeSet<&str> = jobs.iter().map(|(_, [_, class])| &**class).collect();
    let all = schema::read("run.schema.json")["$defs"]["class"]["enum"].as_array().unwrap().iter();
    let left = all.filter_map(Value::as_str).filter(|class| !classes.contains(class));
    assert_eq!(left.collect::<Vec<_>>(), ["time_wall", "judge", "interrupted"]);
    let answers = by_id(&judged("--jobs 4", &lines).exits(1).output().stdout);
    assert_eq!(answers.len(), lines.len());
    assert_classes(&answers, &jobs);
}

/// Checks the classes for an ordinary user without capabilities, new privileges, user namespaces and control groups, as
/// in a plain container.
#[cfg(target_os = "linux")]
#[test]
fn jobs_in_a_container() {
    if sandbox_option().is_none() || !has_program("g++") {
        return;
    }
    let (here, jobs) = (TestDir::new(), own_jobs());
    let mut container = Command::new("setpriv");
    if is_root() {
        chown(here.path(), Some(NOBODY), Some(NOBODY)).unwrap();
        let user = NOBODY.to_string();
        container.args(["--reuid", &user, "--regid", &user, "--clear-groups"]);
        container.args(["--inh-caps=-all", "--bounding-set=-all"]);
    }
    container.current_dir(interactors()).env("XDG_CACHE_HOME", here.path());
    container.args(["--no-new-privs", JUDGE, "batch", "--jobs", "2"]);
    let lines = lines(jobs.iter().map(|(job, _)| job));
    let run = || reading(&mut container, lines.as_bytes());
    let output = crate::kernel::without_call(libc::SYS_unshare, libc::EPERM, run);
    let answers = by_id(&output.stdout);
    assert_classes(&answers, &jobs);
    let (mut guards, mut missing) =
        (vec!["files", "network", "privileges", "processes", "terminals"], vec!["cgroup"]);
    if crate::kernel::has_signal_scopes() { &mut guards } else { &mut missing }.push("signals");
    for answer in answers.values() {
        assert_eq!(json!([answer["guards"], answer["missing_guards"]]), json!([guards, missing]), "{answer}");
    }
    output.exits(0).complains("judge: limits are enforced by /proc: ");
}

/// A bot that is accepted on the tests with small numbers only, and one that is not the same each time.
#[test]
fn tests_that_are_not_run_and_tests_that_are_run_again() {
    let here = TestDir::new();
    let package = root().join("tests/packages/number");
    let linear = package.join("submissions/wrong_answer/linear.py");
    let job = |id: &str, tests: &str, stop: &str| json!({"id": id, "problem": package, "tests": tests, "stop": stop, "source": {"path": linear}});
    let flag = here.file("flag");
    let flaky = format!("if mkdir {flag}; then echo 500; else echo; fi");
    let interactor = here.write("interactor.sh", "read x; if [ \"$x\" ]; then exit 42; else exit 43; fi");
    let flaky = json!({
        "id": "flaky", "problem": {"interactor": format!("sh {interactor}"), "style": "icpc"}, "repeat": 3,
        "source": {"command": ["sh", "-c", flaky]},
    });
    let [all, first] = ["never", "first_failure"].map(|stop| job(stop, "*", stop));
    let jobs = [all, first, job("secret", "secret/*", "never"), flaky];
    let shown = judged("--sandbox=none -j 1", &jobs).exits(0).json();
    let counts = |answer: &Value| ["passed", "ran", "total"].map(|key| answer[key].as_u64().unwrap());
    assert_eq!(shown.iter().map(counts).collect::<Vec<_>>(), [[2, 3, 3], [1, 2, 3], [1, 2, 2], [0, 1, 1]]);
    let run = &shown[3]["runs"][0];
    let repeated = ["class", "flaky", "classes"].map(|key| &run[key]);
    assert_eq!(json!(repeated), json!(["wrong_answer", true, ["accepted", "wrong_answer"]]), "{run}");
    assert_eq!((&shown[0]["runs"][0]["flaky"], shown[0]["runs"][0].get("classes")), (&json!(false), None));
}

/// Returns what was written to a stream of a seat in a run of a job with the output `full`.
fn stream(run: &Value, seat: &str, stream: &str) -> String {
    let pieces = run["output"]["pieces"].as_array().unwrap().iter();
    let pieces = pieces.filter(|piece| piece["seat"] == seat && piece["stream"] == stream);
    pieces.map(|piece| piece["text"].as_str().unwrap()).collect()
}

#[test]
fn the_whole_output() {
    let here = TestDir::new();
    let lines = "i=0; while [ $i -lt 300 ]; do i=$((i + 1)); echo $i >&2; done";
    let interactor = here.write("interactor.sh", format!("{lines}; echo go; head -n 1 >/dev/null; exit 42"));
    let problem = json!({"interactor": format!("sh {interactor}"), "style": "icpc"});
    let bot = shell(&format!("{lines}; read x; echo $x; sleep 0"));
    let flood = shell("read x; head -c 20000000 /dev/zero");
    let game = shell("read h; echo asked >&2; echo First; echo 1 1; read x");
    let jobs = [
        json!({"id": "a", "problem": problem, "source": bot, "output": "full"}),
        json!({"id": "b", "problem": problem, "source": flood, "output": "full"}),
        json!({"id": "c", "game": "1 1 1", "source": game, "output": "full", "repeat": 2}),
        json!({"id": "d", "game": "1 1 1", "source": game, "output": "excerpt"}),
    ];
    for job in &jobs {
        assert_follows("batch.schema.json", "/$defs/job", job);
    }
    let answers = judged("--sandbox=none -j 1", &jobs).json();
    for answer in &answers {
        assert_follows("batch.schema.json", "/$defs/result", answer);
    }
    let [run, flooded, game, excerpt] = [0, 1, 2, 3].map(|at| &answers[at]["runs"][0]);
    let numbers: String = (1..=300).join("\n") + "\n";
    let streams = [("bot", "stdout"), ("bot", "stderr"), ("interactor", "stdout"), ("interactor", "stderr")]
        .map(|(seat, name)| stream(run, seat, name));
    assert_eq!(streams, ["go\n", &numbers, "go\n", &numbers]);
    assert_eq!([run, flooded, game].map(|run| run["output"]["complete"].clone()), [true, false, true]);
    let size = |piece: &Value| piece["hex"].as_str().map_or(0, |hex| hex.len() / 2);
    let kept: usize = flooded["output"]["pieces"].as_array().unwrap().iter().map(size).sum();
    assert!((8 << 20..=16 << 20).contains(&kept), "{kept}");
    let streams = ["stdin", "stdout", "stderr"].map(|name| stream(game, "bot", name));
    assert_eq!(streams, ["1 1 1\n0 0\n", "First\n1 1\n", "asked\n"]);
    assert_eq!(excerpt.get("output"), None);
}

/// Checks that a second start judges only what is missing, and cuts off a line that is not whole.
#[test]
fn a_resumed_file() {
    let here = TestDir::new();
    let results = here.file("results.jsonl");
    let job = |id: &str, path: &str| json!({"id": id, "game": "6 1 2", "source": {"path": path}}).to_string();
    let bot = here.write("bot.sh", "echo Third");
    let late = here.file("late.sh");
    let lines = [job("a", &bot), "nonsense".to_owned(), job("late", &late), job("b", &bot)];
    let run = || judged(&format!("--sandbox=none -j 1 -o {results}"), &lines);
    run().exits(1);
    let whole = here.read("results.jsonl");
    assert_eq!(by_id(whole.as_bytes()).len(), 4);
    // Nothing is written twice, errors included.
    run().exits(1).says(&format!("judge: skipped 2 results, which {results} has"));
    assert_eq!(here.read("results.jsonl"), whole);
    // A judge that is killed leaves a part of the file.
    for kept in [0, 1, whole.len() / 3, whole.len() / 2, whole.len() - 1] {
        fs::write(&results, &whole[..kept]).unwrap();
        run().exits(1);
        assert_eq!(by_id(here.read("results.jsonl").as_bytes()), by_id(whole.as_bytes()), "{kept}");
    }
    // The second result is torn, and the missing file is there.
    let last = whole.trim_end().rfind('\n').unwrap();
    fs::write(&results, &whole[..last + 30]).unwrap();
    here.write("late.sh", "echo Third");
    run().exits(1);
    let answers = json_lines(here.read("results.jsonl").as_bytes());
    let ids: Vec<&Value> = answers.iter().map(|line| &line["id"]).collect();
    assert_eq!(json!(ids), json!(["a", null, "late", "late", "b"]));
    fs::write(&results, "{\"schema\":2}\n").unwrap();
    run().refuses("line 1: expected an answer of judge batch with id and verdict, or with line and error");
    assert_eq!(here.read("results.jsonl"), "{\"schema\":2}\n");
}

/// Checks that a result comes before the input ends, that Ctrl-C ends the judge while a bot runs, and that only whole lines
/// were written.
#[test]
fn an_interrupt() {
    let here = TestDir::new();
    let started = here.fifo("started");
    let script = format!("echo >{started}; exec sleep 100");
    let mut judge = start_talking(&mut batch("--sandbox=none -j 2"));
    let mut jobs = judge.stdin.take().unwrap();
    for (id, code) in [("quick", "echo Third"), ("slow", &*script)] {
        let job = json!({"id": id, "game": "6 1 2", "source": shell(code), "time_limit": 100});
        writeln!(jobs, "{job}").unwrap();
    }
    fs::read(&started).unwrap();
    let mut quick = String::new();
    let mut stdout = BufReader::new(judge.stdout.take().unwrap());
    stdout.read_line(&mut quick).unwrap();
    send(Signal::INT, judge.id());
    let mut rest = String::new();
    stdout.read_line(&mut rest).unwrap();
    assert!(quick.contains("\"id\":\"quick\"") && rest.is_empty(), "{quick}{rest}");
    judge.wait_with_output().unwrap().exits(130).says("judge: interrupted, so not all jobs were judged");
    drop(jobs);
}

/// Counts how often a compiler is started that takes a while, for sources of bots and an interactor that are in use by
/// several jobs at once.
#[test]
fn each_source_is_compiled_once() {
    let here = TestDir::new();
    let (log, limits) = (here.file("log"), here.file("limits"));
    let compiler = here.write(
        "compile.sh",
        format!(
            "echo \"$1\" >>{log}; ulimit -t >>{limits}; ulimit -d >>{limits}; sleep 0.5; cp \"$1\" \"$2\""
        ),
    );
    let settings = format!(
        "[languages.copied]\nextensions = [\"copied\"]\ncompile = \"sh {compiler} {{source}} {{program}}\"\nrun = \"sh {{program}}\"\n"
    );
    let settings = here.write("judge.toml", settings);
    let interactor = here.write("interactor.copied", "read x; exit 42");
    let problem = json!({"interactor": interactor, "style": "icpc"});
    let job = |id: usize| {
        let code = if id < 4 { "echo 1" } else { "echo 2" };
        let source = json!({"language": "copied", "code": code});
        json!({"id": id.to_string(), "problem": problem, "source": source, "time_limit": 1 + id % 2})
    };
    let mut command = batch(&format!("--sandbox=none -j 4 --config {settings}"));
    command.env("XDG_CACHE_HOME", here.directory("cache"));
    reading(&mut command, lines((0..8).map(job)).as_bytes()).exits(0);
    assert_eq!(here.read("limits"), "60\n4194304\n".repeat(3));
    let compiled = here.read("log");
    let of_bots = compiled.lines().filter(|line| Path::new(line).ends_with("main.copied")).count();
    assert_eq!((compiled.lines().count(), of_bots), (3, 2), "{compiled}");
}

/// A compiler that runs its source can make a program that may be executed. In their sandboxes, a compiler and an
/// interactor can change nothing else.
#[cfg(target_os = "linux")]
#[test]
fn the_sandboxes_of_a_compiler_and_an_interactor() {
    use std::os::unix::fs::PermissionsExt;

    if sandbox_option().is_none() {
        return;
    }
    let here = TestDir::new();
    let language =
        "[languages.run]\nextensions = [\"run\"]\ncompile = \"sh {source} {program}\"\nrun = \"{program}\"\n";
    let settings = here.write("judge.toml", language);
    for (options, is_free) in [("--sandbox=all --interactor-sandbox", false), ("--sandbox=none", true)] {
        let (file, new) = (here.write("file", "text"), here.file(&format!("new{is_free}")));
        let makes_program = format!(r#"printf '#!/bin/sh\nexec "{JUDGE}" bot' >"$1" && chmod 755 "$1""#);
        let code = format!("echo >{new}; chmod 600 {file}; echo x >$TMPDIR/x && {makes_program}");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
        let script = format!("read x; echo >{new}.of_interactor && exit 42; exit 43");
        let interactor = format!("sh {}", here.write("interactor.sh", script));
        let jobs = [
            json!({"id": "a", "game": "6 1 2", "source": {"language": "run", "code": code}}),
            json!({"id": "b", "problem": {"interactor": interactor, "style": "icpc"}, "source": shell("echo 1")}),
        ];
        let mut command = batch(&format!("{options} --jobs 1 --config {settings}"));
        command.env("XDG_CACHE_HOME", here.directory(&format!("cache{is_free}")));
        let output = reading(&mut command, lines(&jobs).as_bytes());
        let mode = fs::metadata(&file).unwrap().permissions().mode() & 0o777;
        assert_eq!((Path::new(&new).exists(), mode == 0o600), (is_free, is_free), "{options}");
        let answers = output.json();
        let classes = ["accepted", if is_free { "accepted" } else { "wrong_answer" }];
        assert_eq!([&answers[0]["class"], &answers[1]["class"]], classes, "{}", output.out());
        let command = answers[1]["runs"][0]["command"].to_string();
        assert_eq!(command.contains("--interactor-sandbox"), !is_free, "{command}");
    }
}
