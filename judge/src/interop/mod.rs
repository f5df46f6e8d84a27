//! Harnesses of other programs: how they call a judge, and what they expect from it. The sources are in
//! docs/commands.md.

pub(crate) mod convention;
pub(crate) mod feedback;
