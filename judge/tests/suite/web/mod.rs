//! The server of `judge web`, by sockets. Its pages in a browser are tested in `timing`.

mod hostile;
mod server;
