//! The bot zeroxor for AtCoder ABC278 G. Made from src/core by the test `submission`: do not edit it.
//! Needs edition 2024 and the crate itertools. Licence: MIT OR Apache-2.0.

use itertools::Itertools;
use std::fmt;
use std::io::{self, BufRead, Read, Write};
use std::ops::Range;
use std::process::exit;

// The nimbers of rows of cards.
//
// A move splits a row of n cards into two rows of u and v cards, which may be empty, and takes the y = n-u-v cards
// between them. By the theorem of R. P. Sprague (1935) and P. M. Grundy (1939), `g[n]`, the nimber of the row, is the
// mex of the XORs `g[u] ^ g[v]` over all moves: the least number that is not among them.
//
// The XOR x is among them if some pair (u, v) has it and a sum u+v in [n-R, n-L]. So each XOR has a list of the sums
// of its pairs. The lists are sorted, and a binary search tells whether a list has a sum in that range. This follows
// the editorial of the contest by dbsic211 (2022).

/// The nimbers of all rows up to a number of cards, if a move takes L to R cards.
#[derive(Clone, Debug)]
pub struct Nimbers {
    l: usize,
    r: usize,
    values: Vec<u32>,
    /// For each XOR of two nimbers, the sums of the pairs of rows that have it, each sum once, in ascending order.
    sums: Vec<Vec<usize>>,
}

impl Nimbers {
    /// Computes the nimbers of rows of up to `n` cards.
    ///
    /// There are n^2/4 pairs of rows. Time: O(n^2) to enter them, and O(n log n) for each mex, so O(n^2 log n).
    /// Memory: O(n^2).
    ///
    /// # Panics
    ///
    /// If `l` is 0.
    pub fn new(n: usize, l: usize, r: usize) -> Self {
        // `g[n]` is at most n/L: a row of nimber m allows m moves, each to the next lower nimber.
        let xors = (n / l + 1).next_power_of_two();
        let mut this = Self { l, r, values: Vec::with_capacity(n + 1), sums: vec![Vec::new(); xors] };
        for cards in 0..=n {
            // Entered in ascending order, so that the lists are sorted.
            if let Some(sum) = cards.checked_sub(l) {
                this.enter_pairs(sum);
            }
            let mut mex = 0;
            while this.sum_after_move(cards, mex).is_some() {
                mex += 1;
            }
            this.values.push(mex);
        }
        this
    }

    /// The nimber of a row of `n` cards.
    ///
    /// # Panics
    ///
    /// If the nimbers were computed for shorter rows only.
    pub fn nimber(&self, n: usize) -> u32 {
        self.values[n]
    }

    /// The numbers of cards of the two rows that some move from a row of `n` cards to the nimber `target` leaves.
    ///
    /// # Panics
    ///
    /// If the nimbers were computed for shorter rows only.
    pub fn split(&self, n: usize, target: u32) -> Option<(usize, usize)> {
        let sum = self.sum_after_move(n, target)?;
        let mut pairs = (0..=sum / 2).map(|u| (u, sum - u));
        pairs.find(|&(u, v)| self.nimber(u) ^ self.nimber(v) == target)
    }

    /// Enters `sum` in the list of each XOR that a pair of rows with this sum has.
    fn enter_pairs(&mut self, sum: usize) {
        for u in 0..=sum / 2 {
            let xor = self.values[u] ^ self.values[sum - u];
            let sums = &mut self.sums[xor as usize];
            if sums.last() != Some(&sum) {
                sums.push(sum);
            }
        }
    }

    /// The least number of cards that a move from a row of `n` cards to the nimber `target` leaves in both rows.
    fn sum_after_move(&self, n: usize, target: u32) -> Option<usize> {
        let (least, most) = (n.saturating_sub(self.r), n.checked_sub(self.l)?);
        let sums = self.sums.get(target as usize)?;
        let next = sums.partition_point(|&sum| sum < least);
        sums.get(next).copied().filter(|&sum| sum <= most)
    }
}

// The row of cards, and its legal moves.

/// A move: it takes the cards x, x+1, ..., x+y-1. The cards are numbered from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The first card.
    pub x: usize,
    /// The number of cards.
    pub y: usize,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.x, self.y)
    }
}

/// The cards of a game that are still there.
#[derive(Clone, Debug)]
pub struct Row {
    n: usize,
    l: usize,
    r: usize,
    /// The longest runs of cards that are still there, from left to right. None is empty.
    segments: Vec<Range<usize>>,
}

