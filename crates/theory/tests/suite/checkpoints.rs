//! Tables whose values are computed one after another: long tables, and interrupted runs.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};

use rustix::process::Signal;

use super::table::summary;
use crate::support::{
    TestDir, assert_prints, assert_refuses, await_that, command, judge, program_of, send, start, text,
};

/// Checks that values with `--checkpoint` or `--history` are written in the same way as values in memory.
#[test]
fn streamed_values_in_each_format() {
    let here = TestDir::new();
    for format in ["csv", "bfile", "json", "bin"] {
        for game in ["octal 0.127", "segment 1 3"] {
            let (file, checkpoint) = (here.file("values"), here.file("checkpoint"));
            let args = format!("table {game} --to 30000 --format {format}");
            let long = format!("{args} --output {file} --checkpoint {checkpoint}");
            let values = judge(&args, &[]).stdout;
            assert_prints(&long, "");
            assert!(fs::read(&file).unwrap() == values, "{args}");
            assert!(!fs::exists(&checkpoint).unwrap(), "a complete run removes its checkpoint");
            let history = here.file("history");
            assert!(judge(&format!("{args} --history {history}"), &[]).stdout == values);
            fs::remove_file(&history).unwrap();
            fs::remove_file(&file).unwrap();
        }
    }
}

/// Waits until a run has written another checkpoint, or has ended.
fn await_checkpoint(child: &mut Child, path: &str) {
    let written = || fs::metadata(path).and_then(|file| file.modified()).ok();
    let before = written();
    let child = std::cell::RefCell::new(child);
    await_that(|| written() != before || child.borrow_mut().try_wait().unwrap().is_some());
}

/// Waits until a run has a checkpoint with more than `before` values, or has ended.
fn await_values(child: &mut Child, path: &str, before: u64) {
    let child = std::cell::RefCell::new(child);
    await_that(|| {
        let saved = fs::read(path).ok().and_then(|bytes| saved_values(&bytes));
        saved.is_some_and(|saved| saved > before) || child.borrow_mut().try_wait().unwrap().is_some()
    });
}

/// Returns the number of values in a checkpoint.
fn saved_values(checkpoint: &[u8]) -> Option<u64> {
    let head = checkpoint.split(|&byte| byte == b'\n').nth(1)?;
    let head: serde_json::Value = serde_json::from_slice(head).ok()?;
    head["totals"]["values"].as_u64()
}

/// Checks that a run that is killed after checkpoints, up to twenty times, has the output of an uninterrupted run.
#[test]
fn killed_runs_continue() {
    let here = TestDir::new();
    let (file, checkpoint, history) = (here.file("values"), here.file("checkpoint"), here.file("history"));
    let listing = "table octal 0.104 --to 1500000 --format bin";
    let args = format!("{listing} --output {file} --checkpoint {checkpoint} --every 1ms --history {history}");
    for round in 0..20 {
        // In the first round only the checkpoint from the start of the run exists.
        let every = if round == 0 { "1h" } else { "1ms" };
        let mut child = start(&mut command(&args.replace("1ms", every), &[]));
        await_checkpoint(&mut child, &checkpoint);
        child.kill().unwrap();
        child.wait().unwrap();
        if !fs::exists(&checkpoint).unwrap() {
            // The run has written all values and removed its checkpoint. Another run needs new files.
            fs::remove_file(&history).unwrap();
            fs::remove_file(&file).unwrap();
        }
    }
    assert_prints(&args, "");
    assert!(fs::read(&file).unwrap() == judge(listing, &[]).stdout);

    let listing = "table octal 0.104 --to 1500000 --period --counts";
    let args = format!("{listing} --checkpoint {checkpoint} --every 1ms");
    for _ in 0..20 {
        let mut child = start(&mut command(&args, &[]));
        await_checkpoint(&mut child, &checkpoint);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let output = judge(&args, &[]);
    assert_eq!(text(&output.stdout), summary(&format!("{listing} --history {}", here.file("new"))));
    // With a checkpoint, the time is printed on stderr.
    assert!(text(&output.stderr).starts_with("time: "), "{}", text(&output.stderr));
}

#[test]
fn signals_save_and_end_a_run() {
    let here = TestDir::new();
    let checkpoint = here.file("checkpoint");
    // No repetition of 0.106 is known below 10^11.
    let args = format!("table octal 0.106 --to 1e15 --checkpoint {checkpoint} --every 1ms");
    let mut values = 0;
    for signal in [Signal::TERM, Signal::INT, Signal::USR1] {
        let mut child = start(&mut command(&args, &[]));
        await_values(&mut child, &checkpoint, values);
        send(signal, child.id());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(75), ""), "{signal:?}");
        let known = saved_values(&fs::read(&checkpoint).unwrap()).unwrap();
        assert_eq!(
            text(&output.stderr),
            format!(
                "grundy: interrupted after {known} of 1000000000000001 values; the same command continues\n"
            )
        );
        assert!(known > values, "{known}");
        values = known;
    }
    assert_refuses(
        &format!("table octal 0.106 --to 1000 --checkpoint {checkpoint}"),
        &format!("the checkpoint has {values} values, more than --to 1000 asks for"),
    );
}

