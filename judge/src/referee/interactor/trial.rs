//! One run of a bot against an interactor on one test, with its result.

use std::env;
use std::ffi::OsString;
use std::fs::{self, DirBuilder, File};
use std::io::{self, Read};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use runner::Bot;
use runner::event::{Event, Exit, Usage};
use runner::janitor::Registration;
use runner::limits::HeldBy;
use runner::relay::{Relay, Side};
use runner::stderr_excerpt::{StderrExcerpt, shown_lines};
use runner::warden::Warden;

use crate::conversation::facts::{Facts, Turn};
use crate::conversation::interaction::Interaction;
use crate::conversation::rule;
use crate::conversation::ruling::Ruling;
use crate::conversation::verdict::{Class, Verdict};
use crate::referee::interactor::conditions::Conditions;
use crate::referee::interactor::explain::by_decision;
use crate::referee::interactor::relayed::{Conversation, Finished, Record};
use crate::referee::interactor::style::{Decision, Style, TestCase};
use crate::text::open_regular;

/// The two programs of a run, and how they are started.
pub(crate) struct Programs {
    pub(crate) bot: Warden,
    pub(crate) bot_command: Vec<OsString>,
    pub(crate) interactor: Warden,
    /// The folder for the files of the interactor and of the judge, in which each run has its own folders.
    pub(crate) folder: WorkFolder,
    pub(crate) interactor_command: Vec<OsString>,
    pub(crate) conditions: Conditions,
    /// Maximum number of passes of a test. Each pass starts the bot once. The interactor asks for another pass by
    /// writing `nextpass.in` to its folder.
    pub(crate) max_passes: u32,
    /// Maximum size of the record of a run, in bytes.
    pub(crate) max_recorded: usize,
    /// The checker that decides after an interactor in testlib style has accepted.
    pub(crate) checker: Option<Checker>,
}

/// A checker's command, and the warden that starts it.
pub(crate) struct Checker {
    pub(crate) warden: Warden,
    pub(crate) command: Vec<OsString>,
}

/// The result of a run.
#[derive(Debug)]
pub(crate) struct TrialResult {
    pub(crate) ruling: Ruling,
    pub(crate) wall: Duration,
    /// What the bot did in each pass.
    pub(crate) bots: Vec<ProgramResult>,
    pub(crate) interactor: ProgramResult,
    /// How the bot's limits were enforced.
    pub(crate) held_by: Option<HeldBy>,
    /// How the interactor ended; `None` if the judge ended it, or the kernel because of a limit.
    pub(crate) interactor_exit: Option<Exit>,
    /// The interactor's command for this test, with `FEEDBACK` in place of the folder for its files.
    pub(crate) interactor_command: Vec<OsString>,
    /// Whether the wall time is in doubt.
    pub(crate) doubtful: bool,
    /// How often the bot was started.
    pub(crate) passes: u32,
    /// The start of `judgemessage.txt`, in the style icpc.
    pub(crate) judge_message: String,
    /// The record of each pass, up to the maximum size of all records together.
    pub(crate) interactions: Vec<Interaction>,
}

/// What one program did in a pass, or the interactor in all passes. The usage then has the largest values of any pass.
#[derive(Debug)]
pub(crate) struct ProgramResult {
    /// How the program ended; `None` if the judge ended it.
    pub(crate) exit: Option<Exit>,
    pub(crate) wall: Duration,
    pub(crate) lines: u64,
    pub(crate) used: Usage,
    pub(crate) stderr: StderrExcerpt,
}

/// The placeholder for the folder of the interactor's files in a command that is shown. The folder itself is removed
/// after the run.
pub(crate) const SHOWN_FOLDER: &str = "FEEDBACK";

/// The file by which an interactor asks for another pass, with the input of that pass.
const NEXT_PASS: &str = "nextpass.in";

impl TrialResult {
    /// Returns the recorded lines of both programs as a sample of a problem package, with `---` between passes.
    pub(crate) fn sample(&self) -> Vec<u8> {
        let passes: Vec<Vec<u8>> = self.interactions.iter().map(Interaction::sample).collect();
        passes.join(&b"---\n"[..])
    }

