//! Programs that talk to nobody: compilers, generators, validators and checkers.

use std::ffi::OsString;
use std::fmt;
use std::time::Duration;

use anyhow::{Context, bail};

use crate::event::{Event, Exit};
use crate::limits::{Limits, MAX_OUTPUT};
use crate::relay::{Relay, SideEvent};
use crate::warden::Warden;

/// How a program has ended, or why the judge has ended it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    Exited(Exit),
    /// It did not end within this time.
    Late(Duration),
    /// It printed more than `MAX_OUTPUT` bytes.
    Full,
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(exit) => exit.fmt(f),
            Self::Late(wall) => write!(f, "did not end within {} s", wall.as_secs_f64()),
            Self::Full => write!(f, "printed more than {} MiB", MAX_OUTPUT >> 20),
        }
    }
}

#[derive(Debug)]
pub struct ProgramOutput {
    pub ended: Ended,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

impl Warden {
    /// Runs a program with this input until it ends, but hardly longer than `limits.wall`, and ends everything that it has
    /// started. Fails if it cannot be started, or if the judge is interrupted.
    pub fn run_to_end(
        &self,
        command: &[OsString],
        input: &[u8],
        limits: Limits,
    ) -> anyhow::Result<ProgramOutput> {
        self.begin_start(command)?;
        let mut relay = Relay::with_judge(self.spawn_party(limits).context("it could not be started")?);
        relay.write(input);
        let mut output =
            ProgramOutput { ended: Ended::Late(limits.wall), stdout: Vec::new(), stderr: Vec::new() };
        for SideEvent { timed, .. } in relay.end_bot(limits.wall, MAX_OUTPUT + 1, MAX_OUTPUT) {
            match timed.event {
                Event::Received(text) => output.stdout.extend(text.0),
                Event::Stderr(text) => output.stderr.extend(text.0),
                Event::Exited(exit) => output.ended = Ended::Exited(exit),
                Event::Interrupted => bail!("interrupted"),
                Event::Failed { why } => bail!(why),
                _ => {}
            }
        }
        if output.stdout.len() > MAX_OUTPUT {
            output.ended = Ended::Full;
        }
        Ok(output)
    }
}
