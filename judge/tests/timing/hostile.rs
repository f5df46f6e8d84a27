//! Bots and interactors that attack each other or the judge, and the processes, files and control groups that they
//! leave behind.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::broken_bots::check_rows;
use crate::kernel::{has_signal_scopes, with_signals};
use crate::limits::output_without_groups;
use crate::support::{
    Printed, TestDir, bare_command, command, interactors, names_in, sandbox_option, sandbox_options,
};

/// The environment variable that marks the processes of a run. Its value is short enough for the name of a process.
const MARK: &str = "HOSTILE_MARK";

/// A run whose processes and temporary files can be found.
pub struct Run {
    pub judge: Command,
    pub mark: String,
    pub temporary: TestDir,
}

impl Run {
    /// Returns the run of a bot against an interactor. Each of the two is the path of a program in Python. A program
    /// that attacks has the name of the attack and a space before its path.
    fn new(interactor: &str, style: &str, bot: &str, options: &str) -> Self {
        let hostile = |program: &str| match program.split_once(' ') {
            Some((attack, program)) => format!("hostile.py {attack} {program}"),
            None => program.to_owned(),
        };
        let interactor = format!("python3 {}", hostile(interactor));
        Self::of(&["--interactor", &interactor, "--style", style, "--input", "inputs/2.in"], options)
            .with_bot(&format!("python3 {}", hostile(bot)).split(' ').collect::<Vec<_>>())
    }

    pub fn of(args: &[&str], options: &str) -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let mark = format!("h{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let mut judge = bare_command();
        judge.current_dir(interactors());
        judge.arg("run").args(args).args(options.split_whitespace()).arg("--json");
        // A bot that signals the judge's process group must not reach this test.
        judge.env(MARK, &mark).process_group(0).stdin(Stdio::null());
        let temporary = TestDir::new();
        judge.env("TMPDIR", temporary.path());
        Self { judge, mark, temporary }
    }

    pub fn with_bot(mut self, bot: &[&str]) -> Self {
        self.judge.arg("--").args(bot);
        self
    }

    /// Runs the judge, and checks that no process and no control group of the run is left.
    fn output(&mut self) -> Output {
        let output = output_without_groups(&mut self.judge);
        assert_eq!(left_behind(&self.mark), [""; 0], "{}{}", output.out(), output.err());
        output
    }

    /// Runs the judge, and checks the verdict, and that no process and no temporary file is left. Each of `words` must be
    /// in the reason, the evidence, or a program's stderr.
    #[track_caller]
    fn expect(mut self, verdict: &str, words: &[&str]) {
        let output = self.output();
        assert_eq!(names_in(self.temporary.path()), [""; 0], "{}", output.err());
        let line = output.report();
        assert_eq!(line["verdict"], verdict, "{line}");
        for words in words {
            let is_in = |field: &Value| field.to_string().contains(words);
            let fields = [&line["reason"], &line["why"], &line["passes"], &line["referee"]["stderr"]];
            assert!(fields.into_iter().any(is_in), "{line}");
        }
        output.exits(match verdict {
            "ACCEPTED" | "PARTIAL" => 0,
            "JUDGE_ERROR" => 2,
            _ => 1,
        });
    }
}

/// Returns the `stat` lines of the processes that have the mark in their environment or as their name. A zombie has a
/// name, but no environment.
pub fn left_behind(mark: &str) -> Vec<String> {
    let variable = format!("{MARK}={mark}");
    let processes = fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().path());
    let is_marked = |process: &Path| {
        let environment = fs::read(process.join("environ")).unwrap_or_default();
        let name = fs::read_to_string(process.join("comm")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|entry| entry == variable.as_bytes())
            || name.trim_end() == mark
    };
    let status = |process: &Path| fs::read_to_string(process.join("stat")).unwrap_or_default();
    processes.filter(|process| is_marked(process)).map(|process| status(&process)).collect()
}

/// Checks that the kernel refuses attacks on the other program or the judge, and that the verdict blames the attacker.
#[test]
fn attacks_are_refused() {
    if !has_signal_scopes() || sandbox_option().is_none() {
        return;
    }
    for attack in ["kill", "stop", "kill-warden", "kill-judge", "pipes"] {
        let bot = format!("{attack} bots/good.py");
        Run::new("testlib.py", "testlib", &bot, "").expect("CRASHED", &["PermissionError"]);
        // The interactor is no more trusted than the bot.
        let interactor = format!("{attack} icpc.py");
        let refused = Run::new(&interactor, "icpc", "bots/good.py", "");
        refused.expect("JUDGE_ERROR", &["exited with code 1", "PermissionError"]);
    }
}

/// Checks that an attack on the interactor never helps the bot if the kernel cannot refuse the attack, and that the
/// report names the bot as a possible cause.
#[test]
fn attacks_that_the_kernel_cannot_refuse() {
    with_signals(|| {
        let run = |attack: &str| Run::new("icpc.py", "icpc", &format!("{attack} bots/good.py"), "");
        run("kill").expect("JUDGE_ERROR", &["SIGKILL", "from another program"]);
        run("stop").expect("JUDGE_ERROR", &["a signal stopped the interactor", "from another program"]);
        run("kill-warden").output().refuses("the warden of ");
    });
}

