//! `grundy count`: counts the pairs of the Number Game in a rectangle that the player to move wins.

use std::io::Write;
use std::process::ExitCode;

use anyhow::ensure;
use clap::Args;
use zeroxor::MAX_SIZE;
use zeroxor::grundy::winning_pairs;

use crate::number::number_in;

/// Count the pairs of the Number Game that the player to move wins
#[derive(Debug, Args)]
#[command(after_help = "\
Counts all pairs with A from A1 to A2 and B from B1 to B2, exactly, for bounds up to 10^18.

Example:
  grundy count 1 6 1 6      prints 20

Exit codes:
  0  the count was printed
  2  wrong usage")]
pub(crate) struct CountArgs {
    /// The smallest A
    #[arg(value_parser = number_in(1..=MAX_SIZE))]
    pub(crate) a1: u64,
    /// The largest A
    #[arg(value_parser = number_in(1..=MAX_SIZE))]
    pub(crate) a2: u64,
    /// The smallest B
    #[arg(value_parser = number_in(1..=MAX_SIZE))]
    pub(crate) b1: u64,
    /// The largest B
    #[arg(value_parser = number_in(1..=MAX_SIZE))]
    pub(crate) b2: u64,
}

pub(crate) fn count(args: &CountArgs) -> anyhow::Result<ExitCode> {
    let &CountArgs { a1, a2, b1, b2 } = args;
    ensure!(a1 <= a2, "expected A1 <= A2, got {a1} and {a2}");
    ensure!(b1 <= b2, "expected B1 <= B2, got {b1} and {b2}");
    writeln!(std::io::stdout(), "{}", winning_pairs((a1, a2), (b1, b2)))?;
    Ok(ExitCode::SUCCESS)
}
