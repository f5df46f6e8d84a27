//! Makes an input smaller while it still fails: fewer lines, then fewer tokens, then shorter words, then numbers closer
//! to 0.
//!
//! Lines and tokens are removed in chunks of decreasing size, as by Zeller and Hildebrandt, "Simplifying and Isolating
//! Failure-Inducing Input" (2002). Many inputs say how much follows. Each guess of which number counts what is a
//! [`Plan`], which repairs that number; another plan repairs none.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::time::Duration;

/// Maximum number of smaller inputs that are tried, and how long.
pub(super) const MAX_TRIES: u32 = 1000;
pub(super) const MAX_TIME: Duration = Duration::from_secs(120);

/// The result of shrinking.
#[derive(Debug)]
pub(super) struct Shrunk {
    /// The smallest input that fails.
    pub(super) input: Vec<u8>,
    /// How many inputs were tried.
    pub(super) tried: u32,
    /// Whether no plan makes the input smaller.
    pub(super) is_complete: bool,
}

/// Makes `input`, which fails, smaller while `fails` returns true, with at most `max_tries` calls. `fails` returns
/// `None` if no more inputs are to be tried.
pub(super) fn shrink(input: &[u8], max_tries: u32, fails: impl FnMut(&[u8]) -> Option<bool>) -> Shrunk {
    let (tried, passed) = (0, HashSet::new());
    let mut shrinker = Shrinker { best: input.to_vec(), fails, tried, max_tries, passed, is_stopped: false };
    loop {
        let before = shrinker.best.clone();
        for granularity in [Granularity::Coarse, Granularity::Fine] {
            shrinker.remove(line_plans, granularity);
            shrinker.remove(token_plans, granularity);
            shrinker.remove(byte_plans, granularity);
        }
        shrinker.lower_numbers();
        if shrinker.is_stopped || shrinker.best == before {
            break;
        }
    }
    Shrunk { input: shrinker.best, tried: shrinker.tried, is_complete: !shrinker.is_stopped }
}

/// How long a plan that has no success is followed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Granularity {
    /// Down to chunks of a sixteenth, so that a wrong guess costs little.
    Coarse,
    Fine,
}

/// The number of chunks down to which a plan is followed with [`Granularity::Coarse`].
const COARSE_CHUNKS: usize = 16;

/// Maximum number of tokens, bytes or numbers that are changed at a time, so that a large input does not use up the
/// memory.
const MAX_ITEMS: usize = 1 << 20;

struct Shrinker<F> {
    best: Vec<u8>,
    fails: F,
    tried: u32,
    max_tries: u32,
    /// The hashes of the inputs that do not fail.
    passed: HashSet<u64>,
    is_stopped: bool,
}

impl<F: FnMut(&[u8]) -> Option<bool>> Shrinker<F> {
    /// Tries an input, unless it was tried before. Returns whether it fails and thus replaces the best one.
    fn try_input(&mut self, input: Vec<u8>) -> bool {
        let mut hasher = DefaultHasher::new();
        input.hash(&mut hasher);
        let hash = hasher.finish();
        if self.is_stopped || input == self.best || self.passed.contains(&hash) {
            return false;
        }
        if self.tried >= self.max_tries {
            self.is_stopped = true;
            return false;
        }
        match (self.fails)(&input) {
            None => self.is_stopped = true,
            Some(fails) => {
                self.tried += 1;
                if fails {
                    self.best = input;
                    return true;
                }
                self.passed.insert(hash);
            }
        }
        false
    }

