//! The bot as one file: the library's own sources, which the judge carries, put together.

mod condition;
mod edits;
mod examples;
mod imports;
mod inline;
mod mention;
mod prune;
mod reach;
mod scopes;

use clap::ValueEnum;
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
    /// Rows of up to 4096 cards alone: the contest's game
    Segment,
    /// All games, of all sizes
    All,
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

/// The whole file: a header, the library as the crate's root, and `main`.
///
/// # Errors
///
/// If the sources hold something that [`inline`] does not know; the tests bundle them for every target.
pub(crate) fn text(target: Target, games: Games) -> anyhow::Result<String> {
    let source = |path: &str| SOURCES.get_file(path)?.contents_utf8();
    let mut features = target.features().to_vec();
    features.extend((games == Games::Segment).then_some("contest"));
    let program = inline::file("lib.rs", &features, source)? + MAIN;
    Ok(header(target) + &if games == Games::Segment { prune::prune(&program)? } else { program })
}

fn header(target: Target) -> String {
    let [needs, compile] = target.needs();
    let target = target.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
    format!(
        "\
// zeroxor {version}: plays impartial subtraction games over stdin and stdout, and wins whenever theory allows.
// Licence: {licence}.
//
// Made by `judge bundle --target {target}` from the crate's sources: their modules stand inline, their tests are left out.
// Needs: Rust {rust} or newer, {needs}.
// Compile: {compile}

",
        version = env!("CARGO_PKG_VERSION"),
        licence = env!("CARGO_PKG_LICENSE"),
        rust = env!("CARGO_PKG_RUST_VERSION"),
    )
}
