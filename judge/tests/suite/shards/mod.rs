//! Runs that are divided among several judges, interrupted and continued.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Output};

use rustix::process::Signal;
use serde_json::Value;

use crate::support::{JUDGE, TestDir, command, send, start, text, timeless};

mod merge;
mod scripts;

/// The arguments of an arena.
const ARENA: &str =
    "arena --family subtract --max-n 40 --pairs 12 --bot greedy --bot random --bot mirror --jobs 2";

/// The number of games of [`ARENA`].
const ARENA_GAMES: u64 = 72;

/// The arguments of a search.
const STRESS: &str = "stress --family nim --max-n 20 --games 40 --keep-going --session --jobs 2";

/// The number of games of [`STRESS`].
const STRESS_GAMES: u64 = 40;

/// Runs the judge with `args`.
fn run(args: &str) -> Output {
    command(args, &[]).output().unwrap()
}

/// Returns the command of the judge with `args`, split at blanks, and with `options`, not split.
fn with_options(args: &str, options: &[&str]) -> Command {
    let mut judge = command(args, &[]);
    judge.args(options);
    judge
}

/// Checks that a judge ended with the exit code `code`, and returns its stdout.
#[track_caller]
fn printed(output: &Output, code: i32) -> String {
    assert_eq!(output.status.code(), Some(code), "{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout).to_owned()
}

/// Returns results by their numbers, without times and resources. Checks that no result appears twice.
fn results(lines: &str) -> BTreeMap<u64, Value> {
    fn forget(value: &mut Value) {
        let Some(fields) = value.as_object_mut() else { return };
        fields.retain(|name, _| {
            !name.ends_with("_ms") && !["answer_times", "memory_kib", "slowest_ply"].contains(&&**name)
        });
        fields.values_mut().for_each(forget);
    }
    let mut results = BTreeMap::new();
    for line in lines.lines() {
        let mut result: Value = serde_json::from_str(line).unwrap();
        forget(&mut result);
        let index = result["index"].as_u64().unwrap();
        assert!(results.insert(index, result).is_none(), "{index} twice");
    }
    results
}

/// Checks that the shards of a run, merged in a mixed order, have the same results as the whole run.
fn assert_shards_are_the_run(args: &str, count: u64, total: u64) {
    let dir = TestDir::new();
    let whole = dir.file("whole.jsonl");
    printed(&run(&format!("{args} --checkpoint {whole}")), 0);
    let expected = results(&dir.read("whole.jsonl"));
    assert_eq!(expected.keys().copied().collect::<Vec<_>>(), (0..total).collect::<Vec<_>>());
    let mut files = Vec::new();
    for index in 1..=count {
        let file = dir.file(&format!("{index}.jsonl"));
        let output = run(&format!("{args} --shard {index}/{count} --checkpoint {file}"));
        printed(&output, 0);
        files.insert(if index % 2 == 0 { 0 } else { files.len() }, file);
    }
    let merged = dir.file("merged.jsonl");
    let summary = printed(&run(&format!("merge {} --output {merged}", files.join(" "))), 0);
    assert!(summary.starts_with(&format!("{total} of {total} results of the run ")), "{summary}");
    assert!(
        summary.ends_with(&format!("from {count} file{}, 0 duplicates\n", if count == 1 { "" } else { "s" }))
    );
    let merged = dir.read("merged.jsonl");
    assert_eq!(results(&merged), expected, "{count} shards");
    // The merged lines are sorted and unchanged.
    let mut lines: Vec<String> = files
        .iter()
        .flat_map(|file| {
            std::fs::read_to_string(file).unwrap().lines().map(str::to_owned).collect::<Vec<_>>()
        })
        .collect();
    lines.sort_by_key(|line| serde_json::from_str::<Value>(line).unwrap()["index"].as_u64().unwrap());
    assert_eq!(merged.lines().collect::<Vec<_>>(), lines);
}

/// Checks one shard, several shards, and more shards than pairs.
#[test]
fn shards_of_an_arena() {
    for count in [1, 3, 64] {
        assert_shards_are_the_run(ARENA, count, ARENA_GAMES);
    }
}

#[test]
fn shards_of_a_search() {
    for count in [2, 7] {
        assert_shards_are_the_run(STRESS, count, STRESS_GAMES);
    }
}

/// Checks that merged games give the same tables as the whole run.
#[test]
fn merged_games_give_the_same_tables() {
    let dir = TestDir::new();
    let files = [1, 2, 3].map(|index| dir.file(&format!("{index}.jsonl")));
    for (index, file) in (1..).zip(&files) {
        printed(&run(&format!("{ARENA} --shard {index}/3 --checkpoint {file}")), 0);
    }
    let merged = dir.file("merged.jsonl");
    printed(&run(&format!("merge {} -o {merged}", files.join(" "))), 0);
    let whole = timeless(&printed(&run(ARENA), 0));
    assert_eq!(timeless(&printed(&run(&format!("arena --rate {merged}")), 0)), whole);
    // A run whose checkpoint has all games plays no game.
    let again = run(&format!("{ARENA} --checkpoint {merged}"));
    assert_eq!(timeless(&printed(&again, 0)), whole);
}

/// Checks that a merged search has the same summary, and the same smallest game that was not won.
#[test]
fn merged_searches_give_the_same_summary() {
    let dir = TestDir::new();
    // A bot that crashes in games of three piles.
    let script = format!(
        "read h; set -- $h; [ $# = 4 ] && exit 3; {{ echo \"$h\"; cat; }} | {} bot",
        crate::support::JUDGE
    );
    let bot = ["sh", "-c", &script];
    let args = "stress --family nim --max-n 6 --games 24 --keep-going --time-limit 20";
    let whole = command(args, &bot).output().unwrap();
    let files = [1, 2].map(|index| dir.file(&format!("{index}.jsonl")));
    for (index, file) in (1..).zip(&files) {
        let output =
            command(&format!("{args} --shard {index}/2 --checkpoint {file}"), &bot).output().unwrap();
        assert!(printed(&output, 1).contains("not won: "));
    }
    let merged = dir.file("merged.jsonl");
    printed(&run(&format!("merge {} -o {merged}", files.join(" "))), 0);
    let resumed = command(&format!("{args} --resume {merged}"), &bot).output().unwrap();
    let summary = |output| {
        let shown = timeless(&printed(output, 1));
        let lines = shown.lines().filter(|line| !line.starts_with("game ")).map(|line| format!("{line}\n"));
        lines.collect::<String>()
    };
    assert_eq!(summary(&resumed), summary(&whole));
    assert!(summary(&whole).contains("The smallest game that was not won"), "{}", summary(&whole));
}

/// Checks that `--shard auto` takes the shard from Slurm or HyperQueue.
#[test]
fn the_shard_of_a_task() {
    let dir = TestDir::new();
    let file = dir.file("named.jsonl");
    printed(&run(&format!("{ARENA} --shard 2/5 --checkpoint {file}")), 0);
    let expected = results(&dir.read("named.jsonl"));
    let slurm =
        [("SLURM_ARRAY_TASK_ID", "2"), ("SLURM_ARRAY_TASK_COUNT", "5"), ("SLURM_ARRAY_TASK_MIN", "1")];
    let again =
        [("SLURM_ARRAY_TASK_ID", "2"), ("SLURM_ARRAY_TASK_COUNT", "1"), ("SLURM_ARRAY_TASK_MIN", "2")];
    for (name, shards, variables) in [
        ("slurm", "", &slurm[..]),
        ("again", "--shards 5", &again[..]),
        ("hq", "--shards 5", &[("HQ_TASK_ID", "2")]),
    ] {
        let file = dir.file(name);
        let mut judge = command(&format!("{ARENA} --shard auto {shards} --checkpoint {file}"), &[]);
        let output = judge.envs(variables.iter().copied()).output().unwrap();
        printed(&output, 0);
        assert_eq!(results(&dir.read(name)), expected, "{name}");
    }
}

fn lines(dir: &TestDir, name: &str) -> u64 {
    dir.read(name).lines().count() as u64
}

/// Checks that the same command continues from a cut file: it plays the missing games, and no game twice.
#[test]
fn the_same_command_continues_from_any_point() {
    let dir = TestDir::new();
    let file = dir.file("run.jsonl");
    for (args, total) in [(ARENA, ARENA_GAMES), (STRESS, STRESS_GAMES)] {
        let args = format!("{args} --shard 2/3 --checkpoint {file}");
        let _ = fs::remove_file(&file);
        let whole = timeless(&printed(&run(&args), 0));
        let record = dir.read("run.jsonl");
        assert!(lines(&dir, "run.jsonl").abs_diff(total / 3) <= 2);
        for cut in [0, 1, record.len() / 2, record.len() - 1, record.len()] {
            fs::write(&file, &record[..cut]).unwrap();
            let output = run(&args);
            assert_eq!(
                (timeless(&printed(&output, 0)), text(&output.stderr)),
                (whole.clone(), ""),
                "cut at {cut}"
            );
            assert_eq!(lines(&dir, "run.jsonl"), record.lines().count() as u64, "cut at {cut}");
        }
    }
}

/// Checks that the same command completes a run after its judge was killed, or was interrupted and exited with 75.
#[test]
fn a_shard_that_is_killed_or_interrupted() {
    for (signal, code) in [(Signal::KILL, None), (Signal::TERM, Some(75)), (Signal::INT, Some(75))] {
        let dir = TestDir::new();
        let (file, here, count) = (dir.file("run.jsonl"), dir.fifo("here"), dir.write("count", "0"));
        // The bot reports its fifth game and waits in that game. The first two games are the check of the seats, so
        // the run has recorded two games.
        let bot = format!(
            "waits=sh -c 'c=$(($(cat {count}) + 1)); echo $c > {count}; \
             if [ $c = 5 ]; then echo here > {here}; exec sleep 60; fi; exec {JUDGE} bot'"
        );
        let args = "arena --max-n 20 --pairs 6 --jobs 1 --time-limit 60";
        let options = ["--bot", &bot, "--bot", "slow", "--shard", "1/2", "--checkpoint", &file];
        let start = || start(&mut with_options(args, &options));
        let judge = start();
        assert_eq!(fs::read_to_string(&here).unwrap(), "here\n");
        send(signal, judge.id());
        let output = judge.wait_with_output().unwrap();
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), code, "{signal:?}: {message}");
        if code.is_some() {
            assert!(
                message.starts_with("judge: interrupted after 2 of 6 games; to continue: judge arena "),
                "{message}"
            );
            assert!(message.contains(&format!(" --shard 1/2 --checkpoint {file}")), "{message}");
        }
        // The new judge waits for a killed judge that has not ended yet.
        let output = start().wait_with_output().unwrap();
        printed(&output, 0);
        assert_eq!((lines(&dir, "run.jsonl"), dir.read("count").trim()), (6, "11"), "{signal:?}");
    }
}

