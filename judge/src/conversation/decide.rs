//! Who is at fault: the verdict as a function of the facts.

use runner::event::{Exit, Limit, LimitReport};
use runner::limits::Limits;
use runner::relay::Side;

use crate::conversation::facts::{BotEnd, Confinement, DecidedBy, End, Facts, OutputLimit, Stall, Turn};
use crate::conversation::last_lines::quoted;
use crate::conversation::ruling::Ruling;
use crate::conversation::stall;
use crate::conversation::verdict::Verdict;
use crate::referee::interactor::style::Decision;
use crate::units;

/// Returns the verdict on a conversation.
pub(crate) fn decide(facts: &Facts) -> Ruling {
    match &facts.end {
        End::Interactor => after_the_decision(facts),
        End::Bot(exit) => after_the_bot(facts, *exit),
        End::Limit(Side::Bot, report) => {
            let (verdict, reason) = limit("the bot", report, &facts.conditions.limits);
            let mut ruling =
                Ruling::new(verdict, reason).why(last_lines(facts)).why_if_any(consequence(facts));
            ruling.advice.extend(limit_advice(verdict).map(str::to_owned));
            ruling
        }
        End::Output(Side::Bot) => {
            let limit = facts.conditions.output;
            Ruling::new(Verdict::OutputLimit, format!("the bot wrote more than {}", size(limit)))
                .why_if_any(consequence(facts))
        }
        End::Limit(Side::Interactor, report) => failed_by_limit(facts, report),
        End::Output(Side::Interactor) => Ruling::new(
            Verdict::JudgeError,
            format!(
                "{} wrote more than {} to the bot",
                facts.interactor(),
                size(facts.conditions.interactor_output)
            ),
        ),
        End::Stall(stall) => stalled(facts, stall),
    }
}

/// Returns the ruling if the interactor decided by itself: the interactor's decision, unless the interactor accepted
/// and the bot then failed.
fn after_the_decision(facts: &Facts) -> Ruling {
    let Some(decision) = &facts.decision else {
        let who = facts.interactor();
        return Ruling::new(Verdict::JudgeError, format!("{who} ended, but the judge cannot say how"));
    };
    let ruling = by_decision(facts, decision);
    let late_fault = late_fault(facts);
    match (ruling.verdict, late_fault) {
        (_, None) => ruling,
        (Verdict::Accepted | Verdict::Partial, Some((_, what)))
            if facts.conditions.bot_end == BotEnd::IsExcused =>
        {
            ruling.why(format!("excused by --profile contest: {what}"))
        }
        (Verdict::Accepted | Verdict::Partial, Some((verdict, what))) => {
            let accepted = ruling.reason;
            Ruling::new(verdict, format!("{what}; before that {accepted}")).advice(how_to_end(verdict))
        }
        (_, Some((_, what))) => ruling.why(format!("a consequence: {what}")),
    }
}

/// Returns the bot's fault after the interactor's decision, if there is one: the verdict and its reason.
fn late_fault(facts: &Facts) -> Option<(Verdict, String)> {
    if let Some((Side::Bot, report)) = &facts.late_limit {
        let (verdict, what) = limit("the bot", report, &facts.conditions.limits);
        return Some((verdict, what));
    }
    match facts.bot_exit {
        None => {
            let grace = units::time_limit(facts.conditions.limits.grace);
            Some((
                Verdict::NoExit,
                format!("the bot did not end within {grace} after {}", facts.interactor()),
            ))
        }
        Some(Exit::Code(0)) if !facts.extra.is_empty() => {
            Some((Verdict::ExtraOutput, format!("the bot wrote {} that nobody read", quoted(&facts.extra))))
        }
        Some(Exit::Code(0)) => None,
        Some(exit) => Some((Verdict::Crashed, format!("the bot {exit}"))),
    }
}

/// Returns the advice for a bot that was accepted, but did not end correctly.
fn how_to_end(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::ExtraOutput => "print nothing after the final answer, and print everything else to stderr",
        Verdict::Crashed => "after the final answer, read nothing more and exit with code 0",
        _ => "after the final answer, leave every loop, read nothing more and exit",
    }
}

