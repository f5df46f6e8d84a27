//! Output files: without `--force`, `judge` and `grundy` replace only empty files and their own files of the same kind.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Output;

use rustix::process::Signal;

use crate::support::{
    TestDir, assert_refuses, command, is_root, judge, pass_as_an_ordinary_user, program_of, send, text,
};

/// The content of a file that neither program has written.
const FOREIGN: &str = "n,\na letter\n";

/// A command that writes a file.
struct Writer {
    /// The arguments. The name of the file is appended.
    args: String,
    /// The kind of file, as a refusal names it.
    kind: &'static str,
    /// The exit code if the command writes the file.
    code: i32,
}

impl Writer {
    /// Returns the name of the program that writes the file.
    fn program(&self) -> String {
        program_of(self.args.split(' ').next().unwrap()).file_stem().unwrap().to_str().unwrap().to_owned()
    }

    fn run(&self, file: &str, more: &str) -> Output {
        judge(&format!("{} {file} {more}", self.args), &[])
    }

    #[track_caller]
    fn writes(&self, file: &str, more: &str) {
        let output = self.run(file, more);
        assert_eq!(output.status.code(), Some(self.code), "{} {file}: {}", self.args, text(&output.stderr));
        assert!(fs::read(file).unwrap() != FOREIGN.as_bytes(), "{} {file}", self.args);
    }

    /// Checks that the command refuses the file with `message`, and prints nothing on stdout.
    #[track_caller]
    fn refuses(&self, file: &str, message: &str) {
        let output = self.run(file, "");
        let stderr = text(&output.stderr);
        assert_eq!(
            (output.status.code(), text(&output.stdout)),
            (Some(2), ""),
            "{} {file}: {stderr}",
            self.args
        );
        let (_, message_part) = stderr.split_once(": ").unwrap();
        assert!(message_part.contains(message), "{} {file}: {stderr}", self.args);
    }
}

/// Returns commands whose options name a file to replace.
fn writers(inputs: &TestDir) -> Vec<Writer> {
    let [game, sweep] = ["game", "sweep"].map(|name| inputs.file(name));
    let arena = "arena 5 1 2 --bot perfect --bot random --pairs 1";
    for args in [
        &format!("run 6 1 2 --transcript {game}"),
        &format!("sweep segment --l 1..2 --r 1..2 --output {sweep}"),
    ] {
        assert_eq!(judge(args, &[]).status.code(), Some(0), "{args}");
    }
    let table = "table segment 1 2 --to 2000";
    [
        ("run 6 1 2 --transcript".to_owned(), "a transcript", 0),
        ("test tests/data/inputs/cards.in --transcript".to_owned(), "a transcript", 0),
        ("interact 6 1 2 --transcript".to_owned(), "a transcript", 1),
        (format!("replay {game} --html"), "a page", 0),
        (format!("atlas {sweep} --output"), "an atlas", 0),
        (format!("{arena} --csv"), "standings in CSV", 0),
        (format!("{table} --output"), "the summary of a table", 0),
        (format!("{table} --format csv --output"), "a table in CSV", 0),
        ("table square --to 9 --format csv --output".to_owned(), "a table in CSV", 0),
        ("table euclid --to 9 --format csv --output".to_owned(), "a table in CSV", 0),
        (format!("{table} --format json --output"), "a table in JSON", 0),
        ("table square --to 9 --format json --output".to_owned(), "a table in JSON", 0),
        (format!("{table} --format bin --output"), "a binary table", 0),
        ("table square --to 9 --format bin --output".to_owned(), "a binary table", 0),
        (format!("{table} --plot scatter --output"), "an SVG", 0),
        ("table segment --all --to 9 --output".to_owned(), "the summary of a table", 0),
        (format!("{table} --period --certificate"), "a certificate", 0),
    ]
    .map(|(args, kind, code)| Writer { args, kind, code })
    .into()
}

#[test]
fn only_own_files_are_replaced() {
    let inputs = TestDir::new();
    for writer in writers(&inputs) {
        let here = TestDir::new();
        let foreign = here.write("foreign", FOREIGN);
        let advice = "choose another name, or give --force to replace it\n";
        let foreign_kind =
            format!("is not recognised as {} written by {}: {advice}", writer.kind, writer.program());
        writer.refuses(&foreign, &format!("{foreign} exists and {foreign_kind}"));
        let link = here.file("link");
        symlink("foreign", &link).unwrap();
        let target = fs::canonicalize(&foreign).unwrap();
        writer.refuses(&link, &format!("{link} is a link to {}, which {foreign_kind}", target.display()));
        assert_eq!((here.read("foreign").as_str(), here.count()), (FOREIGN, 2), "{}", writer.args);

        writer.writes(&link, "--force");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink(), "{}", writer.args);
        // Now the program has written the file itself, so `--force` is not needed.
        writer.writes(&foreign, "");
        writer.writes(&link, "");
        writer.writes(&here.write("empty", ""), "");
        writer.writes(&here.file("new"), "");
        writer.refuses(&here.file("none/file"), "No such file or directory");
        if !writer.args.contains("replay") {
            writer.refuses(&here.directory("directory"), "Is a directory");
        }
    }
}

/// Checks that a file of one kind is not replaced by a file of another kind.
#[test]
fn files_of_other_kinds() {
    let inputs = TestDir::new();
    let writers = writers(&inputs);
    let here = TestDir::new();
    for (number, writer) in writers.iter().enumerate() {
        let file = here.file(&number.to_string());
        writer.writes(&file, "");
        let other = writers[number..].iter().chain(&writers).find(|other| other.kind != writer.kind).unwrap();
        let expected = format!("exists and is not recognised as {} written by", other.kind);
        other.refuses(&file, &expected);
    }
}

/// Checks that the rules also apply to files in a directory, whose names the judge chooses.
#[test]
fn files_in_directories() {
    let here = TestDir::new();
    let (game, pages) = (here.file("game.jsonl"), here.directory("pages"));
    assert_eq!(judge(&format!("run 6 1 2 --transcript {game}"), &[]).status.code(), Some(0));
    for (args, name) in [
        (format!("run 6 1 2 --html-all --html {pages}"), "game-1.html"),
        (format!("replay {game} --html {pages}"), "game-1.html"),
    ] {
        let file = here.write(&format!("pages/{name}"), FOREIGN);
        assert_refuses(&args, &format!("judge: {file} exists and is not recognised as a"));
        assert_eq!(here.read(&format!("pages/{name}")), FOREIGN, "{args}");
        for more in [" --force", ""] {
            assert_eq!(judge(&format!("{args}{more}"), &[]).status.code(), Some(0), "{args}{more}");
        }
        assert!(here.read(&format!("pages/{name}")) != FOREIGN, "{args}");
    }
}

/// Checks the errors for directories in which no file can be created, and for files that cannot be read.
#[test]
fn what_an_ordinary_user_may_not_write() {
    if is_root() {
        return pass_as_an_ordinary_user(&["replaced_files::what_an_ordinary_user_may_not_write"]);
    }
    let inputs = TestDir::new();
    for writer in writers(&inputs) {
        let here = TestDir::new();
        let (secret, locked) = (here.write("secret", FOREIGN), here.directory("locked"));
        fs::set_permissions(&secret, Permissions::from_mode(0o200)).unwrap();
        fs::set_permissions(&locked, Permissions::from_mode(0o555)).unwrap();
        writer.refuses(&secret, "exists but cannot be read to check what it contains: Permission denied");
        writer.refuses(&format!("{locked}/file"), "Permission denied");
        fs::set_permissions(&locked, Permissions::from_mode(0o755)).unwrap();
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
