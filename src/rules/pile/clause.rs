//! Clauses of a header: a keyword after the piles of a game, and the numbers after the keyword.

use std::fmt;

use super::starts::{below, replaced};
use crate::rules::{MAX_SIZE, Window};
use crate::words::{Word, a_number};
use itertools::Itertools;

/// The keyword before the numbers that may be taken. A header must have it, if it is one of the keywords of the game.
pub(crate) const TAKE: &str = "take";

/// A clause of a header: a keyword after the piles, and its numbers.
///
/// ```
/// use zeroxor::GameSpec;
/// use zeroxor::rules::Clause;
///
/// let GameSpec::Piles { clauses, .. } = "divisor 12 proper ban 2".parse()? else { unreachable!() };
/// assert_eq!(clauses, [Clause::Proper, Clause::Ban(vec![2])]);
/// assert_eq!(clauses[1].to_string(), "ban 2");
/// # Ok::<(), zeroxor::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Clause {
    /// `proper`: a move does not take the whole pile.
    Proper,
    /// `ban 1 4`: these numbers may not be taken.
    Ban(Vec<u64>),
    /// `take 1 3..9`: only the numbers in these windows may be taken.
    Take(Vec<Window>),
    /// `take 1..n/2`: at most this part of the pile's current size may be taken, rounded down.
    TakeShare(u64),
}

impl Clause {
    /// Returns the clauses of a header that bans these numbers: none if there are no numbers.
    pub fn banning(numbers: &[u64]) -> Vec<Self> {
        if numbers.is_empty() { Vec::new() } else { vec![Self::Ban(numbers.to_vec())] }
    }

    /// Returns the clauses of a header that allows only these numbers. Numbers outside 1 to [`MAX_SIZE`] are left out.
    pub fn taking(numbers: &[u64]) -> Vec<Self> {
        vec![Self::Take(numbers.iter().filter_map(|&number| Window::new(number, number)).collect())]
    }

    /// Returns the word that the clause begins with.
    pub(crate) fn keyword(&self) -> &'static str {
        match self {
            Self::Proper => "proper",
            Self::Ban(_) => "ban",
            Self::Take(_) | Self::TakeShare(_) => TAKE,
        }
    }

    /// Returns the numbers that must be checked to be from 1 to [`MAX_SIZE`]; [`Window::new`] has checked its own.
    pub(crate) fn numbers(&self) -> &[u64] {
        match self {
            Self::Proper | Self::Take(_) => &[],
            Self::Ban(numbers) => numbers,
            Self::TakeShare(divisor) => std::slice::from_ref(divisor),
        }
    }

    /// Returns whether the clause has the numbers that its keyword needs.
    pub(crate) fn is_complete(&self) -> bool {
        match self {
            Self::Proper | Self::TakeShare(_) => true,
            Self::Ban(numbers) => !numbers.is_empty(),
            Self::Take(windows) => !windows.is_empty(),
        }
    }

    /// Parses the words after a keyword. Returns the clause, and the number of words that belong to it; else the index
    /// of the first wrong word, or the number of words if one is missing, and what was expected.
    pub(crate) fn read(keyword: &str, words: &[Word<'_>]) -> Result<(Self, usize), (usize, String)> {
        let clause = match keyword {
            "proper" => return Ok((Self::Proper, 0)),
            _ if words.is_empty() => {
                return Err((0, format!("a number after {keyword:?}, {}", a_number(MAX_SIZE))));
            }
            TAKE => Self::read_take(words)?,
            _ => Self::Ban(each(words, |word| number(word).ok_or_else(|| a_number(MAX_SIZE)))?),
        };
        Ok((clause, words.len()))
    }

    fn read_take(words: &[Word<'_>]) -> Result<Self, (usize, String)> {
        if let Some(at) = words.iter().position(|word| word.text.contains("n/")) {
            return Self::read_share(words, at);
        }
        each(words, window).map(Self::Take)
    }

    /// Parses the words after `take`, of which the word at index `at` has the form `1..n/K`.
    fn read_share(words: &[Word<'_>], at: usize) -> Result<Self, (usize, String)> {
        let divisor = words[at].text.strip_prefix("1..n/");
        let divisor = divisor.and_then(|text| number(Word { text, ..words[at] }));
        match divisor {
            None => Err((at, format!("\"1..n/K\" with K {}", a_number(MAX_SIZE)))),
            Some(divisor) if words.len() == 1 => Ok(Self::TakeShare(divisor)),
            // The index of the first other word.
            Some(_) => Err((usize::from(at == 0), format!("only {:?} after \"take\"", words[at].text))),
        }
    }
}

fn each<T>(
    words: &[Word<'_>],
    read: impl Fn(Word<'_>) -> Result<T, String>,
) -> Result<Vec<T>, (usize, String)> {
    let items = words.iter().enumerate();
    items.map(|(at, &word)| read(word).map_err(|expected| (at, expected))).collect()
}

fn number(word: Word<'_>) -> Option<u64> {
    word.number(MAX_SIZE).filter(|&number| number > 0)
}

/// Parses a number, or a range such as `3..9`.
fn window(word: Word<'_>) -> Result<Window, String> {
    let (l, r) = word.text.split_once("..").unwrap_or((word.text, word.text));
    match [l, r].map(|text| number(Word { text, ..word })) {
        [Some(l), Some(r)] => {
            Window::new(l, r).ok_or_else(|| "a range whose first number is at most its last".to_owned())
        }
        _ => Err(format!("{} or a range of such numbers, as in 3..9", a_number(MAX_SIZE))),
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.keyword();
        match self {
            Self::Proper => f.write_str(word),
            Self::Ban(numbers) => write!(f, "{word} {}", numbers.iter().format(" ")),
            Self::Take(windows) => {
                let ranges = windows.iter().map(|window| match window {
                    Window { l, r } if l == r => l.to_string(),
                    Window { l, r } => format!("{l}..{r}"),
                });
                write!(f, "{word} {}", ranges.format(" "))
            }
            Self::TakeShare(divisor) => write!(f, "{word} 1..n/{divisor}"),
        }
    }
}

impl Clause {
    /// Returns smaller variants of the clause: with a smaller number, or without a number or a range. `None` stands for
    /// a header without the clause. Some of the variants are not [complete](Self::is_complete).
    pub(crate) fn smaller(&self) -> Vec<Option<Self>> {
        let mut smaller = Vec::new();
        match self {
            Self::Proper => smaller.push(None),
            Self::Ban(numbers) => {
                for at in 0..numbers.len() {
                    let fewer = replaced(numbers, at, []);
                    smaller.push((!fewer.is_empty()).then_some(Self::Ban(fewer)));
                }
            }
            Self::Take(windows) => {
                let mut add =
                    |at, by: Option<Window>| smaller.push(Some(Self::Take(replaced(windows, at, by))));
                (0..windows.len()).for_each(|at| add(at, None));
                for (at, &Window { l, r }) in
                    windows.iter().enumerate().filter(|(_, window)| window.l < window.r)
                {
                    below(r).into_iter().filter_map(|r| Window::new(l, r)).for_each(|by| add(at, Some(by)));
                    below(l).into_iter().filter_map(|l| Window::new(l, r)).for_each(|by| add(at, Some(by)));
                }
            }
            Self::TakeShare(divisor) => {
                smaller.extend(below(*divisor).into_iter().map(|divisor| Some(Self::TakeShare(divisor))));
            }
        }
        smaller
    }
}
