//! Measures how many games and plies the judge plays in a second. Processes and pipes without the judge are measured as
//! upper bounds. Each round measures every row once. Prints the median of the rounds, and the lowest and highest
//! figure.
//!
//! `cargo bench -p judge --bench throughput`

#![allow(clippy::unwrap_used, reason = "a bench fails by panicking")]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const ROUNDS: usize = 5;
const GAMES: u64 = 1000;
const JUDGE: &str = env!("CARGO_BIN_EXE_judge");

fn main() {
    let build = ["build", "--quiet", "--release", "--package", "zeroxor", "--bin", "zeroxor"];
    assert!(Command::new(env!("CARGO")).args(build).status().unwrap().success());
    let bot = Path::new(JUDGE).with_file_name("zeroxor");
    let bot = bot.to_str().unwrap();
    let rows: [(&str, &str, &dyn Fn() -> f64); 6] = [
        ("bare spawn and wait, one after the other", "processes/s", &|| spawns(bot)),
        ("judge run 20 3 5, a process a game", "games/s", &|| games(&["20", "3", "5"], bot)),
        ("judge stress --family segment --max-n 20 --jobs 1", "games/s", &|| stress("1", bot)),
        ("judge stress --family segment --max-n 20 --jobs 2", "games/s", &|| stress("2", bot)),
        ("a line to cat and back, both counted", "lines/s", &ping_pong),
        ("judge run 2000 1 1 --session --opponent slow", "plies/s", &|| plies(bot)),
    ];
    let mut figures = vec![Vec::new(); rows.len()];
    for _ in 0..ROUNDS {
        for (row, figures) in rows.iter().zip(&mut figures) {
            figures.push((row.2)());
        }
    }
    for ((name, unit, _), mut figures) in rows.iter().zip(figures) {
        figures.sort_by(f64::total_cmp);
        let (low, median, high) = (figures[0], figures[ROUNDS / 2], figures[ROUNDS - 1]);
        println!("{name:<50} {median:>8.0} {unit:<12} ({low:.0} to {high:.0})");
    }
}

/// Runs `work`, and returns `count` divided by its time in seconds.
fn rate(count: u64, work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    f64::from(u32::try_from(count).unwrap()) / start.elapsed().as_secs_f64()
}

fn spawns(bot: &str) -> f64 {
    rate(GAMES, || {
        for _ in 0..GAMES {
            let status = Command::new(bot).stdin(Stdio::null()).stdout(Stdio::piped()).status().unwrap();
            assert!(status.success());
        }
    })
}

fn judged(args: &[&str], bot: &str) {
    let status = Command::new(JUDGE).args(args).args(["--", bot]).stdout(Stdio::null()).status().unwrap();
    assert!(status.success());
}

fn games(header: &[&str], bot: &str) -> f64 {
    let count = GAMES.to_string();
    rate(GAMES, || judged(&[&["run"], header, &["--opponent", "random", "--games", &count]].concat(), bot))
}

fn stress(jobs: &str, bot: &str) -> f64 {
    let count = GAMES.to_string();
    rate(GAMES, || {
        judged(&["stress", "--family", "segment", "--max-n", "20", "--games", &count, "--jobs", jobs], bot);
    })
}

/// Returns the number of plies in a second, in games of 2000 plies each.
fn plies(bot: &str) -> f64 {
    let games = 100;
    let args = ["run", "2000", "1", "1", "--session", "--opponent", "slow", "--games", "100"];
    rate(2000 * games, || judged(&args, bot))
}

fn ping_pong() -> f64 {
    let mut cat = Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut to, mut from) = (cat.stdin.take().unwrap(), BufReader::new(cat.stdout.take().unwrap()));
    let (lines, mut line) = (50_000, String::new());
    let rate = rate(2 * lines, || {
        for _ in 0..lines {
            to.write_all(b"1000 1\n").unwrap();
            line.clear();
            from.read_line(&mut line).unwrap();
        }
    });
    drop(to);
    cat.wait().unwrap();
    rate
}
