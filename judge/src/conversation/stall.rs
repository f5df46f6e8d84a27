//! Why a bot and its referee wait for each other: what is in a buffer, what is not read, and who had to write next.

use std::time::Duration;

use runner::activity::Activity;
use runner::event::{Limit, LimitReport};
use runner::relay::{MAX_WAITING, Side};

use crate::conversation::facts::{Facts, Flushing, Notice, Reaction, Stall};
use crate::conversation::language::CommandLanguage;
use crate::conversation::last_lines::quoted;
use crate::conversation::verdict::{Class, Ruling};

/// Returns why a bot and its referee wait for each other: the class, the reason, and what to do, the most important first.
pub(crate) fn diagnosis(stall: &Stall, facts: &Facts) -> Ruling {
    let Stall { bot, interactor, sent, reaction, .. } = stall;
    let the_judge = LimitReport::new(Limit::Idle);
    let referee = interactor.as_ref().unwrap_or(&the_judge);
    let [bot_activity, interactor_activity] = [bot, referee].map(activity);
    let of_bot = facts.terms.languages[0];
    let is_first = !facts.bot.has_written;
    if bot.stopped {
        let reason =
            "a signal stopped the bot, for instance because it read from the terminal in the background";
        return Ruling::new(Class::Waits, reason).advice("let it read its input from stdin");
    } else if referee.stopped {
        return Ruling::new(Class::InteractorLimit, "a signal stopped the interactor");
    } else if facts.bot.has_closed {
        let reason = "the bot closed its output too early: its next line was expected";
        return Ruling::new(Class::EarlyExit, reason).advice("keep stdout open until the final answer");
    } else if referee.unread > 0 && bot.unread > 0 {
        // A line may be cut where its pipe is full.
        let reason = format!(
            "both programs write and nobody reads: the bot has not read the last {} bytes of the interactor, nor the \
             interactor the last {} of the bot",
            bot.unread, referee.unread
        );
        return Ruling::new(Class::BothWrite, reason)
            .advice("read the answer to each line before printing the next");
    } else if !bot.unfinished.0.is_empty() {
        return unfinished("the bot", Class::NoFlush, bot).advice(END_LINES);
    } else if !referee.unfinished.0.is_empty() && bot.unread == 0 {
        // When the bot's input is closed, the interactor's unfinished line ends too. What the bot writes after that is
        // the answer to this line, and was not in a buffer.
        return unfinished("the interactor", Class::InteractorNoFlush, referee)
            .advice(format!("in the interactor, {END_LINES}"));
    }
    // An interactor that does not wait for the bot's line is the cause, whatever the bot does at the end of its input.
    if referee.unread > 0 {
        let reason = format!("the interactor has not read the last {} bytes of the bot", referee.unread);
        return Ruling::new(Class::InteractorLimit, reason);
    } else if !may_read(interactor_activity) && may_read(bot_activity) && bot.unread == 0 {
        if facts.terms.starts_bot && interactor_activity == Activity::Child {
            return waits_for_exit();
        }
        let reason = format!("the interactor does not read, but {interactor_activity}");
        return Ruling::new(Class::InteractorLimit, reason)
            .advice("--idle-limit sets how long both programs may wait");
    }
    // The bot went on only because its input ended.
    if let Some(reaction) = reaction
        && !is_interactor_late(stall)
        && bot_activity != Activity::Timer
        && (reaction.line.is_some() || interactor.is_none() && is_first)
    {
        return late(reaction, is_first, of_bot);
    }
    let sleeps_or = |class| if bot_activity == Activity::Timer { Class::Sleeps } else { class };
    if bot.unread > 0 {
        // The judge takes no more from the writer.
        let class = if bot.unread >= MAX_WAITING { Class::PipeFull } else { Class::Waits };
        let what = if bot.unread as u64 >= *sent {
            "read nothing of what it was sent".to_owned()
        } else {
            format!("not read the last {} bytes that it was sent", bot.unread)
        };
        let reason = format!("the bot has {what}; it {bot_activity}");
        Ruling::new(sleeps_or(class), reason).advice(bot_activity.look_for())
    } else if !may_read(bot_activity) {
        Ruling::new(sleeps_or(Class::Waits), format!("the bot does not read, but {bot_activity}"))
            .advice(bot_activity.look_for())
    } else if interactor.is_some() {
        who_is_next(stall, facts)
    } else if is_first {
        let reason = format!("the bot has written nothing: its output is not flushed, or {READS_TO_THE_END}");
        Ruling::new(Class::NoFlushOrReadsTooMuch, reason).advice(of_bot.flush()).advice(READ_ONE)
    } else {
        let reason =
            "the bot waits for a line that the judge will not send now, or its output is not flushed";
        Ruling::new(Class::Waits, reason).advice(of_bot.flush())
    }
}

