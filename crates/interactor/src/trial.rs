//! One run of a bot against an interactor on one test, with its result.

use std::ffi::OsString;
use std::time::{Duration, Instant};

use anyhow::Context;
use runner::Bot;
use runner::event::{Event, Exit, Usage};
use runner::host::HostProcess;
use runner::limits::{HeldBy, Limits};
use runner::relay::{Relay, Side};
use runner::stderr_excerpt::StderrExcerpt;

use crate::conversation::{Conversation, Finished};
use crate::decide::{Ruling, decide};
use crate::facts::BotEnd;
use crate::interaction::Interaction;
use crate::style::{Decision, Style, TestCase};
use crate::verdict::Verdict;

/// The two programs of a run, and how they are started.
pub struct Programs {
    pub bot: HostProcess,
    pub bot_limits: Limits,
    pub interactor: HostProcess,
    pub interactor_command: Vec<OsString>,
    pub interactor_limits: Limits,
    pub style: Style,
    pub bot_end: BotEnd,
    /// The command of the checker that decides after an interactor in testlib style has accepted.
    pub checker: Option<Vec<OsString>>,
}

/// The result of a run.
#[derive(Debug)]
pub struct TrialResult {
    pub verdict: Verdict,
    pub score: Option<f64>,
    pub reason: String,
    pub why: Vec<String>,
    pub advice: Vec<String>,
    pub wall: Duration,
    pub bot: ProgramResult,
    pub interactor: ProgramResult,
    /// How the bot's limits were enforced.
    pub held_by: Option<HeldBy>,
    /// How the interactor ended; `None` if the judge ended it.
    pub interactor_exit: Option<Exit>,
    /// The interactor's command for this test.
    pub interactor_command: Vec<OsString>,
    /// What both programs wrote and what happened to them.
    pub interaction: Interaction,
}

/// What one program did.
#[derive(Debug)]
pub struct ProgramResult {
    pub lines: u64,
    pub used: Usage,
    pub stderr: StderrExcerpt,
}

impl Programs {
    /// Runs the bot against the interactor on a test.
    ///
    /// # Errors
    ///
    /// If a program cannot be started or measured, or if the judge is interrupted.
    pub fn run(&self, case: &TestCase) -> anyhow::Result<TrialResult> {
        let folder = tempfile::Builder::new().prefix("judge-feedback-").tempdir();
        let folder = folder.context("a folder for the interactor's files cannot be made")?;
        let command = self.style.command(&self.interactor_command, case, folder.path());
        self.interactor.begin_start_of(command.clone())?;
        self.bot.begin_start()?;
        let start = Instant::now();
        let interactor = self.interactor.spawn_party().context("the interactor could not be started")?;
        let bot_start = Instant::now();
        let bot = self.bot.spawn_party()?;
        let relay = Relay::new(bot, interactor);
        let held_by = relay.held_by(Side::Bot);
        let conversation = Conversation::new(
            relay,
            bot_start,
            self.style,
            folder.path(),
            self.bot_limits,
            self.interactor_limits,
        );
        let Finished { mut facts, bot, interactor, interactor_exit, interaction } = conversation.run()?;
        let wall = start.elapsed();
        if let (Some(checker), Some(Decision::Accepted)) = (&self.checker, &facts.decision) {
            let command = Style::checker_command(checker, case, folder.path());
            let (decision, message) = self.check(command)?;
            facts.decision = Some(decision);
            facts.message = message;
        }
        facts.bot_end = self.bot_end;
        let Ruling { verdict, score, reason, why, advice } = decide(&facts);
        Ok(TrialResult {
            verdict,
            score,
            reason,
            why,
            advice,
            wall,
            bot: ProgramResult { lines: bot.lines, used: bot.used, stderr: bot.stderr },
            interactor: ProgramResult {
                lines: interactor.lines,
                used: interactor.used,
                stderr: interactor.stderr,
            },
            held_by,
            interactor_exit,
            interactor_command: command,
            interaction,
        })
    }

    /// Runs the checker, under the limits of the interactor. Returns what it decided, and its message.
    fn check(&self, command: Vec<OsString>) -> anyhow::Result<(Decision, String)> {
        self.interactor.begin_start_of(command)?;
        let mut checker = self.interactor.spawn().context("the checker could not be started")?;
        let mut exit = None;
        let mut stderr = Vec::new();
        for timed in checker.end(self.interactor_limits.wall) {
            match timed.event {
                Event::Exited(ended) => exit = Some(ended),
                Event::Stderr(text) => stderr.extend(text.0),
                _ => {}
            }
        }
        let message = String::from_utf8_lossy(&stderr).trim().to_owned();
        let decision = match exit {
            Some(exit) => Style::Testlib.decision(exit, &message, std::path::Path::new("")),
            None => Decision::Failed("accepted, but its checker did not end in time".to_owned()),
        };
        Ok((decision, message))
    }
}
