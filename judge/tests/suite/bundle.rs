//! The bot as one file: what is in it, that it compiles alone, and that it wins.

use std::path::Path;
use std::process::{Command, Output};
use std::{env, fs};

use crate::support::{JUDGE, TestDir, assert_all_won, judge, text};

const TARGETS: [&str; 2] = ["atcoder", "plain"];

/// The most that the contest takes, in bytes.
const MOST: usize = 512 << 10;

fn bundle(target: &str) -> String {
    let output = judge(&format!("bundle --target {target}"), &[]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    text(&output.stdout).to_owned()
}

#[track_caller]
fn succeed(command: &mut Command) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    assert!(status.success(), "{command:?}: {status}\n{}{}", text(&stdout), text(&stderr));
}

/// Two hundred games of all kinds.
fn assert_wins(bot: &Path) {
    let bot = [bot.to_str().unwrap()];
    for (opponent, seed) in [("perfect", 1), ("random", 101), ("stubborn", 201), ("mirror", 301)] {
        assert_all_won(&format!("--games 30 --seed {seed} --opponent {opponent}"), &bot, 30);
    }
    for header in [
        "20 3 5",
        "segment 500 4 9 seat first",
        "square 50 31 12 ban 4 9",
        "divisor 24 18 ban 1",
        "subtract 13 8 21 take 2 5",
        "nim 3 5 8",
        "euclid 14 5",
        "segment 20 3 5 + square 20 ban 1 + euclid 14 5",
    ] {
        for opponent in ["perfect", "random"] {
            assert_all_won(&format!("{header} --games 5 --opponent {opponent}"), &bot, 5);
        }
    }
}

#[test]
fn the_file_is_small_readable_and_the_same_each_time() {
    for target in TARGETS {
        let file = bundle(target);
        assert!(file.len() <= MOST, "{target}: {} bytes", file.len());
        assert_eq!(file, bundle(target));
        for kept in [
            concat!("// zeroxor ", env!("CARGO_PKG_VERSION"), ": plays impartial subtraction games"),
            "// Licence: MIT OR Apache-2.0.",
            "mod pair_index { // src/grundy/segment/pair_index.rs",
            "/// The nimber of every P-position: the player to move has lost.",
            "    // If one count is out of reach, all of that game are.",
            "\nfn main()",
        ] {
            assert!(file.contains(kept), "{target}: {kept}");
        }
        for left_out in [
            "#[test]",
            "cfg(test",
            "feature = ",
            "mod tests",
            "proptest",
            "assert_eq!",
            "env_logger",
            "log::",
            "mod analysis",
        ] {
            assert!(!file.contains(left_out), "{target}: {left_out}");
        }
        assert_eq!(file.contains("use itertools::Itertools;"), target == "atcoder");
        assert_eq!(file.contains("smallvec::SmallVec"), target == "atcoder");
    }
    assert_eq!(bundle("atcoder"), text(&judge("bundle", &[]).stdout), "AtCoder is the default");
}

/// In an empty package with the two crates that AtCoder has, and no other.
#[test]
fn what_atcoder_compiles_wins() {
    const MANIFEST: &str = r#"[package]
name = "submission"
edition = "2024"

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
    fs::write(package.join("src/main.rs"), bundle("atcoder")).unwrap();
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--release", "--quiet", "--offline", "--target-dir", "target"]);
    succeed(build.current_dir(package).env("RUSTFLAGS", "-D warnings"));
    assert_wins(&package.join("target/release/submission"));
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
    assert_wins(&here.path().join("zeroxor"));
    let size = format!("{} KiB", bundle("atcoder").len().div_ceil(10 << 10) * 10);
    assert!(section.contains(&size), "docs/commands.md tells the size: {size}");
}

/// Not a warning, as a contest's page shows them all.
#[test]
fn nothing_is_warned_of() {
    let here = TestDir::new();
    here.write("bot.rs", bundle("plain"));
    let mut check = Command::new("rustc");
    check.args(["--edition", "2024", "-D", "warnings", "--emit", "metadata", "bot.rs"]);
    succeed(check.current_dir(here.path()));
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
        assert_eq!(fs::read_to_string(&file).unwrap(), bundle("atcoder"));
        fs::write(&file, "what stood there before, and is longer".repeat(10_000)).unwrap();
    }
    let link = here.join("link.rs");
    std::os::unix::fs::symlink("main.rs", &link).unwrap();
    assert_eq!(write(&link).status.code(), Some(0));
    assert!(link.is_symlink(), "the file is replaced, not the link");
    assert_eq!(fs::read_to_string(&file).unwrap(), bundle("atcoder"));
    refused(here, "cannot be written: Is a directory");
    refused(Path::new("/dev/full"), "cannot be written: No space left");
    refused(&here.join("none/main.rs"), "cannot be written: ");
    // Where only the beginning could be written, what was there stays.
    let limited = format!("trap '' XFSZ; ulimit -f 8; exec {JUDGE} bundle --output main.rs --target plain");
    let output = Command::new("sh").args(["-c", &limited]).current_dir(here).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).starts_with("judge: main.rs cannot be written: File too large"));
    assert_eq!(fs::read_to_string(&file).unwrap(), bundle("atcoder"));
    assert_eq!(directory.count(), 2, "nothing is left behind");
    for stdout in ["-", "/dev/stdout"] {
        assert_eq!(text(&write(Path::new(stdout)).stdout), bundle("atcoder"), "{stdout}");
    }
    let output = judge("bundle --target pascal", &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("[possible values: atcoder, plain]"));
}
