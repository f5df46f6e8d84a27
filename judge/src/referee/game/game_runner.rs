//! The runner of one game between a bot and an opponent.

use std::time::{Duration, Instant};

use runner::event::{Bytes, Event, TimedEvent};
use runner::interrupt::interrupted;
use runner::limits::{EARLY_LIMIT, Limits};
use zeroxor::Position;
use zeroxor::wire::protocol::{LOST, NO_MOVE};

use crate::conversation::decide::Referee;
use crate::conversation::facts::End;
use crate::conversation::interaction::Step;
use crate::referee::game::bot::Bot;
use crate::referee::game::exchange::{EndCause, Exchange, ExpectedLine, Mover};
use crate::referee::game::game_state::GameState;
use crate::referee::game::opponent::{BuiltIn, Opponent, PlayerTurn};
use crate::referee::game::review::FinishedGame;
use crate::referee::game::setup::GameSetup;
use crate::report::transcript::{GameLog, LogEntry, SetupLine};

/// Maximum time in which a bot that waits for input may answer `-1 -1`. After that time, its input ends.
const LAST_ANSWER_TIME: Duration = Duration::from_millis(500);

/// The bot's place in a session when a game starts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GameStart {
    /// The number of games to announce with `games T`, if this game is the first of a conversation.
    pub(crate) games: Option<u64>,
    pub(crate) may_play_on: bool,
}

pub(crate) struct GameRunner<'a> {
    state: GameState,
    start: Instant,
    may_play_on: bool,
    pub(crate) line_end: &'static str,
    is_informed: bool,
    /// Whether the bot plays on, and when this was known: the time since the start.
    ended: Option<(bool, Duration)>,
    bot: &'a mut dyn Bot,
    opponent: Box<dyn Opponent + 'a>,
    log: &'a mut dyn GameLog,
}

impl<'a> GameRunner<'a> {
    pub(crate) fn new(
        setup: SetupLine,
        bot: &'a mut dyn Bot,
        log: &'a mut dyn GameLog,
    ) -> anyhow::Result<Self> {
        let GameSetup { header, opponent, seed, line, repeat: _ } = &setup.game;
        let opponent = BuiltIn::new(&Position::new(header.game())?, *opponent, *seed, line);
        Self::against(setup, bot, Box::new(opponent), log)
    }

    pub(crate) fn against(
        setup: SetupLine,
        bot: &'a mut dyn Bot,
        opponent: Box<dyn Opponent + 'a>,
        log: &'a mut dyn GameLog,
    ) -> anyhow::Result<Self> {
        Ok(Self {
            state: GameState::new(setup)?,
            start: Instant::now(),
            may_play_on: false,
            line_end: "\n",
            is_informed: false,
            ended: None,
            bot,
            opponent,
            log,
        })
    }

    /// Plays the game to its end and writes its events to the log. Returns the finished game and whether the bot plays
    /// on. A bot plays on only if `may_play_on` is true and the bot knows that the game is over.
    pub(crate) fn run(mut self, start: GameStart) -> anyhow::Result<(FinishedGame, bool)> {
        self.begin(start)?;
        while !self.advance()? {}
        self.finish()
    }

    /// Sends the bot the header of the game, after `games T` in the first game of a conversation.
    pub(crate) fn begin(&mut self, GameStart { games, may_play_on }: GameStart) -> anyhow::Result<()> {
        self.may_play_on = may_play_on;
        self.log.log(LogEntry::Setup(&self.state.setup))?;
        self.start = Instant::now();
        if let Some(games) = games {
            self.send(&format!("games {games}"))?;
        }
        self.send(&self.state.setup.game.header.to_string())
    }

    /// Continues the game until it waits for the opponent's move, or until the bot has been informed of the end. Also
    /// informs an opponent that cannot see the end from the moves. Returns whether the game is over.
    pub(crate) fn advance(&mut self) -> anyhow::Result<bool> {
        if self.is_informed {
            return Ok(true);
        }
        if !self.exchange_lines()? {
            return Ok(false);
        }
        self.announce_end()?;
        self.is_informed = true;
        if !self.is_played_out() {
            // End the bot now: the opponent must learn the verdict, which depends on how the bot ends.
            self.end()?;
            self.opponent.bot_played(PlayerTurn::Forfeit(self.state.ruling().verdict))?;
        }
        Ok(true)
    }

    /// Returns the finished game and whether the bot plays on. Ends a bot that does not play on.
    pub(crate) fn finish(mut self) -> anyhow::Result<(FinishedGame, bool)> {
        let (plays_on, wall) = self.end()?;
        let game = FinishedGame::new(self.state, wall)?;
        self.log.log(LogEntry::End(&game))?;
        Ok((game, plays_on))
    }

    /// Writes an event to the log and applies it to `state`. No other function changes `state`.
    fn record(&mut self, TimedEvent { at, event }: TimedEvent) -> anyhow::Result<()> {
        let event = Step::of_game(at.saturating_duration_since(self.start), event);
        self.log.log(LogEntry::Step(&event))?;
        let plies = self.state.exchange.moves.len();
        self.state.apply(&event);
        let Exchange { moves, side, .. } = &self.state.exchange;
        for (ply, &mv) in (plies as u64 + 1..).zip(&moves[plies..]) {
            let mover = Mover::of(ply, *side);
            if mover == Mover::Bot {
                self.opponent.bot_played(PlayerTurn::Move(mv))?;
            }
            self.log.log(LogEntry::Moved(ply, mover, mv))?;
        }
        Ok(())
    }

