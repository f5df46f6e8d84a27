//! The facts about a conversation. [`decide`](crate::conversation::decide::decide) knows nothing else.

use std::time::Duration;

use runner::event::{Event, Exit, Limit, LimitReport, Usage};
use runner::limits::{LINE_LIMIT, Limits, OUTPUT_LIMIT};
use runner::relay::Side;
use runner::stderr_excerpt::StderrExcerpt;

use crate::conversation::language::CommandLanguage;
use crate::conversation::last_lines::LastLines;
use crate::conversation::role::Role;
use crate::conversation::stall::was_quiet;
use crate::conversation::verdict::{Class, Ruling};

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum End {
    /// The referee decided by itself.
    Decision,
    /// The bot ended or closed its output before the referee had decided.
    Bot,
    /// A program reached a limit other than the idle limit.
    Limit(Side, Box<LimitReport>),
    /// A program wrote more than this number of bytes, to stdout or to stdout and stderr together.
    Output(Side, OutputLimit),
    /// The bot's line came after the wall time was used up.
    Late {
        waited: Duration,
    },
    Stall(Box<Stall>),
    Interrupted,
    /// The judge could not continue, for this reason.
    Failed(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutputLimit {
    pub(crate) bytes: u64,
    pub(crate) with_stderr: bool,
}

/// The output limit in games, and for a problem that sets none.
pub(crate) const DEFAULT_OUTPUT: OutputLimit = OutputLimit { bytes: OUTPUT_LIMIT as u64, with_stderr: false };

/// A bot and a referee that wait for each other, and what the bot did when the judge told it that no answer will come.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stall {
    pub(crate) bot: LimitReport,
    /// The state of the interactor; `None` in a game, whose referee never waits for anything but the bot.
    pub(crate) interactor: Option<LimitReport>,
    /// The program that had written last; `None` if no program had written anything.
    pub(crate) last_writer: Option<Side>,
    /// Number of bytes that the bot was sent.
    pub(crate) sent: u64,
    pub(crate) reaction: Option<Reaction>,
    /// What the interactor wrote when its input was closed, after the bot had written nothing more. If the bot has written
    /// more, only what was in a buffer.
    pub(crate) late_interactor: Vec<u8>,
    /// Whether the bot wrote nothing more, and ended with an exception that loses what is in a writer's buffer.
    pub(crate) loses_output: bool,
}

impl Stall {
    pub(crate) fn of_bot(bot: LimitReport, sent: u64) -> Self {
        Self {
            bot,
            interactor: None,
            last_writer: None,
            sent,
            reaction: None,
            late_interactor: Vec::new(),
            loses_output: false,
        }
    }
}

/// What a bot that waited did when the judge told it that no answer will come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reaction {
    /// What it wrote, a line or more; `None` if it only ended.
    pub(crate) line: Option<Vec<u8>>,
    pub(crate) to: Notice,
    pub(crate) flushing: Flushing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flushing {
    Unknown,
    /// It flushes every line. In a game, it ended with a Python traceback and without a line, although Python then
    /// flushes its output. Against an interactor, it called write(2) as often as it wrote lines.
    EveryLine,
    FewerWrites,
    /// It wrote the line only after the report of the exception with which it ended, so the line was in a buffer.
    AfterException,
}

/// How the judge tells a bot that no answer will come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    /// The last line of a game, `-1 -1`.
    LastLine,
    EndOfInput,
}

/// What is known about the two programs before they start, and how they are judged.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Terms {
    pub(crate) limits: Limits,
    pub(crate) interactor_limits: Limits,
    /// The languages of the bot and of the interactor.
    pub(crate) languages: [CommandLanguage; 2],
    pub(crate) is_bot_confined: bool,
    pub(crate) role: Role,
    /// Whether the interactor is a tester, which starts the bot itself and also sees how the bot exits.
    pub(crate) starts_bot: bool,
    pub(crate) excused: Excused,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct ProgramRecord {
    pub(crate) lines: u64,
    pub(crate) bytes: u64,
    pub(crate) stderr_bytes: u64,
    /// The last part of stdout.
    pub(crate) tail: Vec<u8>,
    pub(crate) stderr: StderrExcerpt,
    pub(crate) used: Usage,
    pub(crate) is_closed: bool,
    /// How the program ended by itself; `None` if it runs, or if the judge has ended it.
    pub(crate) exit: Option<Exit>,
    /// The time from the start of the conversation until the program ended or was ready for the next one; 0 before.
    pub(crate) wall: Duration,
}

impl ProgramRecord {
    pub(crate) fn note(&mut self, event: &Event) {
        match event {
            Event::Received(bytes) => {
                self.bytes += bytes.0.len() as u64;
                self.lines += memchr::memchr_iter(b'\n', &bytes.0).count() as u64;
                self.tail.extend(&bytes.0);
                // Remove bytes only now and then, because each removal moves the bytes that remain.
                if self.tail.len() > 8 * LINE_LIMIT {
                    self.tail.drain(..self.tail.len() - 2 * LINE_LIMIT);
                }
            }
            Event::Stderr(text) => {
                self.stderr_bytes += text.0.len() as u64;
                self.stderr.extend(&text.0);
            }
            Event::StderrOmitted(omitted) => self.stderr.omit(*omitted),
            Event::Used(used) => self.used = self.used.max(*used),
            Event::Closed => self.is_closed = true,
            Event::Exited(exit) => self.exit = Some(*exit),
            _ => {}
        }
    }

