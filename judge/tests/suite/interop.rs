//! The judge in other people's harnesses: here the harness is the test, and the pipes between judge and bot
//! are its own.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::fd::{AsFd, AsRawFd};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use crate::judge::{child_of, command, judge, reading, text};

/// Wins 6 1 2 against `slow`.
const WINNING: &str = "read h; echo First; echo 3 2; read x; echo 5 1; read x; echo 6 1; read x";

/// Bots and what each style makes of them in 6 1 2 against `slow`: plain, kattis, testlib.
const BOTS: [(&str, [i32; 3], &str); 10] = [
    (WINNING, [0, 42, 0], "WON"),
    ("read h; echo First; echo 3 3; cat", [1, 43, 1], "ILLEGAL"),
    ("read h; echo First; echo three; cat", [1, 43, 2], "MALFORMED"),
    ("read h; echo first; cat", [1, 43, 2], "MALFORMED"),
    ("read h; echo First; echo 0 0; cat", [1, 43, 1], "RESIGNED"),
    ("read h; echo First; echo 3 2; exit 3", [1, 43, 2], "EXITED_EARLY"),
    ("exit 0", [1, 43, 2], "EXITED_EARLY"),
    ("read h; echo First; exec cat 3>&1 >/dev/null", [1, 43, 1], "TIME_WALL"),
    ("read h; head -c 100000 /dev/zero; cat", [1, 43, 1], "OUTPUT_LIMIT"),
    (
        "read h; echo First; echo 1 1; read x; echo 3 1; read x; echo 5 1; read x; echo 0 0; cat",
        [1, 43, 1],
        "LOST",
    ),
];

/// An empty directory of its own for each test.
fn scratch(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("interop").join(name);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("1.in"), "6 1 2\n").unwrap();
    directory
}

/// A bot that is a line of shell, with both pipes open.
fn shell(script: &str) -> Child {
    let mut bot = Command::new("sh");
    bot.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
}

/// The judge at the other ends of a bot's pipes.
fn between(args: &str, bot: &mut Child) -> Command {
    let mut judge = command(&format!("interact {args}"), &[]);
    judge.stdin(bot.stdout.take().unwrap()).stdout(bot.stdin.take().unwrap()).stderr(Stdio::piped());
    judge
}

/// What becomes of the judge. Its ends of the pipes are closed with it, so the bot ends too: the test must
/// hold none.
#[track_caller]
fn interact(args: &str, script: &str) -> (Option<i32>, String) {
    let mut bot = shell(script);
    let child = between(args, &mut bot).spawn().unwrap();
    let output = child.wait_with_output().unwrap();
    // Some would sleep on.
    let _ = bot.kill();
    bot.wait().unwrap();
    (output.status.code(), text(&output.stderr).to_owned())
}

#[test]
fn every_style_has_its_exit_codes() {
    let directory = scratch("styles");
    let at = directory.display();
    let args = [
        "6 1 2".to_owned(),
        format!("--style kattis {at}/1.in {at}/none.ans {at}/"),
        format!("--style testlib {at}/1.in {at}/out {at}/ans {at}/report"),
    ];
    for (script, codes, verdict) in BOTS {
        for (args, code) in args.iter().zip(codes) {
            let (exit, said) = interact(&format!("{args} --opponent slow --wall-limit 0.5"), script);
            assert_eq!(exit, Some(code), "{args}: {script}: {said}");
            assert!(said.starts_with(&format!("{verdict} 6 1 2")), "{args}: {script}: {said}");
        }
        let read = |name: &str| fs::read_to_string(directory.join(name)).unwrap();
        assert!(read("judgemessage.txt").starts_with(&format!("{verdict} 6 1 2")), "{script}");
        assert!(read("teammessage.txt").starts_with(&format!("{verdict}: ")), "{script}");
        assert!(read("out").starts_with(&format!("{verdict}\n")), "{script}");
        let word = ["ok ", "wrong answer ", "wrong output format "][usize::try_from(codes[2]).unwrap()];
        assert!(read("report").starts_with(word), "{script}: {}", read("report"));
    }
}

#[test]
fn the_feedback_tells_the_game() {
    let directory = scratch("feedback");
    let at = directory.display();
    let (_, said) = interact(
        &format!("--style kattis --opponent slow {at}/1.in {at}/1.ans {at}"),
        "read h; echo First; echo 3 2; read x; echo 3 1; cat",
    );
    let judges = fs::read_to_string(directory.join("judgemessage.txt")).unwrap();
    assert!(judges.starts_with(&said), "stderr and the judges read the same");
    for part in [
        "review: with perfect play First wins; the bot was First\n",
        "again: judge run 6 1 2 --opponent slow --seed 1 --time-limit 60 --grace 10 --profile strict -- YOUR_BOT\n",
        "ILLEGAL\nFirst\n3 2\n1 1\n",
    ] {
        assert!(judges.contains(part), "no {part:?} in {judges}");
    }
    assert_eq!(
        fs::read_to_string(directory.join("teammessage.txt")).unwrap(),
        "ILLEGAL: move 3: taking 1 at place 3 is not legal: the card there has been taken already\n"
    );
}

