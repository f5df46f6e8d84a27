//! The record of a conversation: what both programs wrote, and what else happened to them, in order and with times.

use std::collections::BTreeMap;
use std::mem::{self, discriminant};
use std::time::{Duration, Instant};

use runner::event::{Bytes, Event, LimitReport};
use runner::limits::STDERR_KEPT;
use runner::nanos;
use runner::relay::{Side, SideEvent};
use runner::stderr_excerpt::StderrExcerpt;
use serde::{Deserialize, Serialize};

/// Output is added to the last step if that step is output to the same stream and began less than this time ago, so
/// that a program that writes byte by byte needs few steps.
const PIECE_TIME: Duration = Duration::from_millis(1);

/// No output is added to a step whose output has this size, in bytes, or more.
const PIECE_SIZE: usize = 64 << 10;

/// Number of bytes that a run keeps of the end of a stderr: few, because they come after the last lines of both programs.
const RUN_STDERR_END: usize = 4 << 10;

/// What both programs wrote and what happened to them, up to a maximum size.
#[derive(Debug)]
pub(crate) struct Interaction {
    start: Instant,
    steps: Vec<Step>,
    /// Number of bytes left for the record; `None` once a step did not fit, so that nothing more is recorded.
    pub(crate) bytes_left: Option<usize>,
    /// The stderr of each process of the bot.
    stderr: Vec<KeptStderr>,
    /// Number of bytes that are kept of the end of each stderr.
    stderr_end: usize,
    /// Whether the record has all of the stderr of both programs, not only the beginning and the end of the bot's.
    pub(crate) has_all_stderr: bool,
    /// Whether each step says which process of the bot it is about.
    pub(crate) has_several_processes: bool,
}

/// An event of one program: what the program did, or what the judge did to it. [`Event::Received`] has the bytes that
/// the program wrote, which are not always whole lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Step {
    /// The time since the start of the bot, in a game since the start of the game.
    #[serde(rename = "ns", with = "nanos")]
    pub(crate) at: Duration,
    #[serde(rename = "seat")]
    pub(crate) side: Side,
    /// Which process of the bot this is, or gets these bytes of the interactor, counted from 0; `None` if the bot has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) process: Option<usize>,
    #[serde(flatten)]
    pub(crate) event: Event,
}

impl Interaction {
    /// Returns an empty record of a conversation whose bot started at `start`. It holds at most `bytes_left` bytes;
    /// with `None` it records nothing, because the record of an earlier pass is not complete.
    pub(crate) fn new(start: Instant, bytes_left: Option<usize>) -> Self {
        Self {
            start,
            steps: Vec::new(),
            bytes_left,
            stderr: Vec::new(),
            stderr_end: RUN_STDERR_END,
            has_all_stderr: false,
            has_several_processes: false,
        }
    }

    /// Returns an empty record of a game of at most `bytes_left` bytes.
    pub(crate) fn of_game(bytes_left: usize) -> Self {
        Self { stderr_end: STDERR_KEPT, ..Self::new(Instant::now(), Some(bytes_left)) }
    }

    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    pub(crate) fn output(&self, side: Side) -> Vec<u8> {
        let steps = self.steps.iter().filter(|step| step.side == side);
        steps.flat_map(Step::written).copied().collect()
    }

    /// Returns the conversation as a sample of a problem package (`.interaction`): each line of the interactor after
    /// `<`, and each line of the bot after `>`, in the order in which the lines ended. Lines without an end come last.
    /// The bytes are those of the programs, in any encoding; a CR before the line end is left out.
    pub(crate) fn sample(&self) -> Vec<u8> {
        let mut sample = Vec::new();
        let mut unfinished: BTreeMap<(Option<usize>, Side), Vec<u8>> = BTreeMap::new();
        for step in &self.steps {
            let begun = unfinished.entry((step.process, step.side)).or_default();
            for part in step.written().split_inclusive(|&byte| byte == b'\n') {
                begun.extend_from_slice(part);
                if let Some(line) = begun.strip_suffix(b"\n") {
                    add_sample_line(&mut sample, step.side, line.strip_suffix(b"\r").unwrap_or(line));
                    begun.clear();
                }
            }
        }
        for ((_, side), line) in unfinished {
            if !line.is_empty() {
                add_sample_line(&mut sample, side, &line);
            }
        }
        sample
    }

