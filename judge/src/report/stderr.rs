//! What a bot wrote to stderr, for a person: its first lines and its last ones.

use common::escape::printable;
use runner::stderr_excerpt::{Omitted, StderrExcerpt};

/// How many lines of the beginning, and of the end, are shown.
const SHOWN_LINES: usize = 50;

/// The longest line that is shown, in bytes.
const SHOWN_WIDTH: usize = 500;

/// The lines to show, control characters escaped. A line in brackets names what is left out.
pub(crate) fn shown_lines(stderr: &StderrExcerpt) -> Vec<String> {
    let (head, tail) = match stderr.whole() {
        Some(text) if text.is_empty() => return Vec::new(),
        Some(text) => {
            let mut lines = lines(text.trim_ascii_end());
            let tail = lines.split_off(lines.len().min(SHOWN_LINES));
            (lines, tail)
        }
        None => {
            let tail: Vec<u8> = stderr.tail.iter().copied().collect();
            (lines(&stderr.head), lines(tail.trim_ascii_end()))
        }
    };
    let (first, more) = head.split_at(head.len().min(SHOWN_LINES));
    let (less, last) = tail.split_at(tail.len().saturating_sub(SHOWN_LINES));
    let mut omitted = stderr.omitted;
    for line in more.iter().chain(less) {
        omitted.lines = omitted.lines.saturating_add(1);
        omitted.bytes = omitted.bytes.saturating_add(line.len() as u64 + 1);
    }
    let note = (omitted.bytes > 0).then(|| note(omitted));
    first.iter().map(|line| shown(line)).chain(note).chain(last.iter().map(|line| shown(line))).collect()
}

fn lines(text: &[u8]) -> Vec<Vec<u8>> {
    text.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
}

fn shown(line: &[u8]) -> String {
    let cut = if line.len() > SHOWN_WIDTH { "..." } else { "" };
    let text = String::from_utf8_lossy(&line[..line.len().min(SHOWN_WIDTH)]).into_owned();
    format!("{}{cut}", printable(&text))
}

fn note(Omitted { bytes, lines }: Omitted) -> String {
    format!("[{bytes} bytes left out here, {lines} line ends among them; judge run --stderr DIR keeps them]")
}
