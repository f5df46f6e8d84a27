//! `judge arena`: plays bots against each other.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread::available_parallelism;

use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};
use itertools::Itertools;
use zeroxor::{GameSpec, MAX_SIZE, Position};

use super::match_options::MatchOptions;
use crate::escape::{complain, shell_word};
use crate::matches::arena::entrant::Entrant;
use crate::matches::arena::games::Games;
use crate::matches::arena::plan::{Format, Plan};
use crate::matches::arena::record::GameRecord;
use crate::matches::arena::record_file::{RecordFile, read_records};
use crate::matches::arena::run::{TranscriptFolder, run};
use crate::matches::arena::seat_check::missing_seat;
use crate::matches::arena::standings::Standings;
use crate::matches::arena::starts::{StartKind, Starts};
use crate::matches::arena::statistics::sprt::{Accepted, Hypotheses, Sprt};
use crate::matches::arena::stop::StopRule;
use crate::matches::arena::tables;
use crate::matches::stress::family::GameFamily;
use crate::process::descendants;
use crate::process::interrupt::{self, interrupted};
use crate::referee::setup::GameHeader;
use crate::report::arena_progress::ArenaProgress;
use crate::report::output::Output;

/// Play bots against each other, and say which is stronger
#[derive(Debug, Args)]
#[command(
    override_usage = "judge arena [HEADER WORDS] --bot NAME=COMMAND --bot NAME=COMMAND [OPTIONS]\n       \
                      judge arena --rate FILE...",
    after_help = "\
Each start is played twice with the same seed, as a pair of games with the seats swapped. A bot is told its seat by \
the header, as in \"20 3 5 seat second\". A bot that breaks a rule or a limit loses that game. If bots are \
deterministic, the same seed gives the same games and the same standings with any number of jobs.

Examples:
  judge arena --bot a='python3 a.py' --bot b=./b
  judge arena 20 3 5 --bot a=./a --bot perfect
  judge arena --bot new=./new --bot old=./old --sprt 0,20 --record games.jsonl
  judge arena --bot new=./new --bot old=./old --sprt 0,20 --resume games.jsonl
  judge arena --rate games.jsonl

Exit codes:
  0  all games were played; with --sprt, ELO1 was accepted
  1  a bot broke a rule, or --sprt did not accept ELO1
  2  wrong usage, a bot could not be started, or the judge could not continue
     or was interrupted"
)]
pub(crate) struct ArenaArgs {
    /// The start of all games, as a header of the protocol without a seat. Without it starts are drawn from --family
    #[arg(value_name = "HEADER WORDS")]
    header: Vec<String>,

    /// A bot with its name and command, or a bot that the judge has: bundled, perfect, random, greedy, slow, mirror
    /// or stubborn
    #[arg(long = "bot", value_name = "NAME=COMMAND")]
    bots: Vec<Entrant>,

    /// Who plays whom
    #[arg(long, value_enum, default_value_t = Format::RoundRobin, value_name = "NAME")]
    format: Format,

    /// The family of random starts
    #[arg(long, value_enum, default_value_t = GameFamily::Segment, value_name = "NAME")]
    family: GameFamily,

    /// The largest row, pile or number of a random start
    #[arg(long, default_value_t = 2000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_SIZE))]
    max_n: u64,

    /// Which random starts are played
    #[arg(long, value_enum, default_value_t = StartKind::Balanced, value_name = "KIND")]
    starts_kind: StartKind,

    /// The starts: a file with a header on each line, played in turn; empty lines and lines that begin with # are
    /// skipped
    #[arg(long, value_name = "FILE", conflicts_with_all = ["header", "family", "max_n", "starts_kind"])]
    starts: Option<PathBuf>,

    /// How many pairs each two bots play at most [default: 100, or 10000 with --sprt; with given starts and without
    /// --sprt, one for each]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pairs: Option<u32>,

    /// The seed of the first pair; pair k has the seed S+k
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,

    /// Test whether the first of two bots is stronger by ELO1 than by ELO0, and stop once that is decided
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<Hypotheses>,

    /// The probability to accept ELO1 by mistake
    #[arg(long, default_value_t = 0.05, value_name = "P", value_parser = error_probability, requires = "sprt")]
    alpha: f64,

    /// The probability to accept ELO0 by mistake
    #[arg(long, default_value_t = 0.05, value_name = "P", value_parser = error_probability, requires = "sprt")]
    beta: f64,

    /// How many games to play at the same time; each has two bots [default: one for each processor]
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// What follows a game in which a bot crashed or broke another rule
    #[arg(long, value_enum, default_value_t = OnCrash::Continue, value_name = "WHAT")]
    on_crash: OnCrash,

    /// Write each game as a line of JSON to this new file
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    record: Option<PathBuf>,

    /// Continue the run whose games are in this file; they are not played again, and new ones are added to it
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,

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

    /// Compute the tables again from the games in these files; none is played
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["header", "bots", "starts", "record", "resume", "json", "pairs", "transcripts"])]
    pub(crate) rate: Vec<PathBuf>,

    #[command(flatten)]
    options: MatchOptions,
}

