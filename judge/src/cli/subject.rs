//! What a command line is about: games of the judge, an interactor, or a problem package. What no option names is looked
//! for in the current folder and above it.

use std::collections::HashMap;
use std::env;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use itertools::Itertools;
use runner::message::print_error;

use crate::cli::interactors::InteractorOptions;
use crate::referee::interactor::style::{BOT, INPUT, Style};
use crate::settings::{
    self, INTERACTOR, ProblemEntry, ProblemSection, Settings, command_line, relative_to_current_dir,
};
use crate::trials::problem::format;
use crate::trials::problem::found::{Found, FoundInteractor};

pub(crate) enum Subject {
    /// Games of the judge, from a header, a family, or the section `[game]` of these settings.
    Games(Settings),
    /// A problem package, or the interactor of an option or of the section `[problem]`.
    Problem(Settings),
}

/// What the options of a command line say about its subject.
#[expect(clippy::struct_excessive_bools, reason = "each answers a question of its own")]
pub(crate) struct SubjectOptions<'a> {
    pub(crate) options: &'a InteractorOptions,
    /// The inputs of the command line; `None` if a generator makes the inputs.
    pub(crate) inputs: Option<&'a [PathBuf]>,
    /// Whether another option is given that is only for interactors.
    pub(crate) has_problem_options: bool,
    /// Whether a header or a family names a game.
    pub(crate) names_game: bool,
    /// Whether an option is given that is only for games.
    pub(crate) needs_game: bool,
    pub(crate) is_quiet: bool,
    /// The name of the command.
    pub(crate) command: &'static str,
}

