//! The part of the Python package `zeroxor` that is written in Rust. `package/zeroxor/__init__.py` has the rest.

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
