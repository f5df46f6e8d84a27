//! The arguments of `grundy table`.

use std::iter;
use std::path::PathBuf;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{ArgAction, ArgMatches, Args, Command, FromArgMatches, Subcommand};
use itertools::Itertools;
use zeroxor::rules::{Keyword, PileGame};
use zeroxor::{GameKind, MAX_SIZE, OctalCode};

use crate::{Format, Plot, complete};
use common::file_kind::ForceOption;
use common::units::{number_in, parse_time_limit};

/// Maximum size of a table whose values are all in memory or all visited.
pub(super) const MAX_TO: u64 = 1 << 30;

/// Maximum size of a table whose values need not all be in memory.
const MAX_LONG: u64 = 1_000_000_000_000_000;

/// Maximum length of the rows with `--all`. The time grows with the third power: the maximum takes some minutes.
pub(super) const MAX_ALL_WINDOWS: u64 = 20_000;

/// Maximum number in a table of pairs. The largest table has a billion pairs, and each pair takes some nanoseconds.
const MAX_NUMBER: u64 = 31_622;

/// Write a table of a game: the nimber of each heap, or who wins it
#[derive(Debug, Args)]
#[command(
    subcommand_negates_reqs = true,
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true,
    after_help = "\
\"grundy table GAME --help\" prints the options and the formats of a game.

Examples:
  grundy table segment 1 2 --to 1000000            a summary
  grundy table square ban 4 9 --to 1000000         who wins
  grundy table divisor --to 100 --format csv
  grundy table subtract take 2 5 9 --to 100 --period
  grundy table euclid --to 100 --check
  grundy table octal 0.16 --to 600000 --period --certificate period.json
  grundy table --verify period.json

Exit codes:
  0  the table was written, or the certificate is correct
  1  the table differs from the definition, no period was found to certify,
     or the certificate is wrong
  2  wrong usage, a table that is too large, or one that cannot be written"
)]
pub(crate) struct TableArgs {
    #[command(subcommand)]
    pub family: Option<Family>,

    /// Verify the certificates in a file, or in the output of grundy sweep, by computing the values again
    #[arg(long, value_name = "FILE", required = true)]
    pub verify: Option<PathBuf>,
}

/// A game that has a table, and the arguments of the table.
#[derive(Debug)]
pub(crate) enum Family {
    Segment(SegmentArgs),
    Piles(PileArgs),
    Euclid(EuclidArgs),
    Octal(OctalArgs),
    Grundy(GrundyArgs),
}

impl Family {
    /// Returns the kinds of games that have tables.
    fn kinds() -> impl Iterator<Item = GameKind> {
        GameKind::all().filter(|kind| !kind.about().tables.is_empty())
    }

    fn command(kind: GameKind) -> Command {
        let command = Command::new(kind.name());
        match kind {
            GameKind::Segment => SegmentArgs::augment_args(command),
            GameKind::Piles(game) => PileArgs::command(game, command),
            GameKind::Euclid => EuclidArgs::augment_args(command),
            GameKind::Octal => OctalArgs::augment_args(command),
            GameKind::Grundy => GrundyArgs::augment_args(command),
        }
    }
}

impl Subcommand for Family {
    fn augment_subcommands(command: Command) -> Command {
        let command = command.subcommand_value_name("GAME").subcommand_help_heading("Games");
        Self::kinds().map(Self::command).fold(command, Command::subcommand)
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        Self::kinds().any(|kind| kind.name() == name)
    }
}

