//! `--sandbox`: what a bot is kept from, and that it can still play.

use std::io::{BufRead, BufReader};
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::chown;
use std::os::unix::net::UnixListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use std::{fs, process};

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};

use crate::judge::{assert_all_won, command, games, has_python, judge, text};

/// Whether this kernel has all the guards; where it has not, the tests are skipped aloud.
pub fn has_sandbox() -> bool {
    let trial = judge("launch", &[]);
    if !trial.status.success() {
        eprintln!("SKIPPED: {}", text(&trial.stderr).trim_end());
    }
    trial.status.success()
}

/// A folder of a test's own.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("zeroxor-{name}-{}", process::id()));
        fs::create_dir(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_bot_plays_and_wins_inside() {
    if !has_sandbox() {
        return;
    }
    assert_all_won("20 3 5 --sandbox --games 3", &[], 3);
    assert_all_won("2000 1 1 --sandbox --opponent random", &[env!("CARGO_BIN_EXE_judge"), "bot"], 1);
    let script = "read h; echo First; echo 3 2; read x; echo 5 1 >/dev/null; echo 5 1; read x; echo 6 1";
    assert_all_won("6 1 2 --sandbox --opponent slow", &["sh", "-c", script], 1);
    if has_python() {
        assert_all_won("20 3 3 --sandbox", &["python3", "tests/bots/definition.py"], 1);
    }
}

/// Makes the attempts of a bot, and tells on one line what worked.
const TELL: &str = "
worked = []
for name, attempt in attempts.items():
    try:
        attempt()
        worked.append(name)
    except OSError:
        pass
print('worked:', *worked, file=sys.stderr)
sys.exit(7)
";

/// What a bot may try alone.
const ATTEMPTS: &str = "
import os, socket, sys
folder, tcp, udp = sys.argv[1:]
own = folder + '/own'
def local(kind):
    return socket.socket(socket.AF_UNIX, kind)
attempts = {
    'read': lambda: open(own).read(),
    'null': lambda: open('/dev/null', 'w').write('x'),
    'stderr': lambda: open('/dev/stderr', 'w').write(''),
    'pair': lambda: socket.socketpair(),
    'here': lambda: open('here', 'w'),
    'there': lambda: open(folder + '/there', 'w'),
    'append': lambda: open(own, 'a').write('x'),
    'truncate': lambda: os.truncate(own, 1),
    'mode': lambda: os.chmod(own, 0o755),
    'times': lambda: os.utime(own),
    'folder': lambda: os.mkdir(folder + '/sub'),
    'link': lambda: os.symlink(own, folder + '/link'),
    'twin': lambda: os.link(own, folder + '/twin'),
    'fifo': lambda: os.mkfifo(folder + '/fifo'),
    'rename': lambda: os.rename(own, folder + '/other'),
    'delete': lambda: os.unlink(folder + '/other'),
    'tcp': lambda: socket.create_connection(('127.0.0.1', int(tcp))),
    'udp': lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', int(udp))),
    'unix': lambda: local(socket.SOCK_STREAM).connect(folder + '/socket'),
    'datagrams': lambda: socket.socketpair(type=socket.SOCK_DGRAM),
}
";

/// Plays against the bot that tries everything.
fn attempt(options: &str) -> (Output, Folder) {
    let folder = Folder::new(&format!("attempts{options}"));
    let path = folder.0.to_str().unwrap();
    fs::write(folder.0.join("own"), "mine").unwrap();
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
    let _unix = UnixListener::bind(folder.0.join("socket")).unwrap();
    let [tcp, udp] = [tcp.local_addr(), udp.local_addr()].map(|address| address.unwrap().port().to_string());
    let bot = ["python3", "-c", &[ATTEMPTS, TELL].concat(), path, &tcp, &udp];
    let output = command(&format!("run 6 1 2 {options}"), &bot).current_dir(&folder.0).output().unwrap();
    (output, folder)
}

#[test]
fn neither_files_nor_the_network() {
    if !has_python() {
        return;
    }
    // All of it works where nothing forbids it: the attempts are real ones.
    let (free, _) = attempt("");
    let all = "    stderr: worked: read null stderr pair here there append truncate mode times folder link \
               twin fifo rename delete tcp udp unix datagrams\n";
    assert!(text(&free.stdout).contains(all), "{}", text(&free.stdout));
    if !has_sandbox() {
        return;
    }
    let (shut, folder) = attempt("--sandbox");
    let shown = text(&shut.stdout);
    assert!(shown.contains("    stderr: worked: read null stderr pair\n"), "{shown}");
    assert!(
        shown.contains("again: judge run 6 1 2 --opponent perfect --seed 1 --sandbox -- python3"),
        "{shown}"
    );
    let mut left: Vec<_> = fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["own", "socket"]);
    assert_eq!(fs::read(folder.0.join("own")).unwrap(), b"mine");
}

