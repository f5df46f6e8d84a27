//! What a bot prints while it is ended.

use crate::bot::TimedEvent;
use crate::event::{Bytes, Event};
use crate::limits::{LATE_LIMIT, LATE_STDERR_KEPT};
use crate::stderr_excerpt::StderrExcerpt;

/// The events of a bot's end. Of a flood it keeps only what can be reported: the first lines, and the beginning and
/// the end of stderr.
pub(super) struct LateOutput {
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
    pub(super) fn extend(&mut self, events: Vec<TimedEvent>) {
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

    /// All that is kept, stderr last.
    pub(super) fn into_events(mut self) -> Vec<TimedEvent> {
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
    fn a_flood_is_cut() {
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
