//! The shards of a run have together what the run has.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{ARENA, ARENA_GAMES, STRESS, STRESS_GAMES, printed, run};
use crate::support::{TestDir, command, timeless};

/// Results by their numbers, without what they took. None is there twice.
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

/// Whatever the number of shards, merged in any order: the same results as those of the whole run.
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
    // Sorted, and with nothing changed.
    let mut lines: Vec<String> = files
        .iter()
        .flat_map(|file| {
            std::fs::read_to_string(file).unwrap().lines().map(str::to_owned).collect::<Vec<_>>()
        })
        .collect();
    lines.sort_by_key(|line| serde_json::from_str::<Value>(line).unwrap()["index"].as_u64().unwrap());
    assert_eq!(merged.lines().collect::<Vec<_>>(), lines);
}

#[test]
fn shards_of_an_arena() {
    for count in [1, 2, 3, 7, 64] {
        assert_shards_are_the_run(ARENA, count, ARENA_GAMES);
    }
}

#[test]
fn shards_of_a_search() {
    for count in [1, 2, 3, 7, 64] {
        assert_shards_are_the_run(STRESS, count, STRESS_GAMES);
    }
}

/// The tables of merged games are those of the run.
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
    // The run that has all its games plays none.
    let again = run(&format!("{ARENA} --checkpoint {merged}"));
    assert_eq!(timeless(&printed(&again, 0)), whole);
}

/// The summary of a merged search, and its smallest game that was not won.
#[test]
fn merged_searches_give_the_same_summary() {
    let dir = TestDir::new();
    // A bot that crashes where there are three piles.
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

/// The number of the shard from a scheduler.
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

#[test]
fn shards_that_are_refused() {
    let refused = |args: &str, message: &str| {
        let output = run(args);
        assert!(super::complaint(&output, 2).contains(message), "{args}: {output:?}");
    };
    refused(&format!("{ARENA} --shard 8/7"), "shards are numbered from 1 to 7, got 8");
    refused(&format!("{ARENA} --shard 7"), "expected I/N, such as 3/7, or auto");
    refused(&format!("{ARENA} --shard auto"), "neither SLURM_ARRAY_TASK_ID nor HQ_TASK_ID is set");
    refused(&format!("{ARENA} --shards 7"), "for --shard auto: add that, or use --shard I/N");
    refused(&format!("{ARENA} --shard 1/7 --on-crash stop"), "--on-crash stop cannot end them");
    refused("arena --bot greedy --bot slow --sprt 0,20 --shard 1/7", "so --sprt cannot end it");
    refused("stress --games 9 --shard 1/7", "add --keep-going");
    refused("stress --time 9 --keep-going --shard 1/7", "add --games K to --time");
}

/// A shard of a run that has fewer pairs than shards.
#[test]
fn a_shard_without_a_game() {
    let output = run("arena --pairs 2 --bot greedy --bot slow --max-n 9 --shard 3/7");
    assert_eq!(super::complaint(&output, 0), "judge: shard 3/7 has no game: the run has 2 pairs\n");
    let output = run("stress --games 2 --max-n 9 --keep-going --shard 3/7");
    assert!(printed(&output, 0).starts_with("the bundled bot: 0 of 0 games won; 0 played"));
}
