//! Decides the verdict: a pure function of a game's state.

use std::time::Duration;

use runner::config::Profile;
use runner::event::{Exit, Limit, LimitReport};
use runner::limits::{LINE_LIMIT, OUTPUT_LIMIT};
use zeroxor::wire::quoted;

use crate::conversation::verdict::Verdict;
use crate::referee::game::conversation::{ExpectedLine, Turn};
use crate::referee::game::end_cause::BotEnd;
use crate::referee::game::end_cause::EndCause;
use crate::referee::game::game_state::GameState;
use crate::referee::game::stall::StallDiagnosis;
use crate::units;

/// The advice for a game whose result the judge cannot know.
const PLAY_AGAIN: &str = "play the game again";

/// Says why a player wins in misère play; follows the player's name in a reason.
const NO_MOVE_WINS: &str = "has no move left, which wins in misère play";

/// Maximum number of bytes of an overlong line that a reason quotes.
const MAX_QUOTED: usize = 40;

/// Returns the verdict and its reason.
pub(crate) fn decide(state: &GameState) -> (Verdict, String) {
    let Some((cause, turn)) = state.end() else {
        return (Verdict::JudgeError, "the game has not ended".to_owned());
    };
    match cause {
        // The signal that interrupts the judge may also end the bot. The judge may see the end of the bot's output
        // before it sees the interrupt.
        EndCause::Won | EndCause::NoMoreOutput if state.did_interrupt_end_bot() => interrupted(),
        // How the bot would have ended is unknown.
        EndCause::NoMoreOutput if state.did_interrupt_forestall_exit() => interrupted(),
        EndCause::Won => won(state),
        EndCause::Lost if state.position().is_misere() => {
            (Verdict::Lost, format!("the opponent {NO_MOVE_WINS}"))
        }
        EndCause::Lost => (Verdict::Lost, "the bot has no move left".to_owned()),
        EndCause::Resigned(mv) => {
            (Verdict::Resigned, format!("{turn}: the bot printed \"0 0\", but it could play \"{mv}\""))
        }
        EndCause::Illegal(illegal) => (Verdict::Illegal, format!("{turn}: {illegal}")),
        EndCause::Malformed(error) => (Verdict::Malformed, format!("{turn}: {error}")),
        EndCause::NoMoreOutput => no_more_output(state, *turn),
        EndCause::Limit(report) => limit(state, report, *turn),
        EndCause::Late { waited } => late(state, *waited, *turn),
        EndCause::PerhapsLate { waited, delayed } => perhaps_late(state, *waited, *delayed),
        EndCause::LongLine => long_line(*turn, state.refused_line()),
        EndCause::TooMuchOutput => {
            (Verdict::OutputLimit, format!("{turn}: more than {} MiB of output", OUTPUT_LIMIT >> 20))
        }
        EndCause::Interrupted => interrupted(),
        EndCause::JudgeError(reason) => (Verdict::JudgeError, reason.clone()),
    }
}

fn interrupted() -> (Verdict, String) {
    (Verdict::Interrupted, "the judge was interrupted".to_owned())
}

/// Returns the verdict that the strict profile would give, if the contest profile excused misbehaviour in a won game.
pub(crate) fn excused(state: &GameState) -> Option<Verdict> {
    let (verdict, _) = decide(state);
    after_the_end(state).map(|(strict, _)| strict).filter(|_| verdict == Verdict::Won)
}

/// Returns the reason of a verdict: which line was not received from the bot, followed by `why`.
fn not_received(turn: Turn, why: &str) -> String {
    match turn.expected {
        ExpectedLine::Side => format!("no First or Second was received: {why}"),
        ExpectedLine::BotMove | ExpectedLine::OpponentMove => format!("{turn} was not received: {why}"),
    }
}

fn long_line(turn: Turn, line: &[u8]) -> (Verdict, String) {
    let beginning = quoted(&line[..line.len().min(MAX_QUOTED)]);
    let reason = format!("{turn}: a line of more than {LINE_LIMIT} bytes, which begins {beginning}");
    (Verdict::OutputLimit, reason)
}

