//! `judge replay`: referees recorded games again, and shows them.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::io::{BufRead, BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, ensure};
use clap::Args;
use common::charts::theme::SVG;
use common::escape::printable;
use common::file_kind::ForceOption;
use common::interrupt;
use common::output::{Output, ensure_different_files};
use common::text::counted;
use common::units::number_in;
use pages::Pages;
use referee::config::BuildOptions;
use referee::finished_game::FinishedGame;
use referee::spectator::Spectator;
use referee::transcript::SetupLine;
use referee::transcript::read::TranscriptReader;
use refereed::{Refereed, referee};
use zeroxor::Position;

use super::{bot, complete};
use crate::cli::subcommand::{Program, Properties, Subcommand};
use crate::matches::replay_against::{Comparison, RecordedGame};
use crate::play::game_steps::GameSteps;
use crate::report::Reporter;
use crate::report::console::Console;
use crate::report::game_svg::game_svg;
use crate::report::json::Json;
use crate::report::picture::Picture;
use crate::report::replay_page::{Replay, ReplayRecorder};

mod pages;
mod refereed;

/// Referee recorded games again, and show them
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
#[command(
    override_usage = "judge replay FILE [OPTIONS]\n       judge replay FILE --against -- BOT ARGS...",
    after_help = "\
Every game of the transcript is refereed from its events alone. The verdict, the side, the moves and the times must \
be the recorded ones.

Examples:
  judge run 20 3 5 --transcript game.jsonl -- ./bot
  judge replay game.jsonl                        the same report and verdict
  judge replay game.jsonl --html game.html       a page to look at
  judge replay game.jsonl --svg game.svg         a picture for a document
  judge replay game.jsonl --step                 from move to move by keys
  judge replay game.jsonl --against -- ./other   does another bot differ?

Exit codes:
  0  everything is as recorded; with --against: every line of the bot is
  1  something is not as recorded
  2  the transcript cannot be read or is damaged, a page cannot be written, the
     bot could not be started, or the judge was interrupted"
)]
pub(crate) struct ReplayArgs {
    /// The transcript, "-" for stdin
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Send the judge's recorded lines to a bot instead, and show the first line in which it differs. The bot has the
    /// limits of the recorded game, not those of judge.toml
    #[arg(long, requires = "bot", conflicts_with_all = ["json", "html", "svg", "step"])]
    pub(crate) against: bool,

    /// Only the game with this number, from 1
    #[arg(long, value_name = "K", value_parser = number_in(1..=u64::MAX))]
    pub(crate) game: Option<u64>,

    /// Write the game as one page for a browser, "-" for stdout; the report then goes to stderr. If this is a
    /// directory, each game becomes a page DIR/game-K.html
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Draw the game as one SVG for a document, a line for each move, "-" for stdout; the report then goes to stderr
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    #[command(flatten)]
    force: ForceOption,

    /// Go through the game from move to move at the terminal, with the arrow keys
    #[arg(long, conflicts_with_all = ["json", "html", "svg", "verbose"])]
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

impl Subcommand for ReplayArgs {
    fn properties(&self) -> Properties {
        if self.against { Properties::STARTS_BOTS } else { Properties::NONE }
    }