/// Makes a shared memory, a semaphore and a queue that all may use, tells their numbers, and removes them
/// when its input ends.
const MAKER: &str = "
import ctypes, sys
system = ctypes.CDLL(None)
memory, semaphore, queue = made = system.shmget(0, 4096, 0o666), system.semget(0, 1, 0o666), system.msgget(0, 0o666)
print(*made, flush=True)
sys.stdin.read()
system.shmctl(memory, 0, None)
system.semctl(semaphore, 0, 0)
system.msgctl(queue, 0, None)
";

/// Lays hands on what other programs have made or wait for, and on a thread that it names, which is its own;
/// tells on one line what worked.
const HANDS: &str = "
import ctypes, fcntl, os, sys
memory, semaphore, queue = map(int, sys.argv[1].split())
numbers = dict(pair.split('=') for pair in sys.argv[2].split())
file = open(sys.argv[3])
system = ctypes.CDLL(None, use_errno=True)
system.syscall.restype = ctypes.c_long
me, one = os.getpid(), os.PRIO_PROCESS
space = ctypes.create_string_buffer(512)
message = ctypes.create_string_buffer(b'\\1' + bytes(8))
up = ctypes.create_string_buffer(b'\\0\\0\\1\\0\\0\\0')
keep = ctypes.create_string_buffer(b'\\x30' + bytes(7) + b'\\x18' + bytes(39), 48)
def call(name, *arguments):
    whole = (ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments)
    if system.syscall(ctypes.c_long(int(numbers[name])), *whole) == -1:
        raise OSError(ctypes.get_errno(), name)
attempts = {
    'nice': lambda: os.setpriority(one, 0, os.getpriority(one, 0)),
    'pin': lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)),
    'flags': lambda: fcntl.fcntl(file, fcntl.F_SETFD, fcntl.FD_CLOEXEC),
    'shmat': lambda: call('shmat', memory, 0, 0),
    'shmctl': lambda: call('shmctl', memory, 2, space),
    'semop': lambda: call('semop', semaphore, up, 1),
    'semtimedop': lambda: call('semtimedop', semaphore, up, 1, 0),
    'semctl': lambda: call('semctl', semaphore, 0, 12, 0),
    'msgsnd': lambda: call('msgsnd', queue, message, 1, 0o4000),
    'msgrcv': lambda: call('msgrcv', queue, message, 1, 0, 0o4000),
    'msgctl': lambda: call('msgctl', queue, 2, space),
    'priority': lambda: os.setpriority(one, me, os.getpriority(one, 0)),
    'priorities': lambda: os.setpriority(os.PRIO_PGRP, 0, os.getpriority(one, 0)),
    'affinity': lambda: os.sched_setaffinity(me, os.sched_getaffinity(0)),
    'scheduler': lambda: os.sched_setscheduler(me, os.SCHED_OTHER, os.sched_param(0)),
    'parameter': lambda: os.sched_setparam(me, os.sched_param(0)),
    'attributes': lambda: call('sched_setattr', me, keep, 0),
    'input': lambda: call('ioprio_set', 1, me, 2 << 13 | 4),
    'inputs': lambda: call('ioprio_set', 2, 0, 2 << 13 | 4),
    'lock': lambda: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB),
    'part': lambda: fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB),
    'lease': lambda: fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK),
}
";

