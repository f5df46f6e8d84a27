//! The options of `judge run` and `judge test`, and how these commands play their games.

use std::ffi::OsString;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use clap::Args;
use itertools::Itertools;
use runner::config::MatchConfig;
use runner::interrupt;
use runner::message::print_error;

use crate::arena::entrant::{Entrant, Program};
use crate::cli::options::{BotOptions, PageOptions, StderrOptions};
use crate::referee::game::exchange::Spectator;
use crate::referee::game::setup::{GameHeader, GameSetup, MoveLine, OpponentKind, parse_moves};
use crate::report::Reporter;
use crate::report::console::Console;
use crate::report::game_transcript::writer::TranscriptWriter;
use crate::report::json::Json;
use crate::report::picture::Picture;
use crate::report::stderr::StderrFiles;
use crate::settings::Settings;
use crate::trials::match_runner::{MatchReport, MatchRunner};
use crate::trials::parallel;
use crate::trials::parallel::BotGame;
use crate::trials::session::BotSession;
use crate::units::number_in;

/// The options of `judge run` and `judge test`.
#[derive(Debug, Args)]
pub(crate) struct RunOptions {
    /// Who plays against the bot; several opponents with commas between them [default: perfect]
    #[arg(long, value_enum, value_name = "NAME", value_delimiter = ',')]
    opponent: Vec<OpponentKind>,

    /// How many games to play from each start against each opponent, or how often to run the bot on each input, with
    /// the seeds S, S+1, ...
    #[arg(short = 'n', long, default_value_t = 1, value_name = "K", value_parser = number_in(1..=u64::MAX))]
    pub(crate) games: u64,

    /// The seed of the first game or run
    #[arg(short, long, default_value_t = 1, value_name = "S", value_parser = number_in(0..=u64::MAX))]
    pub(crate) seed: u64,

    /// How many games to play or inputs to run at the same time; if J is more than the number of processors, bots may
    /// wait for a processor and use up their wall time
    #[arg(short, long, default_value_t = 1, value_name = "J", value_parser = number_in(1_u16..=1024))]
    pub(crate) jobs: u16,

    /// A bot with a name, in place of the bot's command: a name in judge.toml, or NAME=COMMAND. Several bots play the
    /// same games and are compared
    #[arg(long = "bot", value_name = "NAME[=COMMAND]")]
    pub(crate) bots: Vec<Entrant>,

    #[command(flatten)]
    pub(crate) options: BotOptions,

    /// The opponent's first moves, "x y, x y". After these moves, or at the first illegal one, the
    /// opponent chooses its moves itself
    #[arg(long, value_name = "MOVES", value_parser = parse_moves)]
    line: Option<MoveLine>,

    /// Write every line of the games or runs with its time as JSON lines, for "judge replay"; "-" for stdout, and the
    /// report then goes to stderr
    #[arg(long, value_name = "FILE")]
    pub(crate) transcript: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) stderr: StderrOptions,

    #[command(flatten)]
    pub(crate) pages: PageOptions,

    /// Print one JSON object for each game, run or submission, and one for the summary of several games
    #[arg(long, conflicts_with_all = ["verbose", "quiet"])]
    pub(crate) json: bool,

    /// Print only the games that were not won or were excused, the runs that were not accepted, or the submissions with
    /// an unexpected verdict; print nothing if there are none
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Draw each game, with a line for each move, or print the lines of both programs of each run; print the command
    /// that compiles a source
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

impl RunOptions {
    /// Returns the seeds of the games from a start. `first` is the seed of the first game.
    pub(crate) fn seeds(&self, first: u64) -> anyhow::Result<RangeInclusive<u64>> {
        let last = first.checked_add(self.games - 1).with_context(|| {
            format!("expected seeds of at most {}, but the seed of the last game would be larger", u64::MAX)
        })?;
        Ok(first..=last)
    }

    /// Returns whether an option is given that is only for games of the judge.
    pub(crate) fn is_for_games(&self) -> bool {
        let Self { opponent, bots, line, stderr, options, .. } = self;
        !opponent.is_empty()
            || !bots.is_empty()
            || line.is_some()
            || stderr.stderr.is_some()
            || options.session
    }

    /// Returns the opponents, each once.
    pub(crate) fn opponents(&self) -> Vec<OpponentKind> {
        let opponents = self.opponent.iter().copied().unique().collect_vec();
        if opponents.is_empty() { vec![OpponentKind::Perfect] } else { opponents }
    }

    /// Returns the opponent's first moves.
    pub(crate) fn line(&self) -> MoveLine {
        self.line.clone().unwrap_or_default()
    }