/// Returns the ruling on two programs that both wait for input and have read everything.
fn who_is_next(stall: &Stall, facts: &Facts) -> Ruling {
    let [of_bot, of_interactor] = facts.terms.languages;
    let ruling = match stall.last_writer {
        None | Some(Side::Bot) if is_interactor_late(stall) => {
            let line = first_line(&stall.late_interactor);
            return late_interactor(line, stall.last_writer.is_none(), &of_interactor.flush());
        }
        None => {
            Ruling::new(Class::Waits, "each waits for the first line of the other").advice(COMPARE_WHO_BEGINS)
        }
        Some(Side::Interactor) if stall.loses_output => {
            let reason = "the bot has to write next: its line was lost in a buffer when it ended with an exception, or it \
                waits for another line of the interactor";
            let writers = "flush the writer after every line, as flush() of PrintWriter, BufferedWriter and System.out in \
                Java, Kotlin and Scala, Flush() of StreamWriter in C# and of bufio.Writer in Go do";
            Ruling::new(Class::NoFlushOrReadsTooMuch, reason)
                .advice(if of_bot.is_known() { of_bot.flush() } else { writers.to_owned() })
                .advice(format!("if it flushes every line, {READ_LESS}"))
        }
        Some(Side::Interactor) => {
            let reason = "the bot has to write next, but waits for another line of the interactor";
            Ruling::new(Class::ReadsTooMuch, reason).advice(READ_LESS)
        }
        // It has accepted as soon as the judge ended the bot.
        Some(Side::Bot) if facts.decision.as_ref().is_some_and(Ruling::is_accepted) => waits_for_exit(),
        Some(Side::Bot) => {
            let reason = "the interactor has read all lines of the bot and needs more of them";
            Ruling::new(Class::Waits, reason)
                .advice("compare what the bot has to print with the problem's statement")
        }
    };
    ruling.why_if_any(facts.consequence())
}

fn waits_for_exit() -> Ruling {
    Ruling::new(Class::NoExit, "the interactor for the end of the bot, and the bot for more input")
        .advice("after the final answer, leave every loop, read nothing more and exit")
}

fn unfinished(who: &str, class: Class, report: &LimitReport) -> Ruling {
    Ruling::new(class, format!("{who} wrote {} without ending the line", quoted(&report.unfinished.0)))
}

/// Checks whether an interactor wrote its next line only when its input ended.
fn is_interactor_late(Stall { late_interactor, .. }: &Stall) -> bool {
    !late_interactor.is_empty() && !is_refusal(late_interactor)
}

const END_LINES: &str = "print a newline after every line, and flush";

const READ_ONE: &str = "read one line at a time, as input() and readline() do, not to the end of the input";

const READ_LESS: &str = "read only as many lines as the interactor writes before it waits";

const READS_TO_THE_END: &str = "it reads to the end of its input, as sys.stdin.read() and read_to_string do";

const COMPARE_WHO_BEGINS: &str = "compare who has to write first with the problem's statement";

