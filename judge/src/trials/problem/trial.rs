//! One run of a bot against an interactor on one test, with its result.

use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::{Duration, Instant};

use anyhow::Context;
use runner::OneProcessor;
use runner::escape::with_values;
use runner::event::Exit;
use runner::janitor::{OwnFolder, new_name};
use runner::limits::HeldBy;
use runner::message::print_error;
use runner::relay::{Relay, Side, StandIn};
use runner::sandbox::{Sandbox, report_missing};
use runner::stderr_excerpt::TRACEBACK;
use runner::to_end::{Ended, ProgramOutput};
use runner::warden::{Confinement, Warden};

use crate::config::MatchConfig;
use crate::conversation::decide::Referee;
use crate::conversation::facts::{End, Facts, ProgramRecord};
use crate::conversation::interaction::Interaction;
use crate::conversation::role::Role;
use crate::conversation::verdict::{Class, Ruling, Verdict};
use crate::referee::interactor::explain::by_decision;
use crate::referee::interactor::passes::Passes;
use crate::referee::interactor::relayed::{Conditions, Conversation, Finished};
use crate::referee::interactor::seats::{BotIo, SeatFifos};
use crate::referee::interactor::style::{
    Decision, ICPC_REJECTS, OUTPUT, SCORE, Style, TestCase, after_bot, by_script, manager,
};
use crate::text::open_regular;
use crate::trials::problem::expected::TestOutcome;
use crate::trials::problem::run::{ProblemProgram, ProblemRun};

/// The programs of a run. Each test starts them anew.
pub(crate) struct Programs {
    pub(crate) problem: ProblemRun,
    bots: Vec<Warden>,
    fifos: Option<SeatFifos>,
    interactor: Warden,
    /// The checker that decides on a pass without an interactor, or after an interactor in testlib style has accepted.
    checker: Option<Warden>,
    /// A temporary folder for the files of the interactor and of the judge, in which each run has its own folders. It is
    /// removed even if the judge is killed.
    folder: OwnFolder,
    /// Whether the interactor is a tester whose program has the text of a line with a score.
    gives_scores: bool,
    /// Maximum size of the record of a run, in bytes.
    pub(crate) max_recorded: usize,
    pub(crate) records_stderr: bool,
    /// What a tester that starts the bot itself starts in its place.
    stand_in: Option<StandIn>,
}

#[derive(Debug)]
pub(crate) struct TrialResult {
    pub(crate) ruling: Ruling,
    /// What each process of the bot did in each pass.
    pub(crate) bots: Vec<Vec<ProgramRecord>>,
    /// What the program did that decided, in all passes on which it decided: its usage has the largest values of any
    /// pass. An exit at a limit does not count as its own.
    pub(crate) interactor: ProgramRecord,
    pub(crate) role: Role,
    pub(crate) held_by: Option<HeldBy>,
    /// The interactor's command for this test, with `FEEDBACK` in place of the folder for its files.
    pub(crate) interactor_command: Vec<OsString>,
    /// The checker, if it decided after the interactor.
    pub(crate) checked: Option<Checked>,
    pub(crate) doubtful: bool,
    pub(crate) judge_message: String,
    /// The record of each pass, up to the maximum size of all records together.
    pub(crate) interactions: Vec<Interaction>,
}

#[derive(Debug)]
pub(crate) struct Checked {
    /// Its command for this test, in the same form as the interactor's.
    pub(crate) command: Vec<OsString>,
    /// How it ended; `None` if the judge ended it.
    pub(crate) exit: Option<Exit>,
}

/// The placeholder in a command that is shown for the folder of the interactor's files, which is removed after the run.
pub(crate) const SHOWN_FOLDER: &str = "FEEDBACK";

pub(crate) fn shown_next_pass() -> PathBuf {
    Path::new(SHOWN_FOLDER).join(NEXT_PASS)
}

/// The file by which an interactor asks for another pass, with the input of that pass. In a problem that runs the bot
/// twice, a program that decides on the first pass after the bot prints this input.
const NEXT_PASS: &str = "nextpass.in";

const NO_FOLDER: &str = "a folder for the interactor's files cannot be made";

impl TrialResult {
    /// Returns the recorded lines of both programs as a sample of a problem package, with `---` between passes.
    pub(crate) fn sample(&self) -> Vec<u8> {
        let passes: Vec<Vec<u8>> = self.interactions.iter().map(Interaction::sample).collect();
        passes.join(&b"---\n"[..])
    }

