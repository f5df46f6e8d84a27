//! The events of a game: all that the judge observes. A game state is computed from them, and a transcript keeps
//! them.

use std::fmt;
use std::time::Duration;

use itertools::Itertools;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::nanos;
use crate::stderr_excerpt::Omitted;

/// An event and its time since the game began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedEvent {
    #[serde(rename = "ns", with = "nanos")]
    pub at: Duration,
    #[serde(flatten)]
    pub event: Event,
}

/// Something that happened in a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The judge sent a line, its LF included.
    Sent(Bytes),
    /// The judge received a line from the bot, its LF included. Only the last line of the output may have none.
    Received(Bytes),
    /// The bot wrote to stderr.
    Stderr(Bytes),
    /// The bot wrote more to stderr than is kept.
    StderrOmitted(Omitted),
    /// The bot's stdout ended.
    Closed,
    /// The bot's process ended by itself, after it had printed all that is recorded.
    Exited(Exit),
    /// The bot reached a limit.
    Limit(LimitReport),
    /// The judge ended the input of a bot that waits for input, to see what it prints then.
    InputEnded,
    /// The bot did not end in the time that it was given; this is what it was doing.
    StillRunning(StillRunning),
    /// The judge ended the bot.
    Killed,
    /// What the bot and all processes that it started have used so far.
    Used(Usage),
    /// The judge itself did not run, or could not read the bot's pipes, for this time.
    Delayed(Delay),
    /// A signal stopped the judge itself, and it has continued.
    Stopped,
    /// The opponent, another bot, has ended its own game.
    Forfeited(Forfeit),
    /// Ctrl-C.
    Interrupted,
    /// The judge could not continue.
    Failed(Failure),
}

/// Bytes, which may be text of any encoding. In JSON they are `"text"` if they are UTF-8 without control bytes
/// other than LF, CR and TAB, else `"hex"`. Either way a byte takes at most two bytes of JSON; JSON's own escape
/// of a control byte would take six.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bytes(pub Vec<u8>);

/// The two forms of [`Bytes`] in JSON.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum EncodedBytes {
    Text(String),
    Hex(String),
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_escaped = |byte: &u8| *byte < b' ' && !matches!(byte, b'\n' | b'\r' | b'\t');
        match std::str::from_utf8(&self.0) {
            Ok(text) if !self.0.iter().any(is_escaped) => EncodedBytes::Text(text.to_owned()),
            _ => EncodedBytes::Hex(format!("{:02x}", self.0.iter().format(""))),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match EncodedBytes::deserialize(deserializer)? {
            EncodedBytes::Text(text) => Ok(Self(text.into_bytes())),
            EncodedBytes::Hex(hex) => {
                let pairs = hex.as_bytes().chunks(2);
                let byte = |pair: &[u8]| match pair {
                    [high, low] => {
                        Some(char::from(*high).to_digit(16)? << 4 | char::from(*low).to_digit(16)?)
                            .and_then(|byte| u8::try_from(byte).ok())
                    }
                    _ => None,
                };
                let bytes: Option<Vec<u8>> = pairs.map(byte).collect();
                bytes.map(Self).ok_or_else(|| serde::de::Error::custom("expected pairs of hex digits"))
            }
        }
    }
}

/// How a process ended by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// With this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exited with code {code}"),
            Self::Signal(signal) => {
                write!(f, "was killed by signal {signal}")?;
                if let Some(name) = signal_name(*signal) {
                    write!(f, " (SIG{name})")?;
                }
                f.write_str(usual_cause(*signal))
            }
        }
    }
}

/// The names of the standard signals, from signal 1 on. Real-time signals have none: the number of `SIGRTMIN` depends
/// on the C library.
#[cfg(target_os = "linux")]
const SIGNAL_NAMES: [&str; 31] = [
    "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE",
    "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ",
    "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
];

