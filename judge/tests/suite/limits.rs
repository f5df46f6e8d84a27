//! Checks that the bot answers or refuses random headers in a few seconds.

use std::io::{Read, Write};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use itertools::Itertools;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use wait4::Wait4;

use crate::support::{JUDGE, root, start_talking};

/// The number of headers to try, unless the environment variable `HEADERS` has another number.
const HEADERS: u64 = 10_000;

/// Numbers at which a limit applies, or the engine or the width of a number changes.
const EDGES: [u64; 22] = [
    1,
    2,
    3,
    7,
    100,
    1_000,
    4_095,
    9_999,
    65_535,
    65_536,
    100_000,
    199_999,
    1_000_000,
    9_999_999,
    30_000_000,
    99_999_999,
    1_000_000_000,
    1 << 30,
    (1 << 30) + 1,
    1 << 32,
    999_999_999_999,
    1_000_000_000_000_000_000,
];

fn pick<T: Copy>(random: &mut ChaCha8Rng, items: &[T]) -> T {
    items[random.random_range(0..items.len())]
}

/// Returns a number at an edge, near an edge, of at most 60, or of a random number of digits.
fn number(random: &mut ChaCha8Rng) -> u64 {
    match random.random_range(0..4) {
        0 => pick(random, &EDGES),
        1 => pick(random, &EDGES).saturating_add(random.random_range(0..5)).saturating_sub(2).max(1),
        2 => random.random_range(1..=60),
        _ => {
            let digits = random.random_range(1..=18);
            random.random_range(1..=10_u64.pow(digits))
        }
    }
}

fn numbers(random: &mut ChaCha8Rng, max: usize) -> Vec<u64> {
    let count = random.random_range(1..=max);
    (0..count).map(|_| number(random)).collect()
}

/// Returns a list of numbers to ban or to take: a few random numbers, many small numbers, squares, every `step`-th
/// square, or a scaled set.
fn list(random: &mut ChaCha8Rng) -> Vec<u64> {
    let (count, step) = (random.random_range(1..2_000), random.random_range(1..8));
    match random.random_range(0..5) {
        0 => numbers(random, 6),
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
    let words = |numbers: Vec<u64>| numbers.iter().join(" ");
    match random.random_range(0..8) {
        0 | 1 => {
            let mut window = [number(random), number(random), number(random)];
            if random.random_bool(0.9) {
                window.sort_unstable();
            }
            if random.random_bool(0.2) {
                window[1] = window[0];
            }
            format!("segment {} {} {}", window[2], window[0], window[1])
        }
        2 => format!("square {}", words(numbers(random, 3))),
        3 => format!("square {} ban {}", words(numbers(random, 2)), words(list(random))),
        4 => format!("divisor {} ban {}", words(numbers(random, 4)), words(list(random))),
        5 => format!("subtract {} take {}", words(numbers(random, 4)), words(list(random))),
        6 => format!("nim {}", words(numbers(random, 5))),
        _ => format!("euclid {}", words(vec![number(random), number(random)])),
    }
}

/// Returns a header, or a line that is almost a header.
fn header(seed: u64) -> String {
    let random = &mut ChaCha8Rng::seed_from_u64(seed);
    let games = pick(random, &[1, 1, 1, 2, 2, 3, 5]);
    let mut header = (0..games).map(|_| game(random)).collect::<Vec<_>>().join(" + ");
    if random.random_bool(0.1) {
        header.push_str(pick(random, &[" seat first", " seat second", " +", " seat", " 0", " ban"]));
    }
    if random.random_bool(0.05) {
        let at = random.random_range(0..header.len());
        header.replace_range(at..=at, pick(random, &["", " ", "0", "9", "x", "-"]));
    }
    header
}

/// Returns the bot's CPU time, and whether it refused the header. Fails if the answer is neither a first line nor a
/// refusal.
fn answer(bot: &Path, header: &str) -> (Duration, bool) {
    // These limits protect the machine that runs the test.
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -t 60; ulimit -v 1572864; exec \"$0\""]).arg(bot);
    let mut bot = start_talking(&mut shell);
    // Ignore a closed pipe: a bot that has refused the beginning of the line may exit before the rest is written.
    let _ = bot.stdin.take().unwrap().write_all(format!("{header}\n").as_bytes());
    let [mut stdout, mut stderr] = [(); 2].map(|()| String::new());
    bot.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    bot.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    let used = bot.wait4().unwrap();
    let short = &header[..header.len().min(200)];
    // After its first line the bot sees the end of the input, and reports that by exit code 1.
    let is_refused = match used.status.code() {
        Some(1) if stdout.starts_with("First\n") || stdout == "Second\n" => false,
        Some(2) if stdout.is_empty() && stderr.starts_with("zeroxor: line 1: ") => true,
        code => panic!("{short}: {code:?}, {:?}, {stdout:?}, {stderr}", used.status),
    };
    (used.rusage.utime + used.rusage.stime, is_refused)
}

/// Checks that the bot answers or refuses random headers, and refuses at once. The limits are made for about three seconds
/// on a slow machine, and wide windows take longer.
#[test]
#[ignore = "takes several minutes"]
fn ten_thousand_headers() {
    const MOST: Duration = Duration::from_secs(8);
    // Use a release build, with which the limits were measured. A build that checks for overflow is slower.
    let build = ["build", "--quiet", "--release", "--package", "zeroxor", "--bin", "zeroxor"];
    assert!(Command::new(env!("CARGO")).args(build).current_dir(root()).status().unwrap().success());
    let built = Path::new(JUDGE).ancestors().nth(2).unwrap().join("release/zeroxor");
    let headers = std::env::var("HEADERS").map_or(HEADERS, |headers| headers.parse().unwrap());
    let next = AtomicU64::new(0);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(seed) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&n| n < headers) {
                    let header = header(seed);
                    let (time, is_refused) = answer(&built, &header);
                    // A subtraction set is refused only after its first values have shown no period.
                    let most = if is_refused && !header.contains("subtract") { MOST / 4 } else { MOST };
                    assert!(time < most, "seed {seed}, {time:?}: {}", &header[..header.len().min(200)]);
                }
            });
        }
    });
}
