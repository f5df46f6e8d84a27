//! The interface of a subcommand, and the properties that `cli/mod.rs` declares for each.

use std::process::ExitCode;

use crate::settings::Settings;

/// A subcommand, implemented by its arguments.
pub(crate) trait Subcommand {
    /// Returns the properties of the command with these arguments. The default implementation returns `declared`.
    fn properties(&self, declared: Properties) -> Properties {
        declared
    }

    /// Runs the command and returns the exit code.
    ///
    /// # Errors
    ///
    /// If the command cannot do its work. The exit code is then 2.
    fn run(&self, program: &Program) -> anyhow::Result<ExitCode>;
}

/// How the program runs a command.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a property of its own")]
pub(crate) struct Properties {
    /// Whether a supervisor process watches the command, in case the judge is killed or runs out of memory. This is for
    /// commands that start bots, and for commands whose exit code a harness reads.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux has the supervisor"))]
    pub(crate) is_supervised: bool,
    /// Whether the command reads `judge.toml`.
    pub(crate) reads_settings: bool,
    /// Whether this process is a bot or will become one.
    pub(crate) is_bot: bool,
    /// Whether the command judges nothing and only prints, so that its reader may close the output early.
    pub(crate) is_listing: bool,
}

impl Properties {
    pub(crate) const NONE: Self =
        Self { is_supervised: false, reads_settings: false, is_bot: false, is_listing: false };
    pub(crate) const SUPERVISED: Self = Self { is_supervised: true, ..Self::NONE };
    pub(crate) const STARTS_BOTS: Self = Self { reads_settings: true, ..Self::SUPERVISED };
    pub(crate) const LISTING: Self = Self { is_listing: true, ..Self::NONE };
    pub(crate) const LISTING_WITH_SETTINGS: Self = Self { reads_settings: true, ..Self::LISTING };
    pub(crate) const BOT: Self = Self { is_bot: true, ..Self::LISTING };
}

/// What a command needs from the program.
pub(crate) struct Program {
    /// The settings of `judge.toml`, if the command reads settings.
    pub(crate) settings: Settings,
    /// The names of the options that were typed, without dashes.
    pub(crate) typed: Vec<String>,
}

impl Program {
    /// Returns the first of these options that was typed.
    pub(crate) fn typed_among<'a>(&self, options: &[&'a str]) -> Option<&'a str> {
        options.iter().copied().find(|option| self.typed.iter().any(|typed| typed == option))
    }
}