/// Checks that TERM and INT end a run without a checkpoint at once.
#[test]
fn signals_end_a_run_without_a_checkpoint() {
    for signal in [Signal::TERM, Signal::INT] {
        let mut command = command("table octal 0.106 --to 1e15 --format bin", &[]);
        let mut child = start(command.stdout(Stdio::piped()));
        // Nobody reads the remaining output, so the run cannot end by itself.
        child.stdout.as_mut().unwrap().read_exact(&mut [0; 16]).unwrap();
        send(signal, child.id());
        assert_eq!(child.wait().unwrap().signal(), Some(signal.as_raw()));
    }
}

/// Checks that a checkpoint is unchanged if it cannot be replaced.
#[test]
fn a_checkpoint_that_cannot_be_replaced() {
    let here = TestDir::new();
    let checkpoint = here.file("checkpoint");
    let long = format!("table octal 0.104 --to 1e15 --checkpoint {checkpoint}");
    let mut child = start(&mut command(&format!("{long} --every 1ms"), &[]));
    await_checkpoint(&mut child, &checkpoint);
    send(Signal::TERM, child.id());
    assert_eq!(child.wait().unwrap().code(), Some(75));
    let saved = fs::read(&checkpoint).unwrap();
    // The next checkpoint would be written to this path first.
    fs::create_dir(here.file("checkpoint.new")).unwrap();
    assert_refuses(&long, &format!("grundy: the checkpoint {checkpoint} cannot be written: Is a directory"));
    assert!(fs::read(&checkpoint).unwrap() == saved);
}

/// Checks that a second run waits until the first run with the same checkpoint has ended, and continues from there.
#[test]
fn two_runs_with_one_checkpoint() {
    let here = TestDir::new();
    let checkpoint = here.file("checkpoint");
    let args = format!("table octal 0.106 --to 1e15 --checkpoint {checkpoint} --every 1ms");
    let mut first = start(&mut command(&args, &[]));
    await_values(&mut first, &checkpoint, 0);
    let mut second = start(command(&args, &[]).stderr(Stdio::piped()));
    let mut messages = BufReader::new(second.stderr.take().unwrap()).lines();
    let waits = format!("grundy: waiting for another process that is writing to {checkpoint}");
    assert_eq!(messages.next().unwrap().unwrap(), waits);
    send(Signal::TERM, first.id());
    assert_eq!(first.wait().unwrap().code(), Some(75));
    let known = saved_values(&fs::read(&checkpoint).unwrap()).unwrap();
    await_values(&mut second, &checkpoint, known);
    send(Signal::TERM, second.id());
    assert_eq!(second.wait().unwrap().code(), Some(75));
    assert!(saved_values(&fs::read(&checkpoint).unwrap()).unwrap() > known);
}

