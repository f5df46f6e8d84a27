//! Clauses of a header: what it says of the moves, besides the heaps.

use std::fmt;

use super::starts::{below, replaced};
use super::{OctalCode, Window};
use itertools::Itertools;

/// The keyword before the numbers that may be taken. A header must have it, if it is one of the keywords of the game.
pub(crate) const TAKE: &str = "take";

/// A clause of a header: what it says of the moves, besides the heaps.
///
/// ```
/// use zeroxor::GameSpec;
/// use zeroxor::rules::Clause;
///
/// let GameSpec::Single { clauses, .. } = "divisor 12 proper ban 2".parse()? else { unreachable!() };
/// assert_eq!(clauses, [Clause::Proper, Clause::Ban(vec![2])]);
/// assert_eq!(clauses[1].to_string(), "ban 2");
/// # Ok::<(), zeroxor::SpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Clause {
    /// `3 5` after the cards of a row: a move takes as many cards as the window allows.
    Window(Window),
    /// `0.77` before the rows: a move takes and leaves what the code allows.
    Code(OctalCode),
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
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Window(Window { l, r }) => write!(f, "{l} {r}"),
            Self::Code(code) => code.fmt(f),
            Self::Proper => f.write_str("proper"),
            Self::Ban(numbers) => write!(f, "ban {}", numbers.iter().format(" ")),
            Self::Take(windows) => {
                let ranges = windows.iter().map(|window| match window {
                    Window { l, r } if l == r => l.to_string(),
                    Window { l, r } => format!("{l}..{r}"),
                });
                write!(f, "{TAKE} {}", ranges.format(" "))
            }
            Self::TakeShare(divisor) => write!(f, "{TAKE} 1..n/{divisor}"),
        }
    }
}

impl Clause {
    /// Returns smaller variants of the clause: with a smaller number, without a number or a range, or with a bit of a
    /// code cleared. `None` stands for a header without the clause. A variant may have no number at all.
    pub(crate) fn smaller(&self) -> Vec<Option<Self>> {
        match self {
            &Self::Window(window) => {
                let windows = smaller_windows(window).concat().into_iter();
                windows.map(|window| Some(Self::Window(window))).collect()
            }
            Self::Code(code) => smaller_codes(code).into_iter().map(|code| Some(Self::Code(code))).collect(),
            Self::Proper => vec![None],
            Self::Ban(numbers) => {
                let fewer = (0..numbers.len()).map(|at| replaced(numbers, at, []));
                fewer.map(|fewer| (!fewer.is_empty()).then_some(Self::Ban(fewer))).collect()
            }
            Self::Take(windows) => {
                let with = |at, by: Option<Window>| Some(Self::Take(replaced(windows, at, by)));
                let ranges = windows.iter().enumerate().filter(|(_, window)| window.l < window.r);
                let shorter = ranges.flat_map(|(at, &window)| {
                    let [with_l, with_r] = smaller_windows(window);
                    with_r.into_iter().chain(with_l).map(move |by| with(at, Some(by)))
                });
                (0..windows.len()).map(|at| with(at, None)).chain(shorter).collect()
            }
            Self::TakeShare(divisor) => {
                below(*divisor).into_iter().map(|divisor| Some(Self::TakeShare(divisor))).collect()
            }
        }
    }
}

/// Returns the windows with a smaller L, and those with a smaller R.
fn smaller_windows(Window { l, r }: Window) -> [Vec<Window>; 2] {
    let with_l = below(l).into_iter().filter_map(|l| Window::new(l, r));
    let with_r = below(r).into_iter().filter_map(|r| Window::new(l, r));
    [with_l.collect(), with_r.collect()]
}

/// Returns the code without the repetition of digits, and the codes in which one bit of one digit is cleared.
fn smaller_codes(code: &OctalCode) -> Vec<OctalCode> {
    let (digits, first) = (code.digits(), code.digits().len() - code.repeated().len());
    let mut smaller = Vec::new();
    if first < digits.len() {
        smaller.extend(OctalCode::new(digits));
    }
    for (take, &digit) in digits.iter().enumerate() {
        for bit in [1, 2, 4, 8].into_iter().filter(|bit| digit & bit > 0) {
            let digits = replaced(digits, take, [digit - bit]);
            smaller.extend(OctalCode::repeating(&digits[..first], &digits[first..]));
        }
    }
    smaller
}