/// Checks that a bot in the sandbox cannot write to the interactor's folder, but may open its output again before it
/// closes it. Without the sandbox it can write, which shows that the attempts are real. If it closes its output first,
/// opening it fails, and the verdict blames the bot.
#[test]
fn files_of_the_interactor_and_output_that_is_opened_again() {
    let run = |attack: &str, options| Run::new("icpc.py", "icpc", &format!("{attack} bots/good.py"), options);
    run("score", "").expect("PARTIAL", &["a score of 1000"]);
    run("next-pass", "").expect("JUDGE_ERROR", &["nextpass.in"]);
    for options in sandbox_options() {
        run("reopen", options).expect("ACCEPTED", &[]);
        run("reopen-closed", options).expect("CRASHED", &["FileNotFoundError"]);
        if !options.is_empty() {
            run("score", options).expect("CRASHED", &["PermissionError"]);
            run("next-pass", options).expect("CRASHED", &["PermissionError"]);
        }
    }
}

/// Checks that no orphan in a new session and no zombie of either program is left. Zombies count as processes.
#[test]
fn processes_that_are_left_behind() {
    for limits in ["auto", "proc"] {
        let options = format!("--limits {limits} --time-limit 20");
        for attack in ["orphans", "zombies"] {
            let bot = format!("{attack} bots/good.py");
            Run::new("icpc.py", "icpc", &bot, &options).expect("ACCEPTED", &[]);
            let interactor = format!("{attack} icpc.py");
            Run::new(&interactor, "icpc", "bots/good.py", &options).expect("ACCEPTED", &[]);
        }
        let many = Run::new("icpc.py", "icpc", "too-many-zombies bots/good.py", &options);
        many.expect("PROCESSES", &["its limit of 64 processes"]);
        let many = Run::new("too-many-zombies icpc.py", "icpc", "bots/good.py", &options);
        many.expect("JUDGE_ERROR", &["the interactor asked for more than its limit of 64 processes"]);
    }
}

/// Checks that a child process that a program leaves running is ended as soon as the program ends. The other program
/// waits for the end of that process.
#[test]
fn processes_end_with_their_program() {
    let here = TestDir::new();
    let leaves = "while :; do :; done & echo $!; ";
    let waits = "read -r left; while [ -d /proc/$left ]; do :; done; ";
    let [leaving, waiting] = [("leaves.sh", format!("{leaves}exit 0")), ("waits.sh", waits.to_owned())]
        .map(|(name, script)| format!("sh {}", here.write(name, script)));
    for (interactor, bot) in [(&waiting, &leaving), (&leaving, &waiting)] {
        let bot: Vec<&str> = bot.split(' ').collect();
        let args = ["--interactor", interactor, "--style", "plain"];
        Run::of(&args, "--time-limit 30 --grace 30").with_bot(&bot).expect("ACCEPTED", &[]);
    }
}

/// Checks bots against `slow` whose verdict depends on real pipes, signals and process groups. First wins 6 1 2 with the
/// moves 3 2, 5 1 and 6 1.
#[test]
fn bots_get_their_verdicts_and_leave_nothing() {
    let mark = format!("b{}", std::process::id());
    // This header does not fit into the buffer of a pipe.
    let long = format!("{} --idle-limit 0.5", vec!["1 1 1"; 13_000].join(" + "));
    let flood = "head -c 70000000 /dev/zero >&2; read h; echo First; echo 3 2; read x; \
                 head -c 200000 /dev/zero >&2; echo 5 1; read x; echo 6 1; read x";
    let other_group =
        "exec python3 -c 'import os, time; os.setpgid(0, os.getpgid(os.getppid())); time.sleep(60)'";
    let idle = "6 1 2 --idle-limit 0.5";
    // What is written in many lines has a limit too.
    let many_lines = r#"awk 'BEGIN { print "First"; for (card = 40000; card > 20000; card--) printf "%4000d 1\n", card }'"#;
    // Each row has arguments of the judge, a script, the verdict, and words of the reason or of the evidence.
    let rows = [
        ("6 1 2", "exec 0</dev/null; printf 'First\\n3 2\\n5 1\\n6 1\\n'", "WON", ""),
        ("6 1 2", flood, "WON", ""),
        (
            "6 1 2 --wall-limit 5",
            "read h; printf 'First\\n3 2\\n'; yes ''",
            "MALFORMED",
            "move 3: expected a move",
        ),
        (idle, "trap '' HUP INT TERM; exec sleep 60", "IDLE", "sleeping for a set time"),
        (idle, other_group, "IDLE", ""),
        (idle, "exec python3 tests/bots/stopped.py", "IDLE", "a signal stopped the bot"),
        (idle, "exec python3 tests/bots/stopped.py traced", "IDLE", "a signal stopped the bot"),
        (&long, "exec sleep 60", "IDLE", "the bot has read nothing of what it was sent"),
        // The child process holds the pipes open, and would make an illegal move if the judge waited for it.
        ("6 1 2 --wall-limit 60", "read h; echo First; (sleep 5; echo 3 3) & exit 0", "EXITED_EARLY", ""),
        ("40000 1 1 --time-limit 60", many_lines, "OUTPUT_LIMIT", "the bot wrote more than 64 MiB"),
    ];
    check_rows(&rows, 4, |(args, script, verdict, words)| {
        let run = format!("run {args} --opponent slow --json");
        let game = command(&run, &["sh", "-c", script]).env(MARK, &mark).output().unwrap().report();
        let explained = [&game["reason"], &game["why"]].map(Value::to_string).concat();
        assert!(game["verdict"] == *verdict && explained.contains(words), "{script}: {game}");
    });
    assert_eq!(left_behind(&mark), [""; 0]);
}