/// What follows a game in which a bot broke a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OnCrash {
    /// The bot has lost that game, and play goes on
    Continue,
    /// No further game is begun
    Stop,
}

/// How many pairs are played without --pairs, and with --sprt.
const DEFAULT_PAIRS: u32 = 100;
const SPRT_PAIRS: u32 = 10_000;

fn error_probability(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (1e-6..=0.4).contains(number));
    number.ok_or_else(|| "expected a probability from 0.000001 to 0.4".to_owned())
}

impl ArenaArgs {
    fn sprt(&self) -> Option<Sprt> {
        self.sprt.map(|hypotheses| Sprt { hypotheses, alpha: self.alpha, beta: self.beta })
    }

    fn stop_rule(&self) -> StopRule {
        StopRule::new(self.sprt(), self.on_crash == OnCrash::Stop)
    }

    fn plan(&self) -> anyhow::Result<Plan> {
        let names: Vec<_> = self.bots.iter().map(|bot| bot.name.as_str()).collect();
        ensure!(
            names.len() >= 2,
            "expected two bots or more, each with --bot NAME=COMMAND, got {}",
            names.len()
        );
        if let Some(name) = names.iter().duplicates().next() {
            bail!("two bots have the name {name}: give each a name of its own, as in --bot other={name}");
        }
        ensure!(
            self.sprt.is_none() || names.len() == 2,
            "--sprt compares two bots, got {}: leave out the others",
            names.len()
        );
        let starts = self.starts()?;
        let given = match &starts {
            Starts::Listed(list) => u32::try_from(list.len()).ok(),
            Starts::Random { .. } => None,
        };
        let default = if self.sprt.is_some() { SPRT_PAIRS } else { given.unwrap_or(DEFAULT_PAIRS) };
        let pairs = self.pairs.unwrap_or(default);
        let config = self.options.config(&[]);
        Ok(Plan::new(self.bots.clone(), config, self.format, starts, self.seed, pairs))
    }

    fn starts(&self) -> anyhow::Result<Starts> {
        if let Some(path) = &self.starts {
            return listed(path);
        }
        if !self.header.is_empty() {
            let start = start(&self.header.join(" ")).context("the header is malformed")?;
            return Ok(Starts::Listed(vec![start]));
        }
        Ok(Starts::Random { family: self.family, max_n: self.max_n, kind: self.starts_kind })
    }
}

/// The starts of a file.
fn listed(path: &Path) -> anyhow::Result<Starts> {
    let error = || format!("the starts {} cannot be read", path.display());
    let text = fs::read_to_string(path).with_context(error)?;
    let lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let starts =
        lines.map(|(number, line)| start(line).with_context(|| format!("{} line {number}", path.display())));
    let starts = starts.collect::<anyhow::Result<Vec<_>>>()?;
    ensure!(!starts.is_empty(), "the file {} has no start", path.display());
    Ok(Starts::Listed(starts))
}

/// A start, by its header.
fn start(text: &str) -> anyhow::Result<GameSpec> {
    let header: GameHeader = text.parse()?;
    ensure!(
        header.side().is_none(),
        "expected a header without a seat: each start is played from both seats"
    );
    Position::new(header.game())?;
    Ok(header.game().clone())
}

pub(crate) fn arena(args: &ArenaArgs) -> anyhow::Result<ExitCode> {
    let csv = args.csv.as_deref().map(|path| Output::open(Some(path))).transpose()?;
    if !args.rate.is_empty() {
        return rate(args, csv);
    }
    interrupt::watch()?;
    // Before the first host is started, so that a second Ctrl-C ends all descendants of this process.
    descendants::become_subreaper()?;
    let plan = args.plan()?;
    let mut played = Played { stop: args.stop_rule(), ..Played::default() };
    let mut file = played.open(args, &plan)?;
    check_seats(&plan)?;
    play(args, &plan, &mut played, file.as_mut())?;
    let end = played.stop.end().filter(|&end| end < plan.games());
    if interrupted() {
        report_interruption(&plan, &played, file.as_ref());
        return Ok(ExitCode::from(2));
    }
    if let Some(end) = end {
        played.games.truncate(end);
    }
    show(args, &played.games, csv)
}

/// The games of a run so far.
#[derive(Default)]
struct Played {
    games: Games,
    numbers: BTreeSet<u64>,
    stop: StopRule,
}

impl Played {
    fn add(&mut self, record: &GameRecord) -> anyhow::Result<()> {
        self.games.add(record)?;
        self.numbers.insert(record.index);
        self.stop.add(record);
        Ok(())
    }

    /// Opens the file for the games, and reads those that it has.
    fn open(&mut self, args: &ArenaArgs, plan: &Plan) -> anyhow::Result<Option<RecordFile>> {
        if let Some(path) = &args.resume {
            let add = |record: GameRecord| {
                ensure!(
                    record.run == plan.run(),
                    "expected a game of the run {}, got one of the run {}: use the same bots, options, starts and seed",
                    plan.run(),
                    record.run
                );
                self.add(&record)
            };
            return RecordFile::resume(path, add).map(Some);
        }
        args.record.as_deref().map(RecordFile::create).transpose()
    }

