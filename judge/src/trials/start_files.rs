//! Files with one game on each line: a header and options, typed like the arguments of `judge run`.

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail, ensure};
use runner::sources::folder::entries;
use zeroxor::wire::protocol::MAX_LINE;
use zeroxor::wire::quoted;

use crate::record_file::whole_line;
use crate::referee::game::setup::{GameHeader, GameSetup, MoveLine, OpponentKind, parse_moves};
use crate::settings::named_value;
use crate::text::{open_input, without_byte_order_mark};
use crate::units::{number_in, plain_numbers};

const MAX_GAMES: usize = 1_000_000;

/// Reads the games of files, of directories and of stdin (`-`). In a directory and its subdirectories, reads the files
/// whose names end in `.in` or `.txt` and do not begin with a dot, in the order of their names.
pub(crate) fn read_all(paths: &[OsString]) -> anyhow::Result<Vec<StartLine>> {
    let mut starts = Vec::new();
    for path in paths {
        let path = Path::new(path);
        let files = files_of(path)?;
        ensure!(!files.is_empty(), "{} has no file whose name ends in .in or .txt", path.display());
        for file in files {
            let is_stdin = file == Path::new("-");
            let name = if is_stdin { "stdin".to_owned() } else { format!("the file {}", file.display()) };
            let opened = open_input(&file).with_context(|| format!("{name} cannot be opened"))?;
            read(BufReader::new(opened), &mut starts).context(name)?;
        }
    }
    ensure!(
        !starts.is_empty(),
        "expected at least one line with a game, such as \"6 1 2 --opponent random\", got none"
    );
    Ok(starts)
}

pub(crate) fn has_game_extension(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "in" || extension == "txt")
}

/// Returns the file itself, or the files of games in a directory and its subdirectories. Links to directories are not
/// followed.
fn files_of(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for path in entries(path)? {
        if path.is_dir() && !path.is_symlink() {
            files.extend(files_of(&path)?);
        } else if has_game_extension(&path) {
            files.push(path);
        }
    }
    Ok(files)
}

fn read(mut input: impl BufRead, starts: &mut Vec<StartLine>) -> anyhow::Result<()> {
    let mut text = Vec::new();
    for number in 1_u64.. {
        let at = || format!("line {number}");
        let is_last = whole_line(&mut input, &mut text, MAX_LINE as u64).with_context(at)?.is_none();
        let line = if number == 1 { without_byte_order_mark(&text) } else { &text };
        starts.extend(StartLine::parse(&String::from_utf8_lossy(line.trim_ascii())).with_context(at)?);
        ensure!(
            starts.len() <= MAX_GAMES,
            "line {number}: expected at most {MAX_GAMES} games in all, got more"
        );
        if is_last {
            break;
        }
    }
    Ok(())
}

/// A line that names a game. `setup` fills in the options that the line omits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StartLine {
    header: GameHeader,
    opponent: Option<OpponentKind>,
    seed: Option<u64>,
    line: Option<MoveLine>,
}

impl StartLine {
    /// Parses a line without its line end. Returns `None` for a line without words; `#` starts a comment.
    pub(crate) fn parse(text: &str) -> anyhow::Result<Option<Self>> {
        let words =
            shlex::split(text).context("expected a closing quotation mark before the end of the line")?;
        if words.is_empty() {
            return Ok(None);
        }
        let options = words.iter().position(|word| word.starts_with("--")).unwrap_or(words.len());
        let (header, options) = words.split_at(options);
        let header: GameHeader =
            plain_numbers(&header.join(" ")).parse().context("the header is malformed")?;
        header.game().ensure_playable()?;
        let mut start = Self { header, opponent: None, seed: None, line: None };
        for option in options.chunks(2) {
            start.set(&option[0], option.get(1))?;
        }
        Ok(Some(start))
    }

