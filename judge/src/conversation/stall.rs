//! Why a bot and its referee wait for each other: what is in a buffer, what is not read, and who had to write next.

use std::time::Duration;

use runner::activity::Activity;
use runner::event::{Limit, LimitReport};
use runner::relay::{MAX_WAITING, Side};

use crate::conversation::facts::{BotFacts, Flushing, Notice, Reaction, Stall};
use crate::conversation::language::CommandLanguage;
use crate::conversation::last_lines::quoted;
use crate::conversation::verdict::{Class, Ruling};

/// Why a bot and its referee wait for each other. [`ruling`](Self::ruling) has a reason in words for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    Stopped(Side),
    Closed,
    // The bytes that each has not read.
    BothWrite { bot: usize, interactor: usize },
    Unfinished(Side, Vec<u8>),
    // The bot wrote its next line, or did something else, only at the judge's notice.
    Late { reaction: Reaction, is_first: bool },
    LateInteractor { line: Vec<u8>, is_first: bool },
    // A program has not read its last bytes, or has read nothing.
    Unread { side: Side, bytes: usize, is_all: bool, activity: Activity },
    Busy(Side, Activity),
    Silent,
    Waits,
    NobodyBegins,
    LostOrNext,
    BotIsNext,
    NeedsMore,
}

impl Cause {
    pub(crate) fn of(stall: &Stall, bot_facts: &BotFacts) -> Self {
        let Stall { bot, interactor, last_writer, sent, reaction, late_interactor, loses_output } = stall;
        let the_judge = LimitReport::new(Limit::Idle);
        let referee = interactor.as_ref().unwrap_or(&the_judge);
        let [bot_activity, interactor_activity] = [bot, referee].map(activity);
        let is_first = !bot_facts.has_written;
        if bot.stopped {
            return Self::Stopped(Side::Bot);
        } else if referee.stopped {
            return Self::Stopped(Side::Interactor);
        } else if bot_facts.has_closed {
            return Self::Closed;
        } else if referee.unread > 0 && bot.unread > 0 {
            // A line may be cut where its pipe is full.
            return Self::BothWrite { bot: bot.unread, interactor: referee.unread };
        } else if !bot.unfinished.0.is_empty() {
            return Self::Unfinished(Side::Bot, bot.unfinished.0.clone());
        } else if !referee.unfinished.0.is_empty() && bot.unread == 0 {
            // When the bot's input is closed, the interactor's unfinished line ends too. What the bot writes after that is
            // the answer to this line, and was not in a buffer.
            return Self::Unfinished(Side::Interactor, referee.unfinished.0.clone());
        }
        // An interactor that does not wait for the bot's line is the cause, whatever the bot does at the end of its input.
        if referee.unread > 0 {
            let (bytes, activity) = (referee.unread, interactor_activity);
            return Self::Unread { side: Side::Interactor, bytes, is_all: false, activity };
        } else if !may_read(interactor_activity) && may_read(bot_activity) && bot.unread == 0 {
            return Self::Busy(Side::Interactor, interactor_activity);
        }
        let is_late = !late_interactor.is_empty() && !is_refusal(late_interactor);
        // The bot went on only because its input ended.
        if let Some(reaction) = reaction
            && !is_late
            && bot_activity != Activity::Timer
            && (reaction.line.is_some() || interactor.is_none() && is_first)
        {
            return Self::Late { reaction: reaction.clone(), is_first };
        }
        let is_all = bot.unread as u64 >= *sent;
        if bot.unread > 0 {
            return Self::Unread { side: Side::Bot, bytes: bot.unread, is_all, activity: bot_activity };
        } else if !may_read(bot_activity) {
            return Self::Busy(Side::Bot, bot_activity);
        } else if interactor.is_none() {
            return if is_first { Self::Silent } else { Self::Waits };
        }
        match last_writer {
            None | Some(Side::Bot) if is_late => {
                let line = first_line(late_interactor).to_vec();
                Self::LateInteractor { line, is_first: last_writer.is_none() }
            }
            None => Self::NobodyBegins,
            Some(Side::Interactor) if *loses_output => Self::LostOrNext,
            Some(Side::Interactor) => Self::BotIsNext,
            Some(Side::Bot) => Self::NeedsMore,
        }
    }

