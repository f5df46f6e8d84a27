//! Bots that are silent, slow or busy.

use std::time::Duration;

use super::{HostileBot, IDLE, LONG_LIMIT, SHORT_LIMIT, first, print};
use crate::matches::selftest::action::Action;
use referee::verdict::Verdict;
use runner::limits::DEFAULT_LIMITS;

pub(super) fn silent() -> Vec<HostileBot> {
    use Action::{IgnoreTermination, PrintUnflushed, Read, SleepForever};
    // More than a pipe holds.
    let long = vec!["1 1 1"; 13_000].join(" + ");
    vec![
        HostileBot::new(
            "no-flush",
            "never flushes what it prints",
            IDLE,
            vec![Read, PrintUnflushed(b"First\n"), Read],
        )
        .with_reason("it printed \"First\" only after \"-1 -1\": its output was not flushed"),
        HostileBot::new("no-newline", "prints its move without a newline", IDLE, first([print("3 2"), Read]))
            .with_reason("it has printed \"3 2\" without ending the line"),
        HostileBot::new(
            "half-a-line",
            "prints half a line and sleeps",
            IDLE,
            first([print("3 "), SleepForever]),
        )
        .with_reason("it has printed \"3 \" without ending the line"),
        HostileBot::new("never-reads", "never reads, and the pipe is full", IDLE, vec![SleepForever])
            .with_game(long)
            .with_reason("it has read nothing of what the judge sent"),
        HostileBot::new(
            "ignores-sigterm",
            "ignores SIGTERM and sleeps",
            IDLE,
            vec![IgnoreTermination, SleepForever],
        ),
        HostileBot::new(
            "stops-itself",
            "stops itself, as if it read from the terminal",
            IDLE,
            vec![Action::Stop],
        )
        .with_reason("a signal stopped it"),
        HostileBot::new(
            "computes-first",
            "computes for nearly half its time, and never flushes",
            IDLE,
            vec![Read, Action::Compute(Duration::from_millis(400)), PrintUnflushed(b"First\n"), Read],
        )
        .with_reason("it printed \"First\" only after \"-1 -1\": its output was not flushed"),
        HostileBot::new(
            "joins-the-judge",
            "joins the judge's process group",
            IDLE,
            vec![Action::JoinJudge, SleepForever],
        ),
    ]
}

pub(super) fn busy() -> Vec<HostileBot> {
    use Action::{ComputeForever, Play, Read, Sleep};
    let mut bots = vec![
        HostileBot::new(
            "busy-loop",
            "computes until it is killed",
            Verdict::TimeWall,
            vec![Read, ComputeForever],
        )
        .with_limits(|limits| limits.cpu = LONG_LIMIT),
        HostileBot::new(
            "slow-start",
            "starts for 1 s, then plays well",
            Verdict::Won,
            vec![Sleep(Duration::from_secs(1)), Play],
        )
        .with_limits(|limits| *limits = DEFAULT_LIMITS),
    ];
    if cfg!(target_os = "linux") {
        bots.push(
            HostileBot::new(
                "busy-loop-cpu",
                "computes until it is killed, with much wall time",
                Verdict::TimeCpu,
                vec![Read, ComputeForever],
            )
            .with_limits(|limits| limits.cpu = SHORT_LIMIT),
        );
        bots.push(
            HostileBot::new(
                "memory-hog",
                "uses 256 MiB with a limit of 64 MiB",
                Verdict::Memory,
                vec![Read, Action::Allocate(256), Action::SleepForever],
            )
            .with_limits(|limits| limits.memory = 64 << 20),
        );
    }
    bots
}
