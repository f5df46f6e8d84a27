//! The end of a bot and of everything that it has started.

use std::time::{Duration, Instant};

use super::Process;
use super::late_output::LateOutput;
use crate::bot::{POLL_INTERVAL, TimedEvent};
use crate::event::{Event, StillRunning};
use crate::failure::unreadable;
use common::interrupt::interrupted;

impl Process {
    /// Waits for the bot to end, `grace` at most, then ends it and everything that it started.
    pub(super) fn await_end(&mut self, grace: Duration) -> Vec<TimedEvent> {
        let deadline = Instant::now() + grace;
        let mut output = LateOutput::default();
        while self.exited.is_none() {
            // Once all is written nothing more is sent.
            self.pipes.finish_input();
            let left = deadline.saturating_duration_since(Instant::now());
            let is_interrupted = interrupted();
            let mut events = Vec::new();
            // However late the judge looks, a bot that has ended by then has ended in time.
            let pumped = self.pump(left.min(POLL_INTERVAL), &mut events);
            output.extend(events);
            self.pipes.shorten_fragment();
            let end = match pumped {
                Err(error) => unreadable(&error),
                Ok(()) if self.exited.is_some() => break,
                // That it had no time to end is nobody's fault.
                Ok(()) if is_interrupted => TimedEvent::now(Event::Interrupted),
                Ok(()) if left.is_zero() => {
                    output.extend(self.still_running().filter(|_| !grace.is_zero()).into_iter().collect());
                    TimedEvent::now(Event::Killed)
                }
                Ok(()) => continue,
            };
            output.extend(vec![end]);
            break;
        }
        let used = self.watch.end();
        // What is left in the pipes was written before the end.
        let mut events = Vec::new();
        let _ = self.pipes.drain_stderr(&mut events);
        let _ = self.pipes.read_stdout(&mut events);
        output.extend(events);
        let mut events = output.into_events();
        events.push(TimedEvent::now(Event::Used(used)));
        events
    }

    /// What the bot does instead of ending; `None` if that cannot be read.
    fn still_running(&mut self) -> Option<TimedEvent> {
        // Elsewhere than on Linux nothing is known of it.
        let snapshot = self.watch.look().ok().filter(|_| cfg!(target_os = "linux"))?;
        let running = StillRunning { sleeping: snapshot.sleeping, channel: snapshot.channel };
        Some(TimedEvent::now(Event::StillRunning(running)))
    }
}
