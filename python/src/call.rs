//! Calls from Python: numbers, errors, and computations that Ctrl-C ends.

use std::cell::RefCell;
use std::fmt::Display;

use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use zeroxor::grundy::Budget;

/// The budget of a computation: 4 GiB, and steps for about eleven days. Ctrl-C can end a computation at any time.
const BUDGET: Budget = Budget::new(1_000_000_000_000_000, 4 << 30).stopping_if(is_interrupted);

thread_local! {
    /// The exception of a signal that came during this thread's computation.
    static INTERRUPT: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Lets Python handle its signals, and returns whether a signal raised an exception, as Ctrl-C does.
fn is_interrupted() -> bool {
    if INTERRUPT.with_borrow(Option::is_some) {
        return true;
    }
    // The cell is not borrowed here, because a handler may call this module again.
    #[expect(clippy::redundant_closure_for_method_calls, reason = "the method is not general enough")]
    let Err(error) = Python::attach(|py| py.check_signals()) else { return false };
    INTERRUPT.set(Some(error));
    true
}

/// Runs a computation without holding the lock of the Python interpreter, so that other threads run meanwhile.
///
/// # Errors
///
/// `ValueError` with the message of the computation's error, or the exception that a signal handler raised.
pub(crate) fn compute<T: Send, E: Display + Send>(
    py: Python<'_>,
    work: impl FnOnce(Budget) -> Result<T, E> + Send,
) -> PyResult<T> {
    let result = py.detach(|| work(BUDGET));
    match INTERRUPT.take() {
        Some(error) => Err(error),
        None => result.map_err(value_error),
    }
}

/// Returns a `ValueError` with the message of an error of the library.
pub(crate) fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// An argument of Python that must be an integer from 0 to 2^64 - 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number(pub(crate) u64);

impl FromPyObject<'_, '_> for Number {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        object.extract().map(Self).map_err(|error| {
            if error.is_instance_of::<PyOverflowError>(object.py()) {
                value_error(format_args!("expected a number from 0 to {}, got {}", u64::MAX, *object))
            } else {
                error
            }
        })
    }
}
