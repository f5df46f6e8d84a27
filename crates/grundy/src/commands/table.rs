//! `grundy table`: writes the nimbers or outcomes of a game's heaps up to a size.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, bail, ensure};
use clap::Args;
use zeroxor::grundy::segment::{Period, Window};
use zeroxor::grundy::{self, Limit, TableError, ValueKind, subtraction_period};
use zeroxor::rules::{Clause, Heap};
use zeroxor::{GameKind, GameSpec, Nimber};

use crate::cli;
use crate::format::Format;
use crate::number::{header_text, number_in};
use crate::output;
use crate::rows::{RowGame, Rows};
use crate::table::{Entries, Table};

/// The limit of a table. It allows larger tables than a game, because no opponent waits for a move.
const LIMIT: Limit = Limit::new(10_000_000_000, 4 << 30);

/// Maximum size of a table: its values are in memory.
const MAX_TO: u64 = 1 << 30;

/// Maximum heap of Grundy's game: the time grows with the square.
const MAX_GRUNDY: u64 = 100_000;

/// Maximum number in a table of pairs. The largest table has a billion pairs, and each pair takes some nanoseconds.
const MAX_NUMBER: u64 = 31_622;

/// Write a table of a game: the nimber of each heap, or who wins it
#[derive(Debug, Args)]
#[command(after_help = "\
Games:
  segment L R       a row of cards: a move takes L to R adjacent cards
  octal CODE        a row of cards: a code says which moves are legal
  grundy            a move splits a heap into two unequal heaps
  subtract CLAUSES  piles of stones, such as subtract take 2 5 9
  divisor [CLAUSES], square [CLAUSES], prime [CLAUSES]
  euclid            the Number Game: who wins each pair of numbers
Tables of square and prime say who wins unless --nimber is given; those of
euclid always do.

Formats:
  summary  the largest nimber, the P-positions, the time
  csv      a row \"n,nimber\" or \"n,outcome\" for each n from 0, after a header;
           for pairs \"a,b,outcome\"
  bfile    an OEIS b-file: a line \"n nimber\" for each n from 0, or the P-positions
           numbered from 1; for pairs the array of 1 for P and 0 for N, read by
           antidiagonals as far as they are complete
  json     one object: schema, game, to, and nimbers, p_positions, or for pairs
           outcomes (for each a, a string of P and N)

Examples:
  grundy table segment 1 2 --to 1000000            a summary
  grundy table square ban 4 9 --to 1000000         who wins
  grundy table divisor --to 100 --format csv --output divisor.csv
  grundy table subtract take 2 5 9 --to 100 --period
  grundy table octal 0.16 --to 600000 --period")]
pub(crate) struct TableArgs {
    /// The rules of the game as in a header, without sizes
    #[arg(value_name = "GAME", required = true, add = cli::rules_words())]
    rules: Vec<String>,

    /// The largest size: 2^30 at most, 100000 for grundy, 31622 for euclid
    #[arg(long, value_name = "N", value_parser = number_in(0..=MAX_TO))]
    to: u64,

    /// The output format, see below
    #[arg(long, value_enum, default_value_t = Format::Summary, value_name = "NAME")]
    format: Format,

    /// Write nimbers instead of outcomes; practical up to some million sizes
    #[arg(long)]
    nimber: bool,

    /// Find and prove the least period and pre-period of segment, octal or subtract (summary only)
    #[arg(long)]
    period: bool,

