//! Other people's harnesses: how they call a judge, and what they want to hear from it. docs/interop.md has
//! the sources.

pub(crate) mod bundle;
pub(crate) mod call;
pub(crate) mod classic;
pub(crate) mod feedback;
pub(crate) mod input;
pub(crate) mod package;
pub(crate) mod style;
