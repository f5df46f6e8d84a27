//! The settings of `judge.toml`: named bots, limits, a game, the programs of a problem, and languages. An error names the
//! line; for an unknown key, it suggests a similar known key.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
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
use serde_json::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::cli::{LimitOptions, MAX_PROCESSES};
use crate::keys::{Keys, texts, words};
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
    pub(crate) programs: HashMap<&'static str, ProblemEntry>,
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

pub(crate) fn read(file: PathBuf) -> anyhow::Result<Settings> {
    let text = read_text(&file, MAX_BYTES)?;
    // The file and the line in which a span begins.
    let place = |span: Range<usize>| {
        let line = 1 + text.bytes().take(span.start).filter(|&byte| byte == b'\n').count();
        format!("{}:{line}", file.display())
    };
    let table = DeTable::parse(&text)
        .map_err(|error| anyhow!("{}: {}", place(error.span().unwrap_or_default()), error.message()))?;
    let mut spans = Vec::new();
    let values = json(&DeValue::Table(table.into_inner()), "", &mut spans);
    let places = spans.into_iter().map(|(path, span)| (path, place(span))).collect();
    let mut whole = Keys::new("", values.as_object().cloned().unwrap_or_default(), places);
    let folder = file.parent().unwrap_or(Path::new(""));
    let mut settings = Settings::without_file();
    if let Some(mut bots) = whole.inner("bots")? {
        for name in bots.unread() {
            let command = bots.read(&name, |value| command(value, folder))?.unwrap_or_default();
            settings.bots.insert(name, command.into_iter().map(OsString::from).collect());
        }
    }
    settings.game = whole.inner("game")?.map(game).transpose()?;
    if let Some(languages) = whole.inner("languages")? {
        read_languages(languages, &mut settings.languages)?;
    }
    settings.limits = whole.inner("limits")?.map(limits).transpose()?.unwrap_or_default();
    let section = whole.inner("problem")?;
    settings.problem = section.map(|section| problem(section, whole.place("problem"), folder)).transpose()?;
    whole.end()?;
    settings.file = Some(file);
    Ok(settings)
}

/// Returns a value as JSON, and puts the spans of its keys, by their paths, into `spans`. `above` is the path of the value,
/// with a point at its end.
fn json(value: &DeValue<'_>, above: &str, spans: &mut Vec<(String, Range<usize>)>) -> Value {
    let text = match value {
        DeValue::Table(table) => {
            let entry = |(key, value): (&Spanned<Cow<'_, str>>, &Spanned<DeValue<'_>>)| {
                let path = format!("{above}{}", key.get_ref());
                spans.push((path.clone(), key.span()));
                (key.get_ref().to_string(), json(value.get_ref(), &format!("{path}."), spans))
            };
            return Value::Object(table.iter().map(entry).collect());
        }
        DeValue::Array(values) => {
            return values.iter().map(|value| json(value.get_ref(), above, spans)).collect();
        }
        DeValue::String(text) => return text.as_ref().into(),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(value) => value.to_string(),
        DeValue::Datetime(time) => time.to_string(),
    };
    serde_json::from_str(&text).unwrap_or(Value::String(text))
}

/// Reads a command. Names of files in `folder`, that of the settings file, become paths in that folder.
fn command(value: &Value, folder: &Path) -> Result<Vec<String>, &'static str> {
    let words = match value.as_str().filter(|text| folder.join(text).is_file()) {
        // A source may have blanks in its name.
        Some(file) => vec![file.to_owned()],
        None => words(value)?,
    };
    if words.is_empty() {
        return Err("expected a command");
    }
    let word = |(at, word): (usize, String)| {
        if folder.join(&word).is_file() || at == 0 && word.contains('/') {
            let path = in_folder(folder, &word)?;
            return Ok(if at == 0 && !path.contains('/') { format!("./{path}") } else { path });
        }
        Ok(word)
    };
    words.into_iter().enumerate().map(word).collect()
}

