//! Judges that are stopped (state T): by Ctrl-Z, or by a bot that sends SIGSTOP.

use std::collections::HashSet;
use std::fs;
use std::os::unix::process::CommandExt;
use std::process::{self, Child, Command, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::support::{
    FIND_ABOVE, JUDGE, await_that, child_of, command, is_alive, is_linux, is_running, send, state, text,
};

/// A running judge. Each of its bots has a child, and an orphan in a new session.
struct Job {
    judge: Child,
    referee: u32,
    sleep: [String; 2],
    groups: HashSet<String>,
}

impl Job {
    /// Starts the judge. `number` distinguishes its processes from all others.
    fn start(kind: Kind, number: usize) -> Self {
        let sleep = ["sleep".to_owned(), format!("300.{}{number}", process::id())];
        let script = format!("(setsid sleep {0} &); sleep {0} & exec sleep {0}", sleep[1]);
        let mut judge = kind.command(&script, "200");
        let judge = judge.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let judge = judge.process_group(0).spawn().unwrap();
        let referee = child_of(judge.id()).unwrap();
        let mut job = Self { judge, referee, sleep, groups: HashSet::new() };
        await_that(|| job.processes().len() >= 3 * kind.bots());
        job.groups = job.processes().iter().filter_map(|process| group_of(process)).collect();
        job
    }

    /// Returns the processes of the judge's bots.
    fn processes(&self) -> Vec<String> {
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").unwrap() {
            let path = entry.unwrap().path();
            let arguments = fs::read_to_string(path.join("cmdline")).unwrap_or_default();
            if arguments.split_terminator('\0').eq(&self.sleep) {
                found.push(path.file_name().unwrap().to_str().unwrap().to_owned());
            }
        }
        found
    }

    /// Sends the signal of Ctrl-Z until the judge is stopped. Checks that the bots are stopped too.
    fn stop(&self) {
        await_that(|| {
            kill_process_group(Pid::from_child(&self.judge), Signal::TSTP).unwrap();
            is_stopped(self.judge.id())
        });
        assert!(is_stopped(self.referee));
        let bots = self.processes();
        assert!(bots.len() >= 3 && bots.iter().all(|bot| is_stopped(bot.parse().unwrap())), "{bots:?}");
    }

    /// Ends the judge by `signal`, and checks its report.
    fn end(self, kind: Kind, signal: Signal) {
        send(signal, self.judge.id());
        self.await_end();
        let output = self.judge.wait_with_output().unwrap();
        let (shown, message) = (text(&output.stdout), text(&output.stderr));
        let (code, is_reported) = match kind {
            Kind::Run | Kind::Jobs => (2, shown.starts_with("INTERRUPTED 6 1 2 ")),
            Kind::Arena => (2, message.starts_with("judge: the run ended after 0 of 2 games")),
        };
        assert_eq!((output.status.code(), is_reported), (Some(code), true), "{shown}{message}");
    }

    fn await_end(&self) {
        let supervisor = self.judge.id().to_string();
        await_that(|| self.processes().is_empty() && !is_alive(&self.referee.to_string()));
        await_that(|| !is_running(|arguments| arguments.ends_with(&["wake".to_owned(), supervisor.clone()])));
        for group in &self.groups {
            await_that(|| {
                let found = Command::new("find").args(["/sys/fs/cgroup", "-name", group]).output().unwrap();
                found.stdout.is_empty()
            });
        }
    }
}

fn is_stopped(process: u32) -> bool {
    state(process) == Some('T')
}

/// Returns the name of the control group that the judge has made for a process.
fn group_of(process: &str) -> Option<String> {
    let groups = fs::read_to_string(format!("/proc/{process}/cgroup")).unwrap_or_default();
    groups
        .lines()
        .find_map(|line| Some(line.rsplit_once('/')?.1))
        .filter(|name| name.starts_with("zeroxor-"))
        .map(str::to_owned)
}

/// A kind of run.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Run,
    /// A run with several jobs.
    Jobs,
    Arena,
}

const KINDS: [Kind; 3] = [Kind::Run, Kind::Jobs, Kind::Arena];

impl Kind {
    /// Returns the command of a judge whose bots run a shell script.
    fn command(self, script: &str, time_limit: &str) -> Command {
        let (args, bot) = match self {
            Self::Run => ("run 6 1 2 --opponent slow", &["sh", "-c", script] as &[&str]),
            Self::Jobs => ("run 6 1 2 --opponent slow --games 2 --jobs 2", &["sh", "-c", script] as _),
            Self::Arena => ("arena --family nim --max-n 9 --pairs 1 --jobs 1 --bot random", &[] as _),
        };
        let mut judge = command(&format!("{args} --time-limit {time_limit}"), bot);
        if self == Self::Arena {
            judge.args(["--bot", &format!("bot=sh -c '{script}'")]);
        }
        judge
    }

