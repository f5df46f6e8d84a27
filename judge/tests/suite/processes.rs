//! Processes and signals: bots that escape, hide or multiply, and judges that are killed or lack something.

use std::fs;
use std::os::unix::process::CommandExt;
use std::process::{self, Child, Command, Stdio};
use std::sync::OnceLock;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use crate::judge::{child_of, command, games, has_python, judge, text};
use crate::sandbox::{await_that, has_sandbox, is_running};
use crate::verdicts::heed_signals;

const JUDGE: &str = env!("CARGO_BIN_EXE_judge");

/// The bots of hostile.c; where there is no C compiler, what needs them is skipped with a message.
fn hostile() -> Option<&'static str> {
    static PROGRAM: OnceLock<Option<String>> = OnceLock::new();
    let program = PROGRAM.get_or_init(|| {
        let program = format!("{}/hostile-{}", env!("CARGO_TARGET_TMPDIR"), process::id());
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bots/hostile.c");
        let compiler = Command::new("cc").args(["-O1", "-pthread", "-o", &program, source]).status();
        compiler.ok().map(|status| {
            assert!(status.success(), "{source} does not compile");
            program
        })
    });
    if program.is_none() {
        eprintln!("SKIPPED: there is no C compiler, cc");
    }
    program.as_deref()
}

/// A word that tells the processes of one game from all others.
fn token(name: &str) -> String {
    format!("{name}-{}", process::id())
}

/// Whether a process of that game is there.
fn is_left(token: &str) -> bool {
    is_running(|arguments| arguments.last().is_some_and(|last| last == token))
}

/// Both ways to play, where there are both.
fn ways() -> impl Iterator<Item = &'static str> {
    ["", "--sandbox"].into_iter().filter(|way| way.is_empty() || has_sandbox())
}

fn pid(process: u32) -> Pid {
    Pid::from_raw(process.try_into().unwrap()).unwrap()
}

/// A thread that makes the judge its tracer does not hide how the bot ends.
#[test]
fn a_traced_thread() {
    let Some(hostile) = hostile() else { return };
    for way in ways() {
        let (games, _) = games(&format!("6 1 2 --opponent slow {way}"), &[hostile, "traced"]);
        let reason = "the opponent has no move left, but then the bot exited with code 7";
        assert_eq!((&games[0]["verdict"], &games[0]["reason"]), (&"CRASHED".into(), &reason.into()), "{way}");
    }
}

/// Orphans are reaped while the game is on.
#[test]
fn orphans_are_reaped() {
    let Some(hostile) = hostile() else { return };
    let output = judge("run 6 1 2 --time-limit 60", &[hostile, "zombies"]);
    let shown = text(&output.stdout);
    assert!(shown.contains("    stderr: zombies: 0\n"), "{shown}");
}

/// A bot that starts its successor and ends, in a new session each time or in one, is ended in time, and its
/// CPU time is counted.
#[test]
fn chains_of_processes_end_with_their_game() {
    let Some(hostile) = hostile() else { return };
    for way in ways() {
        for sessions in ["leave", "stay"] {
            let token = token(&format!("chains{way}-{sessions}"));
            let bot = [hostile, "chains", "4", "100000", sessions, &token];
            let (games, _) =
                games(&format!("6 1 2 --time-limit 30 --wall-limit 0.5 --processes 4096 {way}"), &bot);
            // The chains end by themselves where the judge gets no processor to reap them; then the bot is idle.
            let verdict = games[0]["verdict"].as_str();
            assert!(matches!(verdict, Some("TIME_WALL" | "IDLE")), "{}", games[0]);
            assert!(!is_left(&token), "{way} {sessions}");
        }
    }
}

/// What a bot wrote before it was killed is kept, however much the judge had not read by then.
#[test]
fn last_words() {
    if !has_python() {
        return;
    }
    let bot = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bots/last_words.py");
    for kib in ["100", "200", "240", "330"] {
        let output = judge("run 6 1 2 --time-limit 60", &["python3", bot, kib]);
        let shown = text(&output.stdout);
        assert!(shown.contains("    stderr: last words\n"), "{kib} KiB: {shown}");
    }
}

