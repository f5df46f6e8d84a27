//! Why a bot and its referee wait for each other: what is in a buffer, what is not read, and who had to write next.

use std::fmt;
use std::time::Duration;

use runner::activity::{Activity, FLUSH};
use runner::event::LimitReport;
use runner::relay::{MAX_WAITING, Side};

use crate::conversation::facts::{BotFacts, Flushing, Notice, Reaction, Stall};
use crate::conversation::last_lines::quoted;
use crate::conversation::verdict::Class;

/// Number of unread bytes from which a pipe is full: then the judge takes no more from the writer.
const FULL: usize = MAX_WAITING;

/// Why a bot and its referee wait for each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// A signal stopped a program.
    Stopped(Side),
    /// The bot closed its output.
    Closed,
    /// Both programs write, and neither reads: the bytes that each has not read.
    BothWrite { bot: usize, interactor: usize },
    /// A program wrote a line without its end.
    Unfinished(Side, Vec<u8>),
    /// The bot wrote its next line, or did something else, only at the judge's notice.
    Late { reaction: Reaction, is_first: bool },
    /// The interactor wrote its next line only when its input was closed.
    LateInteractor { line: Vec<u8>, is_first: bool },
    /// A program has not read its last bytes.
    Unread { side: Side, bytes: usize, is_all: bool, activity: Activity },
    /// A program does not read, but does something else.
    Busy(Side, Activity),
    /// The bot has written nothing, and gave no sign.
    Silent,
    /// The bot waits for a line that the judge of a game does not send now.
    Waits,
    /// Each program waits for the first line of the other.
    NobodyBegins,
    /// The bot has to write next. Its output was lost when it ended, or it waits for another line of the interactor.
    LostOrNext,
    /// The bot has to write next, but waits for another line of the interactor.
    BotIsNext,
    /// The interactor has read all lines of the bot and needs more of them.
    NeedsMore,
}

