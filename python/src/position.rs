//! The class `Position`.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use zeroxor::rules::Shape;
use zeroxor::{Analysis, GameSpec, Move, Outcome, Solver};

use crate::call::{Number, compute, value_error};
use crate::picture;

/// Maximum number of moves in a list.
const MAX_MOVES: usize = 1_000_000;

type PyMove = (u64, u64);

fn py_move(Move { place, take }: Move) -> PyMove {
    (place, take)
}

/// A position of a game or of a sum of games, in the words of a header: Position("segment 20 3 5 + nim 3"), or in
/// misère play Position("misere nim 3 5 7").
///
/// A position does not change: `play` returns a new position. Ctrl-C ends a long computation, and other threads run
/// meanwhile. Errors of the library raise `ValueError`.
#[pyclass(frozen, module = "zeroxor")]
pub(crate) struct Position {
    position: zeroxor::Position,
    /// The solver with the tables of the game. `None` before the first computation. All positions of one game share it.
    solver: Arc<Mutex<Option<Solver>>>,
}

impl Position {
    /// Asks the solver about the position.
    fn solve<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&mut Solver, &zeroxor::Position) -> Result<T, String> + Send,
    ) -> PyResult<T> {
        compute(py, |budget| {
            let mut solver = self.solver.lock().unwrap_or_else(PoisonError::into_inner);
            ask(solver.get_or_insert_with(|| Solver::with_budget(budget)), &self.position)
        })
    }
}

fn too_many_moves(count: impl std::fmt::Display) -> String {
    format!("expected a position with at most {MAX_MOVES} moves to list, got one with {count}")
}

#[pymethods]
impl Position {
    #[new]
    fn new(game: &str) -> PyResult<Self> {
        let spec: GameSpec = game.parse().map_err(value_error)?;
        let position = zeroxor::Position::new(&spec).map_err(value_error)?;
        Ok(Self { position, solver: Arc::default() })
    }

    /// Return for each heap its rules, its first place, and its size. A heap of euclid has two sizes.
    fn heaps<'py>(&self, py: Python<'py>) -> PyResult<Vec<(String, u64, Bound<'py, PyTuple>)>> {
        let heaps = self.position.heaps().map(|placed| {
            let sizes = [placed.heap.size, placed.heap.second];
            let sizes = if placed.rules.shape() == Shape::Pair { &sizes[..] } else { &sizes[..1] };
            Ok((placed.rules.words(), placed.place, PyTuple::new(py, sizes)?))
        });
        heaps.collect()
    }

    /// Return the legal moves, if there are at most a million.
    fn legal_moves(&self) -> PyResult<Vec<PyMove>> {
        let count = self.position.move_count();
        if count > MAX_MOVES as u128 {
            return Err(value_error(too_many_moves(count)));
        }
        Ok(self.position.moves().map(py_move).collect())
    }

    /// Return whether there is no legal move, so that the player to move has lost, or has won in misère play.
    fn is_over(&self) -> bool {
        self.position.is_over()
    }

    /// Return the position after a move: the place of the first card or of the pile, from 1, and the number taken.
    fn play(&self, r#move: (Number, Number)) -> PyResult<Self> {
        let (Number(place), Number(take)) = r#move;
        let mut position = self.position.clone();
        position.play(Move { place, take }).map_err(value_error)?;
        Ok(Self { position, solver: Arc::clone(&self.solver) })
    }

    /// Return who wins: "N", the player to move (next), or "P", the other player (previous).
    fn outcome(&self, py: Python<'_>) -> PyResult<&'static str> {
        let outcome =
            self.solve(py, |solver, position| solver.outcome(position).map_err(|e| e.to_string()))?;
        Ok(match outcome {
            Outcome::N => "N",
            Outcome::P => "P",
        })
    }

    /// Return whether the player who makes the last move loses.
    fn is_misere(&self) -> bool {
        self.position.is_misere()
    }

    /// Return the nimber (Grundy value). Raises `ValueError` in misère play, because nimbers do not tell who wins
    /// there.
    fn nimber(&self, py: Python<'_>) -> PyResult<u64> {
        if self.position.is_misere() {
            return Err(value_error(
                "expected normal play, got misère play, in which nimbers do not tell who wins",
            ));
        }
        let nimber = self.solve(py, |solver, position| solver.nimber(position).map_err(|e| e.to_string()))?;
        Ok(nimber.0)
    }

    /// Return the winning moves, if there are at most a million. In normal play the nimber after each of them is 0.
    fn winning_moves(&self, py: Python<'_>) -> PyResult<Vec<PyMove>> {
        let moves = self.solve(py, |solver, position| {
            let analysis = Analysis::of(position, solver, MAX_MOVES + 1).map_err(|e| e.to_string())?;
            let (moves, total) = (analysis.winning_moves, analysis.winning_moves_total);
            let is_complete = analysis.winning_moves_are_first || total == Some(moves.len() as u128);
            match total {
                Some(total) if total > MAX_MOVES as u128 => {
                    Err(too_many_moves(format_args!("{total} winning moves")))
                }
                _ if moves.len() > MAX_MOVES => Err(too_many_moves("more winning moves")),
                _ if !is_complete => {
                    Err("finding all winning moves takes too long; best_move() finds one".to_owned())
                }
                _ => Ok(moves),
            }
        })?;
        Ok(moves.into_iter().map(py_move).collect())
    }

    /// Return a winning move, or else the move that makes the win hardest to find.
    fn best_move(&self, py: Python<'_>) -> PyResult<PyMove> {
        let mv = self.solve(py, |solver, position| solver.best_move(position).map_err(|e| e.to_string()))?;
        mv.map(py_move).ok_or_else(|| value_error("expected a position with a legal move, got one without"))
    }

    fn __str__(&self) -> String {
        self.position.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Position {}>", self.position)
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        picture::svg(&self.position).map_err(value_error)
    }
}
