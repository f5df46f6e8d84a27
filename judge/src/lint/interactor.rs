//! The checks of `judge lint --interactor`. They run the interactor with a right bot, that is one that solves the
//! problem, and with bots that exit early, write malformed lines, or write without end.

use std::cell::OnceCell;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use itertools::Itertools;
use runner::event::Exit;
use runner::relay::Side;
use runner::stderr_excerpt::shown_lines;

use crate::config::Profile;
use crate::conversation::verdict::{Class, Ruling, Verdict};
use crate::lint::{Check, CheckStatus, CheckSubject, Finding, LintOptions, run_checks};
use crate::referee::interactor::style::{Decision, Style, TestCase};
use crate::report::transcript::MAX_RECORDED;
use crate::text::{counted, shortened};
use crate::trials::problem::run::ProblemRun;
use crate::trials::problem::trial::{Programs, TrialResult};

/// Checks the interactor of `run` with the bot of `run`. Fails if `run` does not have exactly one test.
pub(crate) fn lint(run: ProblemRun, options: LintOptions) -> anyhow::Result<ExitCode> {
    let name = run.interactor.as_ref().map(|interactor| interactor.typed.clone());
    let name = name.context("expected an interactor to check: this problem has none")?;
    let [test] = &run.tests[..] else {
        bail!("--input: expected one input to check the interactor, got {}", run.tests.len());
    };
    let test = TestCase { seed: 1, ..test.clone() };
    let with_bot = Programs::new(run.clone(), MAX_RECORDED)?.run(&test, false)?;
    let interactor = InteractorUnderTest { run, test, with_bot, with_garbage: OnceCell::new() };
    // The findings about other bots name the runs of these bots.
    run_checks(&CHECKS, (&interactor, &name), |_| interactor.run.again(&interactor.test), options)
}

const CHECKS: [Check<InteractorUnderTest>; 10] = [
    Check("flushes every line", CheckSubject::Game, |interactor| Ok(flushes(&interactor.with_bot))),
    Check("ends with an exit code of its style", CheckSubject::Game, |interactor| {
        Ok(ends_by_its_style(&interactor.with_bot, interactor.run.style))
    }),
    Check("accepts the bot", CheckSubject::Game, |interactor| Ok(accepts(&interactor.with_bot))),
    Check("writes the same lines again", CheckSubject::Other, repeats),
    Check("decides when the bot ends at once", CheckSubject::Other, |interactor| {
        Ok(must_reject(&interactor.against("nothing and exits", &["true"])?))
    }),
    Check("decides when the bot ends after a line", CheckSubject::Other, decides_after_a_line),
    Check("survives malformed lines", CheckSubject::Other, survives_garbage),
    Check("accepts no malformed line", CheckSubject::Other, accepts_no_garbage),
    Check("survives 60 MB of output", CheckSubject::Other, survives_floods),
    Check("decides on a bot that does not read", CheckSubject::Other, decides_without_a_reader),
];

fn flushes(result: &TrialResult) -> Finding {
    if result.ruling.class == Class::InteractorNoFlush {
        let why =
            "a right bot waits for a line that never comes, and in a contest the bot would be blamed for it";
        not_accepted(result, why, None)
    } else {
        Finding::pass("no line of the interactor was in a buffer while it waited")
    }
}

fn ends_by_its_style(result: &TrialResult, style: Style) -> Finding {
    let Some(exit) = result.interactor.exit else {
        return Finding::note("not tested: the interactor did not end by itself");
    };
    // Check only the exit code. Exit code 7 needs a message with points or a share, so pass such messages. Pass `/dev/null` as
    // the folder, so that no file with a score is found.
    let message = if exit == Exit::Code(7) { "points 0\npartial 0/1" } else { "" };
    let has_decided = style == Style::Cms && result.ruling.class != Class::InteractorWrongStyle;
    let decision = style.decision(exit, message, std::path::Path::new("/dev/null"), false);
    if has_decided || !matches!(decision, Decision::Failed(..)) {
        return Finding::pass(format!("it {exit}, in the style {}", style.name()));
    }
    let why = "an interactor that ends in any other way has failed: the run says nothing about the bot";
    let advice = match (exit, style) {
        (Exit::Code(_), Style::Icpc) => "exit with code 42 to accept, and with 43 to reject",
        (Exit::Code(_), Style::Testlib) => "end with quitf(_ok, ...) or quitf(_wa, ...): code 0 or 1",
        (Exit::Code(_), Style::Cms) => "exit with code 0, and print a score from 0 to 1 to stdout",
        _ => "look for the cause in its stderr, and run it in a debugger",
    };
    not_accepted(result, why, Some(advice))
}

