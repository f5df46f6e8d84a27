//! The constants of a problem package: `{{name}}` in a program or in the file of a group of tests stands for a value.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use itertools::Itertools;
use runner::escape::with_values;
use runner::sources::Builder;
use runner::sources::folder::{self, BuiltProgram};
use serde_json::{Map, Value};

use crate::trials::problem::format::text_of;

/// The values of the constants. The key of a value is the text that it replaces, such as `{{name}}` or `{{name.form}}`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constants(BTreeMap<String, String>);

impl Constants {
    /// Reads a map of constants. A constant is its value, or a map with the key `value` and keys for other forms of the value.
    pub(crate) fn read(value: &Value) -> Result<Self, String> {
        let mut values = BTreeMap::new();
        for (name, constant) in value.as_object().ok_or("expected a map of keys")? {
            let plain = Map::from_iter([("value".to_owned(), constant.clone())]);
            for (form, value) in constant.as_object().unwrap_or(&plain) {
                let value = value.as_str().ok_or_else(|| format!("{name}: expected a text or a number"))?;
                if form == "value" {
                    values.insert(format!("{{{{{name}}}}}"), value.to_owned());
                }
                values.insert(format!("{{{{{name}.{form}}}}}"), value.to_owned());
            }
        }
        Ok(Self(values))
    }

    /// Returns a text with the values in place of the constants; `None` if the text has no constants.
    pub(crate) fn replaced(&self, text: &str) -> Option<String> {
        let values = self.0.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())).collect_vec();
        let replaced = String::from_utf8(with_values(text.as_bytes(), &values)).ok()?;
        (replaced != text).then_some(replaced)
    }

    /// Builds a program, which is a file or a folder. If it has constants, builds a copy with the values in their place.
    pub(crate) fn build(&self, program: &Path, builder: Builder<'_>) -> anyhow::Result<BuiltProgram> {
        if let Some(name) = program.file_name().filter(|_| !self.0.is_empty()) {
            let files = tempfile::Builder::new().prefix("judge-program-").tempdir()?;
            let copy = files.path().join(name);
            folder::copy(program, &copy, 0)?;
            if self.replace_in(&copy)? {
                let mut built = builder.build(&copy)?;
                built.files.push(files);
                return Ok(built);
            }
        }
        builder.build(program)
    }

    /// Replaces the constants in a file, or in all files of a folder except hidden ones. Returns whether there were any.
    fn replace_in(&self, path: &Path) -> anyhow::Result<bool> {
        if path.is_dir() {
            let mut is_replaced = false;
            for inner in folder::entries(path)? {
                is_replaced |= self.replace_in(&inner)?;
            }
            return Ok(is_replaced);
        }
        let Some(text) = text_of(path).and_then(|text| self.replaced(&text)) else { return Ok(false) };
        let permissions = fs::metadata(path)?.permissions();
        // Remove the file instead of overwriting it, because the copy of a read-only file is read-only too.
        fs::remove_file(path)?;
        fs::write(path, text)?;
        fs::set_permissions(path, permissions)?;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trials::problem::yaml::parse;

    #[test]
    fn values_replace_constants() {
        let read = |yaml: &str| Constants::read(&parse(yaml).unwrap());
        let constants = read(
            "{A: '{{K}}', K: 5, half: 0.5, word: many, big: {value: 5000000, tex: '5{,}000', other: 1}}",
        )
        .unwrap();
        for (text, expected) in [
            ("n = {{K}}", "n = 5"),
            ("{{A}} {{K}}", "{{K}} 5"),
            ("{{half}}{{word}}", "0.5many"),
            ("{{{K}}}", "{5}"),
            ("{{big}} {{big.value}} {{big.tex}}", "5000000 5000000 5{,}000"),
            ("{{ {{K}}", "{{ 5"),
        ] {
            assert_eq!(constants.replaced(text).unwrap(), expected, "{text}");
        }
        for text in ["", "K", "{{k}}", "{{K.tex}}", "{{K", "{{ K }}", "{{big.no}}"] {
            assert_eq!(constants.replaced(text), None, "{text}");
        }
        assert!(read("{K: [1]}").is_err());
    }
}
