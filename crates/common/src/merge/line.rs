//! A line with a result: the fields that a merge needs, and the comparison of two lines with the same number.

use std::borrow::Cow;
use std::fmt;

use anyhow::{anyhow, ensure};
use itertools::Itertools;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use crate::record_file::read_bounded;

/// The command that wrote a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultKind {
    Arena,
    Stress,
    Sweep,
}

impl fmt::Display for ResultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Arena => "judge arena",
            Self::Stress => "judge stress",
            Self::Sweep => "grundy sweep",
        })
    }
}

/// The fields of a result's line that a merge needs.
#[derive(Debug, Deserialize)]
pub(super) struct ResultLine<'a> {
    #[serde(borrow)]
    run: Text<'a>,
    /// The result's number in the run.
    pub(super) index: u64,
    /// The number of results of the run, if it is known.
    #[serde(default)]
    pub(super) total: Option<u64>,
    #[serde(borrow, default)]
    command: Option<Text<'a>>,
    /// Only `judge stress` writes `opponent`, and only `grundy sweep` writes `sweep`. So these two fields show the kind
    /// of the result.
    opponent: Option<IgnoredAny>,
    sweep: Option<IgnoredAny>,
}

/// A JSON string. It is borrowed if it has no escapes.
#[derive(Debug, Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// A line that is not a result, but was computed from results: the smallest game of a search.
#[derive(Deserialize)]
struct DerivedLine {
    #[serde(rename = "minimal")]
    _minimal: IgnoredAny,
}

impl<'a> ResultLine<'a> {
    /// Parses a line; returns `None` for a `DerivedLine`.
    pub(super) fn read(line: &'a [u8]) -> anyhow::Result<Option<Self>> {
        const EXPECTED: &str = "expected a result of judge arena, judge stress or grundy sweep";
        let text = str::from_utf8(line)
            .map_err(|error| anyhow!("{EXPECTED}, got bytes that are not UTF-8: {error}"))?;
        let result: Self = match serde_json::from_str(text) {
            Ok(result) => result,
            Err(_) if serde_json::from_str::<DerivedLine>(text).is_ok() => return Ok(None),
            Err(error) => return Err(anyhow!("{EXPECTED}: {error}")),
        };
        ensure!(
            result.total.is_none_or(|total| result.index < total),
            "expected a number below the {} results of the run, got {}",
            result.total.unwrap_or_default(),
            result.index
        );
        Ok(Some(result))
    }

    pub(super) fn kind(&self) -> ResultKind {
        match (&self.opponent, &self.sweep) {
            (_, Some(_)) => ResultKind::Sweep,
            (Some(_), None) => ResultKind::Stress,
            (None, None) => ResultKind::Arena,
        }
    }

    pub(super) fn run(&self) -> &str {
        &self.run.0
    }

    pub(super) fn command(&self) -> Option<&str> {
        self.command.as_ref().map(|text| text.0.as_ref())
    }
}

/// The fields that may differ if the same result is computed again, such as times and the judge's version.
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

/// Maximum number of characters of a value in a message.
const MAX_SHOWN_CHARS: usize = 60;

/// The first difference between two results.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Difference {
    /// The path of the field: the names of the fields that contain it and the field's own name, joined by dots.
    pub(super) path: String,
    pub(super) values: (String, String),
}

/// Returns the first difference between two lines, apart from the fields in `MAY_DIFFER`; `None` if there is none.
pub(super) fn difference(one: &[u8], other: &[u8]) -> anyhow::Result<Option<Difference>> {
    let values = (read_bounded::<Value>(one), read_bounded::<Value>(other));
    let (Ok(one), Ok(other)) = values else { return Err(anyhow!("a file changed while it was being read")) };
    Ok(find_difference(&one, &other, ""))
}