    /// Returns the minimum number of bots that run at the same time.
    fn bots(self) -> usize {
        if self == Self::Jobs { 2 } else { 1 }
    }
}

/// Checks that Ctrl-Z stops the judge and its bots, and that continuing the job continues all of them.
#[test]
fn a_judge_is_a_job() {
    if !is_linux() {
        return;
    }
    for (number, kind) in (0..).zip(KINDS) {
        let job = Job::start(kind, number);
        for _ in 0..2 {
            job.stop();
            kill_process_group(Pid::from_child(&job.judge), Signal::CONT).unwrap();
            let processes = [job.judge.id(), job.referee].map(|process| process.to_string()).into_iter();
            let processes: Vec<String> = processes.chain(job.processes()).collect();
            await_that(|| processes.iter().all(|process| !is_stopped(process.parse().unwrap())));
        }
        job.end(kind, Signal::TERM);
    }
}

/// Checks that no process and no control group is left if the supervisor of a stopped judge is killed.
#[test]
fn a_stopped_judge_that_is_killed() {
    if !is_linux() {
        return;
    }
    for (number, kind) in (10..).zip(KINDS) {
        let mut job = Job::start(kind, number);
        job.stop();
        send(Signal::KILL, job.judge.id());
        job.judge.wait().unwrap();
        job.await_end();
    }
}

/// Checks that a signal ends a stopped judge in the same way as a running judge.
#[test]
fn a_stopped_judge_that_is_asked_to_end() {
    if !is_linux() {
        return;
    }
    let signals = [Signal::TERM, Signal::HUP, Signal::INT, Signal::QUIT];
    let runs = signals.map(|signal| (Kind::Run, signal)).into_iter();
    let runs = runs.chain([(Kind::Jobs, Signal::TERM), (Kind::Arena, Signal::TERM)]);
    for (number, (kind, signal)) in (20..).zip(runs) {
        let job = Job::start(kind, number);
        job.stop();
        job.end(kind, signal);
    }
}

/// Returns the output of a judge whose bots run the script `before`, play, and run the script `after`. A judge that
/// hangs is killed after 300 s.
fn result(kind: Kind, before: &str, after: &str, time_limit: &str) -> Output {
    let script = format!("ulimit -t 30; {FIND_ABOVE}; {before}; {JUDGE} bot; {after}");
    let judge = kind.command(&script, time_limit);
    let mut limited = Command::new("timeout");
    limited.args(["--signal=KILL", "300"]).arg(judge.get_program()).args(judge.get_args());
    limited.stdin(Stdio::null()).output().unwrap()
}

/// Checks that a bot that stops one or two processes of the judge does not make the judge hang.
#[test]
fn bots_that_stop_the_judge() {
    if !is_linux() {
        return;
    }
    for kind in KINDS {
        for target in ["$PPID", "$above", "$PPID $above"] {
            for (before, after) in [
                (format!("kill -STOP {target}"), String::new()),
                (":".to_owned(), format!("kill -STOP {target}")),
            ] {
                let output = result(kind, &before, &after, "60");
                let (shown, message) = (text(&output.stdout), text(&output.stderr));
                let is_judged = matches!(output.status.code(), Some(0..=2));
                assert!(
                    is_judged && (kind == Kind::Arena || shown.contains(" 6 1 2 ")),
                    "{before} {after}: {shown}{message}"
                );
            }
        }
    }
    let output = result(Kind::Run, "kill -STOP $above", "", "60");
    assert!(text(&output.stdout).starts_with("WON "), "a short stop is harmless: {output:?}");
}

/// Checks that a bot that stops the judge repeatedly does not make the judge hang, and does not win.
#[test]
fn bots_that_stop_the_judge_repeatedly() {
    if !is_linux() {
        return;
    }
    for (kind, target) in [(Kind::Run, "$PPID"), (Kind::Run, "$above"), (Kind::Jobs, "$PPID")] {
        let output = result(kind, &format!("while :; do kill -STOP {target}; done"), "", "1");
        assert!(matches!(output.status.code(), Some(1 | 2)), "{target}: {output:?}");
        if (kind, target) == (Kind::Run, "$PPID") {
            let message = text(&output.stderr);
            assert!(
                message.is_empty() || message.contains(" was stopped 100 times and is now ended"),
                "{message}"
            );
        }
    }
}
