//! Who is at fault: the ruling as a function of the facts, for games and interactors alike.

use std::borrow::Cow;

use runner::activity::Activity;
use runner::event::{Exit, Limit, LimitReport};
use runner::limits::{LINE_LIMIT, Limits};
use runner::relay::Side;

use crate::conversation::facts::{End, Facts, OutputLimit, Terms};
use crate::conversation::last_lines::quoted_start;
use crate::conversation::role::Role;
use crate::conversation::stall::Cause;
use crate::conversation::verdict::{Class, Note, Ruling};
use crate::units::{measured, time_limit};

/// What referees a conversation: a game of the judge, or an interactor. [`decide`] judges the bot for both.
pub(crate) trait Referee {
    /// The facts about the conversation, which has ended.
    fn facts(&self) -> Cow<'_, Facts>;

    /// Adds the evidence and the advice that only this referee can give.
    fn explain(&self, facts: &Facts, ruling: Ruling) -> Ruling;

    fn ruling(&self) -> Ruling {
        let facts = self.facts();
        self.explain(&facts, decide(&facts))
    }
}

/// Returns the ruling on a conversation, without the advice of its referee.
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
            let (class, why) = match facts.exceeded() {
                Some(report) if report.limit == Limit::Cpu => limit("the bot", &report, &facts.terms.limits),
                _ => {
                    let (waited, wall) = (measured(*waited), time_limit(facts.terms.limits.wall));
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
            let mut ruling = cause.ruling(facts.terms.languages);
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
        Cause::Busy(Side::Interactor, Activity::Child) => facts.terms.starts_bot,
        // It has accepted as soon as the judge ended the bot.
        Cause::NeedsMore => facts.decision.as_ref().is_some_and(Ruling::is_accepted),
        _ => false,
    }
}

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
    if let Some(at) = faults.iter().position(|(class, _)| !facts.terms.excused.covers(*class)) {
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
    let Facts { bot, terms: Terms { limits, .. }, .. } = facts;
    let reached = bot.late_limit.clone().or_else(|| facts.exceeded());
    let mut faults: Vec<_> = reached.iter().map(|report| limit("the bot", report, limits)).collect();
    match bot.exit {
        Some(exit) if exit != Exit::Code(0) => faults.push((Class::Crash, format!("the bot {exit}"))),
        _ if !bot.extra.is_empty() => {
            let what = format!("the bot wrote {} that nobody read", quoted_start(&bot.extra));
            faults.push((Class::ExtraOutput, what));
        }
        _ => {}
    }
    if bot.is_killed && reached.is_none() {
        let grace = time_limit(limits.grace);
        faults.push((Class::NoExit, format!("the bot did not end within {grace} of the decision")));
    }
    faults
}