    /// Returns the largest CPU time of the bot in any pass.
    pub(crate) fn bot_cpu(&self) -> Option<Duration> {
        self.bots.iter().filter_map(|bot| bot.used.cpu).max()
    }

    /// Returns how many lines the bot wrote in all passes.
    pub(crate) fn bot_lines(&self) -> u64 {
        self.bots.iter().map(|bot| bot.lines).sum()
    }

    /// Returns the lines of the bot's stderr in the last pass.
    pub(crate) fn bot_stderr(&self) -> Vec<String> {
        self.bots.last().map_or_else(Vec::new, |bot| shown_lines(&bot.stderr))
    }

    /// Returns whether the record has the whole run.
    pub(crate) fn is_recorded(&self) -> bool {
        self.bytes_left().is_some()
    }

    /// Returns the number of bytes that are left for the record of the next pass; `None` if the record of this pass is
    /// not complete.
    fn bytes_left(&self) -> Option<usize> {
        self.interactions.last().and_then(Interaction::bytes_left)
    }

    /// Returns what a program wrote, in all passes, as far as it is recorded.
    pub(crate) fn output(&self, side: Side) -> Vec<u8> {
        self.interactions.iter().flat_map(|interaction| interaction.output(side)).collect()
    }

    /// Returns whether the bot has to be started again, as the interactor has asked. If the interactor must not ask for
    /// another pass, makes the result a failure of the interactor. `who` is the name of the interactor in messages.
    fn wants_pass(&mut self, max_passes: u32, who: &str) -> bool {
        let is_accepted = matches!(self.ruling.verdict, Verdict::Accepted | Verdict::Partial);
        if is_accepted && self.passes < max_passes {
            return true;
        }
        let failure = match self.interactor_exit {
            _ if is_accepted && max_passes == 1 => format!(
                "{who} wrote {NEXT_PASS}, which asks for another pass, but the problem has one: \"judge run \
                 --problem\" runs packages of the type multi-pass"
            ),
            _ if is_accepted => format!(
                "{who} wrote {NEXT_PASS} in pass {}, but the problem has at most {max_passes} passes",
                self.passes
            ),
            Some(Exit::Code(43)) => {
                format!("{who} wrote {NEXT_PASS}, but exited with code 43 in the same pass")
            }
            _ => return false,
        };
        self.fail(failure);
        false
    }

    /// Makes the result a failure of the interactor.
    fn fail(&mut self, reason: String) {
        self.ruling = Ruling::new(Class::InteractorWrongStyle, reason);
    }

    /// Returns the combined result of the passes so far and of the `next` pass.
    fn followed_by(mut self, next: Self) -> Self {
        let passes = self.passes + 1;
        let mut ruling = next.ruling;
        if ruling.verdict != Verdict::Accepted {
            ruling.reason = format!("pass {passes}: {}", ruling.reason);
        }
        self.bots.extend(next.bots);
        let interactor = ProgramResult {
            wall: self.interactor.wall + next.interactor.wall,
            lines: self.interactor.lines + next.interactor.lines,
            used: self.interactor.used.max(next.interactor.used),
            ..next.interactor
        };
        // After a pass whose record is not complete, no later pass is recorded.
        if self.is_recorded() {
            self.interactions.extend(next.interactions);
        }
        Self {
            ruling,
            wall: self.wall + next.wall,
            bots: self.bots,
            interactor,
            passes,
            interactions: self.interactions,
            ..next
        }
    }
}

/// Moves the input of the next pass to `input`. The two folders may be on different file systems.
///
/// # Errors
///
/// If the file is not a regular file, is larger than `limit`, or cannot be copied.
fn take_input(next_pass: &Path, input: &Path, limit: u64) -> io::Result<()> {
    let mut file = open_regular(next_pass)?.take(limit.saturating_add(1));
    if io::copy(&mut file, &mut File::create(input)?)? > limit {
        return Err(io::Error::other(format!("it is larger than {} MiB", limit >> 20)));
    }
    fs::remove_file(next_pass)
}

