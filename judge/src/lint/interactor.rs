//! The checks of `judge lint --interactor`. They run the interactor with a right bot, that is one that solves the
//! problem, and with bots that exit early, write malformed lines, or write without end.

use std::io::Write;

use anyhow::Context;
use runner::event::Exit;
use runner::relay::Side;
use runner::stderr_excerpt::shown_lines;

use crate::conversation::verdict::{Class, Verdict};
use crate::lint::interactor_under_test::{InteractorUnderTest, Misbehaviour, Reaction};
use crate::lint::{Check, CheckSubject, Finding};
use crate::referee::interactor::style::{Decision, Style};
use crate::referee::interactor::trial::TrialResult;
use crate::text::{counted, shortened};

/// The checks, in the order in which they run.
pub(crate) const CHECKS: [Check<InteractorUnderTest>; 10] = [
    Check::new("flushes every line", CheckSubject::Game, flushes),
    Check::new("ends with an exit code of its style", CheckSubject::Game, ends_by_its_style),
    Check::new("accepts the bot", CheckSubject::Game, accepts),
    Check::new("writes the same lines again", CheckSubject::Extra, repeats),
    Check::new("decides when the bot ends at once", CheckSubject::End, decides_at_once),
    Check::new("decides when the bot ends after a line", CheckSubject::End, decides_after_a_line),
    Check::new("survives malformed lines", CheckSubject::Input, survives_garbage),
    Check::new("accepts no malformed line", CheckSubject::Input, accepts_no_garbage),
    Check::new("survives 60 MB of output", CheckSubject::Input, survives_floods),
    Check::new("decides on a bot that does not read", CheckSubject::Input, decides_without_a_reader),
];

fn flushes(interactor: &InteractorUnderTest) -> anyhow::Result<Finding> {
    let result = interactor.with_bot()?;
    Ok(if result.ruling.class == Class::InteractorNoFlush {
        let why =
            "a right bot waits for a line that never comes, and in a contest the bot would be blamed for it";
        not_accepted(result, &[why])
    } else {
        Finding::pass("no line of the interactor was in a buffer while it waited")
    })
}

fn ends_by_its_style(interactor: &InteractorUnderTest) -> anyhow::Result<Finding> {
    let style = interactor.style;
    let result = interactor.with_bot()?;
    let Some(exit) = result.interactor_exit else {
        return Ok(Finding::note("not tested: the interactor did not end by itself"));
    };
    // Check only the exit code. Exit code 7 needs a message with points or a share, so pass such messages. Pass `/dev/null` as
    // the folder, so that no file with a score is found.
    let message = if exit == Exit::Code(7) { "points 0\npartial 0/1" } else { "" };
    let has_decided = style == Style::Cms && result.ruling.class != Class::InteractorWrongStyle;
    let decision = style.decision(exit, message, std::path::Path::new("/dev/null"), false);
    Ok(match if has_decided { Decision::Accepted } else { decision } {
        Decision::Failed(..) => {
            let why =
                "an interactor that ends in any other way has failed: the run says nothing about the bot";
            let advice = match (exit, style) {
                (Exit::Code(_), Style::Icpc) => "exit with code 42 to accept, and with 43 to reject",
                (Exit::Code(_), Style::Testlib) => "end with quitf(_ok, ...) or quitf(_wa, ...): code 0 or 1",
                (Exit::Code(_), Style::Cms) => "exit with code 0, and print a score from 0 to 1 to stdout",
                (Exit::Code(_), Style::Plain | Style::Launcher | Style::Dmoj | Style::Coci)
                | (Exit::Signal(_), _) => "look for the cause in its stderr, and run it in a debugger",
            };
            let mut finding = not_accepted(result, &[why]);
            finding.advice.push(advice.to_owned());
            finding
        }
        Decision::Accepted | Decision::Scored(_) | Decision::Partial(_) | Decision::Wrong => {
            Finding::pass(format!("it {exit}, in the style {}", style.name()))
        }
    })
}

fn accepts(interactor: &InteractorUnderTest) -> anyhow::Result<Finding> {
    let result = interactor.with_bot()?;
    Ok(match result.ruling.verdict {
        Verdict::Accepted | Verdict::Partial => Finding::pass(&result.ruling.reason),
        Verdict::JudgeError => {
            let mut finding = not_accepted(result, &["no bot can be accepted before this is repaired"]);
            if finding.advice.is_empty() {
                finding
                    .advice
                    .push("look for what the interactor does after the last line that it read".to_owned());
            }
            finding
        }
        _ => {
            let mut finding = not_accepted(result, &["the checks need a bot that is right"]);
            finding.advice.push(
                "if the bot is right, the interactor is not: compare both with the statement".to_owned(),
            );
            finding
        }
    })
}

/// Returns the finding for a right bot that was not accepted.
fn not_accepted(result: &TrialResult, why: &[&str]) -> Finding {
    let mut finding = Finding::fail(format!("{}, {}", result.ruling.verdict, result.ruling.reason), "");
    finding.why = result.ruling.why.iter().cloned().chain(why.iter().map(|&why| why.to_owned())).collect();
    finding.advice.clone_from(&result.ruling.advice);
    finding.stderr = shown_lines(&result.interactor.stderr);
    finding
}

