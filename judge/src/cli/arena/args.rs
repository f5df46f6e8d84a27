//! The arguments of `judge arena`, and the run that they set up.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};
use itertools::Itertools;
use runner::config::MatchConfig;
use runner::inherited::allowed_processors;
use zeroxor::{GameSpec, MAX_SIZE, Position};

use crate::arena::entrant::{Entrant, Program, unknown_bot};
use crate::arena::plan::{Format, Plan};
use crate::arena::run::WorkerProcessor;
use crate::arena::starts::{StartKind, Starts};
use crate::arena::statistics::sprt::{Hypotheses, Sprt};
use crate::arena::stop::StopRule;
use crate::cli::bot;
use crate::cli::options::{BotOptions, FamilyOptions};
use crate::referee::game::setup::GameHeader;
use crate::settings::Settings;
use crate::text::read_text;
use crate::units::number_in;

/// Play bots against each other, and say which is stronger
#[derive(Debug, Args)]
#[command(after_help = "\
Each start is played twice with the same seed, as a pair of games with the seats swapped. The header that a bot \
gets names its seat, as in \"20 3 5 seat second\". A bot that breaks a rule or a limit loses that game. If bots \
are deterministic, the same seed gives the same games and the same standings with any number of jobs.

Examples:
  judge arena --bot a='python3 a.py' --bot b=./b
  judge arena 20 3 5 --bot a=./a --bot perfect
  judge arena --bot new=./new --bot old=./old --sprt 0,20 --record games.jsonl
  judge arena --rate games.jsonl

Exit codes:
  0  all games were played; with --sprt, ELO1 was accepted
  1  a bot broke a rule, or --sprt did not accept ELO1
  2  wrong usage, a bot could not be started, or the judge could not continue
     or was interrupted")]
pub(crate) struct ArenaArgs {
    /// The start of all games, as a header of the protocol without a seat. Without a header, starts are drawn from
    /// --family
    #[arg(value_name = "HEADER WORDS", conflicts_with_all = ["family", "max_n", "starts_kind"])]
    header: Vec<OsString>,

    /// A bot with its name and command, the name of a bot in judge.toml, or a built-in bot: bundled, perfect, random,
    /// greedy, slow, mirror or stubborn
    #[arg(long = "bot", value_name = "NAME=COMMAND")]
    bots: Vec<Entrant>,

    /// Who plays whom
    #[arg(long, value_enum, default_value_t = Format::RoundRobin, value_name = "NAME")]
    format: Format,

    #[command(flatten)]
    families: FamilyOptions,

    /// The largest row, pile or number of a random start
    #[arg(long, default_value_t = 2000, value_name = "N", value_parser = number_in(1..=MAX_SIZE))]
    max_n: u64,

    /// Which random starts are played
    #[arg(long, value_enum, default_value_t = StartKind::Balanced, value_name = "KIND")]
    starts_kind: StartKind,

    /// The starts: a file with a header on each line, played in turn; empty lines and lines that begin with # are
    /// skipped
    #[arg(long, value_name = "FILE", conflicts_with_all = ["header", "family", "max_n", "starts_kind"])]
    starts: Option<PathBuf>,

    /// Maximum number of pairs that two bots play when they meet [default: 100; with --sprt 10000; with given starts
    /// and no --sprt, one for each start]
    #[arg(long, value_name = "N", value_parser = number_in(1..=1_000_000_u32))]
    pairs: Option<u32>,

    /// The seed of the first pair; pair k has the seed S+k
    #[arg(short, long, default_value_t = 1, value_name = "S", value_parser = number_in(0..=u64::MAX))]
    seed: u64,

    /// Test whether the first of two bots is stronger by ELO1 rather than by ELO0, and stop when the test decides
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub(crate) sprt: Option<Hypotheses>,

    /// The probability of accepting ELO1 if ELO0 is true
    #[arg(long, default_value_t = 0.05, value_name = "P", value_parser = error_probability, requires = "sprt")]
    alpha: f64,

    /// The probability of accepting ELO0 if ELO1 is true
    #[arg(long, default_value_t = 0.05, value_name = "P", value_parser = error_probability, requires = "sprt")]
    beta: f64,

    /// How many games to play at the same time; each has two bots [default: one for each processor]
    #[arg(short, long, value_name = "J", value_parser = number_in(1..=1024_u16))]
    pub(crate) jobs: Option<u16>,

    /// Run the bots of each game on one processor that no other game uses (Linux)
    #[arg(long)]
    affinity: bool,

    /// What to do after a game in which a bot crashed or broke another rule
    #[arg(long, value_enum, default_value_t = OnCrash::Continue, value_name = "WHAT")]
    on_crash: OnCrash,

    /// Write each game as a line of JSON to this file. If the file already has games of this run, they are not played
    /// again
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,

    /// Write the transcripts of games in which a bot broke a rule to this directory, one file for each bot and game
    #[arg(long, value_name = "DIR")]
    pub(crate) transcripts: Option<PathBuf>,

    /// Write the transcripts of all games
    #[arg(long, requires = "transcripts")]
    pub(crate) all_transcripts: bool,

    /// Write the standings as CSV to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,

    /// Print one JSON object for each game when it ends, and no tables
    #[arg(long)]
    pub(crate) json: bool,

