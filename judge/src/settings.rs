//! The settings of `judge.toml`: named bots, limits, defaults of commands, the programs of a problem, and languages. An
//! error names the line; for an unknown key, it suggests a similar known key.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::ops::Range;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{bail, ensure};
use clap::ValueEnum;
use common::escape::shell_word;
use common::suggestions::did_you_mean;
use common::text::read_text;
use interactor::style::Style;
use itertools::Itertools;
use rustix::process::geteuid;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use runner::sources::language::{self, Language};

/// The settings of `judge.toml`. Names and values of options are checked later, by the command line's parser.
#[derive(Debug)]
pub(crate) struct Settings {
    /// The settings file; `None` if there is none.
    pub(crate) file: Option<PathBuf>,
    /// Whether `--config` named the file.
    pub(crate) is_from_config_option: bool,
    pub(crate) bots: BTreeMap<String, NamedBot>,
    /// The defaults of options. The defaults of `[limits]` come first, because the defaults of a command override them.
    pub(crate) defaults: Vec<OptionDefault>,
    /// The problem of the section `[problem]`; `None` if there is none.
    pub(crate) problem: Option<ProblemSection>,
    /// All languages. Those of the file come before the built-in ones.
    pub(crate) languages: Vec<Language>,
    /// The line of each key of a language in the file. The keys of the map have the form "language.key".
    pub(crate) language_lines: BTreeMap<String, usize>,
}

/// A bot with a name.
#[derive(Debug)]
pub(crate) struct NamedBot {
    pub(crate) command: Vec<OsString>,
    pub(crate) line: usize,
}

/// The default of an option.
#[derive(Debug)]
pub(crate) struct OptionDefault {
    /// The section and the key, as in `limits.time`.
    pub(crate) key: String,
    /// The command to which the default applies; `None` for each command that has the option.
    pub(crate) command: Option<String>,
    /// The option's name, without its dashes.
    pub(crate) option: String,
    /// The value; `None` for an option that takes no value.
    pub(crate) value: Option<String>,
    pub(crate) line: usize,
}

/// The section `[problem]`: an interactor and its style, and the problem's other programs and inputs.
#[derive(Debug)]
pub(crate) struct ProblemSection {
    pub(crate) line: usize,
    pub(crate) style: Option<Style>,
    entries: BTreeMap<String, ProblemEntry>,
}

/// The value of a key of `[problem]`.
#[derive(Debug)]
pub(crate) struct ProblemEntry {
    /// The words of a command, the paths of the inputs, or the name of the style. The settings file gives paths
    /// relative to its own folder; here they begin with that folder.
    pub(crate) words: Vec<String>,
    pub(crate) line: usize,
}

impl ProblemSection {
    pub(crate) fn entry(&self, key: &str) -> Option<&ProblemEntry> {
        self.entries.get(key)
    }

