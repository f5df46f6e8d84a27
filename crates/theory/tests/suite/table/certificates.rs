//! Periods, and the certificates that prove them.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Stdio;

use super::summary;
use crate::support::{TestDir, assert_prints, assert_refuses, command, judge, text};

/// Found, proven, written down and proven again.
#[test]
fn periods_and_their_certificates() {
    let windows =
        [(1, 2, 12, 71), (2, 2, 34, 53), (1, 4, 24, 142), (1, 6, 28, 16), (1, 8, 48, 284), (1, 16, 96, 568)];
    for (l, r, period, start) in windows {
        let here = TestDir::new();
        let file = here.file(&format!("period-{l}-{r}.json"));
        let args = format!("table segment {l} {r} --to 2000 --period --certificate {file}");
        let last = 2 * start + period + r - 1;
        let line = format!(
            "period {period} from n = {start} on, proven: g(n+{period}) = g(n) for n = {start} to {last}\n"
        );
        assert!(summary(&args).contains(&line.replacen("period ", "period: ", 1)), "{args}");
        assert_prints(&format!("table --verify {file}"), &format!("segment {l} {r}: {line}"));
    }
    let output = summary("table segment 1 3 --to 2000 --period");
    assert!(output.contains("\nperiod: none up to 2000\nleast period not excluded: "), "{output}");
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
    let here = TestDir::new();
    let file = here.file("wrong.json");
    let verify = format!("table --verify {file}");
    assert_refuses(&verify, "could not be read: No such file");
    summary(&format!("table segment 1 2 --to 200 --period --certificate {file}"));
    let right = fs::read_to_string(&file).unwrap();
    let write = |from: &str, to: &str| {
        assert!(right.contains(from), "{right}");
        fs::write(&file, right.replace(from, to)).unwrap();
    };
    let is_wrong = |reason: &str| {
        let output = judge(&verify, &[]);
        assert_eq!((text(&output.stdout), output.status.code()), ("", Some(1)));
        let message = format!("grundy: the certificate of segment 1 2 is wrong: {reason}\n");
        assert_eq!(text(&output.stderr), message);
    };
    write("\"pre_period\":71,\"values\":168", "\"pre_period\":72,\"values\":170");
    is_wrong("the period is 12 from n = 71 on");
    write("\"pre_period\":71,\"values\":168", "\"pre_period\":70,\"values\":166");
    is_wrong("its values prove no period");
    let hash = right.split('"').rev().nth(1).unwrap();
    let zeros = "0".repeat(64);
    write(hash, &zeros);
    is_wrong(&format!("the values hash to \"{hash}\", it has \"{zeros}\""));
    write(hash, &hash.to_uppercase());
    assert_eq!(judge(&verify, &[]).status.code(), Some(0));
    write("\"values\":168", "\"values\":167");
    is_wrong("it takes 168 values to prove its period, it has 167");
    write("\"period\":12", "\"period\":0");
    is_wrong("a period is at least 1, it has 0");
    write("segment 1 2", "segment 2 1");
    assert_refuses(&verify, "expected a game \"segment L R\" or \"octal CODE\", got \"segment 2 1\"");
    write("\"schema\":1", "\"schema\":2,\"extra\":1");
    let other = format!("grundy: {file} is no certificate of a period: line 1: expected schema 1, got 2\n");
    assert_refuses(&verify, &other);
    write("\"schema\":1", "\"version\":1");
    assert_refuses(&verify, "is no certificate of a period: line 1: missing field `schema`\n");
    write("\"game\"", "\"name\"");
    assert_refuses(&verify, "is no certificate of a period: line 1: unknown field `name`");
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
    assert_refuses("table --verify /dev/zero", "expected at most 67108864 bytes, got more");
}

/// An error is at the line of the file, not of a part of it.
#[test]
fn lines_of_bad_certificates() {
    let here = TestDir::new();
    let file = here.file("c.json");
    summary(&format!("table segment 1 2 --to 300 --period --certificate {file}"));
    let right = fs::read_to_string(&file).unwrap();
    let no_hash = right.replace("sha256", "hash");
    fs::write(&file, format!("{right}{right}{no_hash}{right}")).unwrap();
    assert_refuses(
        &format!("table --verify {file}"),
        &format!("{file} is no certificate of a period: line 3: unknown field `hash`"),
    );
    fs::write(&file, format!("{right}{right}{{\"schema\":1")).unwrap();
    assert_refuses(&format!("table --verify {file}"), "EOF while parsing an object at line 3 column 11");
}

