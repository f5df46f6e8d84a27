//! One conversation with a judge, over any reader and writer.

use std::error::Error;
use std::fmt;
use std::io::{self, BufRead, Read, Write};
use std::process::ExitCode;

use super::protocol::{self, Header, JudgeTurn, MAX_LINE, NO_MOVE, Opening, SyntaxError};
use crate::compat::{info, warn};
use crate::grundy::{Budget, TooLarge};
use crate::{IllegalMove, Player, Position, Side, SpecError};

/// Why a conversation broke off.
///
/// ```
/// use zeroxor::wire::session::{SessionError, run};
///
/// // The bot is First, and the judge's answer to its move is missing.
/// let error = run(&b"20 3 5\n"[..], Vec::new()).unwrap_err();
/// assert!(matches!(error, SessionError::Ended { game: 1, ply: 2 }), "{error}");
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum SessionError {
    /// The input could not be read.
    Read(io::Error),
    /// The output could not be written: the judge has hung up.
    Write(io::Error),
    /// The input ended in the middle of a game.
    Ended {
        /// The game, from 1.
        game: u64,
        /// The move that was due from the judge, from 1 for the first of either side.
        ply: u64,
    },
    /// A line is not what was due.
    Malformed {
        /// The line, from 1.
        line: u64,
        /// What was expected and what came.
        error: SyntaxError,
    },
    /// A line is no header.
    Header {
        /// The line, from 1.
        line: u64,
        /// What was expected and what came.
        error: SpecError,
    },
    /// The judge's move is not legal.
    Illegal {
        /// The line, from 1.
        line: u64,
        /// The move and the rule.
        error: IllegalMove,
    },
    /// The game asks for more than the bot may use.
    TooLarge {
        /// The line, from 1.
        line: u64,
        /// The figures.
        error: TooLarge,
    },
}

impl SessionError {
    /// The exit code of a bot whose conversation ended so.
    ///
    /// ```
    /// use zeroxor::wire::session::run;
    ///
    /// let error = run(&b"20 3\n"[..], Vec::new()).unwrap_err();
    /// assert_eq!(error.to_string(), "line 1: expected three numbers \"N L R\", got nothing at column 5");
    /// assert_eq!(error.exit_code(), 2);
    /// ```
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Read(_) | Self::Write(_) | Self::Ended { .. } => 1,
            Self::Malformed { .. } | Self::Header { .. } | Self::Illegal { .. } | Self::TooLarge { .. } => 2,
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
                    "the input ended in the middle of game {game}, where the judge's move {ply} was due"
                )
            }
            Self::Malformed { line, error } => write!(f, "line {line}: {error}"),
            Self::Header { line, error } => write!(f, "line {line}: {error}"),
            Self::Illegal { line, error } => write!(f, "line {line}: expected a legal move: {error}"),
            Self::TooLarge { line, error } => write!(f, "line {line}: the game is too large: {error}"),
        }
    }
}

impl Error for SessionError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Read(error) | Self::Write(error) => Some(error),
            Self::Ended { .. } => None,
            Self::Malformed { error, .. } => Some(error),
            Self::Header { error, .. } => Some(error),
            Self::Illegal { error, .. } => Some(error),
            Self::TooLarge { error, .. } => Some(error),
        }
    }
}

/// Plays the bot's side of a conversation to its end.
///
/// # Errors
///
/// If the conversation breaks off: [`SessionError`] lists how. An input that ends where a header is due is
/// no error.
///
/// A line is at most [`MAX_LINE`] bytes; of a longer one no more is read than shows that it is. What is written
/// is flushed line by line.
///
/// ```
/// use zeroxor::wire::session::run;
///
/// // A judge that has written all of its lines before: the bot takes all of the row, and a pile is won by Second.
/// let mut output = Vec::new();
/// run(&b"games 2\n3 3 3\n0 0\nsubtract 4 take 1 2 3\n1 1\n0 0\n"[..], &mut output)?;
/// assert_eq!(String::from_utf8_lossy(&output), "First\n1 3\nSecond\n1 3\n");
/// # Ok::<(), zeroxor::wire::session::SessionError>(())
/// ```
pub fn run(input: impl BufRead, output: impl Write) -> Result<(), SessionError> {
    run_within(input, output, Budget::GAME)
}

/// As [`run`], where the tables of each game may cost this much; a limit on its time begins with each line.
pub(super) fn run_within(
    input: impl BufRead,
    output: impl Write,
    budget: Budget,
) -> Result<(), SessionError> {
    let mut session = Session { input, output, budget, line: 0, buffer: Vec::new() };
    let Some(opening) = session.read()? else { return Ok(()) };
    let opening = protocol::parse_opening(opening).map_err(|error| session.not_a_header(error))?;
    let (games, mut next) = match opening {
        Opening::Games(games) => (games, None),
        Opening::Header(header) => (1, Some(header)),
    };
    for game in 1..=games {
        let header = match next.take() {
            Some(header) => header,
            None => match session.read()?.map(protocol::parse_header) {
                Some(header) => header.map_err(|error| session.not_a_header(error))?,
                None => return Ok(()),
            },
        };
        session.play(game, &header)?;
    }
    Ok(())
}

