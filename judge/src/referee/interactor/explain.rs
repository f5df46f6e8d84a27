//! What an interactor's decision means, and what the ruling on a run against an interactor says besides the reason.

use runner::event::{Exit, Limit};
use runner::relay::Side;
use runner::stderr_excerpt::shown_lines;

use crate::conversation::Referee;
use crate::conversation::facts::{Confinement, End, Facts, InteractorFacts, Turn};
use crate::conversation::last_lines::LastLines;
use crate::conversation::ruling::Ruling;
use crate::conversation::stall::Cause;
use crate::conversation::verdict::Class;
use crate::referee::interactor::relayed::Finished;
use crate::referee::interactor::style::{Decision, ICPC_ACCEPTS, ICPC_REJECTS, SCORE, Style};
use crate::units::{measured, time_limit};

/// Returns the ruling of the program `who`, the interactor or its checker. `full_score` is accepted if it is given.
pub(crate) fn by_decision(who: &str, decision: &Decision, message: &str, full_score: Option<f64>) -> Ruling {
    let message = message.trim();
    let with_message = if message.is_empty() { String::new() } else { format!(": {message}") };
    match decision {
        Decision::Accepted => Ruling::new(Class::Accepted, format!("{who} accepted{with_message}")),
        Decision::Scored(score) | Decision::Partial(score) => {
            let is_best = full_score.map_or(matches!(decision, Decision::Scored(_)), |full| *score >= full);
            let class = if is_best { Class::Accepted } else { Class::Partial };
            let of = full_score.map_or_else(String::new, |full| format!(" of {full}"));
            let reason = format!("{who} gave a score of {score}{of}{with_message}");
            Ruling { score: Some(*score), ..Ruling::new(class, reason) }
        }
        Decision::Wrong => Ruling::new(Class::WrongAnswer, format!("{who} rejected{with_message}")),
        Decision::Failed(class, what) => {
            let why = (!message.is_empty()).then(|| format!("its message: {message}"));
            Ruling::new(*class, format!("{who} {what}")).why_if_any(why)
        }
    }
}

impl Referee for Finished {
    fn facts(&self) -> Facts {
        self.facts.clone()
    }

    fn explain(&self, facts: &Facts, ruling: Ruling) -> Ruling {
        let mut ruling = explain(facts, ruling);
        ruling.process = facts.bot.seat.filter(|_| ruling.verdict.is_about_process());
        if let Some(process) = ruling.process {
            ruling.reason = format!("process {process}: {}", ruling.reason);
        }
        // A tester that exits with 0 has handled the exception.
        let has_failed = facts.interactor.as_ref().is_some_and(|facts| facts.exit != Some(Exit::Code(0)));
        let is_rejection = has_failed
            && matches!(self.style, Style::Plain | Style::Launcher | Style::Testlib)
            && ruling.class == Class::WrongAnswer;
        let failed = (is_rejection && self.interactor.stderr.shows_exception()).then(|| {
            let who = facts.interactor.as_ref().map_or("the interactor", |facts| facts.turn.interactor());
            format!("{who} ended with an exception: unless it rejects in this way, it failed itself")
        });
        let names_score = (ruling.class == Class::WrongAnswer
            && self.bots.iter().any(|(bot, _)| bot.names_score))
        .then(|| format!("the bot printed \"{SCORE}\" itself, so no score of the interactor counts"));
        let is_off =
            ruling.class == Class::WrongAnswer && facts.bot.exit.is_none_or(|exit| exit == Exit::Code(0));
        let lines = facts.interactor.as_ref().map(|interactor| &interactor.last_lines).filter(|_| is_off);
        let unread = lines.and_then(LastLines::first_before_reply).map(|line| {
            format!(
                "from its line {line} on, the bot wrote before the reply to line {} came: if it has left a reply unread, \
                 each later reply is one line off",
                line - 1
            )
        });
        ruling
            .why_if_any(failed)
            .why_if_any(names_score)
            .why_if_any(self.wrong_set_up(facts))
            .why_if_any(unread)
    }
}

