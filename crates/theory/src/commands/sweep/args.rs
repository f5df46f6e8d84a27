//! The arguments of `grundy sweep`.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::ensure;
use clap::{Args, Subcommand};
use itertools::Itertools;
use zeroxor::OctalCode;

use crate::sweep::{Bounds, Family};
use common::shards::options::ShardOptions;
use common::units::{number_in, parse_memory_limit, parse_number, parse_time_limit};

/// Search for the period of every game of a family
#[derive(Debug, Args)]
#[command(after_help = "\
\"grundy sweep FAMILY --help\" prints the options of a family. Each game is a line of JSON: its rules, its cousins (the \
other games of the family with the same values), and the findings. Games with the same values are searched once: \
windows that scale down to one window, codes with one standard form, and multiples of one subtraction set.

The status of a game:
  solved   its period is proven here; the line of a window or a code contains
           the certificate
  open     the values up to --to, --dense-to or --few-rares-to show no period
  stopped  the search reached its limits; the values up to n show no period

\"grundy atlas\" makes a page of one or more sweeps. \"grundy table --verify\" verifies the periods of windows and codes.

Examples:
  grundy sweep octal --digits 2
  grundy sweep segment --l 1..16 --r 1..16 --to 1e7 --output windows.jsonl
  grundy sweep subtract --max 12 --output sets.jsonl

Exit codes:
  0   every game is solved or open
  1   every game was searched, and some were stopped by their limits
  2   wrong usage, or the output cannot be written
  75  interrupted: the same command continues, if it has --output FILE")]
pub(crate) struct SweepArgs {
    #[command(subcommand)]
    pub(super) family: FamilyArgs,
}

#[derive(Debug, Subcommand)]
#[command(subcommand_value_name = "FAMILY", subcommand_help_heading = "Families")]
pub(super) enum FamilyArgs {
    /// Rows of cards: a move takes L to R adjacent cards
    #[command(after_help = after_help("  grundy sweep segment --l 1..16 --r 1..16 --to 1e7 --output windows.jsonl
  grundy sweep segment --l 3 --r 3..64"))]
    Segment {
        /// The values of L, as in 1..64 or 3
        #[arg(long, value_name = "A..B", value_parser = range, default_value = "1..16")]
        l: RangeInclusive<u64>,

        /// The values of R; windows have L <= R
        #[arg(long, value_name = "A..B", value_parser = range, default_value = "1..16")]
        r: RangeInclusive<u64>,

        #[command(flatten)]
        depth: DepthArgs,

        #[command(flatten)]
        options: SweepOptions,
    },

    /// Octal games: the listed codes, or all codes of up to D digits after the point, with 0 or 4 before it
    #[command(after_help = after_help("  grundy sweep octal --digits 2
  grundy sweep octal 0.104 0.054 --to 5e8 --time-limit 10m
  grundy sweep octal --digits 3 --to 1e8 --skip-solved codes.jsonl -o more.jsonl
  grundy sweep octal --digits 4 --dense-to 2e5 --few-rares-to 1e8 -o codes.jsonl
  grundy sweep octal --digits 4 --shard 3/7 --output third.jsonl"))]
    Octal {
        /// The codes to search, instead of all
        #[arg(value_name = "CODE", value_parser = code)]
        codes: Vec<OctalCode>,

        /// Maximum number of digits after the point
        #[arg(long, value_name = "D", conflicts_with = "codes", value_parser = number_in(1..=5_u16), default_value_t = 3)]
        digits: u16,

        #[command(flatten)]
        depth: DepthArgs,

        #[command(flatten)]
        options: SweepOptions,
    },

    /// Subtraction games: all sets of numbers up to M that a move may take
    #[command(after_help = after_help("  grundy sweep subtract --max 12 --output sets.jsonl"))]
    Subtract {
        /// The largest number of a set
        #[arg(long, value_name = "M", value_parser = number_in(1..=18_u32), default_value_t = 12)]
        max: u32,

        #[command(flatten)]
        options: SweepOptions,
    },
}

/// Returns the end of the help of a family.
fn after_help(examples: &str) -> String {
    format!(
        "\
Examples:
{examples}

Exit codes:
  0   every game is solved or open
  1   every game was searched, and some were stopped by their limits
  2   wrong usage, or the output cannot be written
  75  interrupted: the same command continues, if it has --output FILE"
    )
}

/// The depth of the search, for families whose values need not repeat.
#[derive(Debug, Args)]
pub(super) struct DepthArgs {
    /// The largest heap whose value is computed
    #[arg(long, value_name = "N", value_parser = number_in(1..=1_u64 << 30), default_value_t = 1_000_000)]
    to: u64,

    /// The largest heap in games without a sparse space: larger heaps cost more there [default: that of --to]
    #[arg(long, value_name = "N", value_parser = number_in(1..=1_u64 << 30))]
    dense_to: Option<u64>,

    /// The largest heap in games with fewer than 100 rare values: values cost little there [default: that of --to]
    #[arg(long, value_name = "N", value_parser = number_in(1..=1_u64 << 30))]
    few_rares_to: Option<u64>,
}

