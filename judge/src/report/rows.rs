//! The rows in which a conversation is shown: the lines of both programs, and what happened to them.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use runner::escape::{printable, printable_bytes};
use runner::event::{Event, Limit};
use runner::limits::LINE_LIMIT;
use runner::relay::Side;
use terminal_size::terminal_size;

use crate::conversation::interaction::Step;
use crate::report::transcript::{Part, RunSetup};
use crate::text::shortened_to;

/// Maximum number of bytes of a line that are shown: those of the longest line of a game.
const MAX_SHOWN: usize = LINE_LIMIT;

/// A line of a program, or an event.
pub(crate) struct Row {
    /// The time since the start of the bot in this pass. In a problem with several passes, the bot is started for each
    /// pass.
    pub(crate) at: Duration,
    /// The time since the previous row.
    pub(crate) waited: Duration,
    pub(crate) side: Side,
    /// The line or the event, printable. Begins with the number of the process, if the bot has several.
    pub(crate) text: String,
    pub(crate) is_line: bool,
}

/// Makes the rows of a pass, step by step.
#[derive(Default)]
pub(crate) struct Rows {
    /// The lines without an end of each process of the bot, and of the interactor to it.
    unfinished: BTreeMap<From, Unfinished>,
    /// The lines without an end of the bot's stderr.
    stderr: BTreeMap<From, Unfinished>,
    last: Duration,
}

/// A program, and the process of the bot that it is or talks to.
type From = (Option<usize>, Side);

#[derive(Default)]
struct Unfinished {
    /// The first bytes of the line.
    shown: Vec<u8>,
    length: usize,
    /// The time of its last byte.
    at: Duration,
}

impl Unfinished {
    fn extend(&mut self, part: &[u8], at: Duration) {
        let room = MAX_SHOWN.saturating_sub(self.shown.len()).min(part.len());
        self.shown.extend_from_slice(&part[..room]);
        self.length += part.len();
        self.at = at;
    }

    /// Returns the text of the line, and begins another one.
    fn take(&mut self) -> String {
        let Self { shown, length, .. } = std::mem::take(self);
        let text = printable_bytes(&shown);
        if shown.len() < length { format!("{text}... [{length} bytes]") } else { text }
    }
}

impl Rows {
    pub(crate) fn add<'a>(&'a mut self, step: &'a Step) -> impl Iterator<Item = Row> + use<'a> {
        let Step { at, side, process, event } = step;
        let from = (*process, *side);
        let mut events = Vec::new();
        if let Event::Stderr(bytes) = event {
            events = self.stderr(*at, from, &bytes.0);
        } else if let Some(text) = event_text(event) {
            events = self.end();
            events.push(self.row(*at, from, text, false));
        }
        let (writer, written) = match event {
            Event::Received(bytes) => (from, &bytes.0[..]),
            // What the judge sends to the bot of a game.
            Event::Sent(bytes) => ((*process, side.other()), &bytes.0[..]),
            _ => (from, &[][..]),
        };
        let parts = written.split_inclusive(|&byte| byte == b'\n');
        events.into_iter().chain(parts.filter_map(move |part| self.line(*at, writer, part)))
    }

    /// Returns rows for the lines without an end.
    pub(crate) fn end(&mut self) -> Vec<Row> {
        let writers: Vec<From> = self.stderr.keys().copied().collect();
        let mut rows: Vec<Row> = writers.into_iter().filter_map(|from| self.end_of_stderr(from)).collect();
        for (from, mut unfinished) in std::mem::take(&mut self.unfinished) {
            if unfinished.length > 0 {
                let at = unfinished.at;
                let text = unfinished.take() + " [no line end]";
                rows.push(self.row(at, from, text, true));
            }
        }
        rows
    }

    /// Adds a part of the output. Returns the row of the line that ends with this part; `None` if the part ends no
    /// line.
    fn line(&mut self, at: Duration, from: From, part: &[u8]) -> Option<Row> {
        let line = part.strip_suffix(b"\n").map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        let unfinished = self.unfinished.entry(from).or_default();
        unfinished.extend(line.unwrap_or(part), at);
        line?;
        let text = unfinished.take();
        Some(self.row(at, from, text, true))
    }

    /// Adds a part of stderr. Returns the rows of the lines that end with it.
    fn stderr(&mut self, at: Duration, from: From, text: &[u8]) -> Vec<Row> {
        let mut rows = Vec::new();
        for part in text.split_inclusive(|&byte| byte == b'\n') {
            let line = part.strip_suffix(b"\n").map(|line| line.strip_suffix(b"\r").unwrap_or(line));
            self.stderr.entry(from).or_default().extend(line.unwrap_or(part), at);
            if line.is_some() {
                rows.extend(self.end_of_stderr(from));
            }
        }
        rows
    }

    /// Returns the row of the current line of stderr; `None` if it is empty.
    fn end_of_stderr(&mut self, from: From) -> Option<Row> {
        let unfinished = self.stderr.get_mut(&from)?;
        let at = unfinished.at;
        let text = Some(unfinished.take()).filter(|text| !text.is_empty())?;
        Some(self.row(at, from, format!("stderr: {text}"), false))
    }

