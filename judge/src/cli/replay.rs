//! `judge replay`: referees recorded games again, and shows recorded games and runs.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, ensure};
use clap::Args;
use runner::escape::printable;
use runner::interrupt;
use runner::sources::BuildOptions;

use crate::cli::{bot, complete};
use crate::output::{self, ensure_different_files};
use crate::play::game_steps::GameSteps;
use crate::referee::game::review::FinishedGame;
use crate::report::conversation_rows::Columns;
use crate::report::page::PageRows;
use crate::report::picture::Picture;
use crate::report::reporter::{Form, Reporter};
use crate::report::transcript::read::TranscriptReader;
use crate::report::transcript::{GameLog, RunSetup, Setup, SetupLine};
use crate::settings::Settings;
use crate::text::{counted, open_input};
use crate::trials::referee_again::{game_name, referee};
use crate::trials::replay_against::{self, Comparison};
use crate::units::number_in;

/// Referee recorded games again, and show recorded games and runs
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
#[command(
    override_usage = "judge replay FILE [OPTIONS]\n       judge replay FILE --against -- BOT ARGS...",
    after_help = "\
Every game of the transcript is refereed again from its recorded events. The verdict, the side, the moves \
and the times must be the recorded ones. A run with an interactor is shown in two columns, as it was recorded.

Examples:
  judge run 20 3 5 --transcript game.jsonl -- ./bot
  judge replay game.jsonl                        the same report and verdict
  judge replay game.jsonl --html game.html       a page to look at
  judge replay game.jsonl --step                 from move to move by keys
  judge replay game.jsonl --against -- ./other   does another bot differ?

Exit codes:
  0  everything is as recorded; with --against: every line of the
     bot is as recorded
  1  something is not as recorded
  2  the transcript cannot be read or is damaged, a page cannot be written, the
     bot could not be started, or the judge was interrupted"
)]
pub(crate) struct ReplayArgs {
    /// The transcript, "-" for stdin
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Send the judge's recorded lines to a bot instead, and show the bot's first line that differs. The bot has the
    /// limits of the recorded game, not those of judge.toml
    #[arg(long, requires = "bot", conflicts_with_all = ["json", "html", "step"])]
    pub(crate) against: bool,

    /// Only the game or run with this number, from 1
    #[arg(long, value_name = "K", value_parser = number_in(1..=u64::MAX))]
    pub(crate) game: Option<u64>,

    /// Write the game or run as one page for a browser, "-" for stdout; the report then goes to stderr. If this is a
    /// directory, each game becomes a page DIR/game-K.html, and each run DIR/run-K.html
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Go through the game from move to move at the terminal, with the arrow keys
    #[arg(long, conflicts_with_all = ["json", "html", "verbose"])]
    pub(crate) step: bool,

    /// Print one JSON object for each game
    #[arg(long, conflicts_with = "verbose")]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) build: BuildOptions,

    /// Draw each game, with a line for each move; with --against, print the command that compiles a source
    #[arg(short, long)]
    pub(crate) verbose: bool,

    /// The bot's command and its arguments, or a source such as bot.cpp, which is compiled
    #[arg(add = complete::bot(), last = true, value_name = "BOT", requires = "against")]
    pub(crate) bot: Vec<OsString>,
}