/// Checks that the interactor writes the same lines again when it reads the same lines again. A second bot writes the
/// recorded lines of the right bot without reading the answers, so the check also works with a right bot that is not
/// deterministic.
fn repeats(interactor: &InteractorUnderTest) -> anyhow::Result<Finding> {
    const WHY: &str =
        "a failed run cannot be repeated, and a bot that is judged again may get another verdict";
    const ADVICE: &str = "make every choice depend only on the input, or on a random generator whose seed is a constant or part of the input";
    let first = interactor.with_bot()?;
    if first.passes > 1 {
        return Ok(Finding::note("not tested: the bot is run several times, each time with other lines"));
    }
    if interactor.has_several_processes() {
        return Ok(Finding::note("not tested: the bot has several processes, each with other lines"));
    }
    let mut file =
        tempfile::NamedTempFile::with_prefix("judge-lint-").context("a temporary file cannot be made")?;
    file.write_all(&first.output(Side::Bot)).context("a temporary file cannot be written")?;
    let path = file.path().to_str().context("the folder of temporary files is not UTF-8")?;
    let script = "exec 3<&0; cat <&3 > /dev/null & cat \"$0\"";
    let again = interactor.against("the lines of the right bot again", &["sh", "-c", script, path])?;
    let again = Misbehaviour { again: None, ..again };
    let second = &again.result;
    let difference = difference(&first.output(Side::Interactor), &second.output(Side::Interactor));
    Ok(if let Some(difference) = difference {
        failed(&again, format!("for the same lines of the bot, {difference}"), WHY, ADVICE)
    } else if let Reaction::Failed(reason) = interactor.reaction(second) {
        failed(&again, format!("for the same lines of the bot: {reason}"), WHY, ADVICE)
    } else if (second.ruling.verdict, second.ruling.score) != (first.ruling.verdict, first.ruling.score) {
        let found =
            format!("{}; then, for the same lines of the bot: {}", first.ruling.reason, second.ruling.reason);
        failed(&again, found, WHY, ADVICE)
    } else {
        let lines = counted(first.interactor.lines, "line");
        Finding::pass(format!("it wrote the same {lines} for the same lines of the bot"))
    })
}

/// Describes the first difference between two outputs of the interactor; `None` if they are the same.
fn difference(first: &[u8], second: &[u8]) -> Option<String> {
    let lines = |output: &[u8]| -> Vec<String> {
        let lines = output.split_inclusive(|&byte| byte == b'\n');
        lines.map(|line| String::from_utf8_lossy(line).trim_end().to_owned()).collect()
    };
    if first == second {
        return None;
    }
    let (first, second) = (lines(first), lines(second));
    let at = first.iter().zip(&second).take_while(|(first, second)| first == second).count();
    let shown = |lines: &[String]| {
        lines.get(at).map_or("nothing".to_owned(), |line| format!("{:?}", shortened(line)))
    };
    Some(format!(
        "line {} of the interactor was {} at first, and then {}",
        at + 1,
        shown(&first),
        shown(&second)
    ))
}

fn decides_at_once(interactor: &InteractorUnderTest) -> anyhow::Result<Finding> {
    let outcome = interactor.against("nothing and exits", &["true"])?;
    Ok(must_reject(interactor, &outcome))
}

fn decides_after_a_line(interactor: &InteractorUnderTest) -> anyhow::Result<Finding> {
    if interactor.with_bot()?.bot_lines() <= 1 {
        return Ok(Finding::note("not tested: the bot writes only one line"));
    }
    let line = interactor.first_line()?;
    let outcome = interactor.against("one line and exits", &["printf", "%s\\n", &line])?;
    Ok(must_reject(interactor, &outcome))
}

fn survives_garbage(interactor: &InteractorUnderTest) -> anyhow::Result<Finding> {
    let outcomes = interactor.with_garbage()?;
    let failures: Vec<(&Misbehaviour, String)> = outcomes
        .iter()
        .filter_map(|outcome| match interactor.reaction(&outcome.result) {
            Reaction::Failed(reason) => Some((outcome, reason)),
            Reaction::Rejected | Reaction::Accepted => None,
        })
        .collect();
    let Some((outcome, reason)) = failures.first() else {
        return Ok(Finding::pass(format!(
            "{}, such as {}",
            counted(outcomes.len() as u64, "bot"),
            shown(outcomes)
        )));
    };
    let others: Vec<&str> = failures[1..].iter().map(|(other, _)| other.what.as_str()).collect();
    let others =
        if others.is_empty() { String::new() } else { format!("; it also fails for {}", others.join(", ")) };
    Ok(failed(
        outcome,
        format!("the bot writes {}: {reason}{others}", outcome.what),
        "a wrong bot would get a judge error in place of a verdict",
        "check what was read before it is converted or used as an index, limit its length, and reject what is malformed",
    ))
}

