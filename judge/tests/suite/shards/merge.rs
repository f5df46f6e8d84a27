//! `judge merge`.

use std::fs;

use super::{ARENA, STRESS, complaint, printed, run};
use crate::support::{TestDir, text};

/// The shards of a run, recorded in files.
fn recorded(dir: &TestDir, args: &str, count: u64) -> Vec<String> {
    let record = |index| {
        let file = dir.file(&format!("{index}-of-{count}.jsonl"));
        printed(&run(&format!("{args} --shard {index}/{count} --checkpoint {file}")), 0);
        file
    };
    (1..=count).map(record).collect()
}

fn merged(files: &[&str]) -> String {
    let output = run(&format!("merge {}", files.join(" ")));
    assert_eq!(text(&output.stderr), "");
    printed(&output, 0)
}

/// In any order, in one step or several, and what is merged again: the same bytes.
#[test]
fn merging_knows_no_order_and_is_idempotent() {
    let dir = TestDir::new();
    let files = recorded(&dir, ARENA, 3);
    let [a, b, c] = [0, 1, 2].map(|at| files[at].as_str());
    let expected = merged(&[a, b, c]);
    assert_eq!(merged(&[c, a, b]), expected);
    assert_eq!(merged(&[b, b, c, a, a, b]), expected);
    let part = dir.file("part.jsonl");
    assert_eq!(run(&format!("merge {b} {c} -o {part}")).status.code(), Some(1));
    assert_eq!(merged(&[&part, a]), expected);
    let all = dir.write("all.jsonl", &expected);
    assert_eq!(merged(&[&all]), expected);
    assert_eq!(merged(&[a, &all, &part]), expected);
    // Onto itself.
    printed(&run(&format!("merge {all} {b} -o {all}")), 0);
    assert_eq!(dir.read("all.jsonl"), expected);
    // Another run of the same games took other times: the same one of both is kept in any order.
    let others = recorded(&TestDir::new(), ARENA, 1);
    assert!(others.len() == 1);
    let again = dir.file("again.jsonl");
    printed(&run(&format!("{ARENA} --checkpoint {again}")), 0);
    assert_eq!(merged(&[&again, &all]), merged(&[&all, &again]));
}

/// Lines that are longer than what is read of a file at a time.
#[test]
fn long_lines() {
    let dir = TestDir::new();
    let file = dir.file("pair.jsonl");
    printed(&run(&format!("arena nim 3 5 --pairs 1 --bot perfect --bot greedy --record {file}")), 0);
    let record = dir.read("pair.jsonl");
    let line = |index: u64| {
        let line = record.lines().find(|line| line.contains(&format!("\"index\":{index},"))).unwrap();
        let reason = format!("\"reason\":\"{}", "x".repeat(3 << 20));
        line.replacen("\"reason\":\"", &reason, 1) + "\n"
    };
    let (one, other) = (dir.write("one", line(1) + &line(0)), dir.write("other", line(0) + &line(1)));
    assert!(merged(&[&one, &other]) == line(0) + &line(1));
}

/// At any number of jobs the same results, or they would contradict each other.
#[test]
fn the_same_results_at_any_number_of_jobs() {
    let dir = TestDir::new();
    for args in [ARENA, STRESS] {
        let record = |jobs: u32| {
            let file = dir.file(&format!("{jobs}.jsonl"));
            let _ = fs::remove_file(&file);
            printed(&run(&format!("{} --jobs {jobs} --checkpoint {file}", args.replace(" --jobs 2", ""))), 0);
            file
        };
        let (one, eight) = (record(1), record(8));
        let merged = dir.file("merged.jsonl");
        let summary = printed(&run(&format!("merge {one} {eight} -o {merged}")), 0);
        let total = dir.read("1.jsonl").lines().count();
        assert!(summary.ends_with(&format!(" from 2 files, {total} duplicates\n")), "{summary}");
    }
}

