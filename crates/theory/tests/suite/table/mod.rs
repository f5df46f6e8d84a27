//! `grundy table`.

mod certificates;
mod long;
mod octal;
mod piles;
mod plots;
mod stopped;

use std::fs;

use crate::support::{TestDir, assert_prints, assert_refuses, command, judge, start, text};

/// The output of a table, without the line of the time.
#[track_caller]
fn summary(args: &str) -> String {
    let output = judge(args, &[]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{args}");
    let (lines, time) = text(&output.stdout).trim_end().rsplit_once('\n').unwrap();
    assert!(time.starts_with("time: ") && time.ends_with("/s"), "{time}");
    format!("{lines}\n")
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
    let here = TestDir::new();
    let file = here.file("table.csv");
    assert_prints(&format!("table segment 1 2 --to 2 --format csv --output {file}"), "");
    assert_eq!(fs::read_to_string(&file).unwrap(), "n,nimber\n0,0\n1,1\n2,2\n");
}

/// Counts of the starts that Second wins, as the library's tests have them.
#[test]
fn all_windows() {
    assert_eq!(
        text(&judge("table segment --all --to 2000", &[]).stdout).rsplit_once("time: ").unwrap().0,
        "windows: 2001000, 1 <= L <= R <= 2000\n\
         starts: 1335334000, rows of R to 2000 cards\n\
         won by Second: 3234, all with L = R: 1000 with L = 1, 296 with L = 2, 25 with L = 3, and 1913 with a larger L\n\
         largest nimber: 2000, of 2000 cards under [1, 2000]\n"
    );
}

#[test]
fn a_long_table() {
    let output = summary("table segment 1 9 --to 100000 --check=400");
    assert!(output.contains("\nrare values: 93, the last at n = 1914 (mask 0b111101100)\n"), "{output}");
}

#[test]
fn refusals() {
    assert_refuses("table segment 3 1 --to 10", "expected L <= R, got 3 and 1");
    assert_refuses("table segment 0 1 --to 10", "expected a number from 1 to 1000000000000000000");
    assert_refuses("table segment 1 3", "--to <N>");
    assert_refuses("table segment 1 3 --to -1", "unexpected argument '-1'");
    assert_refuses("table segment 1 3 --to 9 --format xml", "[possible values: summary, csv");
    assert_refuses("table chess --to 9", "unrecognized subcommand");
    assert_refuses("table", "Usage: grundy table");
    assert_refuses("table segment --to 9", "<L>");
    assert_refuses("table segment 1 2 --all --to 9", "cannot be used with");
    assert_refuses("table segment --all --to 0", "expected --all with --to 1 to 20000, got 0");
    assert_refuses("table segment --all --to 9 --format csv", "expected --all with the summary");
    assert_refuses("table segment 1 2 --to 9 --period --format csv", "expected --period with the summary");
    assert_refuses("table segment 1 2 --to 9 --certificate x", "--period");
    assert_refuses(
        "table segment 3 3 --to 1000000000",
        "grundy: the table is too large, a smaller --to may help: a Grundy table of segments up to 1000000000 under \
         the window [3, 3] takes 6147483652 bytes, and the limit is 4294967296\n",
    );
    assert_refuses(
        "table segment 1 3 --to 9 --output no/such/place",
        "no/such/place cannot be written: No such file",
    );
}

/// The proof of a period takes more than the values.
#[test]
fn no_room_for_a_proof() {
    assert_refuses(
        "table segment 1000 1000 --to 600000000 --period",
        "the proof of a period from \"segment 1000 1000\" up to 600000000 takes 4800000008 bytes, and the limit is \
         4294967296",
    );
}

/// Where the period is known no more values are kept than it takes.
#[test]
fn the_longest_row() {
    let output = summary("table segment 1 2 --to 1073741824 --period");
    assert!(output.starts_with("game: segment 1 2, n = 0 to 1073741824\nlargest nimber: 8, "), "{output}");
    assert!(output.contains("\nperiod: 12 from n = 71 on, proven: "), "{output}");
    assert_refuses(
        "table segment 3 3 --to 1073741824",
        "segments up to 1073741824 under the window [3, 3] takes 6442450950 bytes, and the limit is 4294967296",
    );
}

#[test]
fn the_largest_size() {
    for game in ["square", "square --nimber", "divisor", "subtract take 1"] {
        for to in ["1073741825", "18446744073709551615"] {
            let range = "expected a number from 0 to 1073741824";
            let to_expected = format!("invalid value '{to}' for '--to <N>': {range}");
            assert_refuses(&format!("table {game} --to {to}"), &to_expected);
            let check_expected = format!("invalid value '{to}' for '--check[=<N>]': {range}");
            assert_refuses(&format!("table {game} --to 9 --check={to}"), &check_expected);
        }
    }
}

/// `grundy table ... | head`: a reader that hangs up is no error.
#[test]
fn a_closed_stdout() {
    let mut child = start(&mut command("table segment 1 2 --to 2000 --format csv", &[]));
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
}
