//! The settings of `judge.toml`: named bots, limits, a game, the programs of a problem, and languages. An error names the
//! line; for an unknown key, it suggests a similar known key.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::ops::Range;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, anyhow, bail, ensure};
use clap::ValueEnum;
use itertools::Itertools;
use runner::escape::shell_word;
use runner::sources::language::{self, Language};
use rustix::process::geteuid;
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use zeroxor::SpecError;

use crate::cli::{LimitOptions, MAX_PROCESSES};
use crate::referee::game::setup::GameHeader;
use crate::referee::interactor::seats::{BotIo, MAX_PROCESSES_OF_BOT};
use crate::referee::interactor::style::Style;
use crate::suggestions::did_you_mean;
use crate::text::read_text;
use crate::trials::family::GameFamily;
use crate::units::{number_in, parse_memory_limit, parse_time_limit, plain_numbers};

#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    pub(crate) file: Option<PathBuf>,
    /// Whether `--config` named the file.
    pub(crate) is_from_config_option: bool,
    pub(crate) bots: BTreeMap<String, Vec<OsString>>,
    /// The limits of a bot that no option sets.
    pub(crate) limits: LimitOptions,
    pub(crate) game: Option<GameSection>,
    pub(crate) problem: Option<ProblemSection>,
    /// All languages. Those of the file come before the built-in ones.
    pub(crate) languages: Vec<Language>,
}

/// The section `[game]`: a header, or families of games from which starts are drawn.
#[derive(Clone, Debug, Default)]
pub(crate) struct GameSection {
    pub(crate) header: Option<GameHeader>,
    pub(crate) families: Option<Vec<GameFamily>>,
}

/// The section `[problem]`, or what is known in its place about an interactor that no settings file names: the
/// interactor and its style, and the problem's other programs and inputs.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProblemSection {
    /// The file and the line of the section, or the file of the interactor, for messages.
    pub(crate) place: String,
    pub(crate) style: Option<Style>,
    pub(crate) passes: Option<u8>,
    pub(crate) interactive_passes: Option<u8>,
    pub(crate) processes_of_bot: Option<u8>,
    pub(crate) bot_io: Option<BotIo>,
    entries: BTreeMap<String, ProblemEntry>,
}

/// A command or paths of `[problem]`.
#[derive(Clone, Debug)]
pub(crate) struct ProblemEntry {
    /// The words of a command, or paths. Relative ones of the file begin here with the file's folder.
    pub(crate) words: Vec<String>,
    /// The file and the line of the key, or the file of the interactor.
    pub(crate) place: String,
}

impl ProblemSection {
    /// Returns the section for an interactor that no settings file names. `interactor` are the words of its command.
    pub(crate) fn of_interactor(
        place: String,
        style: Option<Style>,
        interactor: Vec<String>,
        inputs: Vec<String>,
    ) -> Self {
        let entry = |(key, words): (&str, Vec<String>)| {
            (key.to_owned(), ProblemEntry { words, place: place.clone() })
        };
        let entries = [(INTERACTOR, interactor), (INPUT, inputs)].into_iter().map(entry).collect();
        Self { place, style, entries, ..Self::default() }
    }

    pub(crate) fn entry(&self, key: &str) -> Option<&ProblemEntry> {
        self.entries.get(key)
    }

    pub(crate) fn inputs(&self) -> Vec<PathBuf> {
        self.paths(INPUT)
    }

    /// Returns the files that are compiled together with the bot.
    pub(crate) fn files_of_bot(&self) -> Vec<PathBuf> {
        self.paths(WITH)
    }

    fn paths(&self, key: &str) -> Vec<PathBuf> {
        let words = self.entry(key).map_or(&[][..], |entry| &entry.words);
        words.iter().map(|word| relative_to_current_dir(word).into()).collect()
    }
}

impl ProblemEntry {
    /// Returns the command as a shell command line for the current directory.
    pub(crate) fn command(&self) -> String {
        let word = |(at, word): (usize, &String)| {
            let mut word = relative_to_current_dir(word).to_owned();
            // A program without a slash would be searched for in PATH.
            if at == 0 && self.words[0].contains('/') && !word.contains('/') {
                word = format!("./{word}");
            }
            let is_plain = shlex::split(&word).is_some_and(|words| words == [&*word]);
            if is_plain { word } else { shell_word(&word).unwrap_or(word) }
        };
        self.words.iter().enumerate().map(word).join(" ")
    }
}

