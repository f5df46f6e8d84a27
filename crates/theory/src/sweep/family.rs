//! The families of games of a sweep. Games with equal values form one class.

use std::collections::BTreeMap;
use std::fmt;
use std::iter;
use std::ops::RangeInclusive;

use itertools::{Itertools, iproduct};
use zeroxor::OctalCode;
use zeroxor::grundy::segment::{Scale, Window};

use crate::code_form::CodeForm;
use crate::cousins::at;
use crate::row_game::RowGame;

/// A family of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Family {
    /// All windows (L, R) with L <= R.
    Segment { l: RangeInclusive<u64>, r: RangeInclusive<u64> },
    /// All octal codes with up to `digits` digits after the point, and 0 or 4 before it.
    Octal { digits: usize },
    /// The listed octal codes.
    Codes(Vec<OctalCode>),
    /// All subtraction sets of numbers from 1 to `max`.
    Subtract { max: u32 },
}

/// A game of a sweep: its rules, without sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SweepGame {
    /// A window or a code.
    Row(RowGame),
    /// A subtraction set, in ascending order.
    Subtract(Vec<u64>),
}

impl SweepGame {
    /// Parses the output of [`Display`](fmt::Display), and nothing else.
    pub fn read(text: &str) -> Option<Self> {
        let game = match text.strip_prefix("subtract take ") {
            Some(takes) => Self::Subtract(takes.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?),
            None => Self::Row(RowGame::read(text)?),
        };
        (game.to_string() == text).then_some(game)
    }
}

impl fmt::Display for SweepGame {
    /// Writes the rules as in a header, without sizes: `subtract take 1 3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row(game) => game.fmt(f),
            Self::Subtract(takes) => write!(f, "subtract take {}", takes.iter().format(" ")),
        }
    }
}

/// A game, and the other games of its family that have the same values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameClass {
    pub game: SweepGame,
    /// The other games, each with the heap that has the value of heap n of `game`: `0.07 at n+1`.
    pub(crate) cousins: Vec<String>,
}

impl GameClass {
    /// Returns the codes of the class, in the order of a sweep.
    pub(crate) fn codes(&self) -> Vec<OctalCode> {
        let game = self.game.to_string();
        let names =
            iter::once(game.trim_start_matches("octal ")).chain(self.cousins.iter().map(String::as_str));
        names.filter_map(|name| name.split(' ').next()?.parse().ok()).collect()
    }
}

/// Returns the other codes of a class, each with the heap that has the value of heap n of `code`.
pub(crate) fn cousins_of(code: OctalCode, codes: impl IntoIterator<Item = OctalCode>) -> Vec<String> {
    let Some(form) = CodeForm::of(code) else { return Vec::new() };
    let others = codes.into_iter().filter(|&other| other != code);
    others.filter_map(|other| Some(at(other, form.more_than(&CodeForm::of(other)?)?))).collect()
}

impl Family {
    /// Returns the classes of all games of the family.
    pub(crate) fn classes(&self) -> Vec<GameClass> {
        match self {
            Self::Segment { l, r } => windows(l, r),
            Self::Octal { digits } => codes(all_codes(*digits)),
            Self::Codes(list) => codes(list.iter().copied()),
            Self::Subtract { max } => subtraction_sets(*max),
        }
    }
}

impl fmt::Display for Family {
    /// Writes the family as the arguments of `grundy sweep`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Segment { l, r } => {
                write!(f, "segment --l {}..{} --r {}..{}", l.start(), l.end(), r.start(), r.end())
            }
            Self::Octal { digits } => write!(f, "octal --digits {digits}"),
            Self::Codes(list) => write!(f, "octal {}", list.iter().format(" ")),
            Self::Subtract { max } => write!(f, "subtract --max {max}"),
        }
    }
}

/// Returns the windows, grouped by the window that they scale down to.
fn windows(l: &RangeInclusive<u64>, r: &RangeInclusive<u64>) -> Vec<GameClass> {
    let mut classes: BTreeMap<(u64, u64), Vec<(u64, Window)>> = BTreeMap::new();
    let up_to = |r: u64| *l.start()..=r.min(*l.end());
    for window in r.clone().flat_map(|r| up_to(r).filter_map(move |l| Window::new(l, r))) {
        let Scale { factor, window: least } = Scale::of(window);
        classes.entry((least.r(), least.l())).or_default().push((factor, window));
    }
    let class = |((r, l), members): ((u64, u64), Vec<(u64, Window)>)| {
        let others =
            members.into_iter().filter(|&(factor, _)| factor > 1).sorted_by_key(|&(factor, _)| factor);
        Some(GameClass {
            game: SweepGame::Row(RowGame::Window(Window::new(l, r)?)),
            cousins: others.map(|(factor, window)| scaled(RowGame::Window(window), factor)).collect(),
        })
    };
    classes.into_iter().filter_map(class).collect()
}

/// Formats a game whose heap of `factor` times n has the value of heap n of the class: `segment 2 3 at 2n`.
fn scaled(game: impl fmt::Display, factor: u64) -> String {
    format!("{game} at {factor}n")
}

/// Returns all codes with up to `digits` digits after the point.
fn all_codes(digits: usize) -> impl Iterator<Item = OctalCode> {
    let after = (0..digits).map(|_| 0..8_u8).multi_cartesian_product();
    iproduct!([0, 4], after).filter_map(|(before, mut digits)| {
        digits.insert(0, before);
        OctalCode::new(&digits)
    })
}