    fn set(&mut self, option: &str, value: Option<&String>) -> anyhow::Result<()> {
        let is_new = match option {
            "--opponent" => self.opponent.replace(parsed(option, value, named_value)?).is_none(),
            "--seed" => self.seed.replace(parsed(option, value, number_in(0..=u64::MAX))?).is_none(),
            "--line" => self.line.replace(parsed(option, value, parse_moves)?).is_none(),
            _ => bail!("expected --opponent, --seed or --line, got {}", quoted(option.as_bytes())),
        };
        ensure!(is_new, "expected {option} only once");
        Ok(())
    }

    /// Returns the game of this line. The arguments are the values of the options that the line omits.
    pub(crate) fn setup(self, opponent: OpponentKind, seed: u64, line: &MoveLine) -> GameSetup {
        let line = self.line.unwrap_or_else(|| line.clone());
        let (opponent, seed) = (self.opponent.unwrap_or(opponent), self.seed.unwrap_or(seed));
        GameSetup { line, ..GameSetup::new(self.header, opponent, seed) }
    }
}

/// Parses the value of an option as the command line and `judge.toml` do.
fn parsed<T>(
    option: &str,
    value: Option<&String>,
    parse: impl Fn(&str) -> Result<T, String>,
) -> anyhow::Result<T> {
    let value = value.with_context(|| format!("expected a value after {option}"))?;
    parse(value).map_err(|expected| anyhow!("invalid value {value:?} for {option}: {expected}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(text: &str) -> Option<String> {
        let start = StartLine::parse(text).unwrap()?;
        Some(start.setup(OpponentKind::Slow, 7, &vec![[9, 1]]).to_string())
    }

    /// Checks that omitted options get the given values, and that a written game is read back unchanged.
    #[test]
    fn lines_and_the_games_that_they_start() {
        let largest_seed =
            "nim 3 5 + 6 1 2 --opponent random --seed 18446744073709551615 --line \"1 2, 3 1\"";
        for (text, expected) in [
            ("6 1 2", "6 1 2 --opponent slow --seed 7 --line \"9 1\""),
            (
                " square 20 ban 1  --line '1 4,1 9' --seed 2 --opponent mirror # LOST\r",
                "square 20 ban 1 --opponent mirror --seed 2 --line \"1 4, 1 9\"",
            ),
            ("nim 1e6 seat first --line \"\"", "nim 1000000 seat first --opponent slow --seed 7"),
            ("6 1 2 --line '1 1e1, 2 2^3'", "6 1 2 --opponent slow --seed 7 --line \"1 10, 2 8\""),
            (largest_seed, largest_seed),
        ] {
            assert_eq!(setup(text).as_deref(), Some(expected), "{text}");
        }
        for nothing in ["", "   ", "# 6 1 2", " \t# --"] {
            assert_eq!(setup(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn invalid_lines() {
        for (text, expected) in [
            ("6 2 1", "the header is malformed: expected L of at most R = 1, got \"2\" at column 3"),
            ("--seed 1", "the header is malformed: expected"),
            ("6 1 2 --seed", "expected a value after --seed"),
            ("6 1 2 --seed -1", "invalid value \"-1\" for --seed: expected a number from 0 to"),
            (
                "6 1 2 --opponent grady",
                "invalid value \"grady\" for --opponent: expected perfect, random, greedy, slow, mirror, stubborn; \
                 did you mean \"greedy\"?",
            ),
            ("6 1 2 --line '1 1", "expected a closing quotation mark"),
            ("6 1 2 --line '1 x'", "invalid value \"1 x\" for --line: expected a move"),
            ("6 1 2 --games 3", "expected --opponent, --seed or --line, got \"--games\""),
            ("6 1 2 --seed 1 7", "expected --opponent, --seed or --line, got \"7\""),
            ("6 1 2 --seed 1 --seed 1", "expected --seed only once"),
        ] {
            let error = format!("{:#}", StartLine::parse(text).unwrap_err());
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
}
