//! The server of `judge web`, by sockets. Its pages in a browser are tested in `real_time`.

mod hostile;
mod server;
