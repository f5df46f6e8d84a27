//! `judge run`: plays games against a bot and referees them, or runs a bot against the interactor of another problem.

use std::ffi::OsString;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use itertools::Itertools;
use runner::escape::printable;
use runner::interrupt;
use runner::message::print_error;
use runner::sources::CompileError;

use crate::arena::entrant::{Entrant, EntrantProgram};
use crate::cli::bot;
use crate::cli::complete;
use crate::cli::interactors::InteractorOptions;
use crate::cli::options::{BotOptions, FamilyOptions, MAX_N, StderrOptions};
use crate::cli::subject::{Subject, SubjectOptions};
use crate::config::MatchConfig;
use crate::conversation::verdict::Class;
use crate::exit;
use crate::json;
use crate::output;
use crate::progress::GamesProgress;
use crate::referee::game::review::FinishedGame;
use crate::referee::game::setup::{GameHeader, GameSetup, MoveLine, OpponentKind, parse_moves};
use crate::report::page::game::GamePageLog;
use crate::report::picture::Picture;
use crate::report::reporter::{Form, Reporter};
use crate::report::run::RunReport;
use crate::report::transcript::{GameLog, StderrFiles, TranscriptWriter};
use crate::settings::Settings;
use crate::text::counted;
use crate::trials::family::StartRng;
use crate::trials::parallel::{self, BotGame};
use crate::trials::problem::format;
use crate::trials::problem::found::Found;
use crate::trials::problem::package::{OnlyCompared, Package};
use crate::trials::problem::run::{OfProblem, ProblemRun};
use crate::trials::problem::run_files::RunFiles;
use crate::trials::problem::table::SubmissionTable;
use crate::trials::session::BotSession;
use crate::units::{number_in, parse_score};

/// Referee a bot in games, or run it against an interactor
#[derive(Debug, Args)]
#[command(
    mut_group("InteractorOptions", |of| of.conflicts_with_all(["family", "opponent", "bots", "line", "stderr", "session"])),
    after_help = "\
In the folder of a problem, \"judge run -- bot.cpp\" is enough: a problem package, an interactor.cpp with a folder tests/, \
or a judge.toml with [problem] is found there or in a folder above.

Examples:
  judge run 2000 3 3 --opponent perfect -- python3 my_bot.py
  judge run 20 3 5 bot.cpp                  a source is compiled first
  judge run 6 1 2 -v                        the bundled bot, drawn move by move
  judge run --family segment --games 100 -- ./bot   a hundred rows of up to 2000 cards
  judge run -n 20 -j 2 --opponent perfect,slow --family segment,nim -- ./bot
  judge run 20 3 5 --games 20 --bot old=./old --bot new='python3 new.py'
  judge run --interactor interactor.cpp --input tests/ -- bot.cpp
  judge run --problem guess/                each submission of a problem package

Exit codes:
  0  the bot won every game, or the interactor accepted every run or gave it a
     score
  1  the bot did not win every game, a run was not accepted, or the bot's
     source does not compile
  2  wrong usage, a program could not be started, the interactor failed, or the
     judge could not continue or was interrupted"
)]
pub(crate) struct RunArgs {
    /// The game, as a header of the protocol: "N L R" is a row of N cards from which a move takes L to R consecutive
    /// cards. With --family in its place, each seed has a random start. A source such as bot.cpp and its arguments may follow
    #[arg(add = complete::header_or_bot(), value_name = "HEADER WORDS", conflicts_with = "family")]
    words: Vec<OsString>,

    /// The bot's command and its arguments. Without it the bundled bot plays the games, and of a problem package each
    /// submission is run and compared with the verdicts that its folder promises
    #[arg(add = complete::bot(), last = true, value_name = "BOT")]
    bot: Vec<OsString>,

    #[command(flatten)]
    families: FamilyOptions,

    #[command(flatten)]
    pub(crate) options: RunOptions,

    #[command(flatten)]
    interactor: InteractorOptions,

    /// The input of a test, a folder of inputs, a pattern such as 'tests/*.in', or the name of a test or group of the
    /// package, such as secret/1 or 'easy*'; may be repeated. The answer to 1.in is 1.ans, 1.a or 1.out
    #[arg(long, value_name = "FILE", help_heading = "Interactors")]
    input: Vec<PathBuf>,

    /// Accept a run with this score or more, and let a smaller score fail. Without it, every score above 0 is a success
    #[arg(long, value_name = "SCORE", value_parser = parse_score, help_heading = "Interactors")]
    full_score: Option<f64>,

