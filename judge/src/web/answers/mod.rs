//! The answers to the pages' requests: a position, the bot's move, a hint, a review, and more. Each answer is computed
//! by a separate process: the judge with the hidden command `web-answer`, which reads the request from stdin and prints
//! the answer.

mod games;
mod played;
mod positions;
mod save;
mod turn;

use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::process::ExitCode;

use anyhow::Context;

use super::MAX_BODY;
use common::program::print_error;
use common::stdout;

/// The name of the hidden command of the judge.
pub(super) const COMMAND: &str = "web-answer";

/// A function that computes the answer to a request, as JSON.
type Compute = fn(&[u8]) -> anyhow::Result<String>;

/// The names of the requests that a page can send, each with the function that answers it.
const REQUESTS: [(&str, Compute); 8] = [
    ("turn", turn::answer),
    ("takes", positions::takes),
    ("hint", positions::hint),
    ("review", positions::review),
    ("analysis", positions::analysis),
    ("save", save::answer),
    ("replay", positions::replay),
    ("games", games::answer),
];

/// Returns whether `name` is a request that a page can send.
pub(super) fn is_known(name: &str) -> bool {
    REQUESTS.iter().any(|(known, _)| *known == name)
}

/// Answers the request of a page, if `args` are the arguments of an answering process: the program, [`COMMAND`], the
/// server's process ID, and the name of the request or a command of `grundy`. Returns `None` for other arguments.
pub(crate) fn answer_of(args: &[OsString]) -> Option<ExitCode> {
    let [program, command, server, rest @ ..] = args else { return None };
    let name = rest.first().filter(|_| command == COMMAND)?.to_str();
    if !end_with_server(server) {
        return Some(ExitCode::FAILURE);
    }
    match name? {
        name if is_known(name) => Some(answer(name)),
        name if theory::program::COMMANDS.contains(&name) => {
            let args: Vec<OsString> = [program].into_iter().chain(rest).cloned().collect();
            Some(theory::program::run(&args))
        }
        _ => None,
    }
}

/// Lets the system kill this process when its parent, the server, ends for any reason. Returns whether the server still
/// runs.
#[cfg(target_os = "linux")]
fn end_with_server(server: &OsStr) -> bool {
    use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal};

    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    let server = server.to_str().and_then(|server| Pid::from_raw(server.parse().ok()?));
    server.is_some() && getppid() == server
}

#[cfg(not(target_os = "linux"))]
fn end_with_server(_server: &OsStr) -> bool {
    true
}

/// Answers the request on stdin. If there is no answer, prints the reason to stderr and returns the exit code 2.
fn answer(name: &str) -> ExitCode {
    match computed(name).and_then(|answer| print(&answer)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(reason(&error));
            ExitCode::from(2)
        }
    }
}

fn print(answer: &str) -> anyhow::Result<()> {
    io::stdout().write_all(answer.as_bytes())?;
    stdout::flush()
}

/// Returns the text of an error with its causes, except for causes that the text already contains.
fn reason(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |text, cause| match cause.to_string() {
        cause if text.contains(&cause) => text,
        cause if text.is_empty() => cause,
        cause => format!("{text}: {cause}"),
    })
}

fn computed(name: &str) -> anyhow::Result<String> {
    let (_, compute) =
        REQUESTS.iter().find(|(known, _)| *known == name).context("expected a known request")?;
    let mut request = Vec::new();
    io::stdin().take(MAX_BODY as u64).read_to_end(&mut request).context("the request cannot be read")?;
    compute(&request)
}
