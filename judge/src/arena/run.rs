//! The workers of a run, which play the games of a plan, several at a time. The judge referees each side of a game as a
//! separate game in which the other bot is the opponent, so each bot has its own clocks, limits and verdict.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use runner::OneProcessor;
use runner::event::{Bytes, Event, Exit, TimedEvent};
use runner::interrupt::interrupted;
use runner::limits::Limits;
use zeroxor::wire::protocol::{self, JudgeTurn, NO_MOVE};
use zeroxor::{Position, Side};

use crate::arena::entrant::{Entrant, EntrantProgram};
use crate::arena::plan::{Plan, PlannedGame};
use crate::arena::record::{GameRecord, SeatRecord, is_clean};
use crate::config::MatchConfig;
use crate::conversation::interaction::Interaction;
use crate::in_order::in_order;
use crate::referee::game::bot::Bot;
use crate::referee::game::game_runner::{GameRunner, GameStart};
use crate::referee::game::opponent::{BuiltIn, Opponent, PlayerTurn};
use crate::referee::game::review::FinishedGame;
use crate::referee::game::setup::{GameHeader, GameSetup, OpponentKind};
use crate::report::transcript::{SetupLine, TranscriptWriter};
use crate::trials::parallel::{ExclusiveRerun, PlayedGame};
use crate::trials::session::BotSession;

#[derive(Clone, Debug)]
pub(crate) struct TranscriptFolder {
    path: PathBuf,
    keeps_clean: bool,
}

impl TranscriptFolder {
    /// Creates the directory. A new run needs an empty one, so that no transcripts of two runs mix.
    pub(crate) fn create(path: &Path, keeps_clean: bool, is_new_run: bool) -> anyhow::Result<Self> {
        let name = path.display();
        fs::create_dir_all(path).with_context(|| format!("the directory {name} cannot be created"))?;
        let mut files = fs::read_dir(path).with_context(|| format!("the directory {name} cannot be read"))?;
        ensure!(
            !is_new_run || files.next().is_none(),
            "the directory {name} is not empty: a new run needs a new or empty directory for its transcripts"
        );
        Ok(Self { path: path.to_owned(), keeps_clean })
    }

    /// Writes the transcript of a side of game `index`, if it is wanted. If that fails, no part of the file stays, so that
    /// the same command can continue the run.
    fn add(&self, index: u64, seat: &SeatRecord, side: &PlayedGame) -> anyhow::Result<()> {
        if !self.keeps_clean && is_clean(seat.verdict) {
            return Ok(());
        }
        let path = self.path.join(format!("{index:07}-{}.jsonl", seat.bot));
        let written = side.write(&mut TranscriptWriter::new(&path));
        written.inspect_err(|_| drop(fs::remove_file(&path)))
    }
}

/// A game of the plan, and what First and Second saw of it if transcripts are wanted.
type RecordedGame = (GameRecord, Option<[PlayedGame; 2]>);

/// Plays the games of a plan with these numbers, `jobs` games at the same time. In the order of the numbers, writes the
/// transcripts of each game and passes its record to `show`, until that returns `false`. Fails if a bot cannot be started,
/// a game cannot be refereed, a transcript cannot be written, or `show` fails. Ctrl-C ends the run without an error.
pub(crate) fn run(
    plan: &Plan,
    numbers: impl Iterator<Item = u64> + Send,
    jobs: u16,
    transcripts: Option<&TranscriptFolder>,
    mut show: impl FnMut(GameRecord) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let rerun = ExclusiveRerun::default();
    let bots = || plan.entrants.iter().map(|_| None).collect();
    let has_transcripts = transcripts.is_some();
    let worker = || Ok(ArenaWorker { plan, has_transcripts, rerun: &rerun, bots: bots() });
    in_order(jobs.into(), numbers, worker, ArenaWorker::play, |game: Option<RecordedGame>| {
        let Some((record, sides)) = game else { return Ok(true) };
        if let (Some(folder), Some(sides)) = (transcripts, sides) {
            for (seat, side) in [&record.first, &record.second].into_iter().zip(&sides) {
                folder.add(record.index, seat, side)?;
            }
        }
        show(record)
    })
}

struct ArenaWorker<'a> {
    plan: &'a Plan,
    has_transcripts: bool,
    rerun: &'a ExclusiveRerun,
    /// The bots of the plan, from their first games on.
    bots: Vec<Option<WorkerBot>>,
}

