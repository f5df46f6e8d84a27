//! Terminals, from which a bot in the sandbox can take nothing that is typed.

use super::refusals::SANDBOX;
use crate::support::{AtTerminal, bot, has_python, has_sandbox};

/// Which files a bot can open that is started so, from a shell at a terminal.
fn opened(launcher: &[&str]) -> String {
    let script = r#"terminal=$(tty); : | "$@" "$terminal" "/proc/$$/fd/0" 2>&1 | cat"#;
    let program = bot("reach_terminal.py");
    let bot = ["python3", "-B", &program];
    let command = [&["sh", "-c", script, "sh"], launcher, &bot].concat();
    let (shown, _) = AtTerminal::run(&command, &[]).end();
    shown
}

#[test]
fn no_terminal() {
    if !has_python() {
        return;
    }
    // Without the sandbox the terminal can be opened: the attempts are real ones.
    let free = opened(&[]);
    for name in ["terminal", "link", "tty"] {
        assert!(free.contains(&format!(" {name}-r ")) && free.contains(&format!(" {name}-w ")), "{free}");
    }
    let harmless = "stdin stdin-of-self stdout stderr null zero full random urandom";
    assert!(free.ends_with(&format!(" {harmless}\r\n")), "{free}");
    if has_sandbox() {
        assert_eq!(opened(SANDBOX), format!("worked: {harmless}\r\n"));
    }
}