    /// Write the lines of both programs in a single run to FILE, as in the samples of problem packages
    #[arg(long, value_name = "FILE", help_heading = "Interactors")]
    interaction: Option<PathBuf>,
}

/// Reports a bot, or with `json` an interactor, that does not compile as the result of all runs.
pub(crate) fn report_uncompiled(error: anyhow::Error, json: bool) -> anyhow::Result<ExitCode> {
    let Some(run) = uncompiled(&error) else { return Err(error) };
    let is_of_bot = run.ruling.class == Class::CompileError;
    if json {
        json::write_line(&mut io::stdout(), &run)?;
    } else if is_of_bot {
        // The compiler's messages are on stderr.
        writeln!(io::stdout(), "{} {}", run.ruling.verdict, printable(&run.ruling.reason))?;
    } else {
        return Err(error);
    }
    Ok(ExitCode::from(if is_of_bot { 1 } else { 2 }))
}

pub(crate) fn uncompiled(error: &anyhow::Error) -> Option<RunReport> {
    let CompileError { messages, .. } = error.downcast_ref()?;
    let class = if error.is::<OfProblem>() { Class::InteractorCompileError } else { Class::CompileError };
    Some(RunReport::uncompiled(class, format!("{error:#}"), messages.clone()))
}

impl RunArgs {
    pub(crate) fn run(&self, settings: &Settings) -> anyhow::Result<ExitCode> {
        let options = &self.options;
        let seeds = options.seeds(options.seed)?;
        let (words, bot) = bot::split_words(&self.words, &self.bot, settings);
        let about = SubjectOptions {
            options: &self.interactor,
            inputs: Some(&self.input),
            has_problem_options: self.full_score.is_some() || self.interaction.is_some(),
            names_game: !words.is_empty() || !self.families.family.is_empty(),
            needs_game: !options.opponent.is_empty()
                || !options.bots.is_empty()
                || options.line.is_some()
                || options.stderr.stderr.is_some()
                || options.options.session,
            is_quiet: options.quiet,
            command: "run",
        };
        let names_problem = self.interactor.names_programs() || self.interactor.problem.is_some();
        if names_problem && !words.is_empty() {
            let header = words.iter().map(|word| word.to_string_lossy()).join(" ");
            bail!("expected the bot's command after \"--\", got the header {header}");
        }
        let problem = self.interactor.problem.as_deref();
        if let Some(Found::Contest(packages)) = problem.and_then(|path| Found::at(path, &settings.languages))
            && bot.is_empty()
            && !options.json
            && self.input.is_empty()
        {
            return self.run_contest(&packages, settings);
        }
        let settings = &match about.subject(settings)? {
            Subject::Games(settings) => settings,
            Subject::Problem(settings) => return self.run_problem(bot, &settings),
        };
        let missing_dashes = |at| bot::missing_dashes("run", &[words, bot].concat(), at, settings);
        let header = bot::read_header(words, settings, missing_dashes)?;
        let header = header.or_else(|| self.families.header(settings));
        let families = self.families.families(settings);
        let opponents = options.opponents();
        let count = options.games.saturating_mul(opponents.len() as u64);
        let games = seeds.zip(families.iter().cycle()).flat_map(|(seed, family)| {
            let random = || GameHeader::new(family.random(MAX_N, &mut StartRng::new(seed)), None);
            let header = header.clone().unwrap_or_else(random);
            options.setups(&header, seed)
        });
        options.play(bot, settings, count, games)
    }

    /// Runs the bot against the interactor or on the package; without a bot, the submissions of the package.
    fn run_problem(&self, bot: &[OsString], settings: &Settings) -> anyhow::Result<ExitCode> {
        let options = &self.options;
        if settings.package.is_none() {
            settings.ensure_bot(bot)?;
        }
        let run = self.interactor.problem_run(Some(&self.input), &options.options, bot, settings)?;
        let (seeds, jobs, full_score) = (options.seeds(options.seed)?, options.jobs, self.full_score);
        let run = ProblemRun { seeds, jobs, full_score, ..run };
        if let Some(package) = settings.package.as_ref().filter(|_| bot.is_empty()) {
            return self.run_submissions(package, run, settings);
        }
        let (interaction, transcript) = (self.interaction.as_deref(), options.transcript.as_deref());
        let html = options.html.as_deref().map(|folder| (folder, options.html_all));
        let files = RunFiles::new(interaction, transcript, html, run.count())?;
        let out = output::beside(&[interaction, transcript]);
        let mut reporter = Reporter::new(out, options.form());
        reporter.full_score = self.full_score;
        run.run(&mut reporter, files)
    }