    /// Compute the tables again from the games in these files; no game is played
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["header", "bots", "starts", "affinity", "record", "json", "pairs", "transcripts"])]
    pub(crate) rate: Vec<PathBuf>,

    #[command(flatten)]
    options: BotOptions,
}

/// What follows a game in which a bot broke a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OnCrash {
    /// The bot has lost that game, and play continues
    Continue,
    /// No further game is begun
    Stop,
}

/// The default of `--pairs` without `--sprt` and without given starts. With `--sprt` the default is `SPRT_PAIRS`.
const DEFAULT_PAIRS: u32 = 100;
const SPRT_PAIRS: u32 = 10_000;

fn error_probability(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (1e-6..=0.4).contains(number));
    number.ok_or_else(|| "expected a probability from 0.000001 to 0.4".to_owned())
}

impl ArenaArgs {
    pub(crate) fn sprt(&self) -> Option<Sprt> {
        self.sprt.map(|hypotheses| Sprt { hypotheses, alpha: self.alpha, beta: self.beta })
    }

    /// Returns the processor of each worker that plays games; `None` for a worker that may use any processor.
    ///
    /// # Errors
    ///
    /// If `--affinity` needs more processors than this process may use.
    pub(crate) fn workers(&self) -> anyhow::Result<Vec<WorkerProcessor>> {
        let jobs = self.jobs.map(usize::from);
        if !self.affinity {
            let jobs = jobs.unwrap_or_else(|| available_parallelism().map_or(1, usize::from));
            return Ok(vec![None; jobs]);
        }
        let processors = allowed_processors()?;
        let jobs = jobs.unwrap_or(processors.len());
        ensure!(
            jobs <= processors.len(),
            "--affinity needs a processor for each of {jobs} games, but this process may use only {}: use \
             --jobs {}",
            processors.len(),
            processors.len()
        );
        Ok(processors.into_iter().take(jobs).map(Some).collect())
    }

    pub(crate) fn stop_rule(&self) -> StopRule {
        StopRule::new(self.sprt(), self.on_crash == OnCrash::Stop)
    }

    pub(crate) fn plan(&self, settings: &Settings) -> anyhow::Result<Plan> {
        let names: Vec<_> = self.bots.iter().map(|bot| bot.name.as_str()).collect();
        ensure!(
            names.len() >= 2,
            "expected two bots or more, each with --bot NAME=COMMAND, got {}",
            names.len()
        );
        if let Some(name) = names.iter().duplicates().next() {
            bail!("two bots have the name {name}: give them different names, as in --bot other={name}");
        }
        ensure!(
            self.sprt.is_none() || names.len() == 2,
            "--sprt compares two bots, got {}: leave out the others",
            names.len()
        );
        let starts = self.starts(settings)?;
        let given = match &starts {
            Starts::Listed(list) => u32::try_from(list.len()).ok(),
            Starts::Random { .. } => None,
        };
        let default = if self.sprt.is_some() { SPRT_PAIRS } else { given.unwrap_or(DEFAULT_PAIRS) };
        let pairs = self.pairs.unwrap_or(default);
        let configs = self
            .bots
            .iter()
            .map(|bot| entrant_config(&self.options, bot, settings))
            .collect::<anyhow::Result<_>>()?;
        Ok(Plan::new(self.bots.clone(), configs, (self.format, pairs), starts, self.seed)?)
    }

    fn starts(&self, settings: &Settings) -> anyhow::Result<Starts> {
        if let Some(path) = &self.starts {
            return read_starts(path);
        }
        let header = bot::read_header("arena", &self.header, &[], settings)?;
        if let Some(header) = header.or_else(|| self.families.header(settings)) {
            return Ok(Starts::Listed(vec![start(&header)?]));
        }
        let families = self.families.families(settings);
        Ok(Starts::Random { families, max_n: self.max_n, kind: self.starts_kind })
    }
}

/// Returns the configuration of the games of a bot, with the command that starts it.
fn entrant_config(options: &BotOptions, bot: &Entrant, settings: &Settings) -> anyhow::Result<MatchConfig> {
    match bot.program {
        Program::Bundled | Program::BuiltIn(_) => return Ok(options.config(&[], settings)),
        Program::Named => ensure!(settings.bot(&bot.name).is_some(), unknown_bot(&bot.name)),
        Program::Command(_) => {}
    }
    options.start_config(&bot.command(), false, settings)
}

/// Maximum size of a file of starts, in bytes.
const MAX_STARTS_BYTES: u64 = 64 << 20;

/// Reads the starts of a file.
fn read_starts(path: &Path) -> anyhow::Result<Starts> {
    let text = read_text(path, MAX_STARTS_BYTES)?;
    let lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let starts = lines.map(|(number, line)| {
        let start = line.parse().map_err(anyhow::Error::from).and_then(|header| start(&header));
        start.with_context(|| format!("{} line {number}", path.display()))
    });
    let starts = starts.collect::<anyhow::Result<Vec<_>>>()?;
    ensure!(!starts.is_empty(), "the file {} has no start", path.display());
    Ok(Starts::Listed(starts))
}

/// Returns the game of a header. Checks that the game is valid and that the header has no seat.
fn start(header: &GameHeader) -> anyhow::Result<GameSpec> {
    ensure!(
        header.side().is_none(),
        "expected a header without a seat: each start is played from both seats"
    );
    Position::new(header.game())?;
    Ok(header.game().clone())
}
