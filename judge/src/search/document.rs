//! Guesses the structure of an input: lines of tokens, and numbers that count lines, tokens or bytes of the input.
//!
//! For each guess of what a number counts there is a [`Plan`]. A plan can remove some of the counted items and reduce
//! the number accordingly. There are three more plans that change no number: for lines, for tokens and for bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Maximum number of tokens, bytes or numbers that are changed at a time, so that a large input does not use up the
/// memory.
pub(crate) const MAX_ITEMS: usize = 1 << 20;

/// The index of a line, and the index of a token in that line.
pub(crate) type Place = (usize, usize);

/// An input as lines of tokens.
pub(crate) struct Document<'a> {
    lines: Vec<&'a [u8]>,
    /// The number of lines up to the last one that is not blank.
    used: usize,
    /// Whether the last line has a line end.
    is_ended: bool,
    /// The number of bytes.
    size: usize,
}

/// A token that is replaced, or removed if `new` is `None`.
pub(crate) struct Edit {
    place: Place,
    new: Option<Vec<u8>>,
}

impl Edit {
    pub(crate) fn replace(place: Place, new: impl Into<Vec<u8>>) -> Self {
        Self { place, new: Some(new.into()) }
    }
}

fn tokens(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty())
}

fn number(token: &[u8]) -> Option<i128> {
    /// Maximum length of a number, so that no calculation overflows.
    const MAX_LENGTH: usize = 38;
    let is_digit = |byte: &u8| byte.is_ascii_digit() || *byte == b'-';
    let is_number = token.len() <= MAX_LENGTH && token.iter().all(is_digit);
    std::str::from_utf8(token).ok().filter(|_| is_number)?.parse().ok()
}

impl<'a> Document<'a> {
    pub(crate) fn new(input: &'a [u8]) -> Self {
        let is_ended = input.ends_with(b"\n");
        let text = input.strip_suffix(b"\n").unwrap_or(input);
        let lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
        let used = lines.iter().rposition(|line| tokens(line).next().is_some()).map_or(0, |last| last + 1);
        Self { lines, used, is_ended, size: input.len() }
    }

    /// Returns the numbers of the input with their places.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = (Place, i128)> {
        let lines = self.lines.iter().enumerate();
        lines.flat_map(|(line, text)| {
            let numbers = tokens(text).enumerate();
            numbers.filter_map(move |(token, text)| Some(((line, token), number(text)?)))
        })
    }

    /// Returns the number of tokens of a line.
    fn width(&self, line: usize) -> usize {
        tokens(self.lines[line]).count()
    }

    fn token(&self, (line, token): Place) -> Option<&'a [u8]> {
        tokens(self.lines.get(line)?).nth(token)
    }

    /// Returns the number at the place if it may be a count: if it is from 1 to the size of the input in bytes.
    fn count(&self, place: Place) -> Option<usize> {
        let number = number(self.token(place)?).and_then(|number| usize::try_from(number).ok())?;
        (1..=self.size).contains(&number).then_some(number)
    }

    /// Returns the possible counts among the first tokens of the first `max_lines` lines, with their places.
    fn counts(&self, max_lines: usize) -> impl Iterator<Item = (Place, usize)> {
        /// Number of tokens at the beginning of a line that may be counts.
        const MAX_TOKENS: usize = 4;
        let places =
            (0..self.used.min(max_lines)).flat_map(|line| (0..MAX_TOKENS).map(move |token| (line, token)));
        places.filter_map(|place| Some((place, self.count(place)?)))
    }

    /// Returns the input without the lines `removed`, and with `edits` made in the other lines.
    pub(crate) fn with(&self, removed: &[Range<usize>], mut edits: Vec<Edit>) -> Vec<u8> {
        let mut is_removed = vec![false; self.lines.len()];
        removed.iter().cloned().flatten().for_each(|line| is_removed[line] = true);
        edits.sort_by_key(|edit| edit.place);
        let mut edits = edits.into_iter().peekable();
        let mut output = Vec::new();
        for (line, &text) in self.lines.iter().enumerate() {
            if is_removed[line] {
                continue;
            }
            if edits.peek().is_some_and(|edit| edit.place.0 == line) {
                let start = output.len();
                for (token, text) in tokens(text).enumerate() {
                    let edit = edits.next_if(|edit| edit.place == (line, token)).map(|edit| edit.new);
                    let new = match &edit {
                        None => text,
                        Some(None) => continue,
                        Some(Some(new)) => new,
                    };
                    if output.len() > start {
                        output.push(b' ');
                    }
                    output.extend(new);
                }
            } else {
                output.extend(text);
            }
            output.push(b'\n');
        }
        if !self.is_ended {
            output.pop();
        }
        output
    }
}

