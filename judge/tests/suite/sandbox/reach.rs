//! A bot in the sandbox cannot change files, use the network or influence other programs.

use std::io::{BufRead, BufReader};
use std::net::{TcpListener, UdpSocket};
use std::os::unix::net::UnixListener;
use std::process::{Command, Output, Stdio};

use crate::support::{PATH, Printed, TestDir, bot, command, has_sandbox, judge, names_in};

/// Runs the bot `reach_files.py`, and returns the judge's output and the bot's directory.
fn attempt(options: &str) -> (Output, TestDir) {
    let folder = TestDir::new();
    let path = folder.path().to_str().unwrap();
    folder.write("own", "mine");
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
    let _unix = UnixListener::bind(folder.file("socket")).unwrap();
    let [tcp, udp] = [tcp.local_addr(), udp.local_addr()].map(|address| address.unwrap().port().to_string());
    let bot = ["python3", "-B", &bot("reach_files.py"), path, &tcp, &udp];
    let output = command(&format!("run 6 1 2 {options}"), &bot).current_dir(folder.path()).output().unwrap();
    (output, folder)
}

#[test]
fn neither_files_nor_the_network() {
    // Without the sandbox all attempts work. This proves that the attempts are real.
    let (outside, _) = attempt("");
    let all = "    stderr: worked: read null stderr pair here there append truncate mode times folder link \
               twin fifo rename delete tcp udp unix datagrams\n";
    outside.prints(all);
    if !has_sandbox() {
        return;
    }
    let (inside, folder) = attempt("--sandbox");
    inside
        .prints("    stderr: worked: read null stderr pair\n")
        .prints("again: judge run 6 1 2 --opponent perfect --seed 1 --sandbox -- python3");
    assert_eq!(names_in(folder.path()), ["own", "socket"]);
    assert_eq!(folder.read("own"), "mine");
}

/// Checks that a bot cannot use IPC objects of other programs, scheduling calls that name a process, or file locks.
#[test]
fn no_influence_on_other_programs() {
    let folder = TestDir::new();
    let file = folder.write("file", "");
    let mut maker = Command::new("python3");
    let mut maker = maker
        .env("PATH", &*PATH)
        .arg(bot("make_objects.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
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
    let bot = ["python3", "-B", &bot("reach_programs.py"), made.trim_end(), &numbers, &file];
    let [outside, inside] = ["", "--sandbox"].map(|options| {
        (options.is_empty() || has_sandbox()).then(|| judge(&format!("run 6 1 2 {options}"), &bot))
    });
    drop(maker.stdin.take());
    maker.wait().unwrap();
    let all = "    stderr: worked: nice pin flags shmat shmctl semop semtimedop semctl msgsnd msgrcv msgctl priority \
               priorities affinity scheduler parameter attributes input inputs lock part lease\n";
    for (output, worked) in [(outside, all), (inside, "    stderr: worked: nice pin flags\n")] {
        let Some(output) = output else { continue };
        output.prints(worked);
    }
}
