//! The commands of `grundy`, a file or a folder each: the arguments, the help, and what the command does.

pub(crate) mod atlas;
pub(crate) mod count;
pub(crate) mod octal;
pub(crate) mod solve;
pub(crate) mod sweep;
pub(crate) mod table;
