//! The rows in which a conversation is shown: the lines of both programs, and what happened to them.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::mem;
use std::time::Duration;

use runner::escape::{printable, printable_bytes};
use runner::event::{Event, Limit};
use runner::relay::Side;

use crate::conversation::interaction::Step;
use crate::conversation::last_lines::keep_start;
use crate::report::picture::line_width;
use crate::report::transcript::{Part, RunSetup};
use crate::text::shortened_to;

pub(crate) struct ShownRow {
    /// The time since the start of the bot in this pass.
    pub(crate) at: Duration,
    pub(crate) waited: Duration,
    pub(crate) side: Side,
    /// The line or the event, printable. Begins with the number of the process, if the bot has several.
    pub(crate) text: String,
    pub(crate) kind: RowKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowKind {
    /// A line, with the number of lines that its program wrote before it in this pass.
    Line(usize),
    /// An event, or a line of stderr.
    Event,
    /// The beginning of a pass after the first one.
    Pass,
}

#[derive(Default)]
pub(crate) struct ShownRows {
    /// What each program has written in this pass: first to stderr, and then to its output.
    written: BTreeMap<Writer, Written>,
    last: Duration,
}

/// A program, and the process of the bot that it is or talks to.
type Origin = (Option<usize>, Side);

/// Whether a program writes to its output and not to stderr, and the program.
type Writer = (bool, Origin);

#[derive(Default)]
struct Written {
    /// Number of whole lines.
    lines: usize,
    /// The beginning of the line that has no end yet, as much as is shown of a line.
    begun: Vec<u8>,
    /// The length of this line, and the time of its last byte.
    length: usize,
    at: Duration,
}

impl ShownRows {
    /// Returns the rows that a part completes. A pass completes the lines of the pass before it.
    pub(crate) fn add(&mut self, part: Part<'_>) -> Vec<ShownRow> {
        let Step { at, side, process, event } = match part {
            Part::Step(step) => step,
            Part::Pass { pass } => {
                let mut rows = mem::take(self).end();
                rows.push(self.row(Duration::ZERO, (None, Side::Bot), format!("pass {pass}"), RowKind::Pass));
                return rows;
            }
        };
        let mut rows = Vec::new();
        if let Some(text) = event_text(event) {
            rows = self.end();
            rows.push(self.row(*at, (*process, *side), text, RowKind::Event));
        }
        let (is_output, side, written) = match event {
            Event::Stderr(bytes) => (false, *side, &bytes.0[..]),
            Event::Received(bytes) => (true, *side, &bytes.0[..]),
            // What the judge sends to the bot of a game.
            Event::Sent(bytes) => (true, side.other(), &bytes.0[..]),
            _ => (true, *side, &[][..]),
        };
        let parts = written.split_inclusive(|&byte| byte == b'\n');
        rows.extend(parts.filter_map(|part| self.part(*at, (is_output, (*process, side)), part)));
        rows
    }

    /// Returns the rows of the lines that have no end.
    pub(crate) fn end(&mut self) -> Vec<ShownRow> {
        let begun = self.written.iter().filter(|(_, written)| written.length > 0);
        let writers: Vec<Writer> = begun.map(|(writer, _)| *writer).collect();
        let end = |(is_output, _): Writer| if is_output { " [no line end]" } else { "" };
        writers.into_iter().filter_map(|writer| self.line(writer, end(writer))).collect()
    }

    /// Adds a part of what a program writes. Returns the row of the line that ends with this part, if there is one.
    fn part(&mut self, at: Duration, writer: Writer, part: &[u8]) -> Option<ShownRow> {
        let line = part.strip_suffix(b"\n").map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        let (new, written) = (line.unwrap_or(part), self.written.entry(writer).or_default());
        keep_start(&mut written.begun, new);
        (written.length, written.at) = (written.length + new.len(), at);
        line.and_then(|_| self.line(writer, ""))
    }

    /// Returns the row of the line that a program has begun, with `end`; `None` for an empty line of stderr.
    fn line(&mut self, writer: Writer, end: &str) -> Option<ShownRow> {
        let (written, (is_output, from)) = (self.written.entry(writer).or_default(), writer);
        let (begun, length, at) = (mem::take(&mut written.begun), mem::take(&mut written.length), written.at);
        let rest = if begun.len() < length { format!("... [{length} bytes]") } else { String::new() };
        let text = printable_bytes(&begun) + &rest + end;
        if is_output {
            written.lines += 1;
            let kind = RowKind::Line(written.lines - 1);
            return Some(self.row(at, from, text, kind));
        }
        (!text.is_empty()).then(|| self.row(at, from, format!("stderr: {text}"), RowKind::Event))
    }

