//! The options of `judge run` and `judge test`, and how these commands play their games.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use clap::Args;
use itertools::Itertools;
use runner::config::MatchConfig;
use runner::interrupt;
use runner::message::print_error;

use crate::cli::bot;
use crate::cli::bot::BotArgument;
use crate::cli::interactor_options::{InteractorOptions, NamedBy, ProblemSettings};
use crate::cli::match_options::MatchOptions;
use crate::cli::shared_options::PageOptions;
use crate::cli::shared_options::StderrOptions;
use crate::referee::game::exchange::Spectator;
use crate::referee::game::setup::{GameSetup, MoveLine, OpponentKind, parse_moves};
use crate::report::Reporter;
use crate::report::console::Console;
use crate::report::json::Json;
use crate::report::picture::Picture;
use crate::report::runs::{Form, Report};
use crate::report::stderr::StderrFiles;
use crate::report::transcript::GameLog;
use crate::report::transcript::writer::TranscriptWriter;
use crate::settings::Settings;
use crate::trials::match_runner::{MatchReport, MatchRunner};
use crate::trials::parallel;
use crate::trials::parallel::BotGame;
use crate::trials::problem::package::Package;
use crate::trials::problem::run_files::RunFileOptions;
use crate::trials::problem::table::{LimitOrigin, SubmissionTable};
use crate::trials::session::BotSession;
use crate::units::number_in;

/// The options of `judge run` and `judge test`.
#[derive(Debug, Args)]
pub(crate) struct RunOptions {
    /// Who plays against the bot; several opponents with commas between them
    #[arg(long, value_enum, default_value = "perfect", value_name = "NAME", value_delimiter = ',')]
    opponent: Vec<OpponentKind>,

    /// How many games to play from each start against each opponent, with the seeds S, S+1, ...
    #[arg(short = 'n', long, default_value_t = 1, value_name = "K", value_parser = number_in(1..=u64::MAX))]
    pub(crate) games: u64,

    /// The seed of the first game
    #[arg(short, long, default_value_t = 1, value_name = "S", value_parser = number_in(0..=u64::MAX))]
    pub(crate) seed: u64,

    /// How many games to play at the same time; with more games than processors bots may wait for a processor and use
    /// up their wall time
    #[arg(short, long, default_value_t = 1, value_name = "J", value_parser = number_in(1_u16..=1024))]
    jobs: u16,

    /// A bot with a name, in place of the bot's command: a name in judge.toml, or NAME=COMMAND. Several bots play the
    /// same games and are compared
    #[arg(long = "bot", value_name = "NAME[=COMMAND]", value_parser = bot::parse_named_bot)]
    pub(crate) bots: Vec<BotArgument>,

    #[command(flatten)]
    pub(crate) options: MatchOptions,

    /// The opponent's first moves, "x y, x y". After these moves, or at the first illegal one, the
    /// opponent chooses its moves itself
    #[arg(long, value_name = "MOVES", value_parser = parse_line, default_value = "", hide_default_value = true)]
    pub(crate) line: Arc<MoveLine>,

    /// Write every line of the games or runs with its time as JSON lines, for "judge replay"; "-" for stdout, and the
    /// report then goes to stderr
    #[arg(long, value_name = "FILE")]
    transcript: Option<PathBuf>,

    #[command(flatten)]
    stderr: StderrOptions,

    #[command(flatten)]
    pages: PageOptions,

    /// Print one JSON object for each game, and one for the summary of several games
    #[arg(long, conflicts_with_all = ["verbose", "quiet"])]
    json: bool,

    /// Print only the games that were not won; print nothing if all games were won and none was excused
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,

    /// Draw each game, with a line for each move, and print the command that compiles a source
    #[arg(short, long)]
    verbose: bool,
}

fn parse_line(text: &str) -> Result<Arc<MoveLine>, String> {
    parse_moves(text).map(Arc::new)
}

impl RunOptions {
    /// Returns the seeds of the games from a start. `first` is the seed of the first game.
    pub(crate) fn seeds(&self, first: u64) -> anyhow::Result<impl Iterator<Item = u64> + use<>> {
        let last = first.checked_add(self.games - 1).with_context(|| {
            format!("expected seeds of at most {}, but the seed of the last game would be larger", u64::MAX)
        })?;
        Ok(first..=last)
    }

