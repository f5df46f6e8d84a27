//! The part of the Python package `zeroxor` that is written in Rust. `package/zeroxor/__init__.py` has the rest.

// Python reads the documentation of the classes and functions in `package/zeroxor/_native.pyi`.
#![allow(missing_docs, reason = "only the Python package uses it")]

mod call;
mod picture;
mod position;
mod tables;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use super::position::Position;
    #[pymodule_export]
    use super::tables::{nimbers, period};
}
