//! What the process layer promises, by many runs: nothing is left after a kill or an interrupt at any moment, and a long
//! series needs no more than a short one.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant, SystemTime};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};
use serde_json::json;

use crate::batch::{assert_classes, bad_lines, batch, by_id, jobs_of_many_classes, python, shell};
use crate::broken_bots::check_rows;
use crate::hostile::{Run, left_behind};
use crate::support::{
    Printed, TestDir, await_that, bare_command, fresh_option, groups_of, has_program, json_lines, names_in,
    sandbox_option, send, wardens_of,
};

/// Both programs leave a process in a new session.
const INTERACTOR: &str = "read x; setsid sleep 300 & [ \"$x\" = hi ] && exit 42; exit 43";
const BOT: &str = "setsid sleep 300 & echo hi; read x; exit 0";

/// A judge that runs a pair of programs several times, two runs at a time.
struct Series {
    judge: Child,
    run: Run,
    started: SystemTime,
}

impl Series {
    fn start(runs: u32, sandbox: Option<&str>) -> Self {
        let (runs, interactor) = (runs.to_string(), format!("sh -c '{INTERACTOR}'"));
        let args = ["--style", "icpc", "--jobs", "2", "--games", &runs, "--interactor", &interactor];
        let sandbox = sandbox.map_or_else(String::new, |sandbox| format!("{sandbox} --interactor-sandbox"));
        let mut run = Run::of(&args, &sandbox).with_bot(&["sh", "-c", BOT]);
        let started = SystemTime::now();
        let judge = run.judge.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        Self { judge, run, started }
    }

    /// Waits for the end of the judge, and then until no process, file or control group is left.
    fn end(self) -> Output {
        assert!(has_ended_within(&self.judge, Duration::from_secs(60)), "the judge hangs");
        await_that(|| {
            let files = names_in(self.run.temporary.path());
            [left_behind(&self.run.mark), files, groups_of(self.judge.id(), self.started)].concat().is_empty()
        });
        self.judge.wait_with_output().unwrap()
    }
}

/// Disturbs `rounds` series by `act`, each at another moment, and every other one with `--fresh`. A verdict is ACCEPTED or `expected`. Checks the output
/// with the verdicts in it by `check`.
fn at_each_moment(
    rounds: u32,
    expected: &str,
    act: impl Fn(&Series, u32) + Sync,
    check: impl Fn(&Output, &[&str]) + Sync,
) {
    let started = Instant::now();
    Series::start(RUNS, sandbox_option()).end();
    let length = started.elapsed();
    check_rows(&(0..rounds).collect::<Vec<_>>(), 2, |&round| {
        let options = [sandbox_option(), fresh_option().or(sandbox_option())];
        let series = Series::start(RUNS, options[round as usize % 2]);
        // The multiples of the golden ratio are spread evenly.
        has_ended_within(&series.judge, length.mul_f64((f64::from(round) * 0.618_034).fract()));
        act(&series, round);
        let output = series.end();
        // The last line of a killed judge may be torn.
        let whole = output.stdout.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let lines = json_lines(&output.stdout[..whole]);
        let verdicts: Vec<&str> = lines.iter().filter_map(|line| line["verdict"].as_str()).collect();
        assert!(verdicts.iter().all(|verdict| ["ACCEPTED", expected].contains(verdict)), "{output:?}");
        check(&output, &verdicts);
    });
}

/// Waits for the end of a judge, at most for this time. Returns whether it has ended.
fn has_ended_within(judge: &Child, time: Duration) -> bool {
    let judge = pidfd_open(Pid::from_child(judge), PidfdFlags::empty()).unwrap();
    let timeout = time.try_into().unwrap();
    poll(&mut [PollFd::new(&judge, PollFlags::IN)], Some(&timeout)).unwrap() > 0
}

/// Number of runs in a series that is disturbed.
const RUNS: u32 = 6;

#[test]
#[ignore = "kills 200 judges"]
fn a_killed_judge() {
    at_each_moment(200, "ACCEPTED", |series, _| send(Signal::KILL, series.judge.id()), |_, _| {});
}

#[test]
#[ignore = "kills 200 wardens"]
fn a_killed_warden() {
    let act = |series: &Series, round: u32| {
        let wardens = wardens_of(series.judge.id());
        if let Some(&warden) = wardens.get(round as usize % wardens.len().max(1)) {
            // The warden may have ended.
            let _ = kill_process(Pid::from_raw(warden.cast_signed()).unwrap(), Signal::KILL);
        }
    };
    at_each_moment(200, "JUDGE_ERROR", act, |output, verdicts| {
        let is_named = format!("{}{}", output.out(), output.err()).contains("the warden ");
        // The warden may have been killed before its first run or after its last one.
        let has_all = verdicts.len() == RUNS as usize && !verdicts.contains(&"JUDGE_ERROR");
        let expected = if has_all { 0 } else { 2 };
        assert_eq!((output.code(), has_all || is_named), (Some(expected), true), "{output:?}");
    });
}

#[test]
#[ignore = "interrupts 1,000 judges"]
fn interrupts() {
    let interrupt = |series: &Series, _| send(Signal::INT, series.judge.id());
    at_each_moment(1000, "INTERRUPTED", interrupt, |output, _| {
        // The first moments come before the judge catches signals.
        let ended = output.code().or(output.status.signal().map(|signal| 128 + signal));
        assert!([Some(0), Some(2), Some(130)].contains(&ended), "{output:?}");
    });
}