    /// Follows the plans for the best input. After a success there are new plans, because the input has changed.
    fn remove(&mut self, plans: fn(&Document<'_>) -> Vec<Plan>, granularity: Granularity) {
        loop {
            let input = self.best.clone();
            let document = Document::new(&input);
            let follow = |plan: &Plan| {
                self.change_chunks(plan.items.len(), granularity, |removed| plan.without(&document, removed))
            };
            if !plans(&document).iter().any(follow) {
                break;
            }
        }
    }

    /// Changes as many of `count` items as possible, in chunks. `changed` returns the input in which the items with
    /// these indices are changed. Returns whether any item was.
    fn change_chunks(
        &mut self,
        count: usize,
        granularity: Granularity,
        changed: impl Fn(&[usize]) -> Vec<u8>,
    ) -> bool {
        // A plan may use up half of the tries that are left. The others may be better.
        let last_try = self.tried + (self.max_tries - self.tried).div_ceil(2);
        let mut left: Vec<usize> = (0..count).collect();
        let mut done: Vec<usize> = Vec::new();
        let mut size = count;
        while size > 0 {
            let mut at = 0;
            while at < left.len() {
                if self.is_stopped || self.tried >= last_try {
                    return !done.is_empty();
                }
                let end = (at + size).min(left.len());
                let chunk = [&done[..], &left[at..end]].concat();
                if self.try_input(changed(&chunk)) {
                    done = chunk;
                    left.drain(at..end);
                } else {
                    at = end;
                }
            }
            if granularity == Granularity::Coarse && done.is_empty() && count.div_ceil(size) >= COARSE_CHUNKS
            {
                break;
            }
            size /= 2;
        }
        !done.is_empty()
    }

    /// Lowers the absolute values of numbers.
    fn lower_numbers(&mut self) {
        for small in ["0", "1"] {
            let input = self.best.clone();
            let document = Document::new(&input);
            let places: Vec<Place> = document
                .numbers()
                .take(MAX_ITEMS)
                .filter(|&(_, value)| value.abs() > 1)
                .map(|(place, _)| place)
                .collect();
            self.change_chunks(places.len(), Granularity::Coarse, |changed| {
                let edits = changed.iter().map(|&index| Edit::replace(places[index], small));
                document.with(&[], edits.collect())
            });
        }
        let places: Vec<(Place, i128)> = Document::new(&self.best).numbers().take(MAX_ITEMS).collect();
        for (place, value) in places {
            self.lower(place, value);
            if self.is_stopped {
                break;
            }
        }
    }

    /// Lowers the absolute value of a number by bisection.
    fn lower(&mut self, place: Place, value: i128) {
        let mut set = |absolute: i128| {
            let input = self.best.clone();
            let edit = Edit::replace(place, (absolute * value.signum()).to_string());
            self.try_input(Document::new(&input).with(&[], vec![edit]))
        };
        let (mut passes, mut fails) = (1, value.abs() - 1);
        // If the value before this one passes, this value itself is probably needed.
        if value == 0 || set(0) || fails == 0 || set(1) || fails == 1 || !set(fails) {
            return;
        }
        while fails - passes > 1 {
            let middle = i128::midpoint(passes, fails);
            if set(middle) {
                fails = middle;
            } else {
                passes = middle;
            }
        }
    }
}

/// The index of a line, and the index of a token in it.
type Place = (usize, usize);

/// An input as lines of tokens.
struct Document<'a> {
    lines: Vec<&'a [u8]>,
    /// The number of lines up to the last one that is not blank.
    used: usize,
    /// Whether the last line has a line end.
    is_ended: bool,
    /// The number of bytes.
    size: usize,
}

/// A token that is replaced, or removed if `new` is `None`.
struct Edit {
    place: Place,
    new: Option<Vec<u8>>,
}