/// Checks the errors for checkpoints of other runs, damaged checkpoints, and files that are no checkpoints.
#[test]
fn unusable_checkpoints() {
    let here = TestDir::new();
    let checkpoint = here.file("checkpoint");
    let args = format!("table octal 0.104 --to 1e15 --checkpoint {checkpoint}");
    let mut child = start(&mut command(&format!("{args} --every 1ms"), &[]));
    await_checkpoint(&mut child, &checkpoint);
    send(Signal::TERM, child.id());
    assert_eq!(child.wait().unwrap().code(), Some(75));
    let good = fs::read(&checkpoint).unwrap();

    let other = format!("table octal 0.16 --to 1e15 --checkpoint {checkpoint}");
    assert_refuses(&other, "expected a checkpoint of \"octal 0.16\", got one of \"octal 0.104\"");
    let file = here.file("values");
    assert_refuses(
        &format!("{args} --format bin --output {file}"),
        "the checkpoint belongs to a run with another --format",
    );
    assert_refuses(&format!("{args} --counts"), "the checkpoint belongs to a run with another --format");
    assert_refuses(&format!("{args} --format csv"), "--checkpoint with this format needs --output FILE");
    let mut bad = good.clone();
    bad["zeroxor-checkpoint ".len()] = b'7';
    fs::write(&checkpoint, &bad).unwrap();
    assert_refuses(
        &args,
        "expected a checkpoint of version 2, got version 7: another version of grundy wrote it",
    );
    for at in [40, good.len() / 2, good.len() - 1] {
        let mut bad = good.clone();
        bad[at] ^= 1;
        fs::write(&checkpoint, &bad).unwrap();
        assert_refuses(&args, "it is damaged: its hash is wrong");
        assert!(fs::read(&checkpoint).unwrap() == bad, "it stays as it is");
    }
    for len in [25, 60, good.len() - 1] {
        fs::write(&checkpoint, &good[..len]).unwrap();
        assert_refuses(&args, "it is damaged");
    }
    fs::write(&checkpoint, "a letter").unwrap();
    assert_refuses(&args, "it is not a checkpoint");
    // The file is not read completely.
    fs::File::create(&checkpoint).unwrap().set_len(1 << 40).unwrap();
    assert_refuses(&args, "it is not a checkpoint");
    fs::remove_file(&checkpoint).unwrap();
    let new = here.file("checkpoint.new");
    fs::write(&new, "a letter").unwrap();
    assert_refuses(
        &args,
        &format!(
            "{new} is not a checkpoint, and --checkpoint {checkpoint} would overwrite it: use another name"
        ),
    );
    assert_eq!(fs::read_to_string(&new).unwrap(), "a letter");
}

/// Checks that a run refuses a changed, shortened or missing `.part` file, and discards bytes written after its
/// checkpoint.
#[test]
fn part_files_of_interrupted_runs() {
    let here = TestDir::new();
    let (file, checkpoint, history) = (here.file("values"), here.file("checkpoint"), here.file("history"));
    let part = format!("{file}.part");
    let args = format!(
        "table octal 0.106 --to 1e15 --format bin --output {file} --checkpoint {checkpoint} --every 1ms --history {history}"
    );
    let mut child = start(&mut command(&args, &[]));
    await_values(&mut child, &checkpoint, 0);
    send(Signal::TERM, child.id());
    assert_eq!(child.wait().unwrap().code(), Some(75));
    let files = || [&part, &checkpoint, &history].map(|name| fs::read(name).ok());
    let good = fs::read(&part).unwrap();
    let values = saved_values(&fs::read(&checkpoint).unwrap()).unwrap();
    // The file starts with "NIMBERS", the width and the number of values.
    assert_eq!(good.len() as u64, 16 + 2 * values);

    // A run that is not refused would take weeks. A limit of a few megabytes on files ends it early.
    let limited = format!("ulimit -f 20000; exec {} {args}", program_of("table").display());
    let refuses = |message: &str| {
        let output = Command::new("sh").args(["-c", &limited]).output().unwrap();
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(2), message));
    };
    let restart = format!("delete both and start again, or restore the {part} of the interrupted run\n");
    for at in [3, 15, 16, good.len() / 2, good.len() - 1] {
        let mut bad = good.clone();
        bad[at] ^= 4;
        // The damage must also be found if the file is longer than at the checkpoint.
        bad.extend(b"later");
        fs::write(&part, &bad).unwrap();
        let before = files();
        refuses(&format!(
            "grundy: {part} is damaged: its first {} bytes have changed since {checkpoint} was written: {restart}",
            good.len()
        ));
        assert!(files() == before, "nothing is changed");
    }
    fs::write(&part, &good[..good.len() - 1]).unwrap();
    let before = files();
    refuses(&format!(
        "grundy: {part} has {} bytes, fewer than the {} before the value n = {values}, from which {checkpoint} continues: \
             {restart}",
        good.len() - 1,
        good.len()
    ));
    assert!(files() == before, "nothing is changed");
    fs::remove_file(&part).unwrap();
    let before = files();
    refuses(&format!(
        "grundy: {part} is missing: it holds the values before n = {values}, from which {checkpoint} continues; restore \
             it, or delete {checkpoint} and start again\n"
    ));
    assert!(files() == before, "nothing is changed");

    // Bytes beyond the length that the checkpoint records are replaced.
    fs::write(&part, [&good[..], b"later"].concat()).unwrap();
    let mut child = start(&mut command(&args, &[]));
    await_values(&mut child, &checkpoint, values);
    send(Signal::TERM, child.id());
    assert_eq!(child.wait().unwrap().code(), Some(75));
    let (more, kept) = (fs::read(&part).unwrap(), fs::read(&history).unwrap());
    assert!(more.starts_with(&good) && more.len() > good.len() && more[16..] == kept[16..]);
}
