//! `judge run`: plays games against a bot and referees them, or runs a bot against the interactor of another problem.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{bail, ensure};
use clap::Args;
use itertools::Itertools;
use runner::interrupt;

use crate::cli::bot;
use crate::cli::complete;
use crate::cli::interactors::{InteractorOptions, ProblemSettings, Purpose};
use crate::cli::options::FamilyOptions;
use crate::cli::run_options::{RunOptions, output_beside};
use crate::referee::game::setup::GameHeader;
use crate::report::runs::{Form, Report};
use crate::settings::Settings;
use crate::trials::family::StartRng;
use crate::trials::problem::package::Package;
use crate::trials::problem::run::ProblemRun;
use crate::trials::problem::run_files::RunFileOptions;
use crate::trials::problem::table::{LimitOrigin, SubmissionTable};

/// Referee a bot in games, or run it against an interactor
#[derive(Debug, Args)]
#[command(
    mut_arg("interactor", |option| option.conflicts_with_all(FOR_GAMES)),
    after_help = "\
With --interactor the bot is run against the interactor of another problem, on each input, and with --problem on the tests \
of a problem package. The section [problem] of judge.toml can name an interactor and inputs, so that \"judge run -- bot.cpp\" \
is enough.

Examples:
  judge run 2000 3 3 --opponent perfect -- python3 my_bot.py
  judge run 20 3 5 bot.cpp                  a source is compiled first
  judge run 6 1 2 -v                        the bundled bot, drawn move by move
  judge run --games 100 --seed 7 -- ./bot   a hundred rows of up to 2000 cards
  judge run -n 20 -j 2 --opponent perfect,slow --family segment,nim -- ./bot
  judge run --games 20 --bot old=./old --bot new='python3 new.py'
  judge run --interactor interactor.cpp --input tests/ -- bot.cpp
  judge run --problem guess/                each submission of a problem package

Exit codes:
  0  the bot won every game, or the interactor accepted every run
  1  the bot did not win every game, or a run was not accepted
  2  wrong usage, a program could not be started, the interactor failed, or the
     judge could not continue or was interrupted"
)]
pub(crate) struct RunArgs {
    /// The game, as a header of the protocol: "N L R" is a row of N cards from which a move takes L to R consecutive
    /// cards. Without a header, each seed has a random start with sizes of at most 2000. A source such as bot.cpp and
    /// its arguments may follow
    #[arg(add = complete::header_or_bot(), value_name = "HEADER WORDS", conflicts_with = "family")]
    words: Vec<OsString>,

    #[command(flatten)]
    families: FamilyOptions,

    #[command(flatten)]
    options: RunOptions,

    #[command(flatten)]
    interactor: InteractorOptions,

    /// Run the bot on the tests of this problem package, with its validator and its limits. Without a bot, run each
    /// submission of the package, and compare its verdicts with those expected for its folder
    #[arg(long, value_name = "DIR", help_heading = "Interactors",
        conflicts_with_all = ["interactor", "style", "checker"], conflicts_with_all = FOR_GAMES)]
    problem: Option<PathBuf>,

    /// The input of a test, a folder of inputs, or a pattern such as 'tests/*.in'; may be repeated. The answer to 1.in
    /// is 1.ans, 1.a or 1.out. A test of a package may be named as in reports, such as secret/01
    #[arg(long, value_name = "FILE", help_heading = "Interactors")]
    input: Vec<PathBuf>,

    /// Write the lines of both programs to FILE, as in the samples of problem packages: "<" before a line that the bot
    /// reads, and ">" before a line that it writes. Only for one run
    #[arg(long, value_name = "FILE", help_heading = "Interactors")]
    interaction: Option<PathBuf>,

    /// The bot's command and its arguments, or a source such as bot.cpp, which is compiled; without it the bundled bot
    /// plays the games, and --problem runs the submissions of the package
    #[arg(add = complete::bot(), last = true, value_name = "BOT")]
    bot: Vec<OsString>,
}