fn accepts(result: &TrialResult) -> Finding {
    let (why, advice) = match result.ruling.verdict {
        Verdict::Accepted | Verdict::Partial => return Finding::pass(&result.ruling.reason),
        Verdict::JudgeError => (
            "no bot can be accepted before this is repaired",
            Some("look for what the interactor does after the last line that it read")
                .filter(|_| result.ruling.advice.is_empty()),
        ),
        _ => (
            "the checks need a bot that is right",
            Some("if the bot is right, the interactor is not: compare both with the statement"),
        ),
    };
    not_accepted(result, why, advice)
}

fn not_accepted(result: &TrialResult, why: &str, advice: Option<&str>) -> Finding {
    let mut finding = Finding::ruled(&result.ruling);
    finding.why.push(why.to_owned());
    finding.advice.extend(advice.map(str::to_owned));
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
    let first = &interactor.with_bot;
    if first.passes() > 1 {
        return Ok(Finding::note("not tested: the bot is run several times, each time with other lines"));
    }
    if interactor.run.seats.count > 1 {
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
    let found = if let Some(difference) = difference {
        format!("for the same lines of the bot, {difference}")
    } else if let Some(reason) = &again.why_undecided {
        format!("for the same lines of the bot: {reason}")
    } else if (second.ruling.verdict, second.ruling.score) != (first.ruling.verdict, first.ruling.score) {
        format!("{}; then, for the same lines of the bot: {}", first.ruling.reason, second.ruling.reason)
    } else {
        let lines = counted(first.interactor.lines, "line");
        return Ok(Finding::pass(format!("it wrote the same {lines} for the same lines of the bot")));
    };
    Ok(again.finding(found, WHY, ADVICE))
}

fn difference(first: &[u8], second: &[u8]) -> Option<String> {
    if first == second {
        return None;
    }
    let [first, second] = [first, second].map(|output| {
        let lines = output.split_inclusive(|&byte| byte == b'\n').map(String::from_utf8_lossy);
        lines.map(|line| line.trim_end().to_owned()).collect_vec()
    });
    let at = first.iter().zip(&second).take_while(|(first, second)| first == second).count();
    let [first, second] = [first, second]
        .map(|lines| lines.get(at).map_or("nothing".to_owned(), |line| format!("{:?}", shortened(line))));
    Some(format!("line {} of the interactor was {first} at first, and then {second}", at + 1))
}

fn decides_after_a_line(interactor: &InteractorUnderTest) -> anyhow::Result<Finding> {
    if interactor.with_bot.bot_lines() <= 1 {
        return Ok(Finding::note("not tested: the bot writes only one line"));
    }
    let line = interactor.first_line();
    Ok(must_reject(&interactor.against("one line and exits", &["printf", "%s\\n", &line])?))
}

fn survives_garbage(interactor: &InteractorUnderTest) -> anyhow::Result<Finding> {
    const WHY: &str = "a wrong bot would get a judge error in place of a verdict";
    const ADVICE: &str = "check what was read before it is converted or used as an index, limit its length, and reject what is malformed";
    let outcomes = interactor.with_garbage()?;
    let mut failures = outcomes.iter().filter_map(|outcome| Some((outcome, outcome.failure(WHY, ADVICE)?)));
    let Some((_, mut finding)) = failures.next() else {
        let (bots, examples) = (counted(outcomes.len() as u64, "bot"), outcomes.iter().take(2));
        let examples = examples.map(|outcome| outcome.what).join(" and ");
        return Ok(Finding::pass(format!("{bots}, such as {examples}")));
    };
    let others = failures.map(|(other, _)| other.what).join(", ");
    if !others.is_empty() {
        finding.found += &format!("; it also fails for {others}");
    }
    Ok(finding)
}

fn accepts_no_garbage(interactor: &InteractorUnderTest) -> anyhow::Result<Finding> {
    let outcomes = interactor.with_garbage()?;
    let none = || Finding::pass(format!("none of {} was accepted", counted(outcomes.len() as u64, "bot")));
    Ok(outcomes.iter().find_map(Misbehaviour::acceptance).unwrap_or_else(none))
}

/// Checks that the interactor does not fail on long output. It may accept the output: for some problems, the first line
/// of the right bot is already a right answer, or only a checker can decide.
fn survives_floods(interactor: &InteractorUnderTest) -> anyhow::Result<Finding> {
    let line = interactor.first_line();
    // The bot also reads the answers. Otherwise, each program would wait until the other one reads.
    let lines = "exec 3<&0; cat <&3 > /dev/null & yes -- \"$0\" | head -c 60000000";
    let digits = "head -c 60000000 /dev/zero | tr '\\000' 9";
    for (what, script) in [("its first line without end", lines), ("one line of 60 MB", digits)] {
        let failure = interactor.against(what, &["sh", "-c", script, &line])?.failure(
            "a bot in an endless loop would get a judge error in place of a verdict",
            "limit the number of lines and their length: reject at the first line beyond a limit",
        );
        if let Some(finding) = failure {
            return Ok(finding);
        }
    }
    Ok(Finding::pass("as one line, and as many lines"))
}

/// Looks whether the interactor can wait forever for room in the pipe to the bot. That is no fault, because the bot has to
/// read, but in a contest such a bot gets the verdict of the judge that notices it, if one does.
fn decides_without_a_reader(interactor: &InteractorUnderTest) -> anyhow::Result<Finding> {
    let script = "yes -- \"$0\" | head -c 10000000";
    let what = "its first line again and again and reads no reply";
    let outcome = interactor.against(what, &["sh", "-c", script, &interactor.first_line()])?;
    if matches!(outcome.result.ruling.class, Class::BothWrite | Class::PipeFull) {
        let finding = outcome.finding(
            format!("it waits forever for a bot that writes {what}: both programs write, and neither reads"),
            "a judge without a limit for waiting hangs, and others say time limit exceeded",
            "limit the number of lines that are answered, so that the answers fit into a pipe of 64 KiB",
        );
        return Ok(Finding { status: CheckStatus::Note, ..finding });
    }
    let failure = outcome.failure(
        "a bot that does not read would get a judge error in place of a verdict",
        "reject when the bot's output has ended, and when a line cannot be written",
    );
    Ok(failure.unwrap_or_else(|| Finding::pass(format!("it decided on a bot that writes {what}"))))
}

fn must_reject(outcome: &Misbehaviour) -> Finding {
    let failure = outcome.failure(
        "bots crash and exit early; then the interactor has to say that they are wrong",
        "check the result of every read, and reject when the bot's output has ended",
    );
    let rejected = || Finding::pass(format!("it rejected a bot that writes {}", outcome.what));
    failure.or_else(|| outcome.acceptance()).unwrap_or_else(rejected)
}

struct InteractorUnderTest {
    run: ProblemRun,
    test: TestCase,
    with_bot: TrialResult,
    with_garbage: OnceCell<Vec<Misbehaviour>>,
}

struct Misbehaviour {
    what: &'static str,
    result: TrialResult,
    /// Why the interactor did not decide on the bot: it crashed, waits or reached a limit.
    why_undecided: Option<String>,
    again: Option<String>,
}

impl Misbehaviour {
    fn finding(&self, found: String, why: &str, advice: &str) -> Finding {
        let (stderr, again) = (shown_lines(&self.result.interactor.stderr), self.again.clone());
        Finding { why: vec![why.to_owned()], stderr, again, ..Finding::fail(found, advice) }
    }

    fn failure(&self, why: &str, advice: &str) -> Option<Finding> {
        let reason = self.why_undecided.as_ref()?;
        Some(self.finding(format!("the bot writes {}: {reason}", self.what), why, advice))
    }

    fn acceptance(&self) -> Option<Finding> {
        let Ruling { verdict, score, .. } = self.result.ruling;
        let is_accepted = !verdict.is_failure(score, None);
        let found = format!("it accepted a bot that writes {}", self.what);
        let advice = "accept only after a complete and correct answer";
        is_accepted.then(|| self.finding(found, "a wrong bot would be accepted", advice))
    }
}

impl InteractorUnderTest {
    /// Runs a bot that misbehaves. `what` describes what the bot writes.
    fn against(&self, what: &'static str, bot: &[&str]) -> anyhow::Result<Misbehaviour> {
        let mut run = self.run.clone();
        (run.bot.bot, run.bot.started) = (bot.iter().map(OsString::from).collect(), None);
        // The command that repeats the run has the limits and the profile of `self.run`.
        let again = run.again(&self.test);
        // No such bot needs this much CPU time. The wall time includes that of an interactor which reads the output.
        (run.bot.limits.cpu, run.bot.limits.wall) = (Duration::from_secs(60), Duration::from_secs(600));
        // With this profile, only the interactor's decision counts, and not how the bot ends.
        run.bot.profile = Some(Profile::Contest);
        let result = Programs::new(run, MAX_RECORDED)?.run(&self.test, false)?;
        let is_crash = self.run.style != Style::Icpc && result.interactor.stderr.shows_exception();
        let why_undecided = match result.ruling.verdict {
            Verdict::WrongAnswer if is_crash => Some(
                "the interactor ended with an exception, whose exit code only looks like a rejection"
                    .to_owned(),
            ),
            Verdict::JudgeError => Some(result.ruling.reason.clone()),
            _ => None,
        };
        Ok(Misbehaviour { what, result, why_undecided, again })
    }

    /// Returns the first line of the right bot, as a pattern for malformed lines; `1` if the line is not suitable.
    fn first_line(&self) -> String {
        const MAX_LENGTH: usize = 200;
        let output = self.with_bot.output(Side::Bot);
        let line = output.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let text = std::str::from_utf8(line).unwrap_or_default().trim();
        let is_pattern = !text.is_empty() && text.len() <= MAX_LENGTH && !text.chars().any(char::is_control);
        if is_pattern { text.to_owned() } else { "1".to_owned() }
    }

    fn with_garbage(&self) -> anyhow::Result<&[Misbehaviour]> {
        if let Some(outcomes) = self.with_garbage.get() {
            return Ok(outcomes);
        }
        let line = self.first_line();
        let with_text = replace_numbers(&line, "abc");
        let huge = replace_numbers(&line, &"9".repeat(30));
        let start = line.split(|symbol: char| symbol.is_ascii_digit()).next().unwrap_or_default();
        let long = "printf %s \"$0\"; head -c 1000000 /dev/zero | tr '\\000' 9; echo";
        let cases: [(&'static str, &[&str]); 8] = [
            ("an empty line", &["echo"]),
            ("words", &["echo", "not what is expected"]),
            ("a word in place of a number", &["printf", "%s\\n", &with_text]),
            ("a number of 30 digits", &["printf", "%s\\n", &huge]),
            ("random bytes", &["printf", RANDOM_BYTES]),
            ("NUL bytes", &["printf", "\\000\\000\\000\\000\\n"]),
            ("a line of 1 MB", &["sh", "-c", long, start]),
            ("a line without an end", &["printf", "%s", &line]),
        ];
        // If the right bot writes only one line, that line may be a complete answer even without a line end.
        let count = cases.len() - usize::from(self.with_bot.bot_lines() <= 1);
        let mut outcomes = Vec::new();
        for (what, bot) in &cases[..count] {
            let outcome = self.against(what, bot)?;
            // The interactor did not end by itself. Stop here: another bot would probably bring it to the same limit,
            // which can take long.
            let is_last = outcome.result.interactor.exit.is_none();
            outcomes.push(outcome);
            if is_last {
                break;
            }
        }
        Ok(self.with_garbage.get_or_init(|| outcomes))
    }
}

/// 16 bytes and then a newline, as a format of `printf`. The bytes contain control characters and invalid UTF-8.
const RANDOM_BYTES: &str =
    "\\303\\050\\001\\377\\033\\200\\076\\217\\005\\361\\244\\177\\313\\016\\252\\351\\n";

/// Replaces every number of a line by a word, or the whole line if it has no number.
fn replace_numbers(line: &str, word: &str) -> String {
    let parts = line.chars().chunk_by(char::is_ascii_digit);
    let replaced =
        parts.into_iter().map(|(is_number, part)| if is_number { word.to_owned() } else { part.collect() });
    if line.contains(|symbol: char| symbol.is_ascii_digit()) { replaced.collect() } else { word.to_owned() }
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

    #[test]
    fn numbers_are_replaced() {
        assert_eq!(replace_numbers("? 12 -345", "x"), "? x -x");
        assert_eq!(replace_numbers("7", "x"), "x");
        assert_eq!(replace_numbers("left", "x"), "x");
    }
}
