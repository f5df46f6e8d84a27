//! Who is at fault: the ruling as a function of the facts, for games and interactors alike.

use runner::activity::Activity;
use runner::event::{Exit, Limit, LimitReport};
use runner::limits::{LINE_LIMIT, Limits};
use runner::relay::Side;

use crate::conversation::facts::{End, Facts, InteractorFacts, OutputLimit};
use crate::conversation::last_lines::quoted_start;
use crate::conversation::role::Role;
use crate::conversation::ruling::{Note, Ruling};
use crate::conversation::stall::Cause;
use crate::conversation::verdict::Class;
use crate::units::{measured, time_limit};

/// Returns the ruling on a conversation, without the advice that only its referee can give.
pub(crate) fn decide(facts: &Facts) -> Ruling {
    match &facts.end {
        End::Decision => after_the_decision(facts),
        End::Bot => after_the_bot(facts),
        End::Limit(Side::Bot, report) => by_limit(facts, report),
        End::Output(Side::Bot, limit) => {
            missing(facts, Class::Output, format!("the bot wrote more than {}", size(*limit)))
        }
        End::Limit(Side::Interactor, report) => interactor_limit(facts, report),
        End::Output(Side::Interactor, limit) => Ruling::new(
            Class::InteractorLimit,
            format!("{} wrote more than {} to the bot", facts.referee(), size(*limit)),
        ),
        End::Late { waited } => {
            let line = facts.expected.as_ref().map_or("the line", |line| &line.name);
            let (class, why) = match facts.bot.exceeded() {
                Some(report) if report.limit == Limit::Cpu => limit("the bot", &report, &facts.bot.limits),
                _ => {
                    let (waited, wall) = (measured(*waited), time_limit(facts.bot.limits.wall));
                    (Class::TimeWall, format!("the bot took {waited} of wall time; the limit is {wall}"))
                }
            };
            Ruling::new(class, format!("{line} was received too late: {why}"))
        }
        End::Stall(stall) => {
            let cause = Cause::of(stall, &facts.bot);
            if waits_for_exit(facts, &cause) {
                return Ruling::new(
                    Class::NoExit,
                    "both programs wait: the interactor for the end of the bot, and the bot for more input",
                )
                .advice("after the final answer, leave every loop, read nothing more and exit");
            }
            let mut ruling = cause.ruling(facts.languages);
            match (&facts.expected, cause) {
                (Some(line), _) => ruling.reason = format!("{}: {}", line.missing, ruling.reason),
                (None, Cause::BothWrite { .. }) => {}
                (None, _) => ruling.reason = format!("both programs wait: {}", ruling.reason),
            }
            ruling
        }
        End::Interrupted => Ruling::new(Class::Interrupted, "the judge was interrupted"),
        End::Failed(why) => Ruling::new(Class::Judge, why),
    }
}

fn waits_for_exit(facts: &Facts, cause: &Cause) -> bool {
    match cause {
        Cause::Busy(Side::Interactor, Activity::Child) => facts.starts_bot,
        // It has accepted as soon as the judge ended the bot.
        Cause::NeedsMore => facts.decision.as_ref().is_some_and(Ruling::is_accepted),
        _ => false,
    }
}

/// Returns the ruling if the referee decided by itself: the referee's decision, unless it accepted and the bot then
/// failed.
fn after_the_decision(facts: &Facts) -> Ruling {
    let Some(decision) = &facts.decision else { return undecided(facts) };
    let mut ruling = decision.clone();
    let mut faults = late_faults(facts);
    if !ruling.is_accepted() {
        if facts.interactor.is_some() {
            ruling.why.extend(faults.into_iter().take(1).map(|(_, what)| format!("a consequence: {what}")));
        }
        return ruling;
    }
    if let Some(at) = faults.iter().position(|(class, _)| !facts.excused.covers(*class)) {
        let (class, what) = faults.swap_remove(at);
        let then = if class == Class::Crash { "then " } else { "" };
        let reason = format!("{}, but {then}{what}", ruling.reason);
        ruling = Ruling { score: ruling.score, ..Ruling::new(class, reason) };
    }
    ruling.notes = faults.into_iter().map(|(class, reason)| Note { class, reason }).collect();
    ruling
}