fn in_folder(folder: &Path, path: &str) -> Result<String, &'static str> {
    folder.join(path).into_os_string().into_string().map_err(|_| "expected a folder whose name is UTF-8")
}

fn problem(mut section: Keys, place: String, folder: &Path) -> anyhow::Result<ProblemSection> {
    let mut programs = HashMap::new();
    for name in [INTERACTOR, "checker", "generator", "validator", "between"] {
        if let Some(words) = section.read(name, |value| command(value, folder))? {
            let (command, place) = (command_line(&words), section.place(name));
            programs.insert(name, ProblemEntry { command, place });
        }
    }
    let mut paths = |name| {
        let path = |path: String| in_folder(folder, &path).map(|path| relative_to_current_dir(&path).into());
        let paths = section.read(name, |value| texts(value)?.into_iter().map(path).collect());
        paths.map(Option::unwrap_or_default)
    };
    let (inputs, files_of_bot) = (paths("input")?, paths("with")?);
    let problem = ProblemSection {
        place,
        style: section.parsed("style", named_value)?,
        passes: section.parsed("passes", number_in(1..=2_u8))?,
        interactive_passes: section.parsed("interactive-passes", number_in(0..=2_u8))?,
        processes_of_bot: section.parsed("processes-of-bot", number_in(1..=MAX_PROCESSES_OF_BOT))?,
        bot_io: section.parsed("bot-io", named_value)?,
        inputs,
        files_of_bot,
        programs,
    };
    section.end()?;
    ensure!(
        problem.programs.contains_key(INTERACTOR) || problem.programs.contains_key("checker"),
        "{}: expected [problem] with \"interactor\"",
        problem.place
    );
    Ok(problem)
}

fn limits(mut section: Keys) -> anyhow::Result<LimitOptions> {
    let limits = LimitOptions {
        time_limit: section.parsed("time", parse_time_limit)?,
        wall_limit: section.parsed("wall", parse_time_limit)?,
        idle_limit: section.parsed("idle", parse_time_limit)?,
        memory_limit: section.parsed("memory", parse_memory_limit)?,
        processes: section.parsed("processes", number_in(1..=MAX_PROCESSES))?,
        grace: section.parsed("grace", parse_time_limit)?,
        limits: section.parsed("by", named_value)?,
    };
    section.end().map(|()| limits)
}

fn game(mut section: Keys) -> anyhow::Result<GameSection> {
    let families = |text: &str| text.split(',').map(named_value).collect::<Result<_, _>>();
    let game = GameSection {
        header: section.parsed("header", |text| plain_numbers(text).parse::<GameHeader>())?,
        families: section.parsed("family", families)?,
    };
    section.end().map(|()| game)
}

/// Puts the file's languages first. A built-in language provides the keys that the file does not set.
fn read_languages(mut sections: Keys, languages: &mut Vec<Language>) -> anyhow::Result<()> {
    let mut own = Vec::new();
    for name in sections.unread() {
        let Some(mut section) = sections.inner(&name)? else { continue };
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
            if let Some(own) = section.read(key, words)? {
                *field = own;
            }
        }
        section.end()?;
        let is_whole = !language.extensions.is_empty() && !language.run.is_empty();
        let place = sections.place(&name);
        ensure!(is_whole, "{place}: expected [languages.{name}] with \"extensions\" and \"run\"");
        own.push(language);
    }
    languages.splice(0..0, own);
    Ok(())
}

pub(crate) fn named_value<T: ValueEnum>(name: &str) -> Result<T, String> {
    T::from_str(name, false).map_err(|_| {
        let names = T::value_variants().iter().filter_map(T::to_possible_value);
        let names = names.map(|value| value.get_name().to_owned()).collect_vec();
        format!("expected {}{}", names.join(", "), did_you_mean(name, names.iter().map(String::as_str)))
    })
}
