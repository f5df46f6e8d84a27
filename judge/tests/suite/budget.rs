//! No header takes the bot longer than it may.

use std::io::{Read, Write};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use itertools::Itertools;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use wait4::Wait4;

use crate::support::start_talking;

/// How many headers are tried, unless the environment variable HEADERS says how many.
const HEADERS: u64 = 10_000;

/// The processor time that a first line or a refusal may take, with the ticks in which the bot's clock counts.
const MOST: Duration = Duration::from_millis(10_300);

/// A game whose cost is a good part of the budget. A refusal by cost may take as much processor time, and no more: the
/// parts of a sum may be computed before one that costs too much. A slow machine also refuses by the clock, which may
/// show late that a game will take too long.
const LONG_GAME: &str = "150000 3 3 + 150000 4 4";

/// The headers from one game of that length to the next: how fast a shared machine is changes with time.
const BETWEEN_LONG_GAMES: u64 = 500;

/// What the bot does with a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Answer {
    Played,
    RefusedByCost,
    RefusedByClock,
}

/// Numbers at which something changes: a limit, an engine, the width of a number.
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

/// A number at an edge, near one, or of any length.
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

fn numbers(random: &mut ChaCha8Rng, most: usize) -> Vec<u64> {
    let count = random.random_range(1..=most);
    (0..count).map(|_| number(random)).collect()
}

/// A list of numbers to ban or to take: a few of any kind, many small ones, squares, every so many of them, or a
/// scaled set.
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

/// A header, or nearly one.
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

/// The processor time from the header to the first line or the refusal. No other result is allowed.
fn answer(bot: &Path, header: &str) -> (Duration, Answer) {
    // A bound for the test's own sake; the time is looked at below.
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -t 60 -v 1572864; exec \"$0\""]).arg(bot);
    let mut bot = start_talking(&mut shell);
    // A bot that has refused a part of the line may be gone before the rest is written.
    let _ = bot.stdin.take().unwrap().write_all(format!("{header}\n").as_bytes());
    let [mut said, mut why] = [(); 2].map(|()| String::new());
    bot.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    bot.stderr.take().unwrap().read_to_string(&mut why).unwrap();
    let used = bot.wait4().unwrap();
    let short = &header[..header.len().min(200)];
    // Behind a first line only the end of the input is missing, which the bot says with 1.
    match used.status.code() {
        Some(2) => assert!(said.is_empty() && why.contains("zeroxor: line 1: "), "{short}: {said:?}, {why}"),
        Some(1) => assert!(said.starts_with("First\n") || said == "Second\n", "{short}: {said:?}, {why}"),
        code => panic!("{short}: {code:?}, {:?}, {said:?}, {why}", used.status),
    }
    let answer = match said.is_empty() {
        true if why.contains("ms of CPU time") => Answer::RefusedByClock,
        true => Answer::RefusedByCost,
        false => Answer::Played,
    };
    (used.rusage.utime + used.rusage.stime, answer)
}

/// Every header is answered or refused within the time that a bot may take, whatever it asks for.
#[test]
#[ignore = "takes some minutes"]
fn ten_thousand_headers() {
    // The build that the budget was measured with: one that checks for overflow is slower.
    let built = escargot::CargoBuild::new().package("zeroxor").bin("zeroxor").release().run().unwrap();
    let headers = std::env::var("HEADERS").map_or(HEADERS, |headers| headers.parse().unwrap());
    let next = AtomicU64::new(0);
    let slowest = Mutex::new(Vec::new());
    let long_games = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(seed) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&n| n < headers) {
                    if seed % BETWEEN_LONG_GAMES == 0 {
                        let (time, answer) = answer(built.path(), LONG_GAME);
                        assert_ne!(answer, Answer::RefusedByCost, "{LONG_GAME}");
                        long_games.lock().unwrap().push(time);
                    }
                    let header = header(seed);
                    let (time, answer) = answer(built.path(), &header);
                    if seed % 1000 == 999 {
                        eprintln!("{} headers", seed + 1);
                    }
                    if time > Duration::from_millis(500) {
                        let short = header[..header.len().min(200)].to_owned();
                        if time > MOST / 3 {
                            eprintln!("{:.2} s: {short}", time.as_secs_f64());
                        }
                        slowest.lock().unwrap().push((time, answer, seed, short));
                    }
                }
            });
        }
    });
    let mut slowest = slowest.into_inner().unwrap();
    slowest.sort_unstable();
    for (time, answer, seed, header) in slowest.iter().rev().take(20) {
        eprintln!("{:.2} s, {answer:?}, seed {seed}: {header}", time.as_secs_f64());
    }
    let refused_by = |by| slowest.iter().filter(move |(_, answer, ..)| *answer == by);
    let by_cost = refused_by(Answer::RefusedByCost).next_back();
    eprintln!(
        "{} of {headers} took more than 0.5 s, of which {} were refused by cost and {} by the clock",
        slowest.len(),
        refused_by(Answer::RefusedByCost).count(),
        refused_by(Answer::RefusedByClock).count()
    );
    let long_game = long_games.into_inner().unwrap().into_iter().max().unwrap();
    eprintln!("the slowest refusal by cost: {by_cost:?}; the slowest long game: {long_game:?}");
    assert!(by_cost.is_none_or(|&(time, ..)| time < long_game), "{by_cost:?}, {long_game:?}");
    assert!(slowest.last().is_none_or(|&(time, ..)| time < MOST), "{:?}", slowest.last());
}
