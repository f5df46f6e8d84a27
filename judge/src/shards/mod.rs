//! Runs that are divided among several judges, on one machine or on many: which part each of them does.

pub(crate) mod shard;
pub(crate) mod task;
