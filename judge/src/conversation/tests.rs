//! Conversations without processes, and the class of each.

mod bench;

use self::bench::Step::{
    Allocate, Buffer, CloseOutput, Compute, Exit as ExitWith, Flood, Hang, HeldUp, Read, ReadOrRaise,
    ReadToTheEnd, Signal, Sleep, Stderr, Write,
};
use self::bench::{LIMITS, Step, game, ruling};
use crate::conversation::facts::{Excused, OutputLimit};
use crate::conversation::language::Language;
use crate::conversation::role::Role;
use crate::conversation::verdict::Class;
use crate::referee::interactor::conditions::Conditions;
use crate::referee::interactor::style::Style;

const CONDITIONS: Conditions = Conditions {
    style: Style::Icpc,
    gives_scores: false,
    role: Role::Interactor,
    limits: LIMITS,
    interactor_limits: LIMITS,
    output: [OutputLimit { bytes: 512 << 10, with_stderr: false }; 2],
    full_score: None,
    languages: [Language::UNKNOWN; 2],
    excused: Excused::Output,
    is_bot_confined: false,
};

/// An interactor that says a line, reads an answer, and accepts.
const ASKS: &[Step] = &[Write("5\n"), Read, ExitWith(42)];

const ASKS_TWICE: &[Step] = &[Write("5\n"), Read, Write("6\n"), Read, ExitWith(42)];

/// An interactor that says a line, reads an answer, and rejects it.
const REJECTS: &[Step] = &[Write("5\n"), Read, ExitWith(43)];

/// A row of the tables below: the class, the bot and the interactor.
type Row = (Class, &'static [Step], &'static [Step]);

fn check(rows: &[Row], conditions: Conditions) {
    for (class, bot, interactor) in rows {
        let ruling = ruling(bot, interactor, conditions);
        assert_eq!(ruling.class, *class, "{bot:?} and {interactor:?}: {ruling:?}");
    }
}

#[test]
fn the_interactor_decides() {
    check(
        &[
            (Class::Accepted, &[Read, Write("5\n")], ASKS),
            (Class::Accepted, &[Write("5\n")], &[Read, ExitWith(42)]),
            (Class::Accepted, &[Read, Write("5")], &[Write("5\n"), ReadToTheEnd, ExitWith(42)]),
            // The interactor has slept for longer than the idle limit when the bot ends.
            (Class::Accepted, &[Write("5\n"), Compute(1500)], &[Read, ReadToTheEnd, ExitWith(42)]),
            (Class::WrongAnswer, &[Read, Write("6\n"), Read], REJECTS),
            // Whatever the bot does after "wrong" is a consequence: it crashes, is ended by SIGPIPE, loops, or hangs.
            (Class::WrongAnswer, &[Read, Write("6\n"), Read, ExitWith(1)], REJECTS),
            (Class::WrongAnswer, &[Write("6\n"), Signal(13)], &[Read, Sleep(5), ExitWith(43)]),
            (Class::WrongAnswer, &[Write("6\n"), Sleep(10), Signal(13)], &[Read, ExitWith(43)]),
            (Class::WrongAnswer, &[Write("6\n"), Compute(60_000)], &[Read, ExitWith(43)]),
            (Class::WrongAnswer, &[Write("6\n"), Hang], &[Read, ExitWith(43)]),
        ],
        CONDITIONS,
    );
}

#[test]
fn the_bot_ends_too_early_crashes_or_reaches_a_limit() {
    const REJECTS_SILENCE: &[Step] = &[Write("5\n"), ReadToTheEnd, ExitWith(43)];
    check(
        &[
            (Class::WrongAnswer, &[Read], REJECTS_SILENCE),
            (Class::Crash, &[Read, ExitWith(3)], REJECTS_SILENCE),
            (Class::Crash, &[Read, Signal(11)], REJECTS_SILENCE),
            (Class::Crash, &[Read, Write("5\n"), ExitWith(1)], ASKS),
            (Class::Crash, &[Read, Write("5\n"), Sleep(20), ExitWith(1)], ASKS),
            (Class::EarlyExit, &[Read, CloseOutput, Hang], ASKS),
            (Class::TimeCpu, &[Read, Compute(9000)], ASKS),
            (Class::Memory, &[Read, Allocate(4096), Read], ASKS),
            (Class::Output, &[Read, Flood(1 << 20)], &[Write("5\n"), ReadToTheEnd, ExitWith(42)]),
        ],
        CONDITIONS,
    );
}