/// A judge that was stopped when the line came cannot tell when that was.
#[test]
fn a_judge_that_was_stopped() {
    let mut judge = command("interact 6 1 2 --opponent slow --wall-limit 0.5", &[]);
    let mut judge =
        judge.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Its supervisor goes on: it hands on no signal that nobody can catch.
    let referee = child_of(judge.id()).unwrap_or(judge.id()).to_string();
    let signal = |name: &str| {
        assert!(Command::new("kill").args([name, &referee]).status().unwrap().success());
    };
    let (mut stdin, mut header) = (judge.stdin.take().unwrap(), String::new());
    BufReader::new(judge.stdout.take().unwrap()).read_line(&mut header).unwrap();
    signal("-STOP");
    // The time that passes here is what is judged.
    stdin.write_all(b"First\n3 2\n5 1\n6 1\n").unwrap();
    std::thread::sleep(std::time::Duration::from_millis(700));
    signal("-CONT");
    let output = judge.wait_with_output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.starts_with("JUDGE_ERROR 6 1 2 against slow") && said.contains("the judge itself did not run"),
        "{said}"
    );
}

/// A validator of Kattis answers for all that comes until the end; for the others the game is over when it
/// is.
#[test]
fn output_after_the_end() {
    let directory = scratch("trailing");
    let at = directory.display();
    let kattis = format!("--style kattis --opponent slow {at}/1.in {at}/1.ans {at}");
    let trailing = format!("{WINNING}; sleep 0.2; echo more");
    let (exit, said) = interact(&kattis, &trailing);
    assert_eq!(exit, Some(43));
    assert!(said.contains("but the bot printed \"more\\n\" after the end\n"), "{said}");
    assert_eq!(interact(&format!("{kattis} --profile contest"), &trailing).0, Some(42));
    assert_eq!(interact("6 1 2 --opponent slow", &trailing).0, Some(0));
    let strict = "6 1 2 --opponent slow --profile strict --grace 10";
    assert_eq!(interact(strict, &trailing).0, Some(1));
    assert_eq!(interact(strict, WINNING).0, Some(0), "and its end is not waited for longer than it takes");
    // Without a line end, and a flood.
    for trailing in ["printf x", "yes"] {
        let (exit, said) = interact(&format!("{kattis} --grace 0.5"), &format!("{WINNING}; {trailing}"));
        assert_eq!(exit, Some(43), "{trailing}: {said}");
    }
}

/// `oj test-reactive` and `interactive_runner.py` hold the pipes open themselves.
#[test]
fn a_runner_that_never_delivers_the_end() {
    for (args, code) in [("6 1 2", 0), ("6 1 2 --profile strict --grace 0.3", 0)] {
        let (stdin, held) = std::io::pipe().unwrap();
        let mut bot = Command::new("sh");
        bot.args(["-c", WINNING]).stdin(Stdio::piped()).stdout(held.try_clone().unwrap());
        let mut bot = bot.spawn().unwrap();
        let mut judge = command(&format!("interact {args} --opponent slow"), &[]);
        judge.stdin(stdin).stdout(bot.stdin.take().unwrap()).stderr(Stdio::piped());
        let output = judge.spawn().unwrap().wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{args}: {}", text(&output.stderr));
        // It holds the bot's stdin.
        drop(judge);
        bot.wait().unwrap();
        drop(held);
    }
}

/// Whatever is missing is the harness's fault, never the bot's, and the bot is told nothing.
#[test]
fn a_harness_with_a_fault() {
    let directory = scratch("faults");
    let at = directory.display();
    fs::write(directory.join("two.in"), "6 1 2\n6 1 2\n").unwrap();
    fs::write(directory.join("bad.in"), "6 2 1\n").unwrap();
    for (args, code, said) in [
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
        assert!(text(&output.stderr).contains(said), "{args}: {}", text(&output.stderr));
        assert!(bot.wait().unwrap().success(), "{args}: the bot was told something");
    }
}