/// What is another program's stays so; what a bot does to itself it may.
#[test]
fn nothing_of_other_programs() {
    if !has_python() {
        return;
    }
    let folder = Folder::new("hands");
    let file = folder.0.join("file");
    fs::write(&file, "").unwrap();
    let mut maker = Command::new("python3");
    let mut maker = maker.args(["-c", MAKER]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut made = String::new();
    BufReader::new(maker.stdout.take().unwrap()).read_line(&mut made).unwrap();
    let numbers = [
        ("shmat", libc::SYS_shmat),
        ("shmctl", libc::SYS_shmctl),
        ("semop", libc::SYS_semop),
        ("semtimedop", libc::SYS_semtimedop),
        ("semctl", libc::SYS_semctl),
        ("msgsnd", libc::SYS_msgsnd),
        ("msgrcv", libc::SYS_msgrcv),
        ("msgctl", libc::SYS_msgctl),
        ("sched_setattr", libc::SYS_sched_setattr),
        ("ioprio_set", libc::SYS_ioprio_set),
    ];
    let numbers = numbers.map(|(name, number)| format!("{name}={number}")).join(" ");
    let bot = ["python3", "-c", &[HANDS, TELL].concat(), made.trim_end(), &numbers, file.to_str().unwrap()];
    let [free, shut] = ["", "--sandbox"].map(|options| {
        (options.is_empty() || has_sandbox()).then(|| judge(&format!("run 6 1 2 {options}"), &bot))
    });
    drop(maker.stdin.take());
    maker.wait().unwrap();
    let all = "    stderr: worked: nice pin flags shmat shmctl semop semtimedop semctl msgsnd msgrcv msgctl priority \
               priorities affinity scheduler parameter attributes input inputs lock part lease\n";
    for (output, worked) in [(free, all), (shut, "    stderr: worked: nice pin flags\n")] {
        let Some(output) = output else { continue };
        assert!(text(&output.stdout).contains(worked), "{}", text(&output.stdout));
    }
}

/// A file that was open for writing before is closed.
#[test]
fn no_inherited_descriptor() {
    if !has_sandbox() {
        return;
    }
    let folder = Folder::new("inherited");
    let script = "exec 5>open; \"$0\" launch -- sh -c 'echo written >&5'; \"$0\" launch -- sh -c 'echo said'";
    let mut shell = Command::new("sh");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_judge")]).current_dir(&folder.0);
    assert_eq!(text(&shell.output().unwrap().stdout), "said\n");
    assert_eq!(fs::read(folder.0.join("open")).unwrap(), b"");
}

/// No new privileges, no capability but root's to read, and no core dump.
#[test]
fn no_privileges() {
    if !has_sandbox() {
        return;
    }
    let script =
        "grep -E '^(NoNewPrivs|CapEff|CapPrm|Seccomp):' /proc/self/status >&2; ulimit -c >&2; exit 7";
    let output = judge("run 6 1 2 --sandbox", &["sh", "-c", script]);
    let held = if is_the_systems_root() { 2 } else { 0 };
    for line in [
        "NoNewPrivs:\t1",
        &format!("CapEff:\t{held:016x}"),
        &format!("CapPrm:\t{held:016x}"),
        "Seccomp:\t2",
        "0",
    ] {
        let shown = text(&output.stdout);
        assert!(shown.contains(&format!("    stderr: {line}\n")), "{line}: {shown}");
    }
}

/// Signals are kept inside by another user's number, or by Linux 6.12.
#[test]
fn no_signal_to_the_judge() {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
    let mut numbers = release.split(|symbol: char| !symbol.is_ascii_digit()).map(str::parse::<u32>);
    let release = [numbers.next(), numbers.next()].map(|number| number.unwrap().unwrap());
    if !is_the_systems_root() && release < [6, 12] {
        eprintln!("SKIPPED: Linux {release:?} cannot keep signals inside");
        return;
    }
    if !has_sandbox() {
        return;
    }
    let script = "kill -KILL $PPID; read h; echo First; echo 3 2; read x; echo 5 1; read x; echo 6 1";
    assert_all_won("6 1 2 --sandbox --opponent slow", &["sh", "-c", script], 1);
}

/// Lays hands on the judge, which is its parent, and on what it holds.
const JUDGE: &str = "
import ctypes, os, resource, sys
judge = os.getppid()
system = ctypes.CDLL(None, use_errno=True)
def trace():
    if system.ptrace(0x4206, judge, None, None) == -1:
        raise OSError(ctypes.get_errno(), 'ptrace')
def copy():
    class Part(ctypes.Structure):
        _fields_ = [('start', ctypes.c_void_p), ('length', ctypes.c_size_t)]
    space = ctypes.create_string_buffer(8)
    here, there = Part(ctypes.addressof(space), 8), Part(8, 8)
    system.process_vm_readv(judge, ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
    # Behind the question who asks comes that for the address.
    if ctypes.get_errno() != 14:
        raise OSError(ctypes.get_errno(), 'process_vm_readv')
attempts = {
    'command': lambda: open(f'/proc/{judge}/cmdline').read(),
    'trace': trace,
    'copy': copy,
    'read': lambda: open(f'/proc/{judge}/mem', 'rb'),
    'write': lambda: open(f'/proc/{judge}/mem', 'r+b'),
    'maps': lambda: open(f'/proc/{judge}/maps').read(),
    'environment': lambda: open(f'/proc/{judge}/environ').read(),
    'output': lambda: open(f'/proc/{judge}/fd/1', 'wb'),
    'score': lambda: open(f'/proc/{judge}/oom_score_adj', 'w').write('1000'),
    'limits': lambda: resource.prlimit(judge, resource.RLIMIT_NOFILE, (9, 9)),
}
";

/// A bot inside cannot forge what the judge knows and says.
#[test]
fn no_way_into_the_judge() {
    if !has_sandbox() || !has_python() {
        return;
    }
    let output = judge("run 6 1 2 --sandbox", &["python3", "-c", &[JUDGE, TELL].concat()]);
    assert!(text(&output.stdout).contains("    stderr: worked: command\n"), "{}", text(&output.stdout));
}

/// Starts children until one is refused, and tells how many came to be.
const FORKS: &str = "
import os, sys, time
count = 0
try:
    for count in range(200):
        if os.fork() == 0:
            time.sleep(1000)
except BlockingIOError:
    print('children:', count, file=sys.stderr)
sys.exit(7)
";

/// Sixty-three children beside the bot itself, or without a control group one more, by which the judge sees
/// that it is too many; and none is left.
#[test]
fn a_bounded_number_of_processes() {
    if !has_sandbox() || !has_python() {
        return;
    }
    if !is_the_systems_root() && !has_namespaces() {
        eprintln!("SKIPPED: without namespaces the user's other processes count as well");
        return;
    }
    let token = format!("fork-bomb-{}", process::id());
    let output = judge("run 6 1 2 --games 2 --sandbox", &["python3", "-c", FORKS, &token]);
    let shown = text(&output.stdout);
    if shown.contains("limits by cgroup") {
        assert_eq!(shown.matches("PROCESSES 6 1 2 ").count(), 2, "{shown}");
        assert_eq!(shown.matches("    stderr: children: 63\n").count(), 2, "{shown}");
    } else {
        assert_eq!(shown.matches("    stderr: children: 64\n").count(), 2, "{shown}");
    }
    assert!(shown.ends_with("0 of 2 games won\n"), "{shown}");
    await_that(|| !is_running(|arguments| arguments.contains(&token)));
}

/// The root of a container that maps no other user is an ordinary user, unless it is the system's own: of
/// that one's processes none is counted.
#[test]
fn a_containers_root() {
    if !has_sandbox() || !has_python() {
        return;
    }
    if !has_namespaces() {
        eprintln!("SKIPPED: there can be no container");
        return;
    }
    let mut container = Command::new("unshare");
    container.args(["--user", "--map-root-user", env!("CARGO_BIN_EXE_judge"), "run", "6", "1", "2"]);
    let output = container.args(["--sandbox", "--", "python3", "-c", FORKS]).output().unwrap();
    if is_the_systems_root() {
        let reason = "judge: --sandbox is not possible here: the number of processes cannot be limited: to the \
                      kernel this is its own root, and no other user is mapped here";
        assert!(text(&output.stderr).starts_with(reason), "{}", text(&output.stderr));
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""));
    } else {
        let shown = text(&output.stdout);
        assert!(shown.contains("    stderr: children: 6"), "{shown}{}", text(&output.stderr));
    }
}