/// What is missing is named, and the command that is printed plays it.
#[test]
fn gaps_and_the_command_for_them() {
    for args in [ARENA, STRESS] {
        let dir = TestDir::new();
        let files = recorded(&dir, args, 3);
        let expected = merged(&files.iter().map(String::as_str).collect::<Vec<_>>());
        let total = expected.lines().count();
        // Without the second shard, and with a line that was cut off.
        let cut = fs::read_to_string(&files[2]).unwrap();
        fs::write(&files[2], &cut[..cut.len() - 5]).unwrap();
        let merged = dir.file("merged.jsonl");
        let output = run(&format!("merge {} {} -o {merged}", files[0], files[2]));
        let (shown, message) = (printed(&output, 1), text(&output.stderr).to_owned());
        let found = dir.read("merged.jsonl").lines().count();
        assert!(shown.starts_with(&format!("{found} of {total} results of the run ")), "{shown}");
        let (note, message) = message.split_once('\n').unwrap();
        assert_eq!(
            note,
            format!("judge: note: the last line of {} is cut off; its result is left out", files[2])
        );
        assert!(message.starts_with(&format!("judge: {} results missing: ", total - found)), "{message}");
        let command = message.split("; to continue: ").nth(1).unwrap().trim_end();
        let words = shlex::split(command).unwrap();
        assert_eq!(words[words.len() - 2..], ["--checkpoint".to_owned(), merged.clone()], "{command}");
        let output = crate::support::command("", &[]).args(&words[1..]).output().unwrap();
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""), "{command}");
        let complete = super::merge::merged(&[&merged]);
        assert_eq!(complete.lines().count(), total);
        // To stdout the lines alone.
        let output = run(&format!("merge {}", files[0]));
        assert_eq!(
            printed(&output, 1).lines().count(),
            fs::read_to_string(&files[0]).unwrap().lines().count()
        );
        assert!(
            text(&output.stderr).contains("; to continue, merge with --output FILE, and then: judge "),
            "{output:?}"
        );
    }
}

/// A run whose end depends on its results: nobody knows what is missing.
#[test]
fn a_run_without_a_known_number_of_games() {
    let dir = TestDir::new();
    let file = dir.file("run.jsonl");
    printed(
        &run(&format!(
            "arena --family nim --max-n 20 --bot perfect --bot random --sprt 0,100 --record {file}"
        )),
        0,
    );
    let all = merged(&[&file]);
    let merged = dir.file("merged.jsonl");
    let summary = printed(&run(&format!("merge {file} -o {merged}")), 0);
    assert!(summary.starts_with(&format!("{} results of the run ", all.lines().count())), "{summary}");
    let tables = |file: &str| printed(&run(&format!("arena --sprt 0,100 --rate {file}")), 0);
    assert_eq!(tables(&merged), tables(&file));
}

/// A run that was continued with `--sprt`: of how many games it is part is not known any more.
#[test]
fn a_run_that_is_continued_without_a_known_number_of_games() {
    let dir = TestDir::new();
    let file = dir.file("games.jsonl");
    let arena = format!("arena --family nim --max-n 20 --bot perfect --bot greedy --checkpoint {file}");
    printed(&run(&format!("{arena} --pairs 2")), 0);
    assert!(
        printed(&run(&format!("merge {file} --output {}", dir.file("four"))), 0)
            .starts_with("4 of 4 results of")
    );
    // The test is not decided.
    printed(&run(&format!("{arena} --pairs 5 --sprt 0,1")), 1);
    assert!(
        printed(&run(&format!("merge {file} --output {}", dir.file("ten"))), 0)
            .starts_with("10 results of the run")
    );
    assert!(
        printed(&run(&format!("merge {file} --output {}", dir.file("ten"))), 0)
            .ends_with("; how many the whole run has is not known\n")
    );
}

