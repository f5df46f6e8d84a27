//! The styles of interactors: their commands, and how they say what they decided.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::symlink;
use std::path::{self, Path, PathBuf};

use anyhow::Context;
use clap::ValueEnum;
use itertools::Itertools;
use runner::escape::with_values;
use runner::event::Exit;
use runner::stderr_excerpt::TRACEBACK;

use crate::conversation::verdict::Class;
use crate::text::{open_regular, shortened_to};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Style {
    /// Arguments INPUT, OUTPUT, and ANSWER if there is one; exit code 0 accepts, 1, 2, 4 and 8 reject, 3 is a failure,
    /// 7 and codes from 16 on give a score, but not 42 and 43
    Testlib,
    /// Arguments INPUT ANSWER FOLDER; exit code 42 accepts, 43 rejects
    Icpc,
    /// Arguments as typed, with {input}, {answer} and {seed} replaced; exit code 0 accepts, any other rejects
    Plain,
    /// A tester that starts the bot itself, as {bot}: arguments as for plain, without {input} the input is on its stdin;
    /// exit code 0 accepts, but not with an error in its output, or if its last line `Score = N` has no N above 0
    Launcher,
    /// A manager of CMS, which talks to one or more processes of the bot: arguments are two named pipes for each, the input
    /// is on its stdin and in input.txt; it prints a score from 0 to 1
    Cms,
    /// Arguments INPUT ANSWER; exit code 0 accepts, 1 rejects. Only `init.yml` of DMOJ names this style and the next one.
    #[value(skip)]
    Dmoj,
    /// As `Dmoj`; exit code 2 rejects too, and 7 gives a share of the points
    #[value(skip)]
    Coci,
}

/// A test: its files and seed, and the additional arguments of both programs.
#[derive(Clone, Debug, Default)]
pub(crate) struct TestCase {
    /// The path of the input. In a package, for example the path below `data`, without `.in`.
    pub(crate) name: String,
    pub(crate) input: Option<PathBuf>,
    pub(crate) answer: Option<PathBuf>,
    /// For a test of a package: the path of the input, beginning with the package's folder as it was typed.
    pub(crate) typed_input: Option<PathBuf>,
    pub(crate) seed: u64,
    /// Additional arguments of an interactor in the style icpc.
    pub(crate) args: Vec<OsString>,
    pub(crate) bot_args: Vec<OsString>,
    /// The command of this test's interactor, if it is not that of all tests.
    pub(crate) interactor: Option<Vec<OsString>>,
}

impl TestCase {
    /// Creates a test without additional arguments. Its name is the path of its input.
    pub(crate) fn new(input: PathBuf, answer: Option<PathBuf>) -> Self {
        Self { name: input.to_string_lossy().into_owned(), input: Some(input), answer, ..Self::default() }
    }

    pub(crate) fn input(&self) -> OsString {
        self.input.as_ref().map_or_else(|| NOTHING.into(), OsString::from)
    }

    pub(crate) fn answer(&self) -> OsString {
        self.answer.as_ref().map_or_else(|| NOTHING.into(), OsString::from)
    }

