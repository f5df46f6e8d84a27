//! The running program: its name in messages, its command line, and its exit after an error.

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::OnceLock;

use anyhow::Context;
use clap::error::ErrorKind;

use crate::escape::{printable, shell_word};
use crate::stdout;
use crate::stdout::is_broken_pipe;

static NAME: OnceLock<&str> = OnceLock::new();
static ARGS: OnceLock<Vec<OsString>> = OnceLock::new();

/// Sets the name of this program. Only the first call has an effect.
pub fn set_name(name: &'static str) {
    NAME.get_or_init(|| name);
}

/// Returns the name of this program.
pub(crate) fn name() -> &'static str {
    NAME.get().copied().unwrap_or("judge")
}

/// Sets the arguments as typed, including the program's name. Only the first call has an effect.
pub fn set_args(args: &[OsString]) {
    ARGS.get_or_init(|| args.to_vec());
}

/// Prints a message on stderr, escaped and in one write, because several processes may write there at the same time.
pub fn print_error(message: impl Display) {
    let line = format!("{}: {}\n", name(), printable(&message.to_string()));
    // Ignore an error, because the reader may have closed stderr.
    let _ = io::stderr().write_all(line.as_bytes());
}

/// Prints an error and returns the exit code.
pub fn fail(error: &anyhow::Error, code: u8) -> ExitCode {
    print_error(format_args!("{error:#}"));
    ExitCode::from(code)
}

/// Prints the help, the version or a usage error. Returns the exit code, which is `code` for an error.
pub fn refuse(error: &clap::Error, code: u8) -> ExitCode {
    let printed = match error.kind() {
        // `judge run --version` prints the version of `judge`, too.
        ErrorKind::DisplayVersion => writeln!(io::stdout(), "{} {}", name(), env!("CARGO_PKG_VERSION")),
        _ => error.print(),
    };
    if error.use_stderr() {
        return ExitCode::from(code);
    }
    match printed.context("stdout cannot be written to").and_then(|()| stdout::flush()) {
        Err(error) if !is_broken_pipe(&error) => fail(&error, code),
        _ => ExitCode::SUCCESS,
    }
}

/// The options with a value that do not affect the results of a run, only where and how the run is computed.
const EXECUTION_OPTIONS: [&str; 14] = [
    "--record",
    "--resume",
    "--checkpoint",
    "--shard",
    "--shards",
    "--jobs",
    "-j",
    "--csv",
    "--html",
    "--transcripts",
    "--corpus",
    "--output",
    "-o",
    "--time",
];
/// The options without a value that do not affect the results of a run.
const EXECUTION_FLAGS: [&str; 7] =
    ["--affinity", "--force", "--json", "--all-transcripts", "--no-corpus", "--verbose", "-v"];

/// Returns this command without the options that do not affect the results; `None` if the command is not UTF-8.
pub fn command_of_run() -> Option<String> {
    command_without(&EXECUTION_OPTIONS, &EXECUTION_FLAGS)
}

/// Returns this command without the options `with_value`, which have a value, and `flags`, which have none. `None` if
/// the command is not UTF-8.
pub fn command_without(with_value: &[&str], flags: &[&str]) -> Option<String> {
    format_command(ARGS.get()?, with_value, flags)
}

fn format_command(args: &[OsString], with_value: &[&str], flags: &[&str]) -> Option<String> {
    let mut words = vec![name().to_owned()];
    let mut args = args.iter().skip(1).map(|word| word.to_str());
    let mut is_bot = false;
    while let Some(word) = args.next() {
        let word = word?;
        is_bot |= word == "--";
        if !is_bot && with_value.contains(&word) {
            args.next();
            continue;
        }
        let is_joined = |option: &&str| match word.strip_prefix(*option) {
            Some(rest) if option.starts_with("--") => rest.starts_with('='),
            Some(rest) => !rest.is_empty(),
            None => false,
        };
        if is_bot || !flags.contains(&word) && !with_value.iter().any(is_joined) {
            words.push(shell_word(word).ok()?);
        }
    }
    Some(words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_do_not_decide_the_results_are_left_out() {
        let command = |line: &str| {
            let args: Vec<_> = shlex::split(line).unwrap().into_iter().map(OsString::from).collect();
            format_command(&args, &EXECUTION_OPTIONS, &EXECUTION_FLAGS).unwrap()
        };
        assert_eq!(
            command(
                "/bin/judge arena --shard 3/7 --bot 'a=x --shard 1/2' --jobs=4 -j 4 -j8 --csv out --html out --json 3 1 2"
            ),
            "judge arena --bot 'a=x --shard 1/2' 3 1 2"
        );
        assert_eq!(
            command("judge stress --games 9 --checkpoint=f -v --shards 3 -- ./bot -v --shards 3 -j4"),
            "judge stress --games 9 -- ./bot -v --shards 3 -j4"
        );
    }
}
