//! What a bot prints while the judge does not read it.

use std::fs;

use crate::support::{TestDir, bot, has_python, judge, text};

/// What a bot wrote before it was killed is kept, however much the judge had not read by then.
#[test]
fn last_words() {
    if !has_python() {
        return;
    }
    let bot = bot("last_words.py");
    for kib in ["100", "200", "240", "330"] {
        let output = judge("run 6 1 2 --time-limit 60", &["python3", &bot, kib]);
        let shown = text(&output.stdout);
        assert!(shown.contains("    stderr: last words\n"), "{kib} KiB: {shown}");
    }
}

/// A line without end that is printed long before it is expected stays in the pipe.
#[test]
fn an_endless_line() {
    if !has_python() {
        return;
    }
    let here = TestDir::new();
    let transcript = here.file("endless.jsonl");
    let options = format!("run 2000 1 1 --opponent slow --time-limit 60 --transcript {transcript}");
    let output = judge(&options, &["python3", &bot("endless_line.py")]);
    let shown = text(&output.stdout);
    assert!(shown.contains("move 2001: a line of more than 4096 bytes"), "{shown}");
    let length = fs::metadata(&transcript).unwrap().len();
    assert!(length < 1 << 20, "the transcript has {length} bytes");
}
