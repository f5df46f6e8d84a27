//! What a bot prints while it is ended.

use crate::process::bot::TimedEvent;
use crate::referee::event::{Bytes, Event};
use crate::referee::limits::{LATE_LIMIT, STDERR_KEPT};

/// The events of a bot's end. Of a flood it keeps only what can be reported: the first lines and the last of
/// stderr.
#[derive(Default)]
pub(super) struct LateOutput {
    events: Vec<TimedEvent>,
    lines: usize,
    stderr: Vec<u8>,
}

impl LateOutput {
    pub(super) fn extend(&mut self, events: Vec<TimedEvent>) {
        for timed in events {
            match timed.event {
                Event::Received(_) if self.lines >= LATE_LIMIT => {}
                Event::Received(_) => {
                    self.lines += 1;
                    self.events.push(timed);
                }
                Event::Stderr(text) => self.stderr.extend(text.0),
                _ => self.events.push(timed),
            }
        }
        let excess = self.stderr.len().saturating_sub(STDERR_KEPT);
        self.stderr.drain(..excess);
    }

    /// All that is kept, stderr last and as one event.
    pub(super) fn into_events(mut self) -> Vec<TimedEvent> {
        if !self.stderr.is_empty() {
            self.events.push(TimedEvent::now(Event::Stderr(Bytes(self.stderr))));
        }
        self.events
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_cut() {
        let mut output = LateOutput::default();
        for _ in 0..10 {
            let line = || TimedEvent::now(Event::Received(Bytes(b"late\n".to_vec())));
            output.extend((0..LATE_LIMIT).map(|_| line()).collect());
            output.extend(vec![TimedEvent::now(Event::Stderr(Bytes(vec![b'x'; STDERR_KEPT])))]);
        }
        output.extend(vec![
            TimedEvent::now(Event::Closed),
            TimedEvent::now(Event::Stderr(Bytes(b"last".to_vec()))),
        ]);
        let mut events = output.into_events();
        let Some(Event::Stderr(Bytes(stderr))) = events.pop().map(|timed| timed.event) else {
            panic!("stderr is the last")
        };
        assert!(stderr.len() == STDERR_KEPT && stderr.ends_with(b"xlast"));
        assert!(matches!(events.pop().map(|timed| timed.event), Some(Event::Closed)));
        assert_eq!(events.len(), LATE_LIMIT);
    }
}
