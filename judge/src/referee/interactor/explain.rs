//! What an interactor's decision means, and what the ruling on a run against an interactor says besides the reason.

use std::borrow::Cow;

use runner::event::{Exit, Limit};
use runner::relay::Side;
use runner::stderr_excerpt::shown_lines;

use crate::conversation::decide::Referee;
use crate::conversation::facts::{End, Facts, InteractorFacts, SIGSEGV};
use crate::conversation::role::Role;
use crate::conversation::stall::Cause;
use crate::conversation::verdict::{Class, Ruling, Verdict};
use crate::referee::interactor::relayed::Finished;
use crate::referee::interactor::style::{Decision, ICPC_ACCEPTS, ICPC_REJECTS, SCORE, Style};
use crate::units::{measured, time_limit};

/// Returns the ruling of the program with this role. `full_score` is accepted if it is given.
pub(crate) fn by_decision(role: Role, decision: &Decision, message: &str, full_score: Option<f64>) -> Ruling {
    let who = role.with_article();
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
            let class = if role == Role::Checker { Class::CheckerFailed } else { *class };
            Ruling::new(class, format!("{who} {what}")).why_if_any(why)
        }
    }
}

impl Referee for Finished {
    fn facts(&self) -> Cow<'_, Facts> {
        Cow::Borrowed(&self.facts)
    }

    fn explain(&self, facts: &Facts, ruling: Ruling) -> Ruling {
        let mut ruling = explain(facts, ruling);
        let Some(interactor) = &facts.interactor else { return ruling };
        let is_about_process = !matches!(
            ruling.verdict,
            Verdict::Accepted | Verdict::Partial | Verdict::WrongAnswer | Verdict::JudgeError
        );
        ruling.process = facts.bot.seat.filter(|_| is_about_process);
        if let Some(process) = ruling.process {
            ruling.reason = format!("process {process}: {}", ruling.reason);
        }
        let is_rejected = ruling.class == Class::WrongAnswer;
        if is_rejected
            && matches!(self.style, Style::Plain | Style::Launcher | Style::Testlib)
            // A tester that exits with 0 has handled the exception.
            && interactor.exit != Some(Exit::Code(0))
            && self.interactor.stderr.shows_exception()
        {
            let who = facts.referee();
            ruling = ruling.why(format!(
                "{who} ended with an exception: unless it rejects in this way, it failed itself"
            ));
        }
        if is_rejected && self.names_score {
            ruling = ruling
                .why(format!("the bot printed \"{SCORE}\" itself, so no score of the interactor counts"));
        }
        ruling = ruling.why_if_any(self.wrong_set_up(facts, interactor));
        let has_ended_well = facts.bot.exit.is_none_or(|exit| exit == Exit::Code(0));
        match interactor.last_lines.first_before_reply() {
            Some(line) if is_rejected && has_ended_well => ruling.why(format!(
                "from its line {line} on, the bot wrote before the reply to line {} came: if it has left a reply unread, \
                 each later reply is one line off",
                line - 1
            )),
            _ => ruling,
        }
    }
}

impl Finished {
    fn wrong_set_up(&self, facts: &Facts, interactor: &InteractorFacts) -> Option<&'static str> {
        let says = |text: &str| shown_lines(&self.interactor.stderr).iter().any(|line| line.contains(text));
        let Some(Exit::Code(code)) = interactor.exit else { return None };
        let decided = facts.decision.as_ref().map(|decision| decision.class);
        match self.style {
            Style::Icpc if (0..=3).contains(&code) && TESTLIB_WORDS.iter().any(|word| says(word)) => Some(
                "the message is one of testlib.h, which exits with 0 to 3: type --style testlib, or let a validator of a \
                 package exit with 42 or 43",
            ),
            Style::Testlib
                if facts.terms.role == Role::Interactor
                    && matches!(code, ICPC_ACCEPTS | ICPC_REJECTS)
                    && decided == Some(Class::InteractorWrongStyle) =>
            {
                Some("if this is how it decides, type --style icpc")
            }
            Style::Testlib if code == 3 && says("unopened answer stream") => Some(
                "the interactor reads an answer file, but the test has none: put it beside the input, as 1.ans, 1.a or \
                 1.out",
            ),
            _ => None,
        }
    }
}

const TESTLIB_WORDS: [&str; 4] = ["FAIL ", "wrong answer ", "wrong output format ", "ok "];