fn late(Reaction { line, to, flushing }: &Reaction, is_first: bool, of_bot: CommandLanguage) -> Ruling {
    let did = match line {
        Some(line) if is_first => format!("wrote its first line, {},", quoted(first_line(line))),
        Some(line) => format!("wrote {}", quoted(first_line(line))),
        None => "continued".to_owned(),
    };
    let did_late = format!("{did} only when the judge ended its input");
    let (class, reason) = match (to, flushing) {
        (Notice::LastLine, Flushing::EveryLine) => (
            Class::ReadsTooMuch,
            format!("the bot {did} only after \"-1 -1\": it reads more than one line before it writes"),
        ),
        (Notice::LastLine, _) => (
            Class::NoFlush,
            format!("the bot {did} only after \"-1 -1\": its output was not flushed, and stayed in a buffer"),
        ),
        (_, Flushing::EveryLine) => {
            let why = match line {
                Some(_) => "it flushes its output, but reads more than one line before it writes",
                None => READS_TO_THE_END,
            };
            (Class::ReadsTooMuch, format!("the bot {did_late}: {why}"))
        }
        (_, Flushing::AfterException) => (
            Class::NoFlush,
            format!(
                "the bot's output was in a buffer: when the judge ended its input, it ended with an exception, and {did} \
                 only after that"
            ),
        ),
        (_, Flushing::Unknown) if is_first => (
            Class::NoFlushOrReadsTooMuch,
            format!("the bot {did_late}: its output was in a buffer, or {READS_TO_THE_END}"),
        ),
        (_, Flushing::FewerWrites | Flushing::Unknown) => {
            (Class::NoFlush, format!("the bot's next line was in a buffer: it {did_late}"))
        }
    };
    let ruling = Ruling::new(class, reason);
    if class == Class::ReadsTooMuch {
        let scanf = "in C, use scanf(\"%d\"), not scanf(\"%d\\n\"), which waits for the next character that is no blank";
        let ruling = ruling.advice(READ_ONE);
        return if line.is_some() && of_bot.may_be_c() { ruling.advice(scanf) } else { ruling };
    }
    let ruling = ruling.advice(of_bot.flush());
    match (to, flushing) {
        (Notice::EndOfInput, _) if is_first => ruling.advice(READ_ONE),
        (Notice::LastLine, _) | (_, Flushing::AfterException) => ruling,
        (Notice::EndOfInput, _) => ruling.advice(
            "if it flushes every line, it reads one line too many, and then takes the end of its input for that line",
        ),
    }
}

fn late_interactor(line: &[u8], is_first: bool, flush: &str) -> Ruling {
    let line = quoted(line);
    let (reason, compare) = if is_first {
        let reason = format!(
            "the interactor wrote its first line, {line}, only when the judge ended its input: it reads before it writes, \
             or its output was in a buffer"
        );
        (reason, format!("{COMPARE_WHO_BEGINS}; "))
    } else {
        let reason = format!(
            "the interactor's next line was in a buffer: it wrote {line} only when the judge ended its input"
        );
        (reason, String::new())
    };
    let advice = format!("{compare}in the interactor, {flush}");
    Ruling::new(Class::InteractorNoFlush, reason).advice(advice)
}

/// Checks whether a bot may be waiting for input although it has read everything that it was sent. If so, the judge
/// tells it that no answer will come, and its reaction shows why it waits.
pub(crate) fn may_wait_for_input(report: &LimitReport) -> bool {
    let LimitReport { sleeping, stopped, unread, unfinished, .. } = report;
    *sleeping && !stopped && *unread == 0 && unfinished.0.is_empty() && may_read(activity(report))
}

/// Checks whether a program that has used up its wall time was idle and not computing: it slept at the end, and either
/// slept for the last quarter of `wall` or used less than a quarter of `wall` as CPU time.
pub(crate) fn was_idle(report: &LimitReport, wall: Duration) -> bool {
    report.sleeping && report.used.cpu.is_some_and(|cpu| was_quiet(report, wall) || cpu < wall / 4)
}

pub(crate) fn was_quiet(report: &LimitReport, wall: Duration) -> bool {
    report.sleeping && report.quiet >= wall / 4
}

fn may_read(activity: Activity) -> bool {
    matches!(activity, Activity::Input | Activity::Event | Activity::Unknown)
}

pub(crate) fn activity(report: &LimitReport) -> Activity {
    Activity::of(report.channel.as_deref())
}