impl Cause {
    /// Finds the cause.
    pub(crate) fn of(stall: &Stall, bot_facts: &BotFacts) -> Self {
        let Stall { bot, interactor, last_writer, sent, reaction, late_interactor, loses_output } = stall;
        let unread_by_interactor = interactor.as_ref().map_or(0, |report| report.unread);
        let [bot_activity, interactor_activity] =
            [Some(bot), interactor.as_ref()].map(|report| report.map_or(Activity::Input, activity));
        let unfinished = |report: &LimitReport| report.unfinished.0.clone();
        let is_first = !bot_facts.has_written;
        if bot.stopped {
            return Self::Stopped(Side::Bot);
        } else if interactor.as_ref().is_some_and(|report| report.stopped) {
            return Self::Stopped(Side::Interactor);
        } else if bot_facts.has_closed {
            return Self::Closed;
        } else if unread_by_interactor > 0 && bot.unread > 0 {
            // A line may be cut where its pipe is full.
            return Self::BothWrite { bot: bot.unread, interactor: unread_by_interactor };
        } else if !bot.unfinished.0.is_empty() {
            return Self::Unfinished(Side::Bot, unfinished(bot));
        }
        // When the bot's input is closed, the interactor's unfinished line ends too. What the bot writes after that is
        // the answer to this line, and was not in a buffer.
        if let Some(report) = interactor
            && !report.unfinished.0.is_empty()
            && bot.unread == 0
        {
            return Self::Unfinished(Side::Interactor, unfinished(report));
        }
        // An interactor that does not wait for the bot's line is the cause, whatever the bot does at the end of its input.
        if unread_by_interactor > 0 {
            let (bytes, activity) = (unread_by_interactor, interactor_activity);
            return Self::Unread { side: Side::Interactor, bytes, is_all: false, activity };
        } else if !may_read(interactor_activity) && may_read(bot_activity) && bot.unread == 0 {
            return Self::Busy(Side::Interactor, interactor_activity);
        }
        if let Some(reaction) = reaction
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
        let is_late = !late_interactor.is_empty() && !is_refusal(late_interactor);
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

    /// Returns the class.
    pub(crate) fn class(&self) -> Class {
        match self {
            Self::Closed => Class::EarlyExit,
            Self::BothWrite { .. } => Class::BothWrite,
            Self::Unfinished(Side::Interactor, _) | Self::LateInteractor { .. } => Class::InteractorNoFlush,
            Self::Stopped(Side::Interactor)
            | Self::Unread { side: Side::Interactor, .. }
            | Self::Busy(Side::Interactor, _) => Class::InteractorLimit,
            Self::BotIsNext | Self::Late { reaction: Reaction { flushing: Flushing::EveryLine, .. }, .. } => {
                Class::ReadsTooMuch
            }
            Self::Unfinished(Side::Bot, _)
            | Self::Late { reaction: Reaction { to: Notice::LastLine, .. }, .. }
            | Self::Late {
                reaction: Reaction { flushing: Flushing::FewerWrites | Flushing::AfterException, .. },
                ..
            }
            | Self::Late { is_first: false, .. } => Class::NoFlush,
            Self::Late { .. } | Self::Silent | Self::LostOrNext => Class::NoFlushOrReadsTooMuch,
            Self::Unread { activity: Activity::Timer, .. } | Self::Busy(_, Activity::Timer) => Class::Sleeps,
            Self::Unread { bytes, .. } if *bytes >= FULL => Class::PipeFull,
            Self::Stopped(_)
            | Self::Unread { .. }
            | Self::Busy(..)
            | Self::Waits
            | Self::NobodyBegins
            | Self::NeedsMore => Class::Waits,
        }
    }

    /// Returns what to do, the most important first.
    pub(crate) fn advice(&self) -> Vec<String> {
        const READ_ONE: &str =
            "read one line at a time, as input() and readline() do, not to the end of the input";
        let in_the_interactor = |what: &str| vec![format!("in the interactor, {what}")];
        match self {
            Self::Stopped(Side::Bot) => vec!["let it read its input from stdin".to_owned()],
            Self::Closed => vec!["keep stdout open until the final answer".to_owned()],
            Self::BothWrite { .. } => vec!["read the answer to each line before printing the next".to_owned()],
            Self::Unfinished(Side::Bot, _) => vec!["print a newline after every line, and flush".to_owned()],
            Self::Unfinished(Side::Interactor, _) => {
                in_the_interactor("print a newline after every line, and flush")
            }
            Self::LateInteractor { is_first: false, .. } => in_the_interactor(FLUSH),
            Self::LateInteractor { is_first: true, .. } => vec![format!(
                "compare who has to write first with the problem's statement; in the interactor, {FLUSH}"
            )],
            Self::Late { reaction: Reaction { flushing: Flushing::EveryLine, line: Some(_), .. }, .. } => vec![
                READ_ONE.to_owned(),
                "in C, use scanf(\"%d\"), not scanf(\"%d\\n\"), which waits for the next character that is no blank"
                    .to_owned(),
            ],
            Self::Late { is_first: true, reaction: Reaction { to: Notice::EndOfInput, flushing, .. } }
                if *flushing != Flushing::EveryLine =>
            {
                vec![FLUSH.to_owned(), READ_ONE.to_owned()]
            }
            Self::Late { is_first: false, reaction: Reaction { to: Notice::EndOfInput, flushing, .. } }
                if *flushing != Flushing::AfterException =>
            {
                vec![
                    FLUSH.to_owned(),
                    "if it flushes every line, it reads one line too many, and then takes the end of its input for that \
                     line"
                        .to_owned(),
                ]
            }
            Self::Late { .. } | Self::Silent => match self.class() {
                Class::NoFlush => vec![FLUSH.to_owned()],
                Class::ReadsTooMuch => vec![READ_ONE.to_owned()],
                _ => vec![FLUSH.to_owned(), READ_ONE.to_owned()],
            },
            Self::Stopped(Side::Interactor) | Self::Unread { side: Side::Interactor, .. } => Vec::new(),
            Self::Unread { activity, .. } | Self::Busy(Side::Bot, activity) => {
                vec![activity.look_for().to_owned()]
            }
            Self::Busy(Side::Interactor, _) => {
                vec!["--idle-limit sets how long both programs may wait".to_owned()]
            }
            Self::Waits => vec![FLUSH.to_owned()],
            Self::LostOrNext => vec![
                "flush the writer after every line, as flush() of PrintWriter, BufferedWriter and System.out in Java, Kotlin \
                 and Scala, Flush() of StreamWriter in C# and of bufio.Writer in Go do"
                    .to_owned(),
                "if it flushes every line, read only as many lines as the interactor writes before it waits".to_owned(),
            ],
            Self::NobodyBegins => vec!["compare who has to write first with the problem's statement".to_owned()],
            Self::BotIsNext => {
                vec!["read only as many lines as the interactor writes before it waits".to_owned()]
            }
            Self::NeedsMore => {
                vec!["compare what the bot has to print with the problem's statement".to_owned()]
            }
        }
    }
}

fn name(side: Side) -> &'static str {
    match side {
        Side::Bot => "the bot",
        Side::Interactor => "the interactor",
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const TO_THE_END: &str =
            "it reads to the end of its input, as sys.stdin.read() and read_to_string do";
        match self {
            Self::Stopped(Side::Bot) => f.write_str(
                "a signal stopped the bot, for instance because it read from the terminal in the background",
            ),
            Self::Stopped(Side::Interactor) => f.write_str("a signal stopped the interactor"),
            Self::Closed => f.write_str("the bot closed its output too early: its next line was expected"),
            Self::BothWrite { bot, interactor } => write!(
                f,
                "both programs write and nobody reads: the bot has not read the last {bot} bytes of the interactor, nor \
                 the interactor the last {interactor} of the bot"
            ),
            Self::Unfinished(side, line) => {
                write!(f, "{} wrote {} without ending the line", name(*side), quoted(line))
            }
            Self::Late { reaction: Reaction { line, to, flushing }, is_first } => {
                let did = match line {
                    Some(line) if *is_first => format!("wrote its first line, {},", quoted(first_line(line))),
                    Some(line) => format!("wrote {}", quoted(first_line(line))),
                    None => "continued".to_owned(),
                };
                match (to, self.class()) {
                    (Notice::LastLine, _) => write!(
                        f,
                        "the bot {did} only after \"-1 -1\": its output was not flushed, and stayed in a buffer"
                    ),
                    (Notice::EndOfInput, _) if *flushing == Flushing::AfterException => write!(
                        f,
                        "the bot's output was in a buffer: when the judge ended its input, it ended with an exception, and \
                         {did} only after that"
                    ),
                    (Notice::EndOfInput, Class::NoFlush) => write!(
                        f,
                        "the bot's next line was in a buffer: it {did} only when the judge ended its input"
                    ),
                    (Notice::EndOfInput, Class::ReadsTooMuch) if line.is_some() => write!(
                        f,
                        "the bot {did} only when the judge ended its input: it writes each line at once, but reads more than \
                         one line before it does"
                    ),
                    (Notice::EndOfInput, Class::ReadsTooMuch) => {
                        write!(f, "the bot {did} only when the judge ended its input: {TO_THE_END}")
                    }
                    (Notice::EndOfInput, _) => write!(
                        f,
                        "the bot {did} only when the judge ended its input: {TO_THE_END}, or its output was in a buffer"
                    ),
                }
            }
            Self::LateInteractor { line, is_first: true } => write!(
                f,
                "the interactor wrote its first line, {}, only when the judge ended its input: it reads before it \
                 writes, or its output was in a buffer",
                quoted(line)
            ),
            Self::LateInteractor { line, is_first: false } => write!(
                f,
                "the interactor's next line was in a buffer: it wrote {} only when the judge ended its input",
                quoted(line)
            ),
            Self::Unread { side: Side::Interactor, bytes, .. } => {
                write!(f, "the interactor has not read the last {bytes} bytes of the bot")
            }
            Self::Unread { is_all: true, activity, .. } => {
                write!(f, "the bot has read nothing of what it was sent; it {activity}")
            }
            Self::Unread { bytes, activity, .. } => {
                write!(f, "the bot has not read the last {bytes} bytes that it was sent; it {activity}")
            }
            Self::Busy(side, activity) => write!(f, "{} does not read, but {activity}", name(*side)),
            Self::Silent => {
                write!(f, "the bot has written nothing: {TO_THE_END}, or its output is not flushed")
            }
            Self::Waits => f.write_str(
                "the bot waits for a line that the judge will not send now, or its output is not flushed",
            ),
            Self::NobodyBegins => f.write_str("each waits for the first line of the other"),
            Self::LostOrNext => f.write_str(
                "the bot has to write next: its line was lost in a buffer when it ended with an exception, or it waits \
                 for another line of the interactor",
            ),
            Self::BotIsNext => {
                f.write_str("the bot has to write next, but waits for another line of the interactor")
            }
            Self::NeedsMore => {
                f.write_str("the interactor has read all lines of the bot and needs more of them")
            }
        }
    }
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

/// Checks whether a program slept for the last quarter of `wall`.
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
    use runner::event::{Bytes, Limit, Usage};
    use runner::limits::DEFAULT_LIMITS;

