use itertools::Itertools;
use runner::limits::{DEFAULT_LIMITS, Limits};

use crate::conversation::decide::{Referee, decide};
use crate::referee::game::game_state::*;
use crate::referee::game::setup::{GameSetup, OpponentKind};

fn sent(line: &str) -> Event {
    Event::Sent(Bytes(format!("{line}\n").into_bytes()))
}

fn received(line: &str) -> Event {
    Event::Received(Bytes(format!("{line}\n").into_bytes()))
}

fn limit(limit: Limit, cpu_ms: u64, sleeping: bool) -> Event {
    let used = Usage { cpu: Some(Duration::from_millis(cpu_ms)), ..Usage::default() };
    Event::Limit(LimitReport { used, sleeping, ..LimitReport::new(limit) })
}

fn used(cpu_ms: u64, mib: u64) -> Event {
    Event::Used(Usage { cpu: Some(Duration::from_millis(cpu_ms)), memory: Some(mib << 20), processes: None })
}

fn exited(code: i32) -> Event {
    Event::Exited(Exit::Code(code))
}

/// Returns the state of a game on 6 1 2 after these events, which are a millisecond apart. The wall limit is 2 s.
fn state(profile: Profile, events: &[Event]) -> GameState {
    let header = "6 1 2".parse().unwrap();
    let limits = Limits { wall: Duration::from_secs(2), ..DEFAULT_LIMITS };
    let config = MatchConfig { limits, profile: Some(profile), ..MatchConfig::default() };
    let game = GameSetup::new(header, OpponentKind::Slow, 1);
    let mut state = GameState::new(SetupLine::new(game, config, None)).unwrap();
    for (ms, event) in (1..).zip(events) {
        state.apply(&Step::of_game(Duration::from_millis(ms), event.clone()));
    }
    state
}

fn ruling(state: &GameState) -> Ruling {
    decide(&state.facts())
}

fn verdict(events: &[Event]) -> Verdict {
    ruling(&state(Profile::Strict, events)).verdict
}

/// Returns the events of a game up to the bot's winning move.
fn winning_events() -> Vec<Event> {
    ["6 1 2", "First", "3 2", "1 1", "5 1", "2 1", "6 1"]
        .iter()
        .zip([true, false, false, true, false, true, false])
        .map(|(line, judge)| if judge { sent(line) } else { received(line) })
        .collect()
}

/// Returns the verdict of a won game that ends with the events `last`.
fn won(last: &[Event]) -> Verdict {
    verdict(&[winning_events(), vec![sent("0 0")], last.to_vec()].concat())
}

/// Checks that the order of the last events does not change the verdict, after a win or in the middle of a game.
#[test]
fn the_order_of_the_last_events_does_not_matter() {
    let ends: [(&[Event], Verdict, Verdict); 7] = [
        (&[Event::Closed, exited(0)], Verdict::Won, Verdict::ExitedEarly),
        (&[Event::Closed, exited(3)], Verdict::Crashed, Verdict::Crashed),
        (&[Event::Closed, Event::Exited(Exit::Signal(11)), used(1, 2)], Verdict::Crashed, Verdict::Crashed),
        (&[Event::Closed, Event::Killed, used(1, 2)], Verdict::NoExit, Verdict::ExitedEarly),
        (
            &[Event::Closed, Event::Interrupted, Event::Exited(Exit::Signal(15))],
            Verdict::Interrupted,
            Verdict::Interrupted,
        ),
        // The judge saw the interrupt before the bot's exit, and ended the bot itself.
        (&[Event::Closed, Event::Interrupted, used(1, 2)], Verdict::Won, Verdict::Interrupted),
        (&[exited(0), used(2500, 1)], Verdict::Won, Verdict::TimeCpu),
    ];
    for (end, after_the_win, in_the_middle) in ends {
        for end in end.iter().cloned().permutations(end.len()) {
            assert_eq!(won(&end), after_the_win, "{end:?}");
            let middle = [vec![sent("6 1 2"), received("First")], end.clone()].concat();
            assert_eq!(verdict(&middle), in_the_middle, "{end:?}");
        }
    }
}

/// Checks that lines received early are read in order when they are expected, and add no waiting time.
#[test]
fn early_lines() {
    let printed = ["First", "3 2", "5 1", "6 1"].map(received);
    let answers = ["1 1", "2 1", "0 0"].map(sent);
    let early = [&[sent("6 1 2")][..], &printed, &[Event::Closed, exited(0)], &answers].concat();
    let state = state(Profile::Strict, &early);
    assert_eq!(ruling(&state).verdict, Verdict::Won, "it had printed all its lines");
    let Timing { waited, slowest, .. } = state.timing;
    assert_eq!((waited, slowest), (Duration::from_millis(2), Some((0, Duration::from_millis(1)))));
    let mut one_short = early.clone();
    one_short.remove(4);
    assert_eq!(verdict(&one_short), Verdict::ExitedEarly);
    let mut one_more = early;
    one_more.insert(5, received("4 1"));
    assert_eq!(verdict(&one_more), Verdict::ExtraOutput);
}

#[test]
fn the_first_cause_ends_the_game() {
    let silent = [sent("6 1 2"), limit(Limit::Wall, 2000, false), received("First"), exited(3)];
    assert_eq!(verdict(&silent), Verdict::TimeWall);
    let malformed = [sent("6 1 2"), received("first"), limit(Limit::Memory, 0, false), Event::Interrupted];
    assert_eq!(verdict(&malformed), Verdict::Malformed);
    let interrupted = [sent("6 1 2"), Event::Interrupted, received("First"), Event::Killed];
    assert_eq!(verdict(&interrupted), Verdict::Interrupted);
    let failed = Event::Failed { why: "no more memory".to_owned() };
    assert_eq!(verdict(&[sent("6 1 2"), received("Second"), failed]), Verdict::JudgeError);
    assert_eq!(verdict(&[sent("6 1 2"), received("First")]), Verdict::JudgeError, "it has not ended");
}

