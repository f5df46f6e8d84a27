//! Hosts: judge processes that each start one bot after the other, measure them and end them, for the judge that plays.
//!
//! What a bot leaves running descends from its own host, so two bots that play each other can be told apart. The judge
//! has the bots' pipes itself: a host is asked nothing while its bot answers quickly.

mod host_process;
mod hosted_tree;
mod link;
mod message;
mod serve;

pub use host_process::HostProcess;
pub use serve::serve;
