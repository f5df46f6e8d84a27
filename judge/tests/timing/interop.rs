//! `judge interact`, with a bot that another program runs. Here that program is the test, which creates the pipes
//! between the judge and the bot.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::fd::{AsFd, AsRawFd};
use std::process::{Child, Command, Output, Stdio};

use rustix::process::Signal;

use crate::support::{JUDGE, Printed, TestDir, blocks, command, judge, send, start_talking};

/// A bot that wins 6 1 2 against `slow`.
const WINNING: &str = "read h; echo First; echo 3 2; read x; echo 5 1; read x; echo 6 1; read x";

/// Returns a directory with an input, and the arguments of the style kattis.
fn with_input() -> (TestDir, String) {
    let here = TestDir::new();
    here.write("1.in", "6 1 2\n");
    let kattis = format!("--style kattis --opponent slow {0}/1.in {0}/1.ans {0}", here.path().display());
    (here, kattis)
}

/// Starts a bot that is a shell script, with both pipes open.
fn shell(script: &str) -> Child {
    let mut bot = Command::new("sh");
    bot.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
}

/// Returns the command of the judge, connected to a bot by pipes.
fn between(args: &str, bot: &mut Child) -> Command {
    let mut judge = command(&format!("interact {args}"), &[]);
    judge.stdin(bot.stdout.take().unwrap()).stdout(bot.stdin.take().unwrap()).stderr(Stdio::piped());
    judge
}

/// Runs the judge with a bot. The bot ends only if the pipes close when the judge ends, so the test must not keep the
/// judge's ends of the pipes open.
fn interact(args: &str, script: &str) -> Output {
    let mut bot = shell(script);
    let child = between(args, &mut bot).spawn().unwrap();
    let output = child.wait_with_output().unwrap();
    // Some bots would continue to sleep.
    let _ = bot.kill();
    bot.wait().unwrap();
    output
}

/// Checks that the judge ends if its runner keeps the pipes open, as `oj test-reactive` and `interactive_runner.py` do.
#[test]
fn a_runner_that_never_delivers_the_end() {
    for args in ["6 1 2", "6 1 2 --profile strict --grace 0.3"] {
        let (stdin, held) = std::io::pipe().unwrap();
        let mut bot = Command::new("sh");
        bot.args(["-c", WINNING]).stdin(Stdio::piped()).stdout(held.try_clone().unwrap());
        let mut bot = bot.spawn().unwrap();
        let mut judge = command(&format!("interact {args} --opponent slow"), &[]);
        judge.stdin(stdin).stdout(bot.stdin.take().unwrap()).stderr(Stdio::piped());
        judge.spawn().unwrap().wait_with_output().unwrap().exits(0);
        // The variable `judge` holds the bot's stdin open.
        drop(judge);
        bot.wait().unwrap();
        drop(held);
    }
}

/// Checks that a header that fills the pipe does not block a judge whose bot never reads, and that the idle limit
/// applies to a piped bot.
#[test]
fn a_piped_bot_that_never_reads() {
    let directory = TestDir::new();
    let input = directory.write("large.in", vec!["1 1 1"; 30_000].join(" + "));
    let large = format!("--input {input} --wall-limit 0.3");
    let long = format!("--input {input} --wall-limit 1");
    let unread = "no First or Second was received: the bot took longer than 0.3 s of wall time";
    // This bot receives the whole header.
    let reads = "head -n 1 >/dev/null; echo Second; exec cat 3>&1 >/dev/null";
    let waits = "read h; echo First; exec sleep 100";
    for (args, script, words) in [
        (&*large, "exec sleep 100", unread),
        (&long, reads, "move 2 was not received"),
        ("6 1 2 --idle-limit 0.2", waits, "why: it was idle for 0.2 s"),
    ] {
        interact(args, script).exits(1).complains(words);
    }
}

/// Checks that a judge ended by its runner gives no verdict on the bot.
#[test]
fn a_judge_ended_by_its_runner() {
    let (_directory, kattis) = with_input();
    let mut judge = start_talking(&mut command(&format!("interact {kattis}"), &[]));
    let mut printed = BufReader::new(judge.stdout.take().unwrap()).lines();
    assert_eq!(printed.next().unwrap().unwrap(), "6 1 2");
    send(Signal::TERM, judge.id());
    let stdin = judge.stdin.take();
    judge.wait_with_output().unwrap().exits(2).complains("INTERRUPTED 6 1 2");
    drop(stdin);
}

/// Checks the judge if the other end of one of its three streams is closed, or a transcript cannot be written.
#[test]
fn closed_streams() {
    interact("6 1 2", "exec 0<&-").exits(1).complains("EXITED_EARLY");
    interact("6 1 2 --wall-limit 0.2", "exec 0<&-; exec 1>&-; exec sleep 100").exits(1);
    let (_directory, kattis) = with_input();
    interact(&format!("{kattis} --transcript /dev/full"), WINNING).exits(2);
    // If nobody reads stderr, the verdict does not change.
    let mut bot = shell(WINNING);
    let mut judge = between("6 1 2 --opponent slow", &mut bot).spawn().unwrap();
    drop(judge.stderr.take());
    assert_eq!(judge.wait().unwrap().code(), Some(0));
    bot.wait().unwrap();
    let nothing = command("interact 6 1 2", &[]).stdin(Stdio::null()).output().unwrap();
    assert_eq!((nothing.code(), nothing.out()), (Some(1), "6 1 2\n-1 -1\n"));
}

