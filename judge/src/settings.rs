//! The settings of `judge.toml`: named bots, limits, a game, the programs of a problem, and languages. An error names the
//! line; for an unknown key, it suggests a similar known key.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::ops::Range;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use anyhow::{Context, anyhow, bail, ensure};
use clap::ValueEnum;
use itertools::Itertools;
use runner::escape::shell_word;
use runner::sources::language::{self, Language};
use runner::sources::{BuildOptions, Builder};
use rustix::process::geteuid;
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use zeroxor::SpecError;

use crate::cli::{LimitOptions, MAX_PROCESSES};
use crate::referee::game::setup::GameHeader;
use crate::referee::interactor::seats::{BotIo, MAX_PROCESSES_OF_BOT};
use crate::referee::interactor::style::Style;
use crate::text::{did_you_mean, read_text};
use crate::trials::family::GameFamily;
use crate::trials::problem::package::Package;
use crate::units::{number_in, parse_memory_limit, parse_time_limit, plain_numbers};

/// The settings of a command: those of the file, and the problem that the command is about.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    pub(crate) file: Option<PathBuf>,
    /// The file, if `--config` named it.
    pub(crate) config: Option<PathBuf>,
    pub(crate) bots: BTreeMap<String, Vec<OsString>>,
    /// The limits of a bot that no option sets.
    pub(crate) limits: LimitOptions,
    pub(crate) game: Option<GameSection>,
    pub(crate) problem: Option<ProblemSection>,
    /// The package that has the programs of the problem, in place of options and of the section `[problem]`.
    pub(crate) package: Option<Arc<Package>>,
    /// All languages. Those of the file come before the built-in ones.
    pub(crate) languages: Vec<Language>,
    /// Whether each compilation is named on stderr.
    pub(crate) is_verbose: bool,
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
    /// The programs, by their keys.
    pub(crate) programs: BTreeMap<&'static str, ProblemEntry>,
    pub(crate) inputs: Vec<PathBuf>,
    /// The files that are compiled together with the bot.
    pub(crate) files_of_bot: Vec<PathBuf>,
}

/// A program of `[problem]`.
#[derive(Clone, Debug)]
pub(crate) struct ProblemEntry {
    /// A shell command line for the current directory.
    pub(crate) command: String,
    /// The file and the line of the key, or the file of the interactor.
    pub(crate) place: String,
}

