//! Options that several commands share.

use std::path::PathBuf;

use clap::Args;

use crate::referee::game::setup::GameHeader;
use crate::report::page::game::GamePageLog;
use crate::settings::Settings;
use crate::trials::family::GameFamily;

/// The families of games from which starts are drawn.
#[derive(Clone, Debug, Args)]
pub(crate) struct FamilyOptions {
    /// The family of games from which starts are drawn; several families, with commas between them, take turns
    /// [default: segment]
    #[arg(long, value_enum, value_name = "NAME", value_delimiter = ',')]
    family: Vec<GameFamily>,
}

impl FamilyOptions {
    /// Returns whether a family was typed.
    fn is_given(&self) -> bool {
        !self.family.is_empty()
    }

    /// Returns the families: those of the option, or else those of `judge.toml`, where a header stands for its family.
    pub(crate) fn families(&self, settings: &Settings) -> Vec<GameFamily> {
        if self.is_given() {
            return self.family.clone();
        }
        let of_header = || settings.game.header.as_ref().map(|header| vec![GameFamily::of(header.game())]);
        let families = settings.game.families.clone().or_else(of_header);
        families.unwrap_or_else(|| vec![GameFamily::SEGMENT])
    }

    /// Returns the header of `judge.toml`, unless a family was typed.
    pub(crate) fn header(&self, settings: &Settings) -> Option<GameHeader> {
        settings.game.header.clone().filter(|_| !self.is_given())
    }
}

/// The options for replay pages.
#[derive(Debug, Args)]
pub(crate) struct PageOptions {
    /// Write a page with the replay of each game that was not won, DIR/game-K.html for game K. With an interactor,
    /// write a page of each run that was not accepted, DIR/run-K.html
    #[arg(long, value_name = "DIR")]
    pub(crate) html: Option<PathBuf>,

    /// With --html, write a page for each game or run
    #[arg(long, requires = "html")]
    pub(crate) html_all: bool,
}

impl PageOptions {
    /// Returns the log that writes the pages; `None` without `--html`.
    pub(crate) fn log(&self) -> anyhow::Result<Option<GamePageLog>> {
        self.html.as_deref().map(|folder| GamePageLog::new(folder, self.html_all)).transpose()
    }
}

/// The options for a bot's stderr.
#[derive(Debug, Args)]
pub(crate) struct StderrOptions {
    /// Show the bot's stderr for won games too
    #[arg(long, conflicts_with = "json")]
    pub(crate) show_stderr: bool,

    /// Write the bot's stderr in each game to a file seed-S.txt in this folder; further games with the same seed go to
    /// seed-S-2.txt and so on
    #[arg(long, value_name = "DIR")]
    pub(crate) stderr: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    #[test]
    fn the_game_of_the_settings_gives_way_to_a_typed_family() {
        let mut settings = Settings::without_file();
        settings.game.header = Some("nim 3 4".parse().unwrap());
        let options = |name: &[&str]| FamilyOptions {
            family: name.iter().map(|name| GameFamily::from_str(name, false).unwrap()).collect(),
        };
        let read = |options: FamilyOptions| {
            let names: Vec<_> = options.families(&settings).into_iter().map(GameFamily::name).collect();
            (names, options.header(&settings).map(|header| header.text().to_owned()))
        };
        assert_eq!(read(options(&[])), (vec!["nim"], Some("nim 3 4".to_owned())));
        assert_eq!(read(options(&["square", "sum"])), (vec!["square", "sum"], None));
    }
}
