//! Harnesses of other programs: how they call a judge, and what they expect from the judge. docs/interop.md has the
//! sources.

pub(crate) mod convention;
pub(crate) mod feedback;
pub(crate) mod harness_args;
pub(crate) mod package;
