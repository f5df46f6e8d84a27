//! Arguments that the judge refuses before it starts a program.

use std::process::Command;

use crate::support::{JUDGE, root, table, text};

/// Checks the rows of `refused.tsv`.
#[test]
fn wrong_arguments_of_interactors_and_problems() {
    let directory = root().join("tests/interactors");
    for [arguments, words] in table(&directory.join("refused.tsv")) {
        let typed = shlex::split(&arguments).unwrap();
        let output = Command::new(JUDGE).current_dir(&directory).args(typed).output().unwrap();
        let message = text(&output.stderr);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), ""), "{arguments}: {message}");
        assert!(message.contains(&words), "{arguments}: expected {words:?}, got {message}");
    }
}