/// Returns `path` relative to the current directory if it is below that directory, or else `path` itself.
pub(crate) fn relative_to_current_dir(path: &str) -> &str {
    let here = env::current_dir().ok();
    let inside = here.as_deref().and_then(Path::to_str).and_then(|here| path.strip_prefix(here));
    inside.and_then(|inside| inside.strip_prefix('/')).filter(|inside| !inside.is_empty()).unwrap_or(path)
}

impl Settings {
    pub(crate) fn without_file() -> Self {
        Self { languages: language::known(), ..Self::default() }
    }

    pub(crate) fn bot(&self, name: &str) -> Option<&[OsString]> {
        self.bots.get(name).map(Vec::as_slice)
    }

    /// Returns the path of `--config`; `None` if the option was not given.
    pub(crate) fn config_option(&self) -> Option<String> {
        let file = self.file.as_ref().filter(|_| self.is_from_config_option);
        file.map(|file| file.to_string_lossy().into_owned())
    }
}

pub(crate) const FILE: &str = "judge.toml";

/// Finds the nearest `judge.toml`. Refuses a file of another user, whose commands the judge would run as this user.
pub(crate) fn find() -> anyhow::Result<Option<PathBuf>> {
    let Ok(here) = env::current_dir() else { return Ok(None) };
    let Some(file) = here.ancestors().map(|folder| folder.join(FILE)).find(|file| file.is_file()) else {
        return Ok(None);
    };
    if let Some(owner) = other_owner(&file)? {
        bail!(
            "{file} belongs to another user, {owner}, and can name commands that the judge starts: to use it, type \
             \"--config {file}\"; to ignore it, type \"--config /dev/null\"",
            file = file.display()
        );
    }
    Ok(Some(file))
}

/// Returns the owner of a file, found by the judge and able to name commands, if it is neither this user nor root.
pub(crate) fn other_owner(file: &Path) -> anyhow::Result<Option<u32>> {
    let data = fs::metadata(file).with_context(|| format!("{} cannot be examined", file.display()))?;
    Ok(Some(data.uid()).filter(|&owner| owner != geteuid().as_raw() && owner != 0))
}

const SECTIONS: [&str; 5] = ["bots", "game", "languages", "limits", "problem"];

const LIMIT_KEYS: [&str; 7] = ["time", "wall", "idle", "memory", "processes", "grace", "by"];

const GAME_KEYS: [&str; 2] = ["header", "family"];

/// The keys of the section `problem`. Each is also the name of an option.
const PROBLEM_KEYS: [&str; 12] = [
    INTERACTOR,
    "style",
    "checker",
    INPUT,
    "generator",
    "validator",
    "passes",
    "interactive-passes",
    "between",
    "processes-of-bot",
    "bot-io",
    WITH,
];
pub(crate) const INTERACTOR: &str = "interactor";
const INPUT: &str = "input";
const WITH: &str = "with";

const MAX_BYTES: u64 = 1 << 20;

const LANGUAGE_KEYS: [&str; 4] = ["compile", "extensions", "flags", "run"];

type Key<'a> = Spanned<Cow<'a, str>>;
type Value<'a> = Spanned<DeValue<'a>>;

pub(crate) fn read(file: PathBuf) -> anyhow::Result<Settings> {
    let text = read_text(&file, MAX_BYTES)?;
    let reader = SettingsReader { file: &file, text: &text };
    let table = DeTable::parse(&text)
        .map_err(|error| anyhow!("{}: {}", reader.at(error.span().unwrap_or_default()), error.message()))?;
    let mut settings = Settings::without_file();
    for (section, value) in table.get_ref() {
        let entries = reader.table(section, value)?;
        match section.get_ref().as_ref() {
            "bots" => {
                for (key, value) in entries {
                    let command = reader.command(key, value)?.into_iter().map(OsString::from).collect();
                    settings.bots.insert(key.get_ref().to_string(), command);
                }
            }
            "limits" => settings.limits = reader.limits(entries)?,
            "game" => settings.game = Some(reader.game(entries)?),
            "problem" => settings.problem = Some(reader.problem(section, entries)?),
            "languages" => reader.languages(entries, &mut settings)?,
            _ => return Err(reader.unknown(section, "the file", &SECTIONS)),
        }
    }
    settings.file = Some(file);
    Ok(settings)
}

struct SettingsReader<'a> {
    file: &'a Path,
    text: &'a str,
}

