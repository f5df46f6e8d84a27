//! A replay at the terminal.

use std::io::Write;
use std::process::{Command, Stdio};

use super::record;
use crate::support::{JUDGE, command, has_python, judge, text};

/// Drawn as while the game was played.
#[test]
fn a_replay_is_drawn_like_the_game() {
    let (_here, file, _) = record("20 3 5 --opponent stubborn", &[]);
    let live = judge("run 20 3 5 --opponent stubborn -v", &[]);
    let replay = judge(&format!("replay {file} -v"), &[]);
    let drawing = |output: &str| -> Vec<String> {
        output.lines().filter(|line| line.starts_with(' ')).map(str::to_owned).collect()
    };
    assert_eq!(drawing(text(&live.stdout)).len(), 4);
    assert_eq!(drawing(text(&replay.stdout)), drawing(text(&live.stdout)));
}

/// Without a terminal there are no keys.
#[test]
fn steps_need_a_terminal() {
    let (_here, file, _) = record("6 1 2", &[]);
    let output = judge(&format!("replay {file} --step"), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("expected a terminal for --step"), "{}", text(&output.stderr));
    let both = command(&format!("replay {file} --step --json"), &[]).output().unwrap();
    assert_eq!(both.status.code(), Some(2));
}

/// Runs a command at a terminal, and gives it each of its keys when it waits for one.
const AT_TERMINAL: &str = "
import os, pty, sys
child, terminal = pty.fork()
if child == 0:
    os.execv(sys.argv[1], sys.argv[1:])
shown, keys = b'', [b'\\x1b[C', b'b', b'\\x1b[D', b'\\x1b[F', b'q']
prompts = 0
while True:
    try:
        read = os.read(terminal, 4096)
    except OSError:
        break
    if not read:
        break
    shown += read
    while shown.count(b'Q: quit') > prompts and keys:
        prompts += 1
        os.write(terminal, keys.pop(0))
_, status = os.waitpid(child, 0)
sys.stdout.buffer.write(shown)
sys.exit(os.waitstatus_to_exitcode(status))
";

/// The arrow keys go from move to move, B to the bot's blunder, and Q ends it.
#[test]
fn a_game_is_gone_through_by_keys() {
    if !has_python() {
        return;
    }
    let blunders = "read h; echo First; echo 1 1; read x; echo 1 1; read x";
    let (_here, file, _) = record("6 1 2 --opponent slow", &["sh", "-c", blunders]);
    let mut python = Command::new("python3");
    python.args(["-c", AT_TERMINAL, JUDGE, "replay", &file, "--step"]).stdin(Stdio::null());
    let output = python.output().unwrap();
    std::io::stderr().write_all(&output.stderr).unwrap();
    let shown = text(&output.stdout);
    let shown: Vec<&str> = shown.lines().filter(|line| line.contains(", move ")).collect();
    let moves: Vec<&str> = shown.iter().map(|line| line.split_once(", move ").unwrap().1.trim()).collect();
    assert_eq!(moves, ["0 of 2", "1 of 2", "1 of 2", "0 of 2", "2 of 2"]);
    let all = text(&output.stdout);
    assert!(all.contains("1 bot    1 1        x#####"), "{all}");
    assert!(all.contains("move 1, \"1 1\", was a blunder"), "{all}");
    let words: Vec<&str> = all.split_whitespace().collect();
    assert!(words.join(" ").contains("\"3 2\" would have kept the win"), "{all}");
    assert!(all.contains("ILLEGAL: move 3: taking 1 at place 1"), "{all}");
    assert_eq!(output.status.code(), Some(0));
}
