//! The output of commands: files that are written completely or not at all, streams, stdout.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use rustix::process::Signal;

use crate::support::{
    NO_CORPUS, TestDir, assert_prints, assert_refuses, command, judge, program_name, program_of, send, text,
};

/// A directory with an old table in it.
fn with_old_table() -> TestDir {
    let here = TestDir::new();
    here.write("old.csv", "OLD\n");
    here
}

/// Checks that the old table is not changed, and that there is no other file.
#[track_caller]
fn assert_old(here: &TestDir, args: &str) {
    assert_eq!(here.read("old.csv"), "OLD\n", "{args}");
    assert_eq!(here.count(), 1, "{args}");
}

#[test]
fn a_refusal_leaves_the_old_file() {
    let here = with_old_table();
    for game in [
        "segment 3 3 --to 1000000000",
        "segment --all --to 0",
        "square --nimber --to 100000000",
        "divisor ban 1 --to 1000000000",
        "subtract take 1 1000000000 --to 1000000000",
        "euclid --to 31623",
    ] {
        let args = format!("table {game} --force --output {}/old.csv", here.path().display());
        assert_eq!(judge(&args, &[]).status.code(), Some(2), "{args}");
        assert_old(&here, &args);
    }
}

/// A limit on the size of files is like a full disk.
#[test]
fn half_a_table_is_none() {
    let here = with_old_table();
    let args = "table segment 1 2 --to 100000 --format csv --force --output old.csv";
    let limited = format!("trap '' XFSZ; ulimit -f 8; exec {} {args}", program_of("table").display());
    let output = Command::new("sh").args(["-c", &limited]).current_dir(here.path()).output().unwrap();
    assert_eq!(text(&output.stderr), "grundy: old.csv cannot be written: File too large (os error 27)\n");
    assert_eq!(output.status.code(), Some(2));
    assert_old(&here, args);
}

/// The file that a link leads to is replaced, and may be read by those who could read it.
#[test]
fn a_link_and_a_mode_are_kept() {
    let here = with_old_table();
    let (file, link) = (here.path().join("old.csv"), here.path().join("link.csv"));
    fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
    symlink("old.csv", &link).unwrap();
    assert_prints(&format!("table square --to 1 --format csv --force --output {}", link.display()), "");
    assert_eq!(fs::read_link(&link).unwrap(), PathBuf::from("old.csv"));
    assert_eq!(fs::read_to_string(&file).unwrap(), "n,outcome\n0,P\n1,N\n");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
}

/// A path that is not a regular file is written to directly.
#[test]
fn into_a_device() {
    assert_prints("table segment 1 2 --to 1 --format csv --output /dev/stdout", "n,nimber\n0,0\n1,1\n");
    let here = TestDir::new();
    let pipe = here.fifo("pipe");
    let reader = Command::new("cat").arg(&pipe).stdout(Stdio::piped()).spawn().unwrap();
    assert_prints(&format!("table segment 1 2 --to 1 --format csv --output {pipe}"), "");
    assert_eq!(text(&reader.wait_with_output().unwrap().stdout), "n,nimber\n0,0\n1,1\n");
}

/// A full disk.
#[test]
#[cfg(target_os = "linux")]
fn an_output_that_fails() {
    assert_refuses(
        "table segment 1 3 --to 100 --format csv --output /dev/full",
        "grundy: /dev/full cannot be written: No space left",
    );
}

/// The output of a shell script, in which `judge` and `grundy` are these programs.
fn shell(here: &TestDir, script: &str) -> Output {
    let function = |name| format!("{name}() {{ {} \"$@\"; }}; ", program_of(name).display());
    let script = format!("{}{}{script}", function("judge"), function("grundy"));
    Command::new("sh").args(["-c", &script]).current_dir(here.path()).envs([NO_CORPUS]).output().unwrap()
}

/// A table of one line and a header, and where it goes.
const TABLE: &str = "grundy table segment 1 2 --to 0 --format csv --force --output";

/// A file that is open already keeps its content, and the output is appended.
#[test]
fn what_is_open_already_keeps_what_it_holds() {
    let here = TestDir::new();
    for (script, expected) in [
        ("/dev/stdout >> log", "OLD\nn,nimber\n0,0\n"),
        ("- >> log", "OLD\nn,nimber\n0,0\n"),
        ("/dev/stderr 2>> log", "OLD\nn,nimber\n0,0\n"),
        ("/dev/fd/3 3>> log", "OLD\nn,nimber\n0,0\n"),
        ("/proc/self/fd/3 3>> log", "OLD\nn,nimber\n0,0\n"),
        ("/proc/self/fd/9 >> log", "OLD\n"),
    ] {
        here.write("log", "OLD\n");
        shell(&here, &format!("{TABLE} {script}"));
        assert_eq!(here.read("log"), expected, "{script}");
    }
    shell(&here, &format!("{{ echo A; {TABLE} /dev/stdout; echo B; {TABLE} -; }} > log"));
    let log = here.read("log");
    assert_eq!(log, "A\nn,nimber\n0,0\nB\nn,nimber\n0,0\n");
    here.write("log", "OLD\n");
    shell(&here, "judge run 6 1 2 --transcript /dev/stdout -- true >> log");
    let log = here.read("log");
    assert!(log.starts_with("OLD\n{\"transcript\":4"), "{log}");
    assert_eq!(here.count(), 1, "there is no file named -");
}

