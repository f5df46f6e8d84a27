//! The events of a game: everything that the judge observes. The referee computes the game state from the events, and
//! a transcript stores them.

use std::fmt;
use std::time::{Duration, Instant};

use itertools::Itertools;
use nix::sys::signal::Signal;
use rustix::process::WaitIdStatus;
use serde::{Deserialize, Serialize};

use crate::limits::Limits;
use crate::nanos;
use crate::stderr_excerpt::Omitted;

#[derive(Debug)]
pub struct TimedEvent {
    pub at: Instant,
    pub event: Event,
}

impl TimedEvent {
    pub fn now(event: Event) -> Self {
        Self { at: Instant::now(), event }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The judge sent a line, including its LF.
    Sent(Bytes),
    /// The judge received a line from the bot, including its LF. Only the last line of the output may have no LF.
    Received(Bytes),
    Stderr(Bytes),
    /// The bot wrote more to stderr than the judge keeps.
    StderrOmitted(Omitted),
    Closed,
    /// The bot's process ended by itself. All its recorded output came before its end.
    Exited(Exit),
    Limit(LimitReport),
    /// The judge closed the input of a bot that waits for input, to see what the bot prints then.
    InputEnded,
    /// The bot did not end within its grace time. The value says what the bot was doing.
    StillRunning(StillRunning),
    Killed,
    /// The usage so far of the bot and of all processes that it started.
    Used(Usage),
    /// The opponent, another bot, has ended its own game for a reason other than having no move left. Its verdict has
    /// another name in JSON, because `verdict` marks the result of a game there.
    Forfeited {
        #[serde(rename = "opponent_verdict")]
        verdict: String,
    },
    Interrupted,
    Failed {
        why: String,
    },
}

/// Bytes, which may be text of any encoding. In JSON they are `"text"` if they are UTF-8 without control bytes other
/// than LF, CR and TAB, else `"hex"`. In both forms a byte needs at most two bytes of JSON; JSON's own escape of a
/// control byte would need six.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "EncodedBytes", try_from = "EncodedBytes")]
pub struct Bytes(pub Vec<u8>);

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum EncodedBytes {
    Text(String),
    Hex(String),
}

impl From<Bytes> for EncodedBytes {
    fn from(Bytes(bytes): Bytes) -> Self {
        let hex = |bytes: &[u8]| Self::Hex(format!("{:02x}", bytes.iter().format("")));
        if bytes.iter().any(|byte| *byte < b' ' && !matches!(byte, b'\n' | b'\r' | b'\t')) {
            return hex(&bytes);
        }
        String::from_utf8(bytes).map_or_else(|error| hex(error.as_bytes()), Self::Text)
    }
}

impl TryFrom<EncodedBytes> for Bytes {
    type Error = &'static str;

    fn try_from(encoded: EncodedBytes) -> Result<Self, Self::Error> {
        let hex = match encoded {
            EncodedBytes::Text(text) => return Ok(Self(text.into_bytes())),
            EncodedBytes::Hex(hex) => hex,
        };
        let digit = |digit: &u8| char::from(*digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        let byte = |pair: &[u8]| Some(digit(pair.first()?)? << 4 | digit(pair.get(1)?)?);
        let bytes: Option<Vec<u8>> = hex.as_bytes().chunks(2).map(byte).collect();
        bytes.map(Self).ok_or("expected pairs of hex digits")
    }
}

/// How a process ended by itself: with an exit code, or by a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    Code(i32),
    Signal(i32),
}

impl From<&WaitIdStatus> for Exit {
    fn from(status: &WaitIdStatus) -> Self {
        let signal = || Self::Signal(status.terminating_signal().unwrap_or(0));
        status.exit_status().map_or_else(signal, Self::Code)
    }
}

impl Exit {
    /// Checks whether the process was ended by a signal that another program may have sent. The signals of faults, of
    /// abort(3), and of a pipe that nobody reads do not count.
    pub fn is_sent(self) -> bool {
        use signal_hook::consts::{SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGPIPE, SIGSEGV, SIGSYS, SIGTRAP};
        let own = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGPIPE, SIGSEGV, SIGSYS, SIGTRAP];
        matches!(self, Self::Signal(signal) if !own.contains(&signal))
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exited with code {code}"),
            Self::Signal(signal) => {
                write!(f, "was killed by signal {signal}")?;
                let Ok(signal) = Signal::try_from(*signal) else { return Ok(()) };
                // The explanation of a game infers the cause of a segmentation fault from the memory usage.
                let usual_cause = match signal {
                    Signal::SIGFPE => ", usually a division by zero",
                    Signal::SIGSEGV => ", a segmentation fault",
                    _ => "",
                };
                write!(f, " ({signal}){usual_cause}")
            }
        }
    }
}

