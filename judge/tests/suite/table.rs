//! `judge table`.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Stdio;

use crate::judge::{assert_prints, assert_refuses, command, judge, text};

/// What a table prints, without the line that tells the time.
#[track_caller]
fn summary(args: &str) -> String {
    let output = judge(args, &[]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{args}");
    let (lines, time) = text(&output.stdout).trim_end().rsplit_once('\n').unwrap();
    assert!(time.starts_with("time: ") && time.ends_with(" values/s"), "{time}");
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

/// A file of that name, gone at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("judge-{}-{name}", std::process::id())))
    }

    fn path(&self) -> std::path::Display<'_> {
        self.0.display()
    }

    fn text(&self) -> String {
        std::fs::read_to_string(&self.0).unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn into_a_file() {
    let file = Scratch::new("table.csv");
    assert_prints(&format!("table segment 1 2 --to 2 --format csv --output {}", file.path()), "");
    assert_eq!(file.text(), "n,nimber\n0,0\n1,1\n2,2\n");
}

/// Found, proven, written down and proven again.
#[test]
fn periods_and_their_certificates() {
    let windows =
        [(1, 2, 12, 71), (2, 2, 34, 53), (1, 4, 24, 142), (1, 6, 28, 16), (1, 8, 48, 284), (1, 16, 96, 568)];
    for (l, r, period, start) in windows {
        let file = Scratch::new(&format!("period-{l}-{r}.json"));
        let args = format!("table segment {l} {r} --to 2000 --period --certificate {}", file.path());
        let last = 2 * start + period + r - 1;
        let line = format!(
            "period {period} from n = {start} on, proven: g(n+{period}) = g(n) for n = {start} to {last}\n"
        );
        assert!(summary(&args).contains(&line.replacen("period ", "period: ", 1)), "{args}");
        assert_prints(&format!("table --verify {}", file.path()), &format!("segment {l} {r}: {line}"));
    }
    let output = summary("table segment 1 3 --to 2000 --period");
    assert!(output.ends_with("period: none up to 2000\n"), "{output}");
}

/// The window (1, 5) repeats only after nine million cards.
#[test]
fn the_long_period() {
    assert_prints(
        "table --verify docs/period-1-5.json",
        "segment 1 5: period 650 from n = 8941813 on, proven: g(n+650) = g(n) for n = 8941813 to 17884280\n",
    );
}

#[test]
fn certificates_that_are_wrong() {
    let file = Scratch::new("wrong.json");
    let verify = format!("table --verify {}", file.path());
    assert_refuses(&verify, "could not be read: No such file");
    summary(&format!("table segment 1 2 --to 200 --period --certificate {}", file.path()));
    let right = file.text();
    let write = |from: &str, to: &str| {
        assert!(right.contains(from), "{right}");
        std::fs::write(&file.0, right.replace(from, to)).unwrap();
    };
    let is_wrong = |reason: &str| {
        let output = judge(&verify, &[]);
        assert_eq!((text(&output.stdout), output.status.code()), ("", Some(1)));
        let said = format!("judge: the certificate is wrong: {reason}\n");
        assert_eq!(text(&output.stderr), said);
    };
    write("\"pre_period\":71,\"values\":168", "\"pre_period\":72,\"values\":170");
    is_wrong("the period is 12 from n = 71 on");
    write("\"pre_period\":71,\"values\":168", "\"pre_period\":70,\"values\":166");
    is_wrong("its values prove no period");
    let hash = right.split('"').rev().nth(1).unwrap();
    let zeros = "0".repeat(64);
    write(hash, &zeros);
    is_wrong(&format!("the values hash to {hash}, it has \"{zeros}\""));
    write(hash, &hash.to_uppercase());
    assert_eq!(judge(&verify, &[]).status.code(), Some(0));
    write("\"values\":168", "\"values\":167");
    is_wrong("it takes 168 values to prove its period, it has 167");
    write("\"period\":12", "\"period\":0");
    is_wrong("a period is at least 1, it has 0");
    write("segment 1 2", "segment 2 1");
    assert_refuses(&verify, "expected a game \"segment L R\", got \"segment 2 1\"");
    write("\"schema\":1", "\"schema\":2,\"extra\":1");
    let other = format!("judge: {} is no certificate of a period: expected schema 1, got 2\n", file.path());
    assert_refuses(&verify, &other);
    write("\"schema\":1", "\"version\":1");
    assert_refuses(&verify, "is no certificate of a period: missing field `schema`");
    write("\"game\"", "\"name\"");
    assert_refuses(&verify, "is no certificate of a period: unknown field `name`");
    write(
        "\"pre_period\":71,\"values\":168",
        "\"pre_period\":18446744073709551615,\"values\":36893488147419103256",
    );
    assert_refuses(
        &verify,
        "the table is too large: segment 1 2 up to 36893488147419103255, and the limit is 10000000000000000",
    );
    write(
        "\"pre_period\":71,\"values\":168",
        "\"pre_period\":9223372036854775795,\"values\":18446744073709551616",
    );
    assert_refuses(
        &verify,
        "the table is too large: segment 1 2 up to 18446744073709551615, and the limit is ",
    );
    write(
        "\"pre_period\":71,\"values\":168",
        "\"pre_period\":499999999999999987,\"values\":1000000000000000000",
    );
    is_wrong("the period is 12 from n = 71 on");
    assert_refuses("table --verify /dev/zero", "expected at most 65536 bytes, got more");
}

#[test]
fn no_certificate_without_a_period() {
    let file = Scratch::new("none.json");
    let args = format!("table segment 1 3 --to 2000 --period --certificate {}", file.path());
    assert_eq!(judge(&args, &[]).status.code(), Some(1));
    assert!(!file.0.exists());
}

/// It is there when whoever was to read the summary has hung up.
#[test]
fn a_certificate_without_a_reader() {
    let file = Scratch::new("unread.json");
    let args = format!("table segment 1 2 --to 200 --period --certificate {}", file.path());
    let mut child = command(&args, &[]).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(file.text().starts_with("{\"schema\":1,\"game\":\"segment 1 2\",\"period\":12,"));
}

#[test]
fn places_that_no_certificate_can_have() {
    let here = tempfile::tempdir().unwrap();
    let path = here.path().display();
    let period = "table segment 1 2 --to 200 --period --certificate";
    assert_refuses(&format!("{period} {path}/none/c.json"), "none/c.json cannot be written: No such file");
    let both = "expected --output and --certificate to be two files";
    assert_refuses(&format!("{period} {path}/c.json --output {path}/./c.json"), both);
    fs::write(here.path().join("c.json"), "OLD\n").unwrap();
    symlink("c.json", here.path().join("link")).unwrap();
    assert_refuses(&format!("{period} {path}/c.json --output {path}/link"), both);
    assert_eq!(fs::read_to_string(here.path().join("c.json")).unwrap(), "OLD\n");
    assert_refuses("table segment --all --to 9 --certificate c.json", "cannot be used with");
}

/// Counts of the starts that Second wins, as the library's tests have them.
#[test]
fn all_windows() {
    assert_eq!(
        text(&judge("table segment --all --to 2000", &[]).stdout).rsplit_once("time: ").unwrap().0,
        "windows: 2001000, 1 <= L <= R <= 2000\n\
         starts: 1335334000, rows of R to 2000 cards\n\
         won by Second: 3234, all with L = R: 1000 with L = 1, 296 with L = 2, 25 with L = 3\n\
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
    assert_refuses("table segment 0 1 --to 10", "0 is not in 1..=1000000000000000000");
    assert_refuses("table segment 1 3", "--to <N>");
    assert_refuses("table segment 1 3 --to -1", "unexpected argument '-1'");
    assert_refuses("table segment 1 3 --to 9 --format xml", "[possible values: summary, csv");
    assert_refuses("table chess --to 9", "unrecognized subcommand");
    assert_refuses("table", "Usage: judge table");
    assert_refuses("table segment --to 9", "<L>");
    assert_refuses("table segment 1 2 --all --to 9", "cannot be used with");
    assert_refuses("table segment --all --to 0", "expected --all with --to 1 to 20000, got 0");
    assert_refuses("table segment --all --to 9 --format csv", "expected --all with the summary");
    assert_refuses("table segment 1 2 --to 9 --period --format csv", "expected --period with the summary");
    assert_refuses("table segment 1 2 --to 9 --certificate x", "--period");
    assert_refuses(
        "table segment 1 3 --to 1000000000",
        "judge: the table is too large, a smaller --to may help: a Grundy table of segments up to 1000000000 under \
         the window [1, 3] takes 8294967300 bytes, and the limit is 4294967296\n",
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
        "table segment 1 3 --to 1073741824",
        "segments up to 1073741824 under the window [1, 3] takes 12884901892 bytes, and the limit is 4294967296",
    );
}

#[test]
fn the_largest_size() {
    for game in ["segment 1 2", "square", "square --nimber", "divisor", "subtract take 1"] {
        for to in ["1073741825", "18446744073709551615"] {
            let expected = format!("{to} is not in 0..=1073741824");
            assert_refuses(&format!("table {game} --to {to}"), &expected);
            assert_refuses(&format!("table {game} --to 9 --check={to}"), &expected);
        }
    }
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