impl Row {
    /// A row of `n` cards of which a move takes `l` to `r`, or `None` unless 1 <= L <= R <= N.
    pub fn new(n: usize, l: usize, r: usize) -> Option<Self> {
        let is_game = 1 <= l && l <= r && r <= n;
        is_game.then(|| Self { n, l, r, segments: Vec::from([Range { start: 1, end: n + 1 }]) })
    }

    /// N, L and R, as in the contest's first line.
    pub fn header(&self) -> (usize, usize, usize) {
        (self.n, self.l, self.r)
    }

    /// The longest runs of cards that are still there, from left to right. None is empty.
    pub fn segments(&self) -> &[Range<usize>] {
        &self.segments
    }

    /// Takes the cards of a move. An illegal move changes nothing.
    ///
    /// # Errors
    ///
    /// If the move is illegal.
    pub fn take(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let (Move { x, y }, (n, l, r)) = (mv, self.header());
        let illegal = |rule| Err(IllegalMove { mv, rule });
        if !(1..=n).contains(&x) {
            return illegal(Rule::NoSuchCard { n });
        }
        if y == 0 {
            return illegal(Rule::TakesNothing);
        }
        let Some(index) = self.segments.iter().position(|segment| segment.contains(&x)) else {
            return illegal(Rule::CardTaken);
        };
        if !(l..=r).contains(&y) {
            return illegal(Rule::OutsideWindow { l, r });
        }
        let segment = self.segments[index].clone();
        let free = segment.end - x;
        if y > free {
            return illegal(Rule::RunTooShort { free });
        }
        let left = [segment.start..x, x + y..segment.end];
        self.segments.splice(index..=index, left.into_iter().filter(|segment| !segment.is_empty()));
        Ok(())
    }
}

/// A move that breaks a rule of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    /// The move.
    pub mv: Move,
    /// The rule that it breaks.
    pub rule: Rule,
}

/// A rule of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The first card is one of the cards 1 to N.
    NoSuchCard {
        /// N.
        n: usize,
    },
    /// A move takes at least one card.
    TakesNothing,
    /// The first card is still there.
    CardTaken,
    /// A move takes L to R cards.
    OutsideWindow {
        /// L.
        l: usize,
        /// R.
        r: usize,
    },
    /// All cards of the move are still there.
    RunTooShort {
        /// The number of consecutive cards that are still there, from the first card of the move on.
        free: usize,
    },
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "taking {} at place {} is not legal: ", self.mv.y, self.mv.x)?;
        match self.rule {
            Rule::NoSuchCard { n } => write!(f, "there is no such place; places are numbered from 1 to {n}"),
            Rule::TakesNothing => f.write_str("a move takes at least 1"),
            Rule::CardTaken => f.write_str("the card at that place is already taken"),
            Rule::OutsideWindow { l: 1, r: 1 } => f.write_str("a move takes exactly 1 card"),
            Rule::OutsideWindow { l, r } if l == r => write!(f, "a move takes exactly {l} consecutive cards"),
            Rule::OutsideWindow { l, r } => write!(f, "a move takes {l} to {r} consecutive cards"),
            Rule::RunTooShort { free } => {
                write!(f, "the run of free cards from that place on has length {free}")
            }
        }
    }
}

impl std::error::Error for IllegalMove {}

// The side and the moves that win.

/// The player who makes the first move, or the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Moves first.
    First,
    /// Moves second.
    Second,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// A way to win a game from its start.
#[derive(Clone, Debug)]
pub enum Strategy {
    /// First takes the cards in the middle, so that two equal halves are left. A move in one half is then answered by
    /// the same move in the other half.
    Mirror {
        /// The first move.
        middle: Move,
    },
    /// The player moves to a row whose nimbers have the XOR 0, from which every move leads to another XOR.
    XorToZero(Nimbers),
}

impl Strategy {
    /// The strategy for a row from which no card was taken.
    ///
    /// No number of cards leaves two equal halves only if L = R and N-L is odd. Only then nimbers are computed, and
    /// they need the time of [`Nimbers::new`].
    pub fn new(row: &Row) -> Self {
        let (n, l, r) = row.header();
        match (l..=r).find(|y| (n - y) % 2 == 0) {
            Some(y) => Self::Mirror { middle: Move { x: (n - y) / 2 + 1, y } },
            None => Self::XorToZero(Nimbers::new(n, l, r)),
        }
    }

    /// The side that wins.
    pub fn side(&self, row: &Row) -> Side {
        match self {
            Self::Mirror { .. } => Side::First,
            Self::XorToZero(nimbers) if xor(row, nimbers) != 0 => Side::First,
            Self::XorToZero(_) => Side::Second,
        }
    }

