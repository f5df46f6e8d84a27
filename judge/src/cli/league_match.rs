//! `judge match`: one pair of games between two bots, for a league of another program.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{bail, ensure};
use clap::{Args, ValueEnum};
use zeroxor::{GameSpec, MAX_SIZE, Position};

use super::arena::entrant_config;
use super::match_options::MatchOptions;
use super::shared_options::FamilyOptions;
use super::subcommand::{Program, Subcommand};
use crate::matches::arena::entrant::{Entrant, missing_ability};
use crate::matches::arena::league::{PairReport, cgarena, psyleague};
use crate::matches::arena::pairing::{Format, pairing};
use crate::matches::arena::plan::Plan;
use crate::matches::arena::record::GameRecord;
use crate::matches::arena::run::run;
use crate::matches::arena::starts::{StartKind, Starts};
use crate::matches::family;
use crate::matches::session::start_of;
use crate::settings::Settings;
use common::interrupt;
use common::interrupt::interrupted;
use common::output::Output;
use common::program::print_error;
use common::record_file::RecordFile;
use common::units::number_in;
use runner::descendants;

/// Play a pair of games between two bots, for cgarena or psyleague
///
/// Both games have the same start and seed, and the bots swap seats. A bot that wins both games wins the pair;
/// otherwise the pair is even. A bot that breaks a rule loses that game, and the result reports the violation.
#[derive(Debug, Args)]
#[command(after_help = "\
The second example is for play_match in cgarena, the third for cmd_play_game in psyleague.cfg.

Examples:
  judge match --format cgarena ./a 'python3 b.py' --start '20 3 5'
  judge match --format cgarena --seed {SEED} --record {REPLAY_PATH} {PLAYERS}
  judge match --format psyleague %DIR%/%P1%.exe %DIR%/%P2%.exe -s $(date +%N)

Exit codes:
  0  both games were played, however they ended
  2  wrong usage, a bot could not be started, or the judge could not continue
     or was interrupted")]
pub(crate) struct LeagueMatchArgs {
    /// The command of each bot, in one word; or the name of a built-in bot or of a bot in judge.toml
    #[arg(required = true, num_args = 2, value_names = ["A", "B"])]
    bots: Vec<String>,

    /// The league that reads the result
    #[arg(long, value_enum, value_name = "NAME")]
    format: LeagueFormat,

    /// The seed of both games, for a random start and for the moves of built-in bots; may be negative
    #[arg(short, long, default_value_t = 1, value_name = "S", allow_negative_numbers = true)]
    seed: i64,

    /// The start, as a header of the protocol without a seat, in one word; without it a random start of --family
    #[arg(long, value_name = "HEADER", conflicts_with_all = ["family", "max_n"])]
    start: Option<GameSpec>,

    #[command(flatten)]
    families: FamilyOptions,

    /// The largest row, pile or number of a random start
    #[arg(long, default_value_t = 2000, value_name = "N", value_parser = number_in(1..=MAX_SIZE))]
    max_n: u64,

    /// Write both games as lines of JSON to this file, as judge arena --record does
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    #[command(flatten)]
    options: MatchOptions,
}

/// The program that reads the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LeagueFormat {
    /// cgarena, which plays a match by this command
    Cgarena,
    /// psyleague, which plays a game by this command
    Psyleague,
}

impl Subcommand for LeagueMatchArgs {
    fn run(&self, Program { settings, .. }: &Program) -> anyhow::Result<ExitCode> {
        interrupt::watch()?;
        descendants::become_subreaper()?;
        let create = |path| RecordFile::create(path, "use a different file for each match");
        let mut record = self.record.as_deref().map(create).transpose()?;
        let plan = plan(self, settings)?;
        // Check here that the bots can be started. Otherwise each host process would print its own error.
        plan.configs.iter().try_for_each(|config| start_of(config).map(drop))?;
        let mut games: Vec<GameRecord> = Vec::new();
        run(
            &plan,
            |_| true,
            plan.games(),
            &[None],
            None,
            |record| {
                games.push(record);
                Ok(plan.games())
            },
        )?;
        if interrupted() {
            bail!("interrupted after {} of {} games", games.len(), plan.games());
        }
        explain_missing_sides(&plan, &games)?;
        let names = [0, 1].map(|bot| plan.entrants[bot].name.as_str());
        let report = PairReport::of(&games, names);
        let result = match self.format {
            LeagueFormat::Cgarena => serde_json::to_string(&cgarena(&report))?,
            LeagueFormat::Psyleague => serde_json::to_string(&psyleague(&report))?,
        };
        if let Some(record) = &mut record {
            games.iter().try_for_each(|game| record.add(&serde_json::to_string(game)?))?;
        }
        Output::stdout().write(|out| writeln!(out, "{result}"))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Prints an explanation for each bot that named no side because it does not know assigned seats or sessions.
fn explain_missing_sides(plan: &Plan, games: &[GameRecord]) -> anyhow::Result<()> {
    let start = plan.game(0)?.start;
    for (entrant, config) in plan.entrants.iter().zip(&plan.configs) {
        let seats = games.iter().flat_map(|game| [&game.first, &game.second]);
        if seats.clone().any(|seat| seat.bot == entrant.name && !seat.result.has_named_side)
            && let Some(why) = missing_ability(entrant, config, &start)?
        {
            print_error(why);
        }
    }
    Ok(())
}

/// Returns the plan of the pair of games.
fn plan(args: &LeagueMatchArgs, settings: &Settings) -> anyhow::Result<Plan> {
    let bots = args.bots.iter().zip(["A", "B"]);
    let entrants: Vec<Entrant> = bots
        .map(|(bot, name)| format!("{name}={bot}").parse())
        .collect::<Result<_, String>>()
        .map_err(anyhow::Error::msg)?;
    let configs: Vec<_> = entrants
        .iter()
        .map(|bot| entrant_config(&args.options, bot, settings))
        .collect::<anyhow::Result<_>>()?;
    let seed = args.seed.cast_unsigned();
    let pairing = pairing(Format::RoundRobin, entrants.len(), 1, seed, None)?;
    Ok(Plan::new(entrants, configs, pairing, starts(args, seed, settings)?, seed)?)
}

fn starts(args: &LeagueMatchArgs, seed: u64, settings: &Settings) -> anyhow::Result<Starts> {
    if let Some(start) = &args.start {
        ensure!(Position::new(start).is_ok(), "the start {start} has more heaps than a game may have");
        return Ok(Starts::Listed(vec![start.clone()]));
    }
    // As in an arena, First wins half of the starts and Second the other half. The parity of the seed chooses the
    // winner.
    let kind = if seed.is_multiple_of(2) { StartKind::WonByFirst } else { StartKind::WonBySecond };
    // Each family has starts of both kinds.
    let families: Vec<_> = family::of_pair(&args.families.families(settings), seed).into_iter().collect();
    Ok(Starts::Random { families, max_n: args.max_n, kind })
}
