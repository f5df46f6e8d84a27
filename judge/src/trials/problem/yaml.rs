//! The YAML files of a problem package.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, ensure};
use runner::message::print_error;
use serde::de::{DeserializeOwned, Deserializer, Error, SeqAccess, Visitor};
use serde::{Deserialize, de};
use serde_json::Value;

use crate::suggestions::did_you_mean;
use crate::text::open_regular;

/// A YAML file that has been read.
#[derive(Debug)]
pub(crate) struct YamlFile {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

impl YamlFile {
    /// Reads a file; `None` if it does not exist.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is too large or not UTF-8.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Option<Self>> {
        let text = read_file(path)?;
        Ok(text.map(|text| Self { path: path.to_owned(), text }))
    }

    /// Returns the contents.
    ///
    /// # Errors
    ///
    /// If the file is malformed.
    pub(crate) fn parse<T: DeserializeOwned + Default>(&self) -> anyhow::Result<T> {
        // A file that has only comments gives no values.
        if self.text.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#')) {
            return Ok(T::default());
        }
        // A message is one line, so it has no excerpt of the file.
        let options = serde_saphyr::options! { with_snippet: false };
        let value = serde_saphyr::from_str_with_options(&self.text, options);
        value.map_err(|error| anyhow!("{} is malformed: {error}", self.path.display()))
    }

    /// Warns of the keys at the top level, or in the map `inside`, that are not among the `known` keys: the problem
    /// setter may have misspelt them.
    ///
    /// # Errors
    ///
    /// If the file is malformed.
    pub(crate) fn warn_of_unknown_keys(&self, inside: Option<&str>, known: &[&[&str]]) -> anyhow::Result<()> {
        let map: BTreeMap<String, Value> = self.parse()?;
        let Some(inside) = inside else {
            warn_of_unknown(&self.path, "", map.keys().map(String::as_str), known);
            return Ok(());
        };
        if let Some(inner) = map.get(inside).and_then(Value::as_object) {
            warn_of_unknown(&self.path, &format!("{inside}: "), inner.keys().map(String::as_str), known);
        }
        Ok(())
    }
}

/// Warns of each of `keys` that is not known. `place` says where in the file the keys are.
pub(crate) fn warn_of_unknown<'a>(
    path: &Path,
    place: &str,
    keys: impl Iterator<Item = &'a str>,
    known: &[&[&str]],
) {
    let known: Vec<&str> = known.concat();
    for key in keys.filter(|key| !known.contains(key)) {
        let meant = did_you_mean(key, known.iter().copied());
        print_error(format_args!("{}: {place}the key {key:?} is unknown and ignored{meant}", path.display()));
    }
}

/// Reads a text file of a package; `None` if it does not exist.
///
/// # Errors
///
/// If the file cannot be read, is too large or not UTF-8.
pub(crate) fn read_file(path: &Path) -> anyhow::Result<Option<String>> {
    /// Maximum size of a file, in bytes.
    const MAX_SIZE: u64 = 1 << 20;
    let unread = || format!("{} cannot be read", path.display());
    // Links are allowed within a package.
    let file = match path.canonicalize().and_then(|path| open_regular(&path)) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        file => file.with_context(unread)?,
    };
    let mut text = String::new();
    file.take(MAX_SIZE + 1).read_to_string(&mut text).with_context(unread)?;
    ensure!(text.len() as u64 <= MAX_SIZE, "{}: expected at most 1 MiB, found more", path.display());
    Ok(Some(text))
}

/// One value or a list of values, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Words {
    One(String),
    List(Vec<String>),
}

impl Words {
    /// Returns the arguments: the members of a list, or the words into which a shell splits a text.
    ///
    /// # Errors
    ///
    /// If a quote in a text is not closed.
    pub(crate) fn arguments(self) -> anyhow::Result<Vec<OsString>> {
        let words = match self {
            Self::One(text) => {
                shlex::split(&text).with_context(|| format!("unclosed quote in the flags: {text}"))?
            }
            Self::List(words) => words,
        };
        Ok(words.into_iter().map(OsString::from).collect())
    }

    /// Returns the members of a list, or the words of a text, separated by blanks.
    pub(crate) fn names(self) -> Vec<String> {
        match self {
            Self::One(text) => text.split_whitespace().map(str::to_owned).collect(),
            Self::List(names) => names,
        }
    }
}

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OfWords;
        impl<'de> Visitor<'de> for OfWords {
            type Value = Words;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text, a number or a list of texts")
            }

            fn visit_bool<E: Error>(self, value: bool) -> Result<Words, E> {
                Ok(Words::One(value.to_string()))
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Words, E> {
                Ok(Words::One(value.to_string()))
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Words, E> {
                Ok(Words::One(value.to_string()))
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Words, E> {
                // Keeps the point of 1.0, and the exponent of 1e-6.
                Ok(Words::One(format!("{value:?}")))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Words, E> {
                Ok(Words::One(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Words, A::Error> {
                Vec::deserialize(de::value::SeqAccessDeserializer::new(list)).map(Words::List)
            }
        }
        deserializer.deserialize_any(OfWords)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_texts_numbers_or_lists() {
        let one = |text: &str| Words::One(text.to_owned());
        for (yaml, expected) in [
            ("a: b c", one("b c")),
            ("a: 7", one("7")),
            ("a: -1", one("-1")),
            ("a: 1e-6", one("1e-6")),
            ("a: 1.0", one("1.0")),
            ("a: true", one("true")),
            ("a: [b, 1e-6, 007, '']", Words::List(["b", "1e-6", "007", ""].map(str::to_owned).into())),
        ] {
            let file = YamlFile { path: "a.yaml".into(), text: yaml.to_owned() };
            let map: BTreeMap<String, Words> = file.parse().unwrap();
            assert_eq!(map["a"], expected, "{yaml}");
        }
        for yaml in ["a: {b: c}", "a: [[b]]", "a: [", "a: [{b: c}]"] {
            let file = YamlFile { path: "a.yaml".into(), text: yaml.to_owned() };
            let error = file.parse::<BTreeMap<String, Words>>().unwrap_err().to_string();
            assert!(error.starts_with("a.yaml is malformed: ") && !error.contains('\n'), "{error}");
        }
    }
}