    /// The answer to the opponent's move `last`, or the first move of the game if that is `None`. `None` if `row` is
    /// lost.
    pub fn answer(&self, row: &Row, last: Option<Move>) -> Option<Move> {
        match (self, last) {
            (&Self::Mirror { middle }, None) => Some(middle),
            (&Self::Mirror { middle }, Some(last)) => Some(mirrored(last, middle)),
            (Self::XorToZero(nimbers), _) => move_to_zero(row, nimbers),
        }
    }
}

/// The same move in the other half. The halves are as far apart as their first cards.
fn mirrored(mv: Move, middle: Move) -> Move {
    let distance = middle.x - 1 + middle.y;
    let x = if mv.x < middle.x { mv.x + distance } else { mv.x - distance };
    Move { x, ..mv }
}

fn xor(row: &Row, nimbers: &Nimbers) -> u32 {
    row.segments().iter().fold(0, |xor, segment| xor ^ nimbers.nimber(segment.len()))
}

/// A move after which the XOR is 0, if it is not 0 now.
///
/// The nimber of some segment has the highest bit of the XOR, so the XOR of all other segments is less than it. By the
/// definition of the mex, a move in this segment leaves that nimber.
fn move_to_zero(row: &Row, nimbers: &Nimbers) -> Option<Move> {
    let xor = xor(row, nimbers);
    row.segments().iter().find_map(|segment| {
        let nimber = nimbers.nimber(segment.len());
        let others = nimber ^ xor;
        let (left, right) = nimbers.split(segment.len(), others).filter(|_| others < nimber)?;
        Some(Move { x: segment.start + left, y: segment.len() - left - right })
    })
}

// One game against the contest's judge, over any reader and writer.
//
// The bot writes `First` or `Second`. Then both write their moves in turn, as `x y`. A player without a move writes
// `0 0`. The judge writes `-1 -1` to a bot that has lost.

/// Maximum length of a line in bytes, without its line end.
pub const MAX_LINE: usize = 1 << 20;

/// The reason why a game could not be played to its end.
#[derive(Debug)]
pub enum PlayError {
    /// The input could not be read.
    Read(io::Error),
    /// The output could not be written, for example because the judge has closed the pipe.
    Write(io::Error),
    /// The input ended in the middle of the game.
    Ended {
        /// The index of the expected move, from 1, among the moves of both players.
        ply: usize,
    },
    /// A line does not have the expected form.
    Malformed {
        /// The line number, from 1. The header is line 1.
        line: usize,
        /// The expected form.
        expected: String,
        /// The line, quoted, shortened and escaped.
        got: String,
    },
    /// The judge's move is not legal.
    Illegal {
        /// The line number, from 1. The header is line 1.
        line: usize,
        /// The move and the rule that it breaks.
        error: IllegalMove,
    },
}

impl PlayError {
    /// The exit code of the bot: 1 if the conversation broke off, 2 if the judge broke the protocol or the rules.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Read(_) | Self::Write(_) | Self::Ended { .. } => 1,
            Self::Malformed { .. } | Self::Illegal { .. } => 2,
        }
    }
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(f, "the input could not be read: {error}"),
            Self::Write(error) => write!(f, "the output could not be written: {error}"),
            Self::Ended { ply } => write!(f, "the input ended before move {ply}, which the judge makes"),
            Self::Malformed { line, expected, got } => {
                write!(f, "line {line}: expected {expected}, got {got}")
            }
            Self::Illegal { line, error } => write!(f, "line {line}: expected a legal move: {error}"),
        }
    }
}

impl std::error::Error for PlayError {}

/// Plays one game, from the answer to its header to its end. The bot chooses the side that wins.
///
/// # Errors
///
/// If the conversation breaks off, or the judge breaks the protocol or the rules.
pub fn play(row: Row, input: impl BufRead, output: impl Write) -> Result<(), PlayError> {
    let strategy = Strategy::new(&row);
    let side = strategy.side(&row);
    let mut game = Game { row, strategy, input, output, line: 1 };
    game.write(side)?;
    let mut ply = 1;
    if side == Side::First {
        game.answer(None)?;
        ply += 1;
    }
    while let Some(mv) = game.read_move(ply)? {
        game.answer(Some(mv))?;
        ply += 2;
    }
    Ok(())
}

struct Game<R, W> {
    row: Row,
    strategy: Strategy,
    input: R,
    output: W,
    /// The number of lines read, with the header.
    line: usize,
}

