//! Problem packages: the files of `judge export`, the validator in a package, and signals while files are written.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::Signal;
use zeroxor::wire::protocol::{self, JudgeTurn};
use zeroxor::{Position, Side, Solver};

use crate::support::{JUDGE, TestDir, command, judge, send, text};

/// Exports the package in a format. Returns a new directory and the path of the package in that directory.
fn export(format: &str) -> (TestDir, PathBuf) {
    let directory = TestDir::new();
    let package = directory.path().join("cards");
    let output = judge(&format!("export --format {format} {}", package.display()), &[]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    let left: Vec<_> = fs::read_dir(directory.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "no temporary directory is left: {left:?}");
    (directory, package)
}

/// Returns the files of a directory of the package, without the files of subdirectories.
fn files(directory: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(directory).unwrap().map(Result::unwrap);
    let files = entries.filter(|entry| entry.file_type().unwrap().is_file());
    files.map(|entry| entry.file_name().into_string().unwrap()).collect()
}

/// Runs a validator with the bundled bot, and returns the validator's exit code.
fn validate(run: &Path, input: &Path, feedback: &Path) -> Option<i32> {
    let mut bot =
        Command::new(JUDGE).arg("bot").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let code = {
        let mut validator = Command::new(run);
        validator.args([input, &input.with_extension("ans"), feedback]);
        validator.stdin(bot.stdout.take().unwrap()).stdout(bot.stdin.take().unwrap()).stderr(Stdio::null());
        validator.status().unwrap().code()
    };
    assert!(bot.wait().unwrap().success());
    code
}

#[test]
fn both_formats_are_complete_and_their_validators_run() {
    for (format, statement, validator) in [
        ("icpc", "statement", "output_validator"),
        ("legacy", "problem_statement", "output_validators/judge"),
    ] {
        let (_here, package) = export(format);
        assert_eq!(files(&package), BTreeSet::from(["problem.yaml".to_owned()]));
        assert_eq!(files(&package.join(statement)), BTreeSet::from(["problem.en.tex".to_owned()]));
        let samples = if format == "icpc" { 10 } else { 6 };
        assert_eq!(files(&package.join("data/sample")).len(), samples);
        assert_eq!(files(&package.join("submissions/accepted")).len(), 1);
        let wrong = ["wrong_answer", "run_time_error", "time_limit_exceeded"]
            .map(|kind| files(&package.join("submissions").join(kind)).len());
        assert_eq!(wrong, [5, 1, 1]);
        assert_eq!(package.join("data/invalid_input").is_dir(), format == "icpc");
        let run = package.join(validator).join("run");
        for name in ["run", "build", "judge"] {
            let mode = fs::metadata(package.join(validator).join(name)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o755, "{name}");
        }
        let feedback = package.with_file_name("feedback");
        fs::create_dir(&feedback).unwrap();
        let secret = package.join("data/secret");
        let names = files(&secret);
        assert!(names.len() >= 40, "{names:?}");
        let mut winners = BTreeSet::new();
        for name in &names {
            let input = secret.join(name);
            if input.extension() != Some("in".as_ref()) {
                continue;
            }
            assert_eq!(validate(&run, &input, &feedback), Some(42), "{name}");
            let header = protocol::parse_header(fs::read(&input).unwrap().trim_ascii()).unwrap();
            let position = Position::new(&header.game).unwrap();
            winners.insert(Solver::new().winning_side(&position).unwrap().to_string());
        }
        assert_eq!(winners, BTreeSet::from(["First".to_owned(), "Second".to_owned()]));
        let printed = fs::read_to_string(feedback.join("teammessage.txt")).unwrap();
        assert_eq!(printed, "WON: the opponent has no move left\n");
    }
}

/// Checks that the sample interactions are games of legal moves that the bot wins.
#[test]
fn the_sample_interactions_are_games() {
    let (_here, package) = export("icpc");
    let sample = package.join("data/sample");
    let names = files(&sample).into_iter().filter(|name| name.ends_with(".interaction"));
    let names: Vec<String> = names.collect();
    assert!(!names.is_empty());
    for name in &names {
        let shown = fs::read_to_string(sample.join(name)).unwrap();
        let mut lines = shown.lines();
        let start = lines.next().unwrap().strip_prefix('<').unwrap();
        assert_eq!(fs::read_to_string(sample.join(name).with_extension("in")).unwrap(), format!("{start}\n"));
        let header = protocol::parse_header(start.as_bytes()).unwrap();
        let mut position = Position::new(&header.game).unwrap();
        let side = protocol::parse_side(lines.next().unwrap().strip_prefix('>').unwrap().as_bytes()).unwrap();
        let mut is_bots_turn = side == Side::First;
        for line in lines {
            let sender = if is_bots_turn { '>' } else { '<' };
            let line = line.strip_prefix(sender).unwrap_or_else(|| panic!("{name}: {line}"));
            match protocol::parse_judge_turn(line.as_bytes()).unwrap() {
                JudgeTurn::Move(mv) => position.play(mv).unwrap(),
                JudgeTurn::NoMove => assert!(!is_bots_turn && position.is_over(), "{name}"),
                JudgeTurn::Lost => panic!("{name}"),
            }
            is_bots_turn = !is_bots_turn;
        }
        assert!(position.is_over(), "{name}");
    }
}

/// Checks that a signal during the export leaves no part of the package. After a late signal, the package is complete.
#[test]
fn an_interrupt_leaves_no_part_of_a_package() {
    for signal in [Signal::INT, Signal::TERM] {
        let is_interrupted = || {
            let directory = TestDir::new();
            let mut judge = command("export", &[]).arg(directory.file("cards")).spawn().unwrap();
            let mut has_ended = false;
            while directory.count() == 0 && !has_ended {
                has_ended = judge.try_wait().unwrap().is_some();
                std::thread::yield_now();
            }
            if !has_ended {
                send(signal, judge.id());
            }
            let code = judge.wait().unwrap().code();
            let expected = usize::from(code != Some(130));
            let left: Vec<_> = fs::read_dir(directory.path()).unwrap().collect();
            assert_eq!(left.len(), expected, "{signal:?}, {code:?}: {left:?}");
            assert_eq!(directory.path().join("cards").exists(), code == Some(0), "{signal:?}, {code:?}");
            code == Some(130)
        };
        assert!((0..100).any(|_| is_interrupted()), "{signal:?}: the signal always came too late");
    }
}

/// Checks that a signal while a table is written leaves the old table and no temporary file.
#[test]
fn an_interrupt_leaves_the_old_table() {
    for signal in [Signal::INT, Signal::TERM] {
        let here = TestDir::new();
        let old = here.write("old.csv", "OLD\n");
        let args = format!("table divisor --to 100000000 --format csv --force --output {old}");
        let mut grundy = command(&args, &[]).spawn().unwrap();
        while here.count() == 1 {
            assert_eq!(
                grundy.try_wait().unwrap(),
                None,
                "the table is complete before its temporary file is seen"
            );
            std::thread::yield_now();
        }
        send(signal, grundy.id());
        assert_eq!(grundy.wait().unwrap().code(), Some(130), "{signal:?}");
        assert_eq!((here.read("old.csv").as_str(), here.count()), ("OLD\n", 1), "{signal:?}");
    }
}
