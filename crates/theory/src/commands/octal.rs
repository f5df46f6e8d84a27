//! `grundy octal`: prints the known facts about the game of a code.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::ensure;
use clap::Args;
use zeroxor::grundy::octal::move_bounds;
use zeroxor::grundy::segment::{Period, Window};
use zeroxor::{GameSpec, OctalCode};

use crate::code_form::CodeForm;
use crate::cousins::{EqualCodes, at};
use crate::period_status::{PeriodStatus, published};
use crate::published_codes;
use crate::{Comparison, RowGame, Rows, rare_values};
use common::output::Output;
use common::units::number_in;

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
  grundy octal 0.161 --compare 0.36

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
  proven here              by this run, or by a stored certificate, which
                           grundy table --verify checks
  published, not checked   with the finder, the year and the source
  open                     no period is known

Exit codes:
  0  the facts were printed
  2  wrong usage, or a table that is too large")]
pub(crate) struct OctalArgs {
    /// The code, such as 0.77, .137, 4.7 or 4.[3]
    #[arg(value_name = "CODE")]
    code: OctalCode,

    /// The largest heap whose value is computed [default: 20000; 4000 if a move may leave three heaps; 2000 if
    /// digits repeat]
    #[arg(long, value_name = "N", value_parser = number_in(100..=100_000_000_u64))]
    to: Option<u64>,

    /// Compare the values with those of this code, and print the first difference
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
    let EqualCodes { proven, unproven } = EqualCodes::of(code, to)?;
    for (heading, codes) in [("cousins", proven), ("same first values", unproven)] {
        if !codes.is_empty() {
            lines.push((heading, codes.join(", ")));
        }
    }
    if let Some(form) = CodeForm::of(code) {
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

/// Returns the largest heap whose value is computed: `asked`, or else a default for these codes.
fn largest_heap(asked: Option<u64>, codes: impl Iterator<Item = OctalCode>) -> anyhow::Result<u64> {
    // Returns the default and the maximum for a code, and the reason for both.
    let limits = |code: OctalCode| match (code.longest_take(), move_bounds(code).most_heaps) {
        (None, _) => Some((2000, 10_000, format!("the digits of {code} repeat"))),
        (Some(_), 3..) => {
            let reason =
                format!("a move of {code} may leave three heaps; grundy table octal {code} allows more");
            Some((4000, 20_000, reason))
        }
        (Some(_), _) => None,
    };
    let Some((default, most, reason)) = codes.filter_map(limits).min() else {
        return Ok(asked.unwrap_or(20_000));
    };
    let to = asked.unwrap_or(default);
    ensure!(to <= most, "expected --to of at most {most}, got {to}: {reason}");
    Ok(to)
}

/// Returns the game of a single heap under a code.
fn heap_of(code: OctalCode) -> GameSpec {
    GameSpec::Octal { code, heaps: vec![1] }
}

fn write(lines: &[(&str, String)], out: &mut impl Write) -> io::Result<()> {
    lines.iter().try_for_each(|(name, text)| writeln!(out, "{name}: {text}"))
}

/// Returns a window with the same values as the code, if there is one, and the shift in the number of cards.
fn equal_window(code: OctalCode, form: &CodeForm) -> Option<String> {
    // The window may take more cards than the code: 0.4 is a cousin of [2, 2].
    let longest = code.longest_take()? + 2;
    let mut windows = (1..=longest).flat_map(|r| (1..=r).filter_map(move |l| Window::new(l, r)));
    windows.find_map(|window| {
        let less = form.more_than(&CodeForm::of(window.code()?)?)?;
        Some(at(format!("[{}, {}]", window.l(), window.r()), less))
    })
}

/// Returns the lines about rare values and the period, from the values up to `to` and from published periods.
fn values(code: OctalCode, to: u64) -> anyhow::Result<Vec<(&'static str, String)>> {
    let game = RowGame::Code(code);
    let rows = Rows::compute(game, to, true)?;
    let mut lines = Vec::new();
    if let Some(space) = rows.space() {
        lines.push(("rare values", rare_values(space, Some(to))));
    }
    let report = rows.period_report();
    let status = report.status();
    if status == PeriodStatus::ProvenByRun || game.never_repeats() {
        lines.push(("period", report.period()));
    }
    lines.extend(report.other_lines(|| rows.least_period_not_excluded()));
    if let PeriodStatus::ProvenByCertificate { period: Period { start, length }, .. } = status {
        lines.push(("period", format!("{length} from n = {start} on")));
        lines.extend(published(game).map(|published| ("published", published.to_string())));
    }
    lines.push(("status", status.to_string()));
    Ok(lines)
}