/// Adds the evidence and the advice to the ruling of [`decide`](crate::conversation::decide::decide).
pub(crate) fn explain(facts: &Facts, mut ruling: Ruling) -> Ruling {
    let Some(interactor) = &facts.interactor else { return ruling };
    let mut why = Vec::new();
    let lines = || Some(last_lines(facts, interactor));
    match &facts.end {
        End::Limit(Side::Bot, report) => {
            let cpu = report.used.cpu.filter(|_| report.limit == Limit::Wall);
            let limit = time_limit(facts.terms.limits.cpu);
            let used = cpu.map(|cpu| format!("it used {} of CPU time; the limit is {limit}", measured(cpu)));
            why.extend([used, lines(), consequence(facts)]);
        }
        End::Output(Side::Bot, _) => why.push(consequence(facts)),
        End::Limit(Side::Interactor, _) => why.push(lines()),
        End::Stall(stall) => {
            why.push(lines());
            let cause = Cause::of(stall, &facts.bot);
            if matches!(cause, Cause::NobodyBegins | Cause::LostOrNext | Cause::BotIsNext | Cause::NeedsMore)
            {
                why.push(consequence(facts));
            }
            let failed = facts.bot.exit.filter(|&exit| exit != Exit::Code(0));
            why.push(
                failed.map(|exit| format!("a consequence: the bot {exit} when the judge ended its input")),
            );
        }
        End::Bot | End::Decision
            if matches!(ruling.class, Class::Crash | Class::TimeCpu | Class::Memory | Class::Processes)
                && !has_accepted(facts) =>
        {
            why.extend([lines(), consequence(facts)]);
        }
        End::Bot | End::Decision if ruling.class == Class::WrongAnswer || interactor.late_limit.is_some() => {
            why.push(lines());
        }
        _ => {}
    }
    ruling.why = why.into_iter().flatten().chain(ruling.why).collect();
    if let Some(decision) = refusal(facts, interactor) {
        ruling.why.insert(0, ruling.reason);
        ruling.reason = format!("the interactor wrote \"-1\", but the bot went on; {}", decision.reason);
        ruling.advice = vec!["exit when the interactor writes -1".to_owned()];
    }
    if !facts.terms.is_bot_confined && is_interactor_stopped(facts, interactor) {
        ruling = ruling.why(
            "the judge did not send this signal, so it came from the interactor or from another program; --sandbox makes \
             sure that it does not come from the bot",
        );
    }
    ruling.advice.extend(advice(facts, interactor, &ruling));
    ruling
}

/// Returns the rejection by an interactor that wrote -1 as its last line and then waited for the end of the bot.
fn refusal<'a>(facts: &'a Facts, interactor: &InteractorFacts) -> Option<&'a Ruling> {
    let last = interactor.last_lines.last(Side::Interactor);
    let is_refused =
        matches!(facts.end, End::Stall(_)) && last.is_some_and(|line| line.trim_ascii() == b"-1");
    facts.decision.as_ref().filter(|decision| is_refused && decision.class == Class::WrongAnswer)
}

fn advice(facts: &Facts, interactor: &InteractorFacts, ruling: &Ruling) -> Option<String> {
    let has_quoted = interactor.last_lines.quotes_text(Side::Bot, &interactor.message);
    let is_segmentation_fault = facts.bot.exit == Some(Exit::Signal(SIGSEGV));
    let advice = match (ruling.class, has_accepted(facts)) {
        (Class::WrongAnswer, _) if interactor.last_lines.has_byte_order_mark(Side::Bot) => {
            "write no byte-order mark (U+FEFF) before the first line: in Python, the encoding is utf-8, not utf-8-sig"
        }
        (Class::WrongAnswer, _) if has_quoted => {
            "print only the lines that the problem's statement asks for to stdout; print debug output and prompts to \
             stderr"
        }
        (Class::ExtraOutput, _) => {
            "print nothing after the final answer, and print everything else to stderr"
        }
        (Class::Crash, true) => "after the final answer, read nothing more and exit with code 0",
        (Class::NoExit | Class::TimeCpu | Class::TimeWall | Class::Memory | Class::Processes, true) => {
            "after the final answer, leave every loop, read nothing more and exit"
        }
        (Class::Crash, _) if is_segmentation_fault && facts.terms.languages[0].may_be_c() => {
            "find the line: in C and C++, compile it with -g -fsanitize=address, for a source by --release-flags"
        }
        (Class::TimeCpu, _) if !facts.bot.has_written => {
            "look for an endless or slow loop before the bot's first line; a loop that waits for input without reading it \
             is one, too"
        }
        (Class::TimeCpu, _) => {
            "look for an endless or slow loop after the last line that the bot wrote; --time-limit sets the limit"
        }
        (Class::TimeWall, _) if facts.is_doubtful() => {
            "if the machine is busy, run fewer programs at a time (--jobs 1), or raise the limit (--wall-limit)"
        }
        (Class::Memory, _) => {
            "look for a list or a recursion that grows too large; --memory-limit sets the limit"
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

/// Checks whether a signal ended or stopped the interactor that another program, possibly the bot, may have sent.
fn is_interactor_stopped(facts: &Facts, interactor: &InteractorFacts) -> bool {
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

fn consequence(facts: &Facts) -> Option<String> {
    let decision = facts.decision.as_ref()?;
    let how = if decision.is_accepted() { "nevertheless" } else { "a consequence:" };
    Some(format!("{how} {}", decision.reason))
}

fn last_lines(facts: &Facts, interactor: &InteractorFacts) -> String {
    let bot = facts.bot.seat.map_or_else(|| "bot".to_owned(), |process| format!("process {process}"));
    let name = if facts.terms.role == Role::Interactor { "interactor" } else { "input" };
    interactor.last_lines.text(&bot, name)
}