/// What is removed from each line of an item.
#[derive(Clone, Copy)]
enum Part {
    Line,
    /// The token with this index.
    Token(usize),
    /// A byte: the index of its token, and the index of the byte in the token.
    Byte(usize, usize),
}

/// A part of the input that is removed as a whole.
struct Item {
    lines: Range<usize>,
    part: Part,
    /// The place of the number that counts this item.
    count: Option<Place>,
}

/// A guess of the parts of which an input consists.
pub(crate) struct Plan {
    items: Vec<Item>,
}

impl Plan {
    /// Returns the number of items.
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// Makes a plan in which each range of lines is an item that `count` counts.
    fn of_lines(lines: impl IntoIterator<Item = Range<usize>>, count: Option<Place>) -> Self {
        let item = |lines| Item { lines, part: Part::Line, count };
        Self { items: lines.into_iter().map(item).take(MAX_ITEMS).collect() }
    }

    /// Makes a plan in which each line of a section is an item, counted by the number at the place of the section.
    fn of_sections(sections: &[(Range<usize>, Place)]) -> Self {
        let plans =
            sections.iter().map(|(lines, count)| Self::of_lines(each_line(lines.clone()), Some(*count)));
        Self { items: plans.flat_map(|plan| plan.items).collect() }
    }

    /// Makes a plan in which the tokens of the lines are removed column by column.
    fn of_columns(lines: &Range<usize>, columns: Range<usize>, count: Option<Place>) -> Self {
        let item = |token| Item { lines: lines.clone(), part: Part::Token(token), count };
        Self { items: columns.map(item).take(MAX_ITEMS).collect() }
    }

    /// Makes a plan in which each item is the index of a byte. Bytes with this index are removed from the token with
    /// index `token` of each line.
    fn of_bytes(lines: &Range<usize>, token: usize, bytes: Range<usize>, count: Option<Place>) -> Self {
        let item = |byte| Item { lines: lines.clone(), part: Part::Byte(token, byte), count };
        Self { items: bytes.map(item).take(MAX_ITEMS).collect() }
    }

    /// Returns the input without the items with these indices.
    pub(crate) fn without(&self, document: &Document<'_>, indices: &[usize]) -> Vec<u8> {
        let mut lines = Vec::new();
        let mut edits = Vec::new();
        let mut bytes: BTreeMap<Place, BTreeSet<usize>> = BTreeMap::new();
        let mut removed: BTreeMap<Place, usize> = BTreeMap::new();
        for &index in indices {
            let item = &self.items[index];
            let item_lines = item.lines.clone();
            match item.part {
                Part::Line => lines.push(item_lines),
                Part::Token(token) => {
                    edits.extend(item_lines.map(|line| Edit { place: (line, token), new: None }));
                }
                Part::Byte(token, byte) => item_lines.for_each(|line| {
                    bytes.entry((line, token)).or_default().insert(byte);
                }),
            }
            if let Some(count) = item.count {
                *removed.entry(count).or_default() += 1;
            }
        }
        for (place, removed) in bytes {
            let text = document.token(place).unwrap_or_default().iter().enumerate();
            let left = text.filter(|(byte, _)| !removed.contains(byte)).map(|(_, &text)| text);
            edits.push(Edit::replace(place, left.collect::<Vec<u8>>()));
        }
        for (place, removed) in removed {
            let left = document.count(place).unwrap_or(0).saturating_sub(removed);
            edits.push(Edit::replace(place, left.to_string()));
        }
        document.with(&lines, edits)
    }
}

/// Returns a range for each line.
fn each_line(lines: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    lines.map(|line| line..line + 1)
}

/// Returns the plans that remove lines.
pub(crate) fn line_plans(document: &Document<'_>) -> Vec<Plan> {
    /// Number of lines at the beginning of the input that may have a count of lines.
    const MAX_LINES: usize = 4;
    let mut plans = Vec::new();
    let used = document.used;
    for (place, count) in document.counts(MAX_LINES) {
        let (line, token) = place;
        let first = line + 1;
        let rest = used - first;
        if count == rest {
            plans.push(Plan::of_lines(each_line(first..used), Some(place)));
            continue;
        }
        if (2..=rest).contains(&count) && rest.is_multiple_of(count) {
            let size = rest / count;
            let blocks = (0..count).map(|block| first + block * size..first + (block + 1) * size);
            plans.push(Plan::of_lines(blocks, Some(place)));
        }
        if count >= 2 {
            plans.extend(counted_blocks(document, place, count));
        }
        // Two sections. The second count is after the first section, or in the same line as the first count.
        let next = (first + count, 0);
        if document.count(next).is_some_and(|second| next.0 + 1 + second == used) {
            plans.push(Plan::of_sections(&[(first..next.0, place), (next.0 + 1..used, next)]));
        }
        let second = (line, token + 1);
        if document.count(second).is_some_and(|second| count + second == rest) {
            let middle = first + count;
            plans.push(Plan::of_sections(&[(first..middle, place), (middle..used, second)]));
        }
    }
    plans.push(Plan::of_lines(each_line(0..document.lines.len()), None));
    plans
}