impl SettingsReader<'_> {
    /// Returns the file and the line in which a span begins, for messages.
    fn at(&self, span: Range<usize>) -> String {
        let line = 1 + self.text.bytes().take(span.start).filter(|&byte| byte == b'\n').count();
        format!("{}:{line}", self.file.display())
    }

    fn error_at(&self, key: &Key<'_>, problem: &str) -> anyhow::Error {
        anyhow!("{}: {problem}", self.at(key.span()))
    }

    fn unknown(&self, key: &Key<'_>, place: &str, known: &[&str]) -> anyhow::Error {
        let name = key.get_ref();
        let meant = did_you_mean(name, known.iter().copied());
        let problem = format!("{place} has no {name:?}{meant} (expected {})", known.join(", "));
        self.error_at(key, &problem)
    }

    fn table<'t, 'd>(&self, key: &Key<'_>, value: &'t Value<'d>) -> anyhow::Result<&'t DeTable<'d>> {
        let table = value.get_ref().as_table();
        table.ok_or_else(|| {
            self.error_at(key, &format!("expected a section [{}], got a value", key.get_ref()))
        })
    }

    /// Reads a list of words: a list of strings, or a string that is split into words as by a shell.
    fn words(&self, key: &Key<'_>, value: &Value<'_>) -> anyhow::Result<Vec<String>> {
        let DeValue::String(text) = value.get_ref() else { return self.strings(key, value) };
        shlex::split(text).ok_or_else(|| self.error_at(key, &format!("unclosed quote in {text:?}")))
    }

    fn strings(&self, key: &Key<'_>, value: &Value<'_>) -> anyhow::Result<Vec<String>> {
        let expected =
            || self.error_at(key, &format!("expected {:?} as a string or a list of strings", key.get_ref()));
        match value.get_ref() {
            DeValue::String(text) => Ok(vec![text.to_string()]),
            DeValue::Array(strings) => {
                let string = |value: &Value<'_>| Some(value.get_ref().as_str()?.to_owned());
                strings.iter().map(string).collect::<Option<_>>().ok_or_else(expected)
            }
            _ => Err(expected()),
        }
    }

    /// Parses the value of a key, which is a string or a number.
    fn parsed<T>(
        &self,
        key: &Key<'_>,
        value: &Value<'_>,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> anyhow::Result<T> {
        let name = key.get_ref();
        let text = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            _ => return Err(self.error_at(key, &format!("expected {name:?} as a string or a number"))),
        };
        parse(&text).map_err(|expected| {
            self.error_at(key, &format!("invalid value {text:?} for {name:?}: {expected}"))
        })
    }

    fn problem(&self, section: &Key<'_>, entries: &DeTable<'_>) -> anyhow::Result<ProblemSection> {
        let mut problem = ProblemSection { place: self.at(section.span()), ..ProblemSection::default() };
        for (key, value) in entries {
            let name = key.get_ref().as_ref();
            match name {
                "style" => problem.style = Some(self.parsed(key, value, named_value)?),
                "passes" => problem.passes = Some(self.parsed(key, value, number_in(1..=2_u8))?),
                "interactive-passes" => {
                    problem.interactive_passes = Some(self.parsed(key, value, number_in(0..=2_u8))?);
                }
                "processes-of-bot" => {
                    let count = self.parsed(key, value, number_in(1..=MAX_PROCESSES_OF_BOT))?;
                    problem.processes_of_bot = Some(count);
                }
                "bot-io" => problem.bot_io = Some(self.parsed(key, value, named_value)?),
                _ => {
                    let words = match name {
                        INPUT | WITH => {
                            let paths = self.strings(key, value)?;
                            paths.iter().map(|path| self.in_folder(key, path)).try_collect()?
                        }
                        _ if PROBLEM_KEYS.contains(&name) => self.command(key, value)?,
                        _ => return Err(self.unknown(key, "[problem]", &PROBLEM_KEYS)),
                    };
                    problem
                        .entries
                        .insert(name.to_owned(), ProblemEntry { words, place: self.at(key.span()) });
                }
            }
        }
        ensure!(
            problem.entry(INTERACTOR).or(problem.entry("checker")).is_some(),
            self.error_at(section, "expected [problem] with \"interactor\"")
        );
        Ok(problem)
    }

    /// Reads a command. Names of files in the folder of the settings file become paths in that folder.
    fn command(&self, key: &Key<'_>, value: &Value<'_>) -> anyhow::Result<Vec<String>> {
        let whole = value.get_ref().as_str().filter(|text| self.folder().join(text).is_file());
        let words = match whole {
            // A source may have blanks in its name.
            Some(file) => vec![file.to_owned()],
            None => self.words(key, value)?,
        };
        ensure!(!words.is_empty(), self.error_at(key, "expected a command, got an empty one"));
        let word = |(at, word): (usize, &String)| {
            let is_path = at == 0 && word.contains('/') || self.folder().join(word).is_file();
            if !is_path {
                return Ok(word.clone());
            }
            let path = self.in_folder(key, word)?;
            Ok(if at == 0 && !path.contains('/') { format!("./{path}") } else { path })
        };
        words.iter().enumerate().map(word).collect()
    }

    fn folder(&self) -> &Path {
        self.file.parent().unwrap_or(Path::new(""))
    }

    fn in_folder(&self, key: &Key<'_>, path: &str) -> anyhow::Result<String> {
        let path = self.folder().join(path).into_os_string();
        path.into_string().map_err(|_| self.error_at(key, "expected a folder whose name is UTF-8"))
    }

    fn limits(&self, entries: &DeTable<'_>) -> anyhow::Result<LimitOptions> {
        let mut limits = LimitOptions::default();
        for (key, value) in entries {
            match key.get_ref().as_ref() {
                "time" => limits.time_limit = Some(self.parsed(key, value, parse_time_limit)?),
                "wall" => limits.wall_limit = Some(self.parsed(key, value, parse_time_limit)?),
                "idle" => limits.idle_limit = Some(self.parsed(key, value, parse_time_limit)?),
                "grace" => limits.grace = Some(self.parsed(key, value, parse_time_limit)?),
                "memory" => limits.memory_limit = Some(self.parsed(key, value, parse_memory_limit)?),
                "processes" => {
                    limits.processes = Some(self.parsed(key, value, number_in(1..=MAX_PROCESSES))?);
                }
                "by" => limits.limits = Some(self.parsed(key, value, named_value)?),
                _ => return Err(self.unknown(key, "[limits]", &LIMIT_KEYS)),
            }
        }
        Ok(limits)
    }

    fn game(&self, entries: &DeTable<'_>) -> anyhow::Result<GameSection> {
        let mut game = GameSection::default();
        for (key, value) in entries {
            match key.get_ref().as_ref() {
                "header" => {
                    let header = |text: &str| {
                        plain_numbers(text).parse().map_err(|error: SpecError| error.to_string())
                    };
                    game.header = Some(self.parsed(key, value, header)?);
                }
                "family" => {
                    let families = |text: &str| text.split(',').map(named_value).collect();
                    game.families = Some(self.parsed(key, value, families)?);
                }
                _ => return Err(self.unknown(key, "[game]", &GAME_KEYS)),
            }
        }
        Ok(game)
    }

    /// Puts the file's languages first. A built-in language provides the keys that the file does not set.
    fn languages(&self, entries: &DeTable<'_>, settings: &mut Settings) -> anyhow::Result<()> {
        let mut own = Vec::new();
        for (name, value) in entries {
            let (key, name) = (name, name.get_ref().to_string());
            let known = language::known().into_iter().find(|language| language.name == name);
            let is_known = known.is_some();
            let new = || Language { name: name.clone(), ..Language::default() };
            let mut language = known.unwrap_or_else(new);
            for (key, value) in self.table(key, value)? {
                let words = match key.get_ref().as_ref() {
                    "extensions" => &mut language.extensions,
                    "compile" => &mut language.compile,
                    "flags" => &mut language.flags,
                    "run" => &mut language.run,
                    _ => return Err(self.unknown(key, &format!("[languages.{name}]"), &LANGUAGE_KEYS)),
                };
                *words = self.words(key, value)?;
            }
            let is_whole = !language.extensions.is_empty() && !language.run.is_empty();
            ensure!(
                is_whole,
                self.error_at(key, &format!("expected [languages.{name}] with \"extensions\" and \"run\""))
            );
            settings.languages.retain(|other| !is_known || other.name != name);
            own.push(language);
        }
        settings.languages.splice(0..0, own);
        Ok(())
    }
}

fn named_value<T: ValueEnum>(name: &str) -> Result<T, String> {
    T::from_str(name, false).map_err(|_| {
        let names = T::value_variants().iter().filter_map(T::to_possible_value);
        let names = names.map(|value| value.get_name().to_owned()).collect_vec();
        format!("expected {}{}", names.join(", "), did_you_mean(name, names.iter().map(String::as_str)))
    })
}
