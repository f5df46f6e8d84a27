//! The command as it was typed, for what names the command that made it or that goes on.

use std::ffi::OsString;

use crate::escape::shell_word;

/// The words after "judge"; `None` if one is not UTF-8.
pub(super) fn typed_words() -> Option<Vec<String>> {
    #[cfg(target_os = "linux")]
    let (_, args) = crate::process::supervisor::split(std::env::args_os().collect());
    #[cfg(not(target_os = "linux"))]
    let args: Vec<OsString> = std::env::args_os().collect();
    args.into_iter().skip(1).map(|word: OsString| word.into_string().ok()).collect()
}

/// The whole command, for a shell; `None` if a word is not UTF-8.
pub(super) fn typed_command() -> Option<String> {
    let words: Option<Vec<String>> = typed_words()?.iter().map(|word| shell_word(word).ok()).collect();
    Some(format!("judge {}", words?.join(" ")))
}
