//! Documentation for those who call the library: examples, which are tests, and what errors there are.

use std::ops::Range;

/// The headings of sections that only who calls the library reads.
const HEADINGS: [&str; 2] = ["# Errors", "# Panics"];

/// Reads the documentation in a text line by line, and finds what only those need who call the library.
pub(super) struct ApiDocs<'a> {
    text: &'a str,
    fence: Fence,
    /// Whether a section for callers has begun.
    is_in_section: bool,
    /// Where the last line ends.
    end: usize,
    /// The last line, if it was blank.
    blank: Option<Range<usize>>,
}

/// A block of code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fence {
    None,
    /// In Rust, which is run.
    Example,
    Other,
}

impl<'a> ApiDocs<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { text, fence: Fence::None, is_in_section: false, end: 0, blank: None }
    }

    /// The part of the text that belongs to an example or such a section, if the next line, which stands at
    /// `place`, is in one. The blank line before it goes with it.
    pub(super) fn next(&mut self, line: &str, place: Range<usize>) -> Option<Range<usize>> {
        let (line, before, mut blank) = (line.trim(), self.fence, self.blank.take());
        // A blank line would be `///`: only blanks between two lines are within one comment.
        let is_new = self.text.get(self.end..place.start).is_none_or(|gap| !gap.trim().is_empty());
        self.end = place.end;
        if is_new {
            blank = None;
            self.is_in_section = false;
        }
        if line.starts_with('#') && before == Fence::None {
            self.is_in_section = HEADINGS.contains(&line);
        }
        if let Some(language) = line.strip_prefix("```") {
            self.fence = match before {
                Fence::None if matches!(language, "" | "rust") => Fence::Example,
                Fence::None => Fence::Other,
                Fence::Example | Fence::Other => Fence::None,
            };
        }
        if before == Fence::Example {
            return Some(place);
        }
        // A blank line between two parts goes with the second.
        if self.fence == Fence::Example || self.is_in_section && !line.is_empty() {
            return Some(blank.map_or(place.start, |blank| blank.start)..place.end);
        }
        if line.is_empty() {
            self.blank = Some(place);
        }
        None
    }
}