#[test]
fn verdicts_of_limits() {
    let late = |event| verdict(&[sent("6 1 2"), event, Event::Killed]);
    assert_eq!(late(received(&"1".repeat(5000))), Verdict::OutputLimit);
    assert_eq!(late(limit(Limit::Wall, 100, true)), Verdict::Idle);
    assert_eq!(late(limit(Limit::Wall, 100, false)), Verdict::TimeWall);
    assert_eq!(late(limit(Limit::Wall, 1900, true)), Verdict::TimeWall);
    let won_with = |used| verdict(&[winning_events(), vec![used, sent("0 0"), exited(0)]].concat());
    assert_eq!(won_with(used(1, 2000)), Verdict::Memory);
    assert_eq!(won_with(used(2001, 2)), Verdict::TimeCpu);
    assert_eq!(won_with(used(2000, 1024)), Verdict::Won, "exactly the limit is allowed");
    assert_eq!(
        won(&[used(9000, 9000), exited(0)]),
        Verdict::Won,
        "what is used after the end does not count"
    );
}

/// Plays a game on 6 1 2 in which all moves are made `ms` milliseconds after the start. The events `last` come after the
/// moves.
fn moved_at(ms: u64, last: &[Event]) -> (Verdict, GameState) {
    let mut state = state(Profile::Contest, &[sent("6 1 2"), received("First")]);
    let moves = ["3 2", "1 1", "5 1", "2 1", "6 1", "0 0"].iter().zip(0..);
    let moves = moves.map(|(line, ply)| if ply % 2 == 0 { received(line) } else { sent(line) });
    for event in moves.chain(last.iter().cloned()) {
        state.apply(&Step::of_game(Duration::from_millis(ms), event));
    }
    (ruling(&state).verdict, state)
}

/// Checks that the time of receipt decides whether a line is late, which is in doubt, and that CPU time is judged before
/// wall time, whichever limit was seen first.
#[test]
fn late_lines_and_cpu_time() {
    assert_eq!(moved_at(2001, &[]).0, Verdict::Won, "2000 ms after the header: exactly the limit is allowed");
    assert_eq!(moved_at(2002, &[]).0, Verdict::TimeWall);
    let silent =
        |last: Event| verdict(&[sent("6 1 2"), limit(Limit::Wall, 1999, false), last, Event::Killed]);
    assert_eq!(silent(used(2000, 1)), Verdict::TimeWall, "exactly the limit is allowed");
    assert_eq!(silent(used(2001, 1)), Verdict::TimeCpu);
    assert_eq!(moved_at(3000, &[used(2001, 1)]).0, Verdict::TimeCpu);
    assert!(moved_at(3000, &[used(10, 1)]).1.facts().is_doubtful());
}

/// Checks that the contest profile excuses what the strict profile punishes after a win, except a crash.
#[test]
fn profiles() {
    let excused = |verdict| (Verdict::Won, Some(verdict));
    for (end, strict, by_contest) in [
        (&[received("bye"), exited(0)][..], Verdict::ExtraOutput, excused(Verdict::ExtraOutput)),
        (&[Event::Killed], Verdict::NoExit, excused(Verdict::NoExit)),
        (&[received("bye"), exited(3)], Verdict::Crashed, (Verdict::Crashed, None)),
    ] {
        let events = [winning_events(), vec![sent("0 0")], end.to_vec()].concat();
        let rulings = [Profile::Strict, Profile::Contest].map(|name| ruling(&state(name, &events)));
        let judged = rulings.map(|ruling| (ruling.verdict, ruling.excused()));
        assert_eq!(judged, [(strict, None), by_contest]);
    }
}

/// A bot plays on only after a game whose end it knows.
#[test]
fn ends_that_the_bot_knows() {
    for (last, is_known) in [
        (vec![received("3 3")], true),
        (vec![received("0 0")], true),
        (vec![received("three")], false),
        (vec![limit(Limit::Idle, 0, true)], false),
        (vec![Event::Closed, exited(0)], false),
    ] {
        let state = state(Profile::Strict, &[vec![sent("6 1 2"), received("First")], last].concat());
        assert_eq!(state.end.as_ref().map(EndCause::is_known_to_bot), Some(is_known), "{:?}", state.end);
    }
}

/// The bots of `tests/bots/broken` wait for other reasons.
#[test]
fn a_bot_that_waits_for_another_line() {
    let waits = [limit(Limit::Idle, 0, true), sent("-1 -1"), Event::InputEnded, exited(1)];
    let events = [vec![sent("6 1 2"), received("First"), received("3 2"), sent("1 1")], waits.to_vec()];
    assert_eq!(ruling(&state(Profile::Strict, &events.concat())).class, Class::Waits);
}

/// Checks that an illegal line of the judge is never blamed on the bot.
#[test]
fn mistakes_of_the_judge() {
    let judged = |line| verdict(&[sent("6 1 2"), received("Second"), sent(line)]);
    for line in ["9 1", "1 3", "0 0", "-1 -1", "hello"] {
        assert_eq!(judged(line), Verdict::JudgeError, "{line}");
    }
    assert_eq!(verdict(&[sent("6 1 2"), sent("1 1")]), Verdict::JudgeError, "out of turn");
}
