//! Checks that the bot answers or refuses random headers in a few seconds.

use std::path::Path;
use std::process::Command;

use itertools::Itertools;
use rand::rngs::ChaCha8Rng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::support::{JUDGE, Printed, reading, root};

/// The number of headers to try, unless the environment variable `HEADERS` has another number.
const HEADERS: u64 = 10_000;

/// Returns a number at or near a power of 10 or of 2, where a limit applies or the engine or the width of a number changes;
/// a number of at most 60; or one of a random number of digits.
fn number(random: &mut ChaCha8Rng) -> u64 {
    let edge = match random.random_range(0..4) {
        0 => 10_u64.pow(random.random_range(0..=18)),
        1 => 1 << random.random_range(0..60),
        2 => return random.random_range(1..=60),
        _ => {
            let digits = random.random_range(1..=18);
            return random.random_range(1..=10_u64.pow(digits));
        }
    };
    if random.random_bool(0.5) { edge } else { (edge + random.random_range(0..5)).saturating_sub(2).max(1) }
}

fn numbers(random: &mut ChaCha8Rng, count: usize) -> Vec<u64> {
    (0..count).map(|_| number(random)).collect()
}

/// Returns a list of numbers to ban or to take: a few random numbers, many small numbers, squares, every `step`-th
/// square, or a scaled set.
fn list(random: &mut ChaCha8Rng) -> Vec<u64> {
    let (count, step) = (random.random_range(1..2_000), random.random_range(1..8));
    match random.random_range(0..5) {
        0 => numbers(random, step.min(6)),
        1 => (1..=count).collect(),
        2 => (1..=count).map(|root| root * root).collect(),
        3 => (1..=20_000).step_by(step).map(|root| root * root).collect(),
        _ => {
            let scale = number(random).min(10_u64.pow(16));
            (0..random.random_range(1..5)).map(|_| scale * random.random_range(1..40)).collect()
        }
    }
}

fn game(random: &mut ChaCha8Rng) -> String {
    let kinds =
        ["segment", "segment", "square", "square ban", "divisor ban", "subtract take", "nim", "euclid"];
    let kind = *kinds.choose(random).unwrap();
    if kind == "segment" {
        let mut window = numbers(random, 3);
        if random.random_bool(0.9) {
            window.sort_unstable();
        }
        if random.random_bool(0.2) {
            window[1] = window[0];
        }
        return format!("segment {} {} {}", window[2], window[0], window[1]);
    }
    let (name, keyword) = kind.split_once(' ').unwrap_or((kind, ""));
    let count = if name == "euclid" { 2 } else { random.random_range(1..=5) };
    let piles = numbers(random, count).iter().join(" ");
    let list = if keyword.is_empty() { String::new() } else { list(random).iter().join(" ") };
    format!("{name} {piles} {keyword} {list}").trim_end().to_owned()
}

/// Returns a header, or a line that is almost a header.
fn header(seed: u64) -> String {
    let random = &mut ChaCha8Rng::seed_from_u64(seed);
    let games = *[1, 1, 1, 2, 2, 3, 5].choose(random).unwrap();
    let mut header = (0..games).map(|_| game(random)).collect::<Vec<_>>().join(" + ");
    if random.random_bool(0.1) {
        header.push_str([" seat first", " seat second", " +", " seat", " 0", " ban"].choose(random).unwrap());
    }
    if random.random_bool(0.05) {
        let at = random.random_range(0..header.len());
        header.replace_range(at..=at, ["", " ", "0", "9", "x", "-"].choose(random).unwrap());
    }
    header
}

/// Checks that the bot answers within 8 s of CPU time, or refuses within 2 s. The limits on sizes are made for about three
/// seconds on a slow machine, and wide windows take longer.
fn assert_answered_or_refused(bot: &Path, header: &str) {
    let answer = |seconds: u32| {
        // The limit on memory protects the machine that runs the test.
        let script = format!("ulimit -t {seconds}; ulimit -v 1572864; exec \"$0\"");
        reading(Command::new("sh").args(["-c", &script]).arg(bot), format!("{header}\n").as_bytes())
    };
    let mut output = answer(2);
    let is_late = output.code().is_none();
    if is_late {
        output = answer(8);
    }
    let is_right = match output.code() {
        // After its first line the bot sees the end of the input, and reports that by exit code 1.
        Some(1) => output.out().starts_with("First\n") || output.out() == "Second\n",
        // A subtraction set is refused only after its first values have shown no period.
        Some(2) => output.out().is_empty() && (!is_late || header.contains("subtract")),
        _ => false,
    };
    assert!(is_right, "{}: {}, {output:?}", &header[..header.len().min(200)], output.status);
    assert!(output.err().starts_with("zeroxor: "), "{output:?}");
}

#[test]
#[ignore = "takes several minutes"]
fn ten_thousand_headers() {
    // Use a release build, with which the limits were measured. A build that checks for overflow is slower.
    let build = ["build", "--quiet", "--release", "--package", "zeroxor", "--bin", "zeroxor"];
    assert!(Command::new(env!("CARGO")).args(build).current_dir(root()).status().unwrap().success());
    let built = &Path::new(JUDGE).ancestors().nth(2).unwrap().join("release/zeroxor");
    let headers = std::env::var("HEADERS").map_or(HEADERS, |headers| headers.parse().unwrap());
    std::thread::scope(|scope| {
        for first in 0..2 {
            let seeds = (first..headers).step_by(2);
            scope.spawn(|| seeds.for_each(|seed| assert_answered_or_refused(built, &header(seed))));
        }
    });
}