    pub(crate) fn add(&mut self, SideEvent { side, seat, timed }: &SideEvent) {
        let (at, from) = (timed.at, (*side, *seat));
        let is_stderr = matches!(timed.event, Event::Stderr(_) | Event::StderrOmitted(_));
        if is_stderr
            && !self.has_all_stderr
            && (*side == Side::Interactor || !self.keeps(*seat, self.since_start(at), &timed.event))
        {
            return;
        }
        match &timed.event {
            Event::Received(bytes) => self.add_output(at, from, &bytes.0, Event::Received),
            Event::Stderr(bytes) => self.add_output(at, from, &bytes.0, Event::Stderr),
            Event::Limit(report) => self.add_limit(at, from, report),
            Event::StderrOmitted(_) | Event::Closed | Event::Exited(_) | Event::Killed => {
                self.push(at, from, timed.event.clone());
            }
            _ => {}
        }
    }

    /// Adds an event of a game.
    pub(crate) fn add_step(&mut self, step: &Step) {
        if self.has_all_stderr || self.keeps(0, step.at, &step.event) {
            self.push_step(step.clone());
        }
    }

    /// Adds the end of the bot's stderr.
    pub(crate) fn end(&mut self) {
        for (seat, mut stderr) in mem::take(&mut self.stderr).into_iter().enumerate() {
            let process = self.has_several_processes.then_some(seat);
            stderr.take_end().into_iter().for_each(|step| self.push_step(Step { process, ..step }));
        }
    }

    fn keeps(&mut self, seat: usize, at: Duration, event: &Event) -> bool {
        if self.stderr.len() <= seat {
            self.stderr.resize_with(seat + 1, || KeptStderr::new(self.stderr_end));
        }
        self.stderr[seat].keeps(at, event)
    }

    fn push_step(&mut self, step: Step) {
        let bytes = match &step.event {
            Event::Sent(bytes) | Event::Received(bytes) | Event::Stderr(bytes) => bytes.0.len(),
            _ => 0,
        };
        if self.reserve(size_of::<Step>() + bytes) {
            self.steps.push(step);
        }
    }

    fn since_start(&self, at: Instant) -> Duration {
        at.saturating_duration_since(self.start)
    }

    /// Records that the judge closes the input of a program now. Later calls for the same program do nothing.
    pub(crate) fn add_end_of_input(&mut self, now: Instant, side: Side) {
        if !self.steps.iter().any(|step| step.side == side && step.event == Event::InputEnded) {
            self.push(now, (side, 0), Event::InputEnded);
        }
    }

    fn push(&mut self, at: Instant, (side, seat): (Side, usize), event: Event) {
        if self.reserve(size_of::<Step>()) {
            // Other events of the interactor, and the end of inputs, are not about a single process of the bot.
            let is_of_seat = match side {
                Side::Bot => event != Event::InputEnded,
                Side::Interactor => matches!(event, Event::Received(_) | Event::Closed),
            };
            let process = (self.has_several_processes && is_of_seat).then_some(seat);
            self.steps.push(Step { at: self.since_start(at), side, process, event });
        }
    }

    /// Reserves bytes for the record. Returns false if fewer are left; then nothing more is recorded.
    fn reserve(&mut self, bytes: usize) -> bool {
        self.bytes_left = self.bytes_left.and_then(|left| left.checked_sub(bytes));
        self.bytes_left.is_some()
    }

    /// Adds output of a program in a seat to the stream whose events `event` makes.
    fn add_output(&mut self, at: Instant, from: (Side, usize), output: &[u8], event: fn(Bytes) -> Event) {
        if !self.reserve(output.len()) {
            return;
        }
        let since_start = self.since_start(at);
        let new = event(Bytes(output.to_vec()));
        if let Some(Step { at: first, side, process, event: last }) = self.steps.last_mut()
            && (*side, process.unwrap_or(0)) == from
            && discriminant(last) == discriminant(&new)
            && since_start.saturating_sub(*first) < PIECE_TIME
            && let Event::Received(piece) | Event::Stderr(piece) = last
            && piece.0.len() < PIECE_SIZE
        {
            piece.0.extend_from_slice(output);
            return;
        }
        self.push(at, from, new);
    }

