//! Smaller inputs: fewer lines, then fewer tokens, then shorter words, then numbers closer to 0.
//!
//! Lines and tokens are removed in chunks of decreasing size, as by Zeller and Hildebrandt, "Simplifying and Isolating
//! Failure-Inducing Input" (2002). A plan that removes items also reduces the number that counts them.

use crate::conversation::verdict::{Ruling, Verdict};
use crate::search::document::{Document, RemovalPlan, byte_plans, line_plans, token_plans};
use crate::search::shrinker::{CandidateRun, Rejection, Shrinkable, Shrinker, StopReason};
use crate::text::counted;
use crate::trials::problem::trial::TrialResult;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct GeneratedInput {
    pub(crate) seed: u64,
    pub(crate) bytes: Vec<u8>,
}

impl CandidateRun for TrialResult {
    fn ruling(&self) -> &Ruling {
        &self.ruling
    }

    fn rejected(&self) -> Option<Rejection> {
        let how = || (self.interactor.exit, self.interactor.stderr.shows_exception());
        (self.ruling.verdict == Verdict::WrongAnswer).then(how)
    }
}

impl<R: CandidateRun> Shrinkable<R> for GeneratedInput {
    fn size(&self) -> String {
        counted(self.bytes.len() as u64, "byte")
    }

    /// Makes the smallest input smaller, until no change makes it smaller.
    fn shrink(shrinker: &mut Shrinker<'_, Self, R>) -> Result<(), StopReason> {
        loop {
            let before = shrinker.result.smallest.bytes.clone();
            for max_chunks in [COARSE_CHUNKS, usize::MAX] {
                for plans in [line_plans, token_plans, byte_plans] {
                    while shrinker.remove(plans, max_chunks)? {}
                }
            }
            shrinker.lower_numbers()?;
            if shrinker.result.smallest.bytes == before {
                return Ok(());
            }
        }
    }
}

/// The number of chunks at which a plan without success is given up at first, so that a wrong guess costs few runs.
const COARSE_CHUNKS: usize = 16;

