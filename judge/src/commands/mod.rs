//! What the judge can be asked to do, one file a subcommand.

pub(crate) mod bot;
pub(crate) mod bundle;
pub(crate) mod completions;
pub(crate) mod count;
pub(crate) mod demo;
pub(crate) mod export;
pub(crate) mod interact;
#[cfg(target_os = "linux")]
pub(crate) mod launch;
pub(crate) mod lint;
pub(crate) mod man;
pub(crate) mod play;
pub(crate) mod protocol;
pub(crate) mod replay;
pub(crate) mod run;
pub(crate) mod selftest;
pub(crate) mod solve;
pub(crate) mod stress;
pub(crate) mod table;
pub(crate) mod test;
pub(crate) mod tester;
pub(crate) mod worker;