impl DepthArgs {
    /// Checks that --dense-to, --to and --few-rares-to do not decrease in this order.
    ///
    /// # Errors
    ///
    /// If --dense-to is above --to, or --few-rares-to is below --to.
    fn check(&self) -> anyhow::Result<()> {
        let Self { to, dense_to, few_rares_to } = self;
        if let Some(dense_to) = dense_to {
            ensure!(dense_to <= to, "expected --dense-to of at most {to}, which is --to, got {dense_to}");
        }
        if let Some(few_rares_to) = few_rares_to {
            ensure!(
                few_rares_to >= to,
                "expected --few-rares-to of at least {to}, which is --to, got {few_rares_to}"
            );
        }
        Ok(())
    }
}

/// The options of every sweep.
#[derive(Debug, Args)]
pub(super) struct SweepOptions {
    /// Maximum cost of the tables of a game. If the tables reach it, the search may also compute the values one after
    /// another, at up to the same cost, and the hash of a period's values may cost as much again. The cost is counted
    /// in nanoseconds of work, so that every run on every machine has the same findings
    #[arg(long, value_name = "TIME", value_parser = parse_time_limit, default_value = "1m")]
    time_limit: Duration,

    /// Maximum memory of the values of a game
    #[arg(long, value_name = "SIZE", value_parser = parse_memory_limit, default_value = "1G")]
    memory_limit: u64,

    /// Number of games that are searched at the same time [default: one for each processor]
    #[arg(short, long, value_name = "J", value_parser = number_in(1..=1024_u16))]
    pub(super) jobs: Option<u16>,

    /// Append the lines to this file; games of this sweep that are already in the file are skipped
    #[arg(short, long, value_name = "FILE", visible_alias = "checkpoint")]
    pub(super) output: Option<PathBuf>,

    /// Skip the games that the sweeps in these files have solved
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(super) skip_solved: Vec<PathBuf>,

    #[command(flatten)]
    pub(super) shards: ShardOptions,
}

/// Parses a code whose period can be searched for.
fn code(text: &str) -> Result<OctalCode, String> {
    let code: OctalCode = text.parse().map_err(|error| format!("{error}"))?;
    match code.standard_form() {
        Some(_) => Ok(code),
        None if code.longest_take().is_none() => {
            Err("periods cannot be proven for digits that repeat".to_owned())
        }
        None => Err(format!("its standard form has more than {} digits", OctalCode::MAX_DIGITS)),
    }
}

/// Maximum number of windows of a sweep.
const MAX_WINDOWS: u64 = 1 << 18;

impl FamilyArgs {
    /// Returns the family, and the bounds of the search in its games.
    ///
    /// # Errors
    ///
    /// If the family has no game or too many games.
    pub(super) fn family(&self) -> anyhow::Result<(Family, Bounds)> {
        let (family, depth) = match self {
            Self::Segment { l, r, depth, .. } => {
                ensure!(
                    l.start() <= r.end(),
                    "expected windows with L <= R, got --l {} and --r {}",
                    text(l),
                    text(r)
                );
                let count: u64 = l.clone().map(|l| (r.end() + 1).saturating_sub(l.max(*r.start()))).sum();
                ensure!(
                    count <= MAX_WINDOWS,
                    "expected at most {MAX_WINDOWS} windows, got {count}: narrow --l or --r"
                );
                (Family::Segment { l: l.clone(), r: r.clone() }, Some(depth))
            }
            Self::Octal { codes, digits, depth, .. } if codes.is_empty() => {
                (Family::Octal { digits: usize::from(*digits) }, Some(depth))
            }
            Self::Octal { codes, depth, .. } => {
                (Family::Codes(codes.iter().copied().unique().collect()), Some(depth))
            }
            // The values of every subtraction set repeat, so the search needs no largest heap.
            Self::Subtract { max, .. } => (Family::Subtract { max: *max }, None),
        };
        let SweepOptions { time_limit, memory_limit, .. } = self.options();
        let steps = u64::try_from(time_limit.as_nanos()).unwrap_or(u64::MAX);
        depth.map_or(Ok(()), DepthArgs::check)?;
        let bounds = Bounds {
            to: depth.map_or(u64::MAX, |depth| depth.to),
            dense_to: depth.and_then(|depth| depth.dense_to),
            few_rares_to: depth.and_then(|depth| depth.few_rares_to),
            steps,
            memory: *memory_limit,
        };
        Ok((family, bounds))
    }

    pub(super) fn options(&self) -> &SweepOptions {
        let (Self::Segment { options, .. } | Self::Octal { options, .. } | Self::Subtract { options, .. }) =
            self;
        options
    }
}

/// Formats a range as the user types it.
fn text(range: &RangeInclusive<u64>) -> String {
    format!("{}..{}", range.start(), range.end())
}

/// Parses `A..B`, both included, or a single number.
fn range(text: &str) -> Result<RangeInclusive<u64>, String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let range = parse_number(first).zip(parse_number(last)).map(|(first, last)| first..=last);
    range
        .filter(|range| *range.start() >= 1 && !range.is_empty() && *range.end() <= 1 << 20)
        .ok_or_else(|| format!("expected a range such as 1..64, of numbers from 1 to {}", 1 << 20))
}
