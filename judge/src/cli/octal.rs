//! `judge octal`: what is known of the game of a code.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::ensure;
use clap::Args;
use itertools::iproduct;
use zeroxor::grundy::octal::move_bounds;
use zeroxor::grundy::segment::{Period, Window};
use zeroxor::{GameSpec, OctalCode};

use crate::report::output::Output;
use crate::tables::cousins::{Form, at};
use crate::tables::published_codes::{self, PublishedCode};
use crate::tables::{Comparison, RowGame, Rows, rare_values};
use crate::units::number_in;

/// Say what is known of an octal game: its name, cousins, window, period and rare values
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  judge octal 0.07
  judge octal .16
  judge octal 0.6 --to 1e6
  judge octal 0.161 --compare 0.36

The k-th digit behind the point says what taking k cards from a heap may leave:
  1  nothing
  2  one heap
  4  two heaps
  8  three heaps
or the sum of some of these; the digit before the point is for taking nothing.

Cousins are codes of up to three digits with the same values:
  0.137 at n-1  the heap of n cards has the value of n-1 cards in 0.137

Exit codes:
  0  what is known was printed
  2  wrong usage, or a table that is too large")]
pub(crate) struct OctalArgs {
    /// The code, such as 0.77, .137 or 4.7
    #[arg(value_name = "CODE")]
    code: OctalCode,

    /// Up to which heap values are computed [default: 20000; 4000 where a move may leave three heaps]
    #[arg(long, value_name = "N", value_parser = number_in(100..=100_000_000_u64))]
    to: Option<u64>,

    /// Compare the values with those of this code, and tell where they differ first
    #[arg(long, value_name = "CODE")]
    compare: Option<OctalCode>,
}

pub(crate) fn octal(args: &OctalArgs) -> anyhow::Result<ExitCode> {
    let &OctalArgs { code, to, compare } = args;
    let to = largest_heap(to, [Some(code), compare].into_iter().flatten())?;
    let mut lines = vec![("code", code.to_string())];
    lines.extend(published_codes::name(code).map(|name| ("name", name.to_owned())));
    if let Some(standard) = code.standard_form() {
        lines.push(("standard form", at(standard.0, i64::try_from(standard.1)?)));
    }
    if let Some(form) = Form::of(code) {
        let cousins = cousins(code, &form);
        if !cousins.is_empty() {
            lines.push(("cousins", cousins.join(", ")));
        }
        lines.extend(equal_window(code, &form).map(|window| ("window", window)));
    }
    lines.extend(values(code, to)?);
    if let Some(other) = compare {
        let compared = Comparison::of(&[code, other].map(heap_of), to)?;
        lines.push(("compared", format!("with {}: {compared}", at(other, compared.less))));
    }
    Output::stdout().write(|out| write(&lines, out))?;
    Ok(ExitCode::SUCCESS)
}

/// Up to which heap the values of these codes are computed, if so much is asked for.
fn largest_heap(asked: Option<u64>, mut codes: impl Iterator<Item = OctalCode>) -> anyhow::Result<u64> {
    /// The values of heaps that a move may make three of take longer.
    const MOST: u64 = 20_000;
    let Some(slow) = codes.find(|&code| move_bounds(code).most_heaps > 2) else {
        return Ok(asked.unwrap_or(20_000));
    };
    let to = asked.unwrap_or(4000);
    ensure!(
        to <= MOST,
        "expected --to {MOST} at most where a move may leave three heaps, as in {slow}, got {to}; judge table octal {slow} \
         goes farther"
    );
    Ok(to)
}

/// A heap under a code.
fn heap_of(code: OctalCode) -> GameSpec {
    GameSpec::Octal { code, heaps: vec![1] }
}

fn write(lines: &[(&str, String)], out: &mut impl Write) -> io::Result<()> {
    lines.iter().try_for_each(|(name, text)| writeln!(out, "{name}: {text}"))
}

/// The other codes of up to three digits with these values.
fn cousins(code: OctalCode, form: &Form) -> Vec<String> {
    let codes =
        iproduct!([0, 4], 0..8, 0..8, 0..8).filter_map(|(d0, d1, d2, d3)| OctalCode::new(&[d0, d1, d2, d3]));
    let others = codes.filter(|&other| other != code);
    others.filter_map(|other| Some(at(other, form.more_than(&Form::of(other)?)?))).collect()
}

/// A window with these values.
fn equal_window(code: OctalCode, form: &Form) -> Option<String> {
    // The form may have a digit or two more than the window.
    let longest = code.longest_take() + 2;
    let mut windows = (1..=longest).flat_map(|r| (1..=r).filter_map(move |l| Window::new(l, r)));
    windows.find_map(|window| {
        let less = form.more_than(&Form::of(window.code()?)?)?;
        Some(at(format!("[{}, {}]", window.l(), window.r()), less))
    })
}

/// What the values up to `to` show, and what has been published.
fn values(code: OctalCode, to: u64) -> anyhow::Result<Vec<(&'static str, String)>> {
    let game = RowGame::Code(code);
    let rows = Rows::compute(game, to, true)?;
    let mut lines = Vec::new();
    if let Some(space) = rows.space() {
        lines.push(("rare values", rare_values(space, rows.is_by_place(), Some(to))));
    }
    let form = Form::of(code);
    let more_than = |other| form?.more_than(&Form::of(other)?);
    let published = published_codes::long_periods()
        .find_map(|published| more_than(published.code).map(|more| (published, more)));
    let is_open = published_codes::open().any(|open| more_than(open).is_some());
    let is_known = rows.proven_period().is_some() || game.never_repeats();
    if is_known {
        lines.push(("period", rows.period_in_words()));
    }
    lines.extend(rows.other_period_lines());
    match published {
        _ if rows.proven_period().is_some() => lines.push(("status", "solved".to_owned())),
        _ if game.never_repeats() => {
            lines.push(("status", "open: there is no period, and no arithmetic period is proven".to_owned()));
        }
        Some((PublishedCode { period, found_by, .. }, more)) => {
            let period = Period { start: period.start.saturating_add_signed(more), ..period };
            let Period { start, length } = period;
            lines.push(("period", format!("{length} from n = {start} on, found by {found_by}")));
            let to = period.values_needed(game.move_bounds()) - 1;
            lines.push((
                "status",
                format!("solved; proven by the values up to {to}: judge table {game} --to {to} --period"),
            ));
        }
        None if is_open => {
            lines.push(("status", format!("open: no period is known, and none shows up to n = {to}")));
        }
        None => {
            lines.push(("status", format!("no period shows up to n = {to}; a larger --to may show one")));
        }
    }
    Ok(lines)
}
