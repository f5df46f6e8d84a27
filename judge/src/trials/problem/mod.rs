//! The runs of a problem: its inputs, its package, its submissions and their limits.

pub(crate) mod archive;
pub(crate) mod constants;
pub(crate) mod dmoj;
pub(crate) mod expected;
pub(crate) mod format;
pub(crate) mod found;
pub(crate) mod grading;
pub(crate) mod hydro;
pub(crate) mod icpc;
pub(crate) mod inputs;
pub(crate) mod interact_bench;
pub(crate) mod limits;
pub(crate) mod package;
pub(crate) mod polygon;
pub(crate) mod rbx;
pub(crate) mod run;
pub(crate) mod run_files;
pub(crate) mod submissions;
pub(crate) mod table;
pub(crate) mod tool;
pub(crate) mod trial;
pub(crate) mod yaml;
