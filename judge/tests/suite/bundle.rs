//! The bot as one file: what is in it, that it compiles alone, and that it wins.

use std::path::Path;
use std::process::{Command, Output};
use std::{env, fs};

use crate::support::{JUDGE, NO_CORPUS, TestDir, assert_all_won, judge, text};

const TARGETS: [&str; 2] = ["atcoder", "plain"];

/// The most bytes for each choice of games: what a person reads, and what the contest takes.
const GAMES: [(&str, usize); 2] = [("segment", 100 << 10), ("all", 512 << 10)];

fn bundle(games: &str, target: &str) -> String {
    let output = judge(&format!("bundle --games {games} --target {target}"), &[]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    text(&output.stdout).to_owned()
}

#[track_caller]
fn succeed(command: &mut Command) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    assert!(status.success(), "{command:?}: {status}\n{}{}", text(&stdout), text(&stderr));
}

/// Some two hundred games of rows.
fn assert_wins_rows(bot: &Path) {
    let bot = [bot.to_str().unwrap()];
    for (opponent, seed) in
        [("perfect", 1), ("random", 101), ("stubborn", 201), ("mirror", 301), ("slow", 401)]
    {
        assert_all_won(&format!("--games 20 --seed {seed} --opponent {opponent}"), &bot, 20);
    }
    for header in [
        "1 1 1",
        "20 3 5",
        "segment 500 4 9 seat first",
        "1999 2 2",
        "2000 1 1",
        "2000 1 2000",
        "2000 2 2",
        "2000 3 3",
        "2000 7 7",
        "2000 1999 1999",
        "1000 1 2 + 1000 1 2 + 500 3 3",
    ] {
        for opponent in ["perfect", "random"] {
            assert_all_won(&format!("{header} --games 4 --opponent {opponent}"), &bot, 4);
        }
    }
}

/// Games of all kinds, and a row that is longer than any of the contest.
fn assert_wins_all(bot: &Path) {
    let bot = [bot.to_str().unwrap()];
    for header in [
        "square 50 31 12 ban 4 9",
        "divisor 24 18 ban 1",
        "subtract 13 8 21 take 2 5",
        "nim 3 5 8",
        "euclid 14 5",
        "segment 20 3 5 + square 20 ban 1 + euclid 14 5",
        "5000 3 3",
    ] {
        for opponent in ["perfect", "random"] {
            assert_all_won(&format!("{header} --games 3 --opponent {opponent}"), &bot, 3);
        }
    }
}

