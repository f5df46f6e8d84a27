//! The self-test of the judge with hostile bots: `judge run` plays a game with each bot under one or two profiles, and
//! must report the expected verdict within the time limit of the bot.

pub(crate) mod action;
pub(crate) mod bots;

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use rustix::process::{Pid, Signal, kill_process};
use serde::Deserialize;

use bots::HostileBot;
use common::parallel::in_order;
use common::threads;
use referee::verdict::Verdict;
use runner::config::Profile;

/// How long to wait for a judge after the time limit of its bot. After that time the judge counts as hanging.
const HANG_TIMEOUT: Duration = Duration::from_secs(20);

/// A game with a hostile bot.
pub(crate) struct Trial {
    pub(crate) bot: HostileBot,
    pub(crate) profile: Profile,
    pub(crate) expected: Verdict,
}

/// The result of a trial.
pub(crate) struct TrialResult {
    pub(crate) trial: Trial,
    /// The verdict and its reason, or the error if there is no verdict.
    pub(crate) got: anyhow::Result<ReportedGame>,
    pub(crate) took: Duration,
}

/// The fields of the judge's JSON report of a game that are compared with the expected result.
#[derive(Debug, Deserialize)]
pub(crate) struct ReportedGame {
    pub(crate) verdict: Verdict,
    pub(crate) reason: String,
    #[serde(default)]
    why: Vec<String>,
}

impl ReportedGame {
    /// Returns whether the reason, or the evidence for the reason, contains `words`.
    fn has(&self, words: &str) -> bool {
        self.reason.contains(words) || self.why.iter().any(|why| why.contains(words))
    }
}

impl TrialResult {
    /// Returns the difference from the expected result; `None` if there is none.
    pub(crate) fn problem(&self) -> Option<String> {
        let Trial { bot, expected, .. } = &self.trial;
        match &self.got {
            Err(error) => Some(format!("{error:#}")),
            Ok(game) if game.verdict != *expected => Some(game.reason.clone()),
            Ok(game) if !game.has(bot.expected_reason) => {
                Some(format!("expected a reason with {:?}, got {:?}", bot.expected_reason, game.reason))
            }
            Ok(_) if self.took > bot.time_limit() => {
                Some(format!("expected to end within {:.1} s", bot.time_limit().as_secs_f64()))
            }
            Ok(_) => None,
        }
    }
}

/// Plays all trials, `jobs` at a time, and passes the results to `report` in the order of the trials.
pub(crate) fn play_all(
    trials: Vec<Trial>,
    jobs: usize,
    mut report: impl FnMut(&TrialResult) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let judge = std::env::current_exe().context("the path of the judge's program is not known")?;
    let play = |(): &mut (), trial| Ok(play(trial, &judge));
    in_order(jobs, trials.into_iter(), || (), play, |result| report(&result).map(|()| true))
}

fn play(trial: Trial, judge: &Path) -> TrialResult {
    let setup = trial.bot.setup(trial.profile, &judge.to_string_lossy());
    let started = Instant::now();
    let got = setup
        .and_then(|setup| setup.command().context("the path of the judge's program is not UTF-8"))
        .and_then(|command| run(judge, &command, trial.bot.time_limit() + HANG_TIMEOUT));
    TrialResult { trial, got, took: started.elapsed() }
}

/// Runs the judge with the arguments of `command` and reads its report.
fn run(judge: &Path, command: &str, timeout: Duration) -> anyhow::Result<ReportedGame> {
    let words = shlex::split(command).context("the command cannot be split into words")?;
    let args = words.get(2..).unwrap_or_default();
    let child = Command::new(judge)
        .args(["run", "--json"])
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("the judge could not be started")?;
    let pid = Pid::from_child(&child);
    let (sender, receiver) = mpsc::channel();
    // After the timeout the receiver no longer exists, so the result is dropped.
    threads::start(move || drop(sender.send(child.wait_with_output())))?;
    let Ok(output) = receiver.recv_timeout(timeout) else {
        kill_process(pid, Signal::KILL)?;
        bail!("the judge hangs: it was killed after {} s", timeout.as_secs_f64());
    };
    let output = output?;
    serde_json::from_slice(&output.stdout).with_context(|| {
        let stderr = String::from_utf8_lossy(&output.stderr);
        format!("the judge reported no verdict and ended with {}: {}", output.status, stderr.trim_ascii_end())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(got: anyhow::Result<ReportedGame>, took: Duration) -> TrialResult {
        let bot = bots::all().into_iter().find(|bot| bot.name == "no-newline").unwrap();
        let (profile, expected) = bot.verdicts()[0];
        TrialResult { trial: Trial { bot, profile, expected }, got, took }
    }

    /// A wrong verdict, a wrong reason, a game that was too long, and a missing verdict are all reported.
    #[test]
    fn problems_of_a_trial() {
        let problem = |verdict, reason: &str, ms| {
            result(
                Ok(ReportedGame { verdict, reason: reason.to_owned(), why: Vec::new() }),
                Duration::from_millis(ms),
            )
            .problem()
        };
        let (bot, expected) = (result(Err(anyhow::anyhow!("")), Duration::ZERO).trial.bot, bots::IDLE);
        assert_eq!(problem(expected, bot.expected_reason, 2000), None);
        assert_eq!(
            problem(expected, bot.expected_reason, 2001),
            Some("expected to end within 2.0 s".to_owned())
        );
        assert_eq!(problem(Verdict::Won, bot.expected_reason, 1), Some(bot.expected_reason.to_owned()));
        assert!(
            problem(expected, "it sleeps", 1).unwrap().starts_with("expected a reason with \"it has printed")
        );
        let none = result(Err(anyhow::anyhow!("the judge hangs")), Duration::ZERO);
        assert_eq!(none.problem(), Some("the judge hangs".to_owned()));
    }
}
