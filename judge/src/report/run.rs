//! The report of a run: of a game, or of a bot against an interactor on a test. Its JSON is described in docs/json.md.
//! Text, the last line of a transcript, and pages are made from it too.

use std::ffi::OsString;
use std::iter;
use std::path::Path;
use std::time::Duration;

use itertools::{Itertools, chain};
use runner::escape::{printable, shell_word};
use runner::event::{Exit, Usage};
use runner::limits::HeldBy;
use runner::sandbox::Sandbox;
use runner::stderr_excerpt::shown_lines;
use serde::{Deserialize, Serialize};

use crate::SCHEMA;
use crate::conversation::facts::ProgramRecord;
use crate::conversation::role::Role;
use crate::conversation::verdict::{Class, Ruling};
use crate::json::{from_ms, ms};
use crate::referee::game::review::{Blunder, FinishedGame, Review};
use crate::referee::game::setup::{GameSetup, OpponentKind};
use crate::referee::interactor::style::TestCase;
use crate::text::{counted, shortened};
use crate::trials::problem::trial::{SHOWN_FOLDER, TrialResult, shown_next_pass};
use crate::units::{in_mib, in_ms};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RunReport {
    pub(crate) schema: u32,
    /// The name of the bot, or of the submission of a package, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) bot_name: Option<String>,
    /// The bot's command, if it is not known from elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) bot: Option<Vec<String>>,
    #[serde(flatten)]
    pub(crate) subject: RunSubject,
    #[serde(flatten)]
    pub(crate) ruling: Ruling,
    /// The number of the pass that decided.
    pub(crate) pass: u32,
    /// Whether repetitions of the same run ended in other ways.
    pub(crate) flaky: bool,
    /// If so, the classes of all of these runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) classes: Vec<Class>,
    pub(crate) passes: Vec<PassReport>,
    /// `None` for a game.
    pub(crate) referee: Option<RefereeReport>,
    /// How the bot's limits were enforced; `None` if they were not.
    pub(crate) limits: Option<HeldBy>,
    /// The command that repeats the run; `None` if it is not UTF-8.
    pub(crate) command: Option<String>,
    /// How well the bot played; `None` for a run against an interactor.
    pub(crate) review: Option<GameReview>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum RunSubject {
    Game {
        game: String,
        opponent: OpponentKind,
        seed: u64,
    },
    Test {
        /// The name of the test; `None` without an input.
        test: Option<String>,
        input: Option<String>,
        seed: u64,
    },
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PassReport {
    pub(crate) seats: Vec<ProgramReport>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ProgramReport {
    /// How the program ended; `None` if the judge ended it.
    pub(crate) exit: Option<Exit>,
    pub(crate) cpu_ms: Option<f64>,
    pub(crate) wall_ms: f64,
    pub(crate) memory_kib: Option<u64>,
    /// Maximum number of processes and threads at the same time.
    pub(crate) processes: Option<u64>,
    pub(crate) lines: u64,
    pub(crate) stderr: Vec<String>,
}

/// What the program that decided did, in all passes on which it decided.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RefereeReport {
    #[serde(default)]
    pub(crate) role: Role,
    pub(crate) command: Vec<String>,
    /// The command of the checker, if it decided after the interactor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) checker: Option<Vec<String>>,
    #[serde(flatten)]
    pub(crate) program: ProgramReport,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct GameReview {
    /// The bot's side; `None` if it never named one.
    pub(crate) side: Option<String>,
    pub(crate) moves: usize,
    /// How long the judge waited for the bot's lines in total.
    pub(crate) waited_ms: f64,
    /// The number of the move for which the judge waited longest, or 0 for the choice of the side.
    pub(crate) slowest_ply: Option<u64>,
    pub(crate) slowest_ms: Option<f64>,
    /// Whether the machine may have been too busy, so that the game was to be repeated.
    pub(crate) doubtful: bool,
    /// The side that wins the start with perfect play. This field, `blunders` and `opponent_blunders` are `None` if the
    /// tables of nimbers would be too large, or if the bot never named its side.
    pub(crate) winner: Option<String>,
    // A replay reviews a recorded game again.
    #[serde(skip_deserializing)]
    pub(crate) blunders: Option<Vec<Blunder>>,
    pub(crate) opponent_blunders: Option<u64>,
    pub(crate) resigned_won: bool,
    pub(crate) text: Vec<String>,
}

impl RunReport {
    fn new(subject: RunSubject, ruling: Ruling) -> Self {
        Self {
            schema: SCHEMA,
            bot_name: None,
            bot: None,
            subject,
            ruling,
            pass: 0,
            flaky: false,
            classes: Vec::new(),
            passes: Vec::new(),
            referee: None,
            limits: None,
            command: None,
            review: None,
        }
    }

    /// Creates the report about a source that does not compile. `messages` are the last lines of the compiler.
    pub(crate) fn uncompiled(class: Class, reason: String, messages: Vec<String>) -> Self {
        let ruling = Ruling { why: messages, ..Ruling::new(class, reason) };
        Self::new(RunSubject::Test { test: None, input: None, seed: 1 }, ruling)
    }

    /// `again` is the command that repeats the run, if all its words are UTF-8.
    pub(crate) fn of_trial(test: &TestCase, result: &TrialResult, again: Option<String>) -> Self {
        let input = test.shown_input().map(|input| input.to_string_lossy().into_owned());
        let name = input.as_ref().map(|_| test.name.clone());
        let subject = RunSubject::Test { test: name, input, seed: test.seed };
        let text = |words: &[OsString]| -> Vec<String> {
            words.iter().map(|word| word.to_string_lossy().into_owned()).collect()
        };
        let pass = |bots: &Vec<ProgramRecord>| PassReport { seats: bots.iter().map(Into::into).collect() };
        Self {
            pass: result.passes(),
            passes: result.bots.iter().map(pass).collect(),
            referee: Some(RefereeReport {
                role: result.role,
                command: text(&result.interactor_command),
                checker: result.checked.as_ref().map(|checked| text(&checked.command)),
                program: (&result.interactor).into(),
            }),
            limits: result.held_by,
            command: again,
            ..Self::new(subject, result.ruling.clone())
        }
    }

    /// Adds the classes of repetitions of the run that ended in other ways, if there are any.
    pub(crate) fn repeated(&mut self, others: impl IntoIterator<Item = Class>) {
        let mut others = others.into_iter().peekable();
        self.flaky = others.peek().is_some();
        if self.flaky {
            self.classes = others.chain([self.ruling.class]).sorted().dedup().collect();
        }
    }

    /// Adds that a sandbox may have refused something, if a message of the bot or of the program that decided says so.
    pub(crate) fn explain_refusals(&mut self, bot: Sandbox, referee: Sandbox) {
        const WRITES_NOTHING: &str = "it can write no file";
        if self.ruling.is_accepted() {
            return;
        }
        let mut refused = Vec::new();
        if bot != Sandbox::None && shows_refusal(&self.stderr()) {
            refused.push(("the bot", WRITES_NOTHING));
        }
        if let Some(RefereeReport { role, checker, program, .. }) = &self.referee
            && referee != Sandbox::None
            && shows_refusal(chain!(&program.stderr, [&self.ruling.reason], &self.ruling.why))
        {
            refused.push(if *role != Role::Checker && checker.is_none() {
                (role.with_article(), "it can write only in its own folder")
            } else {
                (Role::Checker.with_article(), WRITES_NOTHING)
            });
        }
        for (who, may_write) in refused {
            self.ruling.why.push(format!(
                "something was refused to {who}, maybe by the sandbox: in it, {may_write}, open no socket and no device, and \
                 change no attribute of a file"
            ));
        }
    }

    pub(crate) fn name(&self) -> String {
        match &self.subject {
            RunSubject::Game { game, opponent, seed } => {
                let side = self.review.as_ref().and_then(|review| review.side.as_ref());
                let role = side.map_or_else(String::new, |side| format!(" as {side}"));
                format!("{}{role} against {} (seed {seed})", shortened(game), opponent.name())
            }
            RunSubject::Test { test, seed, .. } => {
                let seed = if *seed == 1 { String::new() } else { format!(" (seed {seed})") };
                format!("{}{seed}", test.as_deref().unwrap_or("without input"))
            }
        }
    }

    pub(crate) fn wall(&self) -> Duration {
        let bots = self.passes.iter().filter_map(|pass| pass.seats.first());
        bots.map(|bot| from_ms(bot.wall_ms)).fold(Duration::ZERO, Duration::saturating_add)
    }

    /// Returns the largest CPU time, memory and number of processes of the bot in any pass.
    pub(crate) fn used(&self) -> Usage {
        let of_program = |program: &ProgramReport| Usage {
            cpu: program.cpu_ms.map(from_ms),
            memory: program.memory_kib.map(|kib| kib.saturating_mul(1 << 10)),
            processes: program.processes,
        };
        let of_seats =
            |pass: &PassReport| pass.seats.iter().map(of_program).fold(Usage::default(), Usage::with_process);
        self.passes.iter().map(of_seats).fold(Usage::default(), Usage::max)
    }

    /// Returns the bot's stderr in the last pass, with the number of the process if there are several.
    pub(crate) fn stderr(&self) -> Vec<String> {
        match self.passes.last().map(|pass| &pass.seats[..]) {
            None | Some([]) => Vec::new(),
            Some([bot]) => bot.stderr.clone(),
            Some(bots) => {
                let lines = bots.iter().enumerate().flat_map(|(at, bot)| iter::repeat(at).zip(&bot.stderr));
                lines.map(|(process, line)| format!("{process}: {line}")).collect()
            }
        }
    }

    pub(crate) fn statistics(&self) -> String {
        let wall = in_ms(self.wall());
        let Usage { cpu, memory, .. } = self.used();
        let bots = self.passes.iter().flat_map(|pass| &pass.seats);
        let lines = bots.fold(0_u64, |lines, bot| lines.saturating_add(bot.lines));
        let mut parts = vec![match &self.review {
            Some(review) => format!("{} in {wall}", counted(review.moves as u64, "move")),
            None => format!("{} of the bot in {wall}", counted(lines, "line")),
        }];
        parts.extend(cpu.map(|cpu| format!("CPU {}", in_ms(cpu))));
        parts.extend(memory.map(in_mib));
        if let Some(GameReview { slowest_ply: Some(ply), slowest_ms: Some(wait), .. }) = self.review {
            let what = if ply == 0 { "the side".to_owned() } else { format!("move {ply}") };
            parts.push(format!("slowest answer: {what}, {}", in_ms(from_ms(wait))));
        }
        if let Some(RefereeReport { role, program: ProgramReport { cpu_ms: Some(cpu), .. }, .. }) =
            &self.referee
        {
            parts.push(format!("CPU of {} {}", role.with_article(), in_ms(from_ms(*cpu))));
        }
        parts.extend(self.limits.map(|by| format!("limits by {by}")));
        parts.join("; ")
    }
}

/// Returns the command that repeats a run or a game, for a person.
pub(crate) fn shown_command(command: Option<&str>) -> String {
    command.map_or("the command is not valid UTF-8 and cannot be shown".to_owned(), printable)
}

impl From<&ProgramRecord> for ProgramReport {
    fn from(record: &ProgramRecord) -> Self {
        Self {
            exit: record.exit,
            cpu_ms: record.used.cpu.map(ms),
            wall_ms: ms(record.wall),
            memory_kib: record.used.memory.map(|bytes| bytes >> 10),
            processes: record.used.processes,
            lines: record.lines,
            stderr: shown_lines(&record.stderr),
        }
    }
}

impl RefereeReport {
    /// Returns the commands of the programs that decided, without those that need the input of a later pass.
    pub(crate) fn shell_commands(&self) -> impl Iterator<Item = (Role, String)> {
        let checker = self.checker.iter().map(|command| (Role::Checker, command));
        let of_first_pass = |(_, command): &(_, &Vec<String>)| {
            command.iter().all(|word| Path::new(word) != shown_next_pass())
        };
        [(self.role, &self.command)]
            .into_iter()
            .chain(checker)
            .filter(of_first_pass)
            .map(|(role, command)| (role, shell_command(role, command)))
    }
}

fn shows_refusal<'a>(lines: impl IntoIterator<Item = &'a String>) -> bool {
    const SIGNS: [&str; 4] = ["ermission denied", "peration not permitted", "EACCES", "EPERM"];
    lines.into_iter().any(|line| SIGNS.iter().any(|sign| line.contains(sign)))
}

/// Returns a command for a shell, which makes the program's folder. `OUTPUT` is the output that the program reads.
fn shell_command(role: Role, command: &[String]) -> String {
    const READ: &str = "OUTPUT";
    let quoted = |word: &String| match word.strip_prefix(SHOWN_FOLDER) {
        Some("/output") if role != Role::Interactor => READ.to_owned(),
        Some(file @ ("/" | "/output")) => format!("\"$(mktemp -d){file}\""),
        _ => shell_word(word).unwrap_or_else(|_| word.clone()),
    };
    let words = command.iter().map(quoted).join(" ");
    if role == Role::Validator { format!("{words} <{READ}") } else { words }
}

impl From<&FinishedGame> for RunReport {
    fn from(game: &FinishedGame) -> Self {
        let FinishedGame { setup, result, review } = game;
        let GameSetup { header, opponent, seed, .. } = &setup.game;
        let subject = RunSubject::Game { game: header.to_string(), opponent: *opponent, seed: *seed };
        let known = review.as_ref().and_then(|review| review.as_ref().ok());
        let review = GameReview {
            side: result.side.map(|side| side.to_string()),
            moves: result.moves.len(),
            waited_ms: ms(result.timing.waited),
            slowest_ply: result.timing.slowest.map(|(ply, _)| ply),
            slowest_ms: result.timing.slowest.map(|(_, wait)| ms(wait)),
            doubtful: result.doubtful,
            winner: known.map(|review| review.winner.to_string()),
            blunders: known.map(|review| review.blunders.clone()),
            opponent_blunders: known.map(|review| review.opponent_blunders),
            resigned_won: game.has_resigned_a_won_position(),
            text: match review {
                None => Vec::new(),
                Some(Err(reason)) => vec![format!("not available: {reason}")],
                Some(Ok(review)) => sentences(game, review),
            },
        };
        let mut report = Self {
            bot_name: setup.config.name.clone(),
            bot: Some(setup.config.bot_words()),
            pass: 1,
            passes: vec![PassReport { seats: vec![(&result.bot).into()] }],
            limits: setup.held_by,
            command: game.command(),
            review: Some(review),
            ..Self::new(subject, result.ruling.clone())
        };
        report.explain_refusals(setup.config.sandbox, Sandbox::None);
        report
    }
}

fn sentences(game: &FinishedGame, review: &Review) -> Vec<String> {
    let side = game.result.side.map_or_else(String::new, |side| format!("; the bot was {side}"));
    let is_side_wrong = review.blunders.first().is_some_and(|blunder| blunder.ply == 0);
    let winner = (!is_side_wrong).then(|| format!("with perfect play {} wins{side}", review.winner));
    let blunders = review.blunders.iter().map(ToString::to_string);
    let mut text = winner.into_iter().chain(blunders).take(2).collect_vec();
    if game.has_resigned_a_won_position() {
        text.push("the bot resigned a position that it could have won".to_owned());
    }
    let (bot, opponent) = (review.blunders.len() as u64, review.opponent_blunders);
    if bot > 0 || opponent > 0 {
        text.push(format!("{} by the bot, {opponent} by its opponent", counted(bot, "blunder")));
    }
    text
}