    fn record_all(&mut self, events: Vec<TimedEvent>) -> anyhow::Result<()> {
        events.into_iter().try_for_each(|event| self.record(event))
    }

    /// Sends a line. First records the lines that the bot has already printed, to keep the order of the lines.
    fn send(&mut self, line: &str) -> anyhow::Result<()> {
        // After `EARLY_LIMIT` early lines, further lines stay in the pipe.
        if self.state.early_lines.len() < EARLY_LIMIT {
            let early = self.bot.drain();
            self.record_all(early)?;
        }
        // Take the time before sending the line: the bot may read the line before the judge runs again.
        let at = Instant::now();
        self.bot.send(format!("{line}{}", self.line_end).as_bytes());
        self.record(TimedEvent { at, event: Event::Sent(Bytes(format!("{line}\n").into_bytes())) })
    }

    /// Exchanges lines with the bot. Returns true when the game has ended, false when it waits for the opponent's move.
    fn exchange_lines(&mut self) -> anyhow::Result<bool> {
        while self.state.end.is_none() {
            if interrupted() {
                self.record(TimedEvent::now(Event::Interrupted))?;
            } else if self.state.turn().expected == ExpectedLine::OpponentMove {
                match self.opponent.play() {
                    Ok(Some(PlayerTurn::Move(mv))) => self.send(&mv.to_string())?,
                    Ok(Some(PlayerTurn::NoMove)) => self.send_last(NO_MOVE)?,
                    Ok(Some(PlayerTurn::Forfeit(verdict))) => {
                        self.record(TimedEvent::now(Event::Forfeited { verdict: verdict.to_string() }))?;
                        self.send_last(NO_MOVE)?;
                    }
                    Ok(None) => return Ok(false),
                    Err(error) => {
                        let why = format!("the opponent cannot play: {error}");
                        self.record(TimedEvent::now(Event::Failed { why }))?;
                    }
                }
            } else {
                let wall = self.state.wall_left(self.start.elapsed());
                let events = self.bot.wait(&Limits { wall, ..*self.state.limits() });
                self.record_all(events)?;
            }
        }
        Ok(true)
    }

    fn is_played_out(&self) -> bool {
        matches!(self.state.end, Some(EndCause::Won | EndCause::Lost))
    }

    /// Sends the line that ends the game. First records the bot's usage, because the bot may exit after that line.
    fn send_last(&mut self, line: &str) -> anyhow::Result<()> {
        let used = self.bot.used();
        self.record(used)?;
        self.send(line)
    }

    /// Lets a bot that waits for input read `-1 -1`, and then records `Event::InputEnded`. The bot's output before and
    /// after that event shows why the bot waits.
    fn end_input(&mut self) -> anyhow::Result<()> {
        let (no_limit, grace) = (Duration::MAX, self.state.limits().grace);
        let deadline = Instant::now() + LAST_ANSWER_TIME.min(grace);
        loop {
            let wall = deadline.saturating_duration_since(Instant::now());
            let (idle, cpu, memory, processes) = (no_limit, no_limit, u64::MAX, u64::MAX);
            let mut events = self.bot.wait(&Limits { wall, idle, cpu, memory, processes, grace });
            // A bot that fails at "-1 -1" often writes to stderr before its buffer is flushed.
            let is_no_answer = |event: &Event| matches!(event, Event::Stderr(_) | Event::StderrOmitted(_));
            let has_answered = events.is_empty() || events.iter().any(|timed| !is_no_answer(&timed.event));
            events.retain(|timed| !matches!(timed.event, Event::Limit(_)));
            self.record_all(events)?;
            if has_answered || wall.is_zero() {
                break;
            }
        }
        self.record(TimedEvent::now(Event::InputEnded))
    }

    /// Informs the bot that the game is over, unless the bot knows it from the last `0 0`. Also informs an opponent
    /// that cannot see the end from the moves.
    fn announce_end(&mut self) -> anyhow::Result<()> {
        let is_opponents_turn = self.state.turn().expected == ExpectedLine::OpponentMove;
        match self.state.end {
            // The bot has read `0 0`.
            Some(EndCause::Won | EndCause::Lost) if is_opponents_turn => Ok(()),
            // The bot has won by its own `0 0`, and may exit at once.
            Some(EndCause::Won) => {
                self.opponent.bot_played(PlayerTurn::NoMove)?;
                let used = self.bot.used();
                self.record(used)
            }
            Some(EndCause::Lost) => {
                self.opponent.bot_played(PlayerTurn::NoMove)?;
                self.send_last(LOST)
            }
            _ => self.send_last(LOST),
        }
    }

    /// Ends the bot unless it plays on. Returns whether the bot plays on, and when this was known.
    fn end(&mut self) -> anyhow::Result<(bool, Duration)> {
        if let Some(ended) = self.ended {
            return Ok(ended);
        }
        let is_known = self.state.end.as_ref().is_some_and(EndCause::is_known_to_bot);
        let plays_on = self.may_play_on && is_known && self.state.extra.is_empty();
        if !plays_on {
            let is_waiting = self.state.is_bot_waiting();
            if is_waiting {
                self.end_input()?;
            }
            // Such a bot may exit by itself.
            let may_end = is_waiting
                || is_known
                || matches!(
                    self.state.end,
                    Some(EndCause::Malformed(_) | EndCause::Missing(End::Bot | End::Failed(_)))
                );
            let grace = if may_end { self.state.limits().grace } else { Duration::ZERO };
            let last = self.bot.end(grace);
            self.record_all(last)?;
        }
        Ok(*self.ended.insert((plays_on, self.start.elapsed())))
    }
}
