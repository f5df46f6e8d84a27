//! Where a game that was not won is explained: a pure function of its state, as the verdict is.

mod illegal;
pub mod not_ended;
mod numbers;
mod resources;

use super::bot_end::BotEnd;
use super::config::MatchConfig;
use super::decide::stall;
use super::end_cause::EndCause;
use super::explanation::{EXIT, Explanation, PRINT, PRINT_NO_MORE};
use super::game_state::GameState;
use super::setup::GameSetup;
use super::stall::FLUSH;
use super::verdict::Verdict;
use runner::event::Exit;

/// Explains a game of this set-up that ended with this verdict.
pub(super) fn explain(
    state: &GameState,
    verdict: Verdict,
    game: &GameSetup,
    config: &MatchConfig,
) -> Explanation {
    match verdict {
        _ if !config.played_by.is_program() => Explanation::default(),
        // The review explains a game that was lost.
        Verdict::Won | Verdict::Lost | Verdict::JudgeError | Verdict::Interrupted => Explanation::default(),
        Verdict::Illegal => illegal::explain(state, game),
        Verdict::Malformed => numbers::explain(state, game),
        Verdict::Resigned => Explanation::advise("print \"0 0\" only when the bot has no legal move left"),
        Verdict::ExtraOutput => Explanation::advise(PRINT_NO_MORE),
        Verdict::NoExit => not_ended::explain(state.still_running()),
        Verdict::OutputLimit => Explanation {
            why: Vec::new(),
            advice: vec!["end every line with a newline".to_owned(), PRINT.to_owned()],
        },
        Verdict::Crashed => crashed(state, game, config),
        Verdict::ExitedEarly => exited_early(state),
        Verdict::TimeCpu => resources::cpu(state, game, config),
        Verdict::Memory => resources::memory(state, game, config),
        Verdict::Processes => {
            Explanation::advise("start fewer threads and processes, or allow more: --processes")
        }
        Verdict::Idle | Verdict::TimeWall => silent(state, verdict, game, config),
    }
}

/// The evidence and the likely cause for a bot that printed nothing.
fn silent(state: &GameState, verdict: Verdict, game: &GameSetup, config: &MatchConfig) -> Explanation {
    let Some(EndCause::Limit(report)) = state.end_cause() else { return Explanation::default() };
    let stall = stall(state, report);
    let evidence = stall.to_string();
    if verdict == Verdict::TimeWall && !report.sleeping {
        let Explanation { why, mut advice } = resources::cpu(state, game, config);
        advice.push(
            "if the machine is busy, play fewer games at a time (--jobs 1), or allow more: --wall-limit"
                .to_owned(),
        );
        return Explanation { why: [why, vec![evidence]].concat(), advice };
    }
    if verdict == Verdict::TimeWall {
        let advice = "look for what keeps it from running: sleeping, waiting for other processes, reading or writing files";
        return Explanation { why: vec![evidence], advice: vec![advice.to_owned()] };
    }
    let cause = stall.cause();
    Explanation { why: vec![cause.why, evidence], advice: vec![cause.advice] }
}

fn exited_early(state: &GameState) -> Explanation {
    let why = if state.io().received == 0 {
        vec!["it printed nothing; what is not flushed can be lost at the end of a program".to_owned()]
    } else {
        Vec::new()
    };
    let advice = match state.bot_end() {
        BotEnd::Exited(_) => "play until the judge sends \"0 0\" or \"-1 -1\", and exit only then",
        _ => "keep stdout open until the judge sends \"0 0\" or \"-1 -1\"",
    };
    let flush = (state.io().received == 0).then(|| FLUSH.to_owned());
    Explanation { why, advice: [advice.to_owned()].into_iter().chain(flush).collect() }
}

fn crashed(state: &GameState, game: &GameSetup, config: &MatchConfig) -> Explanation {
    match state.bot_end() {
        BotEnd::Exited(Exit::Signal(SIGSEGV)) => resources::segmentation_fault(state, game, config),
        BotEnd::Exited(Exit::Signal(_)) => Explanation::default(),
        _ if matches!(state.end_cause(), Some(EndCause::Won)) => Explanation::advise(EXIT),
        _ if state.stderr().whole().is_some_and(|text| text.trim_ascii().is_empty()) => {
            Explanation::advise("look for a call that exits with this code: it wrote nothing to stderr")
        }
        _ if state.stderr().beginning_has(OLD_NODE) => Explanation::advise(
            "install Node 22.6 or later, which runs TypeScript, or set another way in judge.toml",
        ),
        _ => Explanation::advise("read what it wrote to stderr, below: it names the error and the line"),
    }
}

/// What a Node that is too old for TypeScript says.
const OLD_NODE: &str = "bad option: --experimental-strip-types";

/// An access to memory that the program does not have. The number is the same on every Unix.
const SIGSEGV: i32 = 11;