fn by_decision(facts: &Facts, decision: &Decision) -> Ruling {
    let message = match facts.message.trim() {
        "" => String::new(),
        message => format!(": {message}"),
    };
    let who = match facts.decided_by {
        DecidedBy::Interactor => facts.interactor(),
        DecidedBy::Checker => "the checker",
    };
    match decision {
        Decision::Accepted => Ruling::new(Verdict::Accepted, format!("{who} accepted{message}")),
        Decision::Partial(score) => {
            let reason = format!("{who} gave a score of {score}{message}");
            Ruling { score: Some(*score), ..Ruling::new(Verdict::Partial, reason) }
        }
        Decision::Wrong => {
            let ruling =
                Ruling::new(Verdict::WrongAnswer, format!("{who} rejected{message}")).why(last_lines(facts));
            if facts.last_lines.quotes_text(Side::Bot, &facts.message) {
                ruling.advice(
                    "print only the lines that the problem's statement asks for to stdout; print debug output and \
                     prompts to stderr",
                )
            } else {
                ruling
            }
        }
        Decision::Failed(what) => {
            let is_killed = facts.interactor_exit.is_some_and(Exit::is_sent);
            let message = Some(facts.message.trim()).filter(|message| !message.is_empty());
            Ruling::new(Verdict::JudgeError, format!("{who} {what}"))
                .why_if_any(message.map(|message| format!("its message: {message}")))
                .why_if_any(is_killed.then(|| other_sender(facts)).flatten())
        }
    }
}

/// Returns the note that another program, possibly the bot, may have sent a signal to the interactor; `None` if the
/// sandbox prevents the bot from sending signals.
fn other_sender(facts: &Facts) -> Option<String> {
    (facts.conditions.confinement == Confinement::None).then(|| {
        "the judge did not send this signal, so it came from the interactor or from another program; --sandbox makes sure \
         that it does not come from the bot"
            .to_owned()
    })
}

/// Returns the ruling if the bot ended before the interactor.
fn after_the_bot(facts: &Facts, exit: Exit) -> Ruling {
    if let Some((Side::Interactor, report)) = &facts.late_limit {
        let ruling = failed_by_limit(facts, report);
        return ruling.why(format!(
            "before that the bot {exit}, so {} received the end of the bot's output",
            facts.interactor()
        ));
    }
    let Some(decision) = &facts.decision else {
        let who = facts.interactor();
        return Ruling::new(Verdict::JudgeError, format!("{who} did not end after the bot"));
    };
    let ruling = by_decision(facts, decision);
    if exit == Exit::Code(0) {
        let is_early = ruling.verdict == Verdict::WrongAnswer
            && !facts.decided_before_end_of_input
            && facts.conditions.turn == Turn::WithBot;
        return if is_early {
            let who = facts.interactor();
            ruling.why(format!("the bot exited with code 0 before {who} decided")).advice(
                "exit only after the final answer, and read the reply to every line that asks for one",
            )
        } else {
            ruling
        };
    }
    if matches!(ruling.verdict, Verdict::Accepted | Verdict::Partial) && facts.decided_before_end_of_input {
        // Both programs ended independently of each other, and the judge saw the bot's end first by chance. The verdict
        // must not depend on this order.
        return after_the_decision(facts);
    }
    if matches!(ruling.verdict, Verdict::WrongAnswer | Verdict::JudgeError)
        && facts.decided_before_end_of_input
    {
        return ruling.why(format!("a consequence: the bot {exit}"));
    }
    if facts.interactor_closed && !facts.decided_before_end_of_input && matches!(exit, Exit::Code(_)) {
        return Ruling::new(
            Verdict::JudgeError,
            "the interactor closed its output but continued to read, so the bot got no more answers",
        )
        .why(format!("a consequence: the bot {exit}"));
    }
    let ruling = Ruling::new(Verdict::Crashed, format!("the bot {exit}")).why(last_lines(facts));
    ruling.why_if_any(consequence(facts))
}

/// Returns what the interactor decided after the bot had failed, if it decided anything.
fn consequence(facts: &Facts) -> Option<String> {
    let decision = facts.decision.as_ref()?;
    let reason = by_decision(facts, decision).reason;
    Some(match decision {
        Decision::Accepted | Decision::Partial(_) => format!("nevertheless {reason}"),
        Decision::Wrong | Decision::Failed(_) => format!("a consequence: {reason}"),
    })
}

