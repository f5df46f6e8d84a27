//! The bot's side of a conversation, over any reader and writer.

use std::error::Error;
use std::fmt;
use std::io::{self, BufRead, Read, Write};
use std::process::ExitCode;

use super::protocol::{self, Header, JudgeTurn, NO_MOVE, Opening, malformed};
use crate::core::MAX_CARDS;
use crate::core::protocol::{PlayError, play, read_line};
use crate::core::row::Row;
use crate::grundy::TooLarge;
use crate::{IllegalMove, Player, Position, Side, Solver, SpecError};
use log::{Level, info, log_enabled, warn};

/// The error that ended a conversation.
#[derive(Debug)]
#[non_exhaustive]
pub enum SessionError {
    /// The input could not be read.
    Read(io::Error),
    /// The output could not be written, for example because the judge has closed the pipe.
    Write(io::Error),
    /// The input ended in the middle of a game.
    Ended {
        /// The index of the game, from 1.
        game: u64,
        /// The index of the expected move of the judge, from 1, among the moves of both sides.
        ply: u64,
    },
    /// A line is not a valid header, or does not have the expected form.
    Malformed {
        /// The line number, from 1.
        line: u64,
        /// The expected form and the received line.
        error: SpecError,
    },
    /// The judge's move is not legal.
    Illegal {
        /// The line number, from 1.
        line: u64,
        /// The move and the rule that it breaks.
        error: IllegalMove,
    },
    /// The game is too large to be solved.
    TooLarge {
        /// The line number, from 1.
        line: u64,
        /// What is too large, and the limit.
        error: TooLarge,
    },
    /// A game of the contest, played by [`core`](crate::core), broke off.
    Contest(PlayError),
}

impl SessionError {
    /// Returns the exit code of the bot: 1 if the conversation broke off, 2 if a line was refused.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Read(_) | Self::Write(_) | Self::Ended { .. } => 1,
            Self::Malformed { .. } | Self::Illegal { .. } | Self::TooLarge { .. } => 2,
            Self::Contest(error) => error.exit_code(),
        }
    }
}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(f, "the input could not be read: {error}"),
            Self::Write(error) => write!(f, "the output could not be written: {error}"),
            Self::Ended { game, ply } => {
                write!(
                    f,
                    "the input ended in the middle of game {game}, before move {ply}, which the judge makes"
                )
            }
            Self::Malformed { line, error } => write!(f, "line {line}: {error}"),
            Self::Illegal { line, error } => write!(f, "line {line}: expected a legal move: {error}"),
            Self::TooLarge { line, error } => write!(f, "line {line}: the game is too large: {error}"),
            Self::Contest(error) => error.fmt(f),
        }
    }
}

impl Error for SessionError {}

/// Plays the bot's side of a conversation to its end. Each line of the output is flushed. A line of the input may have
/// at most [`MAX_LINE`](protocol::MAX_LINE) bytes. The costs of all games count together, see docs/limits.md.
///
/// # Errors
///
/// If the conversation breaks off or a line is refused, see [`SessionError`]. An input that ends before a header is no
/// error.
///
/// ```
/// use zeroxor::wire::session::run;
///
/// // All lines of the judge, written in advance. The bot takes the whole row, and then wins the pile as Second.
/// let mut output = Vec::new();
/// run(&b"games 2\n3 3 3\n0 0\nsubtract 4 take 1 2 3\n1 1\n0 0\n"[..], &mut output)?;
/// assert_eq!(String::from_utf8_lossy(&output), "First\n1 3\nSecond\n1 3\n");
/// # Ok::<(), zeroxor::wire::session::SessionError>(())
/// ```
pub fn run(input: impl BufRead, output: impl Write) -> Result<(), SessionError> {
    let mut session = Session { input, output, solver: Solver::for_several_games(), line: 0 };
    let Some(opening) = session.read()? else { return Ok(()) };
    let opening = protocol::parse_opening(&opening).map_err(|error| session.malformed(error))?;
    let games = match opening {
        Opening::Games(games) => games,
        Opening::Header(header) => return session.play(1, &header),
    };
    for game in 1..=games {
        let Some(line) = session.read()? else { break };
        let header = protocol::parse_header(&line).map_err(|error| session.malformed(error))?;
        session.play(game, &header)?;
    }
    Ok(())
}

struct Session<R, W> {
    input: R,
    output: W,
    /// The solver of the next game: the games share its tables and its limit.
    solver: Solver,
    /// The number of lines read.
    line: u64,
}

impl<R: BufRead, W: Write> Session<R, W> {
    fn play(&mut self, game: u64, header: &Header) -> Result<(), SessionError> {
        info!("game {game}: {header}");
        let position = Position::new(&header.game).map_err(|error| self.malformed(error))?;
        let mut player = Player::with_solver(position, std::mem::take(&mut self.solver));
        let end = self.converse(game, header, &mut player);
        self.solver = player.solver;
        end
    }