/// An arithmetic period has a certificate as well.
#[test]
fn certificates_of_arithmetic_periods() {
    let here = TestDir::new();
    let file = here.file("c.json");
    summary(&format!("table octal 0.28 --to 600 --period --certificate {file}"));
    let right = fs::read_to_string(&file).unwrap();
    let start =
        r#"{"schema":1,"game":"octal 0.28","period":53,"pre_period":1,"saltus":16,"values":601,"sha256":""#;
    assert!(right.starts_with(start), "{right}");
    let verify = || judge(&format!("table --verify {file}"), &[]);
    let growth =
        "octal 0.28: arithmetic period 53 from n = 1 on, proven: g(n+53) = g(n) + 16 for all n >= 1\n";
    assert_eq!((text(&verify().stdout), verify().status.code()), (growth, Some(0)));
    for (from, to, reason) in [
        (
            r#""saltus":16"#,
            r#""saltus":32"#,
            "the arithmetic period has the saltus 16 and is 53 from n = 1 on",
        ),
        (
            r#""period":53"#,
            r#""period":106"#,
            "the arithmetic period has the saltus 16 and is 53 from n = 1 on",
        ),
        (r#""saltus":16,"#, "", "it takes 164 values to prove its period, it has 601"),
        (r#""values":601"#, r#""values":600"#, "the values hash to "),
        (r#""values":601"#, r#""values":60"#, "its values prove no period"),
        (r#""values":601"#, r#""values":0"#, "it takes 1 values to prove its period, it has 0"),
        ("octal 0.28", "octal 0.8", "the arithmetic period has the saltus 1 and is 3 from n = 1 on"),
    ] {
        assert!(right.contains(from), "{right}");
        fs::write(&file, right.replace(from, to)).unwrap();
        let (output, wrong) = (verify(), format!("is wrong: {reason}"));
        assert_eq!((text(&output.stdout), output.status.code()), ("", Some(1)), "{to}");
        assert!(text(&output.stderr).contains(&wrong), "{to}: {}", text(&output.stderr));
    }
}

/// The summary is printed, and the reason why there is no certificate, of short tables and of long ones.
#[test]
fn no_certificate_without_a_period() {
    let here = TestDir::new();
    let [file, checkpoint] = ["none.json", "checkpoint"].map(|name| here.file(name));
    let args = format!("table segment 1 3 --to 2000 --period --certificate {file}");
    for args in [args.clone(), format!("{args} --checkpoint {checkpoint}")] {
        let output = judge(&args, &[]);
        assert_eq!(output.status.code(), Some(1), "{args}");
        assert!(text(&output.stdout).contains("\nperiod: none up to 2000\n"), "{}", text(&output.stdout));
        let message = format!(
            "grundy: no certificate is written to {file}: no period is proven up to 2000; more values may prove one\n"
        );
        assert!(text(&output.stderr).ends_with(&message), "{args}: {}", text(&output.stderr));
        assert!(!fs::exists(&file).unwrap());
    }
}

/// The certificate is written even if the reader of the summary has closed it.
#[test]
fn a_certificate_without_a_reader() {
    let here = TestDir::new();
    let file = here.file("unread.json");
    let args = format!("table segment 1 2 --to 200 --period --certificate {file}");
    let mut child = command(&args, &[]).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(
        fs::read_to_string(&file)
            .unwrap()
            .starts_with("{\"schema\":1,\"game\":\"segment 1 2\",\"period\":12,")
    );
}

#[test]
fn places_that_no_certificate_can_have() {
    let here = TestDir::new();
    let path = here.path().display();
    let period = "table segment 1 2 --to 200 --period --certificate";
    assert_refuses(&format!("{period} {path}/none/c.json"), "none/c.json cannot be written: No such file");
    let both = "grundy: --output and --certificate name the same file: ";
    assert_refuses(&format!("{period} {path}/c.json --output {path}/./c.json"), both);
    here.write("c.json", "OLD\n");
    symlink("c.json", here.path().join("link")).unwrap();
    assert_refuses(&format!("{period} {path}/c.json --output {path}/link"), both);
    assert_eq!(here.read("c.json"), "OLD\n");
    assert_refuses("table segment --all --to 9 --certificate c.json", "cannot be used with");
}
