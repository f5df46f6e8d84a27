//! `judge table`.

use std::process::Stdio;

use crate::judge::{command, judge, text};

/// What a table prints, without the line that tells the time.
#[track_caller]
fn summary(args: &str) -> String {
    let output = judge(args, &[]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{args}");
    let (lines, time) = text(&output.stdout).trim_end().rsplit_once('\n').unwrap();
    assert!(time.starts_with("time: ") && time.ends_with(" values/s"), "{time}");
    format!("{lines}\n")
}

#[track_caller]
fn assert_prints(args: &str, expected: &str) {
    let output = judge(args, &[]);
    assert_eq!((text(&output.stdout), text(&output.stderr)), (expected, ""), "{args}");
    assert_eq!(output.status.code(), Some(0), "{args}");
}

#[track_caller]
fn assert_refuses(args: &str, reason: &str) {
    let output = judge(args, &[]);
    assert_eq!(text(&output.stdout), "", "{args}");
    assert!(text(&output.stderr).contains(reason), "{args}: {}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(2), "{args}");
}

/// Kayles, A002186: 0, 1, 2, 3, 1, 4, 3.
#[test]
fn the_formats() {
    assert_prints("table segment 1 2 --to 6 --format csv", "n,nimber\n0,0\n1,1\n2,2\n3,3\n4,1\n5,4\n6,3\n");
    assert_prints("table segment 1 2 --to 6 --format bfile", "0 0\n1 1\n2 2\n3 3\n4 1\n5 4\n6 3\n");
    assert_prints(
        "table segment 1 2 --to 6 --format json",
        "{\"schema\":1,\"game\":\"segment 1 2\",\"to\":6,\"nimbers\":[0,1,2,3,1,4,3]}\n",
    );
    assert_prints("table segment 1 2 --to 0 --format csv", "n,nimber\n0,0\n");
    let binary = judge("table segment 1 2 --to 3 --format bin", &[]).stdout;
    assert_eq!(binary, b"NIMBERS\x02\x04\0\0\0\0\0\0\0\0\0\x01\0\x02\0\x03\0");
}

#[test]
fn a_summary() {
    assert_eq!(
        summary("table segment 3 3 --to 2000 --check"),
        "game: segment 3 3, n = 0 to 2000\n\
         largest nimber: 89, first at n = 1889\n\
         P-positions: 28 (n = 0 1 2 8 14 24 32 34 46 56 ...)\n\
         check: as defined for n = 0 to 1000\n"
    );
}

#[test]
fn into_a_file() {
    let path = std::env::temp_dir().join(format!("judge-table-{}.csv", std::process::id()));
    let args = format!("table segment 1 2 --to 2 --format csv --output {}", path.display());
    assert_prints(&args, "");
    let written = std::fs::read_to_string(&path);
    let _ = std::fs::remove_file(&path);
    assert_eq!(written.unwrap(), "n,nimber\n0,0\n1,1\n2,2\n");
}

#[test]
fn refusals() {
    assert_refuses("table segment 3 1 --to 10", "expected L <= R, got 3 and 1");
    assert_refuses("table segment 0 1 --to 10", "0 is not in 1..=1000000000000000000");
    assert_refuses("table segment 1 3", "--to <N>");
    assert_refuses("table segment 1 3 --to -1", "unexpected argument '-1'");
    assert_refuses("table segment 1 3 --to 9 --format xml", "[possible values: summary, csv");
    assert_refuses("table chess --to 9", "unrecognized subcommand");
    assert_refuses(
        "table segment 1 3 --to 1000000000000",
        "the table is too large: segment 1 3 up to 1000000000000 takes ",
    );
    assert_refuses(
        "table segment 1 3 --to 9 --output no/such/place",
        "no/such/place could not be written: No such file",
    );
}

/// A full disk.
#[test]
#[cfg(target_os = "linux")]
fn an_output_that_fails() {
    assert_refuses(
        "table segment 1 3 --to 100 --format csv --output /dev/full",
        "the table could not be written: No space left",
    );
}

/// `judge table ... | head`: a reader that hangs up is no error.
#[test]
fn a_closed_stdout() {
    let mut child = command("table segment 1 2 --to 2000 --format csv", &[])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
}