impl ArenaWorker<'_> {
    /// Plays a game; returns `None` if Ctrl-C ended it. If the game has no result, or the judge cannot know whether a
    /// bot kept to its limits, plays the game again while no other game runs, and the second result counts.
    fn play(&mut self, index: u64) -> anyhow::Result<Option<RecordedGame>> {
        let planned = self.plan.game(index)?;
        let rerun = self.rerun;
        let play = |repeat| {
            let (seats, sides) = self.play_once(&planned, repeat)?;
            let reasons = seats.each_ref().map(|seat| format!("{}: {}", seat.bot, seat.reason));
            let record = GameRecord::new(&self.plan.run, index, &planned, seats);
            let record =
                record.with_context(|| format!("game {index} could not be refereed: {}", reasons.join("; ")));
            Ok(record.map(|record| (record, sides)))
        };
        let is_doubtful = |(game, _): &RecordedGame| game.first.doubtful || game.second.doubtful;
        let game = rerun.play(play, |game| game.as_ref().map_or(true, is_doubtful))?;
        if interrupted() { Ok(game.ok()) } else { game.map(Some) }
    }

    fn play_once(
        &mut self,
        planned: &PlannedGame,
        repeat: bool,
    ) -> anyhow::Result<([SeatRecord; 2], Option<[PlayedGame; 2]>)> {
        let setups = [Side::First, Side::Second].map(|side| {
            let header = GameHeader::new(planned.start.clone(), Some(side));
            GameSetup { repeat, ..GameSetup::new(header, OpponentKind::Bot, planned.seed) }
        });
        for seat in planned.seats {
            if self.bots[seat].is_none() {
                self.bots[seat] = Some(WorkerBot::new(&self.plan.entrants[seat], &self.plan.configs[seat])?);
            }
        }
        let _processor = OneProcessor::choose(self.bots.iter().flatten().any(WorkerBot::plays_on));
        let Ok([Some(first), Some(second)]) = self.bots.get_disjoint_mut(planned.seats) else {
            bail!("a bot cannot play itself")
        };
        let kept = if self.has_transcripts { usize::MAX } else { 0 };
        let mut records = [(); 2].map(|()| Interaction::of_game(kept));
        let games =
            play_game([first, second], setups, &mut records).context("the game could not be played")?;
        let names = planned.seats.map(|seat| &self.plan.entrants[seat].name);
        let seats = [0, 1].map(|at| SeatRecord::new(names[at].clone(), &games[at]));
        let ([first, second], [first_record, second_record]) = (games, records);
        let side = |game, record| PlayedGame { game, record };
        let sides = [side(first, first_record), side(second, second_record)];
        // Many games may wait for an earlier one, so keep nothing that nobody needs.
        Ok((seats, self.has_transcripts.then_some(sides)))
    }
}

/// Plays a game between two bots, First and Second, each with its set-up and its log. Returns the game of each.
fn play_game(
    [first, second]: [&mut WorkerBot; 2],
    [first_setup, second_setup]: [GameSetup; 2],
    [first_log, second_log]: &mut [Interaction; 2],
) -> anyhow::Result<[FinishedGame; 2]> {
    // Start both bots at the same time.
    first.begin_start()?;
    second.begin_start()?;
    let (of_first, of_second) = (Turns::default(), Turns::default());
    let [(first_game, first_plays_on), (second_game, second_plays_on)] = {
        let peer = Box::new(Peer { own: &of_first, other: &of_second });
        let (setup, bot, start) = first.begin_game(first_setup)?;
        let mut first = GameRunner::against(setup, bot, peer, first_log)?;
        let peer = Box::new(Peer { own: &of_second, other: &of_first });
        let (setup, bot, second_start) = second.begin_game(second_setup)?;
        let mut second = GameRunner::against(setup, bot, peer, second_log)?;
        // Begin the second side and read its first line before the first side begins, so that the judge reads each
        // bot's line without delay.
        second.begin(second_start)?;
        second.advance()?;
        first.begin(start)?;
        while [first.advance()?, second.advance()?] != [true; 2] {
            let has_turn = !of_first.borrow().is_empty() || !of_second.borrow().is_empty();
            ensure!(has_turn, "each side of the game waits for the other");
        }
        [first.finish()?, second.finish()?]
    };
    first.end_game(first_plays_on);
    second.end_game(second_plays_on);
    Ok([first_game, second_game])
}

/// The turns of a bot that have not been sent to its opponent yet.
type Turns = RefCell<VecDeque<PlayerTurn>>;