impl FromArgMatches for Family {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let game = matches.subcommand().and_then(|(name, args)| Some((GameKind::named(name)?, args)));
        let (kind, args) = game.ok_or_else(|| clap::Error::new(ErrorKind::MissingSubcommand))?;
        Ok(match kind {
            GameKind::Segment => Self::Segment(SegmentArgs::from_arg_matches(args)?),
            GameKind::Piles(game) => Self::Piles(PileArgs::of(game, args)?),
            GameKind::Euclid => Self::Euclid(EuclidArgs::from_arg_matches(args)?),
            GameKind::Octal => Self::Octal(OctalArgs::from_arg_matches(args)?),
            GameKind::Grundy => Self::Grundy(GrundyArgs::from_arg_matches(args)?),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// A row of cards: a move takes L to R adjacent cards
#[derive(Debug, Args)]
#[command(
    mut_arg("to", |to| to.help(format!(
        "Length of the longest row: at most 10^15, or {MAX_ALL_WINDOWS} with --all. For a game that is not sparse: at \
         most 2^30, which may need 4 GiB of memory"
    )).value_parser(number_in(0..=MAX_LONG))),
    override_usage = "grundy table segment [OPTIONS] --to <N> <L> <R>\n       grundy table segment [OPTIONS] --to <N> --all",
    after_help = after_help("  grundy table segment 1 2 --to 1000000
  grundy table segment 3 5 --to 2000 --format csv --output rows.csv
  grundy table segment 1 3 --to 100000 --check=2000 --format bin > nimbers.bin
  grundy table segment 1 4 --to 1000 --period --certificate period.json
  grundy table segment --all --to 2000", &[NIMBERS])
)]
pub(crate) struct SegmentArgs {
    /// The least number of cards that a move takes
    #[arg(value_parser = number_in(1..=MAX_SIZE), required_unless_present = "all")]
    pub l: Option<u64>,

    /// The largest number of cards that a move takes
    #[arg(value_parser = number_in(1..=MAX_SIZE), required_unless_present = "all")]
    pub r: Option<u64>,

    /// Count the starts that Second wins in all windows L <= R <= N and rows of at most N cards (summary only)
    #[arg(long, conflicts_with_all = ["l", "r", "period", "certificate", "counts", "check", "checkpoint", "every", "history"])]
    pub all: bool,

    #[command(flatten)]
    pub summary: SummaryArgs,

    #[command(flatten)]
    pub long: LongArgs,

    #[command(flatten)]
    pub(crate) listing: ListingArgs,
}

/// Options about the summary of rows.
#[derive(Debug, Args)]
pub(crate) struct SummaryArgs {
    /// Find and prove the least period and pre-period (summary only)
    #[arg(long)]
    pub period: bool,

    /// Count the heaps with each nimber, as "nimber:count" (summary only)
    #[arg(long, conflicts_with = "plot")]
    pub counts: bool,

    /// Write a certificate that proves the period to this file ("-" for stdout). Without a period the exit code is 1
    #[arg(long, value_name = "FILE", requires = "period")]
    pub certificate: Option<PathBuf>,
}

/// Options of runs that take hours.
#[derive(Debug, Args)]
#[command(next_help_heading = "Long runs")]
pub(crate) struct LongArgs {
    /// Save the state to this file regularly. SIGTERM, SIGINT and SIGUSR1 save the state and end the run with exit code
    /// 75. The same command continues the run. The file is removed when the table is complete
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,

    /// How often to save the state
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = parse_time_limit, requires = "checkpoint")]
    pub every: Duration,

    /// Also write all values to this new file, two bytes each. Needed for games in which some values depend on values
    /// that are no longer in memory
    #[arg(long, value_name = "FILE")]
    pub history: Option<PathBuf>,
}

/// A row of cards; an octal or hexadecimal code says which moves are legal
#[derive(Debug, Args)]
#[command(
    mut_arg("to", |to| to.help(
        "Length of the longest row: at most 10^15. For a game that is not sparse: at most 2^30, which may need 4 GiB of \
         memory. Nimbers are below 65536"
    ).value_parser(number_in(0..=MAX_LONG))),
    after_help = after_help("  grundy table octal 0.77 --to 1000000
  grundy table octal 0.16 --to 600000 --period
  grundy table octal 4.7 --to 2000 --format csv --output daisies.csv
  grundy table octal 0.8 --to 2000 --period --check", &[NIMBERS])
)]
pub(crate) struct OctalArgs {
    /// The code, such as 0.77. Digit k after the point says how many heaps a move of k cards may leave: 1 for none, 2
    /// for one, 4 for two, 8 for three, or a sum of these
    #[arg(value_name = "CODE")]
    pub code: OctalCode,