impl Finished {
    /// Returns what is wrong with how the interactor is used, if its exit shows it.
    fn wrong_set_up(&self, facts: &Facts) -> Option<String> {
        let interactor = facts.interactor.as_ref()?;
        let says = |text: &str| shown_lines(&self.interactor.stderr).iter().any(|line| line.contains(text));
        let Some(Exit::Code(code)) = interactor.exit else { return None };
        if self.style == Style::Icpc && (0..=3).contains(&code) && TESTLIB_WORDS.iter().any(|word| says(word))
        {
            return Some(
                "the message is one of testlib.h, which exits with 0 to 3: type --style testlib, or let a validator of a \
                 package exit with 42 or 43"
                    .to_owned(),
            );
        }
        if self.style == Style::Testlib
            && interactor.turn == Turn::WithBot
            && matches!(code, ICPC_ACCEPTS | ICPC_REJECTS)
            && facts.decision.as_ref().is_some_and(|decision| decision.class == Class::InteractorWrongStyle)
        {
            return Some("if this is how it decides, type --style icpc".to_owned());
        }
        (self.style == Style::Testlib && code == FAILED && says("unopened answer stream")).then(|| {
            "the interactor reads an answer file, but the test has none: put it beside the input, as 1.ans, 1.a or 1.out"
                .to_owned()
        })
    }
}

/// The signal of a segmentation fault. Its number is the same on every Unix.
const SIGSEGV: i32 = 11;

/// The exit code of an interactor with testlib.h that failed itself.
const FAILED: i32 = 3;

/// The beginnings of the messages of testlib.h.
const TESTLIB_WORDS: [&str; 4] = ["FAIL ", "wrong answer ", "wrong output format ", "ok "];

/// Adds the evidence and the advice to the ruling of [`decide`](crate::conversation::decide::decide).
pub(crate) fn explain(facts: &Facts, mut ruling: Ruling) -> Ruling {
    let Some(interactor) = &facts.interactor else { return ruling };
    let mut why = Vec::new();
    match &facts.end {
        End::Limit(Side::Bot, report) => {
            let cpu = report.used.cpu.filter(|_| report.limit == Limit::Wall);
            let limit = time_limit(facts.bot.limits.cpu);
            why.push(cpu.map(|cpu| format!("it used {} of CPU time; the limit is {limit}", measured(cpu))));
            why.extend([Some(last_lines(facts, interactor)), consequence(facts)]);
        }
        End::Output(Side::Bot, _) => why.push(consequence(facts)),
        End::Limit(Side::Interactor, _) => why.push(Some(last_lines(facts, interactor))),
        End::Stall(stall) => {
            why.push(Some(last_lines(facts, interactor)));
            let cause = Cause::of(stall, &facts.bot);
            if matches!(cause, Cause::NobodyBegins | Cause::LostOrNext | Cause::BotIsNext | Cause::NeedsMore)
            {
                why.push(consequence(facts));
            }
            let failed = facts.bot.exit.filter(|&exit| exit != Exit::Code(0));
            why.push(
                failed.map(|exit| format!("a consequence: when the judge ended its input, the bot {exit}")),
            );
        }
        End::Bot | End::Decision if ruling.class == Class::Crash && !has_accepted(facts) => {
            why.extend([Some(last_lines(facts, interactor)), consequence(facts)]);
        }
        End::Bot
            if matches!(ruling.class, Class::TimeCpu | Class::Memory | Class::Processes)
                && !has_accepted(facts) =>
        {
            why.extend([Some(last_lines(facts, interactor)), consequence(facts)]);
        }
        End::Bot if interactor.late_limit.is_some() => why.push(Some(last_lines(facts, interactor))),
        End::Bot | End::Decision if ruling.class == Class::WrongAnswer => {
            why.push(Some(last_lines(facts, interactor)));
        }
        _ => {}
    }
    ruling.why = why.into_iter().flatten().chain(ruling.why).collect();
    if let Some(decision) = refusal(facts) {
        ruling.why.insert(0, ruling.reason);
        ruling.reason = format!("the interactor wrote \"-1\", but the bot went on; {}", decision.reason);
        ruling.advice = vec!["exit when the interactor writes -1".to_owned()];
    }
    if is_interactor_stopped(facts) {
        ruling.why.extend(other_sender(interactor));
    }
    ruling.advice.extend(advice(facts, &ruling));
    ruling
}

/// Returns the rejection by an interactor that wrote -1 as its last line and then waited for the end of the bot.
fn refusal(facts: &Facts) -> Option<&Ruling> {
    let lines = &facts.interactor.as_ref()?.last_lines;
    let is_refused = matches!(facts.end, End::Stall(_))
        && lines.last(Side::Interactor).is_some_and(|line| line.trim_ascii() == b"-1");
    facts.decision.as_ref().filter(|decision| is_refused && decision.class == Class::WrongAnswer)
}

