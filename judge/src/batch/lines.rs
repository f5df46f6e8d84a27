//! The lines of an input that may never end, and whose lines may be too long.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::time::Duration;

use runner::interrupt::interrupted;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

/// Maximum length of a line, in bytes.
pub(crate) const MAX_LINE: u64 = 64 << 20;

/// How often an interrupt is looked for while there is no input.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A file, a pipe or a terminal that ends at an interrupt.
pub(crate) struct Interruptible(pub(crate) File);

impl Read for Interruptible {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let timeout = Timespec::try_from(POLL_INTERVAL).map_err(io::Error::other)?;
        while !interrupted() {
            match poll(&mut [PollFd::new(&self.0, PollFlags::IN)], Some(&timeout)) {
                Ok(0) | Err(Errno::INTR) => {}
                Ok(_) => return self.0.read(buffer),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(0)
    }
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Text(Vec<u8>),
    /// The line has more than [`MAX_LINE`] bytes.
    TooLong,
}

/// The lines that are not blank, each with its number.
pub(crate) struct Lines<R> {
    input: BufReader<R>,
    max: u64,
    number: u64,
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(input: R) -> Self {
        Self { input: BufReader::with_capacity(1 << 16, input), max: MAX_LINE, number: 0 }
    }

    /// Reads the next line. Never holds more than the maximum length of a line.
    fn read(&mut self) -> io::Result<Option<Line>> {
        let mut text = Vec::new();
        let size = self.input.by_ref().take(self.max + 1).read_until(b'\n', &mut text)?;
        if text.ends_with(b"\n") {
            text.pop();
        } else if size as u64 > self.max {
            drop(text);
            self.input.skip_until(b'\n')?;
            return Ok(Some(Line::TooLong));
        }
        Ok((size > 0).then_some(Line::Text(text)))
    }
}

impl<R: Read> Iterator for Lines<R> {
    type Item = io::Result<(u64, Line)>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let line = self.read().transpose()?;
            self.number += 1;
            match line {
                Ok(Line::Text(text)) if text.trim_ascii().is_empty() => {}
                line => return Some(line.map(|line| (self.number, line))),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_left_out() {
        let text = |text: &str| Line::Text(text.as_bytes().to_vec());
        for (input, expected) in [
            ("", vec![]),
            ("12345\n\n \nab", vec![(1, text("12345")), (4, text("ab"))]),
            (
                "123456\n1\n123456789012\n2\n",
                vec![(1, Line::TooLong), (2, text("1")), (3, Line::TooLong), (4, text("2"))],
            ),
            ("12345", vec![(1, text("12345"))]),
            ("123456", vec![(1, Line::TooLong)]),
        ] {
            let lines = Lines { max: 5, ..Lines::new(input.as_bytes()) };
            assert_eq!(lines.map(Result::unwrap).collect::<Vec<_>>(), expected, "{input:?}");
        }
    }
}