/// Checks that the judge keeps its streams blocking, because it shares them with the program that started it.
#[cfg(target_os = "linux")]
#[test]
fn shared_streams_stay_blocking() {
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

/// Checks the exit codes (plain, kattis, testlib) and the files of each style, and that the replay of the transcript gives the same verdict.
#[test]
fn every_style_has_its_exit_codes() {
    let (directory, _) = with_input();
    let at = directory.path().display();
    let transcript = directory.file("game.jsonl");
    let args = [
        format!("6 1 2 --transcript {transcript}"),
        format!("--style kattis {at}/1.in {at}/none.ans {at}/"),
        format!("--style testlib {at}/1.in {at}/out {at}/ans {at}/report"),
    ];
    for (script, codes, verdict) in [
        (WINNING, [0, 42, 0], "WON"),
        ("read h; echo First; echo 3 3; cat", [1, 43, 1], "ILLEGAL"),
        ("read h; echo first; cat", [1, 43, 2], "MALFORMED"),
        ("read h; head -c 100000 /dev/zero; cat", [1, 43, 1], "OUTPUT_LIMIT"),
    ] {
        for (args, code) in args.iter().zip(codes) {
            interact(&format!("{args} --opponent slow"), script)
                .exits(code)
                .complains(&format!("{verdict} 6 1 2"));
        }
        judge(&format!("replay {transcript}"), &[]).exits(0).says("").begins(verdict);
        let read = |name: &str| directory.read(name);
        assert!(read("out").starts_with(&format!("{verdict}\n")), "{script}");
        let word = ["ok ", "wrong answer ", "wrong output format "][usize::try_from(codes[2]).unwrap()];
        assert!(read("report").starts_with(word), "{script}: {}", read("report"));
    }
}

#[test]
fn the_feedback_tells_the_game() {
    let (directory, kattis) = with_input();
    let output = interact(&kattis, "read h; echo First; echo 3 2; read x; echo 3 1; cat");
    let judges = directory.read("judgemessage.txt");
    assert!(judges.starts_with(output.err()), "stderr and the judges read the same");
    for part in [
        "review: with perfect play First wins; the bot was First\n",
        "again: judge run 6 1 2 --opponent slow --seed 1 --time-limit 60 --wall-limit 60 --grace 10 -- YOUR_BOT\n",
        "ILLEGAL\nFirst\n3 2\n1 1\n",
    ] {
        assert!(judges.contains(part), "no {part:?} in {judges}");
    }
    let rule = "taking 1 at place 3 is not legal: the card at that place is already taken\n";
    assert_eq!(directory.read("teammessage.txt"), format!("ILLEGAL: move 3: {rule}"));
}

/// Checks which styles and profiles judge output after the game: by default `kattis` does, the plain style does not.
#[test]
fn output_after_the_end() {
    let (_directory, kattis) = with_input();
    let (contest, short) = (format!("{kattis} --profile contest"), format!("{kattis} --grace 0.5"));
    let strict = "6 1 2 --opponent slow --profile strict --grace 10";
    for (args, trailing, code, words) in [
        (&*kattis, "echo more", 43, "but the bot wrote \"more\\n\" that nobody read\n"),
        (&contest, "echo more", 42, ""),
        ("6 1 2 --opponent slow", "echo more", 0, ""),
        (strict, "echo more", 1, ""),
        // The judge does not wait after the bot has ended.
        (strict, "exit", 0, ""),
        (&short, "printf x", 43, ""),
        (&short, "yes", 43, ""),
    ] {
        interact(args, &format!("{WINNING}; {trailing}")).exits(code).complains(words);
    }
}

#[test]
fn the_commands_of_the_docs_work() {
    let blocks = blocks("docs/commands.md", "sh");
    let block = blocks.iter().find(|block| block.contains("judge interact ")).unwrap();
    let (directory, _) = with_input();
    directory.directory("feedback");
    directory.write("1.ans", "");
    let codes = block.lines().map(|line| {
        let command = line.split('#').next().unwrap().trim();
        // Run the judge command that oj would run.
        let of_oj = command.strip_prefix("oj test-reactive -c ./bot ");
        let command = of_oj.map_or(command, |quoted| quoted.trim_matches('\''));
        let script = format!(
            "judge() {{ {JUDGE} \"$@\"; }}; rm -f pipe; mkfifo pipe; judge bot < pipe | {command} > pipe"
        );
        Command::new("sh").args(["-c", &script]).current_dir(directory.path()).output().unwrap().code()
    });
    assert_eq!(codes.collect::<Vec<_>>(), [0, 42, 0].map(Some));
    assert!(directory.path().join("feedback/judgemessage.txt").exists());
}
