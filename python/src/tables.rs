//! The functions `nimbers` and `period`.

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use theory::{Certificate, RowGame, Rows};
use zeroxor::grundy::segment::Window;
use zeroxor::grundy::{ValueKind, table};
use zeroxor::rules::Heap;
use zeroxor::{GameSpec, MAX_SIZE, Nimber, SpecError};

use crate::call::{Number, compute, value_error};

/// Number of nimbers that are copied between two checks for signals.
const GROUP: usize = 1 << 12;

/// Returns the nimbers of the heaps from `start` up to but not including `stop`, each as eight bytes.
#[pyfunction]
pub(crate) fn nimbers<'py>(
    py: Python<'py>,
    rules: &str,
    start: Number,
    stop: Number,
) -> PyResult<Bound<'py, PyByteArray>> {
    let (Number(start), Number(stop)) = (start, stop);
    let game = GameSpec::of_rules(rules).map_err(value_error)?;
    if matches!(game, GameSpec::Euclid { .. }) {
        return Err(value_error(SpecError::new(
            "a game whose heaps have one size".to_owned(),
            "euclid".to_owned(),
        )));
    }
    let Some(largest) = stop.checked_sub(1).filter(|&largest| largest >= start) else {
        return Ok(PyByteArray::new(py, &[]));
    };
    if largest > MAX_SIZE {
        let expected = format!("heaps of at most {MAX_SIZE}");
        return Err(value_error(SpecError::new(expected, largest.to_string())));
    }
    let bytes = usize::try_from((stop - start) * size_of::<u64>() as u64).map_err(PyMemoryError::new_err)?;
    let values = compute(py, |mut budget| {
        table(&game, Heap::of(largest), ValueKind::Nimber, &mut budget, &mut |_| ())
    })?;
    PyByteArray::new_with(py, bytes, |bytes| {
        let mut nimbers = vec![Nimber::ZERO; GROUP];
        for (from, group) in (start..).step_by(GROUP).zip(bytes.chunks_mut(GROUP * size_of::<u64>())) {
            let nimbers = &mut nimbers[..group.len() / size_of::<u64>()];
            py.detach(|| {
                values.fill(from, nimbers);
                for (bytes, nimber) in group.chunks_exact_mut(size_of::<u64>()).zip(nimbers) {
                    bytes.copy_from_slice(&nimber.0.to_ne_bytes());
                }
            });
            py.check_signals()?;
        }
        Ok(())
    })
}

/// Returns the certificate of the period that the nimbers of heaps up to `to` prove, as JSON.
#[pyfunction]
pub(crate) fn period(py: Python<'_>, rules: &str, to: Number) -> PyResult<Option<String>> {
    let Number(to) = to;
    let game = match GameSpec::of_rules(rules).map_err(value_error)? {
        GameSpec::Segment { l, r, .. } => Window::new(l, r).map(RowGame::Window),
        GameSpec::Octal { code, .. } => Some(RowGame::Code(code)),
        _ => None,
    };
    let expected = || "the rules \"segment L R\" or \"octal CODE\"".to_owned();
    let game = game.ok_or_else(|| value_error(SpecError::new(expected(), format!("{rules:?}"))))?;
    if to > MAX_SIZE {
        let expected = format!("heaps of at most {MAX_SIZE}");
        return Err(value_error(SpecError::new(expected, to.to_string())));
    }
    let certificate = compute(py, |mut budget| {
        Rows::within(game, to, true, &mut budget, &mut |_| ()).map(|rows| Certificate::of(&rows))
    })?;
    certificate.map(|certificate| serde_json::to_string(&certificate).map_err(value_error)).transpose()
}