    /// Adds a limit. Two programs that sleep reach their idle limits in turn, again and again. So a limit is not added
    /// if one of the last two steps is the program's latest step and has the same limit.
    fn add_limit(&mut self, at: Instant, from: (Side, usize), report: &LimitReport) {
        let latest =
            self.steps.iter().rev().take(2).find(|step| (step.side, step.process.unwrap_or(0)) == from);
        let is_same =
            |step: &Step| matches!(&step.event, Event::Limit(latest) if latest.limit == report.limit);
        if !latest.is_some_and(is_same) && self.reserve(report.unfinished.0.len()) {
            self.push(at, from, Event::Limit(report.clone()));
        }
    }
}

/// The stderr of a bot: the beginning is kept as it is received, the end until the conversation is over.
#[derive(Debug)]
pub(crate) struct KeptStderr {
    beginning: usize,
    /// The last bytes, not counting those of the beginning.
    end: StderrExcerpt,
    end_time: Duration,
}

impl Default for KeptStderr {
    fn default() -> Self {
        Self::new(STDERR_KEPT)
    }
}

impl KeptStderr {
    fn new(end: usize) -> Self {
        Self { beginning: 0, end: StderrExcerpt::new(0, end), end_time: Duration::ZERO }
    }

    /// Returns whether to keep an event now. Otherwise [`take_end`](Self::take_end) returns what is kept of it.
    pub(crate) fn keeps(&mut self, at: Duration, event: &Event) -> bool {
        match event {
            Event::Stderr(text) if self.beginning < STDERR_KEPT => {
                self.beginning += text.0.len();
                return true;
            }
            Event::Stderr(text) => self.end.extend(&text.0),
            Event::StderrOmitted(omitted) => self.end.omit(*omitted),
            _ => return true,
        }
        self.end_time = at;
        false
    }

    pub(crate) fn take_end(&mut self) -> Vec<Step> {
        let Self { end, end_time, .. } = mem::take(self);
        end.into_events().map(|event| Step::of_game(end_time, event)).collect()
    }
}

impl Step {
    /// Returns an event of the bot of a game.
    pub(crate) fn of_game(at: Duration, event: Event) -> Self {
        Self { at, side: Side::Bot, process: None, event }
    }

    /// Returns what the program wrote; nothing if the step is not output.
    pub(crate) fn written(&self) -> &[u8] {
        match &self.event {
            Event::Received(bytes) => &bytes.0,
            _ => &[],
        }
    }
}

fn add_sample_line(sample: &mut Vec<u8>, side: Side, line: &[u8]) {
    sample.push(match side {
        Side::Bot => b'>',
        Side::Interactor => b'<',
    });
    sample.extend_from_slice(line);
    sample.push(b'\n');
}

#[cfg(test)]
mod tests {
    use runner::event::{Limit, TimedEvent};
    use runner::stderr_excerpt::Omitted;

    use super::*;