/// A line without end that comes far ahead of its turn stays in the pipe.
#[test]
fn an_endless_line() {
    if !has_python() {
        return;
    }
    let bot = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bots/endless_line.py");
    let transcript = format!("{}/endless-{}", env!("CARGO_TARGET_TMPDIR"), process::id());
    let options = format!("run 2000 1 1 --opponent slow --time-limit 60 --transcript {transcript}");
    let output = judge(&options, &["python3", bot]);
    let shown = text(&output.stdout);
    assert!(shown.contains("move 2001: a line of more than 4096 bytes"), "{shown}");
    let length = fs::metadata(&transcript).unwrap().len();
    assert!(length < 1 << 20, "the transcript has {length} bytes");
}

/// However often it is interrupted, a judge leaves nothing of such a bot.
#[test]
fn a_second_interrupt_ends_chains() {
    let Some(hostile) = hostile() else { return };
    for (round, sessions) in ["leave", "stay", "leave", "stay"].into_iter().enumerate() {
        let token = token(&format!("interrupted-{round}"));
        let bot = [hostile, "chains", "4", "100000", sessions, &token];
        let mut run = command("run 6 1 2 --time-limit 1000 --processes 4096", &bot);
        let mut judge = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        await_that(|| is_left(&token));
        while judge.try_wait().unwrap().is_none() {
            kill_process(pid(judge.id()), Signal::INT).unwrap();
        }
        assert!(!is_left(&token), "{round}");
    }
}

/// A bot of three processes: its first, which another thread has turned into another program; a child; and an
/// orphan in a session of its own.
struct Family {
    judge: Child,
    sleep: [String; 2],
}

impl Family {
    /// Starts it, with a number that tells its processes from all others.
    fn start(options: &str, number: u32) -> Option<Self> {
        let sleep = ["sleep".to_owned(), format!("1000.{}{number}", process::id())];
        let script = "(setsid sleep $1 &); sleep $1 & exec \"$0\" exec sleep $1";
        let mut run = command(
            &format!("run 6 1 2 --time-limit 1000 {options}"),
            &["sh", "-c", script, hostile()?, &sleep[1]],
        );
        let judge = run.stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0).spawn().unwrap();
        let family = Self { judge, sleep };
        await_that(|| family.count() == 3);
        Some(family)
    }

    fn count(&self) -> usize {
        let mut count = 0;
        is_running(|arguments| {
            count += usize::from(arguments == self.sleep);
            false
        });
        count
    }
}

/// Whichever of the judge's processes is killed, and be it with its whole group, nothing is left.
#[test]
fn a_killed_judge_leaves_nothing() {
    if hostile().is_none() {
        return;
    }
    for (round, way) in (1..).zip(ways()) {
        let targets = [(false, false), (false, true), (true, false), (true, true)];
        for (number, (is_proper, is_group)) in (10 * round..).zip(targets) {
            let mut family = Family::start(way, number).unwrap();
            let proper = child_of(family.judge.id()).unwrap();
            let target = pid(if is_proper { proper } else { family.judge.id() });
            let kill = if is_group { kill_process_group } else { kill_process };
            kill(target, Signal::KILL).unwrap();
            family.judge.wait().unwrap();
            await_that(|| family.count() == 0 && !fs::exists(format!("/proc/{proper}")).unwrap());
        }
    }
}

/// The end of the judge proper is told, with the exit code for what is not the bot's fault.
#[test]
fn a_judge_without_a_verdict() {
    let Some(family) = Family::start("", 1) else { return };
    kill_process(pid(child_of(family.judge.id()).unwrap()), Signal::ABORT).unwrap();
    let said = "judge: JUDGE_ERROR: the process that referees was killed by signal 6 (SIGABRT); \
                a game without a verdict was not judged, no process of its bot is left\n";
    let output = family.judge.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(2), said));
    let files = format!("{}/interacted-{}", env!("CARGO_TARGET_TMPDIR"), process::id());
    fs::write(&files, "6 1 2\n").unwrap();
    let mut interact = command(&format!("interact --style testlib {files} {files}.out"), &[]);
    let interact = interact.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let interact = interact.spawn().unwrap();
    kill_process(pid(child_of(interact.id()).unwrap()), Signal::ABORT).unwrap();
    let output = interact.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(3), said));
}

