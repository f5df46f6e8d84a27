//! The judge tested with hostile bots: each plays a game by `judge run`, and must get exactly its verdict, in its
//! time.

pub(crate) mod action;
pub(crate) mod bots;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use rustix::process::{Pid, Signal, kill_process};
use serde::Deserialize;

use crate::process::threads;
use crate::referee::verdict::{Profile, Verdict};
use bots::Bot;

/// How long a judge that should have ended is waited for: longer is hanging.
const HANG_TIMEOUT: Duration = Duration::from_secs(20);

/// A game with a hostile bot.
pub(crate) struct Trial {
    pub(crate) bot: Bot,
    pub(crate) profile: Profile,
    pub(crate) expected: Verdict,
}

/// The result of a trial.
pub(crate) struct TrialResult {
    pub(crate) trial: Trial,
    /// The verdict and its reason, or why there is none.
    pub(crate) got: anyhow::Result<Judged>,
    pub(crate) took: Duration,
}

/// What the judge reports of a game.
#[derive(Debug, Deserialize)]
pub(crate) struct Judged {
    pub(crate) verdict: Verdict,
    pub(crate) reason: String,
}

impl TrialResult {
    /// What is not as it must be.
    pub(crate) fn trouble(&self) -> Option<String> {
        let Trial { bot, expected, .. } = &self.trial;
        match &self.got {
            Err(error) => Some(format!("{error:#}")),
            Ok(judged) if judged.verdict != *expected => Some(judged.reason.clone()),
            Ok(judged) if !judged.reason.contains(bot.because) => {
                Some(format!("expected {:?} in its reason, got {:?}", bot.because, judged.reason))
            }
            Ok(_) if self.took > bot.longest() => {
                Some(format!("expected to end within {:.1} s", bot.longest().as_secs_f64()))
            }
            Ok(_) => None,
        }
    }
}

/// Plays every trial, so many at a time, and reports the result of each, in their order.
pub(crate) fn play_all(
    trials: Vec<Trial>,
    jobs: usize,
    mut report: impl FnMut(&TrialResult) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let judge = std::env::current_exe().context("the judge does not know its own path to start itself")?;
    let trials = Mutex::new((0_usize..).zip(trials));
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs {
            let (sender, judge, trials) = (sender.clone(), &judge, &trials);
            let work = move || {
                // Once the report has failed nobody listens.
                while let Some((index, trial)) = take(trials)
                    && sender.send((index, play(trial, judge))).is_ok()
                {}
            };
            threads::start_scoped(scope, work)?;
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for (index, result) in results {
            waiting.insert(index, result);
            while let Some(result) = waiting.remove(&next) {
                report(&result)?;
                next += 1;
            }
        }
        Ok(())
    })
}

fn take<T>(from: &Mutex<impl Iterator<Item = T>>) -> Option<T> {
    from.lock().ok()?.next()
}

fn play(trial: Trial, judge: &Path) -> TrialResult {
    let setup = trial.bot.setup(trial.profile, &judge.to_string_lossy());
    let started = Instant::now();
    let got = setup
        .and_then(|setup| setup.command().context("the judge's own path is not UTF-8"))
        .and_then(|command| run(judge, &command, trial.bot.longest() + HANG_TIMEOUT));
    TrialResult { trial, got, took: started.elapsed() }
}

/// What the judge says of the game of this command.
fn run(judge: &Path, command: &str, timeout: Duration) -> anyhow::Result<Judged> {
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
    // Nobody waits any more for one that hangs.
    threads::start(move || drop(sender.send(child.wait_with_output())))?;
    let Ok(output) = receiver.recv_timeout(timeout) else {
        kill_process(pid, Signal::KILL)?;
        bail!("the judge hangs: it was killed after {} s", timeout.as_secs_f64());
    };
    let output = output?;
    serde_json::from_slice(&output.stdout).with_context(|| {
        let stderr = String::from_utf8_lossy(&output.stderr);
        format!("no verdict, the judge ended by {}: {}", output.status, stderr.trim_ascii_end())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(got: anyhow::Result<Judged>, took: Duration) -> TrialResult {
        let bot = bots::all().into_iter().find(|bot| bot.name == "no-newline").unwrap();
        let (profile, expected) = bot.verdicts()[0];
        TrialResult { trial: Trial { bot, profile, expected }, got, took }
    }

    /// Another verdict, another reason, too late and no verdict at all: each is reported.
    #[test]
    fn whatever_is_wrong_is_reported() {
        let trouble = |verdict, reason: &str, ms| {
            result(Ok(Judged { verdict, reason: reason.to_owned() }), Duration::from_millis(ms)).trouble()
        };
        let (bot, expected) = (result(Err(anyhow::anyhow!("")), Duration::ZERO).trial.bot, bots::IDLE);
        assert_eq!(trouble(expected, bot.because, 2000), None);
        assert_eq!(trouble(expected, bot.because, 2001), Some("expected to end within 2.0 s".to_owned()));
        assert_eq!(trouble(Verdict::Won, bot.because, 1), Some(bot.because.to_owned()));
        assert!(trouble(expected, "it sleeps", 1).unwrap().starts_with("expected \"it has printed"));
        let none = result(Err(anyhow::anyhow!("the judge hangs")), Duration::ZERO);
        assert_eq!(none.trouble(), Some("the judge hangs".to_owned()));
    }
}