/// Nobody at the other end, on any of the three streams.
#[test]
fn closed_streams() {
    let (exit, said) = interact("6 1 2", "exec 0<&-; exec sleep 0.2");
    assert_eq!(exit, Some(1), "{said}");
    assert!(said.starts_with("EXITED_EARLY"), "{said}");
    let (exit, said) = interact("6 1 2 --wall-limit 0.2", "exec 0<&-; exec 1>&-; exec sleep 100");
    assert_eq!(exit, Some(1), "{said}");
    let directory = scratch("closed");
    let at = directory.display();
    let mut bot = shell(WINNING);
    let args = format!("--style kattis --opponent slow {at}/1.in a {at} --transcript /dev/full");
    let judge = between(&args, &mut bot).spawn().unwrap();
    let output = judge.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "a transcript that cannot be written");
    bot.wait().unwrap();
    // Nobody reads stderr: the verdict stands.
    let mut bot = shell(WINNING);
    let mut judge = between("6 1 2 --opponent slow", &mut bot).spawn().unwrap();
    drop(judge.stderr.take());
    assert_eq!(judge.wait().unwrap().code(), Some(0));
    bot.wait().unwrap();
    let nothing = command("interact 6 1 2", &[]).stdin(Stdio::null()).output().unwrap();
    assert_eq!((nothing.status.code(), text(&nothing.stdout)), (Some(1), "6 1 2\n-1 -1\n"));
}

/// A header that fills the pipe does not block a judge whose bot never reads.
#[test]
fn a_far_end_that_never_reads() {
    let directory = scratch("unread");
    let input = directory.join("large.in");
    fs::write(&input, vec!["1 1 1"; 30_000].join(" + ")).unwrap();
    let args = format!("--input {} --wall-limit 0.3", input.display());
    let (exit, said) = interact(&args, "exec sleep 100");
    assert_eq!(exit, Some(1));
    assert!(said.contains("no First or Second was received: the bot used up its 0.3 s of wall time; "));
    let reading = "head -n 1 >/dev/null; echo Second; exec cat 3>&1 >/dev/null";
    let (exit, said) = interact(&args, reading);
    assert_eq!(exit, Some(1));
    assert!(said.contains("move 2 was not received"), "the whole header came through");
}

/// Silence is told from the time for the whole game.
#[test]
fn the_idle_limit_of_a_far_end() {
    let (exit, said) = interact("6 1 2 --idle-limit 0.2", "read h; echo First; exec sleep 100");
    assert_eq!(exit, Some(1));
    assert!(said.contains("move 1 was not received: the bot was idle for 0.2 s"), "{said}");
}

/// The record of a far end is as good as that of a child: the same verdict from the file.
#[test]
fn a_far_end_in_a_transcript() {
    let directory = scratch("transcript");
    let file = directory.join("game.jsonl");
    for (script, _, verdict) in BOTS {
        let args = format!("6 1 2 --opponent slow --wall-limit 0.5 --transcript {}", file.display());
        interact(&args, script);
        let replay = judge(&format!("replay {}", file.display()), &[]);
        assert_eq!((replay.status.code(), text(&replay.stderr)), (Some(0), ""), "{script}");
        assert!(text(&replay.stdout).starts_with(verdict), "{script}");
    }
}

/// The mode of a stream is that of whoever started the judge, too.
#[test]
fn shared_streams_stay_blocking() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let [(stdin, held), (read, stdout)] = [std::io::pipe().unwrap(), std::io::pipe().unwrap()];
    let [kept_stdin, kept_stdout] =
        [stdin.as_fd(), stdout.as_fd()].map(|fd| fd.try_clone_to_owned().unwrap());
    let mut judge = command("interact 6 1 2", &[]).stdin(stdin).stdout(stdout).spawn().unwrap();
    assert_eq!(BufReader::new(read).lines().next().unwrap().unwrap(), "6 1 2");
    for kept in [kept_stdin, kept_stdout] {
        let info = fs::read_to_string(format!("/proc/self/fdinfo/{}", kept.as_raw_fd())).unwrap();
        let flags = info.lines().find_map(|line| line.strip_prefix("flags:")).unwrap().trim();
        assert_eq!(u32::from_str_radix(flags, 8).unwrap() & 0o4000, 0, "O_NONBLOCK in {flags}");
    }
    drop(held);
    assert_eq!(judge.wait().unwrap().code(), Some(1));
}

/// All lines are there before they are due.
#[test]
fn a_file_as_stdin() {
    let moves = scratch("file").join("moves");
    fs::write(&moves, "First\n3 2\n5 1\n6 1\n").unwrap();
    let stdin = fs::File::open(&moves).unwrap();
    let output = command("interact 6 1 2 --opponent slow", &[]).stdin(stdin).output().unwrap();
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), "6 1 2\n1 1\n2 1\n0 0\n"));
}

