//! Maps that are read key by key: `judge.toml`, the jobs of `judge batch`, and the limits of a package. An error names the
//! key, what it has and what is expected; for an unknown key, it suggests a similar known key.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::rc::Rc;

use anyhow::anyhow;
use serde_json::{Map, Value};

use crate::text::{did_you_mean, nearest, shortened};

/// The file and the line of each key, by its path, as in `limits.time`. The empty path is for all other keys.
pub(crate) type Places = BTreeMap<String, String>;

/// A map whose keys are read one after the other. A key with the value `null` is like a missing one.
#[derive(Default)]
pub(crate) struct Keys {
    /// The path of the map, as in `languages.cpp`; empty for a whole file or line.
    path: String,
    values: Map<String, Value>,
    /// The keys that the map may have: those that were read.
    known: Vec<String>,
    places: Rc<Places>,
}

impl Keys {
    pub(crate) fn new(path: &str, values: Map<String, Value>, places: Places) -> Self {
        Self { path: path.to_owned(), values, known: Vec::new(), places: Rc::new(places) }
    }

    /// Returns the names of the keys that were not read yet.
    pub(crate) fn unread(&self) -> Vec<String> {
        self.values.keys().cloned().collect()
    }

    fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// Returns the file and the line of a key; empty if it is in no file.
    pub(crate) fn place(&self, key: &str) -> String {
        self.places.get(&self.path_of(key)).or(self.places.get("")).cloned().unwrap_or_default()
    }

    fn error(&self, key: &str, error: String) -> anyhow::Error {
        let place = self.place(key);
        if place.is_empty() { anyhow!(error) } else { anyhow!("{place}: {error}") }
    }

    /// Reads the value of a key by `read`, whose error says what is expected.
    pub(crate) fn read<T, E: Display>(
        &mut self,
        key: &str,
        read: impl FnOnce(&Value) -> Result<T, E>,
    ) -> anyhow::Result<Option<T>> {
        self.known.push(key.to_owned());
        let Some(value) = self.values.remove(key).filter(|value| !value.is_null()) else { return Ok(None) };
        read(&value).map(Some).map_err(|error| {
            let (got, path) = (shortened(&value.to_string()), self.path_of(key));
            self.error(key, format!("invalid value {got} for {path:?}: {error}"))
        })
    }

    /// Parses the value of a key, which is a text or a number.
    pub(crate) fn parsed<T, E: Display>(
        &mut self,
        key: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> anyhow::Result<Option<T>> {
        self.read(key, |value| match value {
            Value::String(text) => parse(text),
            other => parse(&other.to_string()),
        })
    }

    pub(crate) fn is_map(&self, key: &str) -> bool {
        self.values.get(key).is_some_and(Value::is_object)
    }

    /// Returns the map that a key has.
    pub(crate) fn inner(&mut self, key: &str) -> anyhow::Result<Option<Self>> {
        let map = self.read(key, |value| value.as_object().cloned().ok_or("expected a map of keys"))?;
        let (path, places) = (self.path_of(key), Rc::clone(&self.places));
        Ok(map.map(|values| Self { path, values, places, known: Vec::new() }))
    }

    /// Returns the error for missing keys, which names a similar key that is there.
    pub(crate) fn missing(&self, keys: &[&str]) -> anyhow::Error {
        let mut given = keys.iter().filter_map(|key| nearest(key, self.values.keys().map(String::as_str)));
        let got = given.next().map_or_else(|| "none".to_owned(), |key| format!("{:?}", shortened(key)));
        let paths: Vec<String> = keys.iter().map(|key| format!("{:?}", self.path_of(key))).collect();
        anyhow!("expected the key {}, got {got}", paths.join(" or "))
    }

    /// Refuses a key that was not read.
    pub(crate) fn end(self) -> anyhow::Result<()> {
        let Some(key) = self.values.keys().next() else { return Ok(()) };
        let meant = did_you_mean(key, self.known.iter().map(String::as_str));
        let place = if self.path.is_empty() { String::new() } else { format!(" in {:?}", self.path) };
        let (known, got) = (self.known.join(", "), shortened(key));
        Err(self.error(key, format!("expected the keys {known}{place}, got {got:?}{meant}")))
    }
}

pub(crate) fn text(value: &Value) -> Result<String, &'static str> {
    value.as_str().map(str::to_owned).ok_or("expected a text")
}

/// Reads a text or a list of texts.
pub(crate) fn texts(value: &Value) -> Result<Vec<String>, &'static str> {
    let list = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    list.iter().map(text).collect::<Result<_, _>>().map_err(|_| "expected a text or a list of texts")
}

/// Reads a list of words: a list of texts, or a text that is split into words as by a shell.
pub(crate) fn words(value: &Value) -> Result<Vec<String>, &'static str> {
    value.as_str().map_or_else(|| texts(value), |text| shlex::split(text).ok_or("expected no unclosed quote"))
}

/// Reads a list of texts, or the words of a text, separated by blanks.
pub(crate) fn names(value: &Value) -> Result<Vec<String>, &'static str> {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    value.as_str().map_or_else(|| texts(value), |text| Ok(words(text)))
}