    /// Returns the games with a header and a seed, one against each opponent.
    pub(crate) fn setups(&self, header: &GameHeader, seed: u64) -> Vec<GameSetup> {
        let setup =
            |opponent| GameSetup { line: self.line(), ..GameSetup::new(header.clone(), opponent, seed) };
        self.opponents().into_iter().map(setup).collect()
    }

    /// Plays `count` games against the bot with the command `bot`, or against each bot of `--bot`, and reports the
    /// games.
    pub(crate) fn play(
        &self,
        bot: &[OsString],
        settings: &Settings,
        count: u64,
        games: impl Iterator<Item = GameSetup> + Send,
    ) -> anyhow::Result<ExitCode> {
        let bots = self.configs(bot, settings)?;
        let out = || output_beside(&[self.transcript.as_deref()]);
        if self.json {
            return self.report(&bots, count, games, Json::new(out()), &mut ());
        }
        let mut spectator: Box<dyn Spectator> =
            if self.verbose { Box::new(Picture::new(out())) } else { Box::new(()) };
        let console = Console::new(out()).quiet(self.quiet).show_stderr(self.stderr.show_stderr);
        self.report(&bots, count, games, console, spectator.as_mut())
    }

    /// Returns the configurations of the bots.
    fn configs(&self, bot: &[OsString], settings: &Settings) -> anyhow::Result<Vec<MatchConfig>> {
        if self.bots.is_empty() {
            return Ok(vec![self.options.start_config(bot, self.verbose, settings)?]);
        }
        ensure!(bot.is_empty(), "expected the bot's command or --bot, got both");
        if let Some(name) = self.bots.iter().map(|bot| &bot.name).duplicates().next() {
            bail!("expected bots with different names, got {name} twice");
        }
        let config = |bot: &Entrant| {
            let name = &bot.name;
            let command = if let Program::Command(words) = &bot.program {
                words.clone()
            } else {
                ensure!(
                    settings.bot(name).is_some(),
                    "expected NAME=COMMAND, such as old=\"python3 bot.py\", or the name of a bot in judge.toml, \
                     which has no bot {name}"
                );
                vec![name.into()]
            };
            let config = self.options.start_config(&command, self.verbose, settings)?;
            Ok(MatchConfig { name: Some(name.clone()), ..config })
        };
        self.bots.iter().map(config).collect()
    }

    /// Plays the games and reports them to `reporter`.
    fn report(
        &self,
        bots: &[MatchConfig],
        count: u64,
        games: impl Iterator<Item = GameSetup> + Send,
        reporter: impl Reporter,
        spectator: &mut dyn Spectator,
    ) -> anyhow::Result<ExitCode> {
        let transcript = self.transcript.as_deref().map(TranscriptWriter::new);
        let stderr = self.stderr.stderr.as_deref().map(StderrFiles::new).transpose()?;
        let mut log = (transcript, (stderr, self.pages.log()?));
        let count = count.saturating_mul(bots.len() as u64);
        let mut report = MatchReport::new(reporter);
        // With `--verbose` the drawings show the progress, so no progress line is needed.
        if count > 1 && !self.verbose {
            report = report.with_progress(count);
        }
        if let ([bot], 1) = (bots, self.jobs) {
            let mut runner = MatchRunner::new(BotSession::new(bot.clone(), count, log)?, report);
            for game in games {
                if runner.report.is_stopped() {
                    break;
                }
                runner.play(&game, spectator)?;
            }
            warn_if_interrupted(runner.report.games(), count);
            return runner.report.end();
        }
        let games_of_bots =
            games.flat_map(|setup| (0..bots.len()).map(move |bot| BotGame { bot, setup: setup.clone() }));
        parallel::play(bots, self.jobs, games_of_bots, |game| {
            game.write(&mut log)?;
            game.show(spectator)?;
            report.add(&game.game)?;
            Ok(!report.is_stopped())
        })?;
        if interrupt::interrupted() {
            report.stop();
            warn_if_interrupted(report.games(), count);
        }
        report.end()
    }
}

/// Returns the output for the report: stdout, or stderr if one of the `files` is written to stdout.
pub(crate) fn output_beside(files: &[Option<&Path>]) -> Box<dyn Write> {
    if files.contains(&Some(Path::new("-"))) {
        Box::new(anstream::stderr())
    } else {
        Box::new(anstream::stdout())
    }
}

/// Warns if an interrupt is the reason that fewer than `count` games were played.
fn warn_if_interrupted(played: u64, count: u64) {
    if played < count && interrupt::interrupted() {
        print_error(format_args!("interrupted, so not all games were played"));
    }
}