    fn row(&mut self, at: Duration, (process, side): Origin, text: String, kind: RowKind) -> ShownRow {
        let text = process.map(|process| format!("{process}: {text}")).unwrap_or(text);
        let waited = at.saturating_sub(self.last);
        self.last = self.last.max(at);
        ShownRow { at, waited, side, text, kind }
    }
}

/// Returns what happened in an event; `None` if the event is a line, or is not shown.
fn event_text(event: &Event) -> Option<String> {
    let text = match event {
        Event::Sent(_) | Event::Received(_) | Event::Stderr(_) | Event::Used(_) => return None,
        Event::StderrOmitted(omitted) => return Some(format!("stderr: {} more bytes", omitted.bytes)),
        Event::Closed => "closed its output",
        Event::InputEnded => "got the end of its input",
        Event::Limit(report) => match report.limit {
            Limit::Wall => "reached its wall limit",
            Limit::Idle => "reached its idle limit",
            Limit::Cpu => "reached its limit of CPU time",
            Limit::Memory => "reached its memory limit",
            Limit::Processes => "reached its limit of processes",
            Limit::Line => "wrote a line longer than the line limit",
        },
        Event::StillRunning(running) if running.sleeping => "is still running, and sleeps",
        Event::StillRunning(_) => "is still running, and uses CPU time",
        Event::Killed => "was ended by the judge",
        Event::Interrupted => "the judge was interrupted",
        Event::Exited(exit) => return Some(exit.to_string()),
        Event::Forfeited { verdict } => {
            return Some(format!("the opponent ended its own game: {}", printable(verdict)));
        }
        Event::Failed { why } => return Some(format!("the judge could not continue: {}", printable(why))),
    };
    Some(text.to_owned())
}

/// Writes a conversation in two columns, with the time of each row in milliseconds. Events and stderr are in brackets.
pub(crate) struct Columns<W> {
    out: W,
    /// The width of a column, in characters.
    width: usize,
    rows: ShownRows,
}

impl<W: Write> Columns<W> {
    pub(crate) fn new(out: W) -> Self {
        /// The number of characters of a row besides its two columns.
        const TIMES: usize = 14;
        Self { out, width: (line_width().saturating_sub(TIMES) / 2).max(20), rows: ShownRows::default() }
    }

    pub(crate) fn heading(&mut self, setup: &RunSetup) -> io::Result<()> {
        let width = self.width;
        let shown = |text: String| shortened_to(&printable(&text), width - 1);
        let left = shown(format!("{}: {}", setup.role.name(), setup.interactor));
        let right = shown(format!("bot: {}", setup.bot.join(" ")));
        writeln!(self.out, "{:>10}  {left:<width$}  {right}", "ms")
    }

    pub(crate) fn add(&mut self, part: Part<'_>) -> io::Result<()> {
        let rows = self.rows.add(part);
        rows.iter().try_for_each(|row| self.write(row))
    }

    pub(crate) fn end(&mut self) -> io::Result<()> {
        self.rows.end().iter().try_for_each(|row| self.write(row))?;
        self.out.flush()
    }

    fn write(&mut self, ShownRow { at, side, text, kind, .. }: &ShownRow) -> io::Result<()> {
        let (ms, width) = (at.as_secs_f64() * 1e3, self.width);
        let text = if *kind == RowKind::Event { format!("[{text}]") } else { text.clone() };
        let text = shortened_to(&text, width - 1);
        match side {
            _ if *kind == RowKind::Pass => writeln!(self.out, "{:>10}  {text}", ""),
            Side::Interactor => writeln!(self.out, "{ms:>10.1}  {text}"),
            Side::Bot => writeln!(self.out, "{ms:>10.1}  {:<width$}  {text}", ""),
        }
    }
}

#[cfg(test)]
mod tests {
    use runner::event::{Bytes, Exit, LimitReport};
    use runner::limits::LINE_LIMIT;

    use super::*;

    fn step(ms: u64, side: Side, event: Event) -> Step {
        Step { at: Duration::from_millis(ms), side, process: None, event }
    }

    fn wrote(ms: u64, side: Side, text: &[u8]) -> Step {
        step(ms, side, Event::Received(Bytes(text.to_vec())))
    }

    /// Checks the rows of these steps, as the columns show them, without the blanks at line ends.
    #[test]
    fn lines_and_events_in_their_columns() {
        let debug = |ms, text: &[u8]| step(ms, Side::Bot, Event::Stderr(Bytes(text.to_vec())));
        let idle = Event::Limit(LimitReport::new(Limit::Idle));
        let steps = [
            wrote(1, Side::Interactor, b"10\r\n5"),
            debug(2, b"lo=1\n\nhi"),
            wrote(2, Side::Bot, b"? 5\n? \xff"),
            debug(3, b"=10\r\ncut"),
            wrote(3, Side::Interactor, b"1\n"),
            step(1004, Side::Bot, idle),
            wrote(1005, Side::Bot, b"6\n"),
            step(1006, Side::Bot, Event::Exited(Exit::Code(1))),
            wrote(1007, Side::Interactor, b"bye"),
        ];
        let mut out = Vec::new();
        let mut columns = Columns { out: &mut out, width: 26, rows: ShownRows::default() };
        for step in &steps {
            columns.add(Part::Step(step)).unwrap();
        }
        columns.end().unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            concat!(
                "       1.0  10\n",
                "       2.0                              [stderr: lo=1]\n",
                "       2.0                              ? 5\n",
                "       3.0                              [stderr: hi=10]\n",
                "       3.0  51\n",
                "       3.0                              [stderr: cut]\n",
                "       2.0                              ? \\xff [no line end]\n",
                "    1004.0                              [reached its idle limit]\n",
                "    1005.0                              6\n",
                "    1006.0                              [exited with code 1]\n",
                "    1007.0  bye [no line end]\n",
            )
        );
    }

    #[test]
    fn a_long_line_is_cut() {
        let mut rows = ShownRows::default();
        let mut add = |ms, text: &[u8]| rows.add(Part::Step(&wrote(ms, Side::Bot, text)));
        assert!(add(1, &vec![b'x'; 1 << 20]).is_empty() && add(2, &vec![b'y'; 1 << 20]).is_empty());
        let row = add(5, b"\n").pop().unwrap();
        assert_eq!(row.text, format!("{}... [{} bytes]", "x".repeat(LINE_LIMIT), 2 << 20));
        assert_eq!((row.at, row.waited), (Duration::from_millis(5), Duration::from_millis(5)));
    }
}
