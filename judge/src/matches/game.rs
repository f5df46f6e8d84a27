//! One game: the referee between a bot and an opponent.

use std::time::{Duration, Instant};

use anyhow::Context;
use zeroxor::wire::protocol::{Header, LOST, NO_MOVE};
use zeroxor::{Move, Position, Side};

use crate::matches::opponent::{Opponent, OpponentInPlay};
use crate::process::interrupt::interrupted;
use crate::process::stop;
use crate::process::{Bot, TimedEvent, WaitLimits};
use crate::referee::conversation::{Due, Foul};
use crate::referee::event::{Bytes, Event, Failure, RecordedEvent, Usage};
use crate::referee::game_state::{GameState, Timing};
use crate::referee::limits::{EARLY_LIMIT, Limits};
use crate::referee::review::turn;
use crate::referee::transcript::{Closing, Log, Opening};
use crate::referee::verdict::{Ending, Profile, Verdict};

/// Who made a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mover {
    Bot,
    Judge,
}

/// Looks on while a game is played.
pub(crate) trait Spectator {
    /// The table before the first move.
    fn start(&mut self, _table: &Position) -> anyhow::Result<()> {
        Ok(())
    }

    /// A legal move.
    fn moved(&mut self, _ply: u64, _mover: Mover, _mv: Move) -> anyhow::Result<()> {
        Ok(())
    }
}

/// Nobody looks on.
impl Spectator for () {}

/// What there is to say of a game when it is over.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) side: Option<Side>,
    pub(crate) verdict: Verdict,
    pub(crate) reason: String,
    /// The moves of both sides.
    pub(crate) moves: Vec<Move>,
    /// From the first line to the end of the process.
    pub(crate) wall: Duration,
    pub(crate) timing: Timing,
    pub(crate) used: Usage,
    /// The last of what the bot wrote to stderr.
    pub(crate) stderr: Vec<u8>,
}

impl Outcome {
    /// What a state has come to, after that time.
    pub(crate) fn of(state: &GameState, wall: Duration) -> Self {
        let (verdict, reason) = state.verdict();
        Self {
            side: state.side(),
            verdict,
            reason,
            moves: state.moves().to_vec(),
            wall,
            timing: state.timing(),
            used: state.used(),
            stderr: state.stderr(),
        }
    }
}

/// A game about to be played.
pub(crate) struct Game<'a> {
    /// The lines that open the game: the header in the words that the bot is sent, and before it those that
    /// open the conversation.
    pub(crate) opening: &'a [String],
    pub(crate) header: &'a Header,
    pub(crate) opponent: Opponent,
    pub(crate) limits: Limits,
    pub(crate) profile: Profile,
    /// Whether more games follow with the same process.
    pub(crate) goes_on: bool,
}

impl Game<'_> {
    /// Plays the game to its end and keeps all of it in the log; whether the bot is left to play on.
    ///
    /// # Errors
    ///
    /// As [`Self::play`].
    pub(crate) fn play_recorded(
        self,
        bot: &mut dyn Bot,
        spectator: &mut dyn Spectator,
        opening: &Opening,
        log: &mut dyn Log,
    ) -> anyhow::Result<(Outcome, bool)> {
        log.begin(opening)?;
        let (outcome, goes_on) = self.play(bot, spectator, log)?;
        log.end(&Closing::from(&outcome)).context("the transcript cannot be written")?;
        Ok((outcome, goes_on))
    }

    /// Plays the game to its end; whether the bot is left to play on.
    ///
    /// # Errors
    ///
    /// If the header sets up no game, the spectator fails, or the transcript cannot be written.
    pub(crate) fn play(
        self,
        bot: &mut dyn Bot,
        spectator: &mut dyn Spectator,
        log: &mut dyn Log,
    ) -> anyhow::Result<(Outcome, bool)> {
        let state = GameState::new(self.header, self.limits, self.profile)?;
        spectator.start(state.table())?;
        let start = Instant::now();
        let opponent = self.opponent.begin(state.table());
        let mut stage = Stage { state, start, bot, opponent, spectator, log };
        for line in self.opening {
            stage.tell(line)?;
        }
        stage.converse(self.limits)?;
        let goes_on = stage.conclude(self.limits.grace, self.goes_on)?;
        Ok((Outcome::of(&stage.state, stage.start.elapsed()), goes_on))
    }
}