/// The usage of a bot. A field is `None` if the system does not report its value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    #[serde(rename = "cpu_ns", with = "nanos::optional")]
    pub cpu: Option<Duration>,
    /// The peak, in bytes.
    #[serde(rename = "memory_bytes")]
    pub memory: Option<u64>,
    /// Maximum number of processes and threads at the same time.
    pub processes: Option<u64>,
}

impl Usage {
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self {
            cpu: self.cpu.max(other.cpu),
            memory: self.memory.max(other.memory),
            processes: self.processes.max(other.processes),
        }
    }

    /// Returns the usage of a bot with another process: the sum of the CPU times, as contests with such problems count
    /// them, and the larger value of each other field.
    #[must_use]
    pub fn with_process(self, other: Self) -> Self {
        let sum = [self.cpu, other.cpu].into_iter().flatten().reduce(Duration::saturating_add);
        Self { cpu: sum, ..self.max(other) }
    }

    /// Returns the report of the limit that this usage exceeds.
    pub fn exceeded(self, limits: &Limits) -> Option<LimitReport> {
        let exceeds = [
            (Limit::Cpu, self.cpu > Some(limits.cpu)),
            (Limit::Memory, self.memory > Some(limits.memory)),
            (Limit::Processes, self.processes > Some(limits.processes)),
        ];
        let (limit, _) = exceeds.into_iter().find(|(_, is_exceeded)| *is_exceeded)?;
        Some(LimitReport { used: self, ..LimitReport::new(limit) })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    Wall,
    /// The bot sent nothing for the time of the idle limit, and used almost no CPU time.
    Idle,
    Cpu,
    /// The bot used, or asked for, too much memory.
    Memory,
    /// The bot had, or asked for, too many processes and threads.
    Processes,
    Line,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitReport {
    pub limit: Limit,
    #[serde(flatten)]
    pub used: Usage,
    /// Whether all processes of the bot slept.
    pub sleeping: bool,
    /// Whether a signal had stopped one of the processes.
    pub stopped: bool,
    /// How long the processes had slept and used almost no CPU time.
    #[serde(rename = "quiet_ns", with = "nanos")]
    pub quiet: Duration,
    /// The kernel function in which the bot slept, if it is known.
    pub channel: Option<String>,
    /// Number of bytes from the judge that the bot has not read, and may not be able to read any more.
    pub unread: usize,
    pub unfinished: Bytes,
}

impl LimitReport {
    /// Makes a report without the state of the bot.
    pub fn new(limit: Limit) -> Self {
        let (used, sleeping, stopped, quiet, channel, unread, unfinished) = Default::default();
        Self { limit, used, sleeping, stopped, quiet, channel, unread, unfinished }
    }
}

/// The state of a bot that did not end in time. The fields are those of [`LimitReport`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StillRunning {
    pub sleeping: bool,
    pub channel: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_without_a_name() {
        for signal in [0, 32, 64, i32::MAX] {
            assert_eq!(Exit::Signal(signal).to_string(), format!("was killed by signal {signal}"));
        }
    }

    /// Checks that every byte is read back as written, and needs at most two bytes of JSON.
    #[test]
    fn bytes_of_any_kind() {
        for byte in 0..=u8::MAX {
            let bytes = Bytes(vec![byte; 1000]);
            let text = serde_json::to_string(&bytes).unwrap();
            assert!(text.len() <= 2 * 1000 + 20, "{byte}: {} bytes", text.len());
            assert_eq!(serde_json::from_str::<Bytes>(&text).unwrap(), bytes);
        }
        let line = Bytes(b"First\r\n\t\"".to_vec());
        assert_eq!(serde_json::to_string(&line).unwrap(), r#"{"text":"First\r\n\t\""}"#);
    }
}