fn after_the_bot(facts: &Facts) -> Ruling {
    let decided_alone = facts.interactor.as_ref().is_some_and(|interactor| interactor.decided_alone);
    if decided_alone && facts.decision.is_some() {
        // Both programs ended independently of each other, and the judge saw the bot's end first by chance. The ruling
        // must not depend on this order. A bot may also crash because it read "wrong", or because nobody reads its
        // output any more.
        return after_the_decision(facts);
    }
    if let Some(report) = facts.exceeded() {
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
        let end = format!(", so {} received the end of the bot's output", facts.referee());
        let end = if interactor.received_end { &end } else { "" };
        return interactor_limit(facts, report).why(format!("before that the bot {exit}{end}"));
    }
    let Some(decision) = &facts.decision else { return undecided(facts) };
    let ruling = decision.clone();
    if exit == Exit::Code(0) {
        let is_early = ruling.class == Class::WrongAnswer
            && !interactor.decided_alone
            && facts.terms.role == Role::Interactor
            && !facts.terms.starts_bot;
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
        if facts.terms.starts_bot {
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

/// Returns the ruling on a bot whose line did not come. Names the line if the referee expects certain lines.
fn missing(facts: &Facts, class: Class, why: String) -> Ruling {
    match &facts.expected {
        Some(line) => Ruling::new(class, format!("{}: {why}", line.missing)),
        None => Ruling::new(class, why),
    }
}

fn by_limit(facts: &Facts, report: &LimitReport) -> Ruling {
    // A bot that computes may reach the wall limit before its CPU time is measured.
    let exceeded = facts.exceeded().filter(|_| report.limit == Limit::Wall);
    let report = exceeded.as_ref().filter(|exceeded| exceeded.limit == Limit::Cpu).unwrap_or(report);
    let (class, why) = limit("the bot", report, &facts.terms.limits);
    missing(facts, class, why)
}

fn interactor_limit(facts: &Facts, report: &LimitReport) -> Ruling {
    let name = facts.referee();
    let reason = match report.limit {
        Limit::Idle if report.stopped => format!("a signal stopped {name}"),
        Limit::Idle => {
            let quiet = measured(report.quiet);
            let received_end = facts.interactor.as_ref().is_some_and(|interactor| interactor.received_end);
            let since =
                if received_end { "since the end of the bot's output" } else { "after the end of the bot" };
            format!("{name} has waited for {quiet} {since}, without using CPU time")
        }
        _ => limit(name, report, &facts.terms.interactor_limits).1,
    };
    Ruling::new(Class::InteractorLimit, reason)
}

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
    use crate::conversation::facts::{BotFacts, Excused, InteractorFacts, Stall};
    use crate::referee::interactor::explain::explain;

    fn report(limit: Limit) -> LimitReport {
        LimitReport { channel: Some("anon_pipe_read".to_owned()), sleeping: true, ..LimitReport::new(limit) }
    }

    /// Returns the facts about a run whose two programs ended with code 0.
    fn facts(end: End, decision: Option<Class>) -> Facts {
        let bot = BotFacts { exit: Some(Exit::Code(0)), has_written: true, ..BotFacts::default() };
        let mut interactor = InteractorFacts {
            exit: Some(Exit::Code(1)),
            decided_alone: matches!(end, End::Decision),
            received_end: true,
            message: "the message".to_owned(),
            ..InteractorFacts::default()
        };
        interactor.last_lines.add(Side::Bot, b"? 500\n");
        interactor.last_lines.add(Side::Interactor, b">\n");
        let decision = decision.map(|class| Ruling::new(class, "the interactor has decided"));
        let (terms, interactor) = (Terms::default(), Some(interactor));
        Facts { terms, end, decision, expected: None, bot, interactor }
    }

    fn with(facts: &Facts, change: impl FnOnce(&mut BotFacts, &mut InteractorFacts)) -> Facts {
        let mut facts = facts.clone();
        change(&mut facts.bot, facts.interactor.as_mut().unwrap());
        facts
    }

    fn on_terms(facts: &Facts, terms: Terms) -> Facts {
        Facts { terms, ..facts.clone() }
    }

    fn by_tester(facts: &Facts) -> Facts {
        on_terms(facts, Terms { starts_bot: true, ..Terms::default() })
    }

    fn excusing(facts: &Facts, excused: Excused) -> Facts {
        on_terms(facts, Terms { excused, ..Terms::default() })
    }

    fn explained(facts: &Facts) -> Ruling {
        explain(facts, decide(facts))
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
            let reached = |side| facts(End::Limit(side, Box::new(report.clone())), None).is_doubtful();
            let [by_bot, by_interactor] = Side::BOTH.map(reached);
            let after_bot =
                with(&facts(End::Bot, None), |_, interactor| interactor.late_limit = Some(report));
            assert_eq!([by_bot, after_bot.is_doubtful()], [by_interactor; 2]);
            by_bot
        };
        let wall = u64::try_from(DEFAULT_LIMITS.wall.as_millis()).unwrap();
        assert!(is_doubtful(Limit::Wall, 9, false, 0));
        assert!(is_doubtful(Limit::Wall, 9, true, 10), "it slept for a moment");
        assert!(!is_doubtful(Limit::Wall, 9, true, wall), "it slept");
        assert!(!is_doubtful(Limit::Wall, wall / 2, false, 0), "it computed");
        assert!(!is_doubtful(Limit::Cpu, 9, false, 0));
    }

    /// A fault of the bot after the decision counts only if the bot was accepted, and becomes a note if it is excused.
    #[test]
    fn faults_after_the_decision() {
        for decision in [Class::Accepted, Class::Partial, Class::WrongAnswer, Class::InteractorCrash] {
            let decided = facts(End::Decision, Some(decision));
            let exits = |exit| with(&decided, |bot, _| bot.exit = Some(exit));
            let killed = with(&decided, |bot, _| (bot.exit, bot.is_killed) = (None, true));
            let talks = with(&decided, |bot, _| bot.extra = b"more".to_vec());
            let computes = with(&killed, |bot, _| bot.late_limit = Some(report(Limit::Cpu)));
            for (facts, fault) in [
                (exits(Exit::Signal(11)), Class::Crash),
                // The interactor has said "wrong", and nobody reads the bot's output any more.
                (exits(Exit::Signal(13)), Class::Crash),
                (killed, Class::NoExit),
                (talks, Class::ExtraOutput),
                (computes, Class::TimeCpu),
            ] {
                let is_accepted = decide(&decided).is_accepted();
                let ruling = explained(&facts);
                assert_eq!(ruling.advice.len(), usize::from(is_accepted), "{ruling:?}");
                let is_consequence = |why: &String| why.starts_with("a consequence: ");
                assert_eq!(ruling.why.iter().any(is_consequence), !is_accepted, "{ruling:?}");
                for excused in [Excused::Output, Excused::Everything, Excused::Nothing] {
                    let ruling = decide(&excusing(&facts, excused));
                    let is_excused = excused.covers(fault);
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
        let decision = Some(Ruling { score: Some(40.0), ..Ruling::new(Class::Partial, "a score of 40") });
        let decided = excusing(&Facts { decision, ..facts(End::Decision, None) }, Excused::Output);
        let ruling = decide(&with(&decided, |bot, _| {
            (bot.exit, bot.is_killed, bot.extra) = (None, true, b"more".to_vec());
        }));
        assert_eq!((ruling.class, ruling.score), (Class::NoExit, Some(40.0)));
        assert_eq!(ruling.notes[0].class, Class::ExtraOutput);
    }

    /// The scripted conversations have the other ends of the bot.
    #[test]
    fn the_bot_ends_first() {
        let ends = |decision, code, is_alone, has_closed| {
            with(&facts(End::Bot, Some(decision)), |bot, interactor| {
                bot.exit = Some(Exit::Code(code));
                (interactor.decided_alone, interactor.has_closed) = (is_alone, has_closed);
            })
        };
        let cpu = Some(Duration::from_secs(3));
        let slow = |facts: &Facts| with(facts, |bot, _| bot.used.cpu = cpu);
        let waits = with(&facts(End::Bot, None), |_, interactor| {
            interactor.late_limit = Some(report(Limit::Idle));
        });
        // The order in which the judge saw the ends of the two programs does not matter.
        let both = excusing(&ends(Class::Accepted, 1, true, false), Excused::Everything);
        for (facts, expected) in [
            (both, Class::Accepted),
            (ends(Class::WrongAnswer, 1, false, true), Class::InteractorCrash),
            // The bot had all answers that it needed.
            (ends(Class::Accepted, 1, false, true), Class::Crash),
            (waits, Class::InteractorLimit),
            (slow(&facts(End::Bot, None)), Class::TimeCpu),
            // The interactor had said "wrong" before the bot used too much.
            (slow(&ends(Class::WrongAnswer, 1, true, false)), Class::WrongAnswer),
            // A tester waits for the exit of its bot, and may close the bot's input before.
            (by_tester(&ends(Class::WrongAnswer, 1, false, true)), Class::WrongAnswer),
            (by_tester(&ends(Class::Accepted, 1, false, true)), Class::Crash),
            (by_tester(&ends(Class::Accepted, 0, false, true)), Class::Accepted),
        ] {
            assert_eq!(decide(&facts).class, expected, "{facts:?}");
        }
    }

    #[test]
    fn a_referee_that_waits_for_the_exit_of_the_bot() {
        for (channel, decision, of_tester, of_others) in [
            ("do_wait", None, Class::NoExit, Class::InteractorLimit),
            ("anon_pipe_read", Some(Class::Accepted), Class::NoExit, Class::NoExit),
            ("anon_pipe_read", Some(Class::WrongAnswer), Class::Waits, Class::Waits),
        ] {
            let idle = LimitReport { channel: Some(channel.to_owned()), ..report(Limit::Idle) };
            let facts = facts(stall(idle), decision);
            assert_eq!(decide(&facts).class, of_others, "{channel}, {decision:?}");
            assert_eq!(decide(&by_tester(&facts)).class, of_tester, "{channel}, {decision:?}");
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
            let bot = explained(&facts(reached(Side::Bot), Some(Class::WrongAnswer)));
            assert_eq!(bot.class, expected);
            assert_eq!(bot.advice.len(), usize::from(matches!(limit, Limit::Cpu | Limit::Memory)), "{bot:?}");
            assert!(bot.why.iter().any(|why| why.starts_with("a consequence: the interactor")), "{bot:?}");
            let interactor = decide(&facts(reached(Side::Interactor), None));
            assert_eq!(interactor.class, Class::InteractorLimit);
            assert!(interactor.reason.starts_with("the interactor"), "{}", interactor.reason);
        }
        let wall = facts(End::Limit(Side::Bot, Box::new(report(Limit::Wall))), None);
        let computed = with(&wall, |bot, _| bot.used.cpu = Some(Duration::from_secs(3)));
        assert_eq!(decide(&computed).class, Class::TimeCpu);
    }

    /// The ruling names other programs as the possible sender of a signal.
    #[test]
    fn signals_to_the_interactor() {
        let killed = |signal| {
            with(&facts(End::Decision, Some(Class::InteractorCrash)), |_, interactor| {
                interactor.exit = Some(Exit::Signal(signal));
            })
        };
        let late = |stopped| {
            with(&facts(End::Bot, None), |_, interactor| {
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
            for is_bot_confined in [false, true] {
                let ruling = explained(&on_terms(&facts, Terms { is_bot_confined, ..Terms::default() }));
                let has_named = ruling.why.iter().any(|why| why.contains("from another program"));
                assert_eq!(ruling.verdict, Class::Judge.verdict());
                assert_eq!(has_named, names_sender && !is_bot_confined, "{ruling:?}");
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
            let ruling =
                explained(&with(&facts(End::Decision, Some(Class::WrongAnswer)), |_, interactor| {
                    message.clone_into(&mut interactor.message);
                    interactor.last_lines.add(Side::Bot, format!("{line}\n").as_bytes());
                }));
            assert_eq!(!ruling.advice.is_empty(), has_advice, "{line}: {message}");
        }
    }
}
