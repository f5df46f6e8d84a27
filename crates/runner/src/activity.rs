//! What a sleeping bot is waiting for, according to the kernel function in which it sleeps.

use std::fmt;

/// The activity of a sleeping bot. The variants are ordered from the most to the least informative: a bot with several
/// threads has the smallest of their activities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Activity {
    Input,
    Terminal,
    Timer,
    /// Input or any other event, as in the event loop of an interpreter.
    Event,
    Child,
    Thread,
    Unknown,
}

impl Activity {
    /// Returns the activity of a thread that sleeps in this kernel function; `Unknown` without a function.
    pub fn of(channel: Option<&str>) -> Self {
        const NAMES: [(&str, Activity); 9] = [
            // This must come before "do_wait", which is part of a newer name of the futex function.
            ("futex", Activity::Thread),
            ("pipe_read", Activity::Input),
            ("pipe_wait", Activity::Input),
            ("tty", Activity::Terminal),
            ("nanosleep", Activity::Timer),
            ("poll", Activity::Event),
            ("select", Activity::Event),
            ("do_wait", Activity::Child),
            ("sigsuspend", Activity::Child),
        ];
        let name = channel.unwrap_or_default();
        let known = NAMES.iter().find(|(part, _)| name.contains(part));
        known.map_or(Self::Unknown, |&(_, activity)| activity)
    }

    pub fn look_for(self) -> &'static str {
        self.texts()[1]
    }

    /// Returns what the bot is doing, and advice.
    fn texts(self) -> [&'static str; 2] {
        const LOOK: &str = "look at what it waits for";
        match self {
            Self::Input => ["waiting for input", LOOK],
            Self::Terminal => ["waiting for a terminal", "let it read its input from stdin"],
            Self::Timer => ["sleeping for a set time", "look for a call to sleep"],
            Self::Event => ["waiting for input or another event", LOOK],
            Self::Child => ["waiting for a process that it started", "find out what its child process does"],
            Self::Thread => ["waiting for another of its threads", "look for a deadlock of its threads"],
            Self::Unknown => ["sleeping", LOOK],
        }
    }
}

impl fmt::Display for Activity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.texts()[0])
    }
}
