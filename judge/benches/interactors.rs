//! Measures the overhead of the judge between two programs: the time of 100,000 lines to a program and back, and the
//! time of two programs that exit immediately. Each round measures the programs joined by pipes, and then with the
//! judge between them, which records every line. Prints the median of the rounds, and the lowest and highest figure.
//!
//! `cargo bench -p judge --bench interactors`, which needs a C compiler

#![allow(clippy::unwrap_used, reason = "a bench fails by panicking")]

use std::fs;
use std::io::{PipeReader, PipeWriter};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const ROUNDS: usize = 7;
const LINES: u32 = 100_000;
/// Number of runs without lines in one round. The round's figure is their mean.
const STARTS: u32 = 20;
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

    /// Returns the milliseconds that a conversation of `lines` lines takes if pipes join the programs, including their
    /// start and end.
    fn by_pipes(&self, lines: u32) -> f64 {
        let start = Instant::now();
        let (to_answers, from_asks) = std::io::pipe().unwrap();
        let (to_asks, from_answers) = std::io::pipe().unwrap();
        // A command keeps its pipes open until it is dropped.
        let spawn = |program: &Path, args: &[String], stdin: PipeReader, stdout: PipeWriter| {
            Command::new(program).args(args).stdin(stdin).stdout(stdout).spawn().unwrap()
        };
        let mut asks = spawn(&self.asks, &[lines.to_string()], to_asks, from_asks);
        let mut answers = spawn(&self.answers, &[], to_answers, from_answers);
        assert!(asks.wait().unwrap().success() && answers.wait().unwrap().success());
        start.elapsed().as_secs_f64() * 1000.0
    }

    /// Returns the milliseconds that the conversation takes if the judge is between the programs, including the judge's
    /// own start and end.
    fn by_judge(&self, lines: u32) -> f64 {
        let start = Instant::now();
        let interactor = format!("{} {lines}", self.asks.display());
        let mut judge = Command::new(JUDGE);
        judge.args([
            "run",
            "--interactor",
            &interactor,
            "--style",
            "plain",
            "--time-limit",
            "60",
            "--interactor-time",
            "60",
            "--",
        ]);
        let status = judge.arg(&self.answers).stdout(Stdio::null()).status().unwrap();
        assert!(status.success());
        start.elapsed().as_secs_f64() * 1000.0
    }
}

/// Returns the mean of `STARTS` measurements.
fn mean(measure: impl Fn() -> f64) -> f64 {
    (0..STARTS).map(|_| measure()).sum::<f64>() / f64::from(STARTS)
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let pair = Pair::compiled(folder.path());
    let rounds: Vec<[f64; 4]> = (0..ROUNDS)
        .map(|_| {
            let (by_pipes, by_judge) = (pair.by_pipes(LINES), pair.by_judge(LINES));
            [by_pipes, by_judge, mean(|| pair.by_pipes(0)), mean(|| pair.by_judge(0))]
        })
        .collect();
    let show = |name: &str, unit: &str, digits: usize, figure: &dyn Fn(&[f64; 4]) -> f64| {
        let mut figures: Vec<f64> = rounds.iter().map(figure).collect();
        figures.sort_by(f64::total_cmp);
        let (low, median, high) = (figures[0], figures[ROUNDS / 2], figures[ROUNDS - 1]);
        println!("{name:<44} {median:>8.digits$} {unit:<5} ({low:.digits$} to {high:.digits$})");
    };
    show("100,000 lines and back, by pipes", "ms", 0, &|round| round[0]);
    show("100,000 lines and back, by judge run", "ms", 0, &|round| round[1]);
    show("the second divided by the first", "", 2, &|round| round[1] / round[0]);
    show("start and end of both programs, by pipes", "ms", 2, &|round| round[2]);
    show("start and end of both, by judge run", "ms", 2, &|round| round[3]);
    show("the second minus the first", "ms", 2, &|round| round[3] - round[2]);
}