/// Returns what the bot did wrong after the decision: the most serious fault first.
fn late_faults(facts: &Facts) -> Vec<(Class, String)> {
    let bot = &facts.bot;
    let reached = bot.late_limit.clone().or_else(|| bot.exceeded());
    let mut faults: Vec<_> = reached.iter().map(|report| limit("the bot", report, &bot.limits)).collect();
    match bot.exit {
        Some(exit) if exit != Exit::Code(0) => faults.push((Class::Crash, format!("the bot {exit}"))),
        _ if !bot.extra.is_empty() => {
            let what = format!("the bot wrote {} that nobody read", quoted_start(&bot.extra));
            faults.push((Class::ExtraOutput, what));
        }
        _ => {}
    }
    if bot.is_killed && reached.is_none() {
        let grace = time_limit(bot.limits.grace);
        faults.push((Class::NoExit, format!("the bot did not end within {grace} of the decision")));
    }
    faults
}

/// Returns the ruling if the bot ended before the referee had decided.
fn after_the_bot(facts: &Facts) -> Ruling {
    let decided_alone = facts.interactor.as_ref().is_some_and(|interactor| interactor.decided_alone);
    if decided_alone && facts.decision.is_some() {
        // Both programs ended independently of each other, and the judge saw the bot's end first by chance. The ruling
        // must not depend on this order. A bot may also crash because it read "wrong", or because nobody reads its
        // output any more.
        return after_the_decision(facts);
    }
    if let Some(report) = facts.bot.exceeded() {
        return by_limit(facts, &report);
    }
    let Some(interactor) = &facts.interactor else {
        return match facts.bot.exit {
            Some(exit @ Exit::Code(0)) => missing(facts, Class::EarlyExit, format!("the bot {exit}")),
            Some(exit) => missing(facts, Class::Crash, format!("the bot {exit}")),
            None => missing(facts, Class::EarlyExit, "the bot closed its stdout".to_owned()),
        };
    };
    let exit = facts.bot.exit.unwrap_or(Exit::Code(0));
    if let Some(report) = &interactor.late_limit {
        let end = if interactor.received_end {
            format!(", so {} received the end of the bot's output", facts.referee())
        } else {
            String::new()
        };
        return interactor_limit(facts, report).why(format!("before that the bot {exit}{end}"));
    }
    let Some(decision) = &facts.decision else { return undecided(facts) };
    let ruling = decision.clone();
    if exit == Exit::Code(0) {
        let is_early = ruling.class == Class::WrongAnswer
            && !interactor.decided_alone
            && interactor.role == Role::Interactor
            && !facts.starts_bot;
        if !is_early {
            return ruling;
        }
        return ruling
            .why(format!("the bot exited with code 0 before {} decided", facts.referee()))
            .advice("exit only after the final answer, and read the reply to every line that asks for one")
            .advice(
                "if it has printed the answer, flush it: os._exit, std::process::exit and a PrintWriter that is not \
                 closed lose what is in a buffer",
            );
    }
    // A bot that was accepted had all answers that it needed.
    if interactor.has_closed && !ruling.is_accepted() && matches!(exit, Exit::Code(_)) {
        if facts.starts_bot {
            // It had seen enough of the bot, and then waited for its exit.
            return ruling.why(format!("a consequence: the bot {exit}"));
        }
        let reason = format!(
            "{} closed its output but continued to read, so the bot got no more answers",
            facts.referee()
        );
        return Ruling::new(Class::InteractorCrash, reason).why(format!("a consequence: the bot {exit}"));
    }
    Ruling::new(Class::Crash, format!("the bot {exit}"))
}

fn undecided(facts: &Facts) -> Ruling {
    Ruling::new(Class::Judge, format!("{} ended, but the judge cannot say how", facts.referee()))
}

/// Returns the ruling on a bot whose line was expected: which line, if the referee expects certain lines, and why it
/// did not come.
fn missing(facts: &Facts, class: Class, why: String) -> Ruling {
    match &facts.expected {
        Some(line) => Ruling::new(class, format!("{}: {why}", line.missing)),
        None => Ruling::new(class, why),
    }
}

