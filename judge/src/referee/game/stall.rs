//! Diagnoses a bot that did not answer: its state when its time was used up, and the likely cause.

use std::fmt;
use std::time::Duration;

use runner::activity::{Activity, FLUSH};
use runner::event::LimitReport;
use zeroxor::wire::quoted;

use crate::units::measured;

/// The late reaction of a bot that waited: the bot printed something or exited after its time was up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LateReaction<'a> {
    /// The line that the bot printed, if it printed one.
    pub(crate) line: Option<&'a [u8]>,
    /// Whether the bot reacted only when the judge closed its input, and not yet when it received `-1 -1`.
    pub(crate) at_end_of_input: bool,
    /// Whether the bot's output is known to be flushed. It is if the bot ended with a Python traceback, because Python
    /// then flushes its output.
    pub(crate) is_flushed: bool,
}

/// Why a bot did not answer, and what to do about it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct StallCause {
    pub(crate) why: String,
    pub(crate) advice: String,
}

impl StallCause {
    fn new(why: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { why: why.into(), advice: advice.into() }
    }
}

/// What is known about a bot that did not answer. [`StallDiagnosis::cause`] derives the likely cause.
pub(crate) struct StallDiagnosis<'a> {
    pub(crate) report: &'a LimitReport,
    pub(crate) io: &'a IoStats,
    pub(crate) late: Option<LateReaction<'a>>,
}

impl StallDiagnosis<'_> {
    /// Checks whether the bot was idle and not computing: it slept at the end, and either slept for the last quarter
    /// of `time` or used less than a quarter of `time` as CPU time.
    pub(crate) fn is_idle(&self, time: Duration) -> bool {
        let LimitReport { sleeping, used, .. } = self.report;
        *sleeping && used.cpu.is_some_and(|cpu| self.is_quiet(time) || cpu < time / 4)
    }

    /// Checks whether the bot slept for the last quarter of `time`.
    pub(crate) fn is_quiet(&self, time: Duration) -> bool {
        self.report.sleeping && self.report.quiet >= time / 4
    }

    /// Returns the bot's activity.
    pub(crate) fn activity(&self) -> Activity {
        Activity::of(self.report.channel.as_deref())
    }

    /// Checks whether the bot may be waiting for input although it has read everything that the judge sent. If so, the
    /// judge closes the bot's input, and the bot's reaction shows why it waits.
    pub(crate) fn is_waiting_for_input(&self) -> bool {
        let LimitReport { sleeping, stopped, unread, unfinished, .. } = self.report;
        let may_read = matches!(self.activity(), Activity::Input | Activity::Event | Activity::Unknown);
        *sleeping && !stopped && *unread == 0 && unfinished.0.is_empty() && may_read
    }

    /// Returns the likely cause. A text that names two causes begins with the likelier one.
    pub(crate) fn cause(&self) -> StallCause {
        let LimitReport { stopped, unread, unfinished, .. } = self.report;
        if *stopped {
            let why = "a signal stopped it, for instance because it read from the terminal in the background";
            return StallCause::new(why, "let it read its input from stdin");
        }
        if !unfinished.0.is_empty() {
            let why = format!("it has printed {} without ending the line", quoted(&unfinished.0));
            return StallCause::new(why, "print a newline after every line, and flush");
        }
        if *unread > 0 {
            let why = if *unread >= self.io.sent {
                "it has read nothing of what the judge sent".to_owned()
            } else {
                format!("it has not read the last {unread} bytes that the judge sent")
            };
            return StallCause::new(
                why,
                format!("{}, and read every line of the judge", self.activity().look_for()),
            );
        }
        match self.activity() {
            Activity::Input | Activity::Event | Activity::Unknown => self.cause_of_waiting(),
            activity => StallCause::new(format!("it {activity}"), activity.look_for()),
        }
    }

    /// Returns the likely cause for a bot that waits although it has read everything that the judge sent.
    fn cause_of_waiting(&self) -> StallCause {
        const TO_THE_END: &str = "to the end of its input, as sys.stdin.read() and read_to_string do";
        const READ_ONE: &str = "read one line at a time, as input() and readline() do";
        const READ_LINES: &str =
            "read one line at a time, as input() and readline() do, and flush stdout after every line";
        let printed = self.late.and_then(|late| late.line).map(|line| format!("printed {}", quoted(line)));
        match self.late {
            Some(late) if self.io.received == 0 || late.line.is_some() => {
                let what = printed.as_deref().unwrap_or("continued");
                if late.at_end_of_input && late.is_flushed && printed.is_none() {
                    let why = format!("it {what} only when its input ended: it reads {TO_THE_END}");
                    StallCause::new(why, READ_ONE)
                } else if late.at_end_of_input {
                    let why = format!(
                        "it {what} only when its input ended: it reads {TO_THE_END}, or its output is not flushed"
                    );
                    StallCause::new(why, READ_LINES)
                } else {
                    let why = format!(
                        "it {what} only after \"-1 -1\": its output was not flushed, and stayed in a buffer"
                    );
                    StallCause::new(why, FLUSH)
                }
            }
            None if self.io.received == 0 => {
                let why =
                    format!("it has printed nothing: it reads {TO_THE_END}, or its output is not flushed");
                StallCause::new(why, READ_LINES)
            }
            _ => StallCause::new(
                "it waits for a line that the judge will not send now, or its output is not flushed",
                FLUSH,
            ),
        }
    }
}

