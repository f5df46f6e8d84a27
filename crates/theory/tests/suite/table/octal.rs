//! `grundy table octal` and `grundy table grundy`.

use std::fs;

use super::summary;
use crate::support::{TestDir, assert_prints, assert_refuses, judge, text};

/// Dawson's Chess, A002187 one card later; two spellings, and the values of a window by its code.
#[test]
fn tables_of_codes() {
    let chess = "n,nimber\n0,0\n1,1\n2,1\n3,2\n4,0\n5,3\n6,1\n";
    assert_prints("table octal 0.137 --to 6 --format csv", chess);
    assert_prints("table octal .1370 --to 6 --format csv", chess);
    let [code, window] = ["octal .777", "segment 1 3"]
        .map(|game| judge(&format!("table {game} --to 3000 --format bfile"), &[]).stdout);
    assert_eq!(code, window);
    assert_eq!(
        summary("table octal 4.7 --to 2000 --check"),
        "game: octal 4.7, n = 0 to 2000\nlargest nimber: 2, first at n = 2\nP-positions: 1 (n = 0)\n\
         rare values: 1, the last at n = 0 (mask 0b11)\ncheck: as defined for n = 0 to 1000\n"
    );
    assert_eq!(
        summary("table octal 0.8 --to 100 --check"),
        "game: octal 0.8, n = 0 to 100\nlargest nimber: 33, first at n = 100\nP-positions: 4 (n = 0 1 2 3)\n\
         check: as defined for n = 0 to 100\n"
    );
    assert_prints(
        "table grundy --to 10 --check --format bfile",
        "0 0\n1 0\n2 0\n3 1\n4 0\n5 2\n6 1\n7 0\n8 2\n9 1\n10 0\n",
    );
}

/// Periods of codes whose moves leave three heaps: proven and verified, shown but not proven, and none at all.
#[test]
fn periods_of_three_heaps() {
    let here = TestDir::new();
    let file = here.file("period.json");
    assert_eq!(
        summary(&format!("table octal 0.23b --to 2000 --period --certificate {file}")),
        "game: octal 0.23b, n = 0 to 2000\nlargest nimber: 3, first at n = 4\n\
         P-positions: 501 (n = 0 1 5 9 13 17 21 25 29 33 ...)\n\
         period: 4 from n = 1 on, proven: g(n+4) = g(n) for n = 1 to 13\n"
    );
    let verified = "octal 0.23b: period 4 from n = 1 on, proven: g(n+4) = g(n) for n = 1 to 13\n";
    assert_prints(&format!("table --verify {file}"), verified);
    // With two heaps at most fewer values would prove it.
    let certificate = fs::read_to_string(&file).unwrap().replace("\"values\":18", "\"values\":13");
    fs::write(&file, certificate).unwrap();
    let flaw = "the certificate of octal 0.23b is wrong: it takes 18 values to prove its period, it has 13";
    assert!(text(&judge(&format!("table --verify {file}"), &[]).stderr).contains(flaw));
    assert_eq!(
        summary("table octal 0.8 --to 500 --period"),
        "game: octal 0.8, n = 0 to 500\nlargest nimber: 166, first at n = 499\nP-positions: 4 (n = 0 1 2 3)\n\
         period: none: the values grow for ever\n\
         arithmetic period: 3 from n = 1 on, proven: g(n+3) = g(n) + 1 for all n >= 1\n"
    );
    assert_eq!(
        summary("table octal 0.98 --to 500 --period"),
        "game: octal 0.98, n = 0 to 500\nlargest nimber: 280, first at n = 500\nP-positions: 4 (n = 0 2 3 4)\n\
         period: none: a move that takes an even number may leave three heaps, so the values never repeat\n"
    );
}

#[test]
fn what_is_no_table_of_a_code() {
    assert_refuses("table octal 0.7x --to 5", "expected a code such as");
    assert_refuses("table octal 0.137 --to 5 --format csv --period", "expected --period with the summary");
    assert_refuses("table grundy --to 100001", "100000");
}

/// The period of A. Gangolli and T. Plambeck, 1989, as the tables of solved games have it.
#[test]
fn a_long_period() {
    assert_eq!(
        summary("table octal 0.16 --to 600000 --period"),
        "game: octal 0.16, n = 0 to 600000\nlargest nimber: 23, first at n = 229790\n\
         P-positions: 7 (n = 0 2 3 9 15 23 837)\nrare values: 53, the last at n = 13935 (mask 0b11110)\n\
         period: 149459 from n = 105351 on, proven: g(n+149459) = g(n) for n = 105351 to 360162\n"
    );
}

/// Found, proven, written down and proven again; and ten ways to tamper with it.
#[test]
fn a_certificate_and_ten_that_are_wrong() {
    let here = TestDir::new();
    let file = here.file("period.json");
    summary(&format!("table octal 0.356 --to 20000 --period --certificate {file}"));
    let verify = format!("table --verify {file}");
    assert_prints(
        &verify,
        "octal 0.356: period 142 from n = 7315 on, proven: g(n+142) = g(n) for n = 7315 to 14774\n",
    );
    let right = fs::read_to_string(&file).unwrap();
    for (from, to) in [
        ("octal 0.356", "octal 0.357"),
        ("octal 0.356", "octal 0.137"),
        ("octal 0.356", "segment 1 2"),
        ("octal 0.356", "octal .356"),
        ("\"period\":142", "\"period\":284"),
        (
            "\"period\":142,\"pre_period\":7315,\"values\":14917",
            "\"period\":71,\"pre_period\":7315,\"values\":14775",
        ),
        ("\"pre_period\":7315,\"values\":14917", "\"pre_period\":7314,\"values\":14915"),
        ("\"pre_period\":7315,\"values\":14917", "\"pre_period\":7316,\"values\":14919"),
        ("\"values\":14917", "\"values\":14916"),
        ("\"sha256\":\"", "\"sha256\":\"0"),
    ] {
        assert!(right.contains(from), "{from}");
        fs::write(&file, right.replace(from, to)).unwrap();
        let output = judge(&verify, &[]);
        assert_eq!(text(&output.stdout), "", "{from} to {to}");
        assert_ne!(output.status.code(), Some(0), "{from} to {to}");
    }
}