    use super::*;

    fn report() -> LimitReport {
        LimitReport {
            used: Usage { cpu: Some(Duration::from_millis(40)), ..Usage::default() },
            sleeping: true,
            channel: Some("anon_pipe_read".to_owned()),
            ..LimitReport::new(Limit::Idle)
        }
    }

    /// A stall of a bot that waits for input, and of an interactor that does the same.
    fn stall() -> Stall {
        let last_writer = Some(Side::Bot);
        let (reaction, late_interactor) = Default::default();
        Stall {
            bot: report(),
            interactor: Some(report()),
            last_writer,
            sent: 10,
            reaction,
            late_interactor,
            loses_output: false,
        }
    }

    fn in_a_game() -> Stall {
        Stall { interactor: None, last_writer: None, ..stall() }
    }

    fn cause(stall: &Stall, has_written: bool) -> Cause {
        let bot = BotFacts {
            seat: None,
            limits: DEFAULT_LIMITS,
            used: Usage::default(),
            exit: None,
            is_killed: false,
            has_closed: false,
            has_written,
            late_limit: None,
            extra: Vec::new(),
        };
        Cause::of(stall, &bot)
    }

    fn late(line: Option<&str>, to: Notice) -> Reaction {
        Reaction { line: line.map(|line| line.as_bytes().to_vec()), to, flushing: Flushing::Unknown }
    }

