//! The commands of `grundy`, one file or folder each: the arguments, the help and the work of a command.

pub(crate) mod atlas;
pub(crate) mod count;
pub(crate) mod octal;
pub(crate) mod solve;
pub(crate) mod sweep;
pub(crate) mod table;
