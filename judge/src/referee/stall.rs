//! What a bot was doing when its time was up: the words for the evidence behind a verdict of idleness.

use std::fmt;
use std::time::Duration;

use zeroxor::wire::quoted;

use crate::referee::event::Standing;
use crate::referee::game_state::Traffic;

/// The evidence.
pub(crate) struct Idleness<'a> {
    pub(crate) standing: &'a Standing,
    pub(crate) traffic: &'a Traffic,
}

impl Idleness<'_> {
    /// Whether the bot sleeps, and did for a good part of that time at the end or all together: it was not
    /// computing.
    pub(crate) fn is_idle(&self, time: Duration) -> bool {
        let Standing { sleeping, quiet, used, .. } = self.standing;
        *sleeping && used.cpu.is_some_and(|cpu| *quiet >= time / 4 || cpu < time / 4)
    }

    /// Why the bot most likely waits.
    pub(crate) fn cause(&self) -> String {
        if self.standing.stopped {
            return "it is stopped by a signal, as a program that reads from the terminal in the background is"
                .to_owned();
        }
        if !self.standing.unfinished.0.is_empty() {
            let unfinished = quoted(&self.standing.unfinished.0);
            return format!(
                "it has printed {unfinished} without ending the line: print a newline, and flush"
            );
        }
        if self.standing.unread > 0 {
            return format!("it has not read the last {} bytes", self.standing.unread);
        }
        let flush = "is its output flushed after every line";
        if self.traffic.received == 0 {
            format!("{flush}?")
        } else {
            format!("{flush}, or does it wait for a line that the judge does not send here?")
        }
    }
}

impl fmt::Display for Idleness<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { standing, traffic } = self;
        if let Some(cpu) = standing.used.cpu {
            write!(f, "it used {:.2} s of CPU", cpu.as_secs_f64())?;
            if standing.sleeping {
                f.write_str(" and sleeps")?;
            }
            if let Some(channel) = standing.channel.as_ref().filter(|_| standing.sleeping) {
                write!(f, " in {channel}")?;
            }
            f.write_str("; ")?;
        }
        write!(f, "the judge sent {} bytes, {} last, ", traffic.sent, quoted(&traffic.last_sent))?;
        let received = traffic.received + standing.unfinished.0.len();
        if received == 0 {
            f.write_str("and got none")
        } else {
            write!(f, "and got {received}, {} last", quoted(&traffic.last_received))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::event::{Bytes, Limit, Usage};

    fn standing() -> Standing {
        Standing {
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

    fn traffic() -> Traffic {
        Traffic { sent: 10, last_sent: b"1 1".to_vec(), received: 6, last_received: b"First".to_vec() }
    }

    #[test]
    fn the_evidence_in_words() {
        let words = |standing: &Standing, traffic: &Traffic| Idleness { standing, traffic }.to_string();
        assert_eq!(
            words(&standing(), &traffic()),
            "it used 0.04 s of CPU and sleeps in pipe_read; the judge sent 10 bytes, \"1 1\" last, and got 6, \"First\" last"
        );
        let unknown = Standing { used: Usage::default(), ..standing() };
        assert_eq!(
            words(&unknown, &Traffic { received: 0, ..traffic() }),
            "the judge sent 10 bytes, \"1 1\" last, and got none"
        );
    }

    #[test]
    fn each_cause_from_its_evidence() {
        let cause = |standing: &Standing, traffic: &Traffic| Idleness { standing, traffic }.cause();
        let waits = cause(&standing(), &traffic());
        assert!(waits.contains("does it wait for a line that the judge does not send"), "{waits}");
        let silent = Traffic { received: 0, ..traffic() };
        assert_eq!(cause(&standing(), &silent), "is its output flushed after every line?");
        let stopped = Standing { stopped: true, ..standing() };
        assert!(cause(&stopped, &traffic()).starts_with("it is stopped by a signal"));
        let unread = Standing { unread: 7, ..standing() };
        assert_eq!(cause(&unread, &traffic()), "it has not read the last 7 bytes");
        let unfinished = Standing { unfinished: Bytes(b"3 2".to_vec()), ..standing() };
        assert!(cause(&unfinished, &traffic()).contains("has printed \"3 2\" without"));
    }

    #[test]
    fn only_a_sleeper_without_cpu_time_is_idle() {
        let time = Duration::from_secs(1);
        let idle = |cpu, quiet, sleeping| {
            let standing =
                Standing { used: Usage { cpu, ..Usage::default() }, quiet, sleeping, ..standing() };
            Idleness { standing: &standing, traffic: &traffic() }.is_idle(time)
        };
        assert!(idle(Some(time / 100), time, true));
        assert!(idle(Some(time / 100), time / 10, true), "it has slept before each of its lines");
        assert!(idle(Some(time / 2), time / 2, true), "it has computed, and then waited for long");
        assert!(!idle(Some(time / 2), time / 10, true), "it has computed, and then waited");
        assert!(!idle(Some(time / 100), time, false), "it has only just been given a processor");
        assert!(!idle(None, time, true), "nothing is known of it");
    }
}
