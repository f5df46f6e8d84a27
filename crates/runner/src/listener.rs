//! A bot outside a game: its lines are read one by one and not judged.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::bot::Bot;
use crate::bot_process::Process;
use crate::event::Event;
use crate::limits::Limits;
use crate::stderr_excerpt::StderrExcerpt;

pub struct Listener {
    process: Process,
    lines: VecDeque<Vec<u8>>,
    limits: Limits,
    started: Instant,
    /// The event after which no more lines come.
    stop: Option<Event>,
    stderr: StderrExcerpt,
}

impl Listener {
    pub fn new(process: Process, limits: Limits) -> Self {
        let (lines, stderr) = Default::default();
        Self { process, lines, limits, started: Instant::now(), stop: None, stderr }
    }

    pub fn send(&mut self, line: &str) {
        self.process.send(format!("{line}\n").as_bytes());
    }

    /// Returns the next line without its line end; `None` if no more lines come.
    pub fn line(&mut self) -> Option<Vec<u8>> {
        while self.lines.is_empty() && self.stop.is_none() {
            let wall = self.limits.wall.saturating_sub(self.started.elapsed());
            for timed in self.process.wait(&Limits { wall, ..self.limits }) {
                self.stop = self.note(timed.event).or(self.stop.take());
            }
        }
        self.lines.pop_front()
    }

    /// Keeps output. Returns an event that is not output.
    fn note(&mut self, event: Event) -> Option<Event> {
        match event {
            Event::Received(line) => self.lines.push_back(trim_line_end(&line.0).to_vec()),
            Event::Stderr(text) => self.stderr.extend(&text.0),
            Event::StderrOmitted(omitted) => self.stderr.omit(omitted),
            Event::Used(_) => {}
            other => return Some(other),
        }
        None
    }

    pub fn stop(&self) -> Option<&Event> {
        self.stop.as_ref()
    }

    /// Closes the bot's input and waits at most `grace` for the bot to end. Returns three things: the other events until
    /// then, the first of which is [`Self::stop`] if there is one; the lines that [`Self::line`] has not returned; and
    /// stderr.
    pub fn end(mut self, grace: Duration) -> (Vec<Event>, Vec<Vec<u8>>, StderrExcerpt) {
        let mut events: Vec<Event> = self.stop.take().into_iter().collect();
        for timed in self.process.end(grace) {
            events.extend(self.note(timed.event));
        }
        (events, self.lines.into(), self.stderr)
    }
}

/// Returns a line without its line end, which is LF or CRLF.
pub fn trim_line_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}
