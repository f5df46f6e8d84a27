//! `grundy octal`: prints the known facts about the game of a code.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::ensure;
use clap::Args;
use zeroxor::OctalCode;
use zeroxor::grundy::segment::Window;

use crate::cousins::{CodeForm, EqualCodes, at};
use crate::number::number_in;
use crate::rows::{RowGame, Rows};

const NAMES: [(&str, &str); 7] = [
    ("0.77", "Kayles"),
    ("0.07", "Dawson's Kayles"),
    ("0.137", "Dawson's Chess"),
    ("0.007", "Treblecross, or James Bond"),
    ("0.6", "Officers"),
    ("4.7", "Daisies"),
    ("0.156", "Kenyon's game"),
];

/// Print what is known about an octal game: its name, cousins, window, period and rare values
#[derive(Debug, Args)]
#[command(after_help = "\
Cousins are all octal codes of up to three digits after the point that are proven to have the same values, by their \
digits or by the periods of both. Codes whose values agree up to --to, without a proof for larger heaps, are listed \
separately, as \"same first values\".

Examples:
  grundy octal 0.07
  grundy octal .16
  grundy octal 0.6 --to 1e6

The k-th digit after the point says what taking k cards from a heap may leave:
  1  nothing
  2  one heap
  4  two heaps
  8  three heaps
or the sum of some of these; the digit before the point is for taking nothing.

Digits in brackets at the end repeat: 4.[3] is Lasker's nim.

Cousins and the heap with the same value:
  0.137 at n-1  the heap of n cards has the value of n-1 cards in 0.137

The status of the period:
  proven by this run       the values up to --to prove it
  proven earlier           as docs/results says, with a larger --to
  published, not checked   docs/results has the source
  open                     no period is known")]
pub(crate) struct OctalArgs {
    /// The code, such as 0.77, .137, 4.7 or `4.[3]`
    #[arg(value_name = "CODE")]
    code: OctalCode,

    /// The largest heap whose value is computed [default: 20000; 4000 if a move may leave three heaps; 2000 if
    /// digits repeat; 500 if both]
    #[arg(long, value_name = "N", value_parser = number_in(100..=100_000_000_u64))]
    to: Option<u64>,
}

pub(crate) fn octal(args: &OctalArgs) -> anyhow::Result<ExitCode> {
    let &OctalArgs { code, to } = args;
    let to = largest_heap(to, code)?;
    let mut lines = vec![("code", code.to_string())];
    lines.extend(name(code).map(|name| ("name", name.to_owned())));
    if let Some(standard) = code.standard_form() {
        lines.push(("standard form", at(standard.0, i64::try_from(standard.1)?)));
    }
    let EqualCodes { proven, unproven } = EqualCodes::of(code, to);
    for (heading, codes) in [("cousins", proven), ("same first values", unproven)] {
        if !codes.is_empty() {
            lines.push((heading, codes.join(", ")));
        }
    }
    if let Some(form) = CodeForm::of(code) {
        lines.extend(equal_window(code, &form).map(|window| ("window", window)));
    }
    lines.extend(values(code, to));
    let mut out = io::stdout().lock();
    lines.iter().try_for_each(|(name, text)| writeln!(out, "{name}: {text}"))?;
    Ok(ExitCode::SUCCESS)
}

fn name(code: OctalCode) -> Option<&'static str> {
    NAMES.iter().find(|(named, _)| named.parse() == Ok(code)).map(|&(_, name)| name)
}

/// The largest heap whose value is computed: `asked`, or else a default for this code.
fn largest_heap(asked: Option<u64>, code: OctalCode) -> anyhow::Result<u64> {
    let (default, most, reason) = match (code.longest_take(), code.move_bounds().most_heaps) {
        (None, 3..) => (500, 2000, "its digits repeat, and a move may leave three heaps"),
        (None, _) => (2000, 10_000, "its digits repeat"),
        (Some(_), 3..) => (4000, 20_000, "a move may leave three heaps; grundy table allows more"),
        (Some(_), _) => return Ok(asked.unwrap_or(20_000)),
    };
    let to = asked.unwrap_or(default);
    ensure!(to <= most, "expected --to of at most {most} for {code}, got {to}: {reason}");
    Ok(to)
}

/// A window with the same values as the code, if there is one, and the shift in the number of cards.
fn equal_window(code: OctalCode, form: &CodeForm) -> Option<String> {
    // The window may take more cards than the code: 0.4 is a cousin of [2, 2].
    let longest = code.longest_take()? + 2;
    let mut windows = (1..=longest).flat_map(|r| (1..=r).filter_map(move |l| Window::new(l, r)));
    windows.find_map(|window| {
        let less = form.more_than(&CodeForm::of(window.code()?)?)?;
        Some(at(format!("[{}, {}]", window.l(), window.r()), less))
    })
}

/// The lines about rare values and the period, from the values up to `to` and from recorded periods.
fn values(code: OctalCode, to: u64) -> Vec<(&'static str, String)> {
    let game = RowGame::Code(code);
    let rows = Rows::compute(game, to, true);
    let mut lines = Vec::new();
    lines.extend(rows.rare_values().map(|text| ("rare values", format!("{text} up to n = {to}"))));
    if rows.period.is_some() || game.never_repeats() {
        lines.push(("period", rows.period_in_words()));
    }
    lines.push(("status", rows.status()));
    lines
}