fn by_limit(facts: &Facts, report: &LimitReport) -> Ruling {
    // A bot that computes may reach the wall limit before its CPU time is measured.
    let exceeded = facts.bot.exceeded().filter(|_| report.limit == Limit::Wall);
    let report = exceeded.as_ref().filter(|exceeded| exceeded.limit == Limit::Cpu).unwrap_or(report);
    let (class, why) = limit("the bot", report, &facts.bot.limits);
    missing(facts, class, why)
}

fn interactor_limit(facts: &Facts, report: &LimitReport) -> Ruling {
    let Some(InteractorFacts { limits, received_end, .. }) = &facts.interactor else {
        return undecided(facts);
    };
    let name = facts.referee();
    let reason = match report.limit {
        Limit::Idle if report.stopped => format!("a signal stopped {name}"),
        Limit::Idle => {
            let quiet = measured(report.quiet);
            let since =
                if *received_end { "since the end of the bot's output" } else { "after the end of the bot" };
            format!("{name} has waited for {quiet} {since}, without using CPU time")
        }
        _ => limit(name, report, limits).1,
    };
    Ruling::new(Class::InteractorLimit, reason)
}

/// Formats an output limit for a message.
fn size(OutputLimit { bytes, with_stderr }: OutputLimit) -> String {
    let streams = if with_stderr { " to stdout and stderr together" } else { "" };
    format!("{} MiB{streams}", bytes >> 20)
}