/// Returns the advice that follows from the class.
fn advice(facts: &Facts, ruling: &Ruling) -> Option<String> {
    let interactor = facts.interactor.as_ref()?;
    let has_quoted = interactor.last_lines.quotes_text(Side::Bot, &interactor.message);
    let advice = match ruling.class {
        Class::WrongAnswer if interactor.last_lines.has_byte_order_mark(Side::Bot) => {
            "write no byte-order mark (U+FEFF) before the first line: in Python, the encoding is utf-8, not utf-8-sig"
        }
        Class::WrongAnswer if has_quoted => {
            "print only the lines that the problem's statement asks for to stdout; print debug output and prompts to \
             stderr"
        }
        Class::ExtraOutput => "print nothing after the final answer, and print everything else to stderr",
        Class::Crash if has_accepted(facts) => {
            "after the final answer, read nothing more and exit with code 0"
        }
        Class::Crash if facts.bot.exit == Some(Exit::Signal(SIGSEGV)) && facts.languages[0].may_be_c() => {
            "find the line: in C and C++, compile it with -g -fsanitize=address, for a source by --release-flags"
        }
        Class::TimeCpu if !has_accepted(facts) => {
            "look for an endless or slow loop after the last line that the bot wrote; --time-limit sets the limit"
        }
        Class::Memory if !has_accepted(facts) => {
            "look for a list or a recursion that grows too large; --memory-limit sets the limit"
        }
        Class::NoExit | Class::TimeCpu | Class::TimeWall | Class::Memory | Class::Processes
            if has_accepted(facts) =>
        {
            "after the final answer, leave every loop, read nothing more and exit"
        }
        _ => return None,
    };
    Some(advice.to_owned())
}

/// Checks whether the interactor accepted by itself, before the bot failed.
fn has_accepted(facts: &Facts) -> bool {
    let decided_alone = facts.interactor.as_ref().is_some_and(|interactor| interactor.decided_alone);
    decided_alone
        && matches!(facts.end, End::Decision | End::Bot)
        && facts.decision.as_ref().is_some_and(Ruling::is_accepted)
}

/// Checks whether a signal ended or stopped the interactor that another program may have sent.
fn is_interactor_stopped(facts: &Facts) -> bool {
    let Some(interactor) = &facts.interactor else { return false };
    let is_killed = interactor.exit.is_some_and(Exit::is_sent)
        && matches!(facts.end, End::Decision | End::Bot)
        && facts.decision.as_ref().is_some_and(|decision| decision.class == Class::InteractorCrash);
    let is_stopped = match &facts.end {
        End::Limit(Side::Interactor, report) => report.stopped,
        End::Bot => interactor.late_limit.as_ref().is_some_and(|report| report.stopped),
        End::Stall(stall) => Cause::of(stall, &facts.bot) == Cause::Stopped(Side::Interactor),
        _ => false,
    };
    is_killed || is_stopped
}

/// Returns the note that another program, possibly the bot, may have sent a signal to the interactor; `None` if the
/// sandbox prevents the bot from sending signals.
fn other_sender(interactor: &InteractorFacts) -> Option<String> {
    (interactor.confinement == Confinement::None).then(|| {
        "the judge did not send this signal, so it came from the interactor or from another program; --sandbox makes sure \
         that it does not come from the bot"
            .to_owned()
    })
}

/// Returns what the interactor decided after the bot had failed, if it decided anything.
fn consequence(facts: &Facts) -> Option<String> {
    let decision = facts.decision.as_ref()?;
    let reason = &decision.reason;
    Some(if decision.is_accepted() {
        format!("nevertheless {reason}")
    } else {
        format!("a consequence: {reason}")
    })
}

/// Returns the last lines of the interactor and the bot, or the process of the bot that decides.
fn last_lines(facts: &Facts, interactor: &InteractorFacts) -> String {
    let bot = facts.bot.seat.map_or_else(|| "bot".to_owned(), |process| format!("process {process}"));
    let interactor_name = match interactor.turn {
        Turn::WithBot => "interactor",
        Turn::AfterBot(_) => "input",
    };
    interactor.last_lines.text(&bot, interactor_name)
}
