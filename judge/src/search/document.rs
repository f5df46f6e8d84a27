//! Guesses the structure of an input: lines of tokens, and numbers that count lines, tokens or bytes of the input.
//!
//! For each guess of what a number counts there is a [`RemovalPlan`]: the counted items, some of which can be removed while the
//! number is reduced accordingly. There are three more plans that change no number: for lines, for tokens and for bytes.

use std::ops::Range;

use itertools::Itertools;

/// Maximum number of lines, tokens or items that are looked at, so that a large input does not use up the memory.
const MAX_ITEMS: usize = 1 << 20;

/// Number of tokens at the beginning of a line that may be counts.
const MAX_TOKENS: usize = 4;

/// An input as lines of tokens. A token is named by its index among all tokens.
pub(crate) struct Document<'a> {
    text: &'a [u8],
    lines: Vec<Line>,
    tokens: Vec<Range<usize>>,
    /// The number of lines up to the last one that is not blank.
    used: usize,
}

struct Line {
    bytes: Range<usize>,
    tokens: Range<usize>,
}

/// A part of an input that is removed as a whole.
#[derive(Clone)]
pub(crate) struct Item {
    bytes: Vec<Range<usize>>,
    /// The token of the number that counts this item and others.
    count: Option<usize>,
}

/// A guess of the parts of which an input consists.
pub(crate) type RemovalPlan = Vec<Item>;

fn each(bytes: impl IntoIterator<Item = Range<usize>>, count: Option<usize>) -> RemovalPlan {
    bytes.into_iter().map(|bytes| Item { bytes: vec![bytes], count }).collect()
}

type Edit = (Range<usize>, Vec<u8>);

fn number(token: &[u8]) -> Option<i128> {
    /// Maximum length of a number, so that no calculation overflows.
    const MAX_LENGTH: usize = 38;
    let is_digit = |byte: &u8| byte.is_ascii_digit() || *byte == b'-';
    let is_number = token.len() <= MAX_LENGTH && token.iter().all(is_digit);
    std::str::from_utf8(token).ok().filter(|_| is_number)?.parse().ok()
}

