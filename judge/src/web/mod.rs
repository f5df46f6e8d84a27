//! The local page of `judge web`: a server on the loopback interface, and the answers that its pages ask for.
//!
//! The server keeps no games: a page sends the game and its moves with each request. The server computes no answers
//! itself: each one is the output of a separate process, see [`jobs`]. The process is killed if it takes too long, or
//! if nobody waits for its answer any more.

pub(crate) mod answers;
mod checks;
mod connections;
mod files;
mod jobs;
mod limits;
mod response;
mod server;
mod site;
mod table_request;

pub(crate) use server::Server;