impl fmt::Display for StallDiagnosis<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { report, io, .. } = self;
        if let Some(cpu) = report.used.cpu {
            write!(f, "it used {} of CPU; ", measured(cpu))?;
        }
        write!(f, "the judge sent {} bytes (last line: {}) ", io.sent, quoted(&io.last_sent))?;
        let received = io.received + report.unfinished.0.len();
        if received == 0 {
            f.write_str("and received none")
        } else if io.received == 0 {
            // Only the beginning of a line was received.
            write!(f, "and received {received}")
        } else {
            write!(f, "and received {received} (last line: {})", quoted(&io.last_received))
        }
    }
}

/// The number of bytes that the judge has sent and received in a game, and the last line in each direction.
#[derive(Clone, Debug, Default)]
pub(crate) struct IoStats {
    /// Number of bytes that the judge has sent.
    pub(crate) sent: usize,
    pub(crate) last_sent: Vec<u8>,
    /// Number of bytes that the judge has received.
    pub(crate) received: usize,
    pub(crate) last_received: Vec<u8>,
    /// Number of lines that the judge has received.
    pub(crate) received_lines: u64,
}

#[cfg(test)]
mod tests {
    use runner::event::{Bytes, Limit, Usage};

    use super::*;

    fn report() -> LimitReport {
        LimitReport {
            limit: Limit::Wall,
            used: Usage { cpu: Some(Duration::from_millis(40)), ..Usage::default() },
            sleeping: true,
            stopped: false,
            quiet: Duration::ZERO,
            channel: Some("anon_pipe_read".to_owned()),
            unread: 0,
            unfinished: Bytes::default(),
        }
    }

    fn io() -> IoStats {
        IoStats {
            sent: 10,
            last_sent: b"1 1".to_vec(),
            received: 6,
            last_received: b"First".to_vec(),
            received_lines: 1,
        }
    }

    #[test]
    fn evidence_as_text() {
        let words =
            |report: &LimitReport, io: &IoStats| StallDiagnosis { report, io, late: None }.to_string();
        assert_eq!(
            words(&report(), &io()),
            "it used 40.0 ms of CPU; the judge sent 10 bytes (last line: \"1 1\") and received 6 (last line: \"First\")"
        );
        let unknown = LimitReport { used: Usage::default(), ..report() };
        assert_eq!(
            words(&unknown, &IoStats { received: 0, ..io() }),
            "the judge sent 10 bytes (last line: \"1 1\") and received none"
        );
    }

    #[test]
    fn activities() {
        for (channel, words) in [
            ("anon_pipe_read", "is waiting for input"),
            ("pipe_wait", "is waiting for input"),
            ("hrtimer_nanosleep", "is sleeping for a set time"),
            ("do_epoll_wait", "is waiting for input or another event"),
            ("ep_poll", "is waiting for input or another event"),
            ("futex_do_wait", "is waiting for another of its threads"),
            ("no_such_function", "is sleeping"),
        ] {
            assert_eq!(Activity::of(Some(channel)).to_string(), words, "{channel}");
        }
        let threads = ["futex_do_wait", "anon_pipe_read", "do_epoll_wait"];
        assert_eq!(threads.iter().map(|name| Activity::of(Some(name))).min(), Some(Activity::Input));
    }