impl<'a> Document<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Self {
        let (mut lines, mut tokens, mut start) = (Vec::new(), Vec::new(), 0);
        for line in text.split_inclusive(|&byte| byte == b'\n').take(MAX_ITEMS) {
            let (bytes, first_token) = (start..start + line.len(), tokens.len());
            for word in line.split(u8::is_ascii_whitespace) {
                if !word.is_empty() && tokens.len() < MAX_ITEMS {
                    tokens.push(start..start + word.len());
                }
                start += word.len() + 1;
            }
            start = bytes.end;
            lines.push(Line { bytes, tokens: first_token..tokens.len() });
        }
        let used = lines.iter().rposition(|line| !line.tokens.is_empty()).map_or(0, |last| last + 1);
        Self { text, lines, tokens, used }
    }

    pub(crate) fn numbers(&self) -> impl Iterator<Item = (usize, i128)> {
        (0..self.tokens.len()).filter_map(|token| Some((token, number(self.token(token)?)?)))
    }

    fn token(&self, token: usize) -> Option<&'a [u8]> {
        self.text.get(self.tokens.get(token)?.clone())
    }

    /// Returns the number at the token if it may be a count: if it is from 1 to the size of the input in bytes.
    fn count(&self, token: usize) -> Option<usize> {
        let number = number(self.token(token)?).and_then(|number| usize::try_from(number).ok())?;
        (1..=self.text.len()).contains(&number).then_some(number)
    }

    /// Returns the number at a token of a line if it may be a count, with the index of the token among all tokens.
    fn count_in(&self, line: usize, token: usize) -> Option<(usize, usize)> {
        let token = self.lines.get(line)?.tokens.clone().nth(token)?;
        Some((token, self.count(token)?))
    }

    /// Returns the possible counts at line starts: the line, the token in it and among all, and the number.
    fn counts(&self, max_lines: usize) -> impl Iterator<Item = (usize, usize, usize, usize)> {
        let places =
            (0..self.used.min(max_lines)).flat_map(|line| (0..MAX_TOKENS).map(move |token| (line, token)));
        places.filter_map(|(line, at)| {
            let (token, count) = self.count_in(line, at)?;
            Some((line, at, token, count))
        })
    }

    pub(crate) fn replace(&self, token: usize, new: impl Into<Vec<u8>>) -> Edit {
        (self.tokens.get(token).cloned().unwrap_or(0..0), new.into())
    }

    /// Returns the input with these edits. An edit of bytes that another edit removes has no effect.
    pub(crate) fn with(&self, mut edits: Vec<Edit>) -> Vec<u8> {
        edits.sort_by_key(|(bytes, _)| bytes.start);
        let (mut output, mut at) = (Vec::new(), 0);
        let copy = |output: &mut Vec<u8>, bytes: Range<usize>| {
            let is_in_line = bytes.start > 0 && self.text[bytes.start - 1] != b'\n';
            let begins_line = is_in_line && output.last().is_none_or(|&last| last == b'\n');
            let mut text = &self.text[bytes];
            // The first tokens of this line were removed, so remove the blanks before the next one.
            while let [b' ' | b'\t', rest @ ..] = text
                && begins_line
            {
                text = rest;
            }
            output.extend(text);
        };
        for (bytes, new) in edits {
            if bytes.start >= at {
                copy(&mut output, at..bytes.start);
                output.extend(new);
            }
            at = at.max(bytes.end);
        }
        copy(&mut output, at..self.text.len());
        if !self.text.ends_with(b"\n") && output.ends_with(b"\n") {
            output.pop();
        }
        output
    }

    pub(crate) fn without(&self, plan: &[Item], indices: &[usize]) -> Vec<u8> {
        let items = indices.iter().map(|&index| &plan[index]);
        let removed = items.clone().flat_map(|item| &item.bytes).map(|bytes| (bytes.clone(), Vec::new()));
        let counts = items.filter_map(|item| item.count).counts().into_iter().map(|(token, removed)| {
            let left = self.count(token).unwrap_or(0).saturating_sub(removed);
            self.replace(token, left.to_string())
        });
        self.with(removed.chain(counts).collect())
    }

    /// Returns the sections from the line `start` to the last used line, if each section begins with a line whose token
    /// `at` is the number of its further lines: this token among all, and these lines.
    fn sections(&self, mut start: usize, at: usize) -> Option<Vec<(usize, Range<usize>)>> {
        let mut sections = Vec::new();
        while start < self.used {
            let (token, count) = self.count_in(start, at)?;
            let end = (start + 1).checked_add(count).filter(|&end| end <= self.used)?;
            sections.push((token, start + 1..end));
            start = end;
        }
        Some(sections)
    }

    fn each_line(&self, lines: Range<usize>, count: Option<usize>) -> RemovalPlan {
        each(lines.map(|line| self.lines[line].bytes.clone()), count)
    }

    /// Returns the bytes of a block of lines.
    fn block(&self, lines: Range<usize>) -> Range<usize> {
        self.lines[lines.start].bytes.start..self.lines[lines.end - 1].bytes.end
    }

    /// Returns the bytes of each token of a line, with the blanks before or after it.
    fn words(&self, line: usize) -> impl ExactSizeIterator<Item = Range<usize>> {
        let tokens = &self.tokens[self.lines[line].tokens.clone()];
        let with_blanks =
            move |(at, token): (usize, &Range<usize>)| match (at.checked_sub(1), tokens.get(at + 1)) {
                (Some(before), _) => tokens[before].end..token.end,
                (None, Some(next)) => token.start..next.start,
                (None, None) => token.clone(),
            };
        tokens.iter().enumerate().map(with_blanks)
    }

    /// Returns each byte of the only token of a line; nothing if the line has several tokens.
    fn letters(&self, line: usize) -> impl ExactSizeIterator<Item = Range<usize>> {
        let tokens = &self.tokens[self.lines[line].tokens.clone()];
        let lone = tokens.iter().exactly_one().ok().filter(|token| token.len() <= MAX_ITEMS);
        lone.cloned().unwrap_or_default().map(|at| at..at + 1)
    }
}

