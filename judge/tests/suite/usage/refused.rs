//! Arguments that the judge refuses before it starts a program.

use crate::support::{Printed, interactors, judge_in, table};

/// Checks the rows of `refused.tsv`.
#[test]
fn wrong_arguments_of_interactors_and_problems() {
    for [arguments, words] in table(&interactors().join("refused.tsv")) {
        let typed = shlex::split(&arguments).unwrap();
        judge_in(interactors(), &typed.iter().map(String::as_str).collect::<Vec<_>>()).refuses(&words);
    }
}