    fn converse(&mut self, game: u64, header: &Header, player: &mut Player) -> Result<(), SessionError> {
        // Computed for an assigned side too, so that a game that is too large is refused before it begins.
        let best = player.winning_side();
        let best = best.map_err(|error| SessionError::TooLarge { line: self.line, error })?;
        let side = header.side.unwrap_or(best);
        info!("{best} wins; the bot is {side}{}", if header.side.is_some() { ", as assigned" } else { "" });
        self.write(&side)?;
        let (mut ply, mut is_bots_turn, mut is_over) = (1, side == Side::First, false);
        while !is_over {
            is_over =
                if is_bots_turn { self.reply(player, ply)? } else { self.read_turn(game, player, ply)? };
            (ply, is_bots_turn) = (ply + 1, !is_bots_turn);
        }
        Ok(())
    }

    /// Reads and makes the judge's move. Returns whether the game has ended.
    fn read_turn(&mut self, game: u64, player: &mut Player, ply: u64) -> Result<bool, SessionError> {
        let text = self.read()?.ok_or(SessionError::Ended { game, ply })?;
        let (line, before) = (self.line, ply - 1);
        let turn = match protocol::parse_judge_turn(&text) {
            // The bot cannot have lost before its first move.
            Ok(JudgeTurn::Lost) if ply == 1 => Err(malformed("the first move \"x y\", or \"0 0\"", &text)),
            turn => turn,
        };
        match turn.map_err(|error| self.malformed(error))? {
            JudgeTurn::NoMove if player.position().is_misere() && player.position().is_over() => {
                warn!("game {game}: lost, the judge has no move after move {before} of misère play");
            }
            JudgeTurn::NoMove => info!("game {game}: won, the judge has no move after move {before}"),
            JudgeTurn::Lost => warn!("game {game}: lost, the judge sent \"-1 -1\" after move {before}"),
            JudgeTurn::Move(mv) => {
                info!("move {ply}, the judge: {mv}");
                player.opponent_played(mv).map_err(|error| SessionError::Illegal { line, error })?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Makes the bot's move and writes it, or writes that the bot has none. Returns whether the game has ended: in misère
    /// play the judge does not answer a bot that has no move.
    fn reply(&mut self, player: &mut Player, ply: u64) -> Result<bool, SessionError> {
        let Some(mv) = player.best_move() else {
            self.write(&NO_MOVE)?;
            let is_won = player.position().is_misere();
            if is_won {
                info!("won, the bot has no move after move {} of misère play", ply - 1);
            }
            return Ok(is_won);
        };
        info!("move {ply}, the bot: {mv}");
        let line = self.line;
        player.play(mv).map_err(|error| SessionError::Illegal { line, error })?;
        self.write(&mv)?;
        Ok(false)
    }

    fn read(&mut self) -> Result<Option<Vec<u8>>, SessionError> {
        let line = read_line(&mut self.input).map_err(SessionError::Read)?;
        self.line += u64::from(line.is_some());
        Ok(line)
    }

    fn write(&mut self, line: &dyn fmt::Display) -> Result<(), SessionError> {
        writeln!(self.output, "{line}").and_then(|()| self.output.flush()).map_err(SessionError::Write)
    }

    fn malformed(&self, error: SpecError) -> SessionError {
        SessionError::Malformed { line: self.line, error }
    }
}

/// Plays a conversation that has only a game of the contest by [`core`](crate::core), and any other as [`run`] does.
/// The core has no log, so a conversation that is logged is played by the session too.
fn run_with_core(mut input: impl BufRead, output: impl Write) -> Result<(), SessionError> {
    let Some(mut first) = read_line(&mut input).map_err(SessionError::Read)? else { return Ok(()) };
    if let Some(row) = contest_row(&first).filter(|_| !log_enabled!(Level::Info)) {
        return play(row, input, output).map_err(SessionError::Contest);
    }
    first.push(b'\n');
    run(first.chain(input), output)
}

/// Returns the row of a first line `N L R` without a seat, with N up to [`MAX_CARDS`].
fn contest_row(first: &[u8]) -> Option<Row> {
    let Ok(Opening::Header(Header { game, side: None })) = protocol::parse_opening(first) else {
        return None;
    };
    let [n, l, r] = game.row()?.map(|cards| usize::try_from(cards).unwrap_or(usize::MAX));
    Row::new(n, l, r).filter(|_| n <= MAX_CARDS)
}

/// Plays one conversation on stdin and stdout. An error is written to stderr and determines the exit code.
pub fn run_on_stdio() -> ExitCode {
    match run_with_core(io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Ignore a closed pipe.
            let _ = writeln!(io::stderr(), "zeroxor: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}