    #[command(flatten)]
    pub summary: SummaryArgs,

    #[command(flatten)]
    pub long: LongArgs,

    #[command(flatten)]
    pub(crate) listing: ListingArgs,
}

/// Grundy's game: a move splits a heap into two unequal heaps
#[derive(Debug, Args)]
#[command(
    mut_arg("to", |to| to.help("The largest heap, 100000 at most").value_parser(number_in(0..=100_000_u64))),
    after_help = after_help("  grundy table grundy --to 10000
  grundy table grundy --to 1000 --check --format bfile", &[NIMBERS])
)]
pub(crate) struct GrundyArgs {
    #[command(flatten)]
    pub(crate) listing: ListingArgs,
}

/// The arguments of a table of piles.
#[derive(Debug)]
pub(crate) struct PileArgs {
    /// The rules as in a header, without sizes: `subtract take 2 5`. Not validated yet.
    pub rules: String,
    /// Whether the table shows nimbers, and not only who wins.
    pub nimber: bool,
    pub period: bool,
    pub(crate) listing: ListingArgs,
}

impl PileArgs {
    fn command(game: PileGame, command: Command) -> Command {
        let kind = GameKind::Piles(game);
        let name = game.name();
        let rules = kind.rules_form();
        let clauses = rules.trim_start_matches(name).trim_start().to_owned();
        let command = ClauseArgs::augment_args(command)
            .override_usage(format!("grundy table {name} [OPTIONS] --to <N> {clauses}"))
            .mut_arg("clauses", |arg| {
                arg.required(game.keywords().iter().any(|keyword| keyword.is_required()))
                    .value_name("RULES")
                    .add(complete::keywords_of(game))
            });
        let command = if has_periods(game) { PeriodOption::augment_args(command) } else { command };
        let (command, formats) = if game.has_outcome_tables() {
            (NimberArgs::augment_args(command), &[OUTCOMES, NIMBERS][..])
        } else {
            (command, &[NIMBERS][..])
        };
        let command = ListingArgs::augment_args(command);
        let command = match game.max_pile() {
            max if max < MAX_TO => command.mut_arg("to", |to| {
                to.help(format!("The largest size, {max} at most")).value_parser(number_in(0..=max))
            }),
            _ => command,
        };
        let examples = kind.about().tables.iter().map(|table| format!("  grundy table {table}"));
        let examples: Vec<String> = examples.collect();
        command
            .about(format!("A pile: {}", kind.help().trim_start_matches("piles; ")))
            .long_about(None)
            .after_help(after_help(&examples.join("\n"), formats))
    }

    fn of(game: PileGame, args: &ArgMatches) -> Result<Self, clap::Error> {
        let ClauseArgs { clauses } = ClauseArgs::from_arg_matches(args)?;
        // A number may have a unit. Everything else is read as in a header.
        let words = clauses.iter().map(|word| match number_in(1..=MAX_SIZE)(word) {
            Ok(number) => number.to_string(),
            Err(_) => word.clone(),
        });
        let rules = iter::once(game.name().to_owned()).chain(words).join(" ");
        let period = has_periods(game) && PeriodOption::from_arg_matches(args)?.period;
        let nimber = !game.has_outcome_tables() || NimberArgs::from_arg_matches(args)?.nimber;
        Ok(Self { rules, nimber, period, listing: ListingArgs::from_arg_matches(args)? })
    }
}

/// Returns whether the nimbers of a game have periods that can be computed.
fn has_periods(game: PileGame) -> bool {
    game.keywords().contains(&Keyword::Take)
}

#[derive(Debug, Args)]
struct NimberArgs {
    /// Write nimbers instead of outcomes; practical up to some million sizes
    #[arg(long)]
    nimber: bool,
}

/// The clauses of the game: the words after the piles in a header.
#[derive(Debug, Args)]
struct ClauseArgs {
    /// The rules after the name of the game, as in a header
    // A single occurrence takes all words, so a word after another option, as in "--check 5", is an error.
    #[arg(num_args = 1.., action = ArgAction::Set)]
    clauses: Vec<String>,
}

