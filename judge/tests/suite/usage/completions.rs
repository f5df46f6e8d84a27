//! Completions: the scripts of all shells, and the words that bash completes.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{JUDGE, Printed, TestDir, judge, skip_without};

/// Lines up to the cursor, each with the words that complete its last word. Hidden options and hidden commands are not
/// offered, even if nothing else fits.
const COMPLETED: [(&str, &str); 11] = [
    ("judge run 6 1 2 --oppo", "--opponent"),
    ("judge run 6 1 2 --opponent perf", "perfect"),
    ("judge run seg", "segment"),
    ("judge play nim 3 + sq", "square"),
    ("judge play square 7 b", "ban"),
    ("judge run divisor 12 pro", "proper"),
    ("judge stress --family eu", "euclid"),
    ("judge run 6 1 2 -- my", "my_bot"),
    ("judge run 20 3 3 bot", "bot.cpp"),
    ("judge wor", ""),
    ("judge run --started", ""),
];

#[test]
fn scripts_of_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        judge(&format!("completions {shell}"), &[]).exits(0).says("").prints("JUDGE_COMPLETE");
    }
    judge("completions cmd", &[]).refuses("[possible values: bash, elvish, fish, powershell, zsh]");
}

#[test]
fn completions_in_bash() {
    let here = TestDir::new();
    here.write("judge.toml", "[bots]\nmy_bot = \"sh bot.sh\"\n");
    here.write("bot.cpp", "");
    let lines: String = COMPLETED.iter().flat_map(|(line, _)| [line, "\n"]).collect();
    let script = r#"
source <(judge completions bash)
function=$(complete -p judge | sed 's/.* -F \([^ ]*\) .*/\1/')
while IFS= read -r line; do
    read -ra COMP_WORDS <<<"$line"
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_TYPE=9 COMPREPLY=()
    "$function" judge "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    echo "${COMPREPLY[*]}"
done"#;
    let path = format!("{}:{}", Path::new(JUDGE).parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut bash = Command::new("bash");
    bash.args(["--norc", "-c", &format!("{script} <<'END'\n{lines}END\n")]).env("PATH", path);
    let Ok(output) = bash.env("HOME", here.path()).current_dir(here.path()).stdin(Stdio::null()).output()
    else {
        return skip_without("bash");
    };
    assert_eq!(output.exits(0).out().lines().collect::<Vec<_>>(), COMPLETED.map(|(_, word)| word));
}