fn limit(state: &GameState, report: &LimitReport, turn: Turn) -> (Verdict, String) {
    let stall = stall(state, report);
    let [wall, idle] = [state.limits().wall, state.limits().idle].map(units::time_limit);
    let idle_reason = |spent: String| {
        // If another program runs the bot, its activity is unknown and `sleeping` is false.
        let doing = if report.sleeping { format!("{} and ", stall.activity()) } else { String::new() };
        (Verdict::Idle, not_received(turn, &format!("the bot {doing}{spent}")))
    };
    match report.limit {
        Limit::Wall => match exceeded_limit(state) {
            Some((Verdict::TimeCpu, reason)) => (Verdict::TimeCpu, not_received(turn, &reason)),
            _ if stall.is_idle(state.limits().wall) => {
                idle_reason(format!("has used up its {wall} of wall time"))
            }
            _ => {
                let what = format!("time limit exceeded: {wall} of wall time");
                (Verdict::TimeWall, not_received(turn, &what))
            }
        },
        Limit::Idle => idle_reason(format!("was idle for {idle}")),
        Limit::Cpu => (Verdict::TimeCpu, not_received(turn, &cpu(state))),
        Limit::Memory => (Verdict::Memory, not_received(turn, &memory(state))),
        Limit::Processes => (Verdict::Processes, not_received(turn, &processes(state))),
        Limit::Line => long_line(turn, &report.unfinished.0),
    }
}

/// Returns the diagnosis of a bot that reached a limit before it answered.
pub(crate) fn stall<'a>(state: &'a GameState, report: &'a LimitReport) -> StallDiagnosis<'a> {
    StallDiagnosis { report, io: state.io(), late: state.late_reaction() }
}

/// Checks whether the bot may be waiting for input that the judge will not send. If so, the judge closes the bot's
/// input, and the bot's reaction shows why it waits.
pub(crate) fn is_waiting_for_input(state: &GameState) -> bool {
    matches!(state.end_cause(), Some(EndCause::Limit(report))
        if matches!(report.limit, Limit::Wall | Limit::Idle) && stall(state, report).is_waiting_for_input())
}

/// Checks whether the time of a game is in doubt because the machine may have been too busy. There are two cases: the
/// bot exceeded its wall time although it used little CPU time and did not sleep for long; or the judge itself did not
/// run, although no signal had stopped the judge.
pub(crate) fn is_doubtful(state: &GameState) -> bool {
    let wall = state.limits().wall;
    let used_little = |cpu: Option<Duration>| cpu.is_some_and(|cpu| cpu < wall / 2);
    match state.end_cause() {
        Some(EndCause::Limit(report)) if report.limit == Limit::Wall => {
            !stall(state, report).is_quiet(wall) && used_little(report.used.cpu)
        }
        Some(EndCause::Late { .. }) => used_little(state.used().cpu),
        Some(EndCause::PerhapsLate { .. }) => !state.was_judge_stopped(),
        _ => false,
    }
}

fn late(state: &GameState, waited: Duration, turn: Turn) -> (Verdict, String) {
    if let Some((Verdict::TimeCpu, reason)) = exceeded_limit(state) {
        return (Verdict::TimeCpu, format!("{turn} was received too late: {reason}"));
    }
    let (waited, wall) = (units::measured(waited), units::time_limit(state.limits().wall));
    (
        Verdict::TimeWall,
        format!(
            "{turn} was received too late: time limit exceeded: {waited} of wall time; the limit is {wall}"
        ),
    )
}

fn perhaps_late(state: &GameState, waited: Duration, delayed: Duration) -> (Verdict, String) {
    let ([delayed, waited], wall) =
        ([delayed, waited].map(units::measured), units::time_limit(state.limits().wall));
    (
        Verdict::JudgeError,
        format!(
            "the judge itself did not run for {delayed} of the {waited} that it waited, so it is unknown \
             whether the bot kept to its limit of {wall}: something stopped the judge, or the machine is \
             overloaded; {PLAY_AGAIN}"
        ),
    )
}

