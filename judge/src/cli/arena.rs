//! `judge arena`: plays bots against each other.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{bail, ensure};
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, ValueEnum};
use itertools::Itertools;
use runner::interrupt::interrupted;
use runner::message::print_error;
use zeroxor::MAX_SIZE;

use crate::arena::entrant::Entrant;
use crate::arena::games::Games;
use crate::arena::plan::{Plan, Tournament};
use crate::arena::record::GameRecord;
use crate::arena::run::{TranscriptFolder, run};
use crate::arena::standings::Standings;
use crate::arena::starts::{StartKind, Starts};
use crate::arena::statistics::{Accepted, Sprt};
use crate::cli::bot;
use crate::cli::options::{BotOptions, FamilyOptions, MAX_N, jobs_or_processors};
use crate::exit;
use crate::output;
use crate::progress::ArenaProgress;
use crate::record_file::{RecordFile, read_records};
use crate::settings::Settings;
use crate::text::shortened;
use crate::units::number_in;

/// Play bots against each other, and say which is stronger
#[derive(Debug, Args)]
#[command(after_help = "\
Each start is played twice with the same seed, as a pair of games with the seats swapped. The header that a bot \
gets names its seat, as in \"20 3 5 seat second\".

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
    /// The start of all games, as a header without a seat; without a header, starts are drawn from --family
    /// [default: segment]
    #[arg(value_name = "HEADER WORDS", conflicts_with_all = ["family", "max_n", "starts_kind"])]
    header: Vec<OsString>,

    /// A bot with its name and command, the name of a bot in judge.toml, bundled, or the name of an opponent
    #[arg(long = "bot", value_name = "NAME=COMMAND", value_parser = OsStringValueParser::new().try_map(Entrant::parse))]
    bots: Vec<Entrant>,

    /// Who plays whom
    #[arg(long, value_enum, default_value_t = Tournament::RoundRobin, value_name = "NAME")]
    format: Tournament,

    #[command(flatten)]
    families: FamilyOptions,

    /// The largest row, pile or number of a random start
    #[arg(long, default_value_t = MAX_N, value_name = "N", value_parser = number_in(1..=MAX_SIZE))]
    max_n: u64,

    /// Which random starts are played
    #[arg(long, value_enum, default_value_t = StartKind::Balanced, value_name = "KIND")]
    starts_kind: StartKind,

    /// Play the starts of this file in turn: a header on each line, with "#" before a comment
    #[arg(long, value_name = "FILE", conflicts_with_all = ["header", "family", "max_n", "starts_kind"])]
    starts: Option<PathBuf>,

    /// Maximum number of pairs that two bots play [default: 100, or one for each given start; 10000 with --sprt]
    #[arg(long, value_name = "N", value_parser = number_in(1..=1_000_000_u32))]
    pairs: Option<u32>,

    /// The seed of the first pair; pair k has the seed S+k
    #[arg(short, long, default_value_t = 1, value_name = "S", value_parser = number_in(0..=u64::MAX))]
    seed: u64,

    #[command(flatten)]
    sprt: Option<Sprt>,

    /// How many games to play at the same time; each has two bots [default: one for each processor]
    #[arg(short, long, value_name = "J", value_parser = number_in(1..=1024_u16))]
    jobs: Option<u16>,

    /// What to do after a game in which a bot crashed or broke another rule
    #[arg(long, value_enum, default_value_t = OnCrash::Continue, value_name = "WHAT")]
    on_crash: OnCrash,

    /// Append each game as a line of JSON to this file; games of this run that it already has are not played again
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Write the transcripts of games in which a bot broke a rule to this directory, one file for each bot and game
    #[arg(long, value_name = "DIR")]
    transcripts: Option<PathBuf>,

    /// Write the transcripts of all games
    #[arg(long, requires = "transcripts")]
    all_transcripts: bool,

    /// Write the standings as CSV to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Print one JSON object for each game when it ends, and no tables
    #[arg(long)]
    json: bool,

    /// Compute the tables again from the games in these files; no game is played
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["header", "bots",
        "format", "family", "max_n", "starts_kind", "starts", "pairs", "seed", "jobs", "record", "transcripts",
        "all_transcripts", "json", "profile", "session", "sandbox", "fresh", "LimitOptions", "BuildOptions"])]
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

impl ArenaArgs {
    pub(crate) fn run(&self, settings: &Settings) -> anyhow::Result<ExitCode> {
        self.check_files()?;
        let plan = self.plan(settings)?;
        let mut games = self.games();
        let add = |record: GameRecord| {
            ensure!(
                record.run == plan.run,
                "expected a game of the run {}, got one of the run {}: use the same bots, options, starts and seed, or \
                 another file",
                plan.run,
                record.run
            );
            games.add(record)
        };
        let resume = |path| RecordFile::create_or_resume(path, GameRecord::KIND, add);
        let mut file = self.record.as_deref().map(resume).transpose()?;
        let create = |path| TranscriptFolder::create(path, self.all_transcripts, games.len() == 0);
        let transcripts = self.transcripts.as_deref().map(create).transpose()?;
        plan.check_entrants()?;
        let result = self.play(&plan, &mut games, file.as_mut(), transcripts.as_ref());
        let stopped = result.err().map(|error| exit::stopped(error, false));
        if stopped.is_some() || interrupted() {
            let (count, all) = (games.len(), plan.games());
            let how = match file {
                _ if count == 0 => "",
                Some(_) => "; the same command continues it",
                None => "; with --record FILE the same command would continue it",
            };
            // If there is no game yet, the error says all.
            if stopped.is_none() || count > 0 {
                print_error(format_args!("the run ended after {count} of {all} games{how}"));
            }
            return Ok(ExitCode::from(2));
        }
        games.truncate(plan.games());
        self.show(&games)
    }

