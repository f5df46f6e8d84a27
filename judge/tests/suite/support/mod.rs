//! What the suites share: the judge is started, its output read, and what a test leaves behind removed.

mod bots;
mod judge;
mod machine;
pub mod pages;
mod processes;
mod pty;
mod server;
mod test_dir;

pub use self::bots::{Compiled, SUBMISSION, bot, compiled, compiled_submission, perfect_but, submission};
pub use self::judge::{
    JUDGE, NO_CORPUS, assert_all_won, assert_prints, assert_refused, assert_refuses, assert_wins_starts,
    command, games, json_lines, judge, judge_reading, program_name, program_of, reading, root, start,
    start_talking, text, timeless, with_stack,
};
#[allow(unused_imports, reason = "only `timing` runs one test at a time")]
pub use self::machine::{Alone, alone};
pub use self::machine::{
    NOBODY, has_namespaces, has_program, has_python, has_sandbox, is_linux, is_root, is_the_systems_root,
    pass_as_an_ordinary_user, skip, skip_without,
};
pub use self::processes::{await_that, child_of, heed_signals, is_alive, is_running, send, state};
pub use self::pty::AtTerminal;
pub use self::server::{Server, answer};
pub use self::test_dir::TestDir;