    pub(crate) fn shown_input(&self) -> Option<&Path> {
        self.typed_input.as_deref().or(self.input.as_deref())
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Decision {
    Accepted,
    /// Accepted with a score whose best value is not known.
    Scored(f64),
    /// A score on the problem's own scale, of which only the best one is accepted.
    Partial(f64),
    Wrong,
    /// The interactor did not decide. The text says what the interactor did instead.
    Failed(Class, String),
}

/// The placeholders for the path of the input, and for the bot that a tester starts.
pub(crate) const INPUT: &str = "{input}";
pub(crate) const BOT: &str = "{bot}";

pub(crate) const SCORE: &str = "Score =";

/// The beginning of the line by which the testing tools of ICPC report an error.
const ERROR: &str = "Error:";

/// The file that stands for a missing input or answer.
const NOTHING: &str = "/dev/null";

/// Name of the file that an interactor in testlib style writes for a checker.
pub(crate) const OUTPUT: &str = "output";

/// Names of the files with the input and with the output of a manager of CMS, in the folder in which it runs.
const MANAGER_INPUT: &str = "input.txt";
const MANAGER_OUTPUT: &str = "stdout.txt";

const JUDGE_MESSAGE: &str = "judgemessage.txt";

/// The smallest exit code that is a score in the style testlib, if no message on stderr gives one.
const MIN_SCORE: i32 = 16;

pub(crate) const ICPC_ACCEPTS: i32 = 42;
pub(crate) const ICPC_REJECTS: i32 = 43;

/// Maximum number of bytes that are read of a file that an interactor has written.
const MAX_FILE: u64 = 64 << 10;

/// Maximum number of characters of a line of a message.
const MAX_LINE: usize = 500;

impl Style {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Testlib => "testlib",
            Self::Icpc => "icpc",
            Self::Plain => "plain",
            Self::Launcher => "launcher",
            Self::Cms => "cms",
            Self::Dmoj => "dmoj",
            Self::Coci => "coci",
        }
    }

    /// Returns the style that the words of a command show: launcher if it names the place of the bot.
    pub(crate) fn of_command(words: &[OsString]) -> Option<Self> {
        words.iter().any(|word| word.to_string_lossy().contains(BOT)).then_some(Self::Launcher)
    }

    /// Returns the style that the source of an interactor shows: testlib if it names `testlib.h`, icpc if it has both
    /// exit codes of that style or includes `validate.h` of Kattis, which has them, else plain.
    pub(crate) fn of_source(source: &str) -> Self {
        let has_number = |number: &str| {
            let words = source.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            words.into_iter().any(|word| word == number)
        };
        if source.contains("testlib.h") {
            Self::Testlib
        } else if has_number("42") && has_number("43") || source.contains("validate.h") {
            Self::Icpc
        } else {
            Self::Plain
        }
    }

    /// Returns the words that start the interactor `command` for a test. `folder` is an empty folder for its files. `bot`
    /// is the command by which a tester starts the bot, or the named pipes by which a manager talks to it.
    pub(crate) fn command(
        self,
        command: &[OsString],
        case: &TestCase,
        folder: &Path,
        bot: &[OsString],
    ) -> Vec<OsString> {
        let mut words = command.to_vec();
        match self {
            Self::Testlib => {
                words.extend([case.input(), folder.join(OUTPUT).into()]);
                words.extend(case.answer.iter().map(OsString::from));
            }
            Self::Icpc => {
                // By the format of problem packages, the name of the folder ends with a slash.
                let mut feedback = folder.as_os_str().to_owned();
                feedback.push("/");
                words.extend([case.input(), case.answer(), feedback]);
                words.extend(case.args.iter().cloned());
            }
            Self::Dmoj | Self::Coci => words.extend([case.input(), case.answer()]),
            Self::Cms => words.extend(bot.iter().cloned()),
            Self::Plain | Self::Launcher => {
                let values = [
                    (INPUT, case.input()),
                    ("{answer}", case.answer()),
                    ("{seed}", case.seed.to_string().into()),
                    (BOT, bot.join(OsStr::new(" "))),
                ];
                let values = values.each_ref().map(|(name, value)| (name.as_bytes(), value.as_bytes()));
                // Only a tester starts the bot.
                let values = if self == Self::Launcher { &values[..] } else { &values[..3] };
                let replaced = |word: &OsString| match self {
                    Self::Launcher if word == BOT => bot.to_vec(),
                    _ => vec![OsString::from_vec(with_values(word.as_bytes(), values))],
                };
                words = words.iter().flat_map(replaced).collect();
            }
        }
        words
    }