/// Returns two plans if `count` blocks of lines follow `place` and each block begins with the number of its further
/// lines. One plan removes blocks, and the other removes lines of blocks.
fn counted_blocks(document: &Document<'_>, place: Place, count: usize) -> Vec<Plan> {
    /// Number of tokens at the beginning of a block's first line that may be the count of its further lines.
    const MAX_TOKENS: usize = 3;
    let blocks = |token| {
        let mut blocks: Vec<Range<usize>> = Vec::new();
        let mut start = place.0 + 1;
        while blocks.len() < count {
            let end = document.count((start, token))?.checked_add(start + 1)?;
            blocks.push(start..end);
            start = end;
        }
        (start == document.used).then_some((token, blocks))
    };
    let Some((token, blocks)) = (0..MAX_TOKENS).find_map(blocks) else { return Vec::new() };
    let sections: Vec<_> =
        blocks.iter().map(|block| (block.start + 1..block.end, (block.start, token))).collect();
    vec![Plan::of_lines(blocks, Some(place)), Plan::of_sections(&sections)]
}

/// Number of lines at the beginning of the input that may have a count of tokens or bytes.
const MAX_COUNT_LINES: usize = 8;

/// Returns the first line after `count` that `is_counted` accepts, and all accepted lines that follow it directly;
/// `None` if `is_counted` accepts none of the first `MAX_DISTANCE` lines after `count`.
fn counted_lines(
    document: &Document<'_>,
    count: Place,
    is_counted: impl Fn(usize) -> bool,
) -> Option<Range<usize>> {
    /// Number of lines after `count` among which the first accepted line must be.
    const MAX_DISTANCE: usize = 3;
    let near = count.0 + 1..document.used.min(count.0 + 1 + MAX_DISTANCE);
    let first = near.into_iter().find(|&line| is_counted(line))?;
    let end = (first..document.used).find(|&line| !is_counted(line));
    Some(first..end.unwrap_or(document.used))
}

/// Returns the plans that remove tokens.
pub(crate) fn token_plans(document: &Document<'_>) -> Vec<Plan> {
    let mut plans = Vec::new();
    for (place, count) in document.counts(MAX_COUNT_LINES) {
        let (line, token) = place;
        if document.width(line) == token + 1 + count {
            plans.push(Plan::of_columns(&(line..line + 1), token + 1..token + 1 + count, Some(place)));
        }
        if let Some(lines) = counted_lines(document, place, |line| document.width(line) == count) {
            plans.push(Plan::of_columns(&lines, 0..count, Some(place)));
        }
    }
    let of_line = |line| Plan::of_columns(&(line..line + 1), 0..document.width(line), None).items;
    plans.push(Plan { items: (0..document.used).flat_map(of_line).take(MAX_ITEMS).collect() });
    plans
}

/// Returns the plans that remove bytes. The last plan removes bytes of all tokens that are not numbers. Each other plan
/// removes bytes of tokens that are alone in their line and whose length is a count.
pub(crate) fn byte_plans(document: &Document<'_>) -> Vec<Plan> {
    let mut plans = Vec::new();
    for (place, count) in document.counts(MAX_COUNT_LINES).filter(|&(_, count)| count >= 2) {
        let is_counted = |line| {
            document.width(line) == 1 && document.token((line, 0)).is_some_and(|text| text.len() == count)
        };
        if let Some(lines) = counted_lines(document, place, is_counted) {
            plans.push(Plan::of_bytes(&lines, 0, 0..count, Some(place)));
        }
    }
    let of_line = |line: usize| {
        let words = tokens(document.lines[line]).enumerate();
        let words = words.filter(|(_, text)| text.len() >= 2 && number(text).is_none());
        words.flat_map(move |(token, text)| {
            Plan::of_bytes(&(line..line + 1), token, 0..text.len(), None).items
        })
    };
    plans.push(Plan { items: (0..document.used).flat_map(of_line).take(MAX_ITEMS).collect() });
    plans
}
