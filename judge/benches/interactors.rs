//! Measures what a judged run costs, as processor time of all processes: of two small programs joined by pipes, and in
//! turn of the same programs joined by `judge run` in each mode, which records every line. The start of the judge is
//! measured by a command of one run and taken off. Prints the median ratio of the rounds with the lowest and highest.
//!
//! `cargo bench -p judge --bench interactors`, which needs a C compiler and Linux. Compare in one bench only: the figures
//! depend on what else the machine does.

#![allow(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    reason = "a bench fails by panicking, and times are small"
)]

use std::fs;
use std::io::{PipeReader, PipeWriter};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use runner::OneProcessor;

const ROUNDS: usize = 5;
/// Number of lines of the long conversation, and of each short one.
const MANY_LINES: u32 = 20_000;
const FEW_LINES: u32 = 9;
/// Number of short conversations in one round.
const RUNS: u32 = 100;
const JUDGE: &str = env!("CARGO_BIN_EXE_judge");

/// A C program that writes `argv[1]` lines, and reads a line after each.
const ASKS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char line[64];
    for (long i = 0, n = atol(argv[1]); i < n; i++) {
        int length = snprintf(line, sizeof line, "%ld\n", i);
        if (write(1, line, length) != length || read(0, line, sizeof line) <= 0) return 1;
    }
    return 0;
}
"#;

/// A C program that writes each line back.
const ANSWERS: &str = r"
#include <unistd.h>
int main(void) {
    char line[64];
    for (ssize_t length; (length = read(0, line, sizeof line)) > 0;)
        if (write(1, line, length) != length) return 1;
    return 0;
}
";

/// The paths of the two compiled programs.
struct Pair {
    asks: PathBuf,
    answers: PathBuf,
}

impl Pair {
    fn compiled(folder: &Path) -> Self {
        let compile = |name: &str, source: &str| {
            let (program, file) = (folder.join(name), folder.join(name).with_extension("c"));
            fs::write(&file, source).unwrap();
            let compiled = Command::new("cc").arg("-O2").arg("-o").arg(&program).arg(&file).status();
            assert!(compiled.unwrap().success());
            program
        };
        Self { asks: compile("asks", ASKS), answers: compile("answers", ANSWERS) }
    }

    /// Runs a conversation of `lines` lines by pipes.
    fn by_pipes(&self, lines: u32) {
        let (to_answers, from_asks) = std::io::pipe().unwrap();
        let (to_asks, from_answers) = std::io::pipe().unwrap();
        // A command keeps its pipes open until it is dropped.
        let spawn = |program: &Path, args: &[String], stdin: PipeReader, stdout: PipeWriter| {
            Command::new(program).args(args).stdin(stdin).stdout(stdout).spawn().unwrap()
        };
        let mut asks = spawn(&self.asks, &[lines.to_string()], to_asks, from_asks);
        let mut answers = spawn(&self.answers, &[], to_answers, from_answers);
        assert!(asks.wait().unwrap().success() && answers.wait().unwrap().success());
    }

    /// Runs a conversation of `lines` lines `runs` times by one command of the judge.
    fn by_judge(&self, lines: u32, runs: u32, options: &str) {
        let interactor = format!("{} {lines}", self.asks.display());
        let mut judge = Command::new(JUDGE);
        judge.args(["run", "--interactor", &interactor, "--style", "plain", "-q"]);
        judge.args(["--time-limit", "60", "--interactor-time", "60", "--games", &runs.to_string()]);
        judge.args(options.split_ascii_whitespace()).arg("--").arg(&self.answers);
        assert!(judge.stdout(Stdio::null()).status().unwrap().success());
    }
}

/// Returns the microseconds of processor time that the processes started by `work` use.
fn cpu(work: impl FnOnce()) -> f64 {
    let micros = || {
        let used = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap();
        used.user_time().num_microseconds() + used.system_time().num_microseconds()
    };
    let before = micros();
    work();
    (micros() - before) as f64
}

/// Returns the processor time of one short conversation by the judge, without the start of the judge.
fn run_cost(pair: &Pair, options: &str) -> f64 {
    let one = cpu(|| pair.by_judge(FEW_LINES, 1, options));
    (cpu(|| pair.by_judge(FEW_LINES, RUNS + 1, options)) - one) / f64::from(RUNS)
}

fn main() {
    const MODES: [&str; 6] = [
        "",
        "--limits proc",
        "--sandbox",
        "--sandbox --interactor-sandbox",
        "--sandbox --interactor-sandbox --jobs 2",
        "--sandbox --interactor-sandbox --fresh",
    ];
    let folder = tempfile::tempdir().unwrap();
    let pair = Pair::compiled(folder.path());
    let mut rounds: Vec<Vec<f64>> = vec![Vec::new(); 3 + MODES.len()];
    for _ in 0..ROUNDS {
        let pipes = cpu(|| (0..RUNS).for_each(|_| pair.by_pipes(FEW_LINES))) / f64::from(RUNS);
        rounds[0].push(pipes);
        for (mode, figures) in MODES.iter().zip(&mut rounds[1..]) {
            figures.push(run_cost(&pair, mode) / pipes);
        }
        let processor = OneProcessor::choose(false);
        let lines = cpu(|| pair.by_pipes(MANY_LINES));
        drop(processor);
        rounds[1 + MODES.len()].push(lines / f64::from(MANY_LINES));
        rounds[2 + MODES.len()].push(cpu(|| pair.by_judge(MANY_LINES, 1, "")) / lines);
    }
    let modes = MODES.map(|mode| format!("a run by judge run {mode}: times that"));
    let names = ["a run by pipes, µs".to_owned()].into_iter().chain(modes);
    let names = names.chain(
        ["a line and back by pipes on one processor, µs", "by judge run: times that"].map(str::to_owned),
    );
    for (name, mut figures) in names.zip(rounds) {
        figures.sort_by(f64::total_cmp);
        let (low, median, high) = (figures[0], figures[ROUNDS / 2], figures[ROUNDS - 1]);
        println!("{name:<78} {median:>8.2} ({low:.2} to {high:.2})");
    }
}
