//! Ends a bot and everything that it has started, and collects the output until then.

use std::time::{Duration, Instant};

use crate::bot::{POLL_INTERVAL, TimedEvent, unreadable};
use crate::bot_process::Process;
use crate::event::{Bytes, Event, StillRunning};
use crate::interrupt::interrupted;
use crate::limits::{LATE_LIMIT, LATE_STDERR_KEPT};
use crate::stderr_excerpt::StderrExcerpt;

impl Process {
    /// Waits at most `grace` for the bot to end, and then ends the bot and everything that it started.
    pub(super) fn await_end(&mut self, grace: Duration) -> Vec<TimedEvent> {
        let deadline = Instant::now() + grace;
        let mut output = LateOutput::default();
        while self.exited.is_none() {
            // Close stdin once all pending input is written.
            self.pipes.finish_input();
            let left = deadline.saturating_duration_since(Instant::now());
            let is_interrupted = interrupted();
            let mut events = Vec::new();
            // If `pump` finds that the bot has ended, the bot counts as having ended in time, however late this call
            // is.
            let pumped = self.pump(left.min(POLL_INTERVAL), &mut events);
            output.extend(events);
            self.pipes.shorten_fragment();
            let end = match pumped {
                Err(error) => unreadable(&error),
                Ok(()) if self.exited.is_some() => break,
                // The interrupt left the bot no time to end, which is not the bot's fault.
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
        // The bytes left in the pipes were written before the end.
        let mut events = Vec::new();
        let _ = self.pipes.drain_stderr(&mut events);
        let _ = self.pipes.read_stdout(&mut events);
        output.extend(events);
        let mut events = output.into_events();
        events.push(TimedEvent::now(Event::Used(used)));
        events
    }

    /// Returns an event with the state of a bot that has not ended in time; `None` if the state cannot be read.
    fn still_running(&mut self) -> Option<TimedEvent> {
        // On systems other than Linux the snapshot shows nothing.
        let snapshot = self.watch.snapshot_now().ok().filter(|_| cfg!(target_os = "linux"))?;
        let running = StillRunning { sleeping: snapshot.sleeping, channel: snapshot.channel };
        Some(TimedEvent::now(Event::StillRunning(running)))
    }
}

/// The events of a bot's end. Of the output, only the first lines and the beginning and the end of stderr are kept.
struct LateOutput {
    events: Vec<TimedEvent>,
    lines: usize,
    stderr: StderrExcerpt,
}

impl Default for LateOutput {
    fn default() -> Self {
        let stderr = StderrExcerpt::new(LATE_STDERR_KEPT, LATE_STDERR_KEPT);
        Self { events: Vec::new(), lines: 0, stderr }
    }
}

impl LateOutput {
    fn extend(&mut self, events: Vec<TimedEvent>) {
        for timed in events {
            match timed.event {
                Event::Received(_) if self.lines >= LATE_LIMIT => {}
                Event::Received(_) => {
                    self.lines += 1;
                    self.events.push(timed);
                }
                Event::Stderr(text) => self.stderr.extend(&text.0),
                _ => self.events.push(timed),
            }
        }
    }

    /// Returns all kept events, stderr last.
    fn into_events(mut self) -> Vec<TimedEvent> {
        let StderrExcerpt { head, tail, omitted, .. } = self.stderr;
        let head = Some(head).filter(|head| !head.is_empty()).map(|head| Event::Stderr(Bytes(head)));
        let omitted = Some(omitted).filter(|omitted| omitted.bytes > 0).map(Event::StderrOmitted);
        let tail = Some(tail).filter(|tail| !tail.is_empty()).map(|tail| Event::Stderr(Bytes(tail.into())));
        self.events.extend([head, omitted, tail].into_iter().flatten().map(TimedEvent::now));
        self.events
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_output_is_limited() {
        let mut output = LateOutput::default();
        for _ in 0..10 {
            let line = || TimedEvent::now(Event::Received(Bytes(b"late\n".to_vec())));
            output.extend((0..LATE_LIMIT).map(|_| line()).collect());
            output.extend(vec![TimedEvent::now(Event::Stderr(Bytes(vec![b'x'; LATE_STDERR_KEPT])))]);
        }
        output.extend(vec![
            TimedEvent::now(Event::Closed),
            TimedEvent::now(Event::Stderr(Bytes(b"last".to_vec()))),
        ]);
        let mut events = output.into_events();
        let mut last = || events.pop().map(|timed| timed.event);
        let [tail, omitted, head] = [last(), last(), last()];
        let (Some(Event::Stderr(Bytes(head))), Some(Event::Stderr(Bytes(tail)))) = (head, tail) else {
            panic!("stderr is the last")
        };
        assert_eq!((head.len(), tail.len()), (LATE_STDERR_KEPT, LATE_STDERR_KEPT));
        assert!(tail.ends_with(b"xlast"));
        assert!(
            matches!(omitted, Some(Event::StderrOmitted(omitted)) if omitted.bytes == 8 * LATE_STDERR_KEPT as u64 + 4)
        );
        assert!(matches!(events.pop().map(|timed| timed.event), Some(Event::Closed)));
        assert_eq!(events.len(), LATE_LIMIT);
    }
}