fn accepts_no_garbage(interactor: &InteractorUnderTest) -> anyhow::Result<Finding> {
    let outcomes = interactor.with_garbage()?;
    for outcome in outcomes {
        if matches!(interactor.reaction(&outcome.result), Reaction::Accepted) {
            return Ok(accepted(outcome));
        }
    }
    Ok(Finding::pass(format!("none of {} was accepted", counted(outcomes.len() as u64, "bot"))))
}

/// Checks that the interactor does not fail on long output. It may accept the output: for some problems, the first line
/// of the right bot is already a right answer, or only a checker can decide.
fn survives_floods(interactor: &InteractorUnderTest) -> anyhow::Result<Finding> {
    let line = interactor.first_line()?.replace('\'', "'\\''");
    // The bot also reads the answers. Otherwise, each program would wait until the other one reads.
    let lines = format!("exec 3<&0; cat <&3 > /dev/null & yes -- '{line}' | head -c 60000000");
    let digits = "head -c 60000000 /dev/zero | tr '\\000' 9";
    for (what, script) in [("its first line without end", lines.as_str()), ("one line of 60 MB", digits)] {
        let outcome = interactor.against(what, &["sh", "-c", script])?;
        if let Reaction::Failed(reason) = interactor.reaction(&outcome.result) {
            return Ok(failed(
                &outcome,
                format!("the bot writes {what}: {reason}"),
                "a bot in an endless loop would get a judge error in place of a verdict",
                "limit the number of lines and their length: reject at the first line beyond a limit",
            ));
        }
    }
    Ok(Finding::pass("as one line, and as many lines"))
}

/// Looks whether the interactor can wait forever for room in the pipe to the bot. That is no fault, because the bot has to
/// read, but in a contest such a bot gets the verdict of the judge that notices it, if one does.
fn decides_without_a_reader(interactor: &InteractorUnderTest) -> anyhow::Result<Finding> {
    let line = interactor.first_line()?.replace('\'', "'\\''");
    let script = format!("yes -- '{line}' | head -c 10000000");
    let what = "its first line again and again and reads no reply";
    let outcome = interactor.against(what, &["sh", "-c", &script])?;
    Ok(match (outcome.result.ruling.class, interactor.reaction(&outcome.result)) {
        (Class::BothWrite | Class::PipeFull, _) => {
            let mut finding = Finding::note(format!(
                "it waits forever for a bot that writes {what}: both programs write, and neither reads"
            ));
            finding.why.push(
                "a judge without a limit for waiting hangs, and others say time limit exceeded".to_owned(),
            );
            finding.advice.push(
                "limit the number of lines that are answered, so that the answers fit into a pipe of 64 KiB"
                    .to_owned(),
            );
            finding.again = outcome.again;
            finding
        }
        (_, Reaction::Failed(reason)) => failed(
            &outcome,
            format!("the bot writes {what}: {reason}"),
            "a bot that does not read would get a judge error in place of a verdict",
            "reject when the bot's output has ended, and when a line cannot be written",
        ),
        _ => Finding::pass(format!("it decided on a bot that writes {what}")),
    })
}

/// Returns the finding for a bot that has ended early, which must be rejected.
fn must_reject(interactor: &InteractorUnderTest, outcome: &Misbehaviour) -> Finding {
    match interactor.reaction(&outcome.result) {
        Reaction::Rejected => Finding::pass(format!("it rejected a bot that writes {}", outcome.what)),
        Reaction::Accepted => accepted(outcome),
        Reaction::Failed(reason) => failed(
            outcome,
            format!("the bot writes {}: {reason}", outcome.what),
            "bots crash and exit early; then the interactor has to say that they are wrong",
            "check the result of every read, and reject when the bot's output has ended",
        ),
    }
}

/// Returns the finding for a bot that misbehaves and was accepted.
fn accepted(outcome: &Misbehaviour) -> Finding {
    let found = format!("it accepted a bot that writes {}", outcome.what);
    failed(outcome, found, "a wrong bot would be accepted", "accept only after a complete and correct answer")
}

/// Returns the finding of a check that failed with a bot that misbehaves.
fn failed(outcome: &Misbehaviour, found: String, why: &str, advice: &str) -> Finding {
    let mut finding = Finding::fail(found, advice);
    finding.why.push(why.to_owned());
    finding.stderr = shown_lines(&outcome.result.interactor.stderr);
    finding.again.clone_from(&outcome.again);
    finding
}

/// Returns what the first two bots write, joined by "and".
fn shown(outcomes: &[Misbehaviour]) -> String {
    let names: Vec<&str> = outcomes.iter().take(2).map(|outcome| outcome.what.as_str()).collect();
    names.join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_name_the_first_line() {
        let difference = |first: &str, second: &str| difference(first.as_bytes(), second.as_bytes());
        assert_eq!(difference("1\n<\n", "1\n<\n"), None);
        let text = difference("1\n<\n", "1\n>\n").unwrap();
        assert_eq!(text, "line 2 of the interactor was \"<\" at first, and then \">\"");
        let text = difference("1\n", "1\n2\n").unwrap();
        assert_eq!(text, "line 2 of the interactor was nothing at first, and then \"2\"");
        assert!(difference("1", "1\n").is_some());
    }
}