/// In a process namespace of its own, as containers have, the judge's session can be one from outside: number 0.
#[test]
fn a_session_from_outside() {
    let namespace = || {
        let mut namespace = Command::new("unshare");
        namespace.args(["--pid", "--fork", "--mount-proc"]);
        namespace
    };
    if !namespace().arg("true").status().is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: there can be no process namespace");
        return;
    }
    let bot = ["sh", "-c", "sleep 1000 & kill -ABRT $PPID; sleep 1000"];
    let output = namespace().args([JUDGE, "run", "6", "1", "2", "--"]).args(bot).output().unwrap();
    let said = "judge: JUDGE_ERROR: the process that referees was killed by signal 6 (SIGABRT); ";
    assert!(text(&output.stderr).starts_with(said), "{}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(2));
}

/// The state of a process: R, S, T and so on.
fn state(process: u32) -> char {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    stat.rsplit(") ").next().unwrap().chars().next().unwrap()
}

/// Ctrl-Z stops both processes of the judge, and whoever continues the job continues both.
#[test]
fn a_judge_is_a_job() {
    // The first child of the judge proper is the bot.
    let mut run = command(
        "run 6 1 2 --wall-limit 1000 --limits proc",
        &["sh", "-c", "read h; echo First; read x; exit 3"],
    );
    let judge = run.stdin(Stdio::null()).stdout(Stdio::piped()).process_group(0).spawn().unwrap();
    let proper = child_of(judge.id()).unwrap();
    child_of(proper);
    kill_process_group(pid(judge.id()), Signal::TSTP).unwrap();
    await_that(|| [judge.id(), proper].iter().all(|&process| state(process) == 'T'));
    kill_process_group(pid(judge.id()), Signal::CONT).unwrap();
    await_that(|| [judge.id(), proper].iter().all(|&process| state(process) != 'T'));
    kill_process(pid(judge.id()), Signal::TERM).unwrap();
    let output = judge.wait_with_output().unwrap();
    assert!(text(&output.stdout).starts_with("INTERRUPTED 6 1 2 "), "{}", text(&output.stdout));
}

/// Starts a program with every signal blocked, and those ignored that a verdict could depend on.
const HARDEN: &str = "
import os, signal, sys
for name in ('CHLD', 'USR1', 'ALRM', 'XFSZ', 'PIPE'):
    signal.signal(getattr(signal, 'SIG' + name), signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
os.execvp(sys.argv[1], sys.argv[1:])
";

/// What the caller of the judge has done to its signals changes neither a verdict nor how a bot starts.
#[test]
fn signals_of_the_caller() {
    if !has_python() {
        return;
    }
    // The thirty-second is the C library's own.
    let told = "exec sed -En 's/^(SigBlk|SigIgn):.*[08](.{7})$/\\1 \\2/p' /proc/self/status >&2";
    for way in ways() {
        let bots = [
            ("exit 7", "CRASHED", "the bot exited with code 7"),
            ("exit 0", "EXITED_EARLY", "the bot exited with code 0"),
            ("kill -ALRM $$", "CRASHED", "the bot was killed by signal 14"),
            (told, "EXITED_EARLY", "    stderr: SigBlk 0000000\n    stderr: SigIgn 0000000\n"),
        ];
        for (script, verdict, reason) in bots {
            let run = ["run", "6", "1", "2", "--", "sh", "-c", script];
            let mut run: Vec<&str> = run.to_vec();
            run.splice(4..4, way.split_whitespace());
            let output = Command::new("python3").args(["-c", HARDEN, JUDGE]).args(run).output().unwrap();
            let shown = text(&output.stdout);
            assert!(shown.starts_with(verdict) && shown.contains(reason), "{way} {script}: {shown}");
            assert_eq!(output.status.code(), Some(1), "{way} {script}");
        }
    }
    heed_signals();
    // A signal that is blocked ends the game none the less.
    let mut judge = Command::new("python3");
    let token = format!("1000.{}99", process::id());
    let run = ["run", "6", "1", "2", "--time-limit", "1000", "--", "sleep", &token];
    let judge = judge.args(["-c", HARDEN, JUDGE]).args(run).stdout(Stdio::piped()).spawn().unwrap();
    await_that(|| is_running(|arguments| arguments == ["sleep", &*token]));
    kill_process(pid(judge.id()), Signal::INT).unwrap();
    let output = judge.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stdout).starts_with("INTERRUPTED ")), (Some(2), true));
}