/// A game in play and everybody who has a part in it.
struct Stage<'a> {
    state: GameState,
    start: Instant,
    bot: &'a mut dyn Bot,
    opponent: OpponentInPlay,
    spectator: &'a mut dyn Spectator,
    log: &'a mut dyn Log,
}

impl Stage<'_> {
    /// Records what has happened: the only way into the state, and so into the verdict.
    fn record(&mut self, heard: TimedEvent) -> anyhow::Result<()> {
        let entry = RecordedEvent { at: heard.at.saturating_duration_since(self.start), event: heard.event };
        self.log.write(&entry).context("the transcript cannot be written")?;
        let plies = self.state.moves().len();
        self.state.apply(&entry);
        for (ply, &mv) in (plies as u64 + 1..).zip(&self.state.moves()[plies..]) {
            let bots = self.state.side() == Some(turn(ply));
            if bots {
                self.opponent.bot_played(mv)?;
            }
            self.spectator.moved(ply, if bots { Mover::Bot } else { Mover::Judge }, mv)?;
        }
        Ok(())
    }

    fn record_all(&mut self, heard: Vec<TimedEvent>) -> anyhow::Result<()> {
        heard.into_iter().try_for_each(|heard| self.record(heard))
    }

    /// Records what has come by now, so that the order of the record is that of the lines, and sends one.
    fn tell(&mut self, line: &str) -> anyhow::Result<()> {
        // A flood stays in the pipe.
        if self.state.early() < EARLY_LIMIT {
            let early = self.bot.drain();
            self.record_all(early)?;
        }
        let line = format!("{line}\n");
        // From here on: the bot may read it before the judge runs again.
        let at = Instant::now();
        self.bot.send(line.as_bytes());
        self.record(TimedEvent { at, event: Event::Sent(Bytes(line.into_bytes())) })
    }

    fn converse(&mut self, limits: Limits) -> anyhow::Result<()> {
        while self.state.ending().is_none() {
            if interrupted() {
                self.record(TimedEvent::now(Event::Interrupted))?;
            } else if self.state.referee().due() == Due::OpponentMove {
                match self.opponent.play() {
                    Ok(Some(mv)) => self.tell(&mv.to_string())?,
                    Ok(None) => self.last_word(NO_MOVE)?,
                    Err(error) => {
                        let why = format!("the opponent cannot play on: {error}");
                        self.record(TimedEvent::now(Event::Failed(Failure { why })))?;
                    }
                }
            } else {
                let wall = self.state.wall_left(self.start.elapsed());
                let Limits { idle, cpu, memory, processes, .. } = limits;
                let heard = self.bot.wait(&WaitLimits { wall, idle, cpu, memory, processes });
                self.record_all(heard)?;
            }
        }
        Ok(())
    }

    /// Records that the judge itself was stopped, if it was.
    fn note_stop(&mut self) -> anyhow::Result<()> {
        if stop::was_stopped() { self.record(TimedEvent::now(Event::Stopped)) } else { Ok(()) }
    }

    /// What the bot has used, as long as it is surely there, and the line that ends the game.
    fn last_word(&mut self, line: &str) -> anyhow::Result<()> {
        let used = self.bot.used();
        self.record(used)?;
        self.tell(line)
    }

    /// The end of the bot, unless it can and shall play on.
    fn conclude(&mut self, grace: Duration, goes_on: bool) -> anyhow::Result<bool> {
        if !matches!(self.state.ending(), Some(Ending::Won)) {
            self.last_word(LOST)?;
        }
        self.note_stop()?;
        if goes_on && self.is_in_step() {
            return Ok(true);
        }
        let grace = if self.is_stuck() { Duration::ZERO } else { grace };
        let last = self.bot.end(grace);
        self.record_all(last)?;
        self.note_stop()?;
        Ok(false)
    }

    /// Whether the bot knows as well as the judge that the game is over and how.
    fn is_in_step(&self) -> bool {
        let ending = self.state.ending();
        let fair = matches!(
            ending,
            Some(Ending::Won | Ending::Foul { foul: Foul::Lost | Foul::Resigned(_) | Foul::Illegal(_), .. })
        );
        fair && !self.state.has_extra()
    }

    /// Whether there is no point in waiting for the bot to end.
    fn is_stuck(&self) -> bool {
        !matches!(
            self.state.ending(),
            Some(Ending::Won | Ending::Foul { .. } | Ending::Gone { .. } | Ending::JudgeError(_))
        )
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use zeroxor::wire::protocol;

    use super::*;
    use crate::matches::opponent::Kind;
    use crate::referee::event::{Exit, Limit, LimitReport};
    use crate::referee::limits::DEFAULT_LIMITS;

    /// A bot that says what is written down, and takes a tenth of a second for each line.
    struct Scripted {
        lines: VecDeque<&'static str>,
        heard: Vec<u8>,
        now: Instant,
    }

    impl Scripted {
        fn event(&self, event: Event) -> TimedEvent {
            TimedEvent { at: self.now, event }
        }
    }

    impl Bot for Scripted {
        fn begin_game(&mut self) {}

        fn send(&mut self, bytes: &[u8]) {
            self.heard.extend(bytes);
        }

        fn drain(&mut self) -> Vec<TimedEvent> {
            Vec::new()
        }

        fn wait(&mut self, _patience: &WaitLimits) -> Vec<TimedEvent> {
            self.now += Duration::from_millis(100);
            let event = match self.lines.pop_front() {
                Some("late") => Event::Limit(LimitReport {
                    limit: Limit::Wall,
                    used: Usage::default(),
                    sleeping: false,
                    stopped: false,
                    quiet: Duration::ZERO,
                    channel: None,
                    unread: 0,
                    unfinished: Bytes::default(),
                }),
                Some(line) => Event::Received(Bytes(format!("{line}\n").into_bytes())),
                None => Event::Exited(Exit::Code(0)),
            };
            vec![self.event(event)]
        }

        fn used(&mut self) -> TimedEvent {
            self.event(Event::Used(Usage::default()))
        }

        fn end(&mut self, _grace: Duration) -> Vec<TimedEvent> {
            vec![self.event(Event::Exited(Exit::Code(0)))]
        }
    }

    fn play(header: &str, lines: &[&'static str], goes_on: bool) -> (Outcome, String, bool) {
        let mut bot =
            Scripted { lines: lines.iter().copied().collect(), heard: Vec::new(), now: Instant::now() };
        let parsed = protocol::parse_header(header.as_bytes()).unwrap();
        let opponent = Opponent::new(Kind::Slow, 1, &Vec::new());
        let game = Game {
            opening: &[header.to_owned()],
            header: &parsed,
            opponent,
            limits: DEFAULT_LIMITS,
            profile: Profile::Strict,
            goes_on,
        };
        let (outcome, goes_on) = game.play(&mut bot, &mut (), &mut ()).unwrap();
        (outcome, String::from_utf8(bot.heard).unwrap(), goes_on)
    }

    #[test]
    fn a_game_from_the_header_to_the_last_word() {
        let (outcome, heard, goes_on) = play("6 1 2", &["First", "3 2", "5 1", "6 1"], false);
        assert_eq!(
            (outcome.verdict, outcome.moves.len(), outcome.side, goes_on),
            (Verdict::Won, 5, Some(Side::First), false)
        );
        assert_eq!(heard, "6 1 2\n1 1\n2 1\n0 0\n");
        let (outcome, heard, _) = play("6 1 2", &["First", "3 3"], false);
        assert_eq!((outcome.verdict, outcome.moves.len()), (Verdict::Illegal, 0));
        assert_eq!(heard, "6 1 2\n-1 -1\n");
    }

    #[test]
    fn a_bot_that_is_late_or_gone() {
        let (outcome, _, _) = play("6 1 2", &["First", "3 2", "late"], false);
        assert_eq!((outcome.verdict, outcome.moves.len()), (Verdict::TimeWall, 2));
        let (outcome, _, _) = play("6 1 2", &["First", "3 2"], false);
        assert_eq!((outcome.verdict, outcome.moves.len()), (Verdict::ExitedEarly, 2));
    }

    /// A bot plays on after a game that it knows to be over, and only then.
    #[test]
    fn a_session_goes_on_in_step() {
        assert!(play("6 1 2", &["First", "3 2", "5 1", "6 1"], true).2);
        assert!(play("6 1 2", &["First", "3 3"], true).2, "it is told that its move was not legal");
        assert!(play("6 1 2", &["First", "0 0"], true).2);
        assert!(!play("6 1 2", &["First", "three"], true).2, "who knows what it means by that");
        assert!(!play("6 1 2", &["First", "late"], true).2);
        assert!(!play("6 1 2", &["First"], true).2);
    }
}
