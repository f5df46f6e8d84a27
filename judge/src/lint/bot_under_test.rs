//! The bot that `judge lint` checks, with methods for the games and conversations of the checks.

use std::cell::RefCell;
use std::time::Duration;

use runner::bot_process::Process;
use runner::config::MatchConfig;
use runner::escape::{printable_bytes, shell_word};
use runner::event::{Event, Exit, StillRunning};
use runner::limits::Limits;
use runner::listener::Listener;
use runner::stderr_excerpt::shown_lines;
use runner::{Bot, TimedEvent, WaitLimits};
use zeroxor::{Move, Position, Side};

use crate::lint::bot::CHECKS;
use crate::lint::{Check, LastStep, UnderTest};
use crate::referee::game::exchange::Mover;
use crate::referee::game::game_runner::{GameRunner, GameStart};
use crate::referee::game::result::GameResult;
use crate::referee::game::review::FinishedGame;
use crate::referee::game::setup::{GameSetup, OpponentKind};
use crate::report::picture::draw;
use crate::report::transcript::SetupLine;
use crate::trials::session::BotSource;

/// The game of most checks. First wins this game by symmetry.
pub(crate) const GAME: &str = "6 1 2";

pub(crate) struct BotUnderTest {
    source: BotSource,
    config: MatchConfig,
    last: RefCell<LastStep>,
    /// The sides that the bot has chosen in the games so far.
    chosen_sides: RefCell<Vec<Side>>,
}

/// How a bot ended outside a game.
#[derive(Clone, Debug)]
pub(crate) enum Ending {
    Exited(Exit),
    /// The bot did not end by itself. The value is what the bot was doing, if that is known.
    Killed(Option<StillRunning>),
}

impl BotUnderTest {
    /// Creates the bot with this configuration. Fails if the bot cannot be started.
    pub(crate) fn new(config: MatchConfig) -> anyhow::Result<Self> {
        Ok(Self {
            source: BotSource::new("the bot", &config)?,
            config,
            last: RefCell::default(),
            chosen_sides: RefCell::default(),
        })
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.config.limits
    }

    /// Returns the command that runs only check `number`; `None` if the command is not UTF-8.
    fn lint_command(&self, number: u64) -> Option<String> {
        // `writes_all` adds the options from the settings file, and `judge lint` does not have all of them. The command
        // needs none of them: `judge lint` reads the settings file itself.
        let run = MatchConfig { writes_all: false, ..self.config.clone() }.run_command("")?;
        Some(format!("judge lint --family segment --only {number}{}", run.strip_prefix("judge run ")?))
    }

    pub(crate) fn game(&self, header: &str) -> anyhow::Result<FinishedGame> {
        Ok(self.play(&mut self.process()?, header, None, false)?.0)
    }

    /// Plays a game in which the judge's lines end with CRLF.
    pub(crate) fn game_in_crlf(&self, header: &str) -> anyhow::Result<GameResult> {
        Ok(self.play(&mut CrlfBot(self.process()?), header, None, false)?.0.result)
    }

    /// Plays two games in one conversation and returns the result of the second; `None` if the bot did not play on.
    pub(crate) fn session(&self, header: &str) -> anyhow::Result<Option<GameResult>> {
        let mut process = self.process()?;
        let (_, plays_on) = self.play(&mut process, header, Some(2), true)?;
        let second = if plays_on {
            process.begin_game();
            Some(self.play(&mut process, header, None, false)?.0.result)
        } else {
            None
        };
        let config = MatchConfig { session: true, ..self.config.clone() };
        self.last.borrow_mut().again = config.run_command(&format!("{header} --games 2"));
        Ok(second)
    }

    /// Starts a new last step, which sends `lines` to the bot, and records the command that repeats it.
    pub(crate) fn set_input(&self, lines: &[&str]) {
        // The path of a compiled source is not useful in a command, so no command is shown.
        let typed = if self.config.started.is_none() { self.config.bot.as_slice() } else { &[] };
        let words: Option<Vec<String>> = typed.iter().map(|word| shell_word(word.to_str()?).ok()).collect();
        let bot = words.filter(|words| !words.is_empty()).map(|words| words.join(" "));
        let again = bot.map(|bot| match lines {
            [] => format!("{bot} < /dev/null"),
            lines => format!("printf '%s\\n' '{}' | {bot}", lines.join("' '")),
        });
        *self.last.borrow_mut() = LastStep { again, stderr: Vec::new() };
    }

    /// Starts the bot and sends nothing yet.
    pub(crate) fn listener(&self) -> anyhow::Result<Listener> {
        Ok(Listener::new(self.process()?, self.config.limits))
    }

    /// Ends the bot's input. Returns how the bot ended, and the lines of the bot that had not been read before.
    pub(crate) fn end_input(&self, listener: Listener) -> (Ending, Vec<Vec<u8>>) {
        let (events, lines, stderr) = listener.end(self.config.limits.grace);
        self.last.borrow_mut().stderr = shown_lines(&stderr);
        let ending = events.into_iter().fold(Ending::Killed(None), |ending, event| match event {
            Event::Exited(exit) => Ending::Exited(exit),
            Event::StillRunning(running) => Ending::Killed(Some(running)),
            _ => ending,
        });
        (ending, lines)
    }