/// Returns a command as a shell command line for the current directory.
pub(crate) fn command_line(words: &[String]) -> String {
    let word = |(at, word): (usize, &String)| {
        let mut word = relative_to_current_dir(word).to_owned();
        // A program without a slash would be searched for in PATH.
        if at == 0 && words[0].contains('/') && !word.contains('/') {
            word = format!("./{word}");
        }
        let is_plain = shlex::split(&word).is_some_and(|words| words == [&*word]);
        if is_plain { word } else { shell_word(&word).unwrap_or(word) }
    };
    words.iter().enumerate().map(word).join(" ")
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

    pub(crate) fn builder<'a>(&'a self, options: &'a BuildOptions) -> Builder<'a> {
        Builder { languages: &self.languages, options, is_verbose: self.is_verbose }
    }

    /// Returns the settings without the problem and the game that the file names.
    pub(crate) fn without_subject(&self) -> Self {
        Self { problem: None, game: None, ..self.clone() }
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

pub(crate) const INTERACTOR: &str = "interactor";

const MAX_BYTES: u64 = 1 << 20;

type Key<'a> = Spanned<Cow<'a, str>>;
type Value<'a> = Spanned<DeValue<'a>>;

pub(crate) fn read(file: PathBuf) -> anyhow::Result<Settings> {
    let text = read_text(&file, MAX_BYTES)?;
    let table = DeTable::parse(&text).map_err(|error| {
        anyhow!("{}: {}", place(&file, &text, error.span().unwrap_or_default()), error.message())
    })?;
    let (name, entries) = ("the file".to_owned(), table.get_ref());
    let mut whole =
        Section { file: &file, text: &text, place: String::new(), name, entries, known: Vec::new() };
    let mut settings = Settings::without_file();
    if let Some(bots) = whole.section("bots")? {
        for (key, value) in bots.entries {
            let command = bots.command(key, value).with_context(|| bots.at(key))?;
            let command = command.into_iter().map(OsString::from).collect();
            settings.bots.insert(key.get_ref().to_string(), command);
        }
    }
    settings.game = whole.section("game")?.map(Section::game).transpose()?;
    if let Some(languages) = whole.section("languages")? {
        languages.languages(&mut settings.languages)?;
    }
    settings.limits = whole.section("limits")?.map(Section::limits).transpose()?.unwrap_or_default();
    settings.problem = whole.section("problem")?.map(Section::problem).transpose()?;
    whole.end()?;
    settings.file = Some(file);
    Ok(settings)
}

/// Returns the file and the line in which a span begins, for messages.
fn place(file: &Path, text: &str, span: Range<usize>) -> String {
    let line = 1 + text.bytes().take(span.start).filter(|&byte| byte == b'\n').count();
    format!("{}:{line}", file.display())
}

/// A section of the file, or the file itself, whose keys are read one after the other.
struct Section<'a> {
    file: &'a Path,
    text: &'a str,
    place: String,
    /// The name for messages, such as `[limits]`.
    name: String,
    entries: &'a DeTable<'a>,
    /// The keys that the section may have.
    known: Vec<&'static str>,
}

impl<'a> Section<'a> {
    fn at(&self, key: &Key<'_>) -> String {
        place(self.file, self.text, key.span())
    }

    /// Reads the value of a key by `read`, to whose error the file and the line are added.
    fn read<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&Self, &'a Key<'a>, &'a Value<'a>) -> anyhow::Result<T>,
    ) -> anyhow::Result<Option<T>> {
        self.known.push(name);
        let Some((key, value)) = self.entries.get_key_value(name) else { return Ok(None) };
        read(self, key, value).map(Some).with_context(|| self.at(key))
    }

    fn section(&mut self, name: &'static str) -> anyhow::Result<Option<Self>> {
        self.read(name, |whole, key, value| whole.table(key, value, format!("[{name}]")))
    }

    fn table(&self, key: &Key<'_>, value: &'a Value<'a>, name: String) -> anyhow::Result<Self> {
        let entries = value.get_ref().as_table();
        let entries =
            entries.with_context(|| format!("expected a section [{}], got a value", key.get_ref()))?;
        Ok(Self { place: self.at(key), name, entries, known: Vec::new(), ..*self })
    }

    /// Refuses a key that was not read.
    fn end(&self) -> anyhow::Result<()> {
        let mut keys = self.entries.keys();
        let Some(key) = keys.find(|key| !self.known.contains(&key.get_ref().as_ref())) else { return Ok(()) };
        let name = key.get_ref();
        let meant = did_you_mean(name, self.known.iter().copied());
        let known = self.known.join(", ");
        bail!("{}: {} has no {name:?}{meant} (expected {known})", self.at(key), self.name)
    }

    /// Parses the value of a key, which is a string or a number.
    fn parsed<T>(
        &mut self,
        name: &'static str,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> anyhow::Result<Option<T>> {
        self.read(name, |_, _, value| {
            let text = match value.get_ref() {
                DeValue::String(text) => text.to_string(),
                DeValue::Integer(number) => number.to_string(),
                DeValue::Float(number) => number.to_string(),
                _ => bail!("expected {name:?} as a string or a number"),
            };
            parse(&text).map_err(|expected| anyhow!("invalid value {text:?} for {name:?}: {expected}"))
        })
    }

    fn problem(mut self) -> anyhow::Result<ProblemSection> {
        let mut programs = BTreeMap::new();
        for name in [INTERACTOR, "checker", "generator", "validator", "between"] {
            let entry = self.read(name, |section, key, value| {
                let command = command_line(&section.command(key, value)?);
                Ok((name, ProblemEntry { command, place: section.at(key) }))
            })?;
            programs.extend(entry);
        }
        let problem = ProblemSection {
            place: self.place.clone(),
            style: self.parsed("style", named_value)?,
            passes: self.parsed("passes", number_in(1..=2_u8))?,
            interactive_passes: self.parsed("interactive-passes", number_in(0..=2_u8))?,
            processes_of_bot: self.parsed("processes-of-bot", number_in(1..=MAX_PROCESSES_OF_BOT))?,
            bot_io: self.parsed("bot-io", named_value)?,
            inputs: self.paths("input")?,
            files_of_bot: self.paths("with")?,
            programs,
        };
        self.end()?;
        ensure!(
            problem.programs.contains_key(INTERACTOR) || problem.programs.contains_key("checker"),
            "{}: expected [problem] with \"interactor\"",
            self.place
        );
        Ok(problem)
    }

    fn paths(&mut self, name: &'static str) -> anyhow::Result<Vec<PathBuf>> {
        let paths = self.read(name, |section, key, value| {
            let path = |path: &String| Ok(relative_to_current_dir(&section.in_folder(path)?).into());
            strings(key, value)?.iter().map(path).collect()
        });
        paths.map(Option::unwrap_or_default)
    }

    /// Reads a command. Names of files in the folder of the settings file become paths in that folder.
    fn command(&self, key: &Key<'_>, value: &Value<'_>) -> anyhow::Result<Vec<String>> {
        let whole = value.get_ref().as_str().filter(|text| self.folder().join(text).is_file());
        let words = match whole {
            // A source may have blanks in its name.
            Some(file) => vec![file.to_owned()],
            None => words(key, value)?,
        };
        ensure!(!words.is_empty(), "expected a command, got an empty one");
        let word = |(at, word): (usize, &String)| {
            let is_path = at == 0 && word.contains('/') || self.folder().join(word).is_file();
            if !is_path {
                return Ok(word.clone());
            }
            let path = self.in_folder(word)?;
            Ok(if at == 0 && !path.contains('/') { format!("./{path}") } else { path })
        };
        words.iter().enumerate().map(word).collect()
    }

    fn folder(&self) -> &Path {
        self.file.parent().unwrap_or(Path::new(""))
    }

    fn in_folder(&self, path: &str) -> anyhow::Result<String> {
        let path = self.folder().join(path).into_os_string();
        path.into_string().map_err(|_| anyhow!("expected a folder whose name is UTF-8"))
    }

    fn limits(mut self) -> anyhow::Result<LimitOptions> {
        let limits = LimitOptions {
            time_limit: self.parsed("time", parse_time_limit)?,
            wall_limit: self.parsed("wall", parse_time_limit)?,
            idle_limit: self.parsed("idle", parse_time_limit)?,
            memory_limit: self.parsed("memory", parse_memory_limit)?,
            processes: self.parsed("processes", number_in(1..=MAX_PROCESSES))?,
            grace: self.parsed("grace", parse_time_limit)?,
            limits: self.parsed("by", named_value)?,
        };
        self.end().map(|()| limits)
    }

    fn game(mut self) -> anyhow::Result<GameSection> {
        let header = |text: &str| plain_numbers(text).parse().map_err(|error: SpecError| error.to_string());
        let families = |text: &str| text.split(',').map(named_value).collect();
        let game = GameSection {
            header: self.parsed("header", header)?,
            families: self.parsed("family", families)?,
        };
        self.end().map(|()| game)
    }

    /// Puts the file's languages first. A built-in language provides the keys that the file does not set.
    fn languages(self, languages: &mut Vec<Language>) -> anyhow::Result<()> {
        let mut own = Vec::new();
        for (key, value) in self.entries {
            let name = key.get_ref().to_string();
            let section = self.table(key, value, format!("[languages.{name}]"));
            let mut section = section.with_context(|| self.at(key))?;
            let known = languages.iter().position(|language| language.name == name);
            let mut language = match known {
                Some(known) => languages.remove(known),
                None => Language { name: name.clone(), ..Language::default() },
            };
            for (key, field) in [
                ("compile", &mut language.compile),
                ("extensions", &mut language.extensions),
                ("flags", &mut language.flags),
                ("run", &mut language.run),
            ] {
                if let Some(own) = section.read(key, |_, key, value| words(key, value))? {
                    *field = own;
                }
            }
            section.end()?;
            let is_whole = !language.extensions.is_empty() && !language.run.is_empty();
            let place = &section.place;
            ensure!(is_whole, "{place}: expected [languages.{name}] with \"extensions\" and \"run\"");
            own.push(language);
        }
        languages.splice(0..0, own);
        Ok(())
    }
}

/// Reads a list of words: a list of strings, or a string that is split into words as by a shell.
fn words(key: &Key<'_>, value: &Value<'_>) -> anyhow::Result<Vec<String>> {
    let DeValue::String(text) = value.get_ref() else { return strings(key, value) };
    shlex::split(text).with_context(|| format!("unclosed quote in {text:?}"))
}

fn strings(key: &Key<'_>, value: &Value<'_>) -> anyhow::Result<Vec<String>> {
    let strings = match value.get_ref() {
        DeValue::String(text) => Some(vec![text.to_string()]),
        DeValue::Array(strings) => {
            strings.iter().map(|value| Some(value.get_ref().as_str()?.to_owned())).collect()
        }
        _ => None,
    };
    strings.with_context(|| format!("expected {:?} as a string or a list of strings", key.get_ref()))
}

pub(crate) fn named_value<T: ValueEnum>(name: &str) -> Result<T, String> {
    T::from_str(name, false).map_err(|_| {
        let names = T::value_variants().iter().filter_map(T::to_possible_value);
        let names = names.map(|value| value.get_name().to_owned()).collect_vec();
        format!("expected {}{}", names.join(", "), did_you_mean(name, names.iter().map(String::as_str)))
    })
}