/// Checks that a judge waits while another judge writes to its checkpoint, and that `--resume` is refused then.
#[test]
fn two_judges_with_one_file() {
    let dir = TestDir::new();
    let (file, here, go) = (dir.file("run.jsonl"), dir.fifo("here"), dir.fifo("go"));
    let once = dir.write("once", "");
    let bot = format!(
        "waits=sh -c 'if [ -e {once} ]; then rm {once}; echo here > {here}; cat {go}; fi; exec {JUDGE} bot'"
    );
    let options = ["--bot", &bot, "--bot", "slow", "--checkpoint", &file];
    let start = || start(&mut with_options("arena --max-n 20 --pairs 2 --jobs 1 --time-limit 60", &options));
    let one = start();
    assert_eq!(fs::read_to_string(&here).unwrap(), "here\n");
    let resume = ["--bot", &bot, "--bot", "slow", "--resume", &file];
    let refused = with_options("arena --max-n 20 --pairs 2", &resume).output().unwrap();
    let message = error_output(&refused, 2);
    assert!(
        message.contains(&format!("another process is writing to {file}: use a different file for each run")),
        "{message}"
    );
    let mut other = start();
    let mut first = String::new();
    BufReader::new(other.stderr.as_mut().unwrap()).read_line(&mut first).unwrap();
    assert_eq!(first, format!("judge: waiting for another process that is writing to {file}\n"));
    fs::write(&go, "").unwrap();
    let tables = [one, other].map(|judge| timeless(&printed(&judge.wait_with_output().unwrap(), 0)));
    assert_eq!(tables[0], tables[1]);
    assert_eq!(lines(&dir, "run.jsonl"), 4);
}