    fn unread(unread: usize) -> LimitReport {
        LimitReport { unread, ..report() }
    }

    fn doing(channel: &str) -> LimitReport {
        LimitReport { channel: Some(channel.to_owned()), ..report() }
    }

    /// Checks the class of each stall, and words of its text.
    fn check(stalls: Vec<(Stall, bool, Class, &str)>) {
        for (stall, has_written, class, words) in stalls {
            let cause = cause(&stall, has_written);
            let text = cause.to_string();
            assert!(cause.class() == class && text.contains(words), "{words}: {:?} {text}", cause.class());
            let is_bots = class.verdict() == Class::Waits.verdict();
            assert!(!is_bots || !cause.advice().is_empty(), "{text}");
        }
    }

    /// An exception shows that the output is flushed in Python, and that it may be lost in other languages.
    #[test]
    fn output_that_is_lost() {
        let stall = Stall { last_writer: Some(Side::Interactor), loses_output: true, ..stall() };
        let cause = cause(&stall, true);
        assert_eq!((cause.class(), &cause), (Class::NoFlushOrReadsTooMuch, &Cause::LostOrNext));
    }

    #[test]
    fn a_line_after_an_exception() {
        let crashed =
            Reaction { flushing: Flushing::AfterException, ..late(Some("? 750"), Notice::EndOfInput) };
        for (has_written, words) in
            [(false, "wrote its first line, \"? 750\", only"), (true, "wrote \"? 750\" only")]
        {
            let stall = Stall { reaction: Some(crashed.clone()), ..stall() };
            check(vec![(stall, has_written, Class::NoFlush, words)]);
        }
    }