impl SubjectOptions<'_> {
    /// Returns the subject with the settings, which have the sections `[problem]` and `[game]` of this subject. Options
    /// have priority over what is found. Says on stderr which problem was found.
    pub(crate) fn subject(&self, settings: &Settings) -> anyhow::Result<Subject> {
        let without = settings.without_subject();
        if self.options.names_programs() {
            return Ok(Subject::Problem(without));
        }
        if self.names_game {
            self.ensure_suits_games()?;
            return Ok(Subject::Games(without));
        }
        let found = match &self.options.problem {
            Some(path) => Found::at(path, &settings.languages).with_context(|| {
                let expected = "a problem package, a judge.toml with [problem], or a folder with either or with an interactor";
                let is_missing = path.symlink_metadata().is_err_and(|error| error.kind() == ErrorKind::NotFound);
                let found = if is_missing { "no such file or folder" } else { "none" };
                format!("--problem {}: expected {expected}, found {found}", path.display())
            })?,
            None => self.found(settings)?,
        };
        let file = shown(&found.file());
        match found {
            Found::Settings(path) => self.of_settings(&path, settings),
            _ if self.needs_game => bail!(
                "the options for games need one: expected a header, --family, or a judge.toml with [game]; {file} is of \
                 a problem"
            ),
            Found::Package(path) => {
                if let Some(option) = self.options.set_by_packages() {
                    bail!("{file}: expected no {option}, which a problem package determines itself");
                }
                self.say(&file, self.options.problem.is_some());
                let package = format::read(&self.folder(path))?;
                Ok(Subject::Problem(Settings { package: Some(Arc::new(package)), ..without }))
            }
            Found::Interactor(interactor) => {
                let section = self.of_interactor(&file, &interactor)?;
                Ok(Subject::Problem(Settings { problem: Some(section), ..without }))
            }
            Found::Contest(packages) => bail!(
                "expected one problem, found a contest: choose one by --problem: {}",
                packages.iter().map(|folder| shown(folder)).join(", ")
            ),
            Found::Several(sources) => bail!(
                "expected one interactor, found {}: name one by --interactor",
                sources.iter().map(|source| shown(source)).join(" and ")
            ),
            Found::Unread(_, advice) => bail!("{file}: {advice}"),
        }
    }

    /// Returns the folder or the archive of a package as it was typed.
    fn folder(&self, found: PathBuf) -> PathBuf {
        if let Some(folder) = self.options.problem.as_ref().filter(|typed| typed.is_dir()) {
            return folder.clone();
        }
        if env::current_dir().is_ok_and(|here| here == found) { PathBuf::from(".") } else { found }
    }

    fn found(&self, settings: &Settings) -> anyhow::Result<Found> {
        let here = env::current_dir().context("the current folder cannot be read")?;
        let of_option = settings.config.as_ref();
        if let Some(file) = of_option.filter(|_| settings.problem.is_some() || settings.game.is_some()) {
            return Ok(Found::Settings(file.clone()));
        }
        let home = env::var_os("HOME").and_then(|home| Path::new(&home).canonicalize().ok());
        let found = Found::above(&here, home.as_deref(), of_option.is_none(), &settings.languages);
        let judge = format!("judge {}", self.command);
        let inputs = match self.command {
            "lint" => "--input FILE",
            "stress" => "--generator COMMAND",
            _ => "--input FILES",
        };
        let found = found.with_context(|| {
            let InteractorOptions { checker, passes, interactive_passes, between, .. } = self.options;
            if checker.is_some() || between.is_some() || passes.or(*interactive_passes).is_some() {
                return "expected --interactor, or --passes 2 and --checker for two passes without an interactor: no \
                        problem was found in this folder and those above it"
                    .to_owned();
            }
            format!(
                "no problem and no game is named, and none was found in this folder and those above it; for a problem \
                 type \"{judge} --interactor COMMAND {inputs} -- BOT\", for a game \"{judge} --family segment -- BOT\""
            )
        })?;
        let file = found.file();
        if let Some(owner) = settings::other_owner(&file)? {
            let file = file.display();
            bail!(
                "{file} belongs to another user, {owner}, and names programs that the judge would start: to use it, type \
                 --problem {file}"
            );
        }
        Ok(found)
    }

    /// Returns what a settings file names: its problem, unless an option is for games, or its game.
    fn of_settings(&self, path: &Path, settings: &Settings) -> anyhow::Result<Subject> {
        let is_read = settings.file.as_deref() == Some(path);
        let named = if is_read { settings.clone() } else { settings::read(path.to_owned())? };
        let (problem, game) = (named.problem, named.game);
        let without = settings.without_subject();
        let file = shown(path);
        if self.options.problem.is_some() {
            ensure!(problem.is_some(), "--problem {}: expected the section [problem]", path.display());
        } else if game.is_some() && (problem.is_none() || self.needs_game) {
            self.ensure_suits_games()?;
            return Ok(Subject::Games(Settings { game, ..without }));
        }
        ensure!(
            !self.needs_game,
            "the options for games need one: expected a header, --family, or [game] in judge.toml; {file} names a problem"
        );
        self.say(&file, self.options.problem.is_some() || settings.config.is_some());
        Ok(Subject::Problem(Settings { problem, ..without }))
    }

    /// Returns the section for an interactor without a settings file, and says what was guessed.
    fn of_interactor(&self, file: &str, found: &FoundInteractor) -> anyhow::Result<ProblemSection> {
        let is_typed = self.inputs.is_none_or(|inputs| !inputs.is_empty());
        let inputs = found.inputs.as_deref().filter(|_| !is_typed);
        let mut notes = vec![file.to_owned()];
        match found.style.filter(|_| self.options.style.is_none()) {
            Some(Style::Plain) => notes
                .push("style plain, because the source shows no other (--style names another)".to_owned()),
            Some(style) => notes.push(format!("style {}", style.name())),
            None => {}
        }
        if let Some(inputs) = inputs {
            notes.push(format!("inputs {}{}", shown(inputs), if inputs.is_dir() { "/" } else { "" }));
        } else if !is_typed {
            notes.push("no inputs found (--input names them)".to_owned());
        }
        self.say(&notes.join(", "), false);
        let source = found.source.to_str();
        let mut command = vec![source.with_context(|| format!("{file}: expected UTF-8"))?.to_owned()];
        // In these styles the judge adds no arguments by itself.
        let style = self.options.style.or(found.style);
        if style == Some(Style::Launcher) {
            command.extend(["-f", INPUT, BOT].map(str::to_owned));
        } else if style == Some(Style::Plain) && (is_typed || inputs.is_some()) {
            command.push(INPUT.to_owned());
        }
        let place = file.to_owned();
        let interactor = ProblemEntry { command: command_line(&command), place: place.clone() };
        let programs = HashMap::from([(INTERACTOR, interactor)]);
        let inputs = inputs.map(|path| shown(path).into()).into_iter().collect();
        Ok(ProblemSection { place, style: found.style, programs, inputs, ..ProblemSection::default() })
    }

    /// Checks that no option is given that is only for interactors.
    fn ensure_suits_games(&self) -> anyhow::Result<()> {
        let has_inputs = self.inputs.is_some_and(|inputs| !inputs.is_empty());
        ensure!(
            !self.has_problem_options && !has_inputs && *self.options == InteractorOptions::default(),
            "the options for interactors need one: expected --interactor too, or a folder with a problem and no header or \
             option of a game"
        );
        Ok(())
    }

    /// Says what was taken, unless the user has named it.
    fn say(&self, what: &str, is_named: bool) {
        if !is_named && !self.is_quiet {
            print_error(format_args!("problem: {what}"));
        }
    }
}

/// Returns a path relative to the current folder if it is below that folder, or else the path itself.
fn shown(path: &Path) -> String {
    relative_to_current_dir(&path.to_string_lossy()).to_owned()
}