#[test]
fn output_after_acceptance_is_a_note() {
    const TALKS: &[Step] = &[Read, Write("5\n"), Sleep(10), Write("done\n")];
    const AT_ONCE: &[Step] = &[Read, Write("5\ndone\n")];
    for bot in [TALKS, AT_ONCE] {
        let noted = ruling(bot, ASKS, CONDITIONS);
        assert_eq!((noted.class, noted.notes[0].class), (Class::Accepted, Class::ExtraOutput), "{noted:?}");
        let strict = ruling(bot, ASKS, Conditions { excused: Excused::Nothing, ..CONDITIONS });
        assert_eq!(strict.class, Class::ExtraOutput, "{strict:?}");
    }
    check(
        &[
            (Class::NoExit, &[Read, Write("5\n"), Hang], ASKS),
            (Class::NoExit, &[Read, Write("5\n"), Sleep(9000)], ASKS),
            (Class::TimeCpu, &[Read, Write("5\n"), Compute(9000)], ASKS),
            // The grace time is CPU time for a bot that the machine lets wait.
            (Class::NoExit, &[Read, Write("5\n"), Compute(1500)], ASKS),
            (Class::Accepted, &[Read, Write("5\n"), HeldUp(2500), Compute(500)], ASKS),
            (Class::NoExit, &[Read, Write("5\n"), HeldUp(2500), Compute(1500)], ASKS),
            (Class::NoExit, &[Read, Write("5\n"), HeldUp(2500), Sleep(500)], ASKS),
            (Class::NoExit, &[Read, Write("5\n"), HeldUp(9000)], ASKS),
        ],
        CONDITIONS,
    );
    let everything = Conditions { excused: Excused::Everything, ..CONDITIONS };
    check(&[(Class::Accepted, &[Read, Write("5\n"), Hang], ASKS)], everything);
}

#[test]
fn both_wait() {
    const RAISES: Step = ReadOrRaise("thread 'main' panicked at bot.rs:7\n");
    check(
        &[
            (Class::NoFlushOrReadsTooMuch, &[Read, Buffer("5\n"), Read], ASKS),
            (Class::NoFlushOrReadsTooMuch, &[ReadToTheEnd, Write("5\n")], ASKS),
            // The order of the line and the exception shows where the line was.
            (Class::NoFlush, &[Read, Buffer("5\n"), RAISES], ASKS),
            (Class::NoFlushOrReadsTooMuch, &[ReadToTheEnd, Write("5\n"), RAISES], ASKS),
            (Class::NoFlushOrReadsTooMuch, &[ReadToTheEnd, Stderr("1 line\n"), Write("5\n"), RAISES], ASKS),
            (Class::NoFlush, &[Read, Write("4\n"), Read, Buffer("5\n"), Read], ASKS_TWICE),
            (Class::NoFlush, &[Read, Write("5"), Read], ASKS),
            (Class::ReadsTooMuch, &[Read, Read], ASKS),
            (Class::ReadsTooMuch, &[Read, Write("4\n"), Read, Read, Write("5\n"), Write("6\n")], ASKS_TWICE),
            (Class::NoFlush, &[Read, Write("4\n"), Read, Buffer("5\n6\n"), Read], ASKS_TWICE),
            // A program that sleeps is not idle.
            (Class::Accepted, &[Read, Sleep(3500), Write("5\n")], ASKS),
            (Class::Sleeps, &[Read, Sleep(90_000), Write("5\n")], ASKS),
            (Class::Waits, &[Read, Hang], ASKS),
            (Class::Waits, &[Read], &[Read]),
            (Class::Waits, &[Write("5\n"), Read], &[Read, Read]),
            (
                Class::BothWrite,
                &[Flood(256 << 10), Read],
                &[Write("5\n"), Flood(256 << 10), ReadToTheEnd, ExitWith(42)],
            ),
        ],
        CONDITIONS,
    );
}