impl ReplayArgs {
    /// `settings` are read only if a bot is started.
    pub(crate) fn run(
        &self,
        settings: impl FnOnce() -> anyhow::Result<Settings>,
    ) -> anyhow::Result<ExitCode> {
        if self.step {
            let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
            ensure!(is_terminal, "--step reads keys, so it needs a terminal; -v prints all moves at once");
            ensure!(self.file != Path::new("-"), "expected a file with --step, which reads keys from stdin");
        }
        ensure_different_files([("FILE", Some(self.file.as_path())), ("--html", self.html.as_deref())])?;
        let name = format!("the transcript {}", self.file.display());
        let file = open_input(&self.file).with_context(|| format!("{name} cannot be opened"))?;
        let mut transcript = TranscriptReader::new(BufReader::new(file));
        let mut shown = Shown::new(self);
        let start = |settings| bot::start_command(&self.bot, &self.build, &settings);
        let started = if self.against { settings().and_then(start)? } else { None };
        let bot = started.as_ref().unwrap_or(&self.bot);
        let (mut count, mut same) = (0, true);
        while let Some(setup) = transcript.setup().with_context(|| name.clone())? {
            count += 1;
            let (noun, is_repeat) = match &setup {
                Setup::Game(setup) => ("game", setup.game.repeat),
                Setup::Run(_) => ("run", false),
            };
            shown.report_doubtful(is_repeat)?;
            let numbered = || format!("{name}, {noun} {count}");
            let is_same = match &setup {
                _ if self.game.is_some_and(|game| game != count) => {
                    transcript.parts(|_| Ok(())).map(|_| true)
                }
                Setup::Run(setup) => {
                    let option = if self.against { "--against" } else { "--step" };
                    ensure!(
                        !self.against && !self.step,
                        "{option}: expected the transcript of a game, got that of a run with an interactor"
                    );
                    shown.run(count, setup, &mut transcript).map(|()| true)
                }
                Setup::Game(setup) if self.against => {
                    let (setup, lines) =
                        replay_against::read(setup, &mut transcript).with_context(numbered)?;
                    let name = game_name(count, &setup.game.header, &mut transcript)?;
                    let is_same = show_comparison(&name, &replay_against::compare(setup, &lines, bot)?)?;
                    if interrupt::interrupted() {
                        return Ok(ExitCode::from(2));
                    }
                    Ok(is_same)
                }
                Setup::Game(setup) => shown.game(count, setup, &mut transcript),
            };
            same &= is_same.with_context(numbered)?;
        }
        ensure!(count > 0, "{name} is empty: expected the set-up of a game or a run");
        if let Some(game) = self.game {
            ensure!(game <= count, "expected --game 1 to {count}, the games and runs of {name}, got {game}");
        }
        if !self.against {
            shown.end()?;
        }
        Ok(if same { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

type Transcript = TranscriptReader<BufReader<File>>;

struct Shown<'a> {
    args: &'a ReplayArgs,
    reporter: Reporter<Box<dyn Write>>,
    picture: Box<dyn GameLog>,
    /// The page of a single file. It is written after the last game has been read, because a second game is an error.
    page: Option<String>,
    steps: Option<GameSteps>,
    /// A game whose time is in doubt. The game is reported only if the next game does not repeat it.
    doubtful: Option<FinishedGame>,
}

impl<'a> Shown<'a> {
    fn new(args: &'a ReplayArgs) -> Self {
        // If the page is written to stdout, the report and the drawing are written to stderr.
        let out = || output::beside(&[args.html.as_deref()]);
        let console = Form::Console { quiet: false, show_stderr: false, show_lines: true };
        let reporter = Reporter::new(out(), if args.json { Form::Json } else { console });
        let picture: Box<dyn GameLog> =
            if args.verbose { Box::new(Picture::new(out())) } else { Box::new(()) };
        Self { args, reporter, picture, page: None, steps: None, doubtful: None }
    }

    /// Referees a game again and shows it. Returns whether the result equals the recorded one.
    fn game(&mut self, number: u64, setup: &SetupLine, games: &mut Transcript) -> anyhow::Result<bool> {
        let is_repeat = setup.game.repeat;
        let mut rows = self.args.html.as_ref().map(|_| PageRows::of_game());
        let (game, is_same) = referee(number, setup.clone(), games, self.picture.as_mut(), rows.as_mut())?;
        if let Some(rows) = rows {
            self.add_page(&format!("game-{number}.html"), is_repeat, rows.game_page(&game)?)?;
        }
        if self.args.step {
            let is_single = self.steps.is_none() || is_repeat;
            ensure!(is_single, "expected one game with --step, got more: choose one with --game K");
            self.steps = Some(GameSteps::new(game)?);
        } else if game.result.doubtful {
            self.doubtful = Some(game);
        } else {
            self.reporter.game(&game)?;
        }
        Ok(is_same)
    }

    fn run(&mut self, number: u64, setup: &RunSetup, runs: &mut Transcript) -> anyhow::Result<()> {
        let run = if self.args.html.is_some() {
            let mut page = PageRows::of_run();
            let run = runs.parts(|part| {
                page.add(part);
                Ok(())
            })?;
            self.add_page(&format!("run-{number}.html"), false, page.page(setup, &run))?;
            run
        } else if self.args.json {
            runs.parts(|_| Ok(()))?
        } else {
            let mut columns = Columns::new(BufWriter::new(io::stdout()));
            columns.heading(setup)?;
            let run = runs.parts(|part| Ok(columns.add(part)?))?;
            columns.end()?;
            run
        };
        self.reporter.run(&run)
    }

    /// Reports the game whose time is in doubt, unless the next game repeats it.
    fn report_doubtful(&mut self, is_repeat: bool) -> anyhow::Result<()> {
        let game = self.doubtful.take().filter(|_| !is_repeat);
        game.map_or(Ok(()), |game| self.reporter.game(&game))
    }

    /// Adds a page, which has the file `name` in a directory. In a single file, a repeated game replaces the first try.
    fn add_page(&mut self, name: &str, is_repeat: bool, page: String) -> anyhow::Result<()> {
        if let Some(folder) = self.args.html.as_ref().filter(|path| path.is_dir()) {
            return output::write(&folder.join(name), page.as_bytes());
        }
        ensure!(
            self.page.is_none() || is_repeat,
            "expected one game or run, because --html names a file, got more: choose one with --game K, or name a \
             directory to get a page for each"
        );
        self.page = Some(page);
        Ok(())
    }

    fn end(&mut self) -> anyhow::Result<()> {
        self.report_doubtful(false)?;
        if let (Some(path), Some(page)) = (&self.args.html, &self.page) {
            output::write(path, page.as_bytes())?;
        }
        match &mut self.steps {
            Some(steps) => steps.run(),
            None => self.reporter.end_games().map(drop),
        }
    }
}

/// Returns whether the lines of a bot are the recorded ones.
fn show_comparison(name: &str, comparison: &Comparison) -> anyhow::Result<bool> {
    let name = printable(name);
    let (is_same, text) = match comparison {
        Comparison::Same(lines) => {
            (true, format!("SAME {name}: {} of the bot as recorded", counted(*lines as u64, "line")))
        }
        Comparison::Different(difference) => (false, format!("DIFFERENT {name}: {difference}")),
        Comparison::Interrupted => (false, format!("INTERRUPTED {name}")),
    };
    writeln!(io::stdout(), "{text}")?;
    Ok(is_same)
}
