//! The arguments, exit codes and files of each style of harness.

use super::{BOTS, WINNING, between, interact, shell, with_input};
use crate::support::text;

#[test]
fn every_style_has_its_exit_codes() {
    let directory = with_input();
    let at = directory.path().display();
    let args = [
        "6 1 2".to_owned(),
        format!("--style kattis {at}/1.in {at}/none.ans {at}/"),
        format!("--style testlib {at}/1.in {at}/out {at}/ans {at}/report"),
    ];
    for (script, codes, verdict) in BOTS {
        for (args, code) in args.iter().zip(codes) {
            let (exit, message) = interact(&format!("{args} --opponent slow --wall-limit 0.5"), script);
            assert_eq!(exit, Some(code), "{args}: {script}: {message}");
            assert!(message.starts_with(&format!("{verdict} 6 1 2")), "{args}: {script}: {message}");
        }
        let read = |name: &str| directory.read(name);
        assert!(read("judgemessage.txt").starts_with(&format!("{verdict} 6 1 2")), "{script}");
        assert!(read("teammessage.txt").starts_with(&format!("{verdict}: ")), "{script}");
        assert!(read("out").starts_with(&format!("{verdict}\n")), "{script}");
        let word = ["ok ", "wrong answer ", "wrong output format "][usize::try_from(codes[2]).unwrap()];
        assert!(read("report").starts_with(word), "{script}: {}", read("report"));
    }
}

#[test]
fn the_feedback_tells_the_game() {
    let directory = with_input();
    let at = directory.path().display();
    let (_, message) = interact(
        &format!("--style kattis --opponent slow {at}/1.in {at}/1.ans {at}"),
        "read h; echo First; echo 3 2; read x; echo 3 1; cat",
    );
    let judges = directory.read("judgemessage.txt");
    assert!(judges.starts_with(&message), "stderr and the judges read the same");
    for part in [
        "review: with perfect play First wins; the bot was First\n",
        "again: judge run 6 1 2 --opponent slow --seed 1 --time-limit 60 --wall-limit 60 --grace 10 -- YOUR_BOT\n",
        "ILLEGAL\nFirst\n3 2\n1 1\n",
    ] {
        assert!(judges.contains(part), "no {part:?} in {judges}");
    }
    assert_eq!(
        directory.read("teammessage.txt"),
        "ILLEGAL: move 3: taking 1 at place 3 is not legal: the card there has been taken already\n"
    );
}

/// A validator of Kattis checks all output until its end; the other styles ignore what is printed after the game.
#[test]
fn output_after_the_end() {
    let directory = with_input();
    let at = directory.path().display();
    let kattis = format!("--style kattis --opponent slow {at}/1.in {at}/1.ans {at}");
    let trailing = format!("{WINNING}; sleep 0.2; echo more");
    let (exit, message) = interact(&kattis, &trailing);
    assert_eq!(exit, Some(43));
    assert!(message.contains("but the bot printed \"more\\n\" after the end\n"), "{message}");
    assert_eq!(interact(&format!("{kattis} --profile contest"), &trailing).0, Some(42));
    assert_eq!(interact("6 1 2 --opponent slow", &trailing).0, Some(0));
    let strict = "6 1 2 --opponent slow --profile strict --grace 10";
    assert_eq!(interact(strict, &trailing).0, Some(1));
    assert_eq!(interact(strict, WINNING).0, Some(0), "and its end is not waited for longer than it takes");
    // Without a line end, and a flood.
    for trailing in ["printf x", "yes"] {
        let (exit, message) = interact(&format!("{kattis} --grace 0.5"), &format!("{WINNING}; {trailing}"));
        assert_eq!(exit, Some(43), "{trailing}: {message}");
    }
}

/// A missing argument or file is never blamed on the bot, and the bot is sent nothing.
#[test]
fn a_harness_with_a_fault() {
    let directory = with_input();
    let at = directory.path().display();
    directory.write("two.in", "6 1 2\n6 1 2\n");
    directory.write("bad.in", "6 2 1\n");
    for (args, code, message) in [
        (String::new(), 2, "expected a header or --input FILE, got no arguments"),
        ("6 2".to_owned(), 2, "expected"),
        (format!("--input {at}/none"), 2, "cannot be opened: No such file"),
        (format!("--input {at}/1.in --transcript {at}/no/such"), 2, "cannot be created: No such file"),
        ("--style kattis a b".to_owned(), 2, "INPUT ANSWER FEEDBACK_DIR, got 2"),
        (format!("--style kattis {at}/none a {at}"), 2, "the input"),
        (format!("--style kattis {at}/two.in a {at}"), 2, "expected one line with a header, got 2 lines"),
        (format!("--style kattis {at}/bad.in a {at}"), 2, "the header is malformed: expected"),
        (format!("--style kattis {at}/1.in a {at}/1.in"), 2, "judgemessage.txt cannot be created"),
        (format!("--style testlib {at}/1.in"), 3, "INPUT OUTPUT [ANSWER [REPORT]], got 1"),
        (format!("--style testlib {at}/none {at}/out"), 3, "cannot be opened"),
        (format!("--style testlib {at}/1.in {at}/no/such"), 3, "cannot be created"),
        ("--style testlib --opponent chess a b".to_owned(), 3, "possible values"),
        ("--style chess a b".to_owned(), 2, "possible values"),
    ] {
        let mut bot = shell("read h && exit 9; exit 0");
        let judge = between(&args, &mut bot).spawn().unwrap();
        let output = judge.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{args}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(message), "{args}: {}", text(&output.stderr));
        assert!(bot.wait().unwrap().success(), "{args}: the bot was sent something");
    }
}
