//! The streams that a harness gives the judge.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::fd::{AsFd, AsRawFd};
use std::process::Stdio;

use super::{WINNING, between, interact, shell, with_input};
use crate::support::{TestDir, command, is_linux, text};

/// Each of the three streams may be closed at its other end.
#[test]
fn closed_streams() {
    let (exit, said) = interact("6 1 2", "exec 0<&-; exec sleep 0.2");
    assert_eq!(exit, Some(1), "{said}");
    assert!(said.starts_with("EXITED_EARLY"), "{said}");
    let (exit, said) = interact("6 1 2 --wall-limit 0.2", "exec 0<&-; exec 1>&-; exec sleep 100");
    assert_eq!(exit, Some(1), "{said}");
    let directory = with_input();
    let at = directory.path().display();
    let mut bot = shell(WINNING);
    let args = format!("--style kattis --opponent slow {at}/1.in a {at} --transcript /dev/full");
    let judge = between(&args, &mut bot).spawn().unwrap();
    let output = judge.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "a transcript that cannot be written");
    bot.wait().unwrap();
    // Nobody reads stderr: the verdict stands.
    let mut bot = shell(WINNING);
    let mut judge = between("6 1 2 --opponent slow", &mut bot).spawn().unwrap();
    drop(judge.stderr.take());
    assert_eq!(judge.wait().unwrap().code(), Some(0));
    bot.wait().unwrap();
    let nothing = command("interact 6 1 2", &[]).stdin(Stdio::null()).output().unwrap();
    assert_eq!((nothing.status.code(), text(&nothing.stdout)), (Some(1), "6 1 2\n-1 -1\n"));
}

/// The judge does not change the mode of a stream, which it shares with the program that started it.
#[test]
fn shared_streams_stay_blocking() {
    if !is_linux() {
        return;
    }
    let [(stdin, held), (read, stdout)] = [std::io::pipe().unwrap(), std::io::pipe().unwrap()];
    let [kept_stdin, kept_stdout] =
        [stdin.as_fd(), stdout.as_fd()].map(|fd| fd.try_clone_to_owned().unwrap());
    let mut judge = command("interact 6 1 2", &[]).stdin(stdin).stdout(stdout).spawn().unwrap();
    assert_eq!(BufReader::new(read).lines().next().unwrap().unwrap(), "6 1 2");
    for kept in [kept_stdin, kept_stdout] {
        let info = fs::read_to_string(format!("/proc/self/fdinfo/{}", kept.as_raw_fd())).unwrap();
        let flags = info.lines().find_map(|line| line.strip_prefix("flags:")).unwrap().trim();
        assert_eq!(u32::from_str_radix(flags, 8).unwrap() & 0o4000, 0, "O_NONBLOCK in {flags}");
    }
    drop(held);
    assert_eq!(judge.wait().unwrap().code(), Some(1));
}

/// A bot may print all lines before they are expected.
#[test]
fn a_file_as_stdin() {
    let here = TestDir::new();
    let moves = here.write("moves", "First\n3 2\n5 1\n6 1\n");
    let stdin = fs::File::open(&moves).unwrap();
    let output = command("interact 6 1 2 --opponent slow", &[]).stdin(stdin).output().unwrap();
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), "6 1 2\n1 1\n2 1\n0 0\n"));
}