    /// Returns whether a tester with this command, or a manager, gets the input on stdin.
    pub(crate) fn has_input_on_stdin(self, command: &[OsString]) -> bool {
        self == Self::Cms
            || self == Self::Launcher && !command.iter().any(|word| word.to_string_lossy().contains(INPUT))
    }

    /// Returns the decision that follows from the interactor's exit code, from the last part of its `stderr`, and from
    /// files in `folder`. `gives_scores` is whether it is a tester whose program has the text of a line with a score.
    pub(crate) fn decision(self, exit: Exit, stderr: &str, folder: &Path, gives_scores: bool) -> Decision {
        let Exit::Code(code) = exit else {
            return Decision::Failed(Class::InteractorCrash, exit.to_string());
        };
        let wrong_style = |what: String| {
            let has_crashed = stderr.contains(TRACEBACK);
            let class = if has_crashed { Class::InteractorCrash } else { Class::InteractorWrongStyle };
            Decision::Failed(class, what)
        };
        let exited = |how: &str| wrong_style(format!("exited with code {code}{how}"));
        if self == Self::Testlib
            && !matches!(code, 0 | 2 | 3 | 4 | 8)
            && let Some(score) = score_of_message(stderr)
        {
            return Decision::Partial(score);
        }
        match (self, code) {
            (Self::Launcher, 0) => match score_of_tester(stderr) {
                Some(score) if score > 0.0 => Decision::Scored(score),
                None if !gives_scores && !reports_error(stderr) => Decision::Accepted,
                _ => Decision::Wrong,
            },
            (Self::Cms, 0) => {
                score_of_manager(&part_of(&folder.join(MANAGER_OUTPUT), false).unwrap_or_default())
            }
            (Self::Testlib | Self::Plain | Self::Dmoj | Self::Coci, 0) => Decision::Accepted,
            (Self::Testlib, 3) => {
                let what = "reported a failure of its own, with exit code 3";
                Decision::Failed(Class::InteractorCrash, what.to_owned())
            }
            (Self::Testlib, 7) => exited(", but named no points on stderr"),
            // Hardly a score: most of these programs are validators that were given as a checker.
            (Self::Testlib, ICPC_ACCEPTS | ICPC_REJECTS) => {
                let does = if code == ICPC_ACCEPTS { "accept" } else { "reject" };
                exited(&format!(
                    ", as a validator of the style icpc does to {does}; in the style testlib, the exit code is 0 to accept \
                     or 1 to reject"
                ))
            }
            (Self::Testlib, MIN_SCORE..) => Decision::Partial(f64::from(code)),
            (Self::Icpc, ICPC_ACCEPTS) => {
                let Some(text) = part_of(&folder.join("score.txt"), false) else { return Decision::Accepted };
                number(&text).map_or_else(
                    || {
                        let text = shortened_to(text.trim(), MAX_LINE);
                        wrong_style(format!("wrote {text:?} to score.txt, which is not a number"))
                    },
                    Decision::Partial,
                )
            }
            (Self::Coci, 7) => share_of_message(stderr)
                .map_or_else(|| exited(", but named no share of the points on stderr"), Decision::Partial),
            (Self::Testlib, 1 | 2 | 4 | 8)
            | (Self::Icpc, ICPC_REJECTS)
            | (Self::Plain | Self::Launcher, _)
            | (Self::Dmoj, 1)
            | (Self::Coci, 1 | 2) => Decision::Wrong,
            (Self::Icpc, _) => exited("; in the style icpc, the exit code is 42 to accept or 43 to reject"),
            (Self::Cms, _) => exited("; a manager exits with 0, and prints a score from 0 to 1"),
            (Self::Testlib | Self::Dmoj | Self::Coci, _) => {
                exited(&format!(", which means nothing in the style {}", self.name()))
            }
        }
    }

    /// Returns the start of the message for the judges that an interactor in this style leaves in `folder`.
    pub(crate) fn judge_message(self, folder: &Path) -> String {
        let message = (self == Self::Icpc).then(|| part_of(&folder.join(JUDGE_MESSAGE), false));
        message.flatten().unwrap_or_default()
    }

