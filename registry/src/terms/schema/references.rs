//! References of a schema: within the document only, and not so many in a row that following them takes the stack.

use std::collections::HashSet;

use serde_json::Value;

use crate::terms::declare::{CompileCode, CompileError};
use crate::terms::pointer;

/// The most levels of all targets together: no way through the schema is longer than that and its own depth.
const MAX_LEVELS: usize = 200;

/// Keywords whose values are data and no schemas.
const DATA: [&str; 4] = ["const", "enum", "default", "examples"];

/// Looks at every reference.
pub(super) fn check(schema: &Value, at: &str) -> Result<(), CompileError> {
    let mut targets = Targets {
        root: schema,
        seen: HashSet::new(),
        levels: 0,
    };
    targets.walk(schema, at, true)?;
    if targets.levels > MAX_LEVELS {
        let reason = "the targets of references have more than 200 levels together";
        return Err(CompileError::new(CompileCode::TooLarge, at, reason));
    }
    Ok(())
}

struct Targets<'s> {
    root: &'s Value,
    seen: HashSet<usize>,
    levels: usize,
}

impl<'s> Targets<'s> {
    fn walk(&mut self, value: &'s Value, at: &str, root: bool) -> Result<(), CompileError> {
        match value {
            Value::Object(members) => members.iter().try_for_each(|(name, value)| {
                let at = format!("{at}{}", pointer::step(name));
                match (name.as_str(), value.as_str()) {
                    ("$ref" | "$dynamicRef", Some(text)) => self.reference(text, at),
                    // An inner $id would give references below it another meaning.
                    ("$id", Some(text)) if !root && !text.starts_with('#') => Err(bad(
                        at,
                        "only the schema as a whole has an $id; name a part with $anchor",
                    )),
                    (name, _) if DATA.contains(&name) => Ok(()),
                    _ => self.walk(value, &at, false),
                }
            }),
            Value::Array(items) => items
                .iter()
                .enumerate()
                .try_for_each(|(index, item)| self.walk(item, &format!("{at}/{index}"), false)),
            _ => Ok(()),
        }
    }

    fn reference(&mut self, text: &str, at: String) -> Result<(), CompileError> {
        let Some(target) = target(self.root, text) else {
            return Err(bad(
                at,
                "a reference begins with # and names a part of this schema, without % escapes; nothing is fetched",
            ));
        };
        if self.seen.insert(std::ptr::from_ref(target).addr()) {
            self.levels += levels(target);
        }
        Ok(())
    }
}

fn bad(at: String, reason: &str) -> CompileError {
    CompileError::new(CompileCode::BadReference, at, reason)
}

fn levels(value: &Value) -> usize {
    match value {
        Value::Object(members) => 1 + members.values().map(levels).max().unwrap_or(0),
        Value::Array(items) => 1 + items.iter().map(levels).max().unwrap_or(0),
        _ => 0,
    }
}

/// The schema that a reference within the document names: a pointer, or an anchor.
pub(super) fn target<'s>(root: &'s Value, reference: &str) -> Option<&'s Value> {
    match reference.strip_prefix('#')? {
        "" => Some(root),
        pointer if pointer.starts_with('/') => root.pointer(pointer),
        anchor => search(root, anchor),
    }
}

fn search<'s>(schema: &'s Value, name: &str) -> Option<&'s Value> {
    match schema {
        Value::Object(members) => {
            let text = |keyword: &str| members.get(keyword).and_then(Value::as_str);
            let anchors = [
                text("$anchor"),
                text("$dynamicAnchor"),
                text("$id").and_then(|text| text.strip_prefix('#')),
            ];
            if anchors.contains(&Some(name)) {
                return Some(schema);
            }
            members.values().find_map(|value| search(value, name))
        }
        Value::Array(items) => items.iter().find_map(|value| search(value, name)),
        _ => None,
    }
}
