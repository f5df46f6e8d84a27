//! How a bot plays its games: its command, its limits, and the profile by which its behaviour is judged.

use std::ffi::OsString;
use std::time::Duration;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use itertools::{Itertools, chain};
use runner::escape::{quoted, shell_word};
use runner::limits::{DEFAULT_LIMITS, Limits, LimitsBy, default_wall};
use runner::sandbox::Sandbox;
use runner::sources::BuildOptions;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(crate) const NO_STACK_LIMIT: u64 = u64::MAX;

/// The default limits of games. Without an option, a bot may be idle until another limit on time.
pub(crate) const LIMITS_OF_GAMES: Limits = Limits { idle: Duration::MAX, ..DEFAULT_LIMITS };

/// A bot, its limits and its options, which are the same in all its games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MatchConfig {
    #[serde(default, rename = "bot_name", skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// `None` if no profile is typed: games are then judged by [`Profile::Strict`], and against an interactor only the
    /// output that nobody reads is excused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) profile: Option<Profile>,
    pub(crate) limits: Limits,
    pub(crate) limits_by: LimitsBy,
    /// Maximum size of the stack in bytes, or [`NO_STACK_LIMIT`]; `None` if the size was not recorded.
    #[serde(default, rename = "stack_bytes", skip_serializing_if = "Option::is_none")]
    pub(crate) stack: Option<u64>,
    /// Whether one process plays all games, if possible.
    pub(crate) session: bool,
    pub(crate) sandbox: Sandbox,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) fresh: bool,
    /// The command as typed, empty for the bundled bot. In JSON, U+FFFD replaces bytes that are not UTF-8.
    #[serde(serialize_with = "as_text", deserialize_with = "from_text")]
    pub(crate) bot: Vec<OsString>,
    /// The command that starts the bot, if it differs from the typed command, as for a compiled source.
    #[serde(skip)]
    pub(crate) started: Option<Vec<OsString>>,
    /// Whether `options` also names default limits, because a `judge.toml` may set other defaults.
    #[serde(skip)]
    pub(crate) writes_all: bool,
    /// The settings file that `run_command` names, if `--config` named one. U+FFFD replaces bytes that are not UTF-8.
    #[serde(skip)]
    pub(crate) settings_file: Option<String>,
    #[serde(default, skip_serializing_if = "BuildOptions::is_default")]
    pub(crate) build: BuildOptions,
}

/// How strictly the judge treats a bot's behaviour after a game that the bot has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Profile {
    /// Output after the end is `EXTRA_OUTPUT`, and a bot that does not exit is `NO_EXIT`
    Strict,
    /// As lenient as a contest may be: the win counts, and extra output or a missing exit is only reported
    /// and counted
    Contest,
}

impl MatchConfig {
    /// Returns the options of `judge run` for a game, without those that have their default value unless `writes_all` is
    /// set.
    pub(crate) fn options(&self) -> Vec<String> {
        self.options_beside(&LIMITS_OF_GAMES)
    }

    fn options_beside(&self, default: &Limits) -> Vec<String> {
        let Self { limits, limits_by, .. } = self;
        let given = |differs: bool, value: String| (self.writes_all || differs).then_some(value);
        let size = |bytes: u64| {
            if bytes.is_multiple_of(1 << 20) { (bytes >> 20).to_string() } else { format!("{bytes}B") }
        };
        let seconds = |time: Duration| time.as_secs_f64().to_string();
        let name = |value: Option<PossibleValue>| value.map(|value| value.get_name().to_owned());
        let is_default_by = *limits_by == LimitsBy::Auto && !self.writes_all;
        let default_idle = default.idle.min(limits.cpu).min(limits.wall);
        let of_limits = [
            ("--time-limit", given(limits.cpu != default.cpu, seconds(limits.cpu))),
            ("--wall-limit", given(limits.wall != default_wall(limits.cpu), seconds(limits.wall))),
            ("--idle-limit", given(limits.idle != default_idle, seconds(limits.idle))),
            ("--memory-limit", given(limits.memory != default.memory, size(limits.memory))),
            ("--processes", given(limits.processes != default.processes, limits.processes.to_string())),
            ("--grace", given(limits.grace != default.grace, seconds(limits.grace))),
            ("--limits", name(limits_by.to_possible_value()).filter(|_| !is_default_by)),
            ("--profile", name(self.profile.and_then(|profile| profile.to_possible_value()))),
        ];
        let of_build =
            [("--cxx", self.build.cxx.clone()), ("--release-flags", self.build.release_flags.clone())];
        let session = self.session.then(|| "--session".to_owned());
        let fresh = self.fresh.then(|| "--fresh".to_owned());
        let sandbox = self.sandbox.option("--sandbox");
        chain!(typed(of_limits), session, sandbox, fresh, typed(of_build)).collect()
    }

    pub(crate) fn run_command(&self, game: &str) -> Option<String> {
        self.judge_command(&format!("run {game}"), Vec::new(), &LIMITS_OF_GAMES)
    }

    /// Returns the command `judge {words}`, followed by `options` and the options and the bot of this configuration, quoted
    /// for a shell; `None` if one of them is not UTF-8. `default` are the limits that need no options.
    pub(crate) fn judge_command(
        &self,
        words: &str,
        options: Vec<String>,
        default: &Limits,
    ) -> Option<String> {
        let file = self.settings_file.iter().flat_map(|file| ["--config".to_owned(), file.clone()]);
        let end = Some("--".to_owned()).filter(|_| !self.bot.is_empty());
        let mut command = format!("judge {words}");
        for word in chain!(options, file, self.options_beside(default), end, self.bot_words()) {
            if word.contains(char::REPLACEMENT_CHARACTER) {
                return None;
            }
            // Only a NUL byte cannot be quoted, and no argument can contain one.
            command += &format!(" {}", shell_word(&word).ok()?);
        }
        Some(command)
    }

    /// Returns the command that starts the bot, empty for the bundled bot.
    pub(crate) fn command(&self) -> &[OsString] {
        self.started.as_ref().unwrap_or(&self.bot)
    }

    /// Returns the name of the bot in a report: its given name, or else its command, quoted for a shell.
    pub(crate) fn bot_name(&self) -> String {
        if let Some(name) = &self.name {
            return name.clone();
        }
        if self.bot.is_empty() {
            return "the bundled bot".to_owned();
        }
        self.bot.iter().map(|word| quoted(word)).join(" ")
    }

    /// Returns the bot's command. U+FFFD replaces bytes that are not UTF-8.
    pub(crate) fn bot_words(&self) -> Vec<String> {
        self.bot.iter().map(|word| word.to_string_lossy().into_owned()).collect()
    }
}

/// Returns the words of those options that have a value.
pub(crate) fn typed<'a>(
    options: impl IntoIterator<Item = (&'a str, Option<String>)>,
) -> impl Iterator<Item = String> {
    options.into_iter().filter_map(|(option, value)| Some([option.to_owned(), value?])).flatten()
}

fn as_text<S: Serializer>(bot: &[OsString], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(bot.iter().map(|word| word.to_string_lossy()))
}

fn from_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<OsString>, D::Error> {
    Ok(Vec::<String>::deserialize(deserializer)?.into_iter().map(OsString::from).collect())
}