struct Session<R, W> {
    input: R,
    output: W,
    budget: Budget,
    /// How many lines have been read.
    line: u64,
    buffer: Vec<u8>,
}

impl<R: BufRead, W: Write> Session<R, W> {
    /// One game, from its header to its end.
    fn play(&mut self, game: u64, header: &Header) -> Result<(), SessionError> {
        info!("game {game}: {header}");
        let position = Position::new(&header.game).map_err(|error| self.not_a_header(error))?;
        let mut player = Player::with_budget(position, self.budget);
        // Asked for an assigned seat too: a game that is too large is refused before it begins.
        let best = player.winning_side().map_err(|error| self.too_large(error))?;
        let side = header.side.unwrap_or(best);
        info!("{best} wins; the bot is {side}{}", if header.side.is_some() { ", as assigned" } else { "" });
        self.write(&side)?;
        if side != best {
            // While the judge makes its first move.
            player.prepare_delaying();
        }
        let mut ply = 1;
        if side == Side::First {
            self.reply(&mut player, ply)?;
            ply += 1;
        }
        loop {
            let text = self.read()?.ok_or(SessionError::Ended { game, ply })?;
            let turn = match protocol::parse_judge_turn(text) {
                // Only a move, or its lack, can have lost.
                Ok(JudgeTurn::Lost) if ply == 1 => {
                    Err(SyntaxError::new("the first move \"x y\", or \"0 0\"", text))
                }
                turn => turn,
            };
            match turn.map_err(|error| self.malformed(error))? {
                JudgeTurn::NoMove => {
                    info!("game {game}: won, the judge has no move after move {}", ply - 1);
                    return Ok(());
                }
                JudgeTurn::Lost => {
                    warn!("game {game}: lost, the judge accepts no move after move {}", ply - 1);
                    return Ok(());
                }
                JudgeTurn::Move(mv) => {
                    info!("move {ply}, the judge: {mv}");
                    let line = self.line;
                    player.opponent_played(mv).map_err(|error| SessionError::Illegal { line, error })?;
                }
            }
            self.reply(&mut player, ply + 1)?;
            ply += 2;
        }
    }

    /// Makes the bot's move, or says that it has none.
    fn reply(&mut self, player: &mut Player, ply: u64) -> Result<(), SessionError> {
        match player.best_move() {
            Some(mv) => {
                info!("move {ply}, the bot: {mv}");
                let line = self.line;
                player.play(mv).map_err(|error| SessionError::Illegal { line, error })?;
                self.write(&mv)
            }
            None => self.write(&NO_MOVE),
        }
    }

    /// The next line without its LF, `None` at the end of the input. A last line needs no LF. Of an overlong
    /// line only as much is read as shows that it is.
    fn read(&mut self) -> Result<Option<&[u8]>, SessionError> {
        self.buffer.clear();
        let mut limited = (&mut self.input).take(MAX_LINE as u64 + 2);
        if limited.read_until(b'\n', &mut self.buffer).map_err(SessionError::Read)? == 0 {
            return Ok(None);
        }
        self.line += 1;
        Ok(Some(self.buffer.strip_suffix(b"\n").unwrap_or(&self.buffer)))
    }

    fn write(&mut self, line: &dyn fmt::Display) -> Result<(), SessionError> {
        writeln!(self.output, "{line}").and_then(|()| self.output.flush()).map_err(SessionError::Write)
    }

    fn malformed(&self, error: SyntaxError) -> SessionError {
        SessionError::Malformed { line: self.line, error }
    }

    fn not_a_header(&self, error: SpecError) -> SessionError {
        SessionError::Header { line: self.line, error }
    }

    fn too_large(&self, error: TooLarge) -> SessionError {
        SessionError::TooLarge { line: self.line, error }
    }
}

/// Holds one conversation on stdin and stdout; the error that ends it is reported on stderr and by the exit code.
///
/// Unlike [`run`] it reads a clock: a first line comes within [`Budget::GAME_TIME`] of CPU time, or a refusal.
///
/// ```
/// # fn never() -> std::process::ExitCode {
/// // All of a bot's `main`.
/// zeroxor::wire::run_on_stdio()
/// # }
/// ```
pub fn run_on_stdio() -> ExitCode {
    let budget = Budget::GAME.with_cpu_limit(Budget::GAME_TIME);
    match run_within(io::stdin().lock(), io::stdout().lock(), budget) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody may be left to read it, and that is no reason to panic.
            let _ = writeln!(io::stderr(), "zeroxor: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}
