//! Bots and the end of their game.

use super::{HostileBot, at_move_3, print, winner};
use crate::matches::selftest::action::Action;
use referee::verdict::Verdict;

pub(super) fn endings() -> Vec<HostileBot> {
    use Action::{Read, SleepForever};
    vec![
        HostileBot::new(
            "output-after-the-end",
            "prints a line after the end",
            Verdict::ExtraOutput,
            winner([Read, print("bye\n")]),
        )
        .with_contest_verdict(Verdict::Won)
        .with_reason("the bot printed \"bye\\n\" after the end"),
        HostileBot::new("does-not-exit", "sleeps after it has won", Verdict::NoExit, winner([SleepForever]))
            .with_contest_verdict(Verdict::Won)
            .with_reason("the bot did not exit by itself and was killed"),
        HostileBot::new(
            "resigns",
            "prints \"0 0\" while it can move",
            Verdict::Resigned,
            at_move_3([print("0 0\n"), Read]),
        ),
        HostileBot::new(
            "loses",
            "prints \"0 0\" when it cannot move",
            Verdict::Lost,
            vec![Read, print("Second\n"), Read, print("0 0\n"), Read],
        )
        .with_game("1 1 1"),
        HostileBot::new(
            "taken-card",
            "takes a card twice",
            Verdict::Illegal,
            at_move_3([print("3 1\n"), Read]),
        )
        .with_reason("the card there has been taken already"),
    ]
}