/// Checks whether a text looks like a rejection. The interactor then wrote the text because its input ended; the text
/// was not in a buffer.
fn is_refusal(text: &[u8]) -> bool {
    let line = String::from_utf8_lossy(first_line(text)).to_lowercase();
    line.trim() == "-1" || ["wrong", "error", "fail", "invalid"].iter().any(|word| line.contains(word))
}

fn first_line(text: &[u8]) -> &[u8] {
    text.trim_ascii().split(|&byte| byte == b'\n').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use runner::event::{Bytes, Usage};

    use super::*;
    use crate::conversation::facts::{BotFacts, End, Terms};

    use Class::{
        InteractorLimit, InteractorNoFlush, NoFlush, NoFlushOrReadsTooMuch, PipeFull, ReadsTooMuch, Sleeps,
        Waits,
    };

    fn report() -> LimitReport {
        LimitReport {
            used: Usage { cpu: Some(Duration::from_millis(40)), ..Usage::default() },
            sleeping: true,
            channel: Some("anon_pipe_read".to_owned()),
            ..LimitReport::new(Limit::Idle)
        }
    }

    fn in_a_game() -> Stall {
        Stall::of_bot(report(), 10)
    }

    /// A stall of a bot that waits for input, and of an interactor that does the same.
    fn stall() -> Stall {
        Stall { interactor: Some(report()), last_writer: Some(Side::Bot), ..in_a_game() }
    }

    fn late(line: Option<&str>, to: Notice, flushing: Flushing) -> Reaction {
        Reaction { line: line.map(|line| line.as_bytes().to_vec()), to, flushing }
    }

    fn reacting(reaction: &Reaction, stall: Stall) -> Stall {
        Stall { reaction: Some(reaction.clone()), ..stall }
    }

    fn unread(unread: usize) -> LimitReport {
        LimitReport { unread, ..report() }
    }

    fn doing(channel: &str) -> LimitReport {
        LimitReport { channel: Some(channel.to_owned()), ..report() }
    }

    fn unfinished(line: &str) -> LimitReport {
        LimitReport { unfinished: Bytes(line.into()), ..report() }
    }

    /// Checks the class of each stall of a bot that has written, or not, and words of its reason.
    fn check<const N: usize>(has_written: bool, stalls: [(Stall, Class, &str); N]) {
        let bot = BotFacts { has_written, ..BotFacts::default() };
        let (terms, end) = (Terms::default(), End::Bot);
        let facts = Facts { terms, end, decision: None, expected: None, bot, interactor: None };
        for (stall, class, words) in stalls {
            let ruling = diagnosis(&stall, &facts);
            assert!(ruling.class == class && ruling.reason.contains(words), "{words}: {ruling:?}");
            let is_bots = class.verdict() == Waits.verdict();
            assert!(!is_bots || !ruling.advice.is_empty(), "{ruling:?}");
        }
    }

    /// The scripted conversations have the other stalls.
    #[test]
    fn who_waits_and_why() {
        let of_bot = |bot| Stall { bot, ..stall() };
        let of_interactor = |report| Stall { interactor: Some(report), ..stall() };
        let stopped = || LimitReport { stopped: true, ..report() };
        let sleeping = || doing("hrtimer_nanosleep");
        let eof = late(Some("? 750\n"), Notice::EndOfInput, Flushing::Unknown);
        // An exception shows that the output is flushed in Python, and that it may be lost in other languages.
        let crashed = Reaction { flushing: Flushing::AfterException, ..eof.clone() };
        let wrote_late = |text: &str, stall: Stall| Stall { late_interactor: text.into(), ..stall };
        let unended = reacting(&eof, of_interactor(unfinished("8")));
        let asleep = of_bot(LimitReport { unread: 7, ..sleeping() });
        let after_interactor = Stall { last_writer: Some(Side::Interactor), ..stall() };
        let lost = Stall { loses_output: true, ..after_interactor.clone() };
        let takes_end_for_answer = reacting(&eof, wrote_late("<\n<\n", stall()));
        let not_read = "the bot has not read the last 7 bytes that it was sent; it is waiting for input";
        let rows = [
            (of_bot(stopped()), Waits, "a signal stopped the bot"),
            (of_interactor(stopped()), InteractorLimit, "a signal stopped the interactor"),
            (unended, InteractorNoFlush, "the interactor wrote \"8\" without ending the line"),
            (reacting(&eof, stall()), NoFlush, "the bot's next line was in a buffer: it wrote \"? 750\""),
            (of_interactor(unread(7)), InteractorLimit, "not read the last 7 bytes of the bot"),
            (of_bot(unread(7)), Waits, not_read),
            (asleep, Sleeps, "the last 7 bytes that it was sent; it is sleeping for a set time"),
            (of_bot(sleeping()), Sleeps, "the bot does not read, but is sleeping for a set time"),
            (of_interactor(sleeping()), InteractorLimit, "the interactor does not read, but is sleeping"),
            (after_interactor, ReadsTooMuch, "the bot has to write next, but waits for another line"),
            (lost, NoFlushOrReadsTooMuch, "its line was lost in a buffer"),
            (wrote_late("-1\n", stall()), Waits, "the interactor has read all lines of the bot"),
            (takes_end_for_answer, InteractorNoFlush, "next line was in a buffer: it wrote \"<\" only"),
        ];
        check(true, rows);
        let nobody = || Stall { last_writer: None, ..stall() };
        let rows = [
            (reacting(&eof, stall()), NoFlushOrReadsTooMuch, "wrote its first line, \"? 750\", only"),
            (reacting(&crashed, stall()), NoFlush, "wrote its first line, \"? 750\", only after that"),
            (nobody(), Waits, "each waits for the first line of the other"),
            (wrote_late("8\n", nobody()), InteractorNoFlush, "wrote its first line, \"8\", only"),
        ];
        check(false, rows);
    }

    #[test]
    fn why_a_bot_waits_in_a_game() {
        let of_bot = |bot| Stall { bot, ..in_a_game() };
        let at_the_last_line = late(Some("First"), Notice::LastLine, Flushing::Unknown);
        let silent = late(None, Notice::EndOfInput, Flushing::Unknown);
        let flushing = Reaction { flushing: Flushing::EveryLine, ..silent.clone() };
        let no_line = late(None, Notice::LastLine, Flushing::Unknown);
        let full = Stall { bot: unread(60 << 10), sent: 60 << 10, ..stall() };
        let rows = [
            (of_bot(unfinished("? 7")), NoFlush, "the bot wrote \"? 7\" without ending the line"),
            (
                of_bot(doing("futex_do_wait")),
                Waits,
                "the bot does not read, but is waiting for another of its threads",
            ),
            (of_bot(unread(70_000)), PipeFull, "the bot has read nothing of what it was sent; it is waiting"),
            (full, PipeFull, "the bot has read nothing of what it was sent; it is waiting for input"),
            (reacting(&no_line, in_a_game()), Waits, "a line that the judge will not send now"),
        ];
        check(true, rows);
        let rows = [
            (
                reacting(&at_the_last_line, in_a_game()),
                NoFlush,
                "\"First\", only after \"-1 -1\": its output",
            ),
            (reacting(&silent, in_a_game()), NoFlushOrReadsTooMuch, "the bot continued only when"),
            (reacting(&flushing, in_a_game()), ReadsTooMuch, "it reads to the end of its input"),
            (in_a_game(), NoFlushOrReadsTooMuch, "the bot has written nothing"),
        ];
        check(false, rows);
    }

    #[test]
    fn which_bots_were_idle() {
        let wall = Duration::from_secs(1);
        let idle = |cpu, quiet, sleeping| {
            let used = Usage { cpu, ..Usage::default() };
            was_idle(&LimitReport { used, quiet, sleeping, ..report() }, wall)
        };
        assert!(idle(Some(wall / 100), wall, true));
        assert!(idle(Some(wall / 100), wall / 10, true), "it slept before each of its lines");
        assert!(idle(Some(wall / 2), wall / 2, true), "it computed, and then waited for a long time");
        assert!(!idle(Some(wall / 2), wall / 10, true), "it computed, and then waited for a short time");
        assert!(!idle(Some(wall / 100), wall, false), "it was running");
        assert!(!idle(None, wall, true), "its CPU time is unknown");
    }
}