    fn run_contest(&self, packages: &[PathBuf], settings: &Settings) -> anyhow::Result<ExitCode> {
        let options = &self.options;
        let mut codes = Vec::new();
        for folder in packages {
            let package = match format::read(folder) {
                Err(error) if error.is::<OnlyCompared>() => {
                    print_error(format_args!("not run: {error:#}"));
                    continue;
                }
                package => package,
            };
            if !options.quiet {
                writeln!(io::stdout(), "{}", printable(&folder.display().to_string()))?;
            }
            let result = package.map(Arc::new).and_then(|package| {
                self.run_problem(&[], &Settings { package: Some(package), ..settings.without_subject() })
            });
            // An error in one problem is no reason not to run the others.
            codes.push(result.unwrap_or_else(|error| exit::fail(&error, 2)));
            if interrupt::interrupted() {
                break;
            }
        }
        ensure!(
            !codes.is_empty(),
            "expected an interactive or multi-pass problem in the contest, found none"
        );
        if !options.quiet {
            let as_expected = codes.iter().filter(|&&code| code == ExitCode::SUCCESS).count();
            let counted = counted(codes.len() as u64, "problem");
            writeln!(io::stdout(), "{counted}: {as_expected} with all verdicts as expected")?;
        }
        let worst = [ExitCode::from(2), ExitCode::FAILURE].into_iter().find(|code| codes.contains(code));
        Ok(worst.unwrap_or(ExitCode::SUCCESS))
    }

    fn run_submissions(
        &self,
        package: &Package,
        run: ProblemRun,
        settings: &Settings,
    ) -> anyhow::Result<ExitCode> {
        let RunOptions { transcript, html, .. } = &self.options;
        let named = [("--interaction", &self.interaction), ("--transcript", transcript), ("--html", html)];
        if let Some((option, _)) = named.iter().find(|(_, path)| path.is_some()) {
            bail!("{option}: expected the bot's command after \"--\"");
        }
        let given = self.options.options.limits.or(settings);
        let table = SubmissionTable { package, run, given, is_computed: false, settings };
        table.write(&mut io::stdout(), self.options.form())
    }
}

