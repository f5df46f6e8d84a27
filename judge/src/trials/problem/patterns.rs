//! Patterns for the names of tests and submissions.

/// Returns the folders that contain a path, beginning with the outermost, and then the path itself.
pub(crate) fn with_parents(path: &str) -> impl Iterator<Item = &str> {
    let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    ends.map(|end| &path[..end])
}

/// Returns whether a pattern matches a path or a folder that contains it. `*` matches within a name, and `{a,b}`
/// matches `a` or `b`.
pub(crate) fn matches_with_parents(pattern: &str, path: &str) -> bool {
    let options = glob::MatchOptions { require_literal_separator: true, ..glob::MatchOptions::default() };
    let patterns: Vec<glob::Pattern> =
        alternatives(pattern).iter().filter_map(|pattern| glob::Pattern::new(pattern).ok()).collect();
    with_parents(path).any(|path| patterns.iter().any(|pattern| pattern.matches_with(path, options)))
}

/// Expands the braces of a pattern. Returns the resulting patterns, up to a fixed number.
fn alternatives(pattern: &str) -> Vec<String> {
    const MAX: usize = 256;
    let mut done = Vec::new();
    let mut waiting = vec![pattern.to_owned()];
    while let Some(pattern) = waiting.pop() {
        let parts = pattern.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
        match parts {
            Some((before, (inner, after))) if waiting.len() + done.len() < MAX => {
                waiting.extend(inner.split(',').map(|inner| format!("{before}{inner}{after}")));
            }
            _ => done.push(pattern),
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_paths() {
        for (pattern, path, expected) in [
            ("accepted", "accepted/a.py", true),
            ("accepted/*", "accepted/a.py", true),
            ("*", "accepted/a.py", true),
            ("*.py", "accepted/a.py", false),
            ("accepted/{a,b}.{py,cpp}", "accepted/b.py", true),
            ("accepted/{a,b}.cpp", "accepted/b.py", false),
            ("secret/*-easy", "secret/1-easy", true),
            ("secret/group1", "secret/group1/7", true),
            ("secret/group1", "secret/group10/7", false),
        ] {
            assert_eq!(matches_with_parents(pattern, path), expected, "{pattern} {path}");
        }
    }
}