    /// Returns the inputs, as paths from the current directory.
    pub(crate) fn inputs(&self) -> Vec<PathBuf> {
        let words = self.entry("input").map_or(&[][..], |entry| &entry.words);
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
fn relative_to_current_dir(path: &str) -> &str {
    let here = env::current_dir().ok();
    let inside = here.as_deref().and_then(Path::to_str).and_then(|here| path.strip_prefix(here));
    inside.and_then(|inside| inside.strip_prefix('/')).filter(|inside| !inside.is_empty()).unwrap_or(path)
}

impl Settings {
    /// Returns the settings without a settings file.
    pub(crate) fn without_file() -> Self {
        Self {
            file: None,
            is_from_config_option: false,
            bots: BTreeMap::new(),
            defaults: Vec::new(),
            problem: None,
            languages: language::known(),
            language_lines: BTreeMap::new(),
        }
    }

    /// Returns the command of the bot with this name; `None` if there is no such bot.
    pub(crate) fn bot(&self, name: &str) -> Option<&[OsString]> {
        self.bots.get(name).map(|bot| bot.command.as_slice())
    }

    /// Returns the path of `--config`; `None` if the option was not given.
    pub(crate) fn config_option(&self) -> Option<String> {
        let file = self.file.as_ref().filter(|_| self.is_from_config_option);
        file.map(|file| file.to_string_lossy().into_owned())
    }

    /// Returns the file and a line number, for messages.
    pub(crate) fn at(&self, line: usize) -> String {
        at(self.file.as_deref().unwrap_or(Path::new(FILE)), line)
    }
}

/// The name of the settings file.
pub(crate) const FILE: &str = "judge.toml";

fn at(file: &Path, line: usize) -> String {
    format!("{}:{line}", file.display())
}

/// Finds `judge.toml` in the current directory, or in the nearest directory above it that has one.
///
/// # Errors
///
/// If the file belongs neither to this user nor to root, because the judge would run another user's commands as this
/// user.
pub(crate) fn find() -> anyhow::Result<Option<PathBuf>> {
    let Ok(here) = env::current_dir() else { return Ok(None) };
    let Some(file) = here.ancestors().map(|folder| folder.join(FILE)).find(|file| file.is_file()) else {
        return Ok(None);
    };
    let owner = fs::metadata(&file)?.uid();
    ensure!(
        owner == geteuid().as_raw() || owner == 0,
        "{} belongs to another user, {owner}, and can name commands that the judge starts: to use it, type \
         \"--config {}\"; to ignore it, type \"--config /dev/null\"",
        file.display(),
        file.display()
    );
    Ok(Some(file))
}

/// The sections of the file.
const SECTIONS: [&str; 5] = ["bots", "commands", "languages", "limits", "problem"];

/// The keys of the section `limits`, each with the option that it sets.
pub(crate) const LIMIT_KEYS: [(&str, &str); 7] = [
    ("time", "time-limit"),
    ("wall", "wall-limit"),
    ("idle", "idle-limit"),
    ("memory", "memory-limit"),
    ("processes", "processes"),
    ("grace", "grace"),
    ("by", "limits"),
];

/// The keys of the section `problem`. Each is also the name of an option. Their values are commands, except for those
/// of `STYLE` and "input".
pub(crate) const PROBLEM_KEYS: [&str; 6] = [INTERACTOR, STYLE, "checker", "input", "generator", "validator"];
pub(crate) const INTERACTOR: &str = "interactor";
pub(crate) const STYLE: &str = "style";

/// Maximum size of a settings file, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// The keys of a language.
const LANGUAGE_KEYS: [&str; 4] = ["compile", "extensions", "flags", "run"];

type Key<'a> = Spanned<Cow<'a, str>>;
type Value<'a> = Spanned<DeValue<'a>>;

/// Reads and checks a settings file.
pub(crate) fn read(file: PathBuf) -> anyhow::Result<Settings> {
    let text = read_text(&file, MAX_BYTES)?;
    let table = DeTable::parse(&text).map_err(|error| {
        let line = line(&text, error.span().unwrap_or_default());
        anyhow::anyhow!("{}: {}", at(&file, line), error.message())
    })?;
    let reader = Reader { file: &file, text: &text };
    let mut settings = Settings::without_file();
    for (section, value) in table.get_ref() {
        let entries = reader.table(section, value)?;
        match section.get_ref().as_ref() {
            "bots" => settings.bots = reader.bots(entries)?,
            "limits" => settings.defaults.extend(reader.limits(entries)?),
            "commands" => settings.defaults.extend(reader.commands(entries)?),
            "problem" => settings.problem = Some(reader.problem(section, entries)?),
            "languages" => reader.languages(entries, &mut settings)?,
            _ => return Err(reader.unknown(section, "the file", &SECTIONS)),
        }
    }
    settings.defaults.sort_by_key(|default| default.command.is_some());
    settings.file = Some(file);
    Ok(settings)
}

/// Returns the number of the line in which a span begins.
fn line(text: &str, span: Range<usize>) -> usize {
    1 + text.bytes().take(span.start).filter(|&byte| byte == b'\n').count()
}

/// Reads the parts of a parsed settings file.
struct Reader<'a> {
    file: &'a Path,
    text: &'a str,
}

impl Reader<'_> {
    fn line(&self, key: &Key<'_>) -> usize {
        line(self.text, key.span())
    }