impl Edit {
    fn replace(place: Place, new: impl Into<Vec<u8>>) -> Self {
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
    fn new(input: &'a [u8]) -> Self {
        let is_ended = input.ends_with(b"\n");
        let text = input.strip_suffix(b"\n").unwrap_or(input);
        let lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
        let used = lines.iter().rposition(|line| tokens(line).next().is_some()).map_or(0, |last| last + 1);
        Self { lines, used, is_ended, size: input.len() }
    }

    /// Returns the numbers of the input with their places.
    fn numbers(&self) -> impl Iterator<Item = (Place, i128)> {
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

    /// Returns the number at the place, if it may count something that follows.
    fn count(&self, place: Place) -> Option<usize> {
        let number = number(self.token(place)?).and_then(|number| usize::try_from(number).ok())?;
        (1..=self.size).contains(&number).then_some(number)
    }

    /// Returns the numbers near the beginning that may count something.
    fn counts(&self, max_lines: usize) -> impl Iterator<Item = (Place, usize)> {
        /// How many tokens of a line may be counts.
        const MAX_TOKENS: usize = 4;
        let places =
            (0..self.used.min(max_lines)).flat_map(|line| (0..MAX_TOKENS).map(move |token| (line, token)));
        places.filter_map(|place| Some((place, self.count(place)?)))
    }

    /// Returns the input without the lines `removed`, in which `edits` are made.
    fn with(&self, removed: &[Range<usize>], mut edits: Vec<Edit>) -> Vec<u8> {
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

/// What is removed of each of the lines of an item.
#[derive(Clone, Copy)]
enum Part {
    Line,
    /// The token with this index.
    Token(usize),
    /// The byte with this index, of the token with this index.
    Byte(usize, usize),
}

/// What may be removed in one piece.
struct Item {
    lines: Range<usize>,
    part: Part,
    /// The number that counts this item.
    count: Option<Place>,
}

/// A guess of the parts of which an input consists.
struct Plan {
    items: Vec<Item>,
}

impl Plan {
    /// Makes a plan in which each range of lines is an item that `count` counts.
    fn of_lines(lines: impl IntoIterator<Item = Range<usize>>, count: Option<Place>) -> Self {
        let item = |lines| Item { lines, part: Part::Line, count };
        Self { items: lines.into_iter().map(item).take(MAX_ITEMS).collect() }
    }

    /// Makes a plan in which each line is an item that the count of its section counts.
    fn of_sections(sections: &[(Range<usize>, Place)]) -> Self {
        let plans = sections.iter().map(|(lines, count)| Self::of_lines(single(lines.clone()), Some(*count)));
        Self { items: plans.flat_map(|plan| plan.items).collect() }
    }

    /// Makes a plan in which the tokens of the lines are removed column by column.
    fn of_columns(lines: &Range<usize>, columns: Range<usize>, count: Option<Place>) -> Self {
        let item = |token| Item { lines: lines.clone(), part: Part::Token(token), count };
        Self { items: columns.map(item).take(MAX_ITEMS).collect() }
    }

    /// Makes a plan in which the bytes of a token are removed from each of the lines.
    fn of_bytes(lines: &Range<usize>, token: usize, bytes: Range<usize>, count: Option<Place>) -> Self {
        let item = |byte| Item { lines: lines.clone(), part: Part::Byte(token, byte), count };
        Self { items: bytes.map(item).take(MAX_ITEMS).collect() }
    }

    /// Returns the input without the items with these indices.
    fn without(&self, document: &Document<'_>, indices: &[usize]) -> Vec<u8> {
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

fn single(lines: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    lines.map(|line| line..line + 1)
}

/// Returns the plans that remove lines.
fn line_plans(document: &Document<'_>) -> Vec<Plan> {
    /// How many lines at the beginning may have a count of lines.
    const MAX_LINES: usize = 4;
    let mut plans = Vec::new();
    let used = document.used;
    for (place, count) in document.counts(MAX_LINES) {
        let (line, token) = place;
        let first = line + 1;
        let rest = used - first;
        if count == rest {
            plans.push(Plan::of_lines(single(first..used), Some(place)));
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
        // Sections: both counts in one line, or the second one after the first section.
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
    plans.push(Plan::of_lines(single(0..document.lines.len()), None));
    plans
}

/// Returns two plans if `count` blocks of lines follow `place`, each of which begins with the number of its further
/// lines: one that removes blocks, and one that removes lines of blocks.
fn counted_blocks(document: &Document<'_>, place: Place, count: usize) -> Vec<Plan> {
    /// How many tokens of a block's first line may be the number of its further lines.
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

/// How many lines at the beginning may have a count of tokens or bytes.
const MAX_COUNT_LINES: usize = 8;

/// Returns the first lines soon after a count for which `is_counted` is true.
fn counted_lines(
    document: &Document<'_>,
    count: Place,
    is_counted: impl Fn(usize) -> bool,
) -> Option<Range<usize>> {
    /// How far after the count the lines may begin.
    const MAX_DISTANCE: usize = 3;
    let near = count.0 + 1..document.used.min(count.0 + 1 + MAX_DISTANCE);
    let first = near.into_iter().find(|&line| is_counted(line))?;
    let end = (first..document.used).find(|&line| !is_counted(line));
    Some(first..end.unwrap_or(document.used))
}

/// Returns the plans that remove tokens.
fn token_plans(document: &Document<'_>) -> Vec<Plan> {
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

/// Returns the plans that remove bytes of tokens: of lines with one token of a counted length, and of words.
fn byte_plans(document: &Document<'_>) -> Vec<Plan> {
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

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;

    /// The goal for the number of inputs that are tried.
    const GOAL: u32 = 500;

    /// Shrinks an input, and checks that it was complete, in fewer tries than the goal.
    fn shrunk(input: &str, mut fails: impl FnMut(&str) -> bool) -> String {
        assert!(fails(input), "the input must fail");
        let mut calls = 0;
        let result = shrink(input.as_bytes(), 2000, |input| {
            calls += 1;
            Some(fails(std::str::from_utf8(input).unwrap()))
        });
        assert_eq!(result.tried, calls);
        let text = String::from_utf8(result.input).unwrap();
        assert!(result.is_complete && calls < GOAL, "{calls} tries, {text:?}");
        assert!(fails(&text), "{text:?}");
        text
    }

    fn numbers(text: &str) -> Vec<i64> {
        text.split_ascii_whitespace().map(|word| word.parse().unwrap()).collect()
    }

    fn pair(text: &str) -> Option<[i64; 2]> {
        let numbers: Result<Vec<i64>, _> = text.split_ascii_whitespace().map(str::parse).collect();
        numbers.ok()?.try_into().ok()
    }

    /// Returns values in no order, without those from 7000 to 7999.
    fn values(count: usize) -> Vec<i64> {
        let mut state = 12_345_u64;
        let mut value = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            i64::try_from((state >> 40) % 1_000_000).unwrap() + 8000
        };
        (0..count).map(|_| value()).collect()
    }

    fn lines(values: &[i64]) -> String {
        let mut text = String::new();
        for value in values {
            writeln!(text, "{value}").unwrap();
        }
        text
    }

    fn one_line(values: &[i64]) -> String {
        lines(values).trim_end().replace('\n', " ") + "\n"
    }

    /// Parses a number of lines and these lines; `None` if the input is invalid.
    fn parsed_lines(text: &str) -> Option<Vec<i64>> {
        let (count, rest) = text.split_once('\n')?;
        let values = numbers(rest);
        let is_valid = rest.lines().all(|line| line.split(' ').count() == 1 && !line.is_empty());
        (count.parse::<usize>() == Ok(values.len()) && is_valid).then_some(values)
    }

    /// Fault 1: one value.
    #[test]
    fn one_value_of_ten_thousand_lines() {
        for at in [0, 1, 4999, 5000, 7777, 9999] {
            let mut values = values(10_000);
            values[at] = 7123;
            let text = shrunk(&lines(&values), |text| numbers(text).contains(&7123));
            assert_eq!(text, "7123\n");
            // The same with a count that must be right.
            let text = shrunk(&format!("10000\n{}", lines(&values)), |text| {
                parsed_lines(text).is_some_and(|values| values.contains(&7123))
            });
            assert_eq!(text, "1\n7123\n");
        }
    }

    /// Fault 2: two values that must both be there.
    #[test]
    fn two_values_of_ten_thousand_lines() {
        for (first, second) in [(0, 9999), (3000, 3001), (1234, 8765), (4999, 5000)] {
            let mut values = values(10_000);
            (values[first], values[second]) = (7001, 7002);
            let text = shrunk(&format!("10000\n{}", lines(&values)), |text| {
                parsed_lines(text)
                    .is_some_and(|values| [7001, 7002].iter().all(|value| values.contains(value)))
            });
            assert_eq!(text, "2\n7001\n7002\n");
        }
    }

    /// Fault 3: the length.
    #[test]
    fn a_length() {
        let input = format!("10000\n{}", lines(&values(10_000)));
        let text = shrunk(&input, |text| parsed_lines(text).is_some_and(|values| values.len() >= 20));
        assert_eq!(text, format!("20\n{}", "0\n".repeat(20)));
    }

    /// Fault 4: the order.
    #[test]
    fn an_order() {
        let mut values: Vec<i64> = (0..10_000).collect();
        values.swap(1500, 6100);
        let is_unsorted = |values: Vec<i64>| !values.is_sorted();
        let text =
            shrunk(&format!("10000\n{}", lines(&values)), |text| parsed_lines(text).is_some_and(is_unsorted));
        assert_eq!(text, "2\n1\n0\n");
        // The same in one line of tokens.
        let input = format!("10000\n{}", one_line(&values));
        let text = shrunk(&input, |text| {
            let Some((count, rest)) = text.split_once('\n') else { return false };
            let values = numbers(rest);
            rest.lines().count() == 1 && count.parse::<usize>() == Ok(values.len()) && is_unsorted(values)
        });
        assert_eq!(text, "2\n1 0\n");
    }

    /// Fault 5: counts of other kinds that must be repaired.
    #[test]
    fn two_counts_in_a_line() {
        let mut values = values(900);
        values[700] = 7123;
        let text = shrunk(&format!("400 500\n{}", lines(&values)), |text| {
            let (head, rest) = text.split_once('\n').unwrap_or_default();
            let (head, rest) = (numbers(head), numbers(rest));
            let &[first, second] = &head[..] else { return false };
            let first = usize::try_from(first).unwrap();
            let is_valid = first >= 1 && first + usize::try_from(second).unwrap() == rest.len();
            is_valid && rest[first..].contains(&7123)
        });
        assert_eq!(text, "1 1\n0\n7123\n");
    }

    #[test]
    fn two_sections() {
        let (mut first, second) = (values(300), values(200));
        first[123] = 7123;
        let text = shrunk(&format!("300\n{}200\n{}", lines(&first), lines(&second)), |text| {
            let mut lines = text.lines();
            let mut section = || {
                let count: usize = lines.next()?.parse().ok()?;
                (0..count).map(|_| lines.next()?.parse::<i64>().ok()).collect::<Option<Vec<i64>>>()
            };
            let sections = (section(), section());
            lines.next().is_none() && matches!(sections, (Some(first), Some(_)) if first.contains(&7123))
        });
        assert_eq!(text, "1\n7123\n0\n");
    }

    /// Parses test cases, each of which is a count and a line with that number of tokens.
    fn cases(text: &str) -> Option<Vec<Vec<i64>>> {
        let mut lines = text.lines();
        let count: usize = lines.next()?.parse().ok()?;
        let mut case = || {
            let length: usize = lines.next()?.parse().ok()?;
            Some(numbers(lines.next()?)).filter(|values| values.len() == length)
        };
        let cases = (0..count).map(|_| case()).collect();
        if lines.next().is_some() { None } else { cases }
    }

    #[test]
    fn test_cases_with_a_line_of_tokens() {
        let values = values(2000);
        let mut text = "100\n".to_owned();
        for case in values.chunks(20) {
            write!(text, "20\n{}", one_line(case)).unwrap();
        }
        let needed = values[1234];
        let text = shrunk(&text, |text| {
            cases(text).is_some_and(|cases| cases.iter().any(|case| case.contains(&needed)))
        });
        assert_eq!(text, format!("1\n1\n{needed}\n"));
    }

    #[test]
    fn test_cases_with_lines() {
        let values = values(2000);
        let mut text = "100\n".to_owned();
        let mut start = 0;
        for case in 0..100 {
            let end = start + 10 + case % 7;
            write!(text, "{} 5\n{}", end - start, lines(&values[start..end])).unwrap();
            start = end;
        }
        let needed = [values[200], values[900]];
        let text = shrunk(&text, |text| {
            let mut lines = text.lines();
            let Some(count) = lines.next().and_then(|line| line.parse::<usize>().ok()) else { return false };
            let mut values = Vec::new();
            for _ in 0..count {
                let Some([length, 5]) = lines.next().and_then(pair) else { return false };
                for _ in 0..length {
                    let Some(value) = lines.next().and_then(|line| line.parse().ok()) else { return false };
                    values.push(value);
                }
            }
            lines.next().is_none() && needed.iter().all(|value| values.contains(value))
        });
        assert_eq!(text, format!("2\n1 5\n{}\n1 5\n{}\n", needed[0], needed[1]));
    }

    /// Two lines whose columns belong together, and a grid.
    #[test]
    fn columns() {
        let first = values(500);
        let second: Vec<i64> = first.iter().map(|value| value + 1).collect();
        let text = shrunk(&format!("500\n{}{}", one_line(&first), one_line(&second)), |text| {
            let lines: Vec<Vec<i64>> = text.lines().map(numbers).collect();
            let [count, first, second] = &lines[..] else { return false };
            let pairs: Vec<_> = first.iter().zip(second).collect();
            *count == [i64::try_from(first.len()).unwrap()]
                && first.len() == second.len()
                && pairs.iter().any(|(first, second)| **first > 500_000 && **second > 500_000)
        });
        assert_eq!(text, "1\n500001\n500001\n");
        let grid = format!("30 40\n{}", one_line(&values(40)).repeat(29) + &one_line(&vec![7; 40]));
        let text = shrunk(&grid, |text| {
            let mut lines = text.lines();
            let Some([height, width]) = lines.next().and_then(pair) else { return false };
            let rows: Vec<Vec<i64>> = lines.map(numbers).collect();
            i64::try_from(rows.len()) == Ok(height)
                && rows.iter().all(|row| i64::try_from(row.len()) == Ok(width))
                && rows.iter().any(|row| row.contains(&7))
        });
        assert_eq!(text, "1 1\n7\n");
    }

    /// A string whose length is given, and a grid of characters.
    #[test]
    fn counted_characters() {
        let string = format!("2000\n{}110{}\n", "10".repeat(700), "01".repeat(298) + "0");
        let text = shrunk(&string, |text| {
            let Some((count, rest)) = text.split_once('\n') else { return false };
            let text = rest.trim_end();
            count.parse() == Ok(text.len()) && rest.lines().count() == 1 && text.contains("110")
        });
        assert_eq!(text, "3\n110\n");
        let row = ".".repeat(50) + "\n";
        let mut grid = format!("40 50\n{}", row.repeat(40));
        grid.replace_range(1000..1001, "#");
        let text = shrunk(&grid, |text| {
            let Some((head, rest)) = text.split_once('\n') else { return false };
            let Some([height, width]) = pair(head) else { return false };
            i64::try_from(rest.lines().count()) == Ok(height)
                && rest.lines().all(|row| i64::try_from(row.len()) == Ok(width))
                && rest.contains('#')
        });
        assert_eq!(text, "1 1\n#\n");
    }

    #[test]
    fn numbers_that_matter_by_their_size() {
        assert_eq!(shrunk("x 123456789 -50\n", |text| text.contains('x') && text.len() > 8), "x 100000\n");
        let is_large = |text: &str| text.trim().parse::<i64>().is_ok_and(|value| value > 1000);
        assert_eq!(shrunk("99999999999\n", is_large), "1001\n");
        let is_negative = |text: &str| text.trim().parse::<i64>().is_ok_and(|value| value < -3);
        assert_eq!(shrunk("-77777", is_negative), "-4");
    }

    /// Inputs that are not text of numbers stay intact where nothing is removed.
    #[test]
    fn other_bytes() {
        let input = b"\xff\xfe  a\r\n\0\t b \n\nlast";
        let result = shrink(input, 500, |input| Some(input.contains(&0xff)));
        assert_eq!(result.input, b"\xff");
        let whole = shrink(input, 500, |_| Some(false));
        assert_eq!((whole.input.as_slice(), whole.is_complete), (input.as_slice(), true));
        let huge = format!("{0} {0}\n-{0}\n{0}{0}\n--1 - 1-1\n", i128::MAX);
        assert!(shrink(huge.as_bytes(), 500, |_| Some(false)).is_complete);
        assert_eq!(shrink(b"", 500, |_| Some(true)).input, b"");
        assert_eq!(shrink(b"\n\n", 500, |_| Some(true)).input, b"");
    }

    /// A stop and the limit end the work with the smallest input so far.
    #[test]
    fn limits() {
        let input = lines(&values(1000));
        let mut calls = 0;
        let stopped = shrink(input.as_bytes(), 500, |input| {
            calls += 1;
            (calls < 5).then_some(input.len() > 2000)
        });
        assert!(!stopped.is_complete && stopped.input.len() < input.len() && calls == 5);
        let limited = shrink(input.as_bytes(), 7, |input| Some(input.len() > 2000));
        assert!(!limited.is_complete && limited.input.len() < input.len() && limited.tried == 7);
    }
}