/// A runner that ends the judge gets no verdict on the bot.
#[test]
fn a_judge_that_is_ended() {
    let directory = scratch("ended");
    let args = format!("interact --style kattis {0}/1.in a {0}", directory.display());
    let mut judge = command(&args, &[]);
    let mut judge =
        judge.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut told = BufReader::new(judge.stdout.take().unwrap()).lines();
    assert_eq!(told.next().unwrap().unwrap(), "6 1 2");
    Command::new("kill").args(["-TERM", &judge.id().to_string()]).status().unwrap();
    let stdin = judge.stdin.take();
    let output = judge.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(text(&output.stderr).starts_with("INTERRUPTED 6 1 2"), "{}", text(&output.stderr));
    drop(stdin);
}

/// `judge test` and `judge tester`, by the conventions of the testing tools.
fn tool(args: &[&str], input: &[u8]) -> Output {
    reading(Command::new(env!("CARGO_BIN_EXE_judge")).args(args), input)
}

#[test]
fn the_testing_tool() {
    let directory = scratch("tool");
    let input = directory.join("1.in");
    let input = input.to_str().unwrap();
    let judge = env!("CARGO_BIN_EXE_judge");
    let won = tool(&["test", "-f", input, judge, "bot"], b"");
    assert_eq!(won.status.code(), Some(0));
    assert!(text(&won.stdout).starts_with("WON 6 1 2 as First against perfect (seed 1)"));
    let lost =
        tool(&["test", "-f", input, "--opponent", "slow", "sh", "-c", "read h; echo First; echo 3 3"], b"");
    assert_eq!(lost.status.code(), Some(1), "{}", text(&lost.stdout));
    assert!(text(&lost.stdout).starts_with("ILLEGAL"));
    for (args, said) in [
        (vec!["test", "-f", "no/such", "true"], "the input no/such cannot be opened"),
        (vec!["test", "-f", input, "./no-such-bot"], "the bot ./no-such-bot could not be started"),
        (vec!["test", "-f", input], "<BOT>"),
    ] {
        let refused = tool(&args, b"");
        assert_eq!(refused.status.code(), Some(2), "{args:?}");
        assert!(text(&refused.stderr).contains(said), "{}", text(&refused.stderr));
    }
}

#[test]
fn the_tester() {
    let judge = env!("CARGO_BIN_EXE_judge");
    let won = tool(&["tester", "--opponent", "slow", judge, "bot"], b"6 1 2\n");
    assert_eq!((won.status.code(), text(&won.stdout)), (Some(0), "First\n3 2\n5 1\n6 1\n"));
    assert!(text(&won.stderr).ends_with("\nScore = 1\n"), "{}", text(&won.stderr));
    let crash = tool(&["tester", "sh", "-c", "read h; echo First; exit 3"], b"6 1 2\n");
    assert_eq!((crash.status.code(), text(&crash.stdout)), (Some(1), "First\n"));
    assert!(text(&crash.stderr).ends_with("\nScore = 0\n"), "{}", text(&crash.stderr));
    let refused = tool(&["tester", "true"], b"6 1\n");
    assert_eq!((refused.status.code(), text(&refused.stdout)), (Some(2), ""));
    assert!(text(&refused.stderr).starts_with("judge: the input: the header is malformed: expected"));
}

/// The commands by which docs/interop.md hosts the problem, with the bundled bot at the far end of those that need
/// one.
#[test]
fn what_the_docs_host_works() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/interop.md")).unwrap();
    let block = page.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    let directory = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("docs_host");
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(directory.join("feedback")).unwrap();
    for (name, text) in [("in.txt", "6 1 2\n"), ("1.in", "6 1 2\n"), ("1.ans", "")] {
        std::fs::write(directory.join(name), text).unwrap();
    }
    let judge = env!("CARGO_BIN_EXE_judge");
    let mut codes = Vec::new();
    for line in block.lines() {
        let command = line.split('#').next().unwrap().trim();
        // What oj would run is the judge that it is given.
        let command = command
            .strip_prefix("oj test-reactive -c ./bot ")
            .map_or(command, |quoted| quoted.trim_matches('\''));
        let wired = if command.starts_with("judge interact") {
            format!("rm -f pipe; mkfifo pipe; ./bot < pipe | {command} > pipe")
        } else {
            command.to_owned()
        };
        let script = format!(
            "judge() {{ {judge} \"$@\"; }}; printf '#!/bin/sh\\nexec {judge} bot\\n' > bot; chmod +x bot; {wired}"
        );
        let output =
            std::process::Command::new("sh").args(["-c", &script]).current_dir(&directory).output().unwrap();
        codes.push((command.to_owned(), output.status.code()));
    }
    let seen: Vec<_> = codes.iter().map(|(_, code)| code.unwrap()).collect();
    assert_eq!(seen, [0, 0, 42, 0, 0], "{codes:?}");
    assert!(
        directory.join("cards/problem.yaml").exists() && directory.join("feedback/judgemessage.txt").exists()
    );
    assert!(std::fs::read_to_string(directory.join("out.txt")).unwrap().starts_with("First\n"));
}
