//! A program at a pseudoterminal, with keys typed by the test.

use std::io::{Read, Write};
use std::process::Child;

use pty_process::Size;
use pty_process::blocking::{Command, Pty, open};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::stop_ignoring_signals;

/// A program, usually the judge, at a terminal of 80 columns.
pub struct AtTerminal {
    terminal: Pty,
    program: Child,
    /// The output that has been shown but not returned yet.
    shown: Vec<u8>,
}

impl AtTerminal {
    pub fn run(command: &[&str]) -> Self {
        stop_ignoring_signals();
        let (terminal, end_of_program) = open().unwrap();
        terminal.resize(Size::new(24, 80)).unwrap();
        let program = Command::new(command[0]).args(&command[1..]);
        let program = program.env_remove("NO_COLOR").env("TERM", "xterm");
        Self { terminal, program: program.spawn(end_of_program).unwrap(), shown: Vec::new() }
    }

    pub fn press(&mut self, keys: &str) {
        self.terminal.write_all(keys.as_bytes()).unwrap();
    }

    /// Reads until `text` is shown, and returns the output up to and including `text`.
    #[track_caller]
    pub fn read_to(&mut self, text: &str) -> String {
        loop {
            let at = self.shown.windows(text.len()).position(|window| window == text.as_bytes());
            if let Some(at) = at {
                let shown = self.shown.drain(..at + text.len()).collect();
                return String::from_utf8(shown).unwrap();
            }
            assert!(self.read_more(), "no {text:?} in {:?}", String::from_utf8_lossy(&self.shown));
        }
    }

    /// Waits for the program's end, and returns the rest of the output and the exit code.
    pub fn end(mut self) -> (String, Option<i32>) {
        while self.read_more() {}
        let rest = String::from_utf8(std::mem::take(&mut self.shown)).unwrap();
        (rest, self.program.wait().unwrap().code())
    }

    /// Reads the next output, which must come within a minute. Returns `false` at the end of the output.
    fn read_more(&mut self) -> bool {
        let timeout = Timespec { tv_sec: 60, tv_nsec: 0 };
        let mut ready = [PollFd::new(&self.terminal, PollFlags::IN)];
        let is_ready = poll(&mut ready, Some(&timeout)).unwrap() > 0;
        assert!(is_ready, "nothing more came: {:?}", String::from_utf8_lossy(&self.shown));
        let mut bytes = [0; 4096];
        // On Linux the end of the output is an error.
        let count = self.terminal.read(&mut bytes).unwrap_or(0);
        self.shown.extend(&bytes[..count]);
        count > 0
    }
}

impl Drop for AtTerminal {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}