    #[test]
    fn who_waits_and_why() {
        let unfinished = |line: &str| LimitReport { unfinished: Bytes(line.into()), ..report() };
        let stopped = || LimitReport { stopped: true, ..report() };
        let sleeping = || doing("hrtimer_nanosleep");
        let eof = |line| Some(late(Some(line), Notice::EndOfInput));
        let written = |text: &str| text.as_bytes().to_vec();
        check(vec![
            (Stall { bot: stopped(), ..stall() }, true, Class::Waits, "a signal stopped the bot"),
            (
                Stall { interactor: Some(stopped()), ..stall() },
                true,
                Class::InteractorLimit,
                "a signal stopped the interactor",
            ),
            (
                Stall { bot: unread(7), interactor: Some(unread(8)), ..stall() },
                true,
                Class::BothWrite,
                "both programs write and nobody reads: the bot has not read the last 7 bytes of the interactor, nor the \
                 interactor the last 8 of the bot",
            ),
            (
                Stall { interactor: Some(unfinished("8")), reaction: eof("? 4"), ..stall() },
                true,
                Class::InteractorNoFlush,
                "the interactor wrote \"8\" without ending the line",
            ),
            (
                Stall { reaction: eof("? 750\n"), ..stall() },
                true,
                Class::NoFlush,
                "next line was in a buffer: it wrote \"? 750\" only when the judge ended its input",
            ),
            (
                Stall { reaction: eof("? 750\n"), ..stall() },
                false,
                Class::NoFlushOrReadsTooMuch,
                "wrote its first line, \"? 750\", only when the judge ended its input: it reads to the end",
            ),
            (
                Stall { interactor: Some(unread(7)), ..stall() },
                true,
                Class::InteractorLimit,
                "the interactor has not read the last 7 bytes",
            ),
            (
                Stall { bot: unread(7), ..stall() },
                true,
                Class::Waits,
                "the bot has not read the last 7 bytes",
            ),
            (
                Stall { bot: LimitReport { unread: 7, ..sleeping() }, ..stall() },
                true,
                Class::Sleeps,
                "sleeping for a set time",
            ),
            (
                Stall { bot: sleeping(), ..stall() },
                true,
                Class::Sleeps,
                "the bot does not read, but is sleeping",
            ),
            (
                Stall { interactor: Some(sleeping()), ..stall() },
                true,
                Class::InteractorLimit,
                "the interactor does not read, but is sleeping",
            ),
            (
                Stall { last_writer: None, ..stall() },
                false,
                Class::Waits,
                "each waits for the first line of the other",
            ),
            (
                Stall { last_writer: Some(Side::Interactor), ..stall() },
                true,
                Class::ReadsTooMuch,
                "the bot has to write next",
            ),
            (stall(), true, Class::Waits, "needs more of them"),
            (Stall { late_interactor: written("-1\n"), ..stall() }, true, Class::Waits, "needs more of them"),
            (
                Stall { late_interactor: written("<\n"), ..stall() },
                true,
                Class::InteractorNoFlush,
                "the interactor's next line was in a buffer: it wrote \"<\"",
            ),
            (
                Stall { last_writer: None, late_interactor: written("8\n"), ..stall() },
                false,
                Class::InteractorNoFlush,
                "it reads before it writes, or its output was in a buffer",
            ),
        ]);
    }

    #[test]
    fn why_a_bot_waits_in_a_game() {
        let react = |line, to| Some(late(line, to));
        let flushed = Some(Reaction { flushing: Flushing::EveryLine, ..late(None, Notice::EndOfInput) });
        check(vec![
            (
                Stall { bot: LimitReport { unfinished: Bytes("? 7".into()), ..report() }, ..in_a_game() },
                true,
                Class::NoFlush,
                "\"? 7\" without ending",
            ),
            (
                Stall { bot: doing("futex_do_wait"), ..in_a_game() },
                true,
                Class::Waits,
                "is waiting for another of its threads",
            ),
            (
                Stall { bot: unread(70_000), ..in_a_game() },
                true,
                Class::PipeFull,
                "read nothing of what it was sent",
            ),
            (
                Stall { bot: unread(60 << 10), sent: 60 << 10, ..stall() },
                true,
                Class::PipeFull,
                "read nothing of what it was sent",
            ),
            (
                Stall { reaction: react(Some("First"), Notice::LastLine), ..in_a_game() },
                false,
                Class::NoFlush,
                "\"First\", only after \"-1 -1\": its output was not flushed",
            ),
            (
                Stall { reaction: react(None, Notice::EndOfInput), ..in_a_game() },
                false,
                Class::NoFlushOrReadsTooMuch,
                "the bot continued only when the judge ended its input: it reads to the end",
            ),
            (
                Stall { reaction: flushed, ..in_a_game() },
                false,
                Class::ReadsTooMuch,
                "as sys.stdin.read() and read_to_string do",
            ),
            (in_a_game(), false, Class::NoFlushOrReadsTooMuch, "the bot has written nothing"),
            (
                Stall { reaction: react(None, Notice::LastLine), ..in_a_game() },
                true,
                Class::Waits,
                "waits for a line that the judge will not send now",
            ),
        ]);
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