/// Returns the verdict and its reason if the bot's usage up to the end of the game exceeds a limit.
fn exceeded_limit(state: &GameState) -> Option<(Verdict, String)> {
    let (used, limits) = (state.used_at_end(), state.limits());
    if used.cpu > Some(limits.cpu) {
        Some((Verdict::TimeCpu, cpu(state)))
    } else if used.memory > Some(limits.memory) {
        Some((Verdict::Memory, memory(state)))
    } else if used.processes > Some(limits.processes) {
        Some((Verdict::Processes, processes(state)))
    } else {
        None
    }
}

fn cpu(state: &GameState) -> String {
    let used = units::measured(state.used_at_end().cpu.unwrap_or_default());
    format!("time limit exceeded: {used} of CPU time; the limit is {}", units::time_limit(state.limits().cpu))
}

fn memory(state: &GameState) -> String {
    let used = state.used_at_end().memory.unwrap_or_default() >> 20;
    let limit = state.limits().memory >> 20;
    if used > limit {
        format!("the bot used {used} MiB of memory; its limit is {limit} MiB")
    } else {
        // The kernel refused the memory, so the bot never got it.
        format!("the bot asked for more memory than it may use; its limit is {limit} MiB")
    }
}

fn processes(state: &GameState) -> String {
    format!(
        "the bot asked for more than its limit of {} processes and threads at a time",
        state.limits().processes
    )
}

fn won(state: &GameState) -> (Verdict, String) {
    let won = match state.forfeit() {
        Some(verdict) if !state.position().is_over() || state.position().is_misere() => {
            format!("the opponent ended the game with {verdict}")
        }
        _ if state.position().is_misere() => format!("the bot {NO_MOVE_WINS}"),
        _ => "the opponent has no move left".to_owned(),
    };
    if let Some((verdict, reason)) = exceeded_limit(state) {
        return (verdict, format!("{reason}; {won}"));
    }
    match (state.bot_end(), after_the_end(state)) {
        (BotEnd::Exited(exit), _) if exit != Exit::Code(0) => {
            (Verdict::Crashed, format!("{won}, but then the bot {exit}"))
        }
        (_, Some((verdict, what))) if state.profile() == Profile::Strict => {
            (verdict, format!("{won}, but {what}"))
        }
        _ if state.was_judge_stopped() => (
            Verdict::JudgeError,
            format!(
                "{won}, but a signal stopped the judge during the game, so the bot's times are unknown; \
                 {PLAY_AGAIN}"
            ),
        ),
        (_, Some((_, what))) => (Verdict::Won, format!("{won} ({what})")),
        (_, None) => (Verdict::Won, won),
    }
}

/// Returns the verdict of the strict profile and its reason if the bot printed anything after the end of a game that it
/// won, or did not exit.
fn after_the_end(state: &GameState) -> Option<(Verdict, String)> {
    if state.has_extra() {
        Some((Verdict::ExtraOutput, format!("the bot printed {} after the end", quoted(state.extra()))))
    } else if state.bot_end() == BotEnd::Killed && !state.was_judge_stopped() {
        Some((Verdict::NoExit, "the bot did not exit by itself and was killed".to_owned()))
    } else {
        None
    }
}

fn no_more_output(state: &GameState, turn: Turn) -> (Verdict, String) {
    if let Some((verdict, reason)) = exceeded_limit(state) {
        return (verdict, not_received(turn, &reason));
    }
    match state.bot_end() {
        BotEnd::Exited(exit @ Exit::Code(0)) => {
            (Verdict::ExitedEarly, not_received(turn, &format!("the bot {exit}")))
        }
        BotEnd::Exited(exit) => (Verdict::Crashed, not_received(turn, &format!("the bot {exit}"))),
        BotEnd::Killed | BotEnd::PlaysOn => {
            (Verdict::ExitedEarly, not_received(turn, "the bot closed its stdout"))
        }
    }
}