    /// Whether more games are to be played.
    fn goes_on(&self) -> bool {
        self.stop.end().is_none()
    }
}

/// Refuses bots that do not know assigned seats.
fn check_seats(plan: &Plan) -> anyhow::Result<()> {
    let start = plan.game(0)?.start;
    let mut missing = Vec::new();
    for entrant in &plan.entrants {
        missing.extend(missing_seat(entrant, &plan.config, &start)?);
    }
    ensure!(missing.is_empty(), "{}", missing.join("; "));
    Ok(())
}

/// Plays the games that have not been played.
fn play(
    args: &ArenaArgs,
    plan: &Plan,
    played: &mut Played,
    mut file: Option<&mut RecordFile>,
) -> anyhow::Result<()> {
    if !played.goes_on() {
        return Ok(());
    }
    let folder = transcripts(args)?;
    let jobs = args.jobs.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from);
    let names = plan.entrants.iter().map(|entrant| entrant.name.clone()).collect();
    let mut progress = ArenaProgress::new(plan.games(), names);
    let numbers = played.numbers.clone();
    progress.resume(numbers.len() as u64);
    run(plan, &numbers, jobs, folder.as_ref(), |record| {
        let line = serde_json::to_string(&record)?;
        if let Some(file) = &mut file {
            file.add(&line)?;
        }
        if args.json {
            progress.print(&line)?;
        }
        played.add(&record)?;
        let winner = if record.first_won() { &record.first.bot } else { &record.second.bot };
        progress.add([&record.first.bot, &record.second.bot], winner, || played.stop.status());
        Ok(played.goes_on())
    })
}

fn transcripts(args: &ArenaArgs) -> anyhow::Result<Option<TranscriptFolder>> {
    let Some(path) = &args.transcripts else { return Ok(None) };
    fs::create_dir_all(path)
        .with_context(|| format!("the directory {} cannot be created", path.display()))?;
    Ok(Some(TranscriptFolder { path: path.clone(), keeps_clean: args.all_transcripts }))
}

/// Says how many games have been played, and how to go on.
fn report_interruption(plan: &Plan, played: &Played, file: Option<&RecordFile>) {
    let count = format!("interrupted after {} of {} games", played.games.len(), plan.games());
    match file.and_then(|file| resume_command(file.path())) {
        Some(command) => complain(format_args!("{count}; to go on: {command}")),
        None => complain(format_args!("{count}; with --record FILE such a run can be resumed")),
    }
}

/// The command that resumes this run; `None` if it is not UTF-8.
fn resume_command(path: &Path) -> Option<String> {
    #[cfg(target_os = "linux")]
    let (_, args) = crate::process::supervisor::split(std::env::args_os().collect());
    #[cfg(not(target_os = "linux"))]
    let args: Vec<std::ffi::OsString> = std::env::args_os().collect();
    let mut words = Vec::new();
    let mut args = args.iter().skip(1).map(|word| word.to_str());
    while let Some(word) = args.next() {
        let word = word?;
        if matches!(word, "--record" | "--resume") {
            args.next();
        } else if !word.starts_with("--record=") && !word.starts_with("--resume=") {
            words.push(shell_word(word).ok()?);
        }
    }
    Some(format!("judge {} --resume {}", words.join(" "), shell_word(path.to_str()?).ok()?))
}

/// Computes the tables again from recorded games.
fn rate(args: &ArenaArgs, csv: Option<Output>) -> anyhow::Result<ExitCode> {
    let mut played = Played { stop: args.stop_rule(), ..Played::default() };
    let mut run = None;
    for path in &args.rate {
        let file = File::open(path).with_context(|| format!("{} cannot be opened", path.display()))?;
        read_records(path, &file, |record| {
            let run = run.get_or_insert_with(|| record.run.clone());
            ensure!(
                args.sprt.is_none() || *run == record.run,
                "--sprt tests the games of one run, got the runs {run} and {}",
                record.run
            );
            played.add(&record)
        })?;
    }
    ensure!(played.games.len() > 0, "the files have no game");
    if let Some(end) = played.stop.end() {
        played.games.truncate(end);
    }
    show(args, &played.games, csv)
}

/// Writes the tables, and returns the exit code.
fn show(args: &ArenaArgs, games: &Games, csv: Option<Output>) -> anyhow::Result<ExitCode> {
    let standings = Standings::of(games);
    ensure!(
        args.sprt.is_none() || standings.rows.len() == 2,
        "--sprt compares two bots, got {}",
        standings.rows.len()
    );
    if !args.json {
        let mut out = anstream::stdout().lock();
        tables::write_all(&mut out, &standings, args.sprt())?;
        out.flush()?;
    }
    if let Some(csv) = csv {
        csv.write(|out| tables::write_csv(out, &standings))?;
    }
    let is_accepted = args.sprt().is_none_or(|sprt| {
        standings.tested_pairs().is_some_and(|pairs| sprt.accepted(pairs) == Some(Accepted::Elo1))
    });
    Ok(if is_accepted && !standings.has_foul() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
