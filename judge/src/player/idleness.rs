//! What a bot was doing when its time was up: the evidence behind a verdict of idleness.

use std::fmt;
use std::time::Duration;

use rustix::process::Pid;
use zeroxor::quote;

/// The state of a bot and of its pipes when no line had come in time.
#[derive(Debug)]
pub(crate) struct Idleness {
    /// What the system tells of the process.
    pub(crate) process: Option<Sleep>,
    /// How many bytes the judge has written to the bot, and the last line of them.
    pub(crate) sent: usize,
    pub(crate) last_sent: String,
    /// How many of them wait because the pipe is full.
    pub(crate) unread: usize,
    /// How many bytes have come, the last line of them, and what came behind it without a line end.
    pub(crate) received: usize,
    pub(crate) last_received: Vec<u8>,
    pub(crate) unfinished: Vec<u8>,
}

/// What a process has done with its time, and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Sleep {
    /// Its CPU time so far, that of children it has waited for included.
    pub(crate) cpu: Duration,
    /// Whether it sleeps, and in which function of the kernel if that can be told.
    pub(crate) sleeping: bool,
    pub(crate) channel: Option<String>,
}

impl Sleep {
    /// A look at a process, as far as the system tells.
    #[cfg(target_os = "linux")]
    pub(crate) fn of(pid: Pid) -> Option<Self> {
        let process = procfs::process::Process::new(pid.as_raw_nonzero().get()).ok()?;
        let stat = process.stat().ok()?;
        let children = u64::try_from(stat.cutime + stat.cstime).unwrap_or(0);
        let ticks = stat.utime + stat.stime + children;
        let channel = process.wchan().ok().filter(|channel| !matches!(channel.as_str(), "" | "0"));
        Some(Self {
            cpu: Duration::from_secs(ticks) / u32::try_from(procfs::ticks_per_second()).ok()?,
            sleeping: stat.state == 'S',
            channel,
        })
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn of(_pid: Pid) -> Option<Self> {
        None
    }
}

impl Idleness {
    /// Whether the bot has used next to no CPU in that time: it was not computing.
    pub(crate) fn is_idle(&self, time: Duration) -> bool {
        self.process.as_ref().is_some_and(|process| process.sleeping && process.cpu < time / 4)
    }

    /// Why the bot most likely waits.
    pub(crate) fn cause(&self) -> String {
        if !self.unfinished.is_empty() {
            let unfinished = quote(&self.unfinished);
            return format!(
                "it has printed {unfinished} without ending the line: print a newline, and flush"
            );
        }
        if self.unread > 0 {
            return format!("it has not read the last {} bytes", self.unread);
        }
        let flush = "is its output flushed after every line";
        if self.received == 0 {
            format!("{flush}?")
        } else {
            format!("{flush}, or does it wait for a line that the judge does not send here?")
        }
    }
}

impl fmt::Display for Idleness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(process) = &self.process {
            write!(f, "it used {:.2} s of CPU", process.cpu.as_secs_f64())?;
            if process.sleeping {
                f.write_str(" and sleeps")?;
            }
            if let Some(channel) = process.channel.as_ref().filter(|_| process.sleeping) {
                write!(f, " in {channel}")?;
            }
            f.write_str("; ")?;
        }
        write!(f, "the judge sent {} bytes, {} last, ", self.sent, quote(self.last_sent.as_bytes()))?;
        if self.received == 0 {
            f.write_str("and got none")
        } else {
            write!(f, "and got {}, {} last", self.received, quote(&self.last_received))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn idleness() -> Idleness {
        Idleness {
            process: Some(Sleep {
                cpu: Duration::from_millis(40),
                sleeping: true,
                channel: Some("pipe_read".to_owned()),
            }),
            sent: 10,
            last_sent: "1 1".to_owned(),
            unread: 0,
            received: 6,
            last_received: b"First".to_vec(),
            unfinished: Vec::new(),
        }
    }

    #[test]
    fn the_evidence_in_words() {
        let said = "it used 0.04 s of CPU and sleeps in pipe_read; the judge sent 10 bytes, \"1 1\" last, and got 6, \"First\" last";
        assert_eq!(idleness().to_string(), said);
        let unknown = Idleness { process: None, received: 0, ..idleness() };
        assert_eq!(unknown.to_string(), "the judge sent 10 bytes, \"1 1\" last, and got none");
    }

    #[test]
    fn each_cause_from_its_evidence() {
        assert!(idleness().cause().contains("does it wait for a line that the judge does not send"));
        assert_eq!(Idleness { received: 0, ..idleness() }.cause(), "is its output flushed after every line?");
        assert!(Idleness { unread: 7, ..idleness() }.cause().contains("has not read the last 7 bytes"));
        assert!(
            Idleness { unfinished: b"3 2".to_vec(), ..idleness() }
                .cause()
                .contains("has printed \"3 2\" without")
        );
    }

    #[test]
    fn only_a_sleeper_without_cpu_time_is_idle() {
        let time = Duration::from_secs(1);
        assert!(idleness().is_idle(time));
        let with =
            |cpu, sleeping| Idleness { process: Some(Sleep { cpu, sleeping, channel: None }), ..idleness() };
        assert!(!with(time / 2, true).is_idle(time), "it has computed, and then waited");
        assert!(!with(time / 100, false).is_idle(time), "it has only just been given a processor");
        assert!(!Idleness { process: None, ..idleness() }.is_idle(time));
    }
}
