//! A diagnosis of a bot that did not answer: what it was doing when its time was used up, and the likely cause.

use std::fmt;
use std::time::Duration;

use zeroxor::wire::quoted;

use crate::referee::event::LimitReport;
use crate::referee::game_state::IoStats;

/// The evidence for what a bot was doing when its time was used up.
pub(crate) struct StallDiagnosis<'a> {
    pub(crate) report: &'a LimitReport,
    pub(crate) io: &'a IoStats,
}

impl StallDiagnosis<'_> {
    /// Whether the bot was idle and not computing: it slept at the end, and either slept for the last quarter of
    /// this time or used less than a quarter of it as CPU time.
    pub(crate) fn is_idle(&self, time: Duration) -> bool {
        let LimitReport { sleeping, quiet, used, .. } = self.report;
        *sleeping && used.cpu.is_some_and(|cpu| *quiet >= time / 4 || cpu < time / 4)
    }

    /// The likely cause.
    pub(crate) fn cause(&self) -> String {
        if self.report.stopped {
            return "a signal stopped it, for instance because it read from the terminal in the background"
                .to_owned();
        }
        if !self.report.unfinished.0.is_empty() {
            let unfinished = quoted(&self.report.unfinished.0);
            return format!(
                "it has printed {unfinished} without ending the line: print a newline, and flush"
            );
        }
        if self.report.unread > 0 {
            return format!("it has not read the last {} bytes that the judge sent", self.report.unread);
        }
        let flush = "is its output flushed after every line";
        if self.io.received == 0 {
            format!("{flush}?")
        } else {
            format!("{flush}, or does it wait for a line that the judge does not send here?")
        }
    }
}

impl fmt::Display for StallDiagnosis<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { report, io } = self;
        if let Some(cpu) = report.used.cpu {
            write!(f, "it used {:.2} s of CPU", cpu.as_secs_f64())?;
            if report.sleeping {
                f.write_str(" and sleeps")?;
            }
            if let Some(channel) = report.channel.as_ref().filter(|_| report.sleeping) {
                write!(f, " in {channel}")?;
            }
            f.write_str("; ")?;
        }
        write!(f, "the judge sent {} bytes (last line: {}) ", io.sent, quoted(&io.last_sent))?;
        let received = io.received + report.unfinished.0.len();
        if received == 0 {
            f.write_str("and received none")
        } else {
            write!(f, "and received {received} (last line: {})", quoted(&io.last_received))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::event::{Bytes, Limit, Usage};

    fn report() -> LimitReport {
        LimitReport {
            limit: Limit::Wall,
            used: Usage { cpu: Some(Duration::from_millis(40)), ..Usage::default() },
            sleeping: true,
            stopped: false,
            quiet: Duration::ZERO,
            channel: Some("pipe_read".to_owned()),
            unread: 0,
            unfinished: Bytes::default(),
        }
    }

    fn io() -> IoStats {
        IoStats { sent: 10, last_sent: b"1 1".to_vec(), received: 6, last_received: b"First".to_vec() }
    }

    #[test]
    fn evidence_as_text() {
        let words = |report: &LimitReport, io: &IoStats| StallDiagnosis { report, io }.to_string();
        assert_eq!(
            words(&report(), &io()),
            "it used 0.04 s of CPU and sleeps in pipe_read; the judge sent 10 bytes (last line: \"1 1\") and received 6 \
             (last line: \"First\")"
        );
        let unknown = LimitReport { used: Usage::default(), ..report() };
        assert_eq!(
            words(&unknown, &IoStats { received: 0, ..io() }),
            "the judge sent 10 bytes (last line: \"1 1\") and received none"
        );
    }

    #[test]
    fn each_cause_from_its_evidence() {
        let cause = |report: &LimitReport, io: &IoStats| StallDiagnosis { report, io }.cause();
        let waits = cause(&report(), &io());
        assert!(waits.contains("does it wait for a line that the judge does not send"), "{waits}");
        let silent = IoStats { received: 0, ..io() };
        assert_eq!(cause(&report(), &silent), "is its output flushed after every line?");
        let stopped = LimitReport { stopped: true, ..report() };
        assert!(cause(&stopped, &io()).starts_with("a signal stopped it"));
        let unread = LimitReport { unread: 7, ..report() };
        assert_eq!(cause(&unread, &io()), "it has not read the last 7 bytes that the judge sent");
        let unfinished = LimitReport { unfinished: Bytes(b"3 2".to_vec()), ..report() };
        assert!(cause(&unfinished, &io()).contains("has printed \"3 2\" without"));
    }

    #[test]
    fn only_a_sleeping_bot_that_has_used_little_cpu_time_is_idle() {
        let time = Duration::from_secs(1);
        let idle = |cpu, quiet, sleeping| {
            let report = LimitReport { used: Usage { cpu, ..Usage::default() }, quiet, sleeping, ..report() };
            StallDiagnosis { report: &report, io: &io() }.is_idle(time)
        };
        assert!(idle(Some(time / 100), time, true));
        assert!(idle(Some(time / 100), time / 10, true), "it slept before each of its lines");
        assert!(idle(Some(time / 2), time / 2, true), "it computed, and then waited for a long time");
        assert!(!idle(Some(time / 2), time / 10, true), "it computed, and then waited for a short time");
        assert!(!idle(Some(time / 100), time, false), "it was just given a processor");
        assert!(!idle(None, time, true), "nothing is known of it");
    }
}
