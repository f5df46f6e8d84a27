//! A bot in the sandbox cannot change files, use the network or influence other programs.

use std::io::{BufRead, BufReader};
use std::net::{TcpListener, UdpSocket};
use std::os::unix::net::UnixListener;
use std::process::{Command, Output};

use crate::support::{
    PATH, Printed, TestDir, bot, command, judge, names_in, sandbox_option, sandbox_options, start_talking,
};

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
    let Some(sandbox) = sandbox_option() else { return };
    let (inside, folder) = attempt(sandbox);
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
    let mut maker = start_talking(maker.env("PATH", &*PATH).arg(bot("make_objects.py")));
    let mut made = String::new();
    BufReader::new(maker.stdout.take().unwrap()).read_line(&mut made).unwrap();
    let numbers = [
        format!("shmat={} shmctl={}", libc::SYS_shmat, libc::SYS_shmctl),
        format!("semop={} semtimedop={} semctl={}", libc::SYS_semop, libc::SYS_semtimedop, libc::SYS_semctl),
        format!("msgsnd={} msgrcv={} msgctl={}", libc::SYS_msgsnd, libc::SYS_msgrcv, libc::SYS_msgctl),
        format!("sched_setattr={} ioprio_set={}", libc::SYS_sched_setattr, libc::SYS_ioprio_set),
    ];
    let numbers = numbers.join(" ");
    let bot = ["python3", "-B", &bot("reach_programs.py"), made.trim_end(), &numbers, &file];
    let all = "    stderr: worked: nice pin flags shmat shmctl semop semtimedop semctl msgsnd msgrcv msgctl priority \
               priorities affinity scheduler parameter attributes input inputs lock part lease\n";
    for (sandbox, worked) in sandbox_options().zip([all, "    stderr: worked: nice pin flags\n"]) {
        judge(&format!("run 6 1 2 {sandbox}"), &bot).prints(worked);
    }
    drop(maker.stdin.take());
    maker.wait().unwrap();
}
