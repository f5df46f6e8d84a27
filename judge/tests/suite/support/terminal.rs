//! Commands on a terminal.

use std::io::Read;
use std::process::{Child, ChildStdout, Command};

use super::{NO_CORPUS, skip_without, start};

/// A command that runs on a terminal.
pub struct OnTerminal {
    script: Child,
    screen: ChildStdout,
    shown: String,
}

impl OnTerminal {
    /// Starts a command of a shell. Without script(1) as in Linux, what needs it is skipped.
    pub fn start(command: &str) -> Option<Self> {
        let script = |command: &str| {
            let mut script = Command::new("script");
            script.args(["-qec", command, "/dev/null"]).envs([NO_CORPUS]);
            script
        };
        if !script("true").output().is_ok_and(|output| output.status.success()) {
            skip_without("script(1) as in Linux");
            return None;
        }
        let mut script = start(&mut script(command));
        let screen = script.stdout.take().unwrap();
        Some(Self { script, screen, shown: String::new() })
    }

    /// Reads until this is shown.
    #[track_caller]
    pub fn await_text(&mut self, text: &str) {
        let mut chunk = [0; 256];
        while !self.shown.contains(text) {
            let length = self.screen.read(&mut chunk).unwrap();
            assert!(length > 0, "the command has ended without {text:?}: {}", self.shown);
            self.shown += &String::from_utf8_lossy(&chunk[..length]);
        }
    }

    /// Waits for the end; all that was shown, and the exit code.
    pub fn end(mut self) -> (String, Option<i32>) {
        let mut rest = Vec::new();
        self.screen.read_to_end(&mut rest).unwrap();
        (self.shown + &String::from_utf8_lossy(&rest), self.script.wait().unwrap().code())
    }
}
