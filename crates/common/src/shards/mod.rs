//! Runs that are divided among several processes, on one machine or on many: which part each of them does, and what each
//! result says of its run.

pub mod job_script;
pub mod label;
pub mod options;
pub mod shard;
pub mod task;

/// The exit code of a run that has not reached its end, and that the same command continues: `EX_TEMPFAIL` of
/// sysexits.h.
pub const UNFINISHED: u8 = 75;