#[test]
fn the_interactor_fails() {
    const ANSWERS: &[Step] = &[Read, Write("5\n"), Read];
    check(
        &[
            (Class::InteractorWrongStyle, ANSWERS, &[Write("5\n"), Read, ExitWith(0)]),
            (Class::InteractorCrash, ANSWERS, &[Write("5\n"), Read, Signal(11)]),
            (
                Class::InteractorCrash,
                ANSWERS,
                &[Stderr("Traceback (most recent call last):\nIndexError: 5\n"), ExitWith(1)],
            ),
            (Class::InteractorLimit, ANSWERS, &[Write("5\n"), Read, Compute(9000)]),
            (Class::InteractorLimit, ANSWERS, &[Write("5\n"), Read, Allocate(4096), Read]),
            (Class::InteractorLimit, ANSWERS, &[Write("5\n"), Read, Sleep(9000)]),
            // The bot writes at the end of its input, but the interactor did not wait for a line.
            (
                Class::InteractorLimit,
                &[Read, Write("5\n"), ReadToTheEnd, Write("6\n")],
                &[Write("5\n"), Read, Sleep(9000)],
            ),
            (Class::InteractorLimit, &[ReadToTheEnd], &[Flood(1 << 20)]),
            (Class::InteractorNoFlush, ANSWERS, &[Buffer("5\n"), Read, ExitWith(42)]),
            (Class::InteractorNoFlush, ANSWERS, &[Write("5"), Read, ExitWith(42)]),
            (
                Class::InteractorNoFlush,
                &[Write("5\n"), Read, Write("6\n")],
                &[Read, Buffer("5\n"), Read, ExitWith(42)],
            ),
        ],
        CONDITIONS,
    );
}

const WINS: [Step; 9] = [
    Read,
    Write("First\n"),
    Write("3 2\n"),
    Read,
    Write("5 1\n"),
    Read,
    Write("6 1\n"),
    Read,
    Stderr("The game is over.\n"),
];

/// Returns the first steps of the bot that wins, and others after them.
fn before(count: usize, last: &[Step]) -> Vec<Step> {
    [&WINS[..count], last].concat()
}

/// A bot plays on only after a game whose end it knows.
#[test]
fn a_session_continues_when_the_bot_knows_the_end() {
    for (plays_on, bot) in [
        (true, before(8, &[])),
        (true, before(2, &[Write("3 3\n")])),
        (true, before(2, &[Write("0 0\n")])),
        (false, before(2, &[Write("three\n")])),
        (false, before(2, &[Sleep(9000)])),
        (false, before(2, &[])),
    ] {
        assert_eq!(game(&bot, true).1, plays_on, "{bot:?}");
    }
}

#[test]
fn games() {
    const TRACEBACK: Step = Stderr("Traceback (most recent call last):\n");
    let long_line = "1".repeat(5000).leak();
    let after = |last: &[Step]| before(WINS.len(), last);
    for (class, bot) in [
        (Class::Accepted, after(&[])),
        (Class::Crash, after(&[ExitWith(1)])),
        (Class::ExtraOutput, after(&[Write("done\n")])),
        (Class::NoExit, after(&[Hang])),
        (Class::NoExit, after(&[Compute(1500)])),
        (Class::Accepted, after(&[HeldUp(2500)])),
        (Class::EarlyExit, before(3, &[])),
        (Class::EarlyExit, before(3, &[CloseOutput, Hang])),
        (Class::Crash, before(3, &[Signal(11)])),
        (Class::MalformedLine, before(1, &[Write("first\n")])),
        (Class::IllegalMove, before(2, &[Write("3 3\n")])),
        (Class::Resigned, before(2, &[Write("0 0\n")])),
        (Class::Output, before(1, &[Write(long_line)])),
        (Class::NoFlush, before(1, &[Buffer("First\n3 2\n"), Read])),
        (Class::NoFlush, before(1, &[Buffer("First\n3 2\n"), Read, TRACEBACK, ExitWith(1)])),
        (Class::NoFlush, before(1, &[Write("First"), Read])),
        // Output on stderr is not the line: the input stays open until the line comes.
        (Class::NoFlush, before(1, &[Read, Stderr("error\n"), Sleep(20), Write("First\n")])),
        (Class::NoFlushOrReadsTooMuch, vec![ReadToTheEnd, Write("First\n")]),
        (Class::Waits, before(2, &[Read, Read])),
        (Class::Waits, before(2, &[Hang])),
        (Class::Sleeps, before(2, &[Sleep(9000)])),
        (Class::TimeCpu, before(2, &[Compute(9000)])),
        (Class::Memory, before(2, &[Allocate(4096), Read])),
    ] {
        let ruling = game(&bot, false).0;
        assert_eq!(ruling.class, class, "{bot:?}: {ruling:?}");
    }
}
