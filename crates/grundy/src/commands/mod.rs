//! The commands of `grundy`: a file or folder for each command, with its arguments, its help and its code.

pub(crate) mod count;
pub(crate) mod misere;
pub(crate) mod octal;
pub(crate) mod plot;
pub(crate) mod solve;
pub(crate) mod table;