pub(crate) fn line_plans(document: &Document<'_>) -> Vec<RemovalPlan> {
    /// Number of lines at the beginning of the input that may have a count of lines.
    const MAX_LINES: usize = 4;
    let mut plans = Vec::new();
    for (line, at, token, count) in document.counts(MAX_LINES) {
        let (first, rest) = (line + 1, document.used - line - 1);
        // The number counts sections of lines, which begin with their own counts or have equal lengths.
        let mut sections = (0..MAX_TOKENS).filter_map(|at| document.sections(first, at));
        if let Some(sections) = sections.find(|sections| sections.len() == count) {
            let sections = sections.into_iter().map(|(_, lines)| document.block(lines.start - 1..lines.end));
            plans.push(each(sections, Some(token)));
        } else if (1..=rest).contains(&count) && rest.is_multiple_of(count) {
            let starts = (first..document.used).step_by(rest / count);
            plans.push(each(starts.map(|start| document.block(start..start + rest / count)), Some(token)));
        }
        // The number counts the lines of a section, maybe with others after it.
        let sections = document.sections(line, at);
        plans.extend(sections.map(|sections| {
            sections.into_iter().flat_map(|(token, lines)| document.each_line(lines, Some(token))).collect()
        }));
        // The number counts the lines of one of two sections, and the number beside it those of the other.
        if let Some((second, _)) = document.count_in(line, at + 1).filter(|(_, other)| count + other == rest)
        {
            let [one, two] = [(first..first + count, token), (first + count..document.used, second)]
                .map(|(lines, token)| document.each_line(lines, Some(token)));
            plans.push([one, two].concat());
        }
    }
    plans.push(document.each_line(0..document.lines.len(), None));
    plans
}

/// Number of lines at the beginning of the input that may have a count of tokens or bytes.
const MAX_COUNT_LINES: usize = 8;

/// Returns the plans that remove columns of lines: a number counts the cells of each line.
fn column_plans<C: ExactSizeIterator<Item = Range<usize>>>(
    document: &Document<'_>,
    cells: impl Fn(usize) -> C,
) -> Vec<RemovalPlan> {
    /// Number of lines after the count among which the first counted line must be.
    const MAX_DISTANCE: usize = 3;
    let plan = |(line, _, token, count)| {
        let is_counted = |line: &usize| cells(*line).len() == count;
        let first = (line + 1..document.used).take(MAX_DISTANCE).find(is_counted)?;
        let counted = (first..document.used).take_while(is_counted).count();
        if counted.saturating_mul(count) > MAX_ITEMS {
            return None;
        }
        let lines = (first..first + counted).map(|line| cells(line).collect_vec()).collect_vec();
        let bytes = |at: usize| lines.iter().map(|cells| cells[at].clone()).collect();
        Some((0..count).map(|at| Item { bytes: bytes(at), count: Some(token) }).collect())
    };
    document.counts(MAX_COUNT_LINES).filter_map(plan).collect()
}

pub(crate) fn token_plans(document: &Document<'_>) -> Vec<RemovalPlan> {
    let mut plans = column_plans(document, |line| document.words(line));
    for (line, at, token, count) in document.counts(MAX_COUNT_LINES) {
        let words = document.words(line);
        if words.len() == at + 1 + count {
            plans.push(each(words.skip(at + 1), Some(token)));
        }
    }
    plans.push(each((0..document.used).flat_map(|line| document.words(line)), None));
    plans
}

/// The last plan removes bytes of all words. Each other removes bytes of lone tokens whose length is a count.
pub(crate) fn byte_plans(document: &Document<'_>) -> Vec<RemovalPlan> {
    let mut plans = column_plans(document, |line| document.letters(line));
    let words = document.tokens.iter().filter(|&token| {
        let text = &document.text[token.clone()];
        text.len() >= 2 && number(text).is_none()
    });
    let bytes = words.cloned().flatten().take(MAX_ITEMS);
    plans.push(each(bytes.map(|at| at..at + 1), None));
    plans
}