    pub(crate) fn bot_lines(&self) -> u64 {
        self.bots.iter().flatten().map(|bot| bot.lines).sum()
    }

    pub(crate) fn passes(&self) -> u32 {
        u32::try_from(self.bots.len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn is_recorded(&self) -> bool {
        self.bytes_left().is_some()
    }

    /// Returns how many bytes are left for the record of the next pass; `None` if this record is not complete.
    pub(crate) fn bytes_left(&self) -> Option<usize> {
        self.interactions.last()?.bytes_left
    }

    /// Returns what a program wrote, in all passes, as far as it is recorded.
    pub(crate) fn output(&self, side: Side) -> Vec<u8> {
        self.interactions.iter().flat_map(|interaction| interaction.output(side)).collect()
    }

    fn fail(&mut self, reason: String) {
        self.ruling = Ruling::new(Class::InteractorWrongStyle, reason);
    }

    fn followed_by(self, mut next: Self) -> Self {
        if next.ruling.verdict != Verdict::Accepted {
            next.ruling.reason = format!("pass {}: {}", self.passes() + 1, next.ruling.reason);
        }
        if self.role == next.role {
            next.interactor.wall += self.interactor.wall;
            next.interactor.lines += self.interactor.lines;
            next.interactor.used = self.interactor.used.max(next.interactor.used);
        }
        // After a pass whose record is not complete, no later pass is recorded.
        let recorded = if self.is_recorded() { next.interactions } else { Vec::new() };
        let interactions = self.interactions.into_iter().chain(recorded).collect();
        let bots = self.bots.into_iter().chain(next.bots).collect();
        Self { bots, interactions, ..next }
    }
}

impl Programs {
    /// Starts the wardens of the programs. The record of a run has at most `max_recorded` bytes.
    pub(crate) fn new(problem: ProblemRun, max_recorded: usize) -> anyhow::Result<Self> {
        let folder = OwnFolder::make(&env::temp_dir().join(new_name("judge"))).context(NO_FOLDER)?;
        let stand_in = (problem.style == Style::Launcher).then(|| StandIn::new(folder.path())).transpose()?;
        let MatchConfig { limits, limits_by, sandbox, fresh, .. } = problem.bot;
        let fifos =
            (problem.style == Style::Cms).then(|| SeatFifos::new(folder.path(), problem.seats)).transpose();
        let fifos = fifos.context("the named pipes of the manager cannot be made")?;
        let of_bot = |seat: usize| {
            let used = fifos.as_ref().and_then(|fifos| fifos.bots.get(seat));
            let writable = used.map_or_else(Vec::new, |fifos| fifos.paths.to_vec());
            Confinement { limits, limits_by, sandbox, fresh, writable, ..Confinement::default() }
        };
        let of_interactor = Confinement {
            limits: problem.interactor_limits,
            limits_by,
            sandbox: problem.interactor_sandbox,
            fresh,
            writable: vec![folder.path().to_owned()],
            ..Confinement::default()
        };
        // A checker may read the interactor's files, and write none.
        let of_checker = Confinement { writable: Vec::new(), ..of_interactor.clone() };
        let checker =
            problem.checker.as_ref().map(|_| Warden::start("the checker", &of_checker)).transpose()?;
        let bots: Vec<Warden> = (0..usize::from(problem.seats.count))
            .map(|seat| Warden::start("the bot", &of_bot(seat)))
            .collect::<anyhow::Result<_>>()?;
        let interactor = Warden::start("the interactor", &of_interactor)?;
        report_missing(&bots.first().map(Warden::missing_guards).unwrap_or_default());
        report_missing(&interactor.missing_guards());
        if matches!(problem.passes, Passes::Twice(..)) && sandbox == Sandbox::None {
            // Each thread starts programs of its own.
            static REPORTED: Once = Once::new();
            REPORTED.call_once(|| {
                print_error(
                    "without --sandbox, a bot can keep something from the first pass to the second, in files or in shared \
                     memory",
                );
            });
        }
        let gives_scores =
            problem.style == Style::Launcher && words_of(problem.interactor.as_ref()).iter().any(names_score);
        Ok(Self {
            problem,
            bots,
            fifos,
            interactor,
            checker,
            folder,
            gives_scores,
            max_recorded,
            records_stderr: false,
            stand_in,
        })
    }

    /// Runs the bot on a test, in as many passes as the test needs. `repeat` is whether this repeats a run whose wall
    /// time was in doubt. Fails if a program cannot be started or measured, or if the judge is interrupted.
    pub(crate) fn run(&self, case: &TestCase, repeat: bool) -> anyhow::Result<TrialResult> {
        let mut conditions = self.problem.conditions(self.gives_scores);
        if repeat {
            conditions.terms.limits = conditions.terms.limits.for_repeat();
            conditions.terms.interactor_limits = conditions.terms.interactor_limits.for_repeat();
        }
        let folder = self.empty_folder("feedback")?;
        let mut result = self.pass(1, conditions, case, &folder, Some(self.max_recorded))?;
        while let Some((role, made)) = self.next_pass(&mut result, &folder) {
            let pass = result.passes() + 1;
            let input = self.empty_folder("inputs")?.join(format!("{pass}.in"));
            if let Err(error) = take_input(&made, &input, conditions.output[Side::Interactor as usize].bytes)
            {
                let who = conditions.terms.role.with_article();
                let name = made.file_name().unwrap_or_default().display();
                result.fail(if error.kind() == io::ErrorKind::NotFound {
                    format!("{who} wrote no {name}, which is the input of the next pass")
                } else {
                    format!("{who} wrote {name}, which cannot be used: {error}")
                });
                break;
            }
            conditions.terms.role = role;
            let next_case = TestCase { input: Some(input.clone()), ..case.clone() };
            let next = self.pass(pass, conditions, &next_case, &folder, result.bytes_left())?;
            fs::remove_file(input).context("the input of a pass cannot be removed")?;
            result = result.followed_by(next);
        }
        if matches!(self.problem.passes, Passes::Twice(..)) && result.passes() == 1 {
            result.ruling.reason = format!("pass 1: {}", result.ruling.reason);
        }
        result.judge_message = self.problem.style.judge_message(&folder);
        Ok(result)
    }

    fn empty_folder(&self, name: &str) -> anyhow::Result<PathBuf> {
        let path = self.folder.path().join(name);
        // Making a folder takes longer than looking into the one of the last run, which is usually empty.
        if !fs::read_dir(&path).is_ok_and(|mut entries| entries.next().is_none()) {
            match fs::remove_dir_all(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => fs::create_dir(&path),
            }
            .context(NO_FOLDER)?;
        }
        Ok(path)
    }

    /// Returns who decides on the next pass, and the file with its input; `None` if `result` is final. If the interactor
    /// asks for a pass that it must not ask for, makes the result a failure of the interactor.
    fn next_pass(&self, result: &mut TrialResult, folder: &Path) -> Option<(Role, PathBuf)> {
        let pass = result.passes();
        let asked = folder.join(NEXT_PASS);
        let (role, most) = match self.problem.passes {
            Passes::AsAsked { role, most } => (role, most),
            Passes::Twice(first, second) => {
                let Ruling { class, score, .. } = &result.ruling;
                let goes_on = pass == 1 && *class == Class::Accepted && score.is_none();
                let made = if first == Role::Interactor { folder.join(OUTPUT) } else { asked };
                return goes_on.then_some((second, made));
            }
        };
        // A link also asks for another pass, even if its target does not exist.
        if self.problem.style != Style::Icpc || asked.symlink_metadata().is_err() {
            return None;
        }
        let asks = format!("{} wrote {NEXT_PASS}", role.with_article());
        if !result.ruling.is_accepted() {
            if result.interactor.exit == Some(Exit::Code(ICPC_REJECTS)) {
                result.fail(format!("{asks}, but exited with code {ICPC_REJECTS} in the same pass"));
            }
        } else if pass < most {
            return Some((role, asked));
        } else if most == 1 {
            result.fail(format!(
                "{asks}, which asks for another pass, but the problem has one: \"judge run --problem\" runs packages of the \
                 type multi-pass"
            ));
        } else {
            result.fail(format!("{asks} in pass {pass}, but the problem has at most {most} passes"));
        }
        None
    }

    /// Returns the command of the program that decides on a pass, and its style. `output` is the file with the output of
    /// the bot if the program runs after it, and `bot` as for [`Style::command`].
    fn command(
        &self,
        role: Role,
        case: &TestCase,
        folder: &Path,
        output: &Path,
        bot: &[OsString],
    ) -> (Vec<OsString>, Style) {
        let style = self.problem.style;
        match role {
            Role::Interactor | Role::Validator => {
                let words = case.interactor.as_deref().unwrap_or(words_of(self.problem.interactor.as_ref()));
                (style.command(words, case, folder, bot), style)
            }
            Role::Checker => {
                let files = [case.input(), output.into(), case.answer()];
                ([words_of(self.problem.checker.as_ref()), &files[..]].concat(), Style::Testlib)
            }
            Role::Between => (
                [words_of(self.problem.between.as_ref()), &[case.input(), output.into()][..]].concat(),
                Style::Plain,
            ),
        }
    }

    fn shown_command(&self, role: Role, number: u32, case: &TestCase) -> Vec<OsString> {
        let folder = Path::new(SHOWN_FOLDER);
        let input = if number == 1 { case.input.clone() } else { Some(shown_next_pass()) };
        let case = &TestCase { input, ..case.clone() };
        let bot = match &self.fifos {
            Some(fifos) => fifos.manager_args(Some(folder)),
            None => self.problem.bot.command().to_vec(),
        };
        let (command, style) = self.command(role, case, folder, &folder.join(OUTPUT), &bot);
        match &case.input {
            Some(input) if style.has_input_on_stdin(words_of(self.problem.interactor.as_ref())) => {
                by_script(&command, input.into(), r#"exec "$@" <"$0""#)
            }
            _ => command,
        }
    }

    /// Runs the bot once. `folder` is for the files of the program that decides, `bytes_left` the size of the record.
    fn pass(
        &self,
        number: u32,
        mut conditions: Conditions,
        case: &TestCase,
        folder: &Path,
        bytes_left: Option<usize>,
    ) -> anyhow::Result<TrialResult> {
        let role = conditions.terms.role;
        let output = self.folder.path().join(OUTPUT);
        let stand_in = self.stand_in.as_ref().filter(|_| role == Role::Interactor);
        // A tester, and the processes of one bot, may compute at the same time.
        let take_turns = stand_in.is_none() && self.problem.seats.count == 1;
        let _processor = take_turns.then(|| OneProcessor::choose(false));
        let bot = match (stand_in, &self.fifos) {
            (Some(stand_in), _) => vec![stand_in.path.clone().into()],
            (None, Some(fifos)) => fifos.manager_args(None),
            (None, None) => Vec::new(),
        };
        let (command, style) = self.command(role, case, folder, &output, &bot);
        (conditions.style, conditions.terms.starts_bot) = (style, style == Style::Launcher);
        let started = match role {
            Role::Interactor if stand_in.is_some() => {
                let is_on_stdin = style.has_input_on_stdin(words_of(self.problem.interactor.as_ref()));
                let input = if is_on_stdin { case.input() } else { "/dev/null".into() };
                // The judge reads a tester's stderr, so its stdout joins that.
                by_script(&command, input, r#"exec "$@" <"$0" >&2"#)
            }
            Role::Interactor if self.fifos.is_some() => manager(&command, case, folder)?,
            Role::Interactor => command,
            Role::Validator | Role::Checker | Role::Between => {
                // Such a program reads a file after the bot has ended, so the two programs cannot wait for each other.
                // With an idle limit above the wall limit, only the wall limit can be reached.
                let limits = &mut conditions.terms.interactor_limits;
                limits.idle = limits.wall.saturating_mul(2);
                let next_pass = folder.join(NEXT_PASS);
                let printed = if role == Role::Validator { Path::new("/dev/null") } else { &next_pass };
                after_bot(&command, case, &output, printed)
            }
        };
        // A process of the last tester may have started the bot after the end of its run.
        if let Some(stand_in) = stand_in {
            stand_in.is_started_again();
        }
        self.interactor.begin_start(&started)?;
        let mut bot_command = [self.problem.bot.command(), &case.bot_args].concat();
        if stand_in.is_none() {
            self.begin_bots(&bot_command)?;
        }
        let start = Instant::now();
        let mut interactor = self
            .interactor
            .spawn_party(conditions.terms.interactor_limits)
            .with_context(|| format!("{} could not be started", role.with_article()))?;
        let mut events = Vec::new();
        if let Some(stand_in) = stand_in {
            let Some(args) = interactor.await_start_of_bot(stand_in, &mut events)? else {
                events.extend(interactor.end());
                let interaction = self.record(start, bytes_left);
                let finished = Finished::without_bot(conditions, interaction, events);
                return Ok(self.result(number, case, folder, finished, start.elapsed()));
            };
            bot_command.extend(args);
            self.begin_bots(&bot_command)?;
        }
        let bot_start = Instant::now();
        let bots = self.bots.iter().map(|warden| warden.spawn_party(conditions.terms.limits));
        let mut bots = bots.collect::<anyhow::Result<Vec<_>>>()?;
        if let Some(fifos) = &self.fifos {
            const CONTEXT: &str = "the named pipes of the manager cannot be used";
            interactor.use_fifos(&fifos.manager).context(CONTEXT)?;
            for (bot, fifos) in bots.iter_mut().zip(fifos.bots.chunks(1)) {
                bot.use_fifos(fifos).context(CONTEXT)?;
            }
        }
        let mut relay = Relay::new(bots, interactor);
        let held_by = relay.held_by();
        let interaction = self.record(bot_start, bytes_left);
        let mut conversation = Conversation::new(&mut relay, conditions, folder, interaction);
        conversation.note(&events)?;
        let mut finished = conversation.run()?;
        let wall = start.elapsed();
        // In the first of two passes, what the interactor has written is the input of the second.
        let is_checked = role == Role::Interactor
            && (matches!(self.problem.passes, Passes::AsAsked { .. }) || number == 2);
        let facts = &mut finished.facts;
        let checked = if is_checked { self.ask_checker(number, case, folder, facts)? } else { None };
        let mut result =
            TrialResult { held_by, checked, ..self.result(number, case, folder, finished, wall) };
        let verdict = result.ruling.verdict;
        let is_fault_of_bot = matches!(verdict, Verdict::TimeCpu | Verdict::TimeWall)
            || TestOutcome::of(verdict) == Some(TestOutcome::Crashed);
        if stand_in.is_some_and(StandIn::is_started_again) && !is_fault_of_bot {
            let reason = "the interactor started the bot again: the judge runs the bot once for each test";
            let before = format!("before that: {}", result.ruling.reason);
            result.ruling = Ruling::new(Class::InteractorWrongStyle, reason).why(before);
        }
        Ok(result)
    }

    fn record(&self, start: Instant, bytes_left: Option<usize>) -> Interaction {
        let mut record = Interaction::new(start, bytes_left);
        record.has_all_stderr = self.records_stderr;
        record.has_several_processes = self.problem.seats.count > 1;
        record
    }

    fn begin_bots(&self, words: &[OsString]) -> anyhow::Result<()> {
        for (seat, warden) in self.bots.iter().enumerate() {
            let Some(fifos) = &self.fifos else {
                warden.begin_start(words)?;
                continue;
            };
            let words = [words, &self.problem.seats.bot_args(seat, fifos)].concat();
            let words = match self.problem.seats.io {
                BotIo::Std => words,
                // What a bot prints to stdout is not for the manager then.
                BotIo::Fifo => by_script(&words, "/dev/null".into(), r#"exec "$@" <"$0" >&2"#),
            };
            warden.begin_start(&words)?;
        }
        Ok(())
    }

    fn result(
        &self,
        number: u32,
        case: &TestCase,
        folder: &Path,
        finished: Finished,
        wall: Duration,
    ) -> TrialResult {
        let mut ruling = finished.ruling();
        let Finished { facts, mut bots, mut interactor, interaction, .. } = finished;
        bots.iter_mut().chain([&mut interactor]).for_each(|program| program.wall = wall);
        let role = facts.terms.role;
        // The kernel may have ended the interactor at a limit. At the idle limit of both programs it does not.
        let is_at_limit = facts.interactor.as_ref().is_some_and(|facts| facts.late_limit.is_some())
            || matches!(facts.end, End::Limit(Side::Interactor, _) | End::Output(Side::Interactor, _));
        interactor.exit = interactor.exit.filter(|_| !is_at_limit);
        for text in [&mut interactor.stderr.head, &mut interactor.stderr.tail] {
            *text = self.with_typed_paths(case, folder, text);
        }
        for text in ruling.why.iter_mut().chain([&mut ruling.reason]) {
            let typed = self.with_typed_paths(case, folder, text.as_bytes());
            *text = String::from_utf8_lossy(&typed).into_owned();
        }
        TrialResult {
            ruling,
            bots: vec![bots],
            interactor,
            role,
            held_by: None,
            interactor_command: self.shown_command(role, number, case),
            checked: None,
            doubtful: facts.is_doubtful(),
            judge_message: String::new(),
            interactions: vec![interaction],
        }
    }

    /// Replaces paths that a program names as the judge gave them to it: those of temporary folders, and those of the files
    /// that the user named by other paths.
    fn with_typed_paths(&self, case: &TestCase, folder: &Path, text: &[u8]) -> Vec<u8> {
        let folder_of = |path: Option<&Path>| Some(path?.parent()?.join(""));
        let temporary = [folder, self.folder.path()].map(|path| (path.to_owned(), SHOWN_FOLDER.into()));
        let of_test = folder_of(case.input.as_deref()).zip(folder_of(case.shown_input()));
        let here = env::current_dir().ok().map(|here| (here.join(""), PathBuf::new()));
        let is_long = |(path, _): &(PathBuf, PathBuf)| path.is_absolute() && path.parent().is_some();
        let paths: Vec<_> = temporary.into_iter().chain(of_test).chain(here).filter(is_long).collect();
        let paths: Vec<_> = paths
            .iter()
            .map(|(path, typed)| (path.as_os_str().as_bytes(), typed.as_os_str().as_bytes()))
            .collect();
        with_values(text, &paths)
    }

    /// Lets the checker decide, if there is one and the interactor has accepted, under the limits of the interactor.
    fn ask_checker(
        &self,
        number: u32,
        case: &TestCase,
        folder: &Path,
        facts: &mut Facts,
    ) -> anyhow::Result<Option<Checked>> {
        let (Some(checker), Some(decision)) = (&self.checker, &mut facts.decision) else { return Ok(None) };
        if decision.class != Class::Accepted || decision.score.is_some() {
            return Ok(None);
        }
        let (command, _) = self.command(Role::Checker, case, folder, &folder.join(OUTPUT), &[]);
        let checked = checker.run_to_end(&command, &[], self.problem.interactor_limits);
        let ProgramOutput { ended, stderr, .. } = checked.context("the checker could not be run")?;
        let stderr = String::from_utf8_lossy(&stderr);
        let failed = |what: &str| Decision::Failed(Class::CheckerFailed, what.to_owned());
        let (exit, by_checker) = match ended {
            // It reads no line of the bot, only what the interactor has written.
            Ended::Exited(exit @ Exit::Code(1)) if stderr.contains(TRACEBACK) => {
                (Some(exit), failed("ended with an exception"))
            }
            Ended::Exited(exit) => (Some(exit), Style::Testlib.decision(exit, &stderr, Path::new(""), false)),
            ended => (None, failed(&ended.to_string())),
        };
        let message = Style::Testlib.message(&stderr, Path::new(""));
        *decision = by_decision(Role::Checker, &by_checker, &message, self.problem.full_score);
        facts.interactor.iter_mut().for_each(|facts| facts.message.clone_from(&message));
        Ok(Some(Checked { command: self.shown_command(Role::Checker, number, case), exit }))
    }
}

/// Returns the command of a program of the run; empty if there is no such program.
fn words_of(program: Option<&ProblemProgram>) -> &[OsString] {
    program.map_or(&[], |program| &program.command)
}

/// Returns whether a word of a tester's command names a file with the text of a line with a score.
fn names_score(word: &OsString) -> bool {
    /// Maximum size of such a file, in bytes.
    const MAX_TESTER: u64 = 64 << 20;
    let is_short = fs::metadata(word).is_ok_and(|data| data.is_file() && data.len() <= MAX_TESTER);
    let program = is_short.then(|| fs::read(word).ok()).flatten();
    program.is_some_and(|program| memchr::memmem::find(&program, SCORE.as_bytes()).is_some())
}

/// Moves the input of the next pass to `input`. The two folders may be on different file systems. Fails if the file is
/// not a regular file, or is larger than `limit`.
fn take_input(next_pass: &Path, input: &Path, limit: u64) -> io::Result<()> {
    let mut file = open_regular(next_pass)?.take(limit.saturating_add(1));
    if io::copy(&mut file, &mut File::create(input)?)? > limit {
        return Err(io::Error::other(format!("it is larger than {} MiB", limit >> 20)));
    }
    fs::remove_file(next_pass)
}