    /// A time in microseconds, and the bytes that a program wrote then.
    type Output<'a> = (u64, Side, &'a [u8]);

    fn written(room: usize, output: &[Output<'_>]) -> Interaction {
        let start = Instant::now();
        let mut interaction = Interaction::new(start, Some(room));
        for &(micros, side, bytes) in output {
            let at = start + Duration::from_micros(micros);
            interaction.add_output(at, (side, 0), bytes, Event::Received);
        }
        interaction
    }

    fn assert_pieces(interaction: &Interaction, expected: &[Output<'_>]) {
        let micros = |step: &Step| u64::try_from(step.at.as_micros()).unwrap();
        let pieces = interaction.steps().iter().map(|step| (micros(step), step.side, step.written()));
        assert_eq!(pieces.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn output_is_joined_if_nothing_came_between() {
        use Side::{Bot, Interactor};
        let begun: [Output<'_>; 3] = [(10, Bot, b"1"), (500, Bot, b"2\n"), (700, Interactor, b"\xff\n")];
        assert_pieces(&written(usize::MAX, &begun), &[(10, Bot, b"12\n"), (700, Interactor, b"\xff\n")]);
        let slow: [Output<'_>; 2] = [(800, Bot, b"3"), (1800, Bot, b"4\n")];
        assert_pieces(&written(usize::MAX, &slow), &slow);
    }

    /// A program that writes byte by byte needs few pieces, and a large piece is not joined.
    #[test]
    fn bounds_of_pieces() {
        let half = vec![b'x'; PIECE_SIZE / 2];
        let byte_by_byte: Vec<Output<'_>> = (0..100_000).map(|at| (at, Side::Bot, &b"x"[..])).collect();
        for (output, count, size) in
            [(byte_by_byte, 100, 1000), (vec![(0, Side::Bot, &half[..]); 4], 2, PIECE_SIZE)]
        {
            let interaction = written(usize::MAX, &output);
            let sizes: Vec<usize> = interaction.steps().iter().map(|step| step.written().len()).collect();
            assert_eq!(sizes, vec![size; count]);
        }
    }

    #[test]
    fn a_record_ends_before_the_first_step_without_room() {
        use Side::{Bot, Interactor};
        let room = 2 * size_of::<Step>() + 10;
        let begun: [Output<'_>; 3] = [(0, Bot, b"12"), (0, Bot, b"34\n"), (0, Interactor, b"5")];
        let left_out: [Output<'_>; 2] = [(0, Interactor, b"67890"), (0, Interactor, b"\n")];
        let mut interaction = written(room, &[&begun[..], &left_out].concat());
        interaction.add_end_of_input(Instant::now(), Bot);
        assert_pieces(&interaction, &[(0, Bot, b"1234\n"), (0, Interactor, b"5")]);
        assert_eq!(interaction.bytes_left, None);
    }

    #[test]
    fn a_sample_has_the_lines_of_both_programs() {
        use Side::{Bot, Interactor};
        let samples: [(&[Output<'_>], &[u8]); 4] = [
            (&[], b""),
            (&[(0, Interactor, b"1 2\r\n\n"), (0, Bot, b"? 1\n")], b"<1 2\n<\n>? 1\n"),
            // Lines are ordered by their ends, not by their beginnings.
            (&[(0, Bot, b"? "), (0, Interactor, b"5\n"), (0, Bot, b"1\n")], b"<5\n>? 1\n"),
            // Last lines without an end, and bytes that are not UTF-8.
            (&[(0, Bot, b"! 7"), (0, Interactor, b"\xff\nend")], b"<\xff\n>! 7\n<end\n"),
        ];
        for (output, expected) in samples {
            assert_eq!(written(usize::MAX, output).sample(), expected);
        }
    }

    /// The beginning of stderr is recorded where it came, apart from the lines, and the end at the end.
    #[test]
    fn stderr_between_the_lines() {
        use Side::{Bot, Interactor};
        let received = |text: &str| Event::Received(Bytes(text.into()));
        let stderr = |text: &str| Event::Stderr(Bytes(text.into()));
        let kept = || stderr(&"\n".repeat(STDERR_KEPT));
        let mut interaction = written(usize::MAX, &[]);
        let mut add = |side, event| {
            let timed = TimedEvent { at: Instant::now(), event };
            interaction.add(&SideEvent { side, seat: 0, timed });
        };
        add(Bot, received("1\n"));
        add(Bot, stderr("asked 1\n"));
        add(Interactor, stderr("no row"));
        add(Bot, received("2\n"));
        add(Bot, kept());
        add(Bot, stderr("cause"));
        add(Bot, kept());
        add(Bot, received("3\n"));
        interaction.end();
        let events: Vec<Event> = interaction.steps().iter().map(|step| step.event.clone()).collect();
        let lines = (STDERR_KEPT - RUN_STDERR_END) as u64;
        let omitted = Event::StderrOmitted(Omitted { bytes: lines + 5, lines });
        let begun = [received("1\n"), stderr("asked 1\n"), received("2\n"), kept(), received("3\n")];
        assert_eq!(events, [&begun[..], &[omitted, stderr(&"\n".repeat(RUN_STDERR_END))]].concat());
        assert_eq!(interaction.sample(), b">1\n>2\n>3\n");
    }

    #[test]
    fn a_repeated_limit_or_end_of_input_is_recorded_once() {
        let mut interaction = written(usize::MAX, &[]);
        let start = interaction.start;
        for limit in [Limit::Idle, Limit::Idle, Limit::Cpu] {
            for side in Side::BOTH {
                interaction.add_limit(start, (side, 0), &LimitReport::new(limit));
            }
        }
        for side in [Side::Bot, Side::Bot, Side::Interactor] {
            interaction.add_end_of_input(start, side);
        }
        let sides: Vec<Side> = interaction.steps().iter().map(|step| step.side).collect();
        assert_eq!(sides, Side::BOTH.repeat(3));
    }
}
