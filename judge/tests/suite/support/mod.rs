//! What the suites share: the judge is started, its output read, and what a test leaves behind removed.

#[allow(dead_code, reason = "only `timing` runs one test at a time")]
mod alone;
mod bots;
mod judge;
mod machine;
pub mod pages;
mod processes;
mod pty;
mod server;
mod submission;
mod terminal;
mod test_dir;
mod text;

#[allow(unused_imports, reason = "only `timing` runs one test at a time")]
pub use self::alone::{Alone, alone};
pub use self::bots::{Compiled, bot, compiled, perfect_but};
pub use self::judge::{
    JUDGE, NO_CORPUS, assert_all_won, assert_prints, assert_refused, assert_refuses, command, games, judge,
    judge_reading, program_of, reading, root, start, start_talking, with_stack,
};
pub use self::machine::{
    NOBODY, has_namespaces, has_program, has_python, has_sandbox, is_linux, is_root, is_the_systems_root,
    pass_as_an_ordinary_user, skip, skip_without,
};
pub use self::processes::{await_that, child_of, heed_signals, is_alive, is_running, send, state};
pub use self::pty::AtTerminal;
pub use self::server::{Server, answer};
pub use self::submission::{SUBMISSION, compiled_submission, submission};
pub use self::terminal::OnTerminal;
pub use self::test_dir::TestDir;
pub use self::text::{json_lines, text, timeless};