/// Groups codes by their forms. The game of a group is its least code. Codes are ordered by the digit before the
/// point, then by their number of digits, then by their text.
fn codes(codes: impl Iterator<Item = OctalCode>) -> Vec<GameClass> {
    let mut classes: BTreeMap<Vec<u8>, Vec<OctalCode>> = BTreeMap::new();
    for code in codes.unique() {
        if let Some(form) = CodeForm::of(code) {
            classes.entry(form.key()).or_default().push(code);
        }
    }
    let order = |code: &OctalCode| (code.digit(0), code.digits().len(), code.to_string());
    let class = |members: Vec<OctalCode>| {
        let members = members.into_iter().sorted_by_key(order).collect_vec();
        let &code = members.first()?;
        let cousins = cousins_of(code, members);
        Some((code, GameClass { game: SweepGame::Row(RowGame::Code(code)), cousins }))
    };
    let classes = classes.into_values().filter_map(class).sorted_by_key(|(code, _)| order(code));
    classes.map(|(_, class)| class).collect()
}

/// Groups subtraction sets by the set that remains after division by their greatest common divisor.
fn subtraction_sets(max: u32) -> Vec<GameClass> {
    let mut classes: BTreeMap<Vec<u64>, Vec<u64>> = BTreeMap::new();
    for set in 1_u64..1 << max {
        let takes = (1..=u64::from(max)).filter(|take| set >> (take - 1) & 1 == 1).collect_vec();
        let divisor = takes.iter().copied().fold(0, gcd);
        classes.entry(takes.iter().map(|take| take / divisor).collect()).or_default().push(divisor);
    }
    let class = |(takes, factors): (Vec<u64>, Vec<u64>)| {
        let multiple = |factor: u64| SweepGame::Subtract(takes.iter().map(|take| take * factor).collect());
        let others = factors.into_iter().filter(|&factor| factor > 1).sorted();
        let cousins = others.map(|factor| scaled(multiple(factor), factor)).collect();
        GameClass { game: multiple(1), cousins }
    };
    classes.into_iter().map(class).collect()
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use zeroxor::rules::{Clause, PileGame};
    use zeroxor::{GameSpec, nimbers};

    use super::*;

    fn cousins_of<'a>(classes: &'a [GameClass], game: &str) -> &'a [String] {
        &classes.iter().find(|class| class.game.to_string() == game).unwrap().cousins
    }

    #[test]
    fn equal_games_form_one_class() {
        let windows = Family::Segment { l: 1..=6, r: 1..=6 }.classes();
        assert_eq!(windows.len(), 16);
        assert_eq!(
            cousins_of(&windows, "segment 1 2"),
            ["segment 2 3 at 2n", "segment 3 4 at 3n", "segment 4 5 at 4n", "segment 5 6 at 5n"]
        );
        assert_eq!(cousins_of(&windows, "segment 3 3"), [""; 0]);
        let some = ["0.07", "0.137", "0.6", "0.07"].map(|code| code.parse().unwrap());
        let some = Family::Codes(some.to_vec()).classes();
        assert_eq!(cousins_of(&some, "octal 0.07"), ["0.137 at n-1"]);
        assert_eq!(cousins_of(&some, "octal 0.6"), [""; 0]);
        assert_eq!(some.len(), 2);
        let codes = Family::Octal { digits: 3 }.classes();
        assert_eq!(codes.len(), 278);
        assert_eq!(codes.iter().map(|class| 1 + class.cousins.len()).sum::<usize>(), 1023);
        assert_eq!(
            cousins_of(&codes, "octal 0.6"),
            ["0.37 at n-1", "0.61", "0.62", "0.63", "0.601", "0.611", "0.621", "0.631"]
        );
        assert!(cousins_of(&codes, "octal 0.4").contains(&"0.137 at n-2".to_owned()));
        let sets = Family::Subtract { max: 6 }.classes();
        assert_eq!(sets.iter().map(|class| 1 + class.cousins.len()).sum::<usize>(), 63);
        assert_eq!(cousins_of(&sets, "subtract take 1 3"), ["subtract take 2 6 at 2n"]);
    }

    /// Returns the values of the heaps of 0 to 60.
    fn values(game: &str) -> Vec<u64> {
        let spec = match SweepGame::read(game)
            .unwrap_or_else(|| SweepGame::read(&format!("octal {game}")).unwrap())
        {
            SweepGame::Row(game) => game.spec(),
            SweepGame::Subtract(takes) => {
                GameSpec::Piles { game: PileGame::Subtract, piles: vec![1], clauses: Clause::taking(&takes) }
            }
        };
        nimbers(&spec, 0..=60).unwrap().into_iter().map(|nimber| nimber.0).collect()
    }

    /// Checks for three families that the heaps up to 60 of each cousin have the stated values.
    #[test]
    fn cousins_have_the_same_values() {
        for family in
            [Family::Segment { l: 1..=9, r: 1..=9 }, Family::Octal { digits: 2 }, Family::Subtract { max: 7 }]
        {
            for GameClass { game, cousins } in family.classes() {
                let all = values(&game.to_string());
                for cousin in &cousins {
                    let (other, at) = cousin.split_once(" at ").unwrap_or((cousin, "n+0"));
                    let other = values(other);
                    let place = |n: usize| match at.strip_suffix('n') {
                        Some(factor) => Some(n * factor.parse::<usize>().unwrap()),
                        None => n.checked_add_signed(at.strip_prefix('n').unwrap().parse().unwrap()),
                    };
                    for (n, &value) in all.iter().enumerate() {
                        let equal = place(n).and_then(|place| other.get(place));
                        assert!(equal.is_none_or(|&equal| equal == value), "{game} {cousin} {n}");
                    }
                }
            }
        }
    }
}