#[derive(Debug, Args)]
struct PeriodOption {
    /// Find and prove the least period and pre-period (summary only)
    #[arg(long)]
    period: bool,
}

/// The Number Game: who wins each pair of numbers from 1 to N
#[derive(Debug, Args)]
#[command(
    mut_arg("to", |to| to
        .help(format!("The largest number, {MAX_NUMBER} at most"))
        .value_parser(number_in(1..=MAX_NUMBER))),
    mut_arg("check", |check| check.value_parser(number_in(1..=MAX_TO))),
    mut_arg("plot", |plot| plot.help("Draw the table as SVG instead: outcomes").hide_possible_values(true)),
    mut_arg("modulus", |modulus| modulus.hide(true)),
    after_help = after_help("  grundy table euclid --to 100 --check
  grundy table euclid --to 20 --format csv --output pairs.csv", &[PAIRS])
)]
pub(crate) struct EuclidArgs {
    #[command(flatten)]
    pub(crate) listing: ListingArgs,
}

/// The options of every table: its size, its check and its output.
#[derive(Debug, Args)]
pub(crate) struct ListingArgs {
    /// The largest size, 2^30 at most
    #[arg(long, value_name = "N", value_parser = number_in(0..=MAX_TO))]
    pub to: u64,

    /// The output format, see below
    #[arg(long, value_enum, default_value_t = Format::Summary, value_name = "NAME")]
    pub format: Format,

    /// Draw the table as SVG instead
    #[arg(long, value_enum, value_name = "KIND", conflicts_with = "format")]
    pub plot: Option<Plot>,

    /// The modulus of a residue plot, such as the period
    #[arg(long, value_name = "P", requires = "plot", value_parser = number_in(1..=MAX_TO))]
    pub modulus: Option<u64>,

    /// The width of the plot in pixels, from 280 to 4000; the size of the text does not change
    #[arg(long, value_name = "PIXELS", requires = "plot", value_parser = number_in(280..=4000_u32))]
    pub width: Option<u32>,

    /// Write to this file ("-" for stdout). An existing file is replaced when the table is complete
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub force: ForceOption,

    /// First compare the table with the definition up to N, or up to 1000 without "=N"
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "1000",
        value_parser = number_in(0..=MAX_TO)
    )]
    pub check: Option<u64>,
}

const NIMBERS: &str = "\
Formats of nimbers:
  summary  the largest nimber, the P-positions, the time
  csv      a header \"n,nimber\", then a row for each n from 0
  bfile    an OEIS b-file: a line \"n nimber\" for each n from 0
  json     one object: schema, game, to, nimbers
  bin      \"NIMBERS\", a byte 2 or 4, the bytes of a value; N+1 in eight bytes,
           then the values; all little-endian";

const OUTCOMES: &str = "\
Formats of outcomes, without --nimber:
  summary  the P-positions, the time
  csv      a header \"n,outcome\", then P or N for each n from 0
  bfile    the P-positions, numbered from 1, as the OEIS lists them
  json     one object: schema, game, to, p_positions
  bin      \"OUTCOMES\", N+1 in eight bytes, little-endian, then a bit for each n,
           the lowest of each byte first, 1 for a P-position";

const PAIRS: &str = "\
Formats of outcomes:
  summary  the numbers of N- and P-positions, the time
  csv      a header \"a,b,outcome\", then P or N for each pair
  bfile    1 for a P-position, else 0: the square array read by antidiagonals,
           as in the OEIS, up to the last complete antidiagonal
  json     one object: schema, game, to, outcomes (per a, a string of P and N)
  bin      \"OUTCOMES\", the number of pairs in eight bytes, little-endian, then a
           bit for each pair, row by row, the lowest of each byte first, 1 for a
           P-position";

/// Returns the end of the help of a game.
fn after_help(examples: &str, formats: &[&str]) -> String {
    let formats = formats.join("\n\n");
    format!(
        "\
{formats}

Examples:
{examples}

Exit codes:
  0  the table was written
  1  the table differs from the definition
  2  wrong usage, a table that is too large, or one that cannot be written"
    )
}