    fn run(&self, Program { settings, .. }: &Program) -> anyhow::Result<ExitCode> {
        if self.step {
            let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
            ensure!(
                is_terminal,
                "expected a terminal for --step: it reads keys; -v prints all moves at once"
            );
            ensure!(self.file != Path::new("-"), "expected a file with --step, which reads keys from stdin");
        }
        let mut games = TranscriptReader::new(open(&self.file)?);
        let mut shown = Shown::new(self)?;
        let started =
            if self.against { bot::started(&self.bot, &self.build, self.verbose, settings)? } else { None };
        let bot = started.as_ref().unwrap_or(&self.bot);
        let name = || format!("the transcript {}", self.file.display());
        let (mut count, mut same) = (0, true);
        while let Some(setup) = games.setup().with_context(name)? {
            count += 1;
            shown.report_unrepeated(setup.game.repeat)?;
            let numbered = || format!("{}, game {count}", name());
            if self.game.is_some_and(|game| game != count) {
                games.events(|_| Ok(())).with_context(numbered)?;
            } else if self.against {
                let game = RecordedGame::read(setup, &mut games).with_context(numbered)?;
                let name = refereed::name(count, game.header(), &mut games)?;
                match compare(&name, game, bot)? {
                    Some(is_same) => same &= is_same,
                    None => return Ok(ExitCode::from(2)),
                }
            } else {
                same &= shown.game(count, setup, &mut games).with_context(numbered)?;
            }
        }
        ensure!(count > 0, "{} is empty: expected the set-up of a game", name());
        if let Some(game) = self.game {
            ensure!(game <= count, "expected --game 1 to {count}, the games of {}, got {game}", name());
        }
        if !self.against {
            shown.end()?;
        }
        Ok(if same { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

fn open(path: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file =
        File::open(path).with_context(|| format!("the transcript {} cannot be opened", path.display()))?;
    Ok(Box::new(BufReader::new(file)))
}

/// How the games are shown.
struct Shown {
    reporter: Box<dyn Reporter>,
    spectator: Box<dyn Spectator>,
    pages: Option<Pages>,
    drawing: Option<Drawing>,
    /// Whether the game is stepped through, and the game.
    step: bool,
    steps: Option<GameSteps>,
    /// A game whose time is in doubt. It is reported only if it was not played again.
    doubtful: Option<FinishedGame>,
}

impl Shown {
    fn new(args: &ReplayArgs) -> anyhow::Result<Self> {
        ensure_different_files([
            ("FILE", Some(args.file.as_path())),
            ("--html", args.html.as_deref()),
            ("--svg", args.svg.as_deref()),
        ])?;
        let ForceOption { force } = args.force;
        // If the page or the picture is written to stdout, the report and the drawing are written to stderr.
        let to_stderr = [&args.html, &args.svg].iter().any(|path| path.as_deref() == Some(Path::new("-")));
        let plain =
            || -> Box<dyn Write> { if to_stderr { Box::new(io::stderr()) } else { Box::new(io::stdout()) } };
        let styled = || -> Box<dyn Write> {
            if to_stderr { Box::new(anstream::stderr()) } else { Box::new(anstream::stdout()) }
        };
        Ok(Self {
            reporter: if args.json { Box::new(Json::new(plain())) } else { Box::new(Console::new(styled())) },
            spectator: if args.verbose { Box::new(Picture::new(styled())) } else { Box::new(()) },
            pages: args.html.as_deref().map(|path| Pages::open(path, force)).transpose()?,
            drawing: args.svg.as_deref().map(|path| Drawing::open(path, force)).transpose()?,
            step: args.step,
            steps: None,
            doubtful: None,
        })
    }

    /// Referees a game again and shows it. Returns whether it is as recorded.
    fn game(
        &mut self,
        number: u64,
        setup: SetupLine,
        games: &mut TranscriptReader<impl BufRead>,
    ) -> anyhow::Result<bool> {
        let is_repeat = setup.game.repeat;
        let mut recorder = self.pages.as_ref().map(|_| ReplayRecorder::new(setup.clone())).transpose()?;
        let refereed = referee(number, setup, games, self.spectator.as_mut(), recorder.as_mut())?;
        let Refereed { start, game, is_same } = refereed;
        if let (Some(pages), Some(recorder)) = (&mut self.pages, recorder) {
            pages.add(number, is_repeat, Replay::new(recorder, game.result.wall))?;
        }
        if let Some(drawing) = &mut self.drawing {
            drawing.add(is_repeat, &start, &game)?;
        }
        if self.step {
            let is_single = self.steps.is_none() || is_repeat;
            ensure!(is_single, "expected one game with --step, got more: choose one with --game K");
            self.steps = Some(GameSteps::new(&start, &game));
        } else if game.result.doubtful {
            self.doubtful = Some(game);
        } else {
            self.reporter.game(&game)?;
        }
        Ok(is_same)
    }

    /// Reports the game whose time is in doubt, unless the next one is the same game played again.
    fn report_unrepeated(&mut self, is_repeat: bool) -> anyhow::Result<()> {
        let game = self.doubtful.take().filter(|_| !is_repeat);
        game.map_or(Ok(()), |game| self.reporter.game(&game))
    }

    /// Shows what is shown when all games are known.
    fn end(&mut self) -> anyhow::Result<()> {
        self.report_unrepeated(false)?;
        if let Some(pages) = &mut self.pages {
            pages.end()?;
        }
        if let Some(drawing) = self.drawing.take() {
            drawing.end()?;
        }
        match &mut self.steps {
            Some(steps) => steps.run(),
            None => self.reporter.summary(),
        }
    }
}

/// Plays the recorded game of this name against a bot. Returns whether its lines are the recorded ones; `None` after Ctrl-C.
fn compare(name: &str, game: RecordedGame, bot: &[OsString]) -> anyhow::Result<Option<bool>> {
    let name = printable(name);
    let mut out = anstream::stdout();
    let same = match game.replay_against(bot)? {
        Comparison::Same(lines) => {
            writeln!(out, "SAME {name}: {} of the bot as recorded", counted(lines as u64, "line"))?;
            true
        }
        Comparison::Different(difference) => {
            writeln!(out, "DIFFERENT {name}: {difference}")?;
            false
        }
        Comparison::Interrupted => {
            writeln!(out, "INTERRUPTED {name}")?;
            return Ok(None);
        }
    };
    Ok(Some(same).filter(|_| !interrupt::interrupted()))
}

/// The picture of one game. It is written when it is known that there is no other.
struct Drawing {
    output: Output,
    svg: Option<String>,
}

impl Drawing {
    /// # Errors
    ///
    /// If the path cannot be written to.
    fn open(path: &Path, force: bool) -> anyhow::Result<Self> {
        Ok(Self { output: Output::open(Some(path), SVG, force)?, svg: None })
    }

    /// Draws the game. One that was played again replaces the first time.
    ///
    /// # Errors
    ///
    /// If it cannot be drawn, or there is another game.
    fn add(&mut self, is_repeat: bool, start: &Position, game: &FinishedGame) -> anyhow::Result<()> {
        ensure!(
            self.svg.is_none() || is_repeat,
            "expected one game with --svg, got more: choose one with --game K"
        );
        self.svg = Some(game_svg(start, game)?);
        Ok(())
    }

    /// Writes the picture.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    fn end(self) -> anyhow::Result<()> {
        let Some(svg) = self.svg else { return Ok(()) };
        self.output.write(|out| out.write_all(svg.as_bytes()))
    }
}