/// Four hundred short rows, with windows of all kinds.
fn assert_wins_short_rows(bot: &Path) {
    let stress = format!("stress --games 400 --max-n 30 --seed 1 -- {}", bot.display());
    let output = Command::new(JUDGE).args(stress.split(' ')).envs([NO_CORPUS]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
}

/// What the contest never asks for is refused with a reason.
fn assert_refuses_others(bot: &Path) {
    const MADE: &str = "(this file plays short rows alone: it was made with `judge bundle --games segment`; \
        use `--games all`)";
    for (header, expected) in [
        (
            "nim 3 5",
            format!(
                "line 1: expected three numbers \"N L R\" or \"segment N L R\" {MADE}, got \"nim\" at column 1"
            ),
        ),
        (
            "20 1 2 + square 4",
            format!(
                "line 1: expected three numbers \"N L R\" or \"segment N L R\" {MADE}, got \"square\" at column 10"
            ),
        ),
        (
            "5000 3 3",
            format!(
                "line 1: the game is too large: a Grundy table of segments up to 5000 under the window [3, 3] {MADE} takes 5000 cards, and the limit is 4096"
            ),
        ),
        ("20 5 3", "line 1: expected L of at most R = 3, got \"5\" at column 4".to_owned()),
    ] {
        let play = format!("echo '{header}' | {}", bot.display());
        let output = Command::new("sh").args(["-c", &play]).output().unwrap();
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{header}");
        assert_eq!(text(&output.stderr), format!("zeroxor: {expected}\n"), "{header}");
    }
}

#[test]
fn the_file_is_small_readable_and_the_same_each_time() {
    for ((games, most), target) in GAMES.into_iter().flat_map(|games| TARGETS.map(|target| (games, target))) {
        let file = bundle(games, target);
        let name = format!("{games} {target}");
        // What stands in for the two crates.
        let most = if target == "plain" { most + (2 << 10) } else { most };
        assert!(file.len() <= most, "{name}: {} bytes", file.len());
        assert_eq!(file, bundle(games, target));
        for kept in [
            concat!("// zeroxor ", env!("CARGO_PKG_VERSION"), ": plays "),
            "// Licence: MIT OR Apache-2.0.",
            &format!(
                "\n// Made by `judge bundle --games {games} --target {target}` from the crate's sources: "
            ),
            "mod pair_index { // src/grundy/segment/pair_index.rs",
            "\n/// A player of a game, whose position it keeps.\n",
            "/// The nimber of every P-position: the player to move has lost.",
            "        // The least count for which the moves up to it are more than n.",
            "\nfn main()",
        ] {
            assert!(file.contains(kept), "{name}: {kept}");
        }
        for left_out in [
            "#[test]",
            "cfg(test",
            "cfg(contest",
            "cfg(not(contest",
            "feature = ",
            "mod tests",
            "proptest",
            "assert_eq!",
            "env_logger",
            "log::",
            "mod analysis",
        ] {
            assert!(!file.contains(left_out), "{name}: {left_out}");
        }
        for left_out in ["mod euclid", "Square", "mod sieve", "mod sparse", "Subtract {", "mod counts"] {
            assert_eq!(file.contains(left_out), games == "all", "{name}: {left_out}");
        }
        assert_eq!(file.contains("use itertools::Itertools;"), target == "atcoder");
        assert_eq!(file.contains("smallvec::SmallVec"), target == "atcoder");
    }
    assert_eq!(bundle("segment", "atcoder"), text(&judge("bundle", &[]).stdout), "they are the defaults");
}

/// What uses stands above what is used, as in docs/architecture.md.
#[test]
fn the_short_file_reads_from_top_to_bottom() {
    let file = bundle("segment", "plain");
    let order = [
        "\nfn main()",
        "mod wire {",
        "mod session {",
        "mod protocol {",
        "mod strategy {",
        "mod player {",
        "mod solver {",
        "mod grundy {",
        "mod segment {",
        "mod table {",
        "mod pair_index {",
        "mod values {",
        "mod rules {",
        "mod spec {",
        "mod words {",
    ];
    let places = order.map(|part| file.find(part).unwrap_or_else(|| panic!("{part}")));
    assert!(places.is_sorted(), "{places:?}");
    let long: Vec<&str> = file.lines().filter(|line| line.chars().count() > 125).collect();
    assert!(long.is_empty(), "{long:#?}");
    assert!(!file.contains("\n\n\n"), "blank lines");
}

/// In an empty package with the two crates that AtCoder has, and no other.
#[test]
fn what_atcoder_compiles_wins() {
    const MANIFEST: &str = r#"[package]
name = "submission"
edition = "2024"

[[bin]]
name = "segment"
path = "src/segment.rs"

[[bin]]
name = "all"
path = "src/all.rs"

[dependencies]
itertools = "=0.14.0"
smallvec = "=1.15.1"

[workspace]
"#;
    let here = TestDir::new();
    let package = here.path();
    fs::create_dir(package.join("src")).unwrap();
    fs::write(package.join("Cargo.toml"), MANIFEST).unwrap();
    // The workspace depends on the same two, so they need not be fetched again.
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    fs::copy(lock, package.join("Cargo.lock")).unwrap();
    for (games, _) in GAMES {
        fs::write(package.join(format!("src/{games}.rs")), bundle(games, "atcoder")).unwrap();
    }
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--release", "--quiet", "--offline", "--target-dir", "target"]);
    succeed(build.current_dir(package).env("RUSTFLAGS", "-D warnings"));
    let [segment, all] = ["segment", "all"].map(|bot| package.join("target/release").join(bot));
    assert_wins_rows(&segment);
    assert_wins_rows(&all);
    assert_wins_all(&all);
}

/// The steps that docs/commands.md shows, and the size it tells.
#[test]
fn what_the_docs_submit_wins() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/commands.md")).unwrap();
    let section = page.split("\n## ").find(|section| section.starts_with("judge bundle\n")).unwrap();
    let (_, block) = section.split_once("```sh\n").unwrap();
    let (steps, _) = block.split_once("```").unwrap();
    let here = TestDir::new();
    let judge = Path::new(JUDGE).parent().unwrap();
    let path = env::join_paths(
        [judge.to_owned()].into_iter().chain(env::split_paths(&env::var_os("PATH").unwrap())),
    );
    succeed(Command::new("sh").args(["-ec", steps]).current_dir(here.path()).env("PATH", path.unwrap()));
    let bot = here.path().join("zeroxor");
    assert_wins_rows(&bot);
    assert_wins_short_rows(&bot);
    assert_refuses_others(&bot);
    for (games, _) in GAMES {
        let size = format!("{} KiB", bundle(games, "atcoder").len().div_ceil(10 << 10) * 10);
        assert!(section.contains(&size), "docs/commands.md tells the size: {size}");
    }
}

