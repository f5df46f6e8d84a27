//! Explains a game that was not won: the evidence, and what to do.

use crate::conversation::facts::{End, SIGSEGV};
use crate::conversation::language::CommandLanguage;
use crate::conversation::stall::{activity, was_idle};
use crate::conversation::verdict::{Ruling, Verdict};
use crate::referee::game::exchange::EndCause;
use crate::referee::game::game_state::GameState;
use crate::units::{measured, time_limit};
use runner::activity::Activity;
use runner::event::{Exit, Limit, LimitReport, StillRunning};
use runner::relay::Side;

pub(crate) const EXIT: &str = "when \"0 0\" or \"-1 -1\" is read, leave the read loop and exit with code 0";

/// The advice on how a bot should exit after a game in misère play that it has won.
const EXIT_AFTER_WIN: &str = "misère play: when the bot prints \"0 0\" because it has no move left, it has won and the judge sends \
    nothing more: read no line after it, and exit with code 0";

fn exit_advice(state: &GameState) -> &'static str {
    if state.exchange.position.is_misere() && state.has_won() { EXIT_AFTER_WIN } else { EXIT }
}

pub(crate) const PRINT_NO_MORE: &str = "when \"0 0\" or \"-1 -1\" is read, print nothing more";

pub(crate) const PRINT: &str = "print only First or Second, and then \"x y\" for each move of the bot; \
    print everything else to stderr";

mod refused;
mod resources;

/// Adds the evidence and the advice to the ruling on a game, the most important first.
pub(crate) fn explain(ruling: Ruling, state: &GameState) -> Ruling {
    match ruling.verdict {
        Verdict::Illegal => refused::illegal(ruling, state),
        Verdict::Malformed => refused::malformed(ruling, state),
        Verdict::Resigned => ruling.advice("print \"0 0\" only when the bot has no legal move left"),
        Verdict::ExtraOutput => ruling.advice(PRINT_NO_MORE),
        Verdict::NoExit => {
            let (why, advice) = not_ended(state.still_running.as_ref(), exit_advice(state));
            ruling.why_if_any(why).advice(advice)
        }
        Verdict::OutputLimit => ruling.advice("end every line with a newline").advice(PRINT),
        Verdict::Crashed => crashed(ruling, state),
        Verdict::ExitedEarly => exited_early(ruling, state),
        Verdict::TimeCpu => resources::cpu(ruling, state),
        Verdict::Memory => resources::memory(ruling, state),
        Verdict::Processes => {
            ruling.advice("start fewer threads and processes, or raise the limit (--processes)")
        }
        Verdict::Idle | Verdict::TimeWall => silent(ruling, state),
        // The review explains a lost game.
        _ => ruling,
    }
}

fn silent(ruling: Ruling, state: &GameState) -> Ruling {
    let Some(EndCause::Missing(End::Limit(_, report))) = &state.end else { return ruling };
    let evidence = evidence(state, report);
    match ruling.verdict {
        Verdict::TimeWall if !report.sleeping => {
            resources::cpu(ruling, state).why(evidence).advice(
                "if the machine is busy, play fewer games at a time (--jobs 1), or raise the limit (--wall-limit)",
            )
        }
        Verdict::TimeWall => ruling.why(evidence).advice(
            "find out why it does not run: it may sleep, wait for other processes, or read or write files",
        ),
        _ => ruling.why(evidence),
    }
}

/// Says what a bot did that did not answer, what it used, and what the last lines were.
fn evidence(state: &GameState, report: &LimitReport) -> String {
    let mut text = String::new();
    if report.limit == Limit::Idle {
        let idle = time_limit(state.limits().idle);
        // If another program runs the bot, its activity is unknown and `sleeping` is false.
        let doing =
            if report.sleeping { format!("it is {} and ", activity(report)) } else { "it ".to_owned() };
        text += &format!("{doing}was idle for {idle}; ");
    } else if was_idle(report, state.limits().wall) {
        let wall = time_limit(state.limits().wall);
        text += &format!("it is {} and has used up its {wall} of wall time; ", activity(report));
    }
    if let Some(cpu) = report.used.cpu {
        text += &format!("it used {} of CPU; ", measured(cpu));
    }
    let mut lines = state.last_lines.clone();
    lines.add(Side::Bot, &report.unfinished.0);
    text + &lines.text("bot", "judge")
}

fn exited_early(ruling: Ruling, state: &GameState) -> Ruling {
    let ruling = ruling.advice(match state.bot.exit {
        Some(_) => "play until the judge sends \"0 0\" or \"-1 -1\", and exit only then",
        None => "keep stdout open until the judge sends \"0 0\" or \"-1 -1\"",
    });
    if state.bot.bytes > 0 {
        return ruling;
    }
    ruling
        .why("it printed nothing; output that is not flushed may be lost when the program exits")
        .advice(CommandLanguage::of_command(&state.setup.config.bot).flush())
}

fn crashed(ruling: Ruling, state: &GameState) -> Ruling {
    match state.bot.exit {
        Some(Exit::Signal(SIGSEGV)) => resources::segmentation_fault(ruling, state),
        Some(Exit::Signal(_)) => ruling,
        _ if state.has_won() => ruling.advice(exit_advice(state)),
        _ if state.bot.stderr.whole().is_some_and(|text| text.trim_ascii().is_empty()) => {
            ruling.advice("look for a call that exits with this code: it wrote nothing to stderr")
        }
        _ if state.bot.stderr.beginning_has(OLD_NODE) => ruling
            .advice("install Node 22.6 or later, which runs TypeScript, or set another way in judge.toml"),
        _ => ruling.advice("read what it wrote to stderr, below: it names the error and the line"),
    }
}

/// The error message of a version of Node that is too old for TypeScript.
const OLD_NODE: &str = "bad option: --experimental-strip-types";

/// Returns why a bot did not exit by itself, if its state when it was killed is known, and the advice. `exit` is the
/// advice on how to exit.
pub(crate) fn not_ended(running: Option<&StillRunning>, exit: &str) -> (Option<String>, String) {
    let Some(running) = running else { return (None, exit.to_owned()) };
    if !running.sleeping {
        let why = "it was using CPU when it was killed: it is in an endless loop, such as one that keeps \
            reading after \"0 0\" or at the end of input";
        return (Some(why.to_owned()), exit.to_owned());
    }
    let activity = Activity::of(running.channel.as_deref());
    let why = format!("when it was killed, it was {activity}");
    let advice = match activity {
        // The judge has closed the bot's input, so there is nothing that the bot could wait for.
        Activity::Input | Activity::Event | Activity::Unknown => exit.to_owned(),
        activity => format!("{}; {exit}", activity.look_for()),
    };
    (Some(why), advice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_of_a_bot_that_does_not_exit() {
        let explained = |sleeping, channel: Option<&str>| {
            let channel = channel.map(str::to_owned);
            let (why, advice) = not_ended(Some(&StillRunning { sleeping, channel }), EXIT);
            (why.unwrap(), advice)
        };
        let (why, advice) = explained(true, Some("hrtimer_nanosleep"));
        assert_eq!(why, "when it was killed, it was sleeping for a set time");
        assert!(advice.starts_with("look for a call to sleep; when \"0 0\""), "{advice}");
        let (why, advice) = explained(true, Some("anon_pipe_read"));
        assert_eq!((why.as_str(), advice.as_str()), ("when it was killed, it was waiting for input", EXIT));
        assert!(explained(false, None).0.starts_with("it was using CPU when it was killed"));
        assert_eq!(not_ended(None, EXIT), (None, EXIT.to_owned()));
    }
}
