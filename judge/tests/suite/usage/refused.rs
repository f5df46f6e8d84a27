//! Arguments that the judge refuses.

use crate::support::{Printed, interactors, judge_typed, table};

#[test]
fn wrong_arguments_of_interactors_and_problems() {
    for [arguments, words] in table(&interactors().join("refused.tsv")) {
        judge_typed(interactors(), &arguments).refuses(&words);
    }
}