#[test]
fn files_that_are_refused() {
    let dir = TestDir::new();
    let files = recorded(&dir, ARENA, 2);
    let good = fs::read_to_string(&files[0]).unwrap();
    let line = good.lines().next().unwrap().to_owned();
    let index = format!("\"index\":{},", crate::support::json_lines(line.as_bytes())[0]["index"]);
    let out = dir.write("out.jsonl", "as it was\n");
    let refused = |files: &str, message: &str| {
        let output = run(&format!("merge {files} --output {out} --force"));
        let error = complaint(&output, 2);
        assert!(error.contains(message), "{files}: {error}");
        assert_eq!(dir.read("out.jsonl"), "as it was\n");
        // Nor is anything printed.
        complaint(&run(&format!("merge {files}")), 2);
    };
    let other = dir.file("other.jsonl");
    printed(&run(&format!("{ARENA} --seed 2 --checkpoint {other}")), 0);
    refused(
        &format!("{} {other}", files[0]),
        "merge the files of one run at a time; the first was made by judge arena --family",
    );
    let search = dir.file("search.jsonl");
    printed(&run(&format!("{STRESS} --checkpoint {search}")), 0);
    refused(&format!("{} {search}", files[0]), "this one by judge stress --family nim");
    refused(&dir.file("none.jsonl"), "none.jsonl cannot be opened: No such file");
    refused(&dir.write("empty.jsonl", ""), "the files have no result");
    refused(dir.path().to_str().unwrap(), "is not a regular file");
    refused("/dev/null", "is not a regular file");
    for (name, text, message) in [
        (
            "words.jsonl",
            format!("{line}\nhello\n"),
            "words.jsonl line 2: expected a result of judge arena, stress or sweep",
        ),
        (
            "cut.jsonl",
            format!("{}\n{line}\n", &line[..line.len() / 2]),
            "cut.jsonl line 1: expected a result of judge arena",
        ),
        (
            "joined.jsonl",
            format!("{}{line}\n", &line[..line.len() / 2]),
            "joined.jsonl line 1: expected a result",
        ),
        ("zeros.jsonl", format!("{line}\n\0\0\0\0\n"), "zeros.jsonl line 2: expected a result"),
        ("long.jsonl", format!("{line}\n{}\n", " ".repeat(5 << 20)), "long.jsonl line 2: expected at most"),
        (
            "number.jsonl",
            line.replace(&index, "\"index\":72,") + "\n",
            "expected a number below the 72 results",
        ),
        ("none.jsonl", line.replace(&index, "") + "\n", "missing field `index`"),
        ("deep.jsonl", format!("{line}\n{}\n", "[".repeat(100_000)), "deep.jsonl line 2: expected a result"),
    ] {
        refused(&dir.write(name, text), message);
    }
    // A game that is recorded with two results.
    let moves = crate::support::json_lines(line.as_bytes())[0]["first"]["moves"].as_u64().unwrap();
    let contradiction =
        line.replacen(&format!("\"moves\":{moves},"), &format!("\"moves\":{},", moves + 1), 1);
    let contradiction = dir.write("contradiction.jsonl", format!("\n{contradiction}\n"));
    let message =
        format!("contradiction.jsonl line 2 has {}, in first.moves; find out which is right", moves + 1);
    let both = format!("{} line 1 has {moves}", files[0]);
    refused(&format!("{} {contradiction}", files[0]), &message);
    refused(&format!("{} {contradiction}", files[0]), &both);
    refused(&format!("{contradiction} {}", files[0]), "is recorded twice and differs");
}

/// Results of searches and sweeps that no run writes: each is refused by what merges and by what continues it.
#[test]
fn forged_results() {
    let dir = TestDir::new();
    let sweep = "sweep octal 0.77 0.07";
    for (number, (args, old, new, message)) in [
        (STRESS, "\"schema\":1", "\"schema\":2", "expected schema 1, got 2"),
        (STRESS, "\"wall_ms\":", "\"wall_ms\":-1", "expected wall_ms as a time of 0 ms or more, got -1"),
        (
            STRESS,
            "\"waited_ms\":",
            "\"waited_ms\":-1",
            "expected waited_ms as a time of 0 ms or more, got -1",
        ),
        (sweep, "\"schema\":1", "\"schema\":2", "expected schema 1, got 2"),
        (sweep, "\"period\":12", "\"period\":0", "expected a period of 1 or more"),
    ]
    .into_iter()
    .enumerate()
    {
        let file = dir.file(&format!("{number}.jsonl"));
        printed(&run(&format!("{args} --checkpoint {file}")), 0);
        let record = fs::read_to_string(&file).unwrap();
        let forged = record.replacen(old, new, 1);
        assert_ne!(forged, record, "{args}: {old}");
        let at = forged.lines().zip(record.lines()).position(|(forged, line)| forged != line).unwrap();
        fs::write(&file, &forged).unwrap();
        for command in [format!("merge {file}"), format!("{args} --checkpoint {file}")] {
            let error = complaint(&run(&command), 2);
            assert!(error.contains(message), "{command}: {error}");
            assert!(error.contains(&format!("{file} line {}: ", at + 1)), "{command}: {error}");
        }
    }
}

/// Many files at a time: more than a process may open by default.
#[cfg(target_os = "linux")]
#[test]
fn more_files_than_may_be_open() {
    let dir = TestDir::new();
    let files = recorded(&dir, STRESS, 2);
    let text = fs::read_to_string(&files[0]).unwrap() + &fs::read_to_string(&files[1]).unwrap();
    let lines: Vec<_> = text.lines().collect();
    let names: Vec<_> =
        (0..300).map(|at| dir.write(&format!("{at}"), format!("{}\n", lines[at % lines.len()]))).collect();
    let expected = merged(&[&files[0], &files[1]]);
    let judge = |limits: &str| {
        let script = format!("{limits} exec \"$@\"");
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &script, "sh", crate::support::JUDGE, "merge"]).args(&names);
        shell.output().unwrap()
    };
    assert_eq!(printed(&judge("ulimit -Sn 100;"), 0), expected);
    let error = complaint(&judge("ulimit -n 100;"), 2);
    assert!(error.contains("merge a part of them first") && error.contains("Too many open files"), "{error}");
}