    /// Returns an error with the line of a key.
    fn error_at(&self, key: &Key<'_>, problem: &str) -> anyhow::Error {
        anyhow::anyhow!("{}: {problem}", at(self.file, self.line(key)))
    }

    fn unknown(&self, key: &Key<'_>, place: &str, known: &[&str]) -> anyhow::Error {
        let name = key.get_ref();
        let meant = did_you_mean(name, known.iter().copied());
        let problem = format!("{place} has no {name:?}{meant} (expected {})", known.join(", "));
        self.error_at(key, &problem)
    }

    fn table<'t, 'd>(&self, key: &Key<'_>, value: &'t Value<'d>) -> anyhow::Result<&'t DeTable<'d>> {
        match value.get_ref() {
            DeValue::Table(table) => Ok(table),
            _ => Err(self.error_at(key, &format!("expected a section [{}], got a value", key.get_ref()))),
        }
    }

    /// Reads a list of words: a list of strings, or a string that is split into words as by a shell.
    fn words(&self, key: &Key<'_>, value: &Value<'_>) -> anyhow::Result<Vec<String>> {
        match value.get_ref() {
            DeValue::String(text) => {
                shlex::split(text).ok_or_else(|| self.error_at(key, &format!("unclosed quote in {text:?}")))
            }
            _ => self.strings(key, value),
        }
    }

    /// Reads a string or a list of strings.
    fn strings(&self, key: &Key<'_>, value: &Value<'_>) -> anyhow::Result<Vec<String>> {
        let expected =
            || self.error_at(key, &format!("expected {:?} as a string or a list of strings", key.get_ref()));
        match value.get_ref() {
            DeValue::String(text) => Ok(vec![text.to_string()]),
            DeValue::Array(strings) => {
                let string =
                    |value: &Value<'_>| value.get_ref().as_str().map(str::to_owned).ok_or_else(expected);
                strings.iter().map(string).collect()
            }
            _ => Err(expected()),
        }
    }

