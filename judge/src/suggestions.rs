//! Suggestions for misspelt names.

use strsim::osa_distance;

/// Returns the name with the smallest edit distance to `word`, if that is at most a third of its length.
pub(crate) fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = names.into_iter().map(|name| (osa_distance(word, name), name)).min();
    near.filter(|(distance, name)| 3 * distance <= name.len()).map(|(_, name)| name)
}

/// Returns `; did you mean "NAME"?` with the name that is similar to `word`; empty if there is none.
pub(crate) fn did_you_mean<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, names).map_or_else(String::new, |name| format!("; did you mean {name:?}?"))
}
