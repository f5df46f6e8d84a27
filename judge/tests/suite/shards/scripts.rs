//! The scripts of `--emit`, run as the engines run them. tests/peers runs them by the engines themselves.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use rustix::process::Signal;

use super::{complaint, printed, run, with_options};
use crate::support::{JUDGE, NO_CORPUS, TestDir, has_program, send, start, text};

fn has_bash() -> bool {
    has_program("bash", &["-c", "true"])
}

/// A script with these variables, in a directory of its own.
fn script(dir: &TestDir, name: &str, variables: &[(&str, &str)]) -> Command {
    let mut bash = Command::new("bash");
    let path = format!("{}:{}", dir.path().display(), std::env::var("PATH").unwrap());
    bash.arg(name)
        .current_dir(dir.path())
        .env("PATH", path)
        .envs([NO_CORPUS])
        .envs(variables.iter().copied());
    bash
}

/// The directory that a script writes its results to.
fn results(dir: &TestDir, script: &str) -> String {
    let text = dir.read(script);
    let name = text.lines().find_map(|line| line.strip_prefix("results=")).unwrap();
    dir.file(name)
}

fn executable(dir: &TestDir, name: &str, text: &str) {
    let file = dir.write(name, text);
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
}

/// The tasks of each engine's script have together what the run has, with a bot whose command a shell has to be kept from.
#[test]
fn scripts_do_the_run() {
    if !has_bash() {
        return;
    }
    let bot = format!("sh -c 'x=\"it is $1\"; exec \"{JUDGE}\" bot' \"a  b\" '$HOME' \"it's\"");
    let bot = &format!("a={bot}");
    let runs: [(&str, &[&str]); 3] = [
        ("arena --family nim --max-n 20 --pairs 6", &["--bot", bot, "--bot", "greedy"]),
        (
            "stress --family nim --max-n 20 --games 9 --keep-going",
            &["--", "sh", "-c", &format!("exec {JUDGE} bot"), "-j4"],
        ),
        ("sweep subtract --max 3", &[]),
    ];
    for (args, options) in runs {
        let dir = TestDir::new();
        let whole = dir.file("whole.jsonl");
        printed(&with_options(&format!("{args} --checkpoint {whole}"), options).output().unwrap(), 0);
        for engine in ["slurm", "hq", "parallel"] {
            let emitted = with_options(&format!("{args} --jobs 2 --shards 3 --emit {engine}"), options)
                .output()
                .unwrap();
            assert_eq!(text(&emitted.stderr), "");
            dir.write("script.sh", printed(&emitted, 0));
            if engine == "parallel" {
                // It starts the tasks one after the other.
                executable(
                    &dir,
                    "parallel",
                    "#!/bin/bash\nfor task; do shift; [ $task != ::: ] || break; done\nfor i; do task $i || exit; done\n",
                );
                printed(&script(&dir, "script.sh", &[]).output().unwrap(), 0);
            }
            for task in ["1", "2", "3"] {
                let variable = if engine == "hq" { "HQ_TASK_ID" } else { "SLURM_ARRAY_TASK_ID" };
                let output = script(&dir, "script.sh", &[(variable, task)]).output().unwrap();
                assert_eq!(output.status.code(), Some(0), "{engine}: {}", text(&output.stderr));
            }
            let results = results(&dir, "script.sh");
            let files = [1, 2, 3].map(|task| format!("{results}/{task}.jsonl")).join(" ");
            let merged = dir.file("merged.jsonl");
            let summary = printed(&run(&format!("merge {files} -o {merged}")), 0);
            assert!(summary.ends_with(", from 3 files, 0 duplicates\n"), "{engine}: {summary}");
            // With the same results, or they would contradict each other.
            printed(&run(&format!("merge {merged} {whole}")), 0);
            fs::remove_dir_all(results).unwrap();
        }
    }
}

/// A signal to the script lets the judge end. After that of the time limit the task goes into the queue again.
#[test]
fn a_task_that_has_to_end() {
    if !has_bash() {
        return;
    }
    for (engine, signal, requeued) in
        [("slurm", Signal::USR1, "requeue 7_2\n"), ("slurm", Signal::TERM, ""), ("hq", Signal::TERM, "")]
    {
        let dir = TestDir::new();
        let (here, count) = (dir.fifo("here"), dir.write("count", "0"));
        // It tells of its third game, and waits in it. The check of the seats has two games.
        let bot = format!(
            "waits=sh -c 'c=$(($(cat {count}) + 1)); echo $c > {count}; \
             if [ $c = 5 ]; then echo here > {here}; exec sleep 60; fi; exec {JUDGE} bot'"
        );
        let args = format!("arena --max-n 20 --pairs 6 --time-limit 60 --shards 2 --emit {engine}");
        dir.write(
            "script.sh",
            printed(&with_options(&args, &["--bot", &bot, "--bot", "slow"]).output().unwrap(), 0),
        );
        let requests = dir.write("requests", "");
        executable(&dir, "scontrol", &format!("#!/bin/sh\necho \"$@\" >> {requests}\n"));
        let variables = if engine == "hq" {
            vec![("HQ_TASK_ID", "2")]
        } else {
            vec![("SLURM_ARRAY_TASK_ID", "2"), ("SLURM_ARRAY_JOB_ID", "7")]
        };
        let task = start(&mut script(&dir, "script.sh", &variables));
        assert_eq!(fs::read_to_string(&here).unwrap(), "here\n");
        send(signal, task.id());
        let output = task.wait_with_output().unwrap();
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(75), ""), "{engine} {signal:?}");
        assert!(text(&output.stderr).contains("interrupted after 2 of 6 games"), "{}", text(&output.stderr));
        assert_eq!(dir.read("requests"), requeued, "{engine} {signal:?}");
        // The same task again goes on.
        printed(&script(&dir, "script.sh", &variables).output().unwrap(), 0);
        let results = results(&dir, "script.sh");
        assert_eq!(fs::read_to_string(format!("{results}/2.jsonl")).unwrap().lines().count(), 6);
        assert_eq!(dir.read("count").trim(), "11");
    }
}

#[test]
fn scripts_that_are_refused() {
    let refused = |args: &str, message: &str| {
        let error = complaint(&run(args), 2);
        assert!(error.contains(message), "{args}: {error}");
    };
    refused("arena --bot slow --bot greedy --emit slurm", "--shards <N>");
    refused("arena --bot slow --bot greedy --shards 3 --emit slurm --sprt 0,20", "so --sprt cannot end it");
    refused("stress --shards 3 --emit hq", "add --keep-going");
    refused("stress --keep-going --shards 0 --emit hq", "expected a number from 1 to 1000000");
    refused("sweep octal --shards 3 --shard 1/3 --emit hq", "cannot be used with");
    // Each task of the script has files of its own.
    for option in
        ["--record f", "--resume f", "--checkpoint f", "--transcripts d", "--csv f", "--html f", "--json"]
    {
        refused(
            &format!("arena --bot slow --bot greedy --shards 3 --emit slurm {option}"),
            "cannot be used with",
        );
    }
    for option in ["--resume f", "--checkpoint f", "--html f", "--json"] {
        refused(&format!("stress --keep-going --shards 3 --emit slurm {option}"), "cannot be used with");
    }
    refused("sweep octal --shards 3 --emit hq --output f", "cannot be used with");
}