    fn row(&mut self, at: Duration, (process, side): From, text: String, is_line: bool) -> Row {
        let text = process.map(|process| format!("{process}: {text}")).unwrap_or(text);
        let waited = at.saturating_sub(self.last);
        self.last = self.last.max(at);
        Row { at, waited, side, text, is_line }
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
        Event::Forfeited(forfeit) => {
            return Some(format!("the opponent ended its own game: {}", printable(&forfeit.verdict)));
        }
        Event::Failed(failure) => {
            return Some(format!("the judge could not continue: {}", printable(&failure.why)));
        }
    };
    Some(text.to_owned())
}

/// Writes a conversation in two columns, with the time of each row in milliseconds. Events and stderr are in brackets.
pub(crate) struct Columns<W> {
    out: W,
    /// The width of a column, in characters.
    width: usize,
    rows: Rows,
}

impl<W: Write> Columns<W> {
    /// Creates columns for the width of the terminal, or for 100 characters if there is no terminal.
    pub(crate) fn new(out: W) -> Self {
        /// The number of characters of a row besides its two columns.
        const TIMES: usize = 14;
        let width = terminal_size().map_or(100, |(width, _)| usize::from(width.0));
        Self { out, width: (width.saturating_sub(TIMES) / 2).max(20), rows: Rows::default() }
    }

    pub(crate) fn heading(&mut self, setup: &RunSetup) -> io::Result<()> {
        let width = self.width;
        let shown = |text: String| shortened_to(&printable(&text), width - 1);
        let left = shown(format!("{}: {}", setup.role.name(), setup.interactor));
        let right = shown(format!("bot: {}", setup.bot.join(" ")));
        writeln!(self.out, "{:>10}  {left:<width$}  {right}", "ms")
    }

    /// Writes the rows that this step completes.
    pub(crate) fn add(&mut self, step: &Step) -> io::Result<()> {
        let Self { out, width, rows } = self;
        rows.add(step).try_for_each(|row| write_row(out, *width, &row))
    }

    /// Begins a pass, or writes the rows that a step completes.
    pub(crate) fn add_part(&mut self, part: &Part) -> io::Result<()> {
        match part {
            Part::Pass(number) => self.begin_pass(*number),
            Part::Step(step) => self.add(step),
        }
    }

    pub(crate) fn begin_pass(&mut self, number: u32) -> io::Result<()> {
        self.end()?;
        writeln!(self.out, "{:>10}  pass {number}", "")
    }

    /// Writes the lines without an end, and flushes the output.
    pub(crate) fn end(&mut self) -> io::Result<()> {
        for row in std::mem::take(&mut self.rows).end() {
            write_row(&mut self.out, self.width, &row)?;
        }
        self.out.flush()
    }
}

fn write_row(out: &mut impl Write, width: usize, row: &Row) -> io::Result<()> {
    let text = if row.is_line { row.text.clone() } else { format!("[{}]", row.text) };
    let text = shortened_to(&text, width - 1);
    let ms = row.at.as_secs_f64() * 1e3;
    match row.side {
        Side::Interactor => writeln!(out, "{ms:>10.1}  {text}"),
        Side::Bot => writeln!(out, "{ms:>10.1}  {:<width$}  {text}", ""),
    }
}

#[cfg(test)]
mod tests {
    use runner::event::{Bytes, Exit, LimitReport};

    use super::*;

    fn wrote(ms: u64, side: Side, text: &[u8]) -> Step {
        let event = Event::Received(Bytes(text.to_vec()));
        Step { at: Duration::from_millis(ms), side, process: None, event }
    }

    fn debug(ms: u64, text: &[u8]) -> Step {
        let event = Event::Stderr(Bytes(text.to_vec()));
        Step { at: Duration::from_millis(ms), side: Side::Bot, process: None, event }
    }

    /// Returns the rows of these steps, as the columns show them, without the blanks at line ends.
    fn columns(steps: &[Step]) -> String {
        let mut out = Vec::new();
        let mut columns = Columns { out: &mut out, width: 26, rows: Rows::default() };
        for step in steps {
            columns.add(step).unwrap();
        }
        columns.end().unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn lines_and_events_in_their_columns() {
        let idle = Event::Limit(LimitReport::new(Limit::Idle));
        let steps = [
            wrote(1, Side::Interactor, b"10\r\n5"),
            debug(2, b"lo=1\n\nhi"),
            wrote(2, Side::Bot, b"? 5\n? \xff"),
            debug(3, b"=10\r\ncut"),
            wrote(3, Side::Interactor, b"1\n"),
            Step { at: Duration::from_millis(1004), side: Side::Bot, process: None, event: idle },
            wrote(1005, Side::Bot, b"6\n"),
            Step {
                at: Duration::from_millis(1006),
                side: Side::Bot,
                process: None,
                event: Event::Exited(Exit::Code(1)),
            },
            wrote(1007, Side::Interactor, b"bye"),
        ];
        assert_eq!(
            columns(&steps),
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
        let mut rows = Rows::default();
        assert_eq!(rows.add(&wrote(1, Side::Bot, &vec![b'x'; 1 << 20])).count(), 0);
        assert_eq!(rows.add(&wrote(2, Side::Bot, &vec![b'y'; 1 << 20])).count(), 0);
        let row = rows.add(&wrote(5, Side::Bot, b"\n")).next().unwrap();
        assert_eq!(row.text, format!("{}... [{} bytes]", "x".repeat(MAX_SHOWN), 2 << 20));
        assert_eq!((row.at, row.waited), (Duration::from_millis(5), Duration::from_millis(5)));
    }
}
