//! Programs that are kept apart from others, with or without the sandbox.

use std::process::{Child, Command};
use std::{io, panic, thread};

use landlock::{CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreated, RulesetError, Scope};

/// Starts the program of this command. Neither the program nor any process that it starts can send signals to other
/// programs, trace them, change their memory or use their open files; nor can they gain privileges.
///
/// Only starts the program if the kernel cannot refuse signals (before Linux 6.12).
///
/// # Errors
///
/// If the program or a thread cannot be started.
pub(crate) fn spawn_apart(command: &mut Command) -> io::Result<Child> {
    let Ok(ruleset) = ruleset() else { return command.spawn() };
    // The program inherits the rules of the thread that starts it. They must not hold for the rest of this process.
    let spawn = || {
        ruleset.restrict_self().map_err(io::Error::other)?;
        command.spawn()
    };
    thread::scope(|scope| {
        let thread = thread::Builder::new().spawn_scoped(scope, spawn)?;
        thread.join().unwrap_or_else(|payload| panic::resume_unwind(payload))
    })
}

/// Returns the rules that refuse signals to other programs. With them Landlock also refuses the rest.
fn ruleset() -> Result<RulesetCreated, RulesetError> {
    Ruleset::default().set_compatibility(CompatLevel::HardRequirement).scope(Scope::Signal)?.create()
}