#[test]
#[ignore = "ten thousand runs"]
fn ten_thousand_runs() {
    let here = TestDir::new();
    let interactor = format!("sh {}", here.write("interactor.sh", "read x; exit 42"));
    let mut judge = bare_command();
    judge.args("run --quiet --style icpc --games 10000 --jobs 8 --interactor".split(' ')).arg(interactor);
    assert_needs_no_more(judge.args(["--", "sh", "-c", "echo hi"]), 0);
}

/// Judges ten thousand jobs, most of them with a source of its own: every class, and bad lines among them. Checks the
/// classes, that memory and descriptors of the judge stay as they are, and that the number of workers makes no
/// difference.
#[test]
#[ignore = "ten thousand jobs"]
fn ten_thousand_jobs() {
    const JOBS: usize = 10_000;
    if !has_program("g++") {
        return;
    }
    let here = TestDir::new();
    let interactor = here.write("interactor.sh", "read x y; [ \"$x\" = hi ] && exit 42; exit 43");
    let problem = json!({"problem": {"interactor": format!("sh {interactor}"), "style": "icpc"}});
    let game = json!({"game": "6 1 2"});
    // Jobs that end at once.
    let quick = [
        ("ACCEPTED", "accepted", &problem, "echo hi"),
        ("WRONG_ANSWER", "wrong_answer", &problem, "echo no"),
        ("MALFORMED", "malformed_line", &game, "echo Third"),
        ("CRASHED", "crash", &problem, "kill -SEGV $$; true"),
    ];
    let (kinds, bad) = (jobs_of_many_classes(), bad_lines());
    assert!(kinds.len() >= 30, "{}", kinds.len());
    let drips = python("import time\nwhile True:\n    print(5, flush=True)\n    time.sleep(0.05)");
    let sink = json!({"interactor": "sh -c 'cat >/dev/null'", "style": "plain"});
    let drips = json!({"problem": sink, "source": drips, "time_limit": 0.2});
    let mut jobs = Vec::new();
    let lines: Vec<String> = (0..JOBS)
        .map(|number| {
            // The kinds that wait for a limit are rare, so that the test takes minutes.
            let (mut job, expected) = match number % 20 {
                10 => return bad[number / 20 % bad.len()].clone() + "\n",
                0 => kinds[number / 20 % kinds.len()].clone(),
                _ if number == JOBS / 2 + 1 => (drips.clone(), ["TIME_WALL", "time_wall"].map(str::to_owned)),
                _ => {
                    let (verdict, class, task, code) = quick[number % 4];
                    let mut job = task.clone();
                    job["source"] = shell(&format!("{code} {number}"));
                    (job, [verdict, class].map(str::to_owned))
                }
            };
            job["id"] = json!(number.to_string());
            let line = format!("{job}\n");
            jobs.push((job, expected));
            line
        })
        .collect();
    let all = here.write("jobs.jsonl", lines.join(""));
    let cache = here.directory("cache");
    let judge = |jobs: &str, workers: &str, results: &str| {
        let mut judge = batch(&format!("{jobs} --jobs {workers} --output {results}"));
        judge.env("XDG_CACHE_HOME", &cache);
        judge
    };
    let results = here.file("results.jsonl");
    assert_needs_no_more(&mut judge(&all, "8", &results), 1);
    let answers = by_id(&fs::read(&results).unwrap());
    assert_eq!(answers.len(), JOBS);
    assert_classes(&answers, &jobs);
    let part = here.write("part.jsonl", lines[..JOBS / 10].join(""));
    for workers in ["1", "3"] {
        let results = here.file(&format!("results-{workers}.jsonl"));
        assert_eq!(judge(&part, workers, &results).status().unwrap().code(), Some(1));
        let part = by_id(&fs::read(&results).unwrap());
        assert_eq!(part.len(), JOBS / 10);
        for (id, answer) in part {
            assert_eq!(answers.get(&id), Some(&answer), "{workers} workers");
        }
    }
}

/// Runs a judge, and checks its exit code, and that it needs no more memory and descriptors later than in the first quarter
/// of its time.
fn assert_needs_no_more(judge: &mut Command, code: i32) {
    let judge = judge.stdout(Stdio::piped()).spawn().unwrap();
    let pid = judge.id();
    let mut seen = Vec::new();
    while !has_ended_within(&judge, Duration::from_millis(50)) {
        seen.extend(memory_kib(pid).zip(fs::read_dir(format!("/proc/{pid}/fd")).ok().map(Iterator::count)));
    }
    judge.wait_with_output().unwrap().exits(code);
    let (first, last) = seen.split_at(seen.len() / 4);
    let most =
        |seen: &[(u64, usize)]| (seen.iter().map(|seen| seen.0).max(), seen.iter().map(|seen| seen.1).max());
    let ((memory, files), (later_memory, later_files)) = (most(first), most(last));
    assert!(later_memory.unwrap() < memory.unwrap() + 4096, "{memory:?} KiB, then {later_memory:?} KiB");
    // One run begins while another one ends.
    assert!(later_files.unwrap() < files.unwrap() + 16, "{files:?} descriptors, then {later_files:?}");
}

fn memory_kib(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}
