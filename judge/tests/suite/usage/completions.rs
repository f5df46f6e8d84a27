//! Completions, in the shells that are installed.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{JUDGE, Printed, TestDir, assert_refuses, judge, skip_without};

/// Lines up to the cursor, each with the last word of the line after one press of TAB.
const COMPLETED: [(&str, &str); 9] = [
    ("judge run 6 1 2 --oppo", "--opponent"),
    ("judge run 6 1 2 --opponent perf", "perfect"),
    ("judge run seg", "segment"),
    ("judge play nim 3 + sq", "square"),
    ("judge play square 7 b", "ban"),
    ("judge run divisor 12 pro", "proper"),
    ("judge stress --family eu", "euclid"),
    ("judge run 6 1 2 -- my", "my_bot"),
    ("judge run 20 3 3 bot", "bot.cpp"),
];

/// Returns a directory with a named bot and a source.
fn directory() -> TestDir {
    let here = TestDir::new();
    here.write("judge.toml", "[bots]\nmy_bot = \"sh bot.sh\"\n");
    here.write("bot.cpp", "");
    here
}

/// Runs a script in a shell that finds the judge, and returns the output; `None` if the shell is not installed.
fn run_in(shell: &str, args: &[&str], script: &str, here: &TestDir) -> Option<String> {
    let folder = Path::new(JUDGE).parent().unwrap().to_str().unwrap();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
    let mut shell_command = Command::new(shell);
    shell_command.args(args).arg(script).env("PATH", path).env("HOME", here.path()).current_dir(here.path());
    let Ok(output) = shell_command.stdin(Stdio::null()).output() else {
        skip_without(shell);
        return None;
    };
    Some(output.exits(0).out().to_owned())
}

#[test]
fn scripts_of_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = judge(&format!("completions {shell}"), &[]);
        output.exits(0).says("");
        assert!(output.out().contains("JUDGE_COMPLETE"), "{shell}");
    }
    assert_refuses("completions cmd", "[possible values: bash, elvish, fish, powershell, zsh]");
}

#[test]
fn completions_in_bash() {
    let here = directory();
    let script = r#"
source <(judge completions bash)
function=$(complete -p judge | sed 's/.* -F \([^ ]*\) .*/\1/')
while IFS= read -r line; do
    read -ra COMP_WORDS <<<"$line"
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_TYPE=9 COMPREPLY=()
    "$function" judge "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    echo "${COMPREPLY[*]}"
done"#;
    let lines: String = COMPLETED.iter().flat_map(|(line, _)| [line, "\n"]).collect();
    let script = format!("{script} <<'END'\n{lines}END\n");
    let Some(printed) = run_in("bash", &["--norc", "-c"], &script, &here) else { return };
    assert_eq!(printed.lines().collect::<Vec<_>>(), COMPLETED.map(|(_, word)| word));
}

#[test]
fn completions_in_fish() {
    let here = directory();
    let lines: String = COMPLETED.iter().flat_map(|(line, _)| ["complete -C '", line, "'\n"]).collect();
    let script = format!("judge completions fish | source\n{lines}");
    let Some(printed) = run_in("fish", &["--no-config", "-c"], &script, &here) else { return };
    let words = printed.lines().map(|line| line.split('\t').next().unwrap());
    assert_eq!(words.collect::<Vec<_>>(), COMPLETED.map(|(_, word)| word));
    // Hidden options and hidden commands are not offered, even if nothing else fits.
    let script =
        "judge completions fish | source; complete -C 'judge wor'; complete -C 'judge run --started'";
    assert_eq!(run_in("fish", &["--no-config", "-c"], script, &here).as_deref(), Some(""));
}

/// Checks completions in Zsh, which completes only at a terminal. The test starts Zsh at a terminal, and Zsh reports
/// the line after TAB through a pipe.
#[test]
fn completions_in_zsh() {
    let here = directory();
    let pipe = here.fifo("line");
    // The pipe is opened once, for reading and writing, so that there is no end of input between two lines.
    let mut script = format!(
        r#"
exec 3<>{pipe}
zmodload zsh/zpty
zpty shell "TERM=dumb exec zsh -f -i"
zpty -w shell 'autoload -Uz compinit && compinit -u -D; source <(judge completions zsh)'
zpty -w shell 'tell() {{ print -r -- "$BUFFER" >{pipe} }}; zle -N tell; bindkey "^X" tell'
"#
    );
    for (line, _) in COMPLETED {
        script += &format!(
            "zpty -w -n shell $'\\x15{line}\\t\\x18'; read -r completed <&3; print -r -- $completed\n"
        );
    }
    script += "zpty -d shell\n";
    let Some(printed) = run_in("zsh", &["-f", "-c"], &script, &here) else { return };
    let expected = COMPLETED.map(|(line, word)| format!("{} {word}", line.rsplit_once(' ').unwrap().0));
    let lines: Vec<&str> = printed.lines().map(str::trim_end).collect();
    assert_eq!(lines, expected);
}