impl<R: BufRead, W: Write> Game<R, W> {
    /// Reads and makes the judge's move, which is move `ply` of the game. `None` if the judge ends the game.
    fn read_move(&mut self, ply: usize) -> Result<Option<Move>, PlayError> {
        let text = read_line(&mut self.input).map_err(PlayError::Read)?.ok_or(PlayError::Ended { ply })?;
        self.line += 1;
        let turn = match Turn::parse(&text) {
            // The bot cannot have lost before its first move.
            Ok(Turn::Lost) if ply == 1 => Err("the first move \"x y\", or \"0 0\"".to_owned()),
            turn => turn,
        };
        let malformed = |expected| PlayError::Malformed { line: self.line, expected, got: quoted(&text) };
        match turn.map_err(malformed)? {
            Turn::Move(mv) => self.take(mv).map(|()| Some(mv)),
            Turn::NoMove | Turn::Lost => Ok(None),
        }
    }

    /// Makes and writes the bot's move, or writes that there is none.
    fn answer(&mut self, last: Option<Move>) -> Result<(), PlayError> {
        match self.strategy.answer(&self.row, last) {
            Some(mv) => self.take(mv).and_then(|()| self.write(mv)),
            None => self.write("0 0"),
        }
    }

    fn take(&mut self, mv: Move) -> Result<(), PlayError> {
        self.row.take(mv).map_err(|error| PlayError::Illegal { line: self.line, error })
    }

    fn write(&mut self, line: impl fmt::Display) -> Result<(), PlayError> {
        writeln!(self.output, "{line}").and_then(|()| self.output.flush()).map_err(PlayError::Write)
    }
}

/// A line of the judge after the header.
enum Turn {
    Move(Move),
    /// `0 0`: the judge has no move, so the bot has won.
    NoMove,
    /// `-1 -1`: the bot has lost.
    Lost,
}

impl Turn {
    /// Parses a line. The error is the expected form.
    fn parse(line: &[u8]) -> Result<Self, String> {
        // A move `x 0` has this form, but is not legal.
        const FORM: &str = "a move \"x y\" with x at least 1 and y at least 0, \"0 0\" or \"-1 -1\"";
        let text = ascii_text(line).map_err(|form| format!("{FORM}, {form}"))?;
        let words = text.split([' ', '\t']).filter(|word| !word.is_empty());
        match words.collect_tuple() {
            Some(("-1", "-1")) => Ok(Self::Lost),
            Some((x, y)) => match (number(x), number(y)) {
                (Some(0), Some(0)) => Ok(Self::NoMove),
                (Some(x @ 1..), Some(y)) => Ok(Self::Move(Move { x, y })),
                _ => Err(FORM.to_owned()),
            },
            None => Err(FORM.to_owned()),
        }
    }
}

/// Parses a decimal integer without a sign. `str::parse` would accept a plus sign.
fn number(word: &str) -> Option<usize> {
    word.parse().ok().filter(|_| word.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Reads the next line and returns it without its LF; `None` at the end of the input. The last line needs no LF. The
/// rest of a line longer than [`MAX_LINE`] is not read.
///
/// # Errors
///
/// If the input cannot be read.
pub fn read_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    // With CR and LF.
    if input.take(MAX_LINE as u64 + 2).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    line.pop_if(|byte| *byte == b'\n');
    Ok(Some(line))
}

/// The text of a line, without a CR at the end.
///
/// # Errors
///
/// If the line is too long or not ASCII. The error is the expected form.
pub fn ascii_text(line: &[u8]) -> Result<&str, String> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.len() > MAX_LINE {
        return Err(format!("a line of at most {MAX_LINE} bytes"));
    }
    let text = str::from_utf8(line).ok().filter(|text| text.is_ascii());
    text.ok_or_else(|| "a line in ASCII".to_owned())
}

/// Quotes and escapes a line, without a CR at the end. Only the first 60 bytes are kept.
pub fn quoted(line: &[u8]) -> String {
    const SHOWN: usize = 60;
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    match line.get(..SHOWN) {
        Some(start) if line.len() > SHOWN => {
            format!("\"{}\"... ({} bytes)", start.escape_ascii(), line.len())
        }
        _ => format!("\"{}\"", line.escape_ascii()),
    }
}

fn main() {
    let mut header = String::new();
    io::stdin().read_line(&mut header).unwrap_or_default();
    let numbers = header.split_whitespace().filter_map(number).collect_tuple();
    let row = numbers.and_then(|(n, l, r)| Row::new(n, l, r)).unwrap_or_else(|| {
        eprintln!("expected N L R, got {header:?}");
        exit(2)
    });
    if let Err(error) = play(row, io::stdin().lock(), io::stdout()) {
        eprintln!("{error}");
        exit(error.exit_code().into());
    }
}