/// The options that cannot be used with an interactor, because they are only for games of the judge.
const FOR_GAMES: [&str; 6] = ["family", "opponent", "bots", "line", "stderr", "session"];

/// Maximum size of a row, a pile or a number in a random start: the contest's limit.
const MAX_N: u64 = 2000;

impl RunArgs {
    pub(crate) fn run(&self, settings: &Settings) -> anyhow::Result<ExitCode> {
        let options = &self.options;
        let seeds = options.seeds(options.seed)?;
        interrupt::watch()?;
        let (words, bot) = bot::split_words(&self.words, &self.bot, settings);
        let purpose = Purpose {
            names_problem: self.interactor.interactor.is_some() || self.problem.is_some(),
            has_problem_options: self.interactor != InteractorOptions::default()
                || !self.input.is_empty()
                || self.interaction.is_some(),
            has_game_options: !words.is_empty() || !self.families.family.is_empty() || options.is_for_games(),
        };
        if let Some(problem) = purpose.problem(settings, options.verbose, options.jobs)? {
            let header = words.iter().map(|word| word.to_string_lossy()).join(" ");
            ensure!(words.is_empty(), "expected the bot's command after \"--\", got the header {header}");
            return self.run_problem(bot, problem);
        }
        let header = bot::read_header("run", words, bot, settings)?;
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

    /// Runs the bot with the command `bot` against the interactor or on the problem package. Reports the results.
    /// Without a bot, runs the submissions of the package.
    fn run_problem(&self, bot: &[OsString], with: ProblemSettings<'_>) -> anyhow::Result<ExitCode> {
        let options = &self.options;
        let form = if options.json {
            Form::Json
        } else {
            let RunOptions { quiet, verbose: show_lines, .. } = *options;
            Form::Console { quiet, show_stderr: options.stderr.show_stderr, show_lines }
        };
        let files = RunFileOptions {
            interaction: self.interaction.as_deref(),
            transcript: options.transcript.as_deref(),
            html: options.pages.html.as_deref(),
            html_all: options.pages.html_all,
        };
        let package = self.problem.as_deref().map(Package::read).transpose()?;
        if package.is_none() {
            with.ensure_bot(bot)?;
        }
        let config = with.bot(&options.options, bot, package.as_ref())?;
        let run = match &package {
            None => self.interactor.interactor_run(&with.inputs(&self.input), config, with)?,
            Some(package) => self.interactor.package_run(package, &self.input, config, with)?,
        };
        let run = ProblemRun { seeds: options.seeds(options.seed)?, ..run };
        if let Some(package) = package.as_ref().filter(|_| bot.is_empty()) {
            return self.run_submissions(package, run, files, form, with.settings);
        }
        let out = output_beside(&[files.interaction, files.transcript]);
        run.run(&mut Report::new(out, form), files)
    }

    /// Runs the submissions of a package.
    fn run_submissions(
        &self,
        package: &Package,
        run: ProblemRun,
        files: RunFileOptions<'_>,
        form: Form,
        settings: &Settings,
    ) -> anyhow::Result<ExitCode> {
        let named = [
            ("--interaction", files.interaction),
            ("--transcript", files.transcript),
            ("--html", files.html),
        ];
        if let Some((option, _)) = named.iter().find(|(_, path)| path.is_some()) {
            bail!("{option}: expected the bot's command after \"--\"");
        }
        let given = self.options.options.limits.or(settings);
        let limit = match package.limits.time {
            _ if given.time_limit.is_some() => LimitOrigin::System,
            None => LimitOrigin::Unknown,
            Some(_) if package.limits.factors.bind_given_limit => LimitOrigin::Package,
            Some(_) => LimitOrigin::System,
        };
        let (languages, wall, is_verbose) = (&settings.languages, given.wall_limit, self.options.verbose);
        let table = SubmissionTable { package, run, limit, wall, languages, is_verbose };
        table.write(&mut anstream::stdout(), form)
    }
}