/// Returns the class of a bot that reached a limit, and the reason. `who` is the name of the program in the reason.
pub(crate) fn limit(who: &str, report: &LimitReport, limits: &Limits) -> (Class, String) {
    let (class, what) = match report.limit {
        Limit::Cpu => {
            let (used, limit) = (report.used.cpu.unwrap_or_default(), time_limit(limits.cpu));
            (Class::TimeCpu, format!("used {} of CPU time; the limit is {limit}", measured(used)))
        }
        Limit::Memory => {
            let (used, memory) = (report.used.memory.unwrap_or_default(), limits.memory >> 20);
            let what = if used > limits.memory {
                format!("used {} MiB of memory; its limit is {memory} MiB", used.div_ceil(1 << 20))
            } else {
                // The kernel refused the memory, so the program never got it.
                format!("asked for more memory than it may use; its limit is {memory} MiB")
            };
            (Class::Memory, what)
        }
        Limit::Processes => {
            let most = limits.processes;
            let what = format!("asked for more than its limit of {most} processes and threads at a time");
            (Class::Processes, what)
        }
        Limit::Line => {
            let start = quoted_start(&report.unfinished.0);
            (Class::Output, format!("wrote a line of more than {LINE_LIMIT} bytes, which begins {start}"))
        }
        Limit::Wall | Limit::Idle => {
            let wall = time_limit(limits.wall);
            (Class::TimeWall, format!("took longer than {wall} of wall time for all its lines together"))
        }
    };
    (class, format!("{who} {what}"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use runner::event::Usage;
    use runner::limits::DEFAULT_LIMITS;

    use super::*;
    use crate::conversation::facts::{BotFacts, Excused, Stall};
    use crate::conversation::last_lines::LastLines;
    use crate::referee::interactor::explain::explain;

    fn report(limit: Limit) -> LimitReport {
        LimitReport { channel: Some("anon_pipe_read".to_owned()), sleeping: true, ..LimitReport::new(limit) }
    }

    /// Returns the facts about a run whose two programs ended with code 0.
    fn facts(end: End, decision: Option<Class>) -> Facts {
        let mut last_lines = LastLines::default();
        last_lines.add(Side::Bot, b"? 500\n");
        last_lines.add(Side::Interactor, b">\n");
        let bot = BotFacts { exit: Some(Exit::Code(0)), has_written: true, ..BotFacts::new(DEFAULT_LIMITS) };
        let interactor = InteractorFacts {
            role: Role::Interactor,
            limits: DEFAULT_LIMITS,
            exit: Some(Exit::Code(1)),
            decided_alone: matches!(end, End::Decision),
            received_end: true,
            has_closed: false,
            late_limit: None,
            message: "the message".to_owned(),
            last_lines,
        };
        Facts {
            end,
            decision: decision.map(|class| Ruling::new(class, "the interactor has decided")),
            expected: None,
            bot,
            interactor: Some(interactor),
            languages: Default::default(),
            excused: Excused::Nothing,
            starts_bot: false,
            is_bot_confined: false,
        }
    }

    fn with_bot(facts: &Facts, change: impl FnOnce(&mut BotFacts)) -> Facts {
        let mut facts = facts.clone();
        change(&mut facts.bot);
        facts
    }

    fn with_interactor(facts: Facts, change: impl FnOnce(&mut InteractorFacts)) -> Facts {
        Facts {
            interactor: facts.interactor.map(|mut interactor| {
                change(&mut interactor);
                interactor
            }),
            ..facts
        }
    }

    fn class(facts: &Facts) -> Class {
        decide(facts).class
    }

    /// Returns the end of a run in which both programs wait after a line of the bot.
    fn stall(interactor: LimitReport) -> End {
        let (interactor, last_writer) = (Some(interactor), Some(Side::Bot));
        End::Stall(Box::new(Stall { interactor, last_writer, ..Stall::of_bot(report(Limit::Idle), 4) }))
    }

    /// Checks that the wall time is in doubt if a program neither computed nor slept for long.
    #[test]
    fn wall_time_in_doubt() {
        let ms = Duration::from_millis;
        let is_doubtful = |limit, cpu, sleeping, quiet| {
            let used = Usage { cpu: Some(ms(cpu)), ..Usage::default() };
            let report = LimitReport { used, sleeping, quiet: ms(quiet), ..report(limit) };
            let late = |interactor: &mut InteractorFacts| interactor.late_limit = Some(report.clone());
            let reached = |side| facts(End::Limit(side, Box::new(report.clone())), None).is_doubtful();
            let [by_bot, by_interactor] = Side::BOTH.map(reached);
            let after_bot = with_interactor(facts(End::Bot, None), late).is_doubtful();
            assert_eq!([by_bot, after_bot], [by_interactor; 2]);
            by_bot
        };
        let wall = u64::try_from(DEFAULT_LIMITS.wall.as_millis()).unwrap();
        assert!(is_doubtful(Limit::Wall, 9, false, 0));
        assert!(is_doubtful(Limit::Wall, 9, true, 10), "it slept for a moment");
        assert!(!is_doubtful(Limit::Wall, 9, true, wall), "it slept");
        assert!(!is_doubtful(Limit::Wall, wall / 2, false, 0), "it computed");
        assert!(!is_doubtful(Limit::Cpu, 9, false, 0));
    }

    /// Checks that a fault of the bot after the decision counts only if the bot was accepted, and becomes a note if it
    /// is excused.
    #[test]
    fn faults_after_the_decision() {
        for decision in [Class::Accepted, Class::Partial, Class::WrongAnswer, Class::InteractorCrash] {
            let decided = facts(End::Decision, Some(decision));
            assert_eq!(class(&decided), decision);
            let killed = |bot: &mut BotFacts| (bot.exit, bot.is_killed) = (None, true);
            for (facts, fault, is_output) in [
                (with_bot(&decided, |bot| bot.exit = Some(Exit::Signal(11))), Class::Crash, false),
                // The interactor has said "wrong", and nobody reads the bot's output any more.
                (with_bot(&decided, |bot| bot.exit = Some(Exit::Signal(13))), Class::Crash, false),
                (with_bot(&decided, killed), Class::NoExit, false),
                (with_bot(&decided, |bot| bot.extra = b"more".to_vec()), Class::ExtraOutput, true),
                (
                    with_bot(&decided, |bot| {
                        killed(bot);
                        bot.late_limit = Some(report(Limit::Cpu));
                    }),
                    Class::TimeCpu,
                    false,
                ),
            ] {
                let is_accepted = decide(&decided).is_accepted();
                let ruling = explain(&facts, decide(&facts));
                assert_eq!(ruling.class, if is_accepted { fault } else { decision }, "{ruling:?}");
                assert_eq!(ruling.advice.len(), usize::from(is_accepted), "{ruling:?}");
                let is_consequence = |why: &String| why.starts_with("a consequence: ");
                assert_eq!(ruling.why.iter().any(is_consequence), !is_accepted, "{ruling:?}");
                for (excused, is_excused) in
                    [(Excused::Output, is_output), (Excused::Everything, true), (Excused::Nothing, false)]
                {
                    let ruling = decide(&Facts { excused, ..facts.clone() });
                    let expected = if is_accepted && !is_excused { fault } else { decision };
                    assert_eq!(ruling.class, expected, "{excused:?}: {ruling:?}");
                    let notes: Vec<Class> = ruling.notes.iter().map(|note| note.class).collect();
                    assert_eq!(notes, if is_accepted && is_excused { vec![fault] } else { vec![] });
                }
            }
        }
    }

    /// Checks that a score stays beside a fault, and that output becomes a note beside it.
    #[test]
    fn a_score_and_a_fault() {
        let decision = Ruling { score: Some(40.0), ..Ruling::new(Class::Partial, "a score of 40") };
        let excused = Excused::Output;
        let decided = Facts { decision: Some(decision), excused, ..facts(End::Decision, None) };
        let stays = with_bot(&decided, |bot| {
            (bot.exit, bot.is_killed, bot.extra) = (None, true, b"more".to_vec());
        });
        let ruling = decide(&stays);
        assert_eq!((ruling.class, ruling.score), (Class::NoExit, Some(40.0)));
        assert_eq!(ruling.notes[0].class, Class::ExtraOutput);
    }

    /// The scripted conversations have the other ends of the bot.
    #[test]
    fn the_bot_ends_first() {
        let crashed = |decision, decided_alone| {
            let facts = with_bot(&facts(End::Bot, Some(decision)), |bot| bot.exit = Some(Exit::Code(1)));
            with_interactor(facts, |interactor| interactor.decided_alone = decided_alone)
        };
        let closed = |facts| with_interactor(facts, |interactor| interactor.has_closed = true);
        let waits = |interactor: &mut InteractorFacts| interactor.late_limit = Some(report(Limit::Idle));
        let used = Usage { cpu: Some(Duration::from_secs(3)), ..Usage::default() };
        let slow = |facts: &Facts| with_bot(facts, |bot| bot.used = used);
        for (facts, expected) in [
            // The order in which the judge saw the ends of the two programs does not matter.
            (Facts { excused: Excused::Everything, ..crashed(Class::Accepted, true) }, Class::Accepted),
            (closed(crashed(Class::WrongAnswer, false)), Class::InteractorCrash),
            // The bot had all answers that it needed.
            (closed(crashed(Class::Accepted, false)), Class::Crash),
            (with_interactor(facts(End::Bot, None), waits), Class::InteractorLimit),
            (slow(&facts(End::Bot, None)), Class::TimeCpu),
            // The interactor had said "wrong" before the bot used too much.
            (slow(&crashed(Class::WrongAnswer, true)), Class::WrongAnswer),
        ] {
            assert_eq!(class(&facts), expected, "{facts:?}");
        }
    }

    /// A tester that has started the bot itself waits for its exit, and may close its input before.
    #[test]
    fn a_bot_whose_tester_waits_for_its_exit() {
        let starts_bot = |facts| Facts { starts_bot: true, ..facts };
        let ends = |decision, code| {
            let facts = with_bot(&facts(End::Bot, Some(decision)), |bot| bot.exit = Some(Exit::Code(code)));
            with_interactor(facts, |interactor| interactor.has_closed = true)
        };
        assert_eq!(class(&ends(Class::WrongAnswer, 1)), Class::InteractorCrash);
        assert_eq!(class(&starts_bot(ends(Class::WrongAnswer, 1))), Class::WrongAnswer);
        assert_eq!(class(&starts_bot(ends(Class::Accepted, 1))), Class::Crash);
        assert_eq!(class(&starts_bot(ends(Class::Accepted, 0))), Class::Accepted);
        let waits = |channel: &str, decision| {
            let idle = LimitReport { channel: Some(channel.to_owned()), ..report(Limit::Idle) };
            facts(stall(idle), decision)
        };
        for (channel, decision, of_tester, of_others) in [
            ("do_wait", None, Class::NoExit, Class::InteractorLimit),
            ("anon_pipe_read", Some(Class::Accepted), Class::NoExit, Class::NoExit),
            ("anon_pipe_read", Some(Class::WrongAnswer), Class::Waits, Class::Waits),
        ] {
            let facts = waits(channel, decision);
            assert_eq!(class(&facts), of_others, "{channel}, {decision:?}");
            assert_eq!(class(&starts_bot(facts)), of_tester, "{channel}, {decision:?}");
        }
    }

    #[test]
    fn limits_of_both() {
        for (limit, expected) in [
            (Limit::Cpu, Class::TimeCpu),
            (Limit::Wall, Class::TimeWall),
            (Limit::Memory, Class::Memory),
            (Limit::Processes, Class::Processes),
            (Limit::Line, Class::Output),
        ] {
            let reached = |side| End::Limit(side, Box::new(report(limit)));
            let by_bot = facts(reached(Side::Bot), Some(Class::WrongAnswer));
            let bot = explain(&by_bot, decide(&by_bot));
            assert_eq!(bot.class, expected);
            assert_eq!(bot.advice.len(), usize::from(matches!(limit, Limit::Cpu | Limit::Memory)), "{bot:?}");
            assert!(bot.why.iter().any(|why| why.starts_with("a consequence: the interactor")), "{bot:?}");
            let interactor = decide(&facts(reached(Side::Interactor), None));
            assert_eq!(interactor.class, Class::InteractorLimit);
            assert!(interactor.reason.starts_with("the interactor"), "{}", interactor.reason);
        }
        let used = Usage { cpu: Some(Duration::from_secs(3)), ..Usage::default() };
        let wall = facts(End::Limit(Side::Bot, Box::new(report(Limit::Wall))), None);
        assert_eq!(class(&with_bot(&wall, |bot| bot.used = used)), Class::TimeCpu);
    }

    /// Checks that the ruling names other programs as the possible sender of a signal, unless the bot is in the sandbox
    /// or the interactor crashed.
    #[test]
    fn signals_to_the_interactor() {
        let killed = |signal| {
            with_interactor(facts(End::Decision, Some(Class::InteractorCrash)), |interactor| {
                interactor.exit = Some(Exit::Signal(signal));
            })
        };
        let late = |stopped| {
            with_interactor(facts(End::Bot, None), |interactor| {
                interactor.late_limit = Some(LimitReport { stopped, ..report(Limit::Idle) });
            })
        };
        let stopped = LimitReport { stopped: true, unread: 7, ..report(Limit::Idle) };
        for (facts, names_sender) in [
            (killed(9), true),
            (killed(15), true),
            (killed(11), false),
            (killed(6), false),
            (late(true), true),
            (late(false), false),
            (facts(stall(stopped), None), true),
        ] {
            for is_confined in [false, true] {
                let facts = Facts { is_bot_confined: is_confined, ..facts.clone() };
                let ruling = explain(&facts, decide(&facts));
                let has_named = ruling.why.iter().any(|why| why.contains("from another program"));
                let expected = names_sender && !is_confined;
                assert_eq!(
                    (ruling.verdict.to_string().as_str(), has_named),
                    ("JUDGE_ERROR", expected),
                    "{ruling:?}"
                );
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
            let decided = with_interactor(facts(End::Decision, Some(Class::WrongAnswer)), |interactor| {
                message.clone_into(&mut interactor.message);
                interactor.last_lines.add(Side::Bot, format!("{line}\n").as_bytes());
            });
            let ruling = explain(&decided, decide(&decided));
            assert_eq!(!ruling.advice.is_empty(), has_advice, "{line}: {message}");
        }
    }
}
