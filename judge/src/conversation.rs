//! One game: the referee between a bot and an opponent.

use std::time::{Duration, Instant};

use zeroxor::protocol::{Header, LOST, NO_MOVE};
use zeroxor::{Move, Side, Table};

use crate::player::opponent::Opponent;
use crate::player::{Bot, Silence};
use crate::referee::{Due, Referee, Refusal};
use crate::verdict::{self, Ending, Profile, Verdict};

/// How long a bot may take to end after the game.
const GRACE: Duration = Duration::from_secs(1);

/// Who made a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mover {
    Bot,
    Judge,
}

/// Looks on while a game is played.
pub(crate) trait Spectator {
    /// The table before the first move.
    fn start(&mut self, _table: &Table) -> anyhow::Result<()> {
        Ok(())
    }

    /// The table after a move.
    fn moved(&mut self, _ply: u64, _mover: Mover, _mv: Move, _table: &Table) -> anyhow::Result<()> {
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
    /// The last of what the bot wrote to stderr.
    pub(crate) stderr: Vec<u8>,
}

/// A game about to be played.
pub(crate) struct Game<'a> {
    /// The header in the words that the bot is sent.
    pub(crate) words: &'a str,
    pub(crate) header: &'a Header,
    pub(crate) opponent: Opponent,
    /// How long the judge waits for the bot, all its moves together.
    pub(crate) time_limit: Duration,
    pub(crate) profile: Profile,
}

impl Game<'_> {
    /// Plays the game to its end.
    ///
    /// # Errors
    ///
    /// If the header sets up no game, or the spectator fails.
    pub(crate) fn play(
        mut self,
        bot: &mut dyn Bot,
        spectator: &mut dyn Spectator,
    ) -> anyhow::Result<Outcome> {
        let start = Instant::now();
        let mut referee = Referee::new(self.header)?;
        spectator.start(referee.table())?;
        bot.say(self.words);
        let ending = self.converse(bot, &mut referee, spectator)?;
        bot.say(if matches!(ending, Ending::Won) { NO_MOVE } else { LOST });
        let goodbye = bot.end(if is_stuck(&ending) { Duration::ZERO } else { GRACE });
        let (verdict, reason) = verdict::judge(&ending, &goodbye, self.profile);
        Ok(Outcome {
            side: referee.side(),
            verdict,
            reason,
            moves: referee.into_moves(),
            wall: start.elapsed(),
            stderr: goodbye.stderr,
        })
    }

    fn converse(
        &mut self,
        bot: &mut dyn Bot,
        referee: &mut Referee,
        spectator: &mut dyn Spectator,
    ) -> anyhow::Result<Ending> {
        let mut budget = self.time_limit;
        loop {
            let (due, ply) = (referee.due(), referee.plies() + 1);
            let (mover, mv) = if due == Due::OpponentMove {
                let mv = match self.opponent.choose(referee.table()) {
                    Ok(Some(mv)) => mv,
                    Ok(None) => return Ok(Ending::Won),
                    Err(error) => {
                        return Ok(Ending::JudgeError(format!("the opponent cannot play on: {error}")));
                    }
                };
                match referee.play(mv) {
                    Ok(()) => {}
                    Err(Refusal::Illegal(error)) => {
                        return Ok(Ending::JudgeError(format!("the opponent's move {ply}: {error}")));
                    }
                    Err(Refusal::Disputed(mv)) => return Ok(Ending::JudgeError(verdict::disputed(mv))),
                }
                bot.say(&mv.to_string());
                (Mover::Judge, mv)
            } else {
                let line = match bot.line(&mut budget) {
                    Ok(line) => line,
                    Err(silence) => return Ok(Ending::Silent { silence, due, ply, limit: self.time_limit }),
                };
                let heard = match due {
                    Due::Side => referee.hear_side(&line).map(|_| None),
                    _ => referee.hear_move(&line).map(Some),
                };
                match heard {
                    Ok(Some(mv)) => (Mover::Bot, mv),
                    Ok(None) => continue,
                    Err(foul) => return Ok(Ending::Foul { foul, due, ply }),
                }
            };
            spectator.moved(ply, mover, mv, referee.table())?;
        }
    }
}

