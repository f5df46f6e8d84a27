//! Results of runs that were divided among several judges, put together.

pub(crate) mod merge;
