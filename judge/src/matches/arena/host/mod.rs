//! Hosts: judge processes that each run one bot. Two hosts play a game: each referees its own bot, and takes the
//! other one for its opponent. So each bot has its own clocks, limits and verdict, and what a bot leaves running
//! descends from its own host.

mod built_in_bot;
mod host_process;
mod link;
mod message;
mod remote_opponent;
mod serve;

pub(crate) use host_process::{HostProcess, play};
pub(crate) use message::{HostedGame, ReviewFields, SeatResult, is_clean};
pub(crate) use serve::{HostedBot, serve};
