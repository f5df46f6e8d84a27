//! Runs that are divided among several judges, on one machine or on many: which part each of them does, what each
//! result says of its run, how results are merged, and the scripts that start the judges.

pub(crate) mod job_script;
pub(crate) mod label;
pub(crate) mod merge;
pub(crate) mod shard;
pub(crate) mod task;

/// The exit code of a run that has not reached its end, and that the same command continues: `EX_TEMPFAIL` of
/// sysexits.h.
pub(crate) const UNFINISHED: u8 = 75;
