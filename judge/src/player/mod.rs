//! Who plays: bots as processes, and the built-in opponents.

use std::io;
use std::process::ExitStatus;
use std::time::Duration;

pub(crate) mod idleness;
pub(crate) mod opponent;
pub(crate) mod process;

use idleness::Idleness;

/// The longest line a bot may print, in bytes.
pub(crate) const LINE_LIMIT: usize = 4096;

/// The most a bot may print in one game, in bytes.
pub(crate) const OUTPUT_LIMIT: usize = 64 << 20;

/// Why no line came from a bot.
#[derive(Debug)]
pub(crate) enum Silence {
    /// Its time is up.
    TimedOut(Box<Idleness>),
    /// Its stdout is closed: most likely it has ended.
    Gone,
    /// Its line has more than [`LINE_LIMIT`] bytes.
    TooLong,
    /// It has printed more than [`OUTPUT_LIMIT`] bytes.
    TooMuch,
    /// The judge is to stop.
    Interrupted,
    /// The system refuses to read.
    Failed(io::Error),
}

/// How a bot's process ended.
#[derive(Debug, Default)]
pub(crate) struct Goodbye {
    /// `None` if it did not end by itself and had to be killed.
    pub(crate) status: Option<ExitStatus>,
    /// The first of what it printed after its last line was heard.
    pub(crate) extra: Vec<u8>,
    /// The last of what it wrote to stderr.
    pub(crate) stderr: Vec<u8>,
}

/// The far end of a conversation.
pub(crate) trait Bot {
    /// Sends a line. It never blocks; a bot that has hung up is found out when its answer is due.
    fn say(&mut self, line: &str);

    /// The bot's next line without its LF. What it takes is deducted from `budget`.
    fn line(&mut self, budget: &mut Duration) -> Result<Vec<u8>, Silence>;

    /// Waits for the bot to end, `grace` at most, then ends it.
    fn end(&mut self, grace: Duration) -> Goodbye;
}
