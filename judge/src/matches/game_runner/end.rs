//! The end of a game: its bot and its opponent are told, and a bot that does not play on is ended.

use std::time::{Duration, Instant};

use zeroxor::wire::protocol::LOST;

use super::GameRunner;
use referee::decide::is_waiting_for_input;
use referee::end_cause::EndCause;
use referee::result::GameResult;
use runner::delay::count_stops;
use runner::event::Event;
use runner::{TimedEvent, WaitLimits};

/// How long a bot that waits for input is given to answer `-1 -1`, before its input ends.
const LAST_WORDS_TIME: Duration = Duration::from_millis(500);

impl GameRunner<'_> {
    /// Whether the game ended because one side has no move left.
    pub(super) fn is_played_out(&self) -> bool {
        matches!(self.state.end_cause(), Some(EndCause::Won | EndCause::Lost))
    }

    /// Records whether a signal stopped the judge itself.
    fn record_stop(&mut self) -> anyhow::Result<()> {
        let stops = count_stops();
        if std::mem::replace(&mut self.stops, stops) == stops {
            return Ok(());
        }
        self.record(TimedEvent::now(Event::Stopped))
    }

    /// Sends the line that ends the game. What the bot has used is recorded before, while it cannot have exited.
    pub(super) fn send_last(&mut self, line: &str) -> anyhow::Result<()> {
        let used = self.bot.used();
        self.record(used)?;
        self.send(line)
    }

    /// Lets a bot that waits for input read `-1 -1`, and records that its input ends then: what it prints before and
    /// after that shows why it waits.
    fn end_input(&mut self) -> anyhow::Result<()> {
        let no_limit = Duration::MAX;
        let deadline = Instant::now() + LAST_WORDS_TIME.min(self.state.limits().grace);
        loop {
            let wall = deadline.saturating_duration_since(Instant::now());
            let limits =
                WaitLimits { wall, idle: no_limit, cpu: no_limit, memory: u64::MAX, processes: u64::MAX };
            let mut events = self.bot.wait(&limits);
            // A bot that fails at "-1 -1" often writes to stderr before its buffer is flushed. That the judge was delayed
            // says nothing of the bot.
            let is_no_answer = |event: &Event| {
                matches!(event, Event::Stderr(_) | Event::StderrOmitted(_) | Event::Delayed(_))
            };
            let has_answered = events.iter().any(|timed| !is_no_answer(&timed.event));
            events.retain(|timed| !matches!(timed.event, Event::Limit(_)));
            self.record_all(events)?;
            if has_answered || wall.is_zero() {
                break;
            }
        }
        self.record(TimedEvent::now(Event::InputEnded))
    }

    /// Tells the bot, and an opponent that has won, that the game is over.
    pub(super) fn tell_end(&mut self) -> anyhow::Result<()> {
        match self.state.end_cause() {
            Some(EndCause::Won) => Ok(()),
            Some(EndCause::Lost) => {
                self.opponent.bot_has_no_move()?;
                self.send_last(LOST)
            }
            _ => self.send_last(LOST),
        }
    }

    /// Ends the bot, unless it plays on, and tells an opponent whose game was ended early; the result, and whether the
    /// bot plays on.
    pub(super) fn end(&mut self) -> anyhow::Result<(GameResult, bool)> {
        if let Some(ended) = self.ended.take() {
            return Ok(ended);
        }
        let plays_on = self.end_bot()?;
        let result = GameResult::new(&self.state, &self.setup.game, &self.setup.config, self.start.elapsed());
        if !self.is_played_out() {
            self.opponent.bot_forfeited(result.verdict)?;
        }
        Ok((result, plays_on))
    }

    /// Ends the bot, unless it plays on; whether it does.
    fn end_bot(&mut self) -> anyhow::Result<bool> {
        self.record_stop()?;
        let is_known = self.state.end_cause().is_some_and(EndCause::is_known_to_bot);
        if self.may_play_on && is_known && !self.state.has_extra() {
            return Ok(true);
        }
        let is_waiting = is_waiting_for_input(&self.state);
        if is_waiting {
            self.end_input()?;
        }
        let may_end = is_waiting || self.state.end_cause().is_some_and(EndCause::lets_bot_end);
        let grace = if may_end { self.state.limits().grace } else { Duration::ZERO };
        let last = self.bot.end(grace);
        self.record_all(last)?;
        self.record_stop()?;
        Ok(false)
    }
}