    /// Write to this file ("-" for stdout). An existing file is replaced when the table is complete
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn table(args: &TableArgs) -> anyhow::Result<ExitCode> {
    ensure!(
        !args.period || args.format == Format::Summary,
        "expected --period with the summary: other formats cannot show it"
    );
    let game = game(&args.rules)?;
    let entries = match game.kind() {
        Some(GameKind::Euclid) => {
            ensure!(!args.nimber, "expected --nimber with another game: a table of euclid has only outcomes");
            Entries::Pairs
        }
        // The outcomes can be computed for larger heaps than the nimbers.
        Some(GameKind::Square | GameKind::Prime) if !args.nimber => Entries::Outcomes,
        _ => Entries::Nimbers,
    };
    let table = compute(&game, args.to, entries, args.period)?;
    output::write(args.output.as_deref(), |out| args.format.write(&table, out))?;
    Ok(ExitCode::SUCCESS)
}

/// Reads rules without sizes, such as `segment 1 2`.
pub(super) fn game(rules: &[String]) -> anyhow::Result<GameSpec> {
    let game = GameSpec::of_rules(&header_text(rules)).context("the rules are malformed")?;
    ensure!(game.kind() != Some(GameKind::Nim), "there is no table of nim: the nimber of a pile is its size");
    Ok(game)
}

/// Computes the values of the heaps up to `to`, and the period if it is wanted.
pub(super) fn compute(
    game: &GameSpec,
    to: u64,
    entries: Entries,
    with_period: bool,
) -> anyhow::Result<Table> {
    let most = match game.kind() {
        Some(GameKind::Grundy) => MAX_GRUNDY,
        Some(GameKind::Euclid) => MAX_NUMBER,
        _ => MAX_TO,
    };
    ensure!(to <= most, "expected --to of at most {most}, got {to}");
    let start = Instant::now();
    let (nimber, period, notes) = match RowGame::of(game) {
        Some(rows) => row_values(rows, to, with_period),
        None => heap_values(game, to, entries, with_period)?,
    };
    let (rules, _) = game.rules()?;
    Ok(Table { game: rules.words(), entries, to, nimber, period, notes, time: start.elapsed() })
}

/// The nimber of each heap, the period, and the notes of a [`Table`].
type Values = (Box<dyn Fn(Heap) -> Nimber>, Option<Period>, Vec<(&'static str, String)>);

fn row_values(game: RowGame, to: u64, with_period: bool) -> Values {
    let rows = Rows::compute(game, to, with_period);
    let mut notes: Vec<_> = rows.rare_values().map(|text| ("rare values", text)).into_iter().collect();
    if with_period {
        notes.push(("period", rows.period_in_words()));
        notes.extend(rows.recorded().map(|recorded| ("status", recorded)));
    }
    (Box::new(move |heap| rows.sequence.nimber(heap.size)), rows.period, notes)
}

fn heap_values(game: &GameSpec, to: u64, entries: Entries, with_period: bool) -> anyhow::Result<Values> {
    ensure!(to > 0 || entries != Entries::Pairs, "expected --to of at least 1 with euclid, got 0");
    let largest = Heap { size: to, second: if entries == Entries::Pairs { to } else { 0 } };
    let kind = if entries == Entries::Nimbers { ValueKind::Nimber } else { ValueKind::Outcome };
    let windows = with_period.then(|| windows(game)).transpose()?;
    let values = grundy::table(game, largest, kind, &mut LIMIT.clone());
    let values = values.map_err(|error| match error {
        TableError::TooLarge(error) => {
            anyhow::Error::from(error).context("the table is too large (try a smaller --to)")
        }
        error => anyhow::Error::from(error),
    })?;
    let (mut period, mut notes) = (None, Vec::new());
    if let Some(windows) = windows {
        let found = subtraction_period(windows);
        let (start, length) = found.context("the period cannot be computed within the limits")?;
        notes.push(("period", format!("{length} from n = {start} on, proven")));
        let found = u64::try_from(start).ok().zip(u64::try_from(length).ok());
        period = found.map(|(start, length)| Period { start, length });
    }
    Ok((Box::new(move |heap| values.nimber(heap)), period, notes))
}

/// The numbers that a move of a subtraction game may take, as windows; an error if its nimbers have no period.
pub(super) fn windows(game: &GameSpec) -> anyhow::Result<&[Window]> {
    match game {
        GameSpec::Single { kind: GameKind::Subtract, clauses, .. } => match &clauses[..] {
            [Clause::Take(windows)] => Ok(windows),
            _ => bail!(
                "expected --period with a list of numbers after \"take\": the nimbers of 1..n/K have no period"
            ),
        },
        _ => bail!("expected --period with segment, octal or subtract, got {}", game.name()),
    }
}
