//! Full disks.

use std::fs;
use std::process::{Command, Output};

use super::{ARENA, STRESS, printed, run};
use crate::support::{JUDGE, NO_CORPUS, TestDir, text, timeless};

/// The judge with these arguments and a limit on the size of files, in KiB.
fn limited(kib: u64, args: &str) -> Output {
    // In units of 512 bytes.
    let script = format!("ulimit -f {}; exec \"$@\"", 2 * kib);
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, "sh", JUDGE]).args(args.split_whitespace()).envs([NO_CORPUS]);
    shell.output().unwrap()
}

/// A record that does not fit ends the run with a message, and keeps whole games alone; with more room the same command
/// ends the run.
#[test]
fn a_record_that_does_not_fit() {
    let dir = TestDir::new();
    for (args, name) in [(ARENA, "arena.jsonl"), (STRESS, "stress.jsonl")] {
        let file = dir.file(name);
        let args = format!("{args} --checkpoint {file}");
        let output = limited(8, &args);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{}", text(&output.stderr));
        let message = format!("judge: the record {file} cannot be written: File too large");
        assert!(text(&output.stderr).contains(&message), "{}", text(&output.stderr));
        let record = dir.read(name);
        assert!(record.len() > 4096 && record.ends_with("}\n"), "{record:?}");
        let whole = timeless(&printed(&run(&args), 0));
        assert!(dir.read(name).starts_with(&record));
        fs::remove_file(&file).unwrap();
        assert_eq!(
            timeless(&printed(&run(&args), 0)).lines().skip(1).collect::<Vec<_>>(),
            whole.lines().skip(1).collect::<Vec<_>>()
        );
    }
}

/// A merged file that does not fit is not written at all.
#[test]
fn an_output_that_does_not_fit() {
    let dir = TestDir::new();
    let file = dir.file("run.jsonl");
    printed(&run(&format!("{ARENA} --checkpoint {file}")), 0);
    let before = dir.count();
    let out = dir.file("merged.jsonl");
    let output = limited(8, &format!("merge {file} --output {out}"));
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""));
    assert_eq!(
        text(&output.stderr),
        format!("judge: {out} cannot be written: File too large (os error 27)\n")
    );
    assert_eq!(dir.count(), before, "nothing is left");
    fs::write(&out, "as it was").unwrap();
    limited(8, &format!("merge {file} --output {out} --force"));
    assert_eq!((dir.read("merged.jsonl").as_str(), dir.count()), ("as it was", before + 1));
    if !fs::exists("/dev/full").unwrap() {
        return crate::support::skip("there is no /dev/full");
    }
    let output = run(&format!("merge {file} --output /dev/full"));
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("/dev/full cannot be written: No space left"),
        "{}",
        text(&output.stderr)
    );
}