    /// Returns what is said about the cause: the class, the reason, and what to do, the most important first.
    pub(crate) fn ruling(&self, [of_bot, of_interactor]: [CommandLanguage; 2]) -> Ruling {
        let flush = of_bot.flush();
        match self {
            Self::Stopped(Side::Bot) => {
                let reason = "a signal stopped the bot, for instance because it read from the terminal in the background";
                Ruling::new(Class::Waits, reason).advice("let it read its input from stdin")
            }
            Self::Stopped(Side::Interactor) => {
                Ruling::new(Class::InteractorLimit, "a signal stopped the interactor")
            }
            Self::Closed => {
                let reason = "the bot closed its output too early: its next line was expected";
                Ruling::new(Class::EarlyExit, reason).advice("keep stdout open until the final answer")
            }
            Self::BothWrite { bot, interactor } => {
                let reason = format!(
                    "both programs write and nobody reads: the bot has not read the last {bot} bytes of the interactor, nor \
                     the interactor the last {interactor} of the bot"
                );
                Ruling::new(Class::BothWrite, reason)
                    .advice("read the answer to each line before printing the next")
            }
            Self::Unfinished(side, line) => {
                let (who, class, place) = match side {
                    Side::Bot => ("the bot", Class::NoFlush, ""),
                    Side::Interactor => ("the interactor", Class::InteractorNoFlush, "in the interactor, "),
                };
                Ruling::new(class, format!("{who} wrote {} without ending the line", quoted(line)))
                    .advice(format!("{place}print a newline after every line, and flush"))
            }
            Self::Late { reaction, is_first } => late(reaction, *is_first, of_bot),
            Self::LateInteractor { line, is_first } => {
                late_interactor(line, *is_first, &of_interactor.flush())
            }
            Self::Unread { side: Side::Interactor, bytes, .. } => {
                let reason = format!("the interactor has not read the last {bytes} bytes of the bot");
                Ruling::new(Class::InteractorLimit, reason)
            }
            Self::Unread { side: Side::Bot, bytes, is_all, activity } => {
                let class = match activity {
                    Activity::Timer => Class::Sleeps,
                    // The judge takes no more from the writer.
                    _ if *bytes >= MAX_WAITING => Class::PipeFull,
                    _ => Class::Waits,
                };
                let reason = if *is_all {
                    format!("the bot has read nothing of what it was sent; it is {activity}")
                } else {
                    format!("the bot has not read the last {bytes} bytes that it was sent; it is {activity}")
                };
                Ruling::new(class, reason).advice(activity.look_for())
            }
            Self::Busy(Side::Bot, activity) => {
                let class = if *activity == Activity::Timer { Class::Sleeps } else { Class::Waits };
                Ruling::new(class, format!("the bot does not read, but is {activity}"))
                    .advice(activity.look_for())
            }
            Self::Busy(Side::Interactor, activity) => {
                let reason = format!("the interactor does not read, but is {activity}");
                Ruling::new(Class::InteractorLimit, reason)
                    .advice("--idle-limit sets how long both programs may wait")
            }
            Self::Silent => {
                let reason =
                    format!("the bot has written nothing: its output is not flushed, or {READS_TO_THE_END}");
                Ruling::new(Class::NoFlushOrReadsTooMuch, reason).advice(flush).advice(READ_ONE)
            }
            Self::Waits => {
                let reason =
                    "the bot waits for a line that the judge will not send now, or its output is not flushed";
                Ruling::new(Class::Waits, reason).advice(flush)
            }
            Self::NobodyBegins => Ruling::new(Class::Waits, "each waits for the first line of the other")
                .advice(COMPARE_WHO_BEGINS),
            Self::LostOrNext => {
                let reason = "the bot has to write next: its line was lost in a buffer when it ended with an exception, or \
                    it waits for another line of the interactor";
                let writers = "flush the writer after every line, as flush() of PrintWriter, BufferedWriter and System.out \
                    in Java, Kotlin and Scala, Flush() of StreamWriter in C# and of bufio.Writer in Go do";
                Ruling::new(Class::NoFlushOrReadsTooMuch, reason)
                    .advice(if of_bot.is_known() { flush } else { writers.to_owned() })
                    .advice(format!("if it flushes every line, {READ_LESS}"))
            }
            Self::BotIsNext => {
                let reason = "the bot has to write next, but waits for another line of the interactor";
                Ruling::new(Class::ReadsTooMuch, reason).advice(READ_LESS)
            }
            Self::NeedsMore => {
                let reason = "the interactor has read all lines of the bot and needs more of them";
                Ruling::new(Class::Waits, reason)
                    .advice("compare what the bot has to print with the problem's statement")
            }
        }
    }
}

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

    fn late_by(reaction: &Reaction, is_first: bool) -> Cause {
        Cause::Late { reaction: reaction.clone(), is_first }
    }

    fn unread(unread: usize) -> LimitReport {
        LimitReport { unread, ..report() }
    }

    fn unread_by(side: Side, bytes: usize, is_all: bool, activity: Activity) -> Cause {
        Cause::Unread { side, bytes, is_all, activity }
    }

    fn doing(channel: &str) -> LimitReport {
        LimitReport { channel: Some(channel.to_owned()), ..report() }
    }

    fn unfinished(line: &str) -> LimitReport {
        LimitReport { unfinished: Bytes(line.into()), ..report() }
    }

    /// Checks the cause of each stall of a bot that has written, or not, and its class.
    fn check(has_written: bool, stalls: impl IntoIterator<Item = (Stall, Cause, Class)>) {
        for (stall, expected, class) in stalls {
            let cause = Cause::of(&stall, &BotFacts { has_written, ..BotFacts::default() });
            let ruling = cause.ruling([CommandLanguage::default(); 2]);
            assert_eq!((&cause, ruling.class), (&expected, class));
            let is_bots = class.verdict() == Class::Waits.verdict();
            assert!(!is_bots || !ruling.advice.is_empty(), "{ruling:?}");
        }
    }

    /// The scripted conversations have the other stalls.
    #[test]
    fn who_waits_and_why() {
        use Side::{Bot, Interactor};

        let of_bot = |bot| Stall { bot, ..stall() };
        let of_interactor = |report| Stall { interactor: Some(report), ..stall() };
        let stopped = || LimitReport { stopped: true, ..report() };
        let sleeping = || doing("hrtimer_nanosleep");
        let eof = late(Some("? 750\n"), Notice::EndOfInput, Flushing::Unknown);
        // An exception shows that the output is flushed in Python, and that it may be lost in other languages.
        let crashed = Reaction { flushing: Flushing::AfterException, ..eof.clone() };
        let wrote_late = |text: &str, stall: Stall| Stall { late_interactor: text.into(), ..stall };
        let late_interactor = |line: &str, is_first| Cause::LateInteractor { line: line.into(), is_first };
        let unended = reacting(&eof, of_interactor(unfinished("8")));
        let unread_by_interactor = unread_by(Interactor, 7, false, Activity::Input);
        let asleep = of_bot(LimitReport { unread: 7, ..sleeping() });
        let after_interactor = Stall { last_writer: Some(Interactor), ..stall() };
        let lost = Stall { loses_output: true, ..after_interactor.clone() };
        let takes_end_for_answer = reacting(&eof, wrote_late("<\n<\n", stall()));
        let rows = [
            (of_bot(stopped()), Cause::Stopped(Bot), Class::Waits),
            (of_interactor(stopped()), Cause::Stopped(Interactor), Class::InteractorLimit),
            (unended, Cause::Unfinished(Interactor, "8".into()), Class::InteractorNoFlush),
            (reacting(&eof, stall()), late_by(&eof, false), Class::NoFlush),
            (of_interactor(unread(7)), unread_by_interactor, Class::InteractorLimit),
            (of_bot(unread(7)), unread_by(Bot, 7, false, Activity::Input), Class::Waits),
            (asleep, unread_by(Bot, 7, false, Activity::Timer), Class::Sleeps),
            (of_bot(sleeping()), Cause::Busy(Bot, Activity::Timer), Class::Sleeps),
            (of_interactor(sleeping()), Cause::Busy(Interactor, Activity::Timer), Class::InteractorLimit),
            (after_interactor, Cause::BotIsNext, Class::ReadsTooMuch),
            (lost, Cause::LostOrNext, Class::NoFlushOrReadsTooMuch),
            (wrote_late("-1\n", stall()), Cause::NeedsMore, Class::Waits),
            (takes_end_for_answer, late_interactor("<", false), Class::InteractorNoFlush),
        ];
        check(true, rows);
        let nobody = || Stall { last_writer: None, ..stall() };
        let rows = [
            (reacting(&eof, stall()), late_by(&eof, true), Class::NoFlushOrReadsTooMuch),
            (reacting(&crashed, stall()), late_by(&crashed, true), Class::NoFlush),
            (nobody(), Cause::NobodyBegins, Class::Waits),
            (wrote_late("8\n", nobody()), late_interactor("8", true), Class::InteractorNoFlush),
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
            (of_bot(unfinished("? 7")), Cause::Unfinished(Side::Bot, "? 7".into()), Class::NoFlush),
            (of_bot(doing("futex_do_wait")), Cause::Busy(Side::Bot, Activity::Thread), Class::Waits),
            (of_bot(unread(70_000)), unread_by(Side::Bot, 70_000, true, Activity::Input), Class::PipeFull),
            (full, unread_by(Side::Bot, 60 << 10, true, Activity::Input), Class::PipeFull),
            (reacting(&no_line, in_a_game()), Cause::Waits, Class::Waits),
        ];
        check(true, rows);
        let rows = [
            (reacting(&at_the_last_line, in_a_game()), late_by(&at_the_last_line, true), Class::NoFlush),
            (reacting(&silent, in_a_game()), late_by(&silent, true), Class::NoFlushOrReadsTooMuch),
            (reacting(&flushing, in_a_game()), late_by(&flushing, true), Class::ReadsTooMuch),
            (in_a_game(), Cause::Silent, Class::NoFlushOrReadsTooMuch),
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