/// Where no process or thread can be had, that is said, and told by the exit code for what is not the bot's
/// fault; the more there may be, the farther the judge comes.
#[test]
fn no_process_and_no_thread() {
    // The first user is the system's own, of whose processes none is counted; this is one that nobody is.
    if !rustix::process::getuid().is_root() {
        eprintln!("SKIPPED: only root can have a user of its own whose processes are counted");
        return;
    }
    let user = (1_900_000_000 + process::id()).to_string();
    let input = format!("{}/threads-{}", env!("CARGO_TARGET_TMPDIR"), process::id());
    fs::write(&input, "6 1 2\n").unwrap();
    let testlib = format!("interact --style testlib {input} /dev/null");
    for (args, code) in [
        ("run 6 1 2", 2),
        ("run 6 1 2 --sandbox", 2),
        ("stress --games 3 --jobs 2", 2),
        ("lint", 2),
        ("selftest no-newline", 2),
        (&*testlib, 3),
    ] {
        let bot: &[&str] = if args.starts_with("lint") { &[JUDGE, "bot"] } else { &[] };
        let mut refused = 0;
        for limit in 1..=12 {
            let limit = format!("--nproc={limit}");
            let mut limited = Command::new("prlimit");
            limited.args([&limit, "setpriv", "--reuid", &user, JUDGE]).args(command(args, bot).get_args());
            let output = limited.stdin(Stdio::null()).current_dir("/").output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(!said.contains("panicked"), "{args}, {limit}: {said}");
            if said.starts_with("judge: ") {
                refused += 1;
                assert_eq!(output.status.code(), Some(code), "{args}, {limit}: {said}");
            }
        }
        assert!(refused > 0, "{args}");
    }
}

/// A judge that runs out of memory while it plays says so, and ends its bot.
#[test]
fn no_memory() {
    let token = token("memory");
    let [started, go] =
        ["started", "go"].map(|name| format!("{}/{name}-{}", env!("CARGO_TARGET_TMPDIR"), process::id()));
    // Moves far ahead of their turn, of 4000 bytes each: of some thousand the judge takes note.
    let script = "read h; : >$0; until [ -e $1 ]; do sleep 0.02; done; echo First; \
                  seq 2000 -1 1 | sed \"s/^/$(printf %04000d 0)/; s/$/ 1/\"; read x $2";
    let bot = ["sh", "-c", script, &started, &go, &token];
    let mut run = command("run 2000 1 1 --opponent slow --time-limit 60", &bot);
    let judge = run.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    await_that(|| fs::exists(&started).unwrap());
    // From here on it can have no more than a MiB.
    let proper = child_of(judge.id()).unwrap();
    let status = fs::read_to_string(format!("/proc/{proper}/status")).unwrap();
    let held = status.lines().find_map(|line| line.strip_prefix("VmSize:")?.trim().strip_suffix(" kB"));
    let limit = format!("--as={}", (held.unwrap().parse::<u64>().unwrap() + 1024) << 10);
    let limited = Command::new("prlimit").args(["--pid", &proper.to_string(), &limit]).status().unwrap();
    assert!(limited.success());
    fs::write(&go, "").unwrap();
    let output = judge.wait_with_output().unwrap();
    let said = text(&output.stderr);
    assert!(said.starts_with("memory allocation of "), "{said}");
    let ended = "\njudge: JUDGE_ERROR: the process that referees was killed by signal 6 (SIGABRT); ";
    assert!(said.contains(ended), "{said}");
    assert_eq!(output.status.code(), Some(2));
    assert!(!is_left(&token));
}
