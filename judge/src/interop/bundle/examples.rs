//! Examples in documentation: they are tests.

use std::ops::Range;

/// Reads documentation line by line, and tells its examples from the rest.
#[derive(Default)]
pub(super) struct Examples {
    fence: Fence,
    /// The last line, if it was blank.
    blank: Option<Range<usize>>,
}

/// A block of code.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Fence {
    #[default]
    None,
    /// In Rust, which is run.
    Example,
    Other,
}

impl Examples {
    /// The part of the text that belongs to an example, if the next line, which stands at `place`, is in one.
    /// The blank line before it goes with it.
    pub(super) fn next(&mut self, line: &str, place: Range<usize>) -> Option<Range<usize>> {
        let (line, before, blank) = (line.trim(), self.fence, self.blank.take());
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
        if self.fence == Fence::Example {
            return Some(blank.map_or(place.start, |blank| blank.start)..place.end);
        }
        if line.is_empty() {
            self.blank = Some(place);
        }
        None
    }
}