    /// Returns stderr as text, or only its last part if stderr is too long to be kept.
    pub(crate) fn stderr_text(&self) -> String {
        let bytes = self.stderr.whole().unwrap_or_else(|| self.stderr.tail.clone());
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// The facts about the bot: about the process that decides, if it has several.
#[derive(Clone, Debug, Default)]
pub(crate) struct BotFacts {
    /// The seat of this process, counted from 0; `None` if the bot has one process.
    pub(crate) seat: Option<usize>,
    /// The usage that counts: up to the decision in a game, up to the end against an interactor.
    pub(crate) used: Usage,
    /// How the bot ended; `None` if it did not end by itself.
    pub(crate) exit: Option<Exit>,
    /// Whether the judge had to end the bot after its grace time.
    pub(crate) is_killed: bool,
    /// Whether the bot had closed its output when the conversation ended.
    pub(crate) has_closed: bool,
    pub(crate) has_written: bool,
    /// The limit that the bot reached after the decision.
    pub(crate) late_limit: Option<LimitReport>,
    /// The output that nobody read: what the referee had not read when it decided, and what the bot wrote later.
    pub(crate) extra: Vec<u8>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct InteractorFacts {
    /// How the interactor ended; `None` if it did not end by itself.
    pub(crate) exit: Option<Exit>,
    /// Whether it decided before it received the end of the bot's output.
    pub(crate) decided_alone: bool,
    /// Whether it received the end of the bot's output before it decided or reached a limit.
    pub(crate) received_end: bool,
    /// Whether it had closed its output when the conversation ended, although the bot could still write.
    pub(crate) has_closed: bool,
    /// The limit that it reached after the bot had ended, even the idle limit.
    pub(crate) late_limit: Option<LimitReport>,
    pub(crate) message: String,
    pub(crate) last_lines: LastLines,
}

/// Which misbehaviour of a bot after it was accepted is excused, and becomes a note.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Excused {
    #[default]
    Nothing,
    Output,
    /// Such output, and a bot that does not end.
    OutputAndNoExit,
    /// All misbehaviour, as in a contest whose judge considers only the interactor's decision.
    Everything,
}

impl Excused {
    pub(crate) fn covers(self, class: Class) -> bool {
        match self {
            Self::Nothing => false,
            Self::Output => class == Class::ExtraOutput,
            Self::OutputAndNoExit => matches!(class, Class::ExtraOutput | Class::NoExit),
            Self::Everything => true,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct MissingLine {
    /// Its name in messages, such as `move 3`.
    pub(crate) name: String,
    /// Says that it did not come, such as `move 3 was not received`.
    pub(crate) missing: String,
}

#[derive(Clone, Debug)]
pub(crate) struct Facts {
    pub(crate) terms: Terms,
    pub(crate) end: End,
    /// What the referee decided, whenever that was; `None` if it decided nothing.
    pub(crate) decision: Option<Ruling>,
    /// The line that the referee expected when the conversation ended, if the referee expects certain lines.
    pub(crate) expected: Option<MissingLine>,
    pub(crate) bot: BotFacts,
    /// `None` in a game.
    pub(crate) interactor: Option<InteractorFacts>,
}

impl Facts {
    pub(crate) fn referee(&self) -> &'static str {
        if self.interactor.is_some() { self.terms.role.with_article() } else { "the judge" }
    }

    /// Returns the limit that the bot's usage exceeds. The kernel may have ended the bot at a limit before the judge
    /// measured it.
    pub(crate) fn exceeded(&self) -> Option<LimitReport> {
        self.bot.used.exceeded(&self.terms.limits)
    }

    /// Returns whether the wall time is in doubt because the machine may have been too busy: the program that used it up
    /// used little CPU time and did not sleep for long.
    pub(crate) fn is_doubtful(&self) -> bool {
        let Terms { limits, interactor_limits, .. } = &self.terms;
        let (wall, report) = match (&self.end, &self.interactor) {
            (End::Late { .. }, _) => return self.bot.used.cpu.is_some_and(|cpu| cpu < limits.wall / 2),
            (End::Limit(Side::Bot, report), _) => (limits.wall, Some(&**report)),
            // In a game, a bot that was idle may have reached the wall limit.
            (End::Stall(stall), None) => (limits.wall, Some(&stall.bot)),
            (End::Limit(Side::Interactor, report), _) => (interactor_limits.wall, Some(&**report)),
            (_, interactor) => {
                (interactor_limits.wall, interactor.as_ref().and_then(|facts| facts.late_limit.as_ref()))
            }
        };
        report.is_some_and(|report| {
            report.limit == Limit::Wall
                && !was_quiet(report, wall)
                && report.used.cpu.is_some_and(|cpu| cpu < wall / 2)
        })
    }
}

/// The signal of a segmentation fault. Its number is the same on every Unix.
pub(crate) const SIGSEGV: i32 = 11;