/// The opponent of a bot: the bot on the other side of the game.
struct Peer<'a> {
    /// The turns of the bot, which the `Peer` of its opponent takes.
    own: &'a Turns,
    other: &'a Turns,
}

impl Opponent for Peer<'_> {
    fn bot_played(&mut self, turn: PlayerTurn) -> anyhow::Result<()> {
        self.own.borrow_mut().push_back(turn);
        Ok(())
    }

    fn play(&mut self) -> anyhow::Result<Option<PlayerTurn>> {
        Ok(self.other.borrow_mut().pop_front())
    }
}

/// A bot of a worker: a program or a built-in opponent that plays one game after the other.
enum WorkerBot {
    Program(Box<BotSession>),
    BuiltIn { kind: OpponentKind, config: Box<MatchConfig>, bot: Option<Box<BuiltInBot>> },
}

impl WorkerBot {
    fn new(entrant: &Entrant, config: &MatchConfig) -> anyhow::Result<Self> {
        if let EntrantProgram::BuiltIn(kind) = entrant.program {
            return Ok(Self::BuiltIn { kind, config: Box::new(config.clone()), bot: None });
        }
        // The number of games is not known, so the session has `u64::MAX` games. A bot that waits for a further header
        // exits when its input ends.
        let session = BotSession::new(&format!("the bot {}", entrant.name), config.clone(), u64::MAX)?;
        Ok(Self::Program(Box::new(session)))
    }

    /// Tells the bot's warden to start it for the next game, and does not wait for the start.
    fn begin_start(&self) -> anyhow::Result<()> {
        match self {
            Self::Program(session) => session.begin_start(),
            Self::BuiltIn { .. } => Ok(()),
        }
    }

    /// Checks whether a process of the bot waits for its next game.
    fn plays_on(&self) -> bool {
        matches!(self, Self::Program(session) if session.is_running())
    }

    fn begin_game(&mut self, setup: GameSetup) -> anyhow::Result<(SetupLine, &mut dyn Bot, GameStart)> {
        Ok(match self {
            Self::Program(session) => {
                let (setup, process, start) = session.begin_game(setup)?;
                (setup, process, start)
            }
            Self::BuiltIn { kind, config, bot } => {
                let bot = bot.insert(Box::new(BuiltInBot::new(*kind, &setup)?)).as_mut();
                (SetupLine::new(setup, config.as_ref().clone(), None), bot, GameStart::default())
            }
        })
    }

    fn end_game(&mut self, plays_on: bool) {
        if let Self::Program(session) = self {
            session.end_game(plays_on);
        }
    }
}

/// A built-in opponent that plays one game as a bot with an assigned seat.
struct BuiltInBot {
    player: BuiltIn,
    side: Side,
    lines: VecDeque<String>,
}

impl BuiltInBot {
    fn new(kind: OpponentKind, setup: &GameSetup) -> anyhow::Result<Self> {
        let start = Position::new(setup.header.game())?;
        let player = BuiltIn::new(&start, kind, setup.seed, &setup.line);
        let side = setup.header.side().unwrap_or(Side::First);
        Ok(Self { player, side, lines: VecDeque::from([side.to_string()]) })
    }

    fn answer(&mut self, line: &[u8]) -> anyhow::Result<()> {
        match protocol::parse_judge_turn(line) {
            Ok(JudgeTurn::Move(mv)) => self.player.bot_played(PlayerTurn::Move(mv))?,
            // The header.
            Err(_) if self.side == Side::First => {}
            _ => return Ok(()),
        }
        self.lines.push_back(match self.player.play()? {
            Some(PlayerTurn::Move(mv)) => mv.to_string(),
            _ => NO_MOVE.to_owned(),
        });
        Ok(())
    }
}

impl Bot for BuiltInBot {
    fn send(&mut self, bytes: &[u8]) {
        if let Err(error) = self.answer(bytes.trim_ascii_end()) {
            // Answer with the error as a line. The line is not a move, so it ends the game, and the result quotes it as
            // the reason.
            self.lines.push_back(format!("{error:#}"));
        }
    }

    fn wait(&mut self, _limits: &Limits) -> Vec<TimedEvent> {
        let event = match self.lines.pop_front() {
            Some(line) => Event::Received(Bytes(format!("{line}\n").into_bytes())),
            None => Event::Failed { why: "the built-in opponent did not answer".to_owned() },
        };
        vec![TimedEvent::now(event)]
    }

    fn end(&mut self, _grace: Duration) -> Vec<TimedEvent> {
        vec![TimedEvent::now(Event::Exited(Exit::Code(0)))]
    }
}