impl<R: CandidateRun> Shrinker<'_, GeneratedInput, R> {
    /// Applies plans for the smallest candidate until one succeeds, because a new candidate needs new plans.
    fn remove(
        &mut self,
        plans: fn(&Document<'_>) -> Vec<RemovalPlan>,
        max_chunks: usize,
    ) -> Result<bool, StopReason> {
        let input = self.result.smallest.bytes.clone();
        let document = Document::new(&input);
        for plan in plans(&document) {
            if self.change_chunks(plan.len(), max_chunks, |removed| document.without(&plan, removed))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn attempt_bytes(&mut self, bytes: Vec<u8>) -> Result<bool, StopReason> {
        let seed = self.result.smallest.seed;
        self.attempt(GeneratedInput { seed, bytes })
    }

    /// Changes as many of `count` items as possible, in chunks. `changed` returns the input with these items changed.
    fn change_chunks(
        &mut self,
        count: usize,
        max_chunks: usize,
        changed: impl Fn(&[usize]) -> Vec<u8>,
    ) -> Result<bool, StopReason> {
        // A plan may use at most half of the runs that are left, because other plans may be better.
        let reserved = self.runs_left() / 2;
        let mut left: Vec<usize> = (0..count).collect();
        let mut done: Vec<usize> = Vec::new();
        let mut size = count;
        while size > 0 {
            let mut at = 0;
            while at < left.len() {
                if self.runs_left() <= reserved {
                    return Ok(!done.is_empty());
                }
                let end = (at + size).min(left.len());
                let chunk = [&done[..], &left[at..end]].concat();
                if self.attempt_bytes(changed(&chunk))? {
                    done = chunk;
                    left.drain(at..end);
                } else {
                    at = end;
                }
            }
            if done.is_empty() && count.div_ceil(size) >= max_chunks {
                break;
            }
            size /= 2;
        }
        Ok(!done.is_empty())
    }

    fn lower_numbers(&mut self) -> Result<(), StopReason> {
        for small in ["0", "1"] {
            let input = self.result.smallest.bytes.clone();
            let document = Document::new(&input);
            let large = document.numbers().filter(|&(_, value)| value.abs() > 1);
            let tokens: Vec<usize> = large.map(|(token, _)| token).collect();
            self.change_chunks(tokens.len(), COARSE_CHUNKS, |changed| {
                document.with(changed.iter().map(|&index| document.replace(tokens[index], small)).collect())
            })?;
        }
        let input = self.result.smallest.bytes.clone();
        Document::new(&input).numbers().try_for_each(|(token, value)| self.lower(token, value))
    }

    fn lower(&mut self, token: usize, value: i128) -> Result<(), StopReason> {
        let mut set = |absolute: i128| {
            let document = Document::new(&self.result.smallest.bytes);
            let bytes = document.with(vec![document.replace(token, (absolute * value.signum()).to_string())]);
            self.attempt_bytes(bytes)
        };
        let (mut passes, mut fails) = (1, value.abs() - 1);
        // If the absolute value minus 1 passes, the value itself is probably needed.
        if value == 0 || set(0)? || fails == 0 || set(1)? || fails == 1 || !set(fails)? {
            return Ok(());
        }
        while fails - passes > 1 {
            let middle = i128::midpoint(passes, fails);
            if set(middle)? {
                fails = middle;
            } else {
                passes = middle;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::vec;

    use itertools::Itertools;

    use super::*;
    use crate::search::shrinker::{Shrunk, tests};

    fn shrunk_bytes(
        input: &[u8],
        max_runs: u32,
        mut fails: impl FnMut(&[u8]) -> bool,
    ) -> Shrunk<GeneratedInput, Ruling> {
        let run = |input: &GeneratedInput| Ok(Some(tests::ruling(fails(&input.bytes))));
        tests::shrunk(GeneratedInput { seed: 1, bytes: input.to_vec() }, max_runs, run)
    }

    /// Shrinks an input, and checks that the search was complete and needed fewer than 500 runs. `fails` returns `None` if
    /// an input is invalid.
    fn shrunk(input: &str, fails: impl Fn(&str) -> Option<bool>) -> String {
        let fails = |input: &str| fails(input) == Some(true);
        assert!(fails(input), "the input must fail");
        let fails_as_bytes = |input: &[u8]| fails(std::str::from_utf8(input).unwrap());
        let Shrunk { smallest, stopped, runs, .. } = shrunk_bytes(input.as_bytes(), 2000, fails_as_bytes);
        let text = String::from_utf8(smallest.bytes).unwrap();
        assert!(stopped.is_none() && runs < 500 && fails(&text), "{runs} runs, {text:?}");
        text
    }

    /// Returns the numbers of each line; `None` if a token is not a number.
    fn rows(text: &str) -> Option<vec::IntoIter<Vec<i64>>> {
        let row = |line: &str| line.split(' ').map(|token| token.parse().ok()).collect();
        Some(text.lines().map(row).collect::<Option<Vec<_>>>()?.into_iter())
    }

    fn row<const N: usize>(rows: &mut vec::IntoIter<Vec<i64>>) -> Option<[i64; N]> {
        rows.next()?.try_into().ok()
    }

    /// Returns `count` lines of one number each.
    fn section(rows: &mut vec::IntoIter<Vec<i64>>, count: i64) -> Option<Vec<i64>> {
        (0..count).map(|_| row(rows).map(|[number]| number)).collect()
    }

    /// Returns different values in no order. The least is 8000, so that a test can insert smaller values.
    fn values(count: i64) -> Vec<i64> {
        (1..=count).map(|number| number * 7_368_787 % 999_983 + 8000).collect()
    }

    fn lines(values: &[i64]) -> String {
        values.iter().join("\n") + "\n"
    }

    fn one_line(values: &[i64]) -> String {
        values.iter().join(" ") + "\n"
    }

    /// The fault needs one particular value of many lines, without and with their count.
    #[test]
    fn one_value() {
        for at in [0, 499, 999] {
            let mut values = values(1000);
            values[at] = 7123;
            let text = shrunk(&lines(&values), |text| Some(rows(text)?.any(|row| row.contains(&7123))));
            assert_eq!(text, "7123\n");
            let text = shrunk(&format!("1000\n{}", lines(&values)), |text| {
                let mut rows = rows(text)?;
                let [count] = row(&mut rows)?;
                Some(section(&mut rows, count)?.contains(&7123) && rows.len() == 0)
            });
            assert_eq!(text, "1\n7123\n");
        }
    }

    /// The input has two counts in one line, and both must be adjusted.
    #[test]
    fn two_counts_in_a_line() {
        let mut values = values(900);
        values[700] = 7123;
        let text = shrunk(&format!("400 500\n{}", lines(&values)), |text| {
            let mut rows = rows(text)?;
            let [first, second] = row(&mut rows)?;
            let (first, second) = (section(&mut rows, first)?, section(&mut rows, second)?);
            Some(!first.is_empty() && second.contains(&7123) && rows.len() == 0)
        });
        assert_eq!(text, "1 1\n0\n7123\n");
    }

    /// Each test case is a count and a line with that number of tokens.
    #[test]
    fn test_cases_with_a_line_of_tokens() {
        let values = values(2000);
        let cases = values.chunks(20).map(|case| format!("20\n{}", one_line(case)));
        let text = shrunk(&format!("100\n{}", cases.format("")), |text| {
            let mut rows = rows(text)?;
            let [count] = row(&mut rows)?;
            let mut case = || row(&mut rows).zip(rows.next());
            let cases = (0..count).map(|_| case()).collect::<Option<Vec<_>>>()?;
            let is_valid = cases.iter().all(|([count], row)| i64::try_from(row.len()) == Ok(*count));
            Some(is_valid && rows.len() == 0 && cases.iter().any(|(_, row)| row.contains(&values[1234])))
        });
        assert_eq!(text, format!("1\n1\n{}\n", values[1234]));
    }

    /// Each test case is a line with a count, and that number of lines.
    #[test]
    fn test_cases_with_lines() {
        let values = values(2000);
        let needed = [values[200], values[900]];
        let (mut text, mut rest) = ("100\n".to_owned(), &values[..]);
        for length in (10..17).cycle().take(100) {
            let (case, others) = rest.split_at(length);
            text += &format!("{length} 5\n{}", lines(case));
            rest = others;
        }
        let text = shrunk(&text, |text| {
            let mut rows = rows(text)?;
            let [count] = row(&mut rows)?;
            let mut case = || match row(&mut rows)? {
                [length, 5] => section(&mut rows, length),
                _ => None,
            };
            let values = (0..count).map(|_| case()).collect::<Option<Vec<_>>>()?.concat();
            Some(rows.len() == 0 && needed.iter().all(|value| values.contains(value)))
        });
        assert_eq!(text, format!("2\n1 5\n{}\n1 5\n{}\n", needed[0], needed[1]));
    }

    /// Two lines whose columns belong together.
    #[test]
    fn columns() {
        let first = values(500);
        let second: Vec<i64> = first.iter().map(|value| value + 1).collect();
        let text = shrunk(&format!("500\n{}{}", one_line(&first), one_line(&second)), |text| {
            let [count, first, second] = rows(text)?.collect_array()?;
            let is_valid = count == [i64::try_from(first.len()).ok()?] && first.len() == second.len();
            let mut pairs = first.iter().zip(&second);
            Some(is_valid && pairs.any(|(&first, &second)| first > 500_000 && second > 500_000))
        });
        assert_eq!(text, "1\n500001\n500001\n");
    }

    /// A string whose length is given, and a grid of characters.
    #[test]
    fn counted_characters() {
        let string = format!("2000\n{}110{}\n", "10".repeat(700), "01".repeat(298) + "0");
        let text = shrunk(&string, |text| {
            let (count, rest) = text.split_once('\n')?;
            let text = rest.trim_end();
            Some(count.parse() == Ok(text.len()) && rest.lines().count() == 1 && text.contains("110"))
        });
        assert_eq!(text, "3\n110\n");
        let mut grid = format!("40 50\n{}", (".".repeat(50) + "\n").repeat(40));
        grid.replace_range(1000..1001, "#");
        let text = shrunk(&grid, |text| {
            let (head, rest) = text.split_once('\n')?;
            let (height, width) = (rest.lines().count(), rest.lines().next()?.len());
            let is_grid = rest.lines().all(|line| line.len() == width);
            Some(is_grid && head == format!("{height} {width}") && rest.contains('#'))
        });
        assert_eq!(text, "1 1\n#\n");
    }

    #[test]
    fn numbers_that_matter_by_their_size() {
        let is_long = |text: &str| Some(text.contains('x') && text.len() > 8);
        assert_eq!(shrunk("x 123456789 -50\n", is_long), "x 100000\n");
        let is_large = |text: &str| Some(text.trim().parse::<i64>().ok()? > 1000);
        assert_eq!(shrunk("99999999999\n", is_large), "1001\n");
        let is_negative = |text: &str| Some(text.trim().parse::<i64>().ok()? < -3);
        assert_eq!(shrunk("-77777", is_negative), "-4");
    }

    /// In inputs with other bytes than text and numbers, all bytes that are not removed stay the same.
    #[test]
    fn other_bytes() {
        let input = b"\xff\xfe  a\r\n\0\t b \n\nlast";
        let smallest = |input: &[u8], fails: fn(&[u8], &[u8]) -> bool| {
            shrunk_bytes(input, 500, |smaller| fails(smaller, input)).smallest.bytes
        };
        assert_eq!(smallest(input, |smaller, _| smaller.contains(&0xff)), b"\xff\r");
        let huge = format!("{0} {0}\n-{0}\n{0}{0}\n--1 - 1-1\n", i128::MAX);
        for whole in [&input[..], huge.as_bytes()] {
            assert_eq!(smallest(whole, |smaller, whole| smaller == whole), whole);
        }
        for input in [&b""[..], b"\n\n"] {
            assert_eq!(smallest(input, |_, _| true), b"");
        }
        let indented = b"x\ny z x\n   7\n";
        assert_eq!(smallest(indented, |smaller, _| smaller.ends_with(b"x\n   7\n")), b"x\n   7\n");
    }

    /// If no run is left, the result is the smallest input so far.
    #[test]
    fn limits() {
        let input = lines(&values(1000));
        let result = shrunk_bytes(input.as_bytes(), 10, |input| input.len() > 2000);
        let length = result.smallest.bytes.len();
        assert!(result.stopped.is_some() && length < input.len() && result.runs == 10);
    }
}
