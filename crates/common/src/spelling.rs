//! Misspelt names: which one was probably meant.

use strsim::osa_distance;

/// The name that is spelt most like a word, if it is like enough: at most one letter in three is wrong.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = names.into_iter().map(|name| (osa_distance(word, name), name)).min();
    near.filter(|(distance, name)| 3 * distance <= name.len()).map(|(_, name)| name)
}

/// The end of an error message that asks for the name that was probably meant; empty if there is none.
pub fn did_you_mean<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, names).map_or_else(String::new, |name| format!("; did you mean {name:?}?"))
}