    fn process(&self) -> anyhow::Result<Process> {
        self.source.spawn()
    }

    /// Plays a game, after announcing `games` games. Returns the game and whether the bot plays on.
    fn play(
        &self,
        bot: &mut dyn Bot,
        header: &str,
        games: Option<u64>,
        may_play_on: bool,
    ) -> anyhow::Result<(FinishedGame, bool)> {
        let setup = GameSetup::new(header.parse()?, OpponentKind::Perfect, 1);
        let is_chosen = setup.header.side().is_none();
        let setup = SetupLine::new(setup, self.config.clone(), None);
        let (game, plays_on) =
            GameRunner::new(setup, bot, &mut (), &mut ())?.run(GameStart { games, may_play_on })?;
        self.chosen_sides.borrow_mut().extend(game.result.side.filter(|_| is_chosen));
        self.set_last_game(&game);
        Ok((game, plays_on))
    }

    /// Makes `game` the last step. The report of a check shows that step.
    pub(crate) fn set_last_game(&self, game: &FinishedGame) {
        let stderr = shown_lines(&game.result.stderr);
        *self.last.borrow_mut() = LastStep { again: game.setup.command(), stderr };
    }

    /// Returns the side that the bot chose in every game so far; `None` if the bot chose both sides, or has chosen in
    /// fewer than two games.
    pub(crate) fn only_side(&self) -> Option<Side> {
        let sides = self.chosen_sides.borrow();
        let (&first, others) = sides.split_first()?;
        (!others.is_empty() && others.iter().all(|&side| side == first)).then_some(first)
    }
}

impl UnderTest for BotUnderTest {
    const CHECKS: &'static [Check<Self>] = &CHECKS;

    fn name(&self) -> String {
        self.config.bot_name()
    }

    fn last_step(&self, number: u64) -> LastStep {
        let LastStep { again, stderr } = self.last.borrow().clone();
        LastStep { again: again.or_else(|| self.lint_command(number)), stderr }
    }
}

/// A bot whose input lines end with CRLF instead of LF.
struct CrlfBot(Process);

impl Bot for CrlfBot {
    fn begin_game(&mut self) {
        self.0.begin_game();
    }

    fn send(&mut self, bytes: &[u8]) {
        self.0.send(&bytes.strip_suffix(b"\n").map_or(bytes.to_vec(), |line| [line, b"\r\n"].concat()));
    }

    fn drain(&mut self) -> Vec<TimedEvent> {
        self.0.drain()
    }

    fn wait(&mut self, wait_limits: &WaitLimits) -> Vec<TimedEvent> {
        self.0.wait(wait_limits)
    }

    fn used(&mut self) -> TimedEvent {
        self.0.used()
    }

    fn end(&mut self, grace: Duration) -> Vec<TimedEvent> {
        self.0.end(grace)
    }
}

/// Maximum number of last moves to show.
const MAX_SHOWN_MOVES: usize = 4;

/// Maximum number of bytes of the bot's last line to show.
const MAX_SHOWN_BYTES: usize = 60;

/// The width of the drawn position beside a line, in characters.
const DRAWN_WIDTH: usize = 40;

/// Returns the last lines of a game, the newest last. Returns no lines if the bot printed none.
pub(crate) fn dialogue(game: &FinishedGame) -> Vec<String> {
    let (result, header) = (&game.result, &game.setup.game.header);
    if result.side.is_none() && result.last_line.is_empty() {
        return Vec::new();
    }
    let Ok(mut position) = Position::new(header.game()) else { return Vec::new() };
    let mut lines = vec![line("judge", header.text(), Some((&position, None)))];
    lines.extend(result.side.map(|side| line("bot", &side.to_string(), None)));
    let hidden = result.moves.len().saturating_sub(MAX_SHOWN_MOVES);
    if hidden > 0 {
        lines.push(format!("({hidden} moves before)"));
    }
    for (ply, &mv) in (1_u64..).zip(&result.moves) {
        if position.play(mv).is_err() {
            return lines;
        }
        if ply > hidden as u64 {
            let who = if Mover::of(ply, result.side) == Mover::Bot { "bot" } else { "judge" };
            lines.push(line(who, &mv.to_string(), Some((&position, Some(mv)))));
        }
    }
    if result.has_won {
        lines.push(line("judge", "0 0", None));
    }
    if !result.last_line.is_empty() {
        let shown = &result.last_line[..result.last_line.len().min(MAX_SHOWN_BYTES)];
        lines.push(line("bot", &printable_bytes(shown), None));
    }
    lines
}

/// Returns a line of the conversation with the position after that line.
fn line(who: &str, text: &str, position: Option<(&Position, Option<Move>)>) -> String {
    let drawing = position.map_or_else(String::new, |(position, mv)| draw(position, mv, DRAWN_WIDTH));
    format!("{:<6} {text:<12}  {drawing}", format!("{who}>")).trim_end().to_owned()
}
