//! Two results of the same number: whether they are the same, apart from what they took.

use anyhow::anyhow;
use serde_json::Value;

use common::record_file::read_bounded;

/// The fields that may differ when the same result is computed again: what it took, and what made it.
const MAY_DIFFER: [&str; 16] = [
    "schema",
    "judge",
    "total",
    "command",
    "reason",
    "again",
    "doubtful",
    "limits",
    "wall_ms",
    "waited_ms",
    "cpu_ms",
    "memory_kib",
    "slowest_ms",
    "slowest_ply",
    "answer_times",
    "seconds",
];

/// The largest number of characters that are shown of a value.
const SHOWN: usize = 60;

/// Where two results differ.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Difference {
    /// The field, with those that it is in.
    pub(super) path: String,
    pub(super) values: (String, String),
}

/// Where two lines differ; `None` if they are the same result.
///
/// # Errors
///
/// If one is not JSON.
pub(super) fn difference(one: &[u8], other: &[u8]) -> anyhow::Result<Option<Difference>> {
    let values = (read_bounded::<Value>(one), read_bounded::<Value>(other));
    let (Ok(one), Ok(other)) = values else { return Err(anyhow!("a file has changed while it was read")) };
    Ok(find(&one, &other, ""))
}

fn find(one: &Value, other: &Value, path: &str) -> Option<Difference> {
    if let (Value::Object(fields), Value::Object(others)) = (one, other) {
        let names = fields.keys().chain(others.keys().filter(|&name| !fields.contains_key(name)));
        let mut names = names.filter(|name| !MAY_DIFFER.contains(&name.as_str()));
        return names.find_map(|name| {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            let null = &Value::Null;
            find(fields.get(name).unwrap_or(null), others.get(name).unwrap_or(null), &path)
        });
    }
    let shown = |value: &Value| {
        let text = value.to_string();
        if text.chars().count() <= SHOWN {
            text
        } else {
            format!("{}...", text.chars().take(SHOWN).collect::<String>())
        }
    };
    (one != other).then(|| Difference { path: path.to_owned(), values: (shown(one), shown(other)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(one: &str, other: &str) -> Option<(String, String, String)> {
        let found = difference(one.as_bytes(), other.as_bytes()).unwrap();
        found.map(|Difference { path, values: (a, b) }| (path, a, b))
    }

    #[test]
    fn results_differ_in_what_they_show_alone() {
        let line = r#"{"index":3,"winner":"a","first":{"bot":"a","verdict":"WON","cpu_ms":1.5,"moves":4},"total":6}"#;
        assert_eq!(found(line, line), None);
        let slower = line.replace("1.5", "22.5").replace("\"total\":6", "\"total\":8,\"command\":\"judge\"");
        assert_eq!(found(line, &slower), None);
        let expected = |path: &str, a: &str, b: &str| Some((path.to_owned(), a.to_owned(), b.to_owned()));
        assert_eq!(
            found(line, &line.replace("\"moves\":4", "\"moves\":5")),
            expected("first.moves", "4", "5")
        );
        assert_eq!(
            found(line, &line.replace("WON", "LOST")),
            expected("first.verdict", "\"WON\"", "\"LOST\"")
        );
        assert_eq!(found(line, &line.replace(",\"moves\":4", "")), expected("first.moves", "4", "null"));
        assert_eq!(found(&line.replace(",\"moves\":4", ""), line), expected("first.moves", "null", "4"));
        assert!(difference(b"{", b"{}").is_err());
    }
}
