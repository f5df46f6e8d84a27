//! The bot as one file: the library's own sources, which the judge carries, put together.

mod api_docs;
mod arrange;
mod condition;
mod edits;
mod imports;
mod inline;
mod mention;
mod parts;
mod prune;
mod reach;
mod scopes;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use include_dir::{Dir, include_dir};

use condition::Features;

/// Where the file is to be compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    /// With the crates that AtCoder has: itertools and smallvec
    Atcoder,
    /// With no crates at all
    Plain,
}

/// The games that the file plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Games {
    /// Rows, up to 4096 cards: the contest's game, in a file to read
    Segment,
    /// All games of all sizes
    All,
}

impl Games {
    /// What is on beside the library's features.
    fn features(self) -> Features<'static> {
        match self {
            Self::Segment => &["contest"],
            Self::All => &[],
        }
    }

    /// What is played, and what the file holds.
    fn description(self) -> [&'static str; 2] {
        match self {
            Self::Segment => [
                "the segment game (AtCoder ABC278 G)",
                "what that game\'s bot uses\n\
                // of them, from top to bottom: a module stands above those that it uses. Tests are left out, and so are the other\n\
                // games, the engines for rows of more than 4096 cards, and the comparison of moves that lose anyway: the bot\n\
                // refuses the games and, where L = R, the rows. `judge bundle --games all` has all of it, and comments may name it.",
            ],
            Self::All => {
                ["impartial subtraction games", "their modules stand inline, their tests are left out."]
            }
        }
    }
}

impl Target {
    /// The library's features that can be had there.
    fn features(self) -> Features<'static> {
        match self {
            Self::Atcoder => &["itertools", "smallvec"],
            Self::Plain => &[],
        }
    }

    /// What the compiler must have, and how it is called.
    fn needs(self) -> [&'static str; 2] {
        match self {
            Self::Atcoder => [
                "edition 2024, itertools 0.14.0 and smallvec 1.15.1",
                "cargo build --release, as src/main.rs",
            ],
            Self::Plain => ["edition 2024, no crates", "rustc --edition 2024 -O zeroxor.rs"],
        }
    }
}

/// The library, as it was when the judge was compiled.
static SOURCES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../src");

const MAIN: &str = "
fn main() -> std::process::ExitCode {
    wire::run_on_stdio()
}
";

/// The whole file: a header, the library as the crate's root, and `main`. For the contest's game only what `main` reaches
/// is left of it.
///
/// # Errors
///
/// If the sources hold something that [`inline`] does not know; the tests bundle them for every target.
pub(crate) fn text(target: Target, games: Games) -> anyhow::Result<String> {
    let source = |path: &str| SOURCES.get_file(path)?.contents_utf8();
    let features = [target.features(), games.features()].concat();
    let program = inline::file("lib.rs", &features, source)? + MAIN;
    let program = match games {
        Games::Segment => arrange::arrange(&prune::prune(&program)?)?,
        Games::All => program,
    };
    Ok(header(target, games) + &program)
}

fn header(target: Target, games: Games) -> String {
    let [needs, compile] = target.needs();
    let [plays, holds] = games.description();
    let name =
        |value: Option<PossibleValue>| value.map_or_else(String::new, |value| value.get_name().to_owned());
    let (target, games) = (name(target.to_possible_value()), name(games.to_possible_value()));
    format!(
        "\
// zeroxor {version}: plays {plays} over stdin and stdout, and wins whenever theory allows.
// Licence: {licence}.
//
// Made by `judge bundle --games {games} --target {target}` from the crate's sources: {holds}
// Needs: Rust {rust} or newer, {needs}.
// Compile: {compile}

",
        version = env!("CARGO_PKG_VERSION"),
        licence = env!("CARGO_PKG_LICENSE"),
        rust = env!("CARGO_PKG_RUST_VERSION"),
    )
}