    /// Returns the interactor's message about its decision: in the style icpc the last lines of `judgemessage.txt` or
    /// else `teammessage.txt`; if these are empty, and in the other styles, the last lines of stderr. Of a text with a
    /// Python traceback or a tester's error, returns only the line that says what happened. A manager's message is its first
    /// line.
    pub(crate) fn message(self, stderr: &str, folder: &Path) -> String {
        let files: &[&str] = if self == Self::Icpc { &[JUDGE_MESSAGE, "teammessage.txt"] } else { &[] };
        let written = files.iter().filter_map(|name| part_of(&folder.join(name), true));
        let mut texts = written.chain([stderr.to_owned()]);
        let text = texts.find(|text| !text.trim().is_empty()).unwrap_or_default();
        let is_of_tester = self == Self::Launcher;
        // A tester may log each line of both programs before its message.
        let max_lines = if is_of_tester { 2 } else { 3 };
        let is_score = |line: &str| is_of_tester && line.starts_with(SCORE);
        let is_message = |line: &&str| !(line.is_empty() || is_score(line));
        let lines: Vec<&str> = text.lines().map(str::trim).filter(is_message).collect();
        let error = lines.iter().find(|line| is_of_tester && line.starts_with(ERROR)).copied();
        let of_manager = lines.first().filter(|_| self == Self::Cms).map(|line| in_words(line));
        let shown = match error.or_else(|| exception(&text)).or(of_manager) {
            Some(line) => &[line][..],
            None => &lines[lines.len().saturating_sub(max_lines)..],
        };
        shown.iter().map(|line| shortened_to(line, MAX_LINE)).join("; ")
    }
}

/// Returns a command that runs a script of the shell, with `first` as `$0` and the words of `command` as `$@`.
pub(crate) fn by_script(command: &[OsString], first: OsString, script: &str) -> Vec<OsString> {
    let words: [OsString; 4] = ["sh".into(), "-c".into(), script.into(), first];
    words.into_iter().chain(command.iter().cloned()).collect()
}

/// Returns a command that gives the bot the input, stores its output in the file `output`, and starts `command` when
/// the bot has ended, with its stdout in the file `printed`. The bot may write before it has read the whole input.
pub(crate) fn after_bot(
    command: &[OsString],
    case: &TestCase,
    output: &Path,
    printed: &Path,
) -> Vec<OsString> {
    const SCRIPT: &str = r#"exec 3<&0; cat <&3 >"$1" & cat "$0" 2>/dev/null; exec >"$2"; wait "$!"; output=$1; shift 2; exec "$@" <"$output""#;
    by_script(&[&[output.into(), printed.into()], command].concat(), case.input(), SCRIPT)
}

