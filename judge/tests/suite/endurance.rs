//! What the judge keeps open during many games.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::support::{child_of, command, is_linux};

const GAMES: usize = 10_000;

/// How many games are measured at the beginning and at the end.
const SAMPLES: usize = 500;

/// More descriptors than are open for one bot.
const FOR_A_BOT: usize = 16;

/// What a process keeps: open descriptors, and children that have ended and are not reaped.
fn held(pid: u32) -> (usize, usize) {
    let descriptors = std::fs::read_dir(format!("/proc/{pid}/fd")).unwrap().count();
    let children = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap();
    let is_zombie = |child: &&str| {
        let stat = std::fs::read_to_string(format!("/proc/{child}/stat"));
        stat.is_ok_and(|stat| stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('Z')))
    };
    (descriptors, children.split_whitespace().filter(is_zombie).count())
}

/// After ten thousand games the judge has hardly more descriptors open than after the first, and no zombies. How many
/// are open for the bot of the present game differs from sample to sample; what each game, or one of a hundred, left
/// behind would be many more.
#[test]
#[ignore = "takes a minute"]
fn nothing_is_left_of_ten_thousand_games() {
    if !is_linux() {
        return;
    }
    let args = format!("run 6 1 2 --json --games {GAMES} --time-limit 60 --opponent random");
    let mut judge = command(&args, &[]).stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let pid = child_of(judge.id()).unwrap();
    let mut lines = BufReader::new(judge.stdout.take().unwrap()).lines();
    let mut samples = Vec::new();
    for _ in 0..GAMES {
        let line = lines.next().unwrap().unwrap();
        assert!(line.contains("\"verdict\":\"WON\""), "{line}");
        samples.push(held(pid));
    }
    let summary = lines.next().unwrap().unwrap();
    assert!(summary.contains("\"summary\":"), "{summary}");
    assert!(lines.next().is_none());
    assert!(judge.wait().unwrap().success());
    let least = |samples: &[(usize, usize)]| {
        let descriptors = samples.iter().map(|sample| sample.0).min().unwrap();
        (descriptors, samples.iter().map(|sample| sample.1).min().unwrap())
    };
    let (first, _) = least(&samples[..SAMPLES]);
    // Its end is near when the last lines are read: the descriptors of a process that ends are gone.
    let (last, zombies) = least(&samples[GAMES - 2 * SAMPLES..GAMES - SAMPLES]);
    assert!(last > 0 && last < first + FOR_A_BOT, "{first} descriptors at first, {last} at last");
    assert_eq!(zombies, 0);
}