/// A file may be named through `/proc` too: a refused table leaves it as it was.
#[test]
#[cfg(target_os = "linux")]
fn a_file_by_way_of_proc() {
    let here = with_old_table();
    let too_large = "grundy table segment 3 3 --to 1000000000 --force --output";
    for place in ["/proc/self/cwd/old.csv", "/dev/stdout >> old.csv", "/dev/fd/3 3>> old.csv"] {
        let output = shell(&here, &format!("{too_large} {place}"));
        assert_eq!(output.status.code(), Some(2), "{place}");
        assert_old(&here, place);
    }
    assert_eq!(shell(&here, &format!("{TABLE} /proc/self/cwd/old.csv")).status.code(), Some(0));
    assert_eq!(here.read("old.csv"), "n,nimber\n0,0\n");
}

#[test]
fn places_that_no_file_can_have() {
    let here = with_old_table();
    let path = here.path().display();
    for args in ["table segment 1 2 --to 0 --output", "stress --games 1 --html"] {
        for (place, cause) in [
            ("q/", "expected the name of a file, not of a directory"),
            ("q/.", "expected the name of a file, not of a directory"),
            ("old.csv/", "expected the name of a file, not of a directory"),
            ("old.csv/r", "Not a directory (os error 20)"),
            ("q/r", "No such file or directory (os error 2)"),
            ("", "Is a directory (os error 21)"),
        ] {
            let printed = format!("{}: {path}/{place} cannot be written: {cause}\n", program_name(args));
            assert_refuses(&format!("{args} {path}/{place}"), &printed);
            assert_old(&here, place);
        }
    }
    symlink("nowhere", here.path().join("link")).unwrap();
    let printed =
        format!("grundy: {path}/link cannot be written: it is a link to a file that does not exist\n");
    assert_refuses(&format!("table segment 1 2 --to 0 --output {path}/link"), &printed);
    assert_eq!(fs::read_link(here.path().join("link")).unwrap(), PathBuf::from("nowhere"));
}

/// One of the two would overwrite what the other writes or reads. Nothing is written then, also after hours.
#[test]
fn two_options_name_one_file() {
    let here = with_old_table();
    let old = here.file("old.csv");
    let elsewhere = TestDir::new();
    let linked = elsewhere.file("linked");
    symlink(&old, &linked).unwrap();
    let long = "table segment 1 3 --to 1e15 --period";
    let arena = "arena 5 1 2 --bot perfect --bot random --pairs 3";
    let stress = format!("stress --games 3 --html {linked}");
    for (args, first, second) in [
        (format!("{long} --output {linked} --certificate {old}"), "--output", "--certificate"),
        (format!("{long} --output {linked} --checkpoint {old}"), "--output", "--checkpoint"),
        (format!("{long} --certificate {linked} --history {old}"), "--certificate", "--history"),
        (format!("{long} --checkpoint {linked} --history {old}"), "--checkpoint", "--history"),
        (format!("{arena} --csv {linked} --html {old}"), "--csv", "--html"),
        (format!("{arena} --record {linked} --csv {old}"), "--record", "--csv"),
        (format!("arena --rate {linked} --csv {old}"), "--rate", "--csv"),
        (format!("{stress} --checkpoint {old} -- true"), "--checkpoint", "--html"),
        (format!("{stress} --resume {old} -- true"), "--resume", "--html"),
        (format!("replay {linked} --html {old}"), "FILE", "--html"),
        (format!("replay /dev/null --html {linked} --svg {old}"), "--html", "--svg"),
    ] {
        let got = if args.contains("stress") { &linked } else { &old };
        let printed = format!("{}: {first} and {second} name the same file: {got}\n", program_name(&args));
        assert_refuses(&args, &printed);
        assert_old(&here, &args);
    }
    let new = here.file("new");
    assert_refuses(
        &format!("{arena} --csv {new} --html {new}"),
        &format!("judge: --csv and --html name the same file: {new}\n"),
    );
    assert!(!fs::exists(&new).unwrap());
    let output =
        shell(&here, "grundy table octal 0.77 --to 200 --period --certificate /dev/null --output /dev/null");
    assert_eq!(output.status.code(), Some(0), "a device has no content to lose");
}

/// A path that cannot be written is found before a value is computed.
#[test]
fn long_tables_find_bad_paths_at_once() {
    let here = TestDir::new();
    let none = here.file("none/file");
    for option in ["--output", "--certificate"] {
        assert_refuses(
            &format!("table segment 1 3 --to 1e15 --period {option} {none}"),
            &format!("grundy: {none} cannot be written: No such file or directory"),
        );
    }
}

/// The message about a certificate that cannot be written names the certificate, not the table.
#[test]
#[cfg(target_os = "linux")]
fn the_file_that_cannot_be_written_is_named() {
    assert_refuses(
        "table segment 1 2 --to 200 --period --certificate /dev/full",
        "grundy: /dev/full cannot be written: No space left",
    );
    let here = TestDir::new();
    let output = shell(&here, "judge protocol > /dev/full");
    assert!(text(&output.stderr).starts_with("judge: stdout cannot be written: No space left"));
}

/// While the table is written, nothing is left behind by a signal.
#[test]
fn an_interrupt_leaves_no_draft() {
    for signal in [Signal::INT, Signal::TERM] {
        let here = with_old_table();
        let args = format!(
            "table divisor --to 100000000 --format csv --force --output {}/old.csv",
            here.path().display()
        );
        let mut judge = command(&args, &[]).spawn().unwrap();
        while here.count() == 1 {
            assert_eq!(judge.try_wait().unwrap(), None, "the table is written before its draft is seen");
            std::thread::yield_now();
        }
        send(signal, judge.id());
        assert_eq!(judge.wait().unwrap().code(), Some(130), "{signal:?}");
        assert_old(&here, &format!("{signal:?}"));
    }
}