/// Returns a command that starts a manager of CMS in `folder`, with its input and its output in files there.
pub(crate) fn manager(command: &[OsString], case: &TestCase, folder: &Path) -> anyhow::Result<Vec<OsString>> {
    let input = path::absolute(case.input())?;
    symlink(input, folder.join(MANAGER_INPUT)).context("the file with the manager's input cannot be made")?;
    // The paths of the command are relative to the judge's folder.
    let absolute = |word: &OsString| -> io::Result<OsString> {
        let is_file = Path::new(word).is_file();
        if is_file { Ok(path::absolute(word)?.into()) } else { Ok(word.clone()) }
    };
    let command: Vec<OsString> = command.iter().map(absolute).collect::<io::Result<_>>()?;
    let script = format!(r#"cd "$0" && exec "$@" <{MANAGER_INPUT} >{MANAGER_OUTPUT}"#);
    Ok(by_script(&command, folder.into(), &script))
}

fn part_of(path: &Path, is_last: bool) -> Option<String> {
    let mut file = open_regular(path).ok()?;
    if is_last {
        let size = file.metadata().ok()?.len();
        file.seek(SeekFrom::Start(size.saturating_sub(MAX_FILE))).ok()?;
    }
    let mut bytes = Vec::new();
    file.take(MAX_FILE).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

/// Returns the score that testlib's message gives, as in `points 12.5 good` or `partially correct (50) good`. The
/// message is the last line that begins like a message of testlib.
fn score_of_message(stderr: &str) -> Option<f64> {
    const OTHERS: [&str; 5] = ["ok", "wrong answer", "wrong output format", "unexpected eof", "FAIL"];
    let score = |line: &str| {
        let points = line.strip_prefix("points ").and_then(|rest| rest.split_whitespace().next());
        let part = line.strip_prefix("partially correct (").and_then(|rest| rest.split(')').next());
        number(points.or(part)?)
    };
    let is_message = |line: &&str| score(line).is_some() || OTHERS.iter().any(|word| line.starts_with(word));
    stderr.lines().rev().map(str::trim).find(is_message).and_then(score)
}

/// Returns what a manager of CMS decided: the first line of its output is a score from 0 to 1.
fn score_of_manager(output: &str) -> Decision {
    let line = output.lines().next().unwrap_or_default();
    match number(line) {
        Some(1.0) => Decision::Accepted,
        Some(0.0) => Decision::Wrong,
        Some(score) if (0.0..1.0).contains(&score) => Decision::Partial(score),
        _ => {
            let line = shortened_to(line.trim(), MAX_LINE);
            Decision::Failed(
                Class::InteractorWrongStyle,
                format!("printed {line:?} to stdout, where a manager prints a score from 0 to 1"),
            )
        }
    }
}

/// Returns a manager's message in words: CMS translates some.
fn in_words(message: &str) -> &str {
    match message {
        "translate:success" => "the output is correct",
        "translate:partial" => "the output is partly correct",
        "translate:wrong" => "the output is not correct",
        _ => message,
    }
}

fn score_of_tester(output: &str) -> Option<f64> {
    let score = |line: &str| number(line.trim().strip_prefix(SCORE)?);
    output.lines().rev().find_map(score)
}

/// Returns the line of the last Python traceback that says what happened.
fn exception(text: &str) -> Option<&str> {
    let (_, after) = text.rsplit_once(TRACEBACK)?;
    after.lines().skip(1).find(|line| !line.is_empty() && !line.starts_with(' '))
}

/// Returns whether a tester has reported an error. Many testing tools of ICPC then exit with code 0.
fn reports_error(output: &str) -> bool {
    output.contains(TRACEBACK) || output.lines().any(|line| line.starts_with(ERROR))
}

/// Returns the share of the points that a line such as `partial 3/4` gives.
fn share_of_message(stderr: &str) -> Option<f64> {
    let share = |line: &str| {
        let (part, all) = line.strip_prefix("partial ")?.split_once('/')?;
        let (part, all): (u32, u32) = (part.parse().ok()?, all.parse().ok()?);
        (1..=all).contains(&part.max(1)).then(|| f64::from(part) / f64::from(all))
    };
    stderr.lines().find_map(share)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn words(style: Style, command: &[&str], case: &TestCase) -> Vec<String> {
        let command: Vec<OsString> = command.iter().map(OsString::from).collect();
        let bot = ["python3".into(), "b.py".into()];
        let words = style.command(&command, case, Path::new("/f"), &bot);
        words.into_iter().map(|word| word.into_string().unwrap()).collect()
    }

    #[test]
    fn arguments_of_each_style() {
        let none = TestCase::default();
        let (input, answer) = (Some("1.in".into()), Some("1.ans".into()));
        let case = TestCase { input, answer, seed: 7, args: vec!["limit=3".into()], ..TestCase::default() };
        assert_eq!(words(Style::Testlib, &["i"], &none), ["i", "/dev/null", "/f/output"]);
        assert_eq!(words(Style::Testlib, &["i"], &case), ["i", "1.in", "/f/output", "1.ans"]);
        assert_eq!(words(Style::Icpc, &["i"], &none), ["i", "/dev/null", "/dev/null", "/f/"]);
        assert_eq!(words(Style::Icpc, &["i", "x"], &case), ["i", "x", "1.in", "1.ans", "/f/", "limit=3"]);
        let case = TestCase { args: Vec::new(), ..case };
        assert_eq!(words(Style::Dmoj, &["i"], &case), ["i", "1.in", "1.ans"]);
        let typed = ["i", "--in={input}:{input}", "{answer}", "{seed}", "{other}"];
        assert_eq!(words(Style::Plain, &typed, &case), ["i", "--in=1.in:1.in", "1.ans", "7", "{other}"]);
        let case = TestCase { input: Some("{answer}".into()), ..case };
        assert_eq!(words(Style::Plain, &["{input}"], &case), ["{answer}"], "a value is not replaced again");
        assert_eq!(words(Style::Plain, &["{bot}"], &case), ["{bot}"]);
        let typed = ["t", "{seed}", "{bot}", "--bot={bot}"];
        assert_eq!(
            words(Style::Launcher, &typed, &case),
            ["t", "7", "python3", "b.py", "--bot=python3 b.py"]
        );
    }

    /// `None` is for an interactor that has failed.
    #[test]
    fn decisions_by_exit_code() {
        let folder = tempfile::tempdir().unwrap();
        let by_exit = |style: Style, exit, message: &str, gives_scores| {
            let decision = style.decision(exit, message, folder.path(), gives_scores);
            Some(decision).filter(|decision| !matches!(decision, Decision::Failed(..)))
        };
        let decision = |style, code, message: &str| by_exit(style, Exit::Code(code), message, false);
        for (style, code, message, expected) in [
            (Style::Testlib, 0, "ok", Some(Decision::Accepted)),
            (Style::Testlib, 1, "", Some(Decision::Wrong)),
            (Style::Testlib, 2, "", Some(Decision::Wrong)),
            (Style::Testlib, 3, "", None),
            (Style::Testlib, 4, "", Some(Decision::Wrong)),
            (Style::Testlib, 5, "points nan", None),
            (Style::Testlib, 7, "points nan", None),
            (Style::Testlib, 8, "", Some(Decision::Wrong)),
            (Style::Testlib, 7, "debug\npoints 2.5 well\n", Some(Decision::Partial(2.5))),
            (Style::Testlib, 5, "partially correct (5) five", Some(Decision::Partial(5.0))),
            (Style::Testlib, 1, "points 3 and 4 are equal\nwrong answer no", Some(Decision::Wrong)),
            (Style::Testlib, 2, "points 3 and 4 are equal", Some(Decision::Wrong)),
            (Style::Testlib, 16, "", Some(Decision::Partial(16.0))),
            (Style::Testlib, 50, "partially correct (50) half", Some(Decision::Partial(50.0))),
            (Style::Testlib, 42, "partially correct (42) half", Some(Decision::Partial(42.0))),
            (Style::Testlib, 42, "", None),
            (Style::Testlib, 43, "", None),
            (Style::Icpc, 0, "", None),
            (Style::Icpc, 1, "", None),
            (Style::Icpc, 42, "", Some(Decision::Accepted)),
            (Style::Icpc, 43, "", Some(Decision::Wrong)),
            (Style::Plain, 0, "points 3", Some(Decision::Accepted)),
            (Style::Plain, 1, "", Some(Decision::Wrong)),
            (Style::Launcher, 0, "", Some(Decision::Accepted)),
            (Style::Launcher, 0, "Score = 1\n Score = 12.5 \nbye", Some(Decision::Scored(12.5))),
            (Style::Launcher, 0, "Score = 5\nScore = 0", Some(Decision::Wrong)),
            (Style::Launcher, 0, "Score = inf\nthe Score = 7", Some(Decision::Accepted)),
            (Style::Launcher, 1, "Score = 5", Some(Decision::Wrong)),
            (Style::Launcher, 0, "\nError: not 7\n\nExit code: 0", Some(Decision::Wrong)),
            (Style::Launcher, 0, "Traceback (most recent call last):", Some(Decision::Wrong)),
            (Style::Dmoj, 0, "", Some(Decision::Accepted)),
            (Style::Dmoj, 1, "", Some(Decision::Wrong)),
            (Style::Dmoj, 2, "", None),
            (Style::Coci, 2, "", Some(Decision::Wrong)),
            (Style::Coci, 7, "note\npartial 3/4\n", Some(Decision::Partial(0.75))),
            (Style::Coci, 7, "", None),
        ] {
            assert_eq!(decision(style, code, message), expected, "{style:?} {code}");
        }
        let scored = |output| by_exit(Style::Launcher, Exit::Code(0), output, true);
        assert_eq!(
            [scored("wrong"), scored("Score = 3")],
            [Decision::Wrong, Decision::Scored(3.0)].map(Some)
        );
        assert_eq!(by_exit(Style::Plain, Exit::Signal(11), "", false), None);
        for (style, code, file, text, expected) in [
            (Style::Cms, 0, MANAGER_OUTPUT, "1.0\nmore", Some(Decision::Accepted)),
            (Style::Cms, 1, MANAGER_OUTPUT, "1", None),
            (Style::Cms, 0, MANAGER_OUTPUT, "0.0\n", Some(Decision::Wrong)),
            (Style::Cms, 0, MANAGER_OUTPUT, "0.25\n", Some(Decision::Partial(0.25))),
            (Style::Cms, 0, MANAGER_OUTPUT, "", None),
            (Style::Cms, 0, MANAGER_OUTPUT, "1.5", None),
            (Style::Cms, 0, MANAGER_OUTPUT, "-1", None),
            (Style::Cms, 0, MANAGER_OUTPUT, "nan", None),
            (Style::Icpc, 42, "score.txt", "12.5\n", Some(Decision::Partial(12.5))),
            (Style::Icpc, 42, "score.txt", "many", None),
            (Style::Icpc, 42, "score.txt", "inf", None),
        ] {
            fs::write(folder.path().join(file), text).unwrap();
            assert_eq!(decision(style, code, ""), expected, "{style:?} {text}");
        }
    }

    #[test]
    fn messages_of_files_come_first() {
        let folder = tempfile::tempdir().unwrap();
        let message = |style: Style, stderr: &str| style.message(stderr, folder.path());
        let write = |text: &str| fs::write(folder.path().join(JUDGE_MESSAGE), text).unwrap();
        assert_eq!(message(Style::Icpc, "stderr\n"), "stderr");
        write("too many queries\n");
        assert_eq!(message(Style::Icpc, "stderr\n"), "too many queries");
        assert_eq!(message(Style::Testlib, "stderr\n"), "stderr");
        write(&("a line\n".repeat(10_000) + "the last one\n"));
        assert!(message(Style::Icpc, "").ends_with("a line; the last one"));
        let traceback = format!("n = 3\n{TRACEBACK}:\n  int('x')\n  ~~~\nValueError: no number\n");
        assert_eq!(message(Style::Plain, &traceback), "ValueError: no number");
        assert_eq!(
            message(Style::Launcher, &format!("{traceback}\nExit code: 0\n")),
            "ValueError: no number"
        );
        assert_eq!(message(Style::Launcher, "read: 7\nError: not 7\n\nExit code: 0\n"), "Error: not 7");
        assert_eq!(message(Style::Launcher, "read: 7\nread: 8\n\nright\nScore = 5\n"), "read: 8; right");
        assert_eq!(message(Style::Cms, "translate:wrong\ndebug\n"), "the output is not correct");
    }
}
