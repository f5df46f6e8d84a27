//! The commands that start an interactor in other ways than by its own command alone, and the input that it makes.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::symlink;
use std::path::{self, Path};

use anyhow::Context;

use crate::referee::interactor::style::{MANAGER_INPUT, MANAGER_OUTPUT, TestCase};
use crate::text::open_regular;

/// Returns a command that runs a script of the shell, with `first` as `$0` and the words of `command` as `$@`.
pub(crate) fn by_script(command: &[OsString], first: OsString, script: &str) -> Vec<OsString> {
    let words: [OsString; 4] = ["sh".into(), "-c".into(), script.into(), first];
    words.into_iter().chain(command.iter().cloned()).collect()
}

/// Returns a command that gives the bot the input, stores its output in the file `output`, and starts `command` when
/// the bot has ended, with its stdout in the file `printed`. The bot may write before it has read the whole input.
pub(crate) fn after_bot(
    command: &[OsString],
    case: &TestCase,
    output: &Path,
    printed: &Path,
) -> Vec<OsString> {
    const SCRIPT: &str = r#"exec 3<&0; cat <&3 >"$1" & cat "$0" 2>/dev/null; exec >"$2"; wait "$!"; output=$1; shift 2; exec "$@" <"$output""#;
    by_script(&[&[output.into(), printed.into()], command].concat(), case.input(), SCRIPT)
}

/// Returns a command that starts a manager of CMS in `folder`, with the input on its stdin and in a file there, and its
/// output in another one.
pub(crate) fn manager(command: &[OsString], case: &TestCase, folder: &Path) -> anyhow::Result<Vec<OsString>> {
    let input = path::absolute(case.input())?;
    symlink(input, folder.join(MANAGER_INPUT)).context("the file with the manager's input cannot be made")?;
    // The paths of the command are relative to the judge's folder.
    let absolute = |word: &OsString| -> io::Result<OsString> {
        let is_file = Path::new(word).is_file();
        if is_file { Ok(path::absolute(word)?.into()) } else { Ok(word.clone()) }
    };
    let command: Vec<OsString> = command.iter().map(absolute).collect::<io::Result<_>>()?;
    let script = format!(r#"cd "$0" && exec "$@" <{MANAGER_INPUT} >{MANAGER_OUTPUT}"#);
    Ok(by_script(&command, folder.into(), &script))
}

/// Moves the input of the next pass to `input`. The two folders may be on different file systems. Fails if the file is
/// not a regular file, or is larger than `limit`.
pub(crate) fn take_input(next_pass: &Path, input: &Path, limit: u64) -> io::Result<()> {
    let mut file = open_regular(next_pass)?.take(limit.saturating_add(1));
    if io::copy(&mut file, &mut File::create(input)?)? > limit {
        return Err(io::Error::other(format!("it is larger than {} MiB", limit >> 20)));
    }
    fs::remove_file(next_pass)
}
