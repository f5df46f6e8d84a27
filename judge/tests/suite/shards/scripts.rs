//! The scripts of docs/scale.md, run as the schedulers run them. tests/peers runs the scripts with real schedulers.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use rustix::process::Signal;

use super::{printed, run, with_options};
use crate::support::pages::page;
use crate::support::{JUDGE, TestDir, has_program, program_name, program_of, send, start, text};

fn has_bash() -> bool {
    has_program("bash", &["-c", "true"])
}

/// The schedulers, in the order of their scripts in docs/scale.md.
const SCHEDULERS: [&str; 3] = ["slurm", "hq", "parallel"];

/// A run: its command, its options, and its last arguments, which are not split at blanks.
type Run<'a> = (&'a str, &'a str, &'a [&'a str]);

/// Writes the script of a scheduler for the given run, shards and jobs. The script uses the programs in its
/// directory.
fn write_script(dir: &TestDir, scheduler: &str, (command, options, words): Run<'_>, shards: u64, jobs: u64) {
    let number = SCHEDULERS.iter().position(|known| *known == scheduler).unwrap();
    let script = &page("docs/scale.md").blocks("bash")[number];
    let words = shlex::try_join(words.iter().copied()).unwrap();
    let script = script
        .replace("64", &shards.to_string())
        .replace("judge arena", &format!("{} {command}", program_name(command)))
        .replace("--jobs 2", &format!("--jobs {jobs}"))
        .replace("--bot new=./new --bot old=./old --pairs 10000", &format!("{options} {words}"));
    assert!(script.contains(options) && !script.contains("./new"), "{script}");
    dir.write("script.sh", script);
    for program in ["judge", "grundy"] {
        if !dir.path().join(program).exists() {
            std::os::unix::fs::symlink(program_of(program), dir.path().join(program)).unwrap();
        }
    }
}

/// Returns the command that runs the script in its directory, with the environment variables `variables`.
fn script(dir: &TestDir, variables: &[(&str, &str)]) -> Command {
    let mut bash = Command::new("bash");
    let path = format!("{}:{}", dir.path().display(), std::env::var("PATH").unwrap());
    bash.arg("script.sh").current_dir(dir.path()).env("PATH", path).envs(variables.iter().copied());
    bash
}

fn executable(dir: &TestDir, name: &str, text: &str) {
    let file = dir.write(name, text);
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Checks that the tasks of each scheduler's script together have the results of the run. The bot's command needs
/// quotes in a shell.
#[test]
fn scripts_do_the_run() {
    if !has_bash() {
        return;
    }
    let bot = format!("sh -c 'x=\"it is $1\"; exec \"{JUDGE}\" bot' \"a  b\" '$HOME' \"it's\"");
    let bot = &format!("a={bot}");
    let runs: [Run<'_>; 3] = [
        ("arena", "--family nim --max-n 20 --pairs 6", &["--bot", bot, "--bot", "greedy"]),
        (
            "stress",
            "--family nim --max-n 20 --games 9 --keep-going",
            &["--", "sh", "-c", &format!("exec {JUDGE} bot"), "-j4"],
        ),
        ("sweep subtract", "--max 3", &[]),
    ];
    for (command, options, words) in runs {
        let dir = TestDir::new();
        let whole = dir.file("whole.jsonl");
        printed(
            &with_options(&format!("{command} {options} --checkpoint {whole}"), words).output().unwrap(),
            0,
        );
        for scheduler in SCHEDULERS {
            write_script(&dir, scheduler, (command, options, words), 3, 2);
            if scheduler == "parallel" {
                // This replacement for GNU parallel starts the tasks one after the other.
                executable(
                    &dir,
                    "parallel",
                    "#!/bin/bash\nfor task; do shift; [ $task != ::: ] || break; done\nfor i; do task $i || exit; done\n",
                );
                printed(&script(&dir, &[]).output().unwrap(), 0);
            }
            for task in ["1", "2", "3"] {
                let variable = if scheduler == "hq" { "HQ_TASK_ID" } else { "SLURM_ARRAY_TASK_ID" };
                let output = script(&dir, &[(variable, task)]).output().unwrap();
                assert_eq!(output.status.code(), Some(0), "{scheduler}: {}", text(&output.stderr));
            }
            let files = [1, 2, 3].map(|task| dir.file(&format!("results/{task}.jsonl"))).join(" ");
            let merged = dir.file("merged.jsonl");
            let summary = printed(&run(&format!("merge {files} -o {merged}")), 0);
            assert!(summary.ends_with(", from 3 files, 0 duplicates\n"), "{scheduler}: {summary}");
            // The results are the same: `judge merge` refuses different results.
            printed(&run(&format!("merge {merged} {whole}")), 0);
            fs::remove_dir_all(dir.file("results")).unwrap();
        }
    }
}

/// Checks that a signal to the script ends the judge. Slurm's signal before the time limit also requeues the task.
#[test]
fn a_task_that_has_to_end() {
    if !has_bash() {
        return;
    }
    for (scheduler, signal, requeued) in
        [("slurm", Signal::USR1, "requeue 7_2\n"), ("slurm", Signal::TERM, ""), ("hq", Signal::TERM, "")]
    {
        let dir = TestDir::new();
        let (here, count) = (dir.fifo("here"), dir.write("count", "0"));
        // The bot reports its fifth game and waits in that game. The first two games are the check of the seats, so
        // the run has recorded two games.
        let bot = format!(
            "waits=sh -c 'c=$(($(cat {count}) + 1)); echo $c > {count}; \
             if [ $c = 5 ]; then echo here > {here}; exec sleep 60; fi; exec {JUDGE} bot'"
        );
        let run: Run<'_> =
            ("arena", "--max-n 20 --pairs 6 --time-limit 60", &["--bot", &bot, "--bot", "slow"]);
        write_script(&dir, scheduler, run, 2, 1);
        let requests = dir.write("requests", "");
        executable(&dir, "scontrol", &format!("#!/bin/sh\necho \"$@\" >> {requests}\n"));
        let variables = if scheduler == "hq" {
            vec![("HQ_TASK_ID", "2")]
        } else {
            vec![("SLURM_ARRAY_TASK_ID", "2"), ("SLURM_ARRAY_JOB_ID", "7")]
        };
        let task = start(&mut script(&dir, &variables));
        assert_eq!(fs::read_to_string(&here).unwrap(), "here\n");
        send(signal, task.id());
        let output = task.wait_with_output().unwrap();
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(75), ""), "{scheduler} {signal:?}");
        assert!(text(&output.stderr).contains("interrupted after 2 of 6 games"), "{}", text(&output.stderr));
        assert_eq!(dir.read("requests"), requeued, "{scheduler} {signal:?}");
        // Running the same task again continues the run.
        printed(&script(&dir, &variables).output().unwrap(), 0);
        assert_eq!(dir.read("results/2.jsonl").lines().count(), 6);
        assert_eq!(dir.read("count").trim(), "11");
    }
}