/// Returns the last lines of both programs.
fn last_lines(facts: &Facts) -> String {
    facts.last_lines.text(match facts.conditions.turn {
        Turn::WithBot => "interactor",
        Turn::AfterBot => "input",
    })
}

fn failed_by_limit(facts: &Facts, report: &LimitReport) -> Ruling {
    let reason = match report.limit {
        Limit::Idle if report.stopped => {
            return Ruling::new(Verdict::JudgeError, "a signal stopped the interactor")
                .why_if_any(other_sender(facts));
        }
        Limit::Idle => format!(
            "{} has waited for {} since the end of the bot's output, without using CPU time",
            facts.interactor(),
            units::measured(report.quiet)
        ),
        _ => limit(facts.interactor(), report, &facts.conditions.interactor_limits).1,
    };
    Ruling::new(Verdict::JudgeError, reason).why(last_lines(facts))
}

/// Formats an output limit for a message.
fn size(OutputLimit { bytes, with_stderr }: OutputLimit) -> String {
    let streams = if with_stderr { " to stdout and stderr together" } else { "" };
    format!("{} MiB{streams}", bytes >> 20)
}

/// Returns the verdict on a program that reached a limit, and the reason. `who` is the name of the program in the
/// reason.
fn limit(who: &str, report: &LimitReport, limits: &Limits) -> (Verdict, String) {
    match report.limit {
        Limit::Cpu => {
            let used = units::measured(report.used.cpu.unwrap_or_default());
            let cpu = units::time_limit(limits.cpu);
            (Verdict::TimeCpu, format!("{who} used {used} of CPU time; the limit is {cpu}"))
        }
        Limit::Memory => {
            let (used, memory) = (report.used.memory.unwrap_or_default() >> 20, limits.memory >> 20);
            let reason = if used > memory {
                format!("{who} used {used} MiB of memory; the limit is {memory} MiB")
            } else {
                format!("{who} asked for more memory than it may use; the limit is {memory} MiB")
            };
            (Verdict::Memory, reason)
        }
        Limit::Processes => {
            let processes = limits.processes;
            (
                Verdict::Processes,
                format!("{who} had more processes and threads than it may; the limit is {processes}"),
            )
        }
        Limit::Line => (Verdict::OutputLimit, format!("{who} wrote a line that is too long")),
        Limit::Wall | Limit::Idle => {
            let wall = units::time_limit(limits.wall);
            (
                Verdict::TimeWall,
                format!("{who} took longer than {wall} of wall time for all its lines together"),
            )
        }
    }
}

/// Returns the advice for a bot that reached a limit, if there is one.
fn limit_advice(verdict: Verdict) -> Option<&'static str> {
    Some(match verdict {
        Verdict::TimeCpu => {
            "look for an endless or slow loop after the last line that the bot wrote; --time-limit sets the limit"
        }
        Verdict::Memory => {
            "look for a list or a recursion that grows too large; --memory-limit sets the limit"
        }
        _ => return None,
    })
}

/// Returns the ruling if both programs wait for each other.
fn stalled(facts: &Facts, stall: &Stall) -> Ruling {
    let ruling = by_stop(facts, stall)
        .or_else(|| stall::ruling_by_bytes(facts, stall))
        .or_else(|| stall::ruling_by_activities(stall));
    let ruling = if let Some(ruling) = ruling {
        ruling.why(last_lines(facts))
    } else {
        let ruling = stall::ruling_by_last_writer(stall).why(last_lines(facts));
        let is_idle = ruling.verdict == Verdict::Idle;
        ruling.why_if_any(is_idle.then(|| consequence(facts)).flatten())
    };
    let failed = facts.bot_exit.filter(|&exit| exit != Exit::Code(0));
    ruling.why_if_any(
        failed.map(|exit| format!("a consequence: when the judge ended its input, the bot {exit}")),
    )
}

