//! Checks JSON against the schemas in docs/. Only the keywords that they use are known.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Mutex;

use serde_json::Value;

use super::root;

#[track_caller]
pub fn assert_follows(file: &str, part: &str, line: &Value) {
    let schema = read(file);
    if let Err(error) = check(schema, schema.pointer(part).unwrap(), line) {
        panic!("{error}\n{line}");
    }
}

/// Returns the schema in a file in docs/, which is read once.
pub fn read(name: &str) -> &'static Value {
    static READ: Mutex<BTreeMap<String, &Value>> = Mutex::new(BTreeMap::new());
    let from_file = || {
        let text = fs::read_to_string(root().join("docs").join(name)).unwrap();
        &*Box::leak(Box::new(serde_json::from_str(&text).unwrap()))
    };
    READ.lock().unwrap().entry(name.to_owned()).or_insert_with(from_file)
}

fn check(root: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    for (keyword, rule) in schema.as_object().unwrap() {
        let is_met = match keyword.as_str() {
            "$schema" | "$defs" | "title" => true,
            "$ref" => {
                let target = rule.as_str().unwrap();
                let (file, pointer) = target.split_once('#').unwrap_or((target, ""));
                let other = if file.is_empty() { root } else { read(file) };
                check(other, other.pointer(pointer).unwrap(), value)?;
                true
            }
            "type" => match rule {
                Value::Array(types) => types.iter().any(|name| has_type(value, name)),
                name => has_type(value, name),
            },
            "const" => value == rule,
            "enum" => rule.as_array().unwrap().contains(value),
            "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().unwrap()),
            "anyOf" => rule.as_array().unwrap().iter().any(|schema| check(root, schema, value).is_ok()),
            "items" => {
                value.as_array().into_iter().flatten().try_for_each(|item| check(root, rule, item))?;
                true
            }
            "required" => {
                let names = rule.as_array().unwrap();
                !value.is_object() || names.iter().all(|name| value.get(name.as_str().unwrap()).is_some())
            }
            "properties" => {
                for (name, field) in value.as_object().into_iter().flatten() {
                    let schema = rule.get(name).map_or(Ok(()), |schema| check(root, schema, field));
                    schema.map_err(|error| format!("{name}: {error}"))?;
                }
                true
            }
            "additionalProperties" => {
                let is_known = |name: &String| schema["properties"].get(name).is_some();
                value.as_object().is_none_or(|fields| fields.keys().all(is_known))
            }
            other => panic!("unknown keyword {other}"),
        };
        if !is_met {
            return Err(format!("expected {keyword} {rule}, got {value}"));
        }
    }
    Ok(())
}

fn has_type(value: &Value, name: &Value) -> bool {
    match name.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("unknown type {other}"),
    }
}
