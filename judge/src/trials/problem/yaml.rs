//! The YAML files of a problem package.

use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, anyhow, bail, ensure};
use granit_parser::{Event, Parser, ScalarStyle, StrInput};
use runner::message::print_error;
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Error};
use serde_json::{Map, Value};

use crate::keys::{Keys, Places};
use crate::text::{did_you_mean, read_text};

pub(crate) struct YamlFile {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

impl YamlFile {
    pub(crate) fn read(path: &Path) -> anyhow::Result<Option<Self>> {
        let text = read_file(path)?;
        Ok(text.map(|text| Self { path: path.to_owned(), text }))
    }

    pub(crate) fn parse<T: DeserializeOwned + Default>(&self) -> anyhow::Result<T> {
        parse(&self.text).with_context(|| format!("{} is malformed", self.path.display()))
    }

    pub(crate) fn keys(&self) -> anyhow::Result<Keys> {
        let place = (String::new(), self.path.display().to_string());
        Ok(Keys::new("", self.parse()?, Places::from([place])))
    }
}

/// Warns of each of `keys` that is not known. `place` names the file, and says where in it the keys are.
pub(crate) fn warn_of_unknown<'a>(place: &str, keys: impl Iterator<Item = &'a String>, known: &[&[&str]]) {
    let known: Vec<&str> = known.concat();
    for key in keys.filter(|key| !known.contains(&key.as_str())) {
        let meant = did_you_mean(key, known.iter().copied());
        print_error(format_args!("{place}: the key {key:?} is unknown and ignored{meant}"));
    }
}

/// Reads a text file of at most 1 MiB; `None` if it does not exist.
pub(crate) fn read_file(path: &Path) -> anyhow::Result<Option<String>> {
    match path.metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        // Something else than a file, such as a named pipe, may have no end.
        Ok(data) if !data.is_file() => bail!("{} cannot be read: it is not a regular file", path.display()),
        _ => read_text(path, 1 << 20).map(Some),
    }
}

/// A number, which is a text in what [`parse`] returns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NumberText<T>(pub(crate) T);

impl<'de, T: FromStr> Deserialize<'de> for NumberText<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let expected = |_| D::Error::custom(format!("expected a number in its range, found {text}"));
        text.parse().map(Self).map_err(expected)
    }
}

/// Maximum number of values in a file, in which each alias counts as the values that it stands for.
const MAX_VALUES: usize = 1 << 16;

/// Parses a document. Each scalar is a text, because only its key decides whether it is a number; `null` is no text. A
/// document that has only comments gives the default value.
pub(crate) fn parse<T: DeserializeOwned + Default>(text: &str) -> anyhow::Result<T> {
    let mut reader = Reader { events: Parser::new_from_str(text), anchors: HashMap::new(), values: 0 };
    let mut document = Value::Null;
    let mut documents = 0;
    loop {
        match reader.next()? {
            Event::StreamStart | Event::DocumentEnd => {}
            Event::DocumentStart(..) => documents += 1,
            Event::StreamEnd => break,
            _ if documents > 1 => bail!("expected one document, found more"),
            event => document = reader.value(&event)?,
        }
    }
    if document.is_null() { Ok(T::default()) } else { Ok(serde_json::from_value(document)?) }
}