/// Root as the kernel knows it, who can become every other user.
fn is_the_systems_root() -> bool {
    let map = fs::read_to_string("/proc/self/uid_map").unwrap();
    rustix::process::getuid().is_root() && map.split_whitespace().eq(["0", "0", "4294967295"])
}

/// Whether user namespaces can be made.
fn has_namespaces() -> bool {
    let unshare = Command::new("unshare").args(["--user", "--map-root-user", "true"]).output();
    unshare.is_ok_and(|output| output.status.success())
}

/// What root's bots are kept from, an ordinary user's are as well, by guards of their own.
#[test]
fn as_an_ordinary_user() {
    const NOBODY: u32 = 65534;
    if !rustix::process::getuid().is_root() || !has_sandbox() {
        return;
    }
    let ordinary = |program: &Path| {
        let mut program = Command::new(program);
        program.uid(NOBODY).gid(NOBODY);
        program
    };
    let mut trial = ordinary(env!("CARGO_BIN_EXE_judge").as_ref());
    if let Err(error) = trial.arg("launch").current_dir(env!("CARGO_MANIFEST_DIR")).output() {
        eprintln!("SKIPPED: an ordinary user cannot start this judge here: {error}");
        return;
    }
    let folder = Folder::new("ordinary");
    chown(&folder.0, Some(NOBODY), Some(NOBODY)).unwrap();
    let mut suite = ordinary(&std::env::current_exe().unwrap());
    let suite = suite.args(["sandbox::", "launch::", "refusals::", "--nocapture"]).env("TMPDIR", &folder.0);
    let output = suite.output().unwrap();
    eprintln!("{}{}", text(&output.stdout), text(&output.stderr));
    assert!(output.status.success());
}

