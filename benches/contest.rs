//! Measures the bot's response times at N = 2000, the contest's limit: the time from its start to its first line, and
//! the time of each reply.
//!
//! For comparison, each start is followed by a start that only prints the version. Run with `cargo bench --bench contest`;
//! `docs/performance.md` has a result.

#![allow(clippy::expect_used, reason = "a bench fails by panicking")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use zeroxor::{GameSpec, Player, Position, Side};

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

/// Starts the bot and writes `input` to it. Returns the time from the start until the bot writes its first line.
fn first_line(args: &[&str], input: &str) -> Duration {
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_zeroxor"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    // Ignore a closed pipe: with --version the bot may have ended already.
    let _ = child.stdin.as_mut().expect("it is piped").write_all(input.as_bytes());
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("it is piped")).read_line(&mut line).expect("it is text");
    let time = start.elapsed();
    drop(child.stdin.take());
    child.wait().expect("it ends");
    time
}

fn starts() {
    const RUNS: usize = 15;
    let mut version_times = Vec::new();
    let mut bot_times = Vec::new();
    let mut medians = Vec::new();
    for (l, r) in windows() {
        let header = format!("{N} {l} {r}\n");
        let mut times = Vec::new();
        for _ in 0..RUNS {
            times.push(first_line(&[], &header));
            version_times.push(first_line(&["--version"], &header));
        }
        medians.push((quantile(&mut times, 50), l, r, times.clone()));
        bot_times.extend(times);
    }
    println!("starts: {RUNS} of each of {} windows, header to first line", medians.len());
    println!("| | least | median | 99 % | most |\n|---|---|---|---|---|");
    for (what, times) in [("the version", &mut version_times), ("a game", &mut bot_times)] {
        row(what, times);
    }
    medians.sort();
    for (_, l, r, times) in medians.iter_mut().rev().take(3) {
        row(&format!("a game, [{l}, {r}]"), times);
    }
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
    let game: GameSpec = format!("{N} {l} {r}").parse().expect("it is a game");
    let mut player = Player::new(Position::new(&game).expect("it is a game"));
    let side = player.winning_side().expect("it is small");
    let (mut random, mut last, mut times) = ((l * 4001 + r) as u64, None, Vec::new());
    loop {
        if side == Side::First || last.is_some() {
            let start = Instant::now();
            last.map_or(Ok(()), |mv| player.opponent_played(mv)).expect("it is legal");
            let mv = player.best_move().expect("the bot wins");
            player.play(mv).expect("it is legal");
            times.push(start.elapsed());
        }
        let position = player.position();
        if position.is_over() {
            return times;
        }
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        last = position.nth_move(u128::from(random >> 16) % position.move_count());
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