/// Not a warning, as a contest's page shows them all.
#[test]
fn nothing_is_warned_of() {
    let here = TestDir::new();
    for (games, _) in GAMES {
        here.write("bot.rs", bundle(games, "plain"));
        let mut check = Command::new("rustc");
        check.args(["--edition", "2024", "-D", "warnings", "-D", "unused", "--emit", "metadata", "bot.rs"]);
        succeed(check.current_dir(here.path()));
    }
}

#[test]
fn a_file_is_written_whole_or_not_at_all() {
    let directory = TestDir::new();
    let here = directory.path();
    let write = |path: &Path| judge(&format!("bundle --output {}", path.display()), &[]);
    let refused = |path: &Path, reason: &str| {
        let output = write(path);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""));
        assert!(text(&output.stderr).contains(reason), "{}", text(&output.stderr));
    };
    let file = here.join("main.rs");
    for _ in 0..2 {
        let output = write(&file);
        assert_eq!((output.status.code(), text(&output.stdout), text(&output.stderr)), (Some(0), "", ""));
        assert_eq!(fs::read_to_string(&file).unwrap(), bundle("segment", "atcoder"));
        fs::write(&file, "// zeroxor of another version, and longer".repeat(10_000)).unwrap();
    }
    let link = here.join("link.rs");
    std::os::unix::fs::symlink("main.rs", &link).unwrap();
    assert_eq!(write(&link).status.code(), Some(0));
    assert!(link.is_symlink(), "the file is replaced, not the link");
    assert_eq!(fs::read_to_string(&file).unwrap(), bundle("segment", "atcoder"));
    refused(here, "cannot be written: Is a directory");
    refused(Path::new("/dev/full"), "cannot be written: No space left");
    refused(&here.join("none/main.rs"), "cannot be written: ");
    // Where only the beginning could be written, what was there stays.
    let limited = format!("trap '' XFSZ; ulimit -f 8; exec {JUDGE} bundle --output main.rs --target plain");
    let output = Command::new("sh").args(["-c", &limited]).current_dir(here).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).starts_with("judge: main.rs cannot be written: File too large"));
    assert_eq!(fs::read_to_string(&file).unwrap(), bundle("segment", "atcoder"));
    assert_eq!(directory.count(), 2, "nothing is left behind");
    for stdout in ["-", "/dev/stdout"] {
        assert_eq!(text(&write(Path::new(stdout)).stdout), bundle("segment", "atcoder"), "{stdout}");
    }
    let output = judge("bundle --target pascal", &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("[possible values: atcoder, plain]"));
    let output = judge("bundle --games nim", &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("[possible values: segment, all]"));
}