    /// Returns the opponents, each once.
    pub(crate) fn opponents(&self) -> impl Iterator<Item = OpponentKind> + Clone + use<> {
        let opponents: Vec<OpponentKind> = self.opponent.iter().copied().unique().collect();
        opponents.into_iter()
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
        // If the transcript is written to stdout, the report and the drawing are written to stderr.
        let to_stderr = self.transcript.as_deref() == Some(Path::new("-"));
        if self.json {
            let out: Box<dyn Write> = if to_stderr { Box::new(io::stderr()) } else { Box::new(io::stdout()) };
            return self.report(&bots, count, games, Json::new(out), &mut ());
        }
        let out = || -> Box<dyn Write> {
            if to_stderr { Box::new(anstream::stderr()) } else { Box::new(anstream::stdout()) }
        };
        let mut spectator: Box<dyn Spectator> =
            if self.verbose { Box::new(Picture::new(out())) } else { Box::new(()) };
        let console = Console::new(out()).quiet(self.quiet).show_stderr(self.stderr.show_stderr);
        self.report(&bots, count, games, console, spectator.as_mut())
    }

    /// Runs the bot with the command `bot` against the interactor or on the problem package that `interactor` names.
    /// Reports the results. Without a bot, runs the submissions of the package.
    pub(crate) fn run_problem(
        &self,
        interactor: &InteractorOptions,
        named_by: NamedBy<'_>,
        bot: &[OsString],
        settings: &Settings,
    ) -> anyhow::Result<ExitCode> {
        let last = self.seeds(self.seed)?.last().unwrap_or(self.seed);
        let seeds = self.seed..=last;
        let is_verbose = self.verbose;
        let section = named_by.section();
        let with = ProblemSettings { settings, section, is_verbose, jobs: self.jobs };
        let form = if self.json {
            Form::Json
        } else {
            let show_stderr = self.stderr.show_stderr;
            Form::Console { quiet: self.quiet, show_stderr, show_lines: self.verbose }
        };
        let files = RunFileOptions {
            interaction: interactor.interaction.as_deref(),
            transcript: self.transcript.as_deref(),
            html: self.pages.html.as_deref(),
            html_all: self.pages.html_all,
        };
        let run = match &interactor.problem {
            None => interactor.interactor_run(with.bot(&self.options, bot, None)?, seeds, with)?,
            Some(folder) => {
                let package = Package::read(folder)?;
                let config = with.bot(&self.options, bot, Some(&package))?;
                let run = interactor.package_run(&package, config, seeds, with)?;
                if bot.is_empty() {
                    let named = [
                        ("--interaction", files.interaction),
                        ("--transcript", files.transcript),
                        ("--html", files.html),
                    ];
                    if let Some((option, _)) = named.iter().find(|(_, path)| path.is_some()) {
                        bail!("{option}: expected the bot's command after \"--\"");
                    }
                    let limit = match package.limits.time {
                        _ if self.options.has_time_limit(&settings.limits) => LimitOrigin::System,
                        None => LimitOrigin::Unknown,
                        Some(_) if package.limits.factors.bind_given_limit => LimitOrigin::Package,
                        Some(_) => LimitOrigin::System,
                    };
                    let package = &package;
                    let languages = &settings.languages;
                    let wall = self.options.limits().wall_limit(&settings.limits);
                    let table = SubmissionTable { package, run, limit, wall, languages, is_verbose };
                    return table.write(&mut anstream::stdout(), form);
                }
                run
            }
        };
        // If a file is written to stdout, the report is written to stderr.
        let to_stderr = [files.interaction, files.transcript].contains(&Some(Path::new("-")));
        let out: Box<dyn Write> =
            if to_stderr { Box::new(anstream::stderr()) } else { Box::new(anstream::stdout()) };
        run.run(&mut Report::new(out, form), files)
    }

    /// Returns the configurations of the bots.
    fn configs(&self, bot: &[OsString], settings: &Settings) -> anyhow::Result<Vec<MatchConfig>> {
        if self.bots.is_empty() {
            return Ok(vec![self.options.config(bot, self.verbose, settings)?]);
        }
        ensure!(bot.is_empty(), "expected the bot's command or --bot, got both");
        if let Some(name) = self.bots.iter().map(|bot| &bot.name).duplicates().next() {
            bail!("expected bots with different names, got {name} twice");
        }
        let config = |bot: &BotArgument| {
            let config = self.options.config(&bot.command(settings)?, self.verbose, settings)?;
            Ok(MatchConfig { name: Some(bot.name.clone()), ..config })
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
        let mut log: Vec<Box<dyn GameLog>> = Vec::new();
        if let Some(file) = &self.transcript {
            log.push(Box::new(TranscriptWriter::new(file)));
        }
        if let Some(folder) = &self.stderr.stderr {
            log.push(Box::new(StderrFiles::new(folder)?));
        }
        if let Some(pages) = self.pages.log()? {
            log.push(Box::new(pages));
        }
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

/// Warns if an interrupt is the reason that fewer than `count` games were played.
fn warn_if_interrupted(played: u64, count: u64) {
    if played < count && interrupt::interrupted() {
        print_error(format_args!("interrupted, so not all games were played"));
    }
}