/// Whether a process has arguments such as these.
pub fn is_running(mut wanted: impl FnMut(&[String]) -> bool) -> bool {
    fs::read_dir("/proc").unwrap().any(|entry| {
        let arguments = fs::read(entry.unwrap().path().join("cmdline")).unwrap_or_default();
        let arguments = String::from_utf8_lossy(&arguments);
        wanted(&arguments.split_terminator('\0').map(str::to_owned).collect::<Vec<_>>())
    })
}

/// Waits for what must come; a process that has been killed may need a moment to go.
#[track_caller]
pub fn await_that(holds: impl Fn() -> bool) {
    let patience = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < patience, "it has not come");
        std::thread::yield_now();
    }
}

/// A judge that is killed, and can do nothing more, takes the bot's first process with it, which cannot undo
/// that.
#[test]
fn a_bot_ends_with_the_judge() {
    if !has_sandbox() || !has_python() {
        return;
    }
    let script = "
import ctypes, os, sys
ctypes.CDLL(None).prctl(1, 0)
os.execvp('sleep', sys.argv[1:])
";
    // It takes no notice of its stdin, and can be told from all others.
    let bot = ["sleep".to_owned(), format!("1000.{}", process::id())];
    let args = ["python3", "-c", script, &bot[0], &bot[1]];
    let mut judge = command("run 6 1 2 --sandbox --time-limit 1000", &args).spawn().unwrap();
    await_that(|| is_running(|arguments| arguments == bot));
    judge.kill().unwrap();
    judge.wait().unwrap();
    await_that(|| !is_running(|arguments| arguments == bot));
}

/// A judge that ended before its end would be told of is found missing.
#[test]
fn a_judge_that_has_ended() {
    if !has_sandbox() {
        return;
    }
    let output = judge("launch --judge 1", &["echo", "played"]);
    let seen = (text(&output.stdout), text(&output.stderr), output.status.code());
    assert_eq!(seen, ("", "judge: the judge has ended\n", Some(125)));
    let own = judge(&format!("launch --judge {}", process::id()), &["echo", "played"]);
    assert_eq!((text(&own.stdout), own.status.code()), ("played\n", Some(0)));
}

/// The judge still sees what a bot inside is doing.
#[test]
fn an_idle_bot_is_seen() {
    if !has_sandbox() {
        return;
    }
    let (games, _) = games("6 1 2 --time-limit 1 --sandbox", &["sleep", "100"]);
    assert_eq!(games[0]["verdict"], "IDLE", "{}", games[0]);
}

/// Runs the judge on a kernel that lacks this call.
fn judge_without(call: i64, error: i32, args: &str, bot: &[&str]) -> Output {
    let lacks = SeccompAction::Errno(error.unsigned_abs());
    let arch = std::env::consts::ARCH.try_into().unwrap();
    let filter = SeccompFilter::new([(call, vec![])].into(), SeccompAction::Allow, lacks, arch).unwrap();
    let filter: BpfProgram = filter.try_into().unwrap();
    std::thread::scope(|scope| {
        // A filter holds for its thread, and for what that starts.
        let run = scope.spawn(|| {
            seccompiler::apply_filter(&filter).unwrap();
            judge(args, bot)
        });
        run.join().unwrap()
    })
}

/// Without a guard there is no game.
#[test]
fn a_kernel_that_cannot() {
    if !has_sandbox() {
        return;
    }
    for (call, error, reason) in [
        (
            libc::SYS_landlock_create_ruleset,
            libc::ENOSYS,
            "the guard of the file system is missing: Landlock as of Linux 6.2",
        ),
        (
            libc::SYS_landlock_create_ruleset,
            libc::EOPNOTSUPP,
            "the guard of the file system is missing: Landlock as of Linux 6.2",
        ),
        (libc::SYS_seccomp, libc::ENOSYS, "the guard of the network is missing: seccomp filters"),
    ] {
        let output = judge_without(call, error, "run 6 1 2 --sandbox", &["true"]);
        let shown = text(&output.stderr);
        let start = format!("judge: --sandbox is not possible here: {reason}");
        assert!(shown.starts_with(&start), "{shown}");
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{reason}");
        let launch = judge_without(call, error, "launch", &["true"]);
        assert_eq!(launch.status.code(), Some(125), "{reason}");
    }
    // Namespaces are not needed: then the user's processes are counted.
    let without = judge_without(libc::SYS_unshare, libc::EPERM, "run 20 3 5 --sandbox", &[]);
    assert!(text(&without.stdout).starts_with("WON "), "{}", text(&without.stdout));
}