/// Returns the ruling if a signal has stopped one of the programs.
fn by_stop(facts: &Facts, Stall { bot, interactor, .. }: &Stall) -> Option<Ruling> {
    if bot.stopped {
        Some(stall::idle("both programs wait: a signal stopped the bot"))
    } else if interactor.stopped {
        let reason = "both programs wait: a signal stopped the interactor";
        Some(stall::interactor_stalled(reason).why_if_any(other_sender(facts)))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use runner::event::{Bytes, Usage};
    use runner::limits::DEFAULT_LIMITS;

    use super::*;
    use crate::conversation::facts::{Conditions, DEFAULT_OUTPUT};
    use crate::conversation::last_lines::LastLines;
    use crate::referee::interactor::style::Style;

    const READ: Option<&str> = Some("anon_pipe_read");

    const CONDITIONS: Conditions = Conditions {
        style: Style::Icpc,
        turn: Turn::WithBot,
        limits: DEFAULT_LIMITS,
        output: DEFAULT_OUTPUT,
        interactor_limits: DEFAULT_LIMITS,
        interactor_output: DEFAULT_OUTPUT,
        bot_end: BotEnd::Counts,
        confinement: Confinement::None,
    };

    const EXCUSED: Conditions = Conditions { bot_end: BotEnd::IsExcused, ..CONDITIONS };

    fn report(limit: Limit, channel: Option<&str>) -> LimitReport {
        LimitReport {
            limit,
            used: Usage { cpu: Some(Duration::from_millis(2100)), memory: Some(2 << 30), processes: Some(1) },
            sleeping: limit == Limit::Idle,
            stopped: false,
            quiet: Duration::from_secs(1),
            channel: channel.map(str::to_owned),
            unread: 0,
            unfinished: Bytes::default(),
        }
    }

    fn facts(end: End, decision: Option<Decision>) -> Facts {
        let mut last_lines = LastLines::default();
        last_lines.add(Side::Bot, b"? 500\n");
        last_lines.add(Side::Interactor, b">\n");
        Facts {
            end,
            decision,
            message: "the message".to_owned(),
            decided_before_end_of_input: false,
            interactor_closed: false,
            bot_closed: false,
            bot_exit: Some(Exit::Code(0)),
            late_limit: None,
            decided_by: DecidedBy::Interactor,
            extra: Vec::new(),
            last_lines,
            conditions: CONDITIONS,
            interactor_exit: Some(Exit::Code(1)),
        }
    }

    fn ended(decision: Decision) -> Facts {
        Facts { decided_before_end_of_input: true, ..facts(End::Interactor, Some(decision)) }
    }

    fn stall() -> Stall {
        let idle = || report(Limit::Idle, READ);
        let (late_bot, late_interactor) = Default::default();
        Stall { bot: idle(), interactor: idle(), last_writer: Some(Side::Bot), late_bot, late_interactor }
    }

    fn stalled_by(stall: Stall) -> Ruling {
        decide(&facts(End::Stall(Box::new(stall)), Some(Decision::Wrong)))
    }

    #[test]
    fn the_interactor_ends_first() {
        for (decision, verdict) in [
            (Decision::Accepted, Verdict::Accepted),
            (Decision::Partial(2.5), Verdict::Partial),
            (Decision::Wrong, Verdict::WrongAnswer),
            (Decision::Failed("failed".to_owned()), Verdict::JudgeError),
        ] {
            let decided = ended(decision);
            assert_eq!(decide(&decided).verdict, verdict);
            let Ruling { reason, why, .. } = decide(&decided);
            assert!([&[reason][..], &why].concat().iter().any(|text| text.ends_with(": the message")));
            // A later fault of the bot changes the verdict only if the interactor accepted.
            let is_accepted = matches!(verdict, Verdict::Accepted | Verdict::Partial);
            let late = Some((Side::Bot, report(Limit::Cpu, None)));
            for (facts, fault) in [
                (Facts { bot_exit: Some(Exit::Signal(11)), ..decided.clone() }, Verdict::Crashed),
                (Facts { bot_exit: None, ..decided.clone() }, Verdict::NoExit),
                (Facts { late_limit: late, bot_exit: None, ..decided.clone() }, Verdict::TimeCpu),
                (Facts { extra: b"more".to_vec(), ..decided.clone() }, Verdict::ExtraOutput),
            ] {
                let ruling = decide(&facts);
                assert_eq!(ruling.verdict, if is_accepted { fault } else { verdict }, "{ruling:?}");
                assert_eq!(ruling.advice.len(), usize::from(is_accepted), "{ruling:?}");
                let excused = decide(&Facts { conditions: EXCUSED, ..facts });
                assert_eq!(excused.verdict, verdict, "{excused:?}");
                assert_eq!(excused.why.len(), if is_accepted { 1 } else { 2 }, "{excused:?}");
            }
        }
    }

    #[test]
    fn debug_output_that_the_interactor_quotes_has_advice() {
        for (line, message, has_advice) in [
            ("low 1 high 9", "malformed line \"low 1 high 9\"", true),
            ("low 1 high 9", "more than 40 queries", false),
            ("9", "expected 7, found 9", false),
        ] {
            let mut decided = Facts { message: message.to_owned(), ..ended(Decision::Wrong) };
            decided.last_lines.add(Side::Bot, format!("{line}\n").as_bytes());
            assert_eq!(!decide(&decided).advice.is_empty(), has_advice, "{line}: {message}");
        }
    }

    #[test]
    fn the_bot_ends_first() {
        let crash = Exit::Code(1);
        let after = |exit, decision, decided_before_end_of_input| {
            let facts = Facts {
                decided_before_end_of_input,
                bot_exit: Some(exit),
                ..facts(End::Bot(exit), Some(decision))
            };
            decide(&facts).verdict
        };
        for (decision, verdict) in
            [(Decision::Accepted, Verdict::Accepted), (Decision::Wrong, Verdict::WrongAnswer)]
        {
            assert_eq!(after(Exit::Code(0), decision, false), verdict);
        }
        assert_eq!(after(crash, Decision::Wrong, false), Verdict::Crashed);
        assert_eq!(after(crash, Decision::Accepted, true), Verdict::Crashed);
        assert_eq!(after(crash, Decision::Accepted, false), Verdict::Crashed);
        // With the contest profile, the order in which the judge saw the ends of the two programs does not matter.
        let accepted = facts(End::Bot(crash), Some(Decision::Accepted));
        let excused = Facts {
            decided_before_end_of_input: true,
            bot_exit: Some(crash),
            conditions: EXCUSED,
            ..accepted
        };
        assert_eq!(decide(&excused).verdict, Verdict::Accepted);
        assert_eq!(after(crash, Decision::Wrong, true), Verdict::WrongAnswer);
        let closed = Facts { interactor_closed: true, ..facts(End::Bot(crash), Some(Decision::Wrong)) };
        assert_eq!(decide(&closed).verdict, Verdict::JudgeError);
        let waits = Facts {
            late_limit: Some((Side::Interactor, report(Limit::Idle, READ))),
            ..facts(End::Bot(Exit::Code(0)), None)
        };
        assert_eq!(decide(&waits).verdict, Verdict::JudgeError);
    }

    #[test]
    fn limits_of_both() {
        for (limit, verdict) in [
            (Limit::Cpu, Verdict::TimeCpu),
            (Limit::Wall, Verdict::TimeWall),
            (Limit::Memory, Verdict::Memory),
            (Limit::Processes, Verdict::Processes),
        ] {
            let bot = decide(&facts(End::Limit(Side::Bot, report(limit, None)), Some(Decision::Wrong)));
            assert_eq!(bot.verdict, verdict);
            assert_eq!(bot.advice.len(), usize::from(matches!(limit, Limit::Cpu | Limit::Memory)), "{bot:?}");
            assert!(bot.why.iter().any(|why| why.starts_with("a consequence: the interactor rejected")));
            let interactor = decide(&facts(End::Limit(Side::Interactor, report(limit, None)), None));
            assert_eq!(interactor.verdict, Verdict::JudgeError);
            assert!(interactor.reason.contains("the interactor"), "{}", interactor.reason);
        }
        assert_eq!(decide(&facts(End::Output(Side::Bot), None)).verdict, Verdict::OutputLimit);
        assert_eq!(decide(&facts(End::Output(Side::Interactor), None)).verdict, Verdict::JudgeError);
    }

    /// Checks that the report names other programs as the possible sender of a signal, unless the bot is in the sandbox
    /// or the interactor crashed.
    #[test]
    fn signals_to_the_interactor() {
        let killed = |signal| Facts {
            interactor_exit: Some(Exit::Signal(signal)),
            ..ended(Decision::Failed("was killed".to_owned()))
        };
        let late = |stopped| {
            let report = LimitReport { stopped, ..report(Limit::Idle, READ) };
            Facts { late_limit: Some((Side::Interactor, report)), ..facts(End::Bot(Exit::Code(0)), None) }
        };
        let stopped = || LimitReport { stopped: true, unread: 7, ..report(Limit::Idle, None) };
        let stopped_stall = Stall { interactor: stopped(), ..stall() };
        for (facts, names_sender) in [
            (killed(9), true),
            (killed(15), true),
            (killed(11), false),
            (killed(6), false),
            (late(true), true),
            (late(false), false),
            (facts(End::Stall(Box::new(stopped_stall)), None), true),
        ] {
            let ruling = decide(&facts);
            let has_named =
                |ruling: &Ruling| ruling.why.iter().any(|why| why.contains("from another program"));
            assert_eq!(
                (ruling.verdict, has_named(&ruling)),
                (Verdict::JudgeError, names_sender),
                "{ruling:?}"
            );
            let conditions = Conditions { confinement: Confinement::Sandbox, ..CONDITIONS };
            let confined = decide(&Facts { conditions, ..facts });
            assert!(confined.verdict == Verdict::JudgeError && !has_named(&confined), "{confined:?}");
        }
        let bot = Stall { bot: stopped(), ..stall() };
        assert_eq!(stalled_by(bot).reason, "both programs wait: a signal stopped the bot");
    }

    #[test]
    fn both_wait() {
        let idle = || report(Limit::Idle, READ);
        let text = |text: &str| text.as_bytes().to_vec();
        let unfinished = |line: &str| LimitReport { unfinished: Bytes(text(line)), ..idle() };
        let unread = || LimitReport { unread: 7, ..idle() };
        let sleeping = || report(Limit::Idle, Some("hrtimer_nanosleep"));
        for (stall, verdict, words) in [
            (
                Stall { late_bot: text("? 750\n"), ..stall() },
                Verdict::Idle,
                "in a buffer: it wrote \"? 750\"",
            ),
            (Stall { bot: unfinished("? 7"), ..stall() }, Verdict::Idle, "\"? 7\" without ending the line"),
            (Stall { bot: unread(), ..stall() }, Verdict::Idle, "the bot has not read the last 7 bytes"),
            (Stall { bot: sleeping(), ..stall() }, Verdict::Idle, "is sleeping"),
            (Stall { last_writer: None, ..stall() }, Verdict::Idle, "first line of the other"),
            (
                Stall { last_writer: Some(Side::Interactor), ..stall() },
                Verdict::Idle,
                "the bot has to write next",
            ),
            (stall(), Verdict::Idle, "needs more of them"),
            (Stall { late_interactor: text("-1\n"), ..stall() }, Verdict::Idle, "needs more of them"),
            (
                Stall { late_interactor: text("<\n"), ..stall() },
                Verdict::JudgeError,
                "in a buffer: it wrote \"<\"",
            ),
            (Stall { interactor: unfinished("<"), ..stall() }, Verdict::JudgeError, "\"<\" without ending"),
            (
                Stall { interactor: unfinished("8"), late_bot: text("? 4\n"), ..stall() },
                Verdict::JudgeError,
                "the interactor wrote \"8\" without ending",
            ),
            (
                Stall { last_writer: None, late_interactor: text("8\n"), ..stall() },
                Verdict::JudgeError,
                "it reads before it writes, or its output was in a buffer",
            ),
            (Stall { interactor: unread(), ..stall() }, Verdict::JudgeError, "has not read the last 7 bytes"),
            (Stall { interactor: sleeping(), ..stall() }, Verdict::JudgeError, "is sleeping"),
            (
                Stall { bot: unread(), interactor: unread(), ..stall() },
                Verdict::Idle,
                "nor the interactor the last 7",
            ),
            (
                Stall { bot: LimitReport { unread: 7, ..unfinished("? ") }, interactor: unread(), ..stall() },
                Verdict::Idle,
                "nor the interactor the last 7",
            ),
        ] {
            let ruling = stalled_by(stall);
            assert!(ruling.verdict == verdict && ruling.reason.contains(words), "{words}: {ruling:?}");
        }
        let closed = Facts { bot_closed: true, ..facts(End::Stall(Box::new(stall())), None) };
        assert_eq!(decide(&closed).verdict, Verdict::ExitedEarly);
        let why = stalled_by(stall()).why;
        assert!(
            why[0].starts_with("the last lines: ") && why[1].starts_with("a consequence: the interactor"),
            "{why:?}"
        );
    }
}