/// Checks that a search that ran out of time exits with 75 until all games are played.
#[test]
fn a_search_without_time_is_unfinished() {
    let dir = TestDir::new();
    let (file, ready) = (dir.file("run.jsonl"), dir.file("ready"));
    let args = format!(
        "stress --family nim --max-n 20 --games 12 --keep-going --jobs 1 --time 0.3 --checkpoint {file} --time-limit 20"
    );
    // The first game needs more time than the search has.
    let script = format!(
        "read h; [ -e {ready} ] || {{ sleep 0.4; touch {ready}; }}; {{ echo \"$h\"; cat; }} | {JUDGE} bot"
    );
    let search = || command(&args, &["sh", "-c", &script]).output().unwrap();
    // On a busy machine the time may be over before the first game begins.
    let is_too_late =
        |output: &Output| text(&output.stderr).starts_with("judge: no game was played within --time");
    let output = (0..100).map(|_| search()).find(|output| !is_too_late(output)).unwrap();
    let message = text(&output.stderr);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(75), ""), "{message}");
    assert!(
        message.starts_with("judge: --time is over after 1 of 12 games; to continue: judge stress "),
        "{message}"
    );
    let mut codes = Vec::new();
    while codes.last() != Some(&Some(0)) {
        codes.push(search().status.code());
        assert!(codes.len() < 100 && codes.iter().all(|code| matches!(code, Some(0 | 75))), "{codes:?}");
    }
    assert_eq!(lines(&dir, "run.jsonl"), 12);
}

/// Runs the judge with `args` and a limit on the size of files, in KiB.
fn limited(kib: u64, args: &str) -> Output {
    // `ulimit -f` counts in units of 512 bytes.
    let script = format!("ulimit -f {}; exec \"$@\"", 2 * kib);
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, "sh", JUDGE]).args(args.split_whitespace());
    shell.output().unwrap()
}

/// Checks that a record that exceeds the limit on file sizes ends the run with a message, and keeps only whole games.
/// With more room the same command completes the run.
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

/// Checks that a merged file that exceeds the limit on file sizes is not written at all.
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

/// Checks that a judge ended with the exit code `code` and an empty stdout, and returns its stderr.
#[track_caller]
fn error_output(output: &Output, code: i32) -> String {
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(code), ""), "{}", text(&output.stderr));
    text(&output.stderr).to_owned()
}
