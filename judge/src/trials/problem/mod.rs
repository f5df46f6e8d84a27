//! The runs of a problem: its inputs, its package, its submissions and their limits.

pub(crate) mod constants;
pub(crate) mod found;
pub(crate) mod grading;
pub(crate) mod inputs;
pub(crate) mod limits;
pub(crate) mod package;
pub(crate) mod polygon;
pub(crate) mod run;
pub(crate) mod run_files;
pub(crate) mod submissions;
pub(crate) mod table;
pub(crate) mod test;
pub(crate) mod tool;
pub(crate) mod yaml;