/// The options of `judge run` and `judge test`.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(crate) struct RunOptions {
    /// Who plays against the bot; several opponents with commas between them [default: perfect]
    #[arg(long, value_enum, value_name = "NAME", value_delimiter = ',')]
    opponent: Vec<OpponentKind>,

    /// How many games to play from each start against each opponent, or runs on each input, with the seeds S, S+1, ...
    #[arg(short = 'n', long, default_value_t = 1, value_name = "K", value_parser = number_in(1..=u64::MAX))]
    pub(crate) games: u64,

    /// The seed of the first game or run
    #[arg(short, long, default_value_t = 1, value_name = "S", value_parser = number_in(0..=u64::MAX))]
    pub(crate) seed: u64,

    /// How many games to play or inputs to run at the same time
    #[arg(short, long, default_value_t = 1, value_name = "J", value_parser = number_in(1_u16..=1024))]
    jobs: u16,

    /// A bot with a name, in place of the bot's command. Several bots play the same games and are compared
    #[arg(long = "bot", value_name = "NAME[=COMMAND]", value_parser = OsStringValueParser::new().try_map(Entrant::parse))]
    pub(crate) bots: Vec<Entrant>,

    #[command(flatten)]
    pub(crate) options: BotOptions,

    /// The opponent's first moves, "x y, x y"; it continues by itself after them or at the first illegal one
    #[arg(long, value_name = "MOVES", value_parser = parse_moves)]
    line: Option<MoveLine>,

    /// Record the games or runs for "judge replay"; with "-", the report goes to stderr
    #[arg(long, value_name = "FILE")]
    transcript: Option<PathBuf>,

    #[command(flatten)]
    stderr: StderrOptions,

    /// Write a page of each game that was not won to DIR/game-K.html, or of each run that was not accepted to
    /// DIR/run-K.html
    #[arg(long, value_name = "DIR")]
    html: Option<PathBuf>,

    /// With --html, write a page for each game or run
    #[arg(long, requires = "html")]
    html_all: bool,

    /// Print one JSON object for each game, run or submission, and one for the summary of several games
    #[arg(long, conflicts_with_all = ["verbose", "quiet"])]
    pub(crate) json: bool,

    /// Print only games, runs and submissions that did not end as they should; print nothing if there are none
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,

    /// Draw each game, print the lines of both programs of each run, and the command that compiles a source
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

    fn form(&self) -> Form {
        let Self { json, quiet, verbose: show_lines, .. } = *self;
        let show_stderr = self.stderr.show_stderr;
        if json { Form::Json } else { Form::Console { quiet, show_stderr, show_lines } }
    }

    pub(crate) fn opponents(&self) -> Vec<OpponentKind> {
        let opponents = self.opponent.iter().copied().unique().collect_vec();
        if opponents.is_empty() { vec![OpponentKind::Perfect] } else { opponents }
    }

    pub(crate) fn line(&self) -> MoveLine {
        self.line.clone().unwrap_or_default()
    }

    /// Returns the games with a header and a seed, one against each opponent.
    pub(crate) fn setups(&self, header: &GameHeader, seed: u64) -> Vec<GameSetup> {
        let setup =
            |opponent| GameSetup { line: self.line(), ..GameSetup::new(header.clone(), opponent, seed) };
        self.opponents().into_iter().map(setup).collect()
    }

    /// Plays `count` games against the bot, or against each bot of `--bot`, and reports them.
    pub(crate) fn play(
        &self,
        bot: &[OsString],
        settings: &Settings,
        count: u64,
        games: impl Iterator<Item = GameSetup> + Send,
    ) -> anyhow::Result<ExitCode> {
        let bots = self.configs(bot, settings)?;
        let out = || output::beside(&[self.transcript.as_deref()]);
        let mut log: Vec<Box<dyn GameLog>> = Vec::new();
        if self.verbose {
            log.push(Box::new(Picture::new(out())));
        }
        if let Some(file) = &self.transcript {
            log.push(Box::new(TranscriptWriter::new(file)));
        }
        if let Some(folder) = &self.stderr.stderr {
            log.push(Box::new(StderrFiles::new(folder)?));
        }
        if let Some(folder) = &self.html {
            log.push(Box::new(GamePageLog::new(folder, self.html_all)?));
        }
        let count = count.saturating_mul(bots.len() as u64);
        // With `--verbose` the drawings show the progress, so no progress line is needed.
        let progress = (count > 1 && !self.verbose).then(|| GamesProgress::new(Some(count), "games"));
        let mut reporter = Reporter::new(out(), self.form());
        let mut report = |game: &FinishedGame| -> anyhow::Result<bool> {
            if let Some(progress) = &progress {
                progress.suspend(|| reporter.game(game))?;
                progress.update(reporter.reported(), format_args!("{} not won", reporter.failed));
            } else {
                reporter.game(game)?;
            }
            Ok(!reporter.is_stopped())
        };
        if let ([bot], 1) = (&bots[..], self.jobs) {
            let mut session = BotSession::new("the bot", bot.clone(), count)?;
            for game in games {
                if !report(&session.play_alone(&game, &mut log)?)? {
                    break;
                }
            }
        } else {
            let games_of_bots =
                games.flat_map(|setup| (0..bots.len()).map(move |bot| BotGame { bot, setup: setup.clone() }));
            parallel::play(&bots, self.jobs, games_of_bots, |game| {
                game.write(&mut log)?;
                report(&game.game)
            })?;
        }
        drop(progress);
        if reporter.reported() < count && interrupt::interrupted() {
            print_error(format_args!("interrupted, so not all games were played"));
        }
        reporter.end_games()
    }

    fn configs(&self, bot: &[OsString], settings: &Settings) -> anyhow::Result<Vec<MatchConfig>> {
        if self.bots.is_empty() {
            return Ok(vec![self.options.start_config(bot, settings)?]);
        }
        ensure!(bot.is_empty(), "expected the bot's command or --bot, got both");
        if let Some(name) = self.bots.iter().map(|bot| &bot.name).duplicates().next() {
            bail!("expected bots with different names, got {name} twice");
        }
        let config = |bot: &Entrant| {
            if let EntrantProgram::BuiltIn(kind) = bot.program {
                let name = kind.name();
                bail!("--bot {}: {name} is an opponent: type --opponent {name}, or judge arena", bot.name);
            }
            let config = self.options.entrant_config(bot, settings)?;
            Ok(MatchConfig { name: Some(bot.name.clone()), ..config })
        };
        self.bots.iter().map(config).collect()
    }
}