struct Reader<'a> {
    events: Parser<'a, StrInput<'a>>,
    /// The values of the anchors, with their sizes.
    anchors: HashMap<usize, (Value, usize)>,
    /// The number of values so far; see [`MAX_VALUES`].
    values: usize,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> anyhow::Result<Event<'a>> {
        let event = self.events.next_event().context("expected the end of the document")?;
        let (event, _) =
            event.map_err(|error| anyhow!("line {}: {}", error.marker().line(), error.info()))?;
        Ok(event)
    }

    /// Returns the value that begins with this event. The parser limits the depth of values.
    fn value(&mut self, event: &Event<'_>) -> anyhow::Result<Value> {
        let before = self.values;
        self.values += 1;
        let value = match event {
            Event::Scalar(text, style, ..) => match (&**text, style) {
                ("" | "~" | "null" | "Null" | "NULL", ScalarStyle::Plain) => Value::Null,
                (text, _) => Value::String(text.to_owned()),
            },
            Event::SequenceStart(..) => {
                let mut list = Vec::new();
                loop {
                    match self.next()? {
                        Event::SequenceEnd => break Value::Array(list),
                        event => list.push(self.value(&event)?),
                    }
                }
            }
            Event::MappingStart(..) => {
                let mut map = Map::new();
                loop {
                    let key = match self.next()? {
                        Event::MappingEnd => break Value::Object(map),
                        Event::Scalar(key, ..) => key.into_owned(),
                        _ => bail!("expected a text as a key, found a list, a map or an alias"),
                    };
                    let event = self.next()?;
                    let value = self.value(&event)?;
                    ensure!(!map.contains_key(&key), "the key {key:?} occurs twice");
                    map.insert(key, value);
                }
            }
            Event::Alias(anchor) => {
                let (value, size) =
                    self.anchors.get(anchor).context("expected no value that contains itself")?;
                self.values = before + size;
                value.clone()
            }
            event => bail!("expected a value, found {event:?}"),
        };
        ensure!(self.values <= MAX_VALUES, "expected at most {MAX_VALUES} values, found more");
        if let Some(anchor) = event.anchor_id() {
            self.anchors.insert(anchor, (value.clone(), self.values - before));
        }
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use itertools::Itertools;

    use super::*;
    use crate::keys::texts;

    #[test]
    fn words_are_texts_numbers_or_lists() {
        let words = |yaml: &str| texts(&parse::<Value>(yaml).unwrap()["a"]);
        for text in ["b c", "7", "-1", "1e-6", "1.0", "true"] {
            assert_eq!(words(&format!("a: {text}")).unwrap(), [text]);
        }
        assert_eq!(words("a: [b, 1e-6, 007, '']").unwrap(), ["b", "1e-6", "007", ""]);
        for yaml in ["a: {b: c}", "a: [[b]]", "a: [{b: c}]"] {
            assert!(words(yaml).is_err(), "{yaml}");
        }
        let file = YamlFile { path: "a.yaml".into(), text: "a: [".to_owned() };
        let error = format!("{:#}", file.parse::<Value>().unwrap_err());
        assert!(error.starts_with("a.yaml is malformed: ") && !error.contains('\n'), "{error}");
    }

    #[test]
    fn documents() {
        for yaml in ["", "# a\n", "---\n", "~"] {
            assert_eq!(parse::<HashMap<String, Value>>(yaml).unwrap(), HashMap::new(), "{yaml}");
        }
        let yaml = "a: &x [1, '~', ~]\nb: {c: *x, d: !!int 7}\ne: |\n  f\n  g\n";
        let value: Value = parse(yaml).unwrap();
        let list = serde_json::json!(["1", "~", null]);
        assert_eq!(value, serde_json::json!({"a": list, "b": {"c": list, "d": "7"}, "e": "f\ng\n"}));
        // Each list contains the previous one nine times.
        let nine = |n: u32| format!("a{n}: &a{n} [{}]", format!("*a{}, ", n - 1).repeat(9));
        let bomb = (1..9).map(nine).join("\n");
        for (yaml, expected) in [
            ("a: 1\nb: [", "line 2: "),
            ("a: 1\na: 2", "the key \"a\" occurs twice"),
            ("a: 1\n---\na: 2", "expected one document, found more"),
            ("[a]: 1", "expected a text as a key"),
            ("a: &x [*x]", "expected no value that contains itself"),
            (&format!("a0: &a0 1\n{bomb}"), "expected at most 65536 values"),
            (&"[".repeat(100_000), "line 1: "),
        ] {
            let error = format!("{:#}", parse::<Value>(yaml).unwrap_err());
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