fn find_difference(one: &Value, other: &Value, path: &str) -> Option<Difference> {
    if let (Value::Object(fields), Value::Object(others)) = (one, other) {
        let names = fields.keys().chain(others.keys().filter(|&name| !fields.contains_key(name)));
        let names = names.filter(|name| !MAY_DIFFER.contains(&name.as_str()));
        // The verdict is compared first, because other fields may follow from it.
        return names.sorted_by_key(|name| *name != "verdict").find_map(|name| {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            let null = &Value::Null;
            find_difference(fields.get(name).unwrap_or(null), others.get(name).unwrap_or(null), &path)
        });
    }
    let shown = |value: &Value| {
        let text = value.to_string();
        if text.chars().count() <= MAX_SHOWN_CHARS {
            text
        } else {
            format!("{}...", text.chars().take(MAX_SHOWN_CHARS).collect::<String>())
        }
    };
    (one != other).then(|| Difference { path: path.to_owned(), values: (shown(one), shown(other)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_is_compared_first() {
        let found =
            difference(br#"{"blunders":null,"verdict":"IDLE"}"#, br#"{"blunders":[],"verdict":"WON"}"#);
        assert_eq!(found.unwrap().unwrap().path, "verdict");
    }

    #[test]
    fn only_lines_of_results_are_accepted() {
        let line = br#"{"schema":1,"run":"00ff","index":7,"total":9,"command":"judge arena --bot 'a=\"x\"'","first":{"index":3}}"#;
        let result = ResultLine::read(line).unwrap().unwrap();
        assert_eq!((result.run(), result.index, result.total), ("00ff", 7, Some(9)));
        assert_eq!(result.command(), Some("judge arena --bot 'a=\"x\"'"));
        assert!(ResultLine::read(br#"{"minimal":true,"from":3,"runs":14}"#).unwrap().is_none());
        assert!(ResultLine::read(br#"{"run":"1","index":3}"#).unwrap().is_some());
        for (line, expected) in [
            (&b"hello"[..], "expected a result of judge arena, judge stress or grundy sweep: expected value"),
            (b"{\"run\":\"1\",\"index\":3", "EOF while parsing an object"),
            (b"{\"run\":\"1\",\"index\":3}x", "trailing characters"),
            (b"{\"run\":\"1\"}", "missing field `index`"),
            (b"{\"index\":1}", "missing field `run`"),
            (b"{\"run\":\"1\",\"index\":-1}", "invalid value"),
            (b"{\"run\":\"1\",\"index\":1,\"index\":2}", "duplicate field `index`"),
            (b"{\"run\":\"1\",\"index\":9,\"total\":9}", "expected a number below the 9 results"),
            (b"{\"run\":\"\xff\",\"index\":9}", "bytes that are not UTF-8"),
        ] {
            let error = ResultLine::read(line).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    fn compared(one: &str, other: &str) -> Option<(String, String, String)> {
        let found = difference(one.as_bytes(), other.as_bytes()).unwrap();
        found.map(|Difference { path, values: (a, b) }| (path, a, b))
    }

    #[test]
    fn resources_and_commands_may_differ() {
        let line = r#"{"index":3,"winner":"a","first":{"bot":"a","verdict":"WON","cpu_ms":1.5,"moves":4},"total":6}"#;
        assert_eq!(compared(line, line), None);
        let slower = line.replace("1.5", "22.5").replace("\"total\":6", "\"total\":8,\"command\":\"judge\"");
        assert_eq!(compared(line, &slower), None);
        let expected = |path: &str, a: &str, b: &str| Some((path.to_owned(), a.to_owned(), b.to_owned()));
        assert_eq!(
            compared(line, &line.replace("\"moves\":4", "\"moves\":5")),
            expected("first.moves", "4", "5")
        );
        assert_eq!(
            compared(line, &line.replace("WON", "LOST")),
            expected("first.verdict", "\"WON\"", "\"LOST\"")
        );
        assert_eq!(compared(line, &line.replace(",\"moves\":4", "")), expected("first.moves", "4", "null"));
        assert_eq!(compared(&line.replace(",\"moves\":4", ""), line), expected("first.moves", "null", "4"));
        assert!(difference(b"{", b"{}").is_err());
    }
}