/// The names of the standard signals of macOS and the BSDs, from signal 1 on.
#[cfg(not(target_os = "linux"))]
const SIGNAL_NAMES: [&str; 31] = [
    "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "EMT", "FPE", "KILL", "BUS", "SEGV", "SYS", "PIPE", "ALRM",
    "TERM", "URG", "STOP", "TSTP", "CONT", "CHLD", "TTIN", "TTOU", "IO", "XCPU", "XFSZ", "VTALRM", "PROF",
    "WINCH", "INFO", "USR1", "USR2",
];

/// The name of a standard signal, without `SIG`.
fn signal_name(signal: i32) -> Option<&'static str> {
    let index = usize::try_from(signal).ok()?.checked_sub(1)?;
    SIGNAL_NAMES.get(index).copied()
}

/// The usual cause of a signal. The explanation of a game infers the cause of a segmentation fault from the memory
/// that was used.
fn usual_cause(signal: i32) -> &'static str {
    match signal {
        8 => ", as by a division by zero",
        11 => ", a segmentation fault",
        _ => "",
    }
}

/// What a bot has used; `None` if the system does not report it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    #[serde(rename = "cpu_ns", with = "nanos::optional")]
    pub cpu: Option<Duration>,
    /// The peak, in bytes.
    #[serde(rename = "memory_bytes")]
    pub memory: Option<u64>,
    /// The most processes and threads at a time.
    pub processes: Option<u64>,
}

impl Usage {
    /// The larger value of each field.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self {
            cpu: self.cpu.max(other.cpu),
            memory: self.memory.max(other.memory),
            processes: self.processes.max(other.processes),
        }
    }
}

/// A limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// All of the wall time was used.
    Wall,
    /// Nothing was received for as long as the idle limit, and almost no CPU time was used.
    Idle,
    /// All of the CPU time was used.
    Cpu,
    /// Too much memory was used.
    Memory,
    /// There were too many processes and threads.
    Processes,
    /// A line was longer than the line limit.
    Line,
}

/// What the bot was doing when a limit was reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitReport {
    pub limit: Limit,
    #[serde(flatten)]
    pub used: Usage,
    /// Whether all its processes slept.
    pub sleeping: bool,
    /// Whether one of them was stopped by a signal.
    pub stopped: bool,
    /// For how long they had slept and used almost no CPU time.
    #[serde(rename = "quiet_ns", with = "nanos")]
    pub quiet: Duration,
    /// The function of the kernel in which it slept, if that is known.
    pub channel: Option<String>,
    /// How many of the judge's bytes the bot has not read.
    pub unread: usize,
    /// The bytes that were received without a line end.
    pub unfinished: Bytes,
}

/// What a bot that did not end in time was doing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StillRunning {
    /// Whether all its processes sleep.
    pub sleeping: bool,
    /// The function of the kernel in which it sleeps, if that is known.
    pub channel: Option<String>,
}

/// A time for which the judge itself did not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delay {
    #[serde(rename = "by_ns", with = "nanos")]
    pub by: Duration,
}

/// How an opponent that is another bot has ended its game, other than by having no move left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forfeit {
    /// The opponent's verdict, as the referee of its game names it. The result of a game has a field `verdict` of its own.
    #[serde(rename = "opponent_verdict")]
    pub verdict: String,
}

/// The reason why the judge could not continue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    pub why: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each standard signal has the name that the system's own constants give it.
    #[test]
    fn names_of_signals() {
        for signal in 1..=31 {
            let shown = Exit::Signal(signal).to_string();
            let name = signal_hook::low_level::signal_name(signal);
            // Only Linux has these two, which the crate leaves out; only BSDs have the third.
            let name = name.unwrap_or(match signal {
                16 => "SIGSTKFLT",
                30 => "SIGPWR",
                _ => "SIGEMT",
            });
            assert!(shown.starts_with(&format!("was killed by signal {signal} ({name})")), "{shown}");
        }
        for signal in [0, 32, 64, i32::MAX] {
            assert_eq!(Exit::Signal(signal).to_string(), format!("was killed by signal {signal}"));
        }
    }

    /// Every byte is read back as it was written, and takes at most two bytes of JSON.
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
