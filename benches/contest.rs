//! Measures the bot's response times at N = 2000, the contest's limit: the time from its start to its first line, and
//! the time of each reply.
//!
//! For comparison, each start is followed by the start of an empty Rust program. Run with
//! `cargo bench --bench contest`; `docs/performance.md` has a result.

#![allow(clippy::expect_used, reason = "a bench fails by panicking")]

use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use zeroxor::core::row::{Move, Row};
use zeroxor::core::strategy::{Side, Strategy};

const N: usize = 2000;

/// The bounds of the windows. All pairs L <= R of these numbers are used.
const ENDS: [usize; 14] = [1, 2, 3, 5, 7, 20, 50, 100, 300, 700, 1000, 1300, 1999, 2000];

fn windows() -> impl Iterator<Item = (usize, usize)> {
    ENDS.iter().flat_map(|&r| ENDS.iter().map(move |&l| (l, r))).filter(|(l, r)| l <= r)
}

fn main() {
    starts();
    replies();
}

/// Starts `program` and writes `input` to it. Returns the time from the start until the program writes its first line
/// or closes its output.
fn first_line(program: &Path, input: &str) -> Duration {
    let start = Instant::now();
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    // Ignore a closed pipe: the empty program may have ended already.
    let _ = child.stdin.as_mut().expect("it is piped").write_all(input.as_bytes());
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("it is piped")).read_line(&mut line).expect("it is text");
    let time = start.elapsed();
    drop(child.stdin.take());
    child.wait().expect("it ends");
    time
}

/// Compiles a program that does nothing, and returns its path.
fn empty_program() -> PathBuf {
    let folder = env::temp_dir().join(format!("zeroxor-empty-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("the folder can be made");
    fs::write(folder.join("empty.rs"), "fn main() {}").expect("the source can be written");
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut rustc = Command::new(rustc);
    let built = rustc.args(["-O", "empty.rs"]).current_dir(&folder).status().expect("rustc starts");
    assert!(built.success(), "the empty program is built");
    folder.join("empty")
}

fn starts() {
    const RUNS: usize = 15;
    let (bot, empty) = (Path::new(env!("CARGO_BIN_EXE_zeroxor")), empty_program());
    let mut empty_times = Vec::new();
    let mut bot_times = Vec::new();
    let mut medians = Vec::new();
    for (l, r) in windows() {
        let header = format!("{N} {l} {r}\n");
        let mut times = Vec::new();
        for _ in 0..RUNS {
            times.push(first_line(bot, &header));
            empty_times.push(first_line(&empty, &header));
        }
        medians.push((quantile(&mut times, 50), l, r, times.clone()));
        bot_times.extend(times);
    }
    println!("starts: {RUNS} of each of {} windows, header to first line", medians.len());
    println!("| | least | median | 99 % | most |\n|---|---|---|---|---|");
    for (what, times) in [("empty program", &mut empty_times), ("bot", &mut bot_times)] {
        row(what, times);
    }
    medians.sort();
    for (_, l, r, times) in medians.iter_mut().rev().take(3) {
        row(&format!("bot, [{l}, {r}]"), times);
    }
    fs::remove_dir_all(empty.parent().expect("it lies in a folder")).expect("the folder can be removed");
}

fn replies() {
    let times = |window| replies_in(window).into_iter().map(move |time| (time, window));
    let replies: Vec<_> = windows().flat_map(times).collect();
    let (most, (l, r)) = replies.iter().copied().max().unwrap_or_default();
    let mut times: Vec<Duration> = replies.iter().map(|&(time, _)| time).collect();
    let [median, high] = [50, 99].map(|percent| quantile(&mut times, percent));
    println!("\n| replies, one game a window | median | 99 % | most |\n|---|---|---|---|");
    println!("| {} | {median:.1?} | {high:.1?} | {most:.1?} in [{l}, {r}] |", times.len());
}

/// Returns the times of the bot's replies in one game, in which the other side plays random moves. The time of the
/// nimbers, which are computed before the first line, is not included.
fn replies_in((l, r): (usize, usize)) -> Vec<Duration> {
    let mut row = Row::new(N, l, r).expect("it is a game");
    let strategy = Strategy::new(&row);
    let mut random = l * 4001 + r;
    let mut last = None;
    let mut times = Vec::new();
    loop {
        if last.is_some() || strategy.side(&row) == Side::First {
            let start = Instant::now();
            let mv = strategy.answer(&row, last).expect("the bot wins");
            row.take(mv).expect("it is legal");
            times.push(start.elapsed());
        }
        let starts = |segment: &Range<usize>| segment.start..(segment.end + 1).saturating_sub(l);
        let places: Vec<usize> = row.segments().iter().flat_map(starts).collect();
        if places.is_empty() {
            return times;
        }
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mv = Move { x: places[(random >> 16) % places.len()], y: l };
        row.take(mv).expect("it is legal");
        last = Some(mv);
    }
}

fn quantile(times: &mut [Duration], percent: usize) -> Duration {
    times.sort();
    times[(times.len() - 1) * percent / 100]
}

fn row(what: &str, times: &mut [Duration]) {
    let [least, median, high, most] = [0, 50, 99, 100].map(|percent| quantile(times, percent).as_micros());
    println!("| {what} | {least} µs | {median} µs | {high} µs | {most} µs |");
}
