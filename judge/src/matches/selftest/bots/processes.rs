//! Bots that die, hide, multiply or leave the judge.

use super::{HostileBot, at_move_3, first, print, winner};
use crate::matches::selftest::action::Action;
use referee::verdict::Verdict;

pub(super) fn deaths() -> Vec<HostileBot> {
    use Action::{CloseStdout, Crash, Exit, SleepForever};
    vec![
        HostileBot::new("segfault", "is killed by SIGSEGV at move 3", Verdict::Crashed, at_move_3([Crash]))
            .with_reason("move 3 was not received: the bot was killed by signal 11 (SIGSEGV)"),
        HostileBot::new("exit-0", "exits with 0 at move 3", Verdict::ExitedEarly, at_move_3([Exit(0)]))
            .with_reason("move 3 was not received: the bot exited with code 0"),
        HostileBot::new(
            "exit-7",
            "exits with 7 after its first move",
            Verdict::Crashed,
            first([print("3 2\n"), Exit(7)]),
        )
        .with_reason("move 3 was not received: the bot exited with code 7"),
        HostileBot::new(
            "win-and-exit-7",
            "exits with 7 after it has won",
            Verdict::Crashed,
            winner([Exit(7)]),
        )
        .with_reason("the opponent has no move left, but then the bot exited with code 7"),
        HostileBot::new(
            "win-and-exit",
            "exits after it has won, and reads no more",
            Verdict::Won,
            winner([Exit(0)]),
        ),
        HostileBot::new(
            "closes-stdout",
            "closes its stdout and sleeps",
            Verdict::ExitedEarly,
            at_move_3([CloseStdout, SleepForever]),
        )
        .with_reason("move 3 was not received: the bot closed its stdout"),
        HostileBot::new(
            "closes-stdin",
            "closes its stdin and plays on",
            Verdict::Won,
            vec![Action::CloseStdin, print("First\n3 2\n5 1\n6 1\n")],
        ),
    ]
}

pub(super) fn escapes() -> Vec<HostileBot> {
    use Action::{Exit, Read, SleepForever, Start, StartAndWait};
    // Together with the bot itself, one more than the limit.
    let bomb = [vec![Read], vec![Start("sleeper"); 64], vec![SleepForever]].concat();
    let mut bots = vec![
        HostileBot::new(
            "daemon-and-exit",
            "starts a process in a new session, which keeps stdout, and exits",
            Verdict::ExitedEarly,
            at_move_3([StartAndWait("daemon"), Exit(0)]),
        ),
        HostileBot::new(
            "daemon-and-win",
            "starts a process in a new session, and wins",
            Verdict::Won,
            [vec![StartAndWait("daemon")], winner([Exit(0)])].concat(),
        ),
        HostileBot::new(
            "restarter-and-win",
            "starts a process that starts itself again and exits, and wins",
            Verdict::Won,
            [vec![Start("restarter")], winner([Exit(0)])].concat(),
        ),
    ];
    if cfg!(target_os = "linux") {
        bots.push(
            HostileBot::new("fork-bomb", "starts 64 processes in the sandbox", Verdict::Processes, bomb)
                .sandboxed()
                .with_reason("no First or Second was received: the bot asked for more processes and threads"),
        );
    }
    bots
}