/// Whether there is no point in waiting for the bot to end.
fn is_stuck(ending: &Ending) -> bool {
    matches!(ending, Ending::Silent { silence, .. } if !matches!(silence, Silence::Gone))
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use zeroxor::protocol;

    use super::*;
    use crate::player::Goodbye;
    use crate::player::idleness::Idleness;
    use crate::player::opponent::Kind;

    /// A bot that says what is written down, and takes a second for each line.
    struct Scripted {
        lines: VecDeque<&'static str>,
        heard: Vec<String>,
    }

    impl Bot for Scripted {
        fn say(&mut self, line: &str) {
            self.heard.push(line.to_owned());
        }

        fn line(&mut self, budget: &mut Duration) -> Result<Vec<u8>, Silence> {
            *budget = budget
                .checked_sub(Duration::from_secs(1))
                .ok_or_else(|| Silence::TimedOut(Box::new(busy())))?;
            self.lines.pop_front().map(|line| line.as_bytes().to_vec()).ok_or(Silence::Gone)
        }

        fn end(&mut self, _grace: Duration) -> Goodbye {
            Goodbye { status: Some(std::process::ExitStatus::default()), ..Goodbye::default() }
        }
    }

    /// A bot of which the system tells nothing.
    fn busy() -> Idleness {
        Idleness {
            process: None,
            sent: 6,
            last_sent: "6 1 2".to_owned(),
            unread: 0,
            received: 0,
            last_received: Vec::new(),
            unfinished: Vec::new(),
        }
    }

    fn play(header: &str, lines: &[&'static str], seconds: u64) -> (Outcome, Vec<String>) {
        let mut bot = Scripted { lines: lines.iter().copied().collect(), heard: Vec::new() };
        let parsed = protocol::parse_header(header.as_bytes()).unwrap();
        let opponent = Opponent::new(Kind::Slow, 1);
        let game = Game {
            words: header,
            header: &parsed,
            opponent,
            time_limit: Duration::from_secs(seconds),
            profile: Profile::Strict,
        };
        let outcome = game.play(&mut bot, &mut ()).unwrap();
        (outcome, bot.heard)
    }

    #[test]
    fn a_game_from_the_header_to_the_last_word() {
        let (outcome, heard) = play("6 1 2", &["First", "3 2", "5 1", "6 1"], 10);
        assert_eq!(
            (outcome.verdict, outcome.moves.len(), outcome.side),
            (Verdict::Won, 5, Some(Side::First))
        );
        assert_eq!(heard, ["6 1 2", "1 1", "2 1", "0 0"]);
        let (outcome, heard) = play("6 1 2", &["First", "3 3"], 10);
        assert_eq!((outcome.verdict, outcome.moves.len()), (Verdict::Illegal, 0));
        assert_eq!(heard, ["6 1 2", "-1 -1"]);
    }

    /// Four lines of a second each: no line alone takes long, all together do.
    #[test]
    fn the_time_limit_is_for_all_moves_together() {
        let lines = ["First", "3 2", "5 1", "6 1"];
        assert_eq!(play("6 1 2", &lines, 4).0.verdict, Verdict::Won);
        let (outcome, _) = play("6 1 2", &lines, 3);
        assert_eq!((outcome.verdict, outcome.moves.len()), (Verdict::TimeWall, 4));
    }

    #[test]
    fn a_bot_that_is_gone() {
        let (outcome, _) = play("6 1 2", &["First", "3 2"], 10);
        assert_eq!((outcome.verdict, outcome.moves.len()), (Verdict::ExitedEarly, 2));
    }
}
