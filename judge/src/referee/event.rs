//! What happens in a game as the judge sees it: the events that a state is made of and a transcript keeps.

use std::fmt;
use std::time::Duration;

use itertools::Itertools;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::referee::nanos;

/// An event and its time since the game began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RecordedEvent {
    #[serde(rename = "ns", with = "nanos")]
    pub(crate) at: Duration,
    #[serde(flatten)]
    pub(crate) event: Event,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(crate) enum Event {
    /// The judge sent a line, its LF included.
    #[serde(rename = "told")]
    Sent(Bytes),
    /// A line came from the bot, its LF included; at the end of the output the last may have none.
    #[serde(rename = "said")]
    Received(Bytes),
    /// The bot wrote to stderr.
    Stderr(Bytes),
    /// The bot's stdout came to its end.
    Closed,
    /// The bot's process ended by itself, after all that it is recorded to have said.
    Exited(Exit),
    /// The judge was to wait no longer.
    Limit(LimitReport),
    /// The judge ended the bot.
    Killed,
    /// What the bot, and all that it started, has used so far.
    Used(Usage),
    /// The judge itself did not run, or could not look at the bot's pipes, from here on and for this long.
    Delayed(Delay),
    /// The judge itself was stopped by a signal, and has gone on.
    Stopped,
    /// Ctrl-C.
    Interrupted,
    /// The judge could not do its part.
    Failed(Failure),
}

/// Text of any encoding: as `"text"` in JSON if it is UTF-8 without control bytes but LF, CR and TAB, else as
/// `"hex"`. Either way a byte costs two at most, and JSON's own escape of a control byte would cost six.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bytes(pub(crate) Vec<u8>);

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Coded {
    Text(String),
    Hex(String),
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_dear = |byte: &u8| *byte < b' ' && !matches!(byte, b'\n' | b'\r' | b'\t');
        match std::str::from_utf8(&self.0) {
            Ok(text) if !self.0.iter().any(is_dear) => Coded::Text(text.to_owned()),
            _ => Coded::Hex(format!("{:02x}", self.0.iter().format(""))),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Coded::deserialize(deserializer)? {
            Coded::Text(text) => Ok(Self(text.into_bytes())),
            Coded::Hex(hex) => {
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
pub(crate) enum Exit {
    /// With this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exited with code {code}"),
            Self::Signal(signal) => write!(f, "was killed by signal {signal}{}", signal_name(*signal)),
        }
    }
}

/// The signals a program is likely to die of; their numbers are the same on every Unix but for SIGBUS.
fn signal_name(signal: i32) -> &'static str {
    match signal {
        4 => " (SIGILL)",
        6 => " (SIGABRT)",
        8 => " (SIGFPE)",
        9 => " (SIGKILL)",
        11 => " (SIGSEGV)",
        13 => " (SIGPIPE)",
        15 => " (SIGTERM)",
        _ => "",
    }
}

/// What has been used, as far as the system tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Usage {
    #[serde(rename = "cpu_ns", with = "nanos::optional")]
    pub(crate) cpu: Option<Duration>,
    /// The peak, in bytes.
    #[serde(rename = "memory_bytes")]
    pub(crate) memory: Option<u64>,
    /// The most processes and threads at a time.
    pub(crate) processes: Option<u64>,
}

impl Usage {
    /// The larger of each.
    pub(crate) fn max(self, other: Self) -> Self {
        Self {
            cpu: self.cpu.max(other.cpu),
            memory: self.memory.max(other.memory),
            processes: self.processes.max(other.processes),
        }
    }
}

/// Why the judge was to wait no longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Limit {
    /// The wall time was used up.
    Wall,
    /// Nothing was said for the idle limit, with next to no CPU used.
    Idle,
    /// The CPU time was used up.
    Cpu,
    /// Too much memory was held.
    Memory,
    /// There were too many processes and threads.
    Processes,
    /// A line went on beyond the longest that is allowed.
    Line,
}

/// What the bot was doing when a limit was reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LimitReport {
    pub(crate) limit: Limit,
    #[serde(flatten)]
    pub(crate) used: Usage,
    /// Whether all its processes slept, and in which function of the kernel if that can be told.
    pub(crate) sleeping: bool,
    /// Whether one of them was stopped by a signal.
    pub(crate) stopped: bool,
    /// For how long they had slept and used next to no CPU.
    #[serde(rename = "quiet_ns", with = "nanos")]
    pub(crate) quiet: Duration,
    pub(crate) channel: Option<String>,
    /// How many bytes from the judge wait because the pipe is full.
    pub(crate) unread: usize,
    /// What has come without a line end.
    pub(crate) unfinished: Bytes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Delay {
    #[serde(rename = "by_ns", with = "nanos")]
    pub(crate) by: Duration,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Failure {
    pub(crate) why: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every byte comes back, and costs two at most.
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