/// Returns a command that gives the bot the input, stores its output in the file `output`, and starts the validator
/// `command` when the bot has ended. The bot may write before it has read the whole input.
fn after_bot(command: &[OsString], case: &TestCase, output: &Path) -> Vec<OsString> {
    const SCRIPT: &str = r#"exec 3<&0; cat <&3 >"$1" & cat "$0" 2>/dev/null; exec >/dev/null; wait "$!"; output=$1; shift; exec "$@" <"$output""#;
    let input = case.input.clone().unwrap_or_else(|| "/dev/null".into());
    let mut words: Vec<OsString> = vec!["sh".into(), "-c".into(), SCRIPT.into(), input.into(), output.into()];
    words.extend(command.iter().cloned());
    words
}

const NO_FOLDER: &str = "a folder for the interactor's files cannot be made";

/// A temporary folder for all runs of a pair of programs. It is removed even if the judge is killed.
pub(crate) struct WorkFolder {
    path: PathBuf,
    _removal: Registration,
}

impl WorkFolder {
    pub(crate) fn new() -> anyhow::Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        loop {
            let name = format!("judge-{}-{}", process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
            let path = env::temp_dir().join(name);
            // Registered first, so that the folder is removed even if the judge ends in between.
            let removal = Registration::new([&*path]).context("the janitor cannot be started")?;
            match DirBuilder::new().mode(0o700).create(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => {
                    made.context(NO_FOLDER)?;
                    return Ok(Self { path, _removal: removal });
                }
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns an empty folder for one run.
    fn make(&self, name: &str) -> anyhow::Result<PathBuf> {
        let path = self.path().join(name);
        // Making a folder takes longer than looking into the one of the last run, which is usually empty.
        if fs::read_dir(&path).is_ok_and(|mut entries| entries.next().is_none()) {
            return Ok(path);
        }
        match fs::remove_dir_all(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error).context(NO_FOLDER)?,
            _ => fs::create_dir(&path).context(NO_FOLDER)?,
        }
        Ok(path)
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

impl ProgramResult {
    fn new(record: Record, exit: Option<Exit>, wall: Duration) -> Self {
        let Record { lines, used, stderr, .. } = record;
        Self { exit, wall, lines, used, stderr }
    }
}

impl Programs {
    /// Runs the bot against the interactor on a test, in as many passes as the interactor asks for. `repeat` is whether
    /// this repeats a run whose wall time was in doubt.
    ///
    /// # Errors
    ///
    /// If a program cannot be started or measured, or if the judge is interrupted.
    pub(crate) fn run(&self, case: &TestCase, repeat: bool) -> anyhow::Result<TrialResult> {
        let limits = self.conditions.limits;
        let limits = if repeat { limits.for_repeat() } else { limits };
        let conditions = Conditions { limits, ..self.conditions };
        let temporary = |name: &str| self.folder.make(name);
        let folder = temporary("feedback")?;
        let mut result = self.pass(conditions, case, &folder, Some(self.max_recorded))?;
        let judge_message =
            |result| TrialResult { judge_message: self.conditions.style.judge_message(&folder), ..result };
        let next_pass = folder.join(NEXT_PASS);
        // A link also asks for another pass, even if its target does not exist.
        let is_asked = || self.conditions.style == Style::Icpc && next_pass.symlink_metadata().is_ok();
        if !is_asked() {
            return Ok(judge_message(result));
        }
        let inputs = temporary("inputs")?;
        let who = self.conditions.turn.interactor();
        while is_asked() && result.wants_pass(self.max_passes, who) {
            let input = inputs.join(format!("{}.in", result.passes + 1));
            if let Err(error) = take_input(&next_pass, &input, self.conditions.interactor_output.bytes) {
                result.fail(format!("{who} wrote {NEXT_PASS}, which cannot be used: {error}"));
                break;
            }
            let next_case = TestCase { input: Some(input.clone()), ..case.clone() };
            let mut next = self.pass(conditions, &next_case, &folder, result.bytes_left())?;
            fs::remove_file(input).context("the input of a pass cannot be removed")?;
            let shown_input = Some(Path::new(SHOWN_FOLDER).join(NEXT_PASS));
            next.interactor_command = self.shown_command(&TestCase { input: shown_input, ..case.clone() });
            result = result.followed_by(next);
        }
        Ok(judge_message(result))
    }

    /// Returns the interactor's command for a test as it is shown.
    fn shown_command(&self, case: &TestCase) -> Vec<OsString> {
        self.conditions.style.command(&self.interactor_command, case, Path::new(SHOWN_FOLDER))
    }

    /// Runs the bot once against the interactor. `folder` is for the interactor's files, and `bytes_left` the maximum
    /// size of the record.
    fn pass(
        &self,
        conditions: Conditions,
        case: &TestCase,
        folder: &Path,
        bytes_left: Option<usize>,
    ) -> anyhow::Result<TrialResult> {
        let Conditions { style, turn, limits, interactor_limits, .. } = conditions;
        let command = style.command(&self.interactor_command, case, folder);
        let started = match turn {
            Turn::WithBot => command,
            Turn::AfterBot => after_bot(&command, case, &self.folder.path().join("output")),
        };
        self.interactor.begin_start(&started)?;
        self.bot.begin_start(&[&self.bot_command[..], &case.bot_args].concat())?;
        let start = Instant::now();
        let interactor =
            self.interactor.spawn_party(interactor_limits).context("the interactor could not be started")?;
        let bot_start = Instant::now();
        let bot = self.bot.spawn_party(limits)?;
        let mut relay = Relay::new(bot, interactor);
        let held_by = relay.held_by(Side::Bot);
        let interaction = Interaction::new(bot_start, bytes_left);
        let conversation = Conversation::new(&mut relay, conditions, folder, interaction);
        let mut finished = conversation.run()?;
        let wall = start.elapsed();
        self.ask_checker(case, folder, &mut finished.facts)?;
        let ruling = rule(&finished);
        let Finished { facts, bot, interactor, interaction, .. } = finished;
        // An exit at a limit does not count as the interactor's own: the kernel may have ended the interactor there.
        let has_reached_limit = facts.has_reached_limit(Side::Interactor);
        let doubtful = facts.is_doubtful();
        let interactor_exit = facts.interactor.and_then(|facts| facts.exit).filter(|_| !has_reached_limit);
        Ok(TrialResult {
            ruling,
            wall,
            bots: vec![ProgramResult::new(bot, facts.bot.exit, wall)],
            interactor: ProgramResult::new(interactor, interactor_exit, wall),
            held_by,
            interactor_exit,
            interactor_command: self.shown_command(case),
            doubtful,
            passes: 1,
            judge_message: String::new(),
            interactions: vec![interaction],
        })
    }

    /// Lets the checker decide, if there is one and the interactor has accepted.
    fn ask_checker(&self, case: &TestCase, folder: &Path, facts: &mut Facts) -> anyhow::Result<()> {
        let (Some(checker), Some(decision)) = (&self.checker, &mut facts.decision) else { return Ok(()) };
        if decision.class == Class::Accepted && decision.score.is_none() {
            let (by_checker, message) = self.check(checker, case, folder)?;
            *decision = by_decision("the checker", &by_checker, &message, self.conditions.full_score);
            if decision.verdict == Verdict::JudgeError {
                decision.class = Class::CheckerFailed;
            }
            facts.interactor.iter_mut().for_each(|facts| facts.message.clone_from(&message));
        }
        Ok(())
    }

    /// Runs the checker, under the limits of the interactor. Returns what it decided, and its message.
    fn check(
        &self,
        Checker { warden, command }: &Checker,
        case: &TestCase,
        folder: &Path,
    ) -> anyhow::Result<(Decision, String)> {
        warden.begin_start(&Style::checker_command(command, case, folder))?;
        let mut checker = warden.spawn().context("the checker could not be started")?;
        let mut exit = None;
        let mut stderr = Vec::new();
        for timed in checker.end(self.conditions.interactor_limits.wall) {
            match timed.event {
                Event::Exited(ended) => exit = Some(ended),
                Event::Stderr(text) => stderr.extend(text.0),
                _ => {}
            }
        }
        let stderr = String::from_utf8_lossy(&stderr);
        let decision = match exit {
            Some(exit) => Style::Testlib.decision(exit, &stderr, Path::new("")),
            None => Decision::Failed(Class::CheckerFailed, "did not end in time".to_owned()),
        };
        Ok((decision, Style::Testlib.message(&stderr, Path::new(""))))
    }
}