    /// Checks the files before the first game, so that a bad path is reported early.
    fn check_files(&self) -> anyhow::Result<()> {
        let named = [("--record", self.record.as_deref()), ("--csv", self.csv.as_deref())];
        let rated = self.rate.iter().map(|path| ("--rate", Some(path.as_path())));
        output::ensure_different_files(rated.chain(named))?;
        self.csv.as_deref().map_or(Ok(()), output::check_writable)
    }

    fn games(&self) -> Games {
        Games::new(self.sprt, self.on_crash == OnCrash::Stop)
    }

    fn plan(&self, settings: &Settings) -> anyhow::Result<Plan> {
        let count = self.bots.len();
        ensure!(count >= 2, "expected two bots or more, each with --bot NAME=COMMAND, got {count}");
        if let Some(name) = self.bots.iter().map(|bot| &bot.name).duplicates().next() {
            bail!("two bots have the name {name}: give them different names, as in --bot other={name}");
        }
        let is_pair = self.sprt.is_none() || count == 2;
        ensure!(is_pair, "--sprt compares two bots, got {count}: leave out the others");
        let starts = self.starts(settings)?;
        let default = match &starts {
            _ if self.sprt.is_some() => SPRT_PAIRS,
            Starts::Listed(list) => u32::try_from(list.len()).unwrap_or(DEFAULT_PAIRS),
            Starts::Random { .. } => DEFAULT_PAIRS,
        };
        let pairs = self.pairs.unwrap_or(default);
        let configs = self.bots.iter().map(|bot| self.options.entrant_config(bot, settings));
        let configs = configs.try_collect()?;
        Ok(Plan::new(self.bots.clone(), configs, (self.format, pairs), starts, self.seed))
    }

    fn starts(&self, settings: &Settings) -> anyhow::Result<Starts> {
        if let Some(path) = &self.starts {
            return Starts::read(path);
        }
        let no_bot = |at: usize| {
            let word = self.header[at].to_string_lossy();
            format!("expected each bot with --bot NAME=COMMAND, got {:?} without it", shortened(&word))
        };
        let header = bot::read_header(&self.header, settings, no_bot)?;
        if let Some(header) = header.or_else(|| self.families.header(settings)) {
            return Starts::of_header(&header);
        }
        let families = self.families.families(settings);
        Ok(Starts::Random { families, max_n: self.max_n, kind: self.starts_kind })
    }

    fn play(
        &self,
        plan: &Plan,
        games: &mut Games,
        mut file: Option<&mut RecordFile>,
        transcripts: Option<&TranscriptFolder>,
    ) -> anyhow::Result<()> {
        let known: BTreeSet<u64> = games.iter().map(|game| game.index).collect();
        let mut progress = ArenaProgress::new(plan.games(), games.len() as u64);
        let missing = (0..games.end(plan.games())).filter(|number| !known.contains(number));
        run(plan, missing, jobs_or_processors(self.jobs), transcripts, |record| {
            let line = serde_json::to_string(&record)?;
            if let Some(file) = &mut file {
                file.add(&line)?;
            }
            if self.json {
                progress.games.print(&line)?;
            }
            let next = record.index + 1;
            games.add(record)?;
            progress.add(games);
            Ok(next < games.end(plan.games()))
        })
    }

    pub(crate) fn rate(&self) -> anyhow::Result<ExitCode> {
        self.check_files()?;
        let mut games = self.games();
        let mut run = None;
        for path in &self.rate {
            read_records(path, GameRecord::KIND, |record: GameRecord| {
                let run = run.get_or_insert_with(|| record.run.clone());
                ensure!(
                    self.sprt.is_none() || *run == record.run,
                    "--sprt tests the games of one run, got the runs {run} and {}",
                    record.run
                );
                games.add(record)
            })?;
        }
        ensure!(games.len() > 0, "the files have no game");
        games.truncate(u64::MAX);
        self.show(&games)
    }

    fn show(&self, games: &Games) -> anyhow::Result<ExitCode> {
        let standings = Standings::of(games);
        let count = standings.rows.len();
        ensure!(self.sprt.is_none() || count == 2, "--sprt compares two bots, got {count}");
        if !self.json {
            write!(io::stdout(), "{}", standings.tables(self.sprt))?;
        }
        if let Some(path) = &self.csv {
            output::write(path, standings.csv().as_bytes())?;
        }
        let is_accepted = self.sprt.is_none_or(|sprt| {
            standings.tested().is_some_and(|row| sprt.accepted(row.pairs) == Some(Accepted::Elo1))
        });
        let has_violation = games.iter().any(GameRecord::has_violation);
        Ok(if is_accepted && !has_violation { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}