    /// Returns the value of an option as it would be typed; `None` for `true`.
    fn option_value(&self, key: &Key<'_>, value: &Value<'_>) -> anyhow::Result<Option<String>> {
        Ok(Some(match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            DeValue::Boolean(true) => return Ok(None),
            _ => {
                bail!(
                    self.error_at(
                        key,
                        &format!("expected {:?} as a string, a number or true", key.get_ref())
                    )
                )
            }
        }))
    }

    fn bots(&self, entries: &DeTable<'_>) -> anyhow::Result<BTreeMap<String, NamedBot>> {
        let bot = |(key, value): (&Key<'_>, &Value<'_>)| {
            let mut command: Vec<OsString> =
                self.words(key, value)?.into_iter().map(OsString::from).collect();
            let Some(program) = command.first_mut() else {
                bail!(self.error_at(key, "expected a command, got an empty one"));
            };
            // The program is relative to the folder of the settings file if it contains a slash or names a file in that
            // folder.
            let path = self.folder().join(&program);
            if program.to_string_lossy().contains('/') || path.is_file() {
                *program = path.into_os_string();
            }
            Ok((key.get_ref().to_string(), NamedBot { command, line: self.line(key) }))
        };
        entries.iter().map(bot).collect()
    }

    fn problem(&self, section: &Key<'_>, entries: &DeTable<'_>) -> anyhow::Result<ProblemSection> {
        let mut problem = ProblemSection { line: self.line(section), style: None, entries: BTreeMap::new() };
        for (key, value) in entries {
            let name = key.get_ref().as_ref();
            let words = match name {
                STYLE => {
                    let style = self.style(key, value)?;
                    problem.style = Some(style);
                    vec![style.name().to_owned()]
                }
                "input" => {
                    let paths = self.strings(key, value)?;
                    paths.iter().map(|path| self.in_folder(key, path)).collect::<anyhow::Result<_>>()?
                }
                _ if PROBLEM_KEYS.contains(&name) => self.problem_command(key, value)?,
                _ => return Err(self.unknown(key, "[problem]", &PROBLEM_KEYS)),
            };
            problem.entries.insert(name.to_owned(), ProblemEntry { words, line: self.line(key) });
        }
        ensure!(
            problem.entry(INTERACTOR).is_some(),
            self.error_at(section, "expected [problem] with \"interactor\"")
        );
        Ok(problem)
    }

    fn style(&self, key: &Key<'_>, value: &Value<'_>) -> anyhow::Result<Style> {
        let Some(name) = value.get_ref().as_str() else {
            bail!(self.error_at(key, &format!("expected {STYLE:?} as a string")));
        };
        let styles = Style::value_variants().iter().copied();
        if let Some(style) = styles.clone().find(|style| style.name() == name) {
            return Ok(style);
        }
        let names: Vec<&str> = styles.map(Style::name).collect();
        let meant = did_you_mean(name, names.iter().copied());
        let problem = format!("there is no style {name:?}{meant} (expected {})", names.join(", "));
        Err(self.error_at(key, &problem))
    }

    /// Reads a command of `[problem]`. Each word that names a file in the folder of the settings file becomes a path in
    /// that folder. So does the program if it contains a slash.
    fn problem_command(&self, key: &Key<'_>, value: &Value<'_>) -> anyhow::Result<Vec<String>> {
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

    /// Returns a path in the folder of the settings file.
    fn in_folder(&self, key: &Key<'_>, path: &str) -> anyhow::Result<String> {
        let path = self.folder().join(path).into_os_string();
        path.into_string().map_err(|_| self.error_at(key, "expected a folder whose name is UTF-8"))
    }

    fn limits(&self, entries: &DeTable<'_>) -> anyhow::Result<Vec<OptionDefault>> {
        let limit = |(key, value): (&Key<'_>, &Value<'_>)| {
            let name = key.get_ref().as_ref();
            let Some((_, option)) = LIMIT_KEYS.iter().find(|(known, _)| *known == name) else {
                return Err(self.unknown(key, "[limits]", &LIMIT_KEYS.map(|(key, _)| key)));
            };
            self.option_default(format!("limits.{name}"), None, option, (key, value))
        };
        entries.iter().map(limit).collect()
    }

    fn commands(&self, entries: &DeTable<'_>) -> anyhow::Result<Vec<OptionDefault>> {
        let mut defaults = Vec::new();
        for (command, value) in entries {
            for (key, value) in self.table(command, value)? {
                let (command, option) = (command.get_ref().to_string(), key.get_ref().as_ref());
                let name = format!("commands.{command}.{option}");
                defaults.push(self.option_default(name, Some(command), option, (key, value))?);
            }
        }
        Ok(defaults)
    }

    fn option_default(
        &self,
        name: String,
        command: Option<String>,
        option: &str,
        (key, value): (&Key<'_>, &Value<'_>),
    ) -> anyhow::Result<OptionDefault> {
        let value = self.option_value(key, value)?;
        Ok(OptionDefault { key: name, command, option: option.to_owned(), value, line: self.line(key) })
    }

    /// Puts the languages of the file before the built-in languages. A built-in language with the same name provides
    /// the keys that the file does not set.
    fn languages(&self, entries: &DeTable<'_>, settings: &mut Settings) -> anyhow::Result<()> {
        let mut own = Vec::new();
        for (name, value) in entries {
            let (key, name) = (name, name.get_ref().to_string());
            let known = language::known().into_iter().find(|language| language.name == name);
            let is_known = known.is_some();
            let mut language = known.unwrap_or_else(|| Language {
                name: name.clone(),
                extensions: Vec::new(),
                compile: Vec::new(),
                flags: Vec::new(),
                run: Vec::new(),
            });
            for (key, value) in self.table(key, value)? {
                let words = match key.get_ref().as_ref() {
                    "extensions" => &mut language.extensions,
                    "compile" => &mut language.compile,
                    "flags" => &mut language.flags,
                    "run" => &mut language.run,
                    _ => return Err(self.unknown(key, &format!("[languages.{name}]"), &LANGUAGE_KEYS)),
                };
                *words = self.words(key, value)?;
                settings.language_lines.insert(format!("{name}.{}", key.get_ref()), self.line(key));
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