    #[test]
    fn each_cause_from_its_evidence() {
        let cause =
            |report: &LimitReport, io: &IoStats| StallDiagnosis { report, io, late: None }.cause().why;
        let waits = cause(&report(), &io());
        assert!(waits.starts_with("it waits for a line that the judge will not send"), "{waits}");
        let stopped = LimitReport { stopped: true, ..report() };
        assert!(cause(&stopped, &io()).starts_with("a signal stopped it"));
        let unread = LimitReport { unread: 7, ..report() };
        assert_eq!(cause(&unread, &io()), "it has not read the last 7 bytes that the judge sent");
        let nothing = LimitReport { unread: 10, ..report() };
        assert_eq!(cause(&nothing, &io()), "it has read nothing of what the judge sent");
        let unfinished = LimitReport { unfinished: Bytes(b"3 2".to_vec()), ..report() };
        assert!(cause(&unfinished, &io()).contains("has printed \"3 2\" without"));
        let timer = LimitReport { channel: Some("hrtimer_nanosleep".to_owned()), ..report() };
        assert_eq!(cause(&timer, &io()), "it is sleeping for a set time");
        let advice = StallDiagnosis { report: &timer, io: &io(), late: None }.cause().advice;
        assert_eq!(advice, "look for a call to sleep");
    }

    /// Checks that late output shows whether a bot reads to the end of its input or does not flush, and that both
    /// causes are reported without late output.
    #[test]
    fn a_bot_that_waits_after_reading_all_input() {
        let silent = IoStats { received: 0, ..io() };
        let cause = |at_end_of_input: Option<bool>| {
            let line = Some(b"First".as_slice());
            let late = at_end_of_input.map(|at_end_of_input| LateReaction {
                line,
                at_end_of_input,
                is_flushed: false,
            });
            StallDiagnosis { report: &report(), io: &silent, late }.cause().why
        };
        let crashed = Some(LateReaction { line: None, at_end_of_input: true, is_flushed: false });
        let crashed = StallDiagnosis { report: &report(), io: &silent, late: crashed }.cause().why;
        assert!(
            crashed.starts_with("it continued only when its input ended: it reads to the end"),
            "{crashed}"
        );
        let traceback = Some(LateReaction { line: None, at_end_of_input: true, is_flushed: true });
        let traceback = StallDiagnosis { report: &report(), io: &silent, late: traceback }.cause();
        assert!(traceback.why.ends_with("as sys.stdin.read() and read_to_string do"), "{traceback:?}");
        assert!(!traceback.advice.contains("flush"), "{traceback:?}");
        let had_answered = Some(LateReaction { line: None, at_end_of_input: false, is_flushed: false });
        let had_answered = StallDiagnosis { report: &report(), io: &io(), late: had_answered }.cause().why;
        assert!(had_answered.starts_with("it waits for a line"), "{had_answered}");
        let unflushed = cause(Some(false));
        assert!(
            unflushed.starts_with("it printed \"First\" only after \"-1 -1\": its output was not flushed"),
            "{unflushed}"
        );
        for cause in [cause(Some(true)), cause(None)] {
            let places = ["sys.stdin.read()", "flushed"].map(|word| cause.find(word).expect("both causes"));
            assert!(places.is_sorted(), "{cause}");
        }
    }

    #[test]
    fn which_bots_are_idle() {
        let time = Duration::from_secs(1);
        let idle = |cpu, quiet, sleeping| {
            let report = LimitReport { used: Usage { cpu, ..Usage::default() }, quiet, sleeping, ..report() };
            StallDiagnosis { report: &report, io: &io(), late: None }.is_idle(time)
        };
        assert!(idle(Some(time / 100), time, true));
        assert!(idle(Some(time / 100), time / 10, true), "it slept before each of its lines");
        assert!(idle(Some(time / 2), time / 2, true), "it computed, and then waited for a long time");
        assert!(!idle(Some(time / 2), time / 10, true), "it computed, and then waited for a short time");
        assert!(!idle(Some(time / 100), time, false), "it was running");
        assert!(!idle(None, time, true), "its CPU time is unknown");
    }
}
