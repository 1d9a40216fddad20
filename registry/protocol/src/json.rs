//! Strict reading of JSON: one document, UTF-8, at most 64 levels, errors with a position.

use std::{cell::RefCell, collections::HashSet, fmt};

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// The deepest nesting that is read; `[[1]]` has depth 2.
pub const MAX_DEPTH: usize = 64;

/// How many repeated members are written down; more of them are noticed but not listed.
const MAX_DUPLICATES: usize = 64;

/// A document that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The value. Of a repeated member the last one is kept.
    pub value: Value,
    /// JSON pointers (RFC 6901) of members that occur more than once, at most 64 of them.
    pub duplicates: Vec<String>,
}

/// What is wrong with a text that is no acceptable JSON document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JsonErrorKind {
    /// Nothing but white space.
    Empty,
    /// Not UTF-8.
    NotUtf8,
    /// Not JSON at the position, or cut off there.
    Syntax,
    /// A `\u` escape that is half of a surrogate pair: JSON by its grammar, but no text.
    Surrogate,
    /// Nested deeper than [`MAX_DEPTH`].
    TooDeep,
    /// A second document, or other text, after the first.
    Trailing,
}

/// Why a text was not read, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason} at line {line}, column {column}")]
pub struct JsonError {
    /// The sort of mistake.
    pub kind: JsonErrorKind,
    /// Line of the mistake, from 1.
    pub line: usize,
    /// Column of the mistake in bytes, from 1.
    pub column: usize,
    /// A short phrase for people.
    pub reason: String,
}

/// Reads one JSON document.
///
/// # Errors
/// A [`JsonError`] with the position of the first mistake.
pub fn parse(bytes: &[u8]) -> Result<Parsed, JsonError> {
    let notes = RefCell::new(Notes::default());
    let value = read(
        bytes,
        &notes,
        Node {
            notes: &notes,
            depth: 0,
        },
    )?;
    Ok(Parsed {
        value,
        duplicates: notes.into_inner().duplicates,
    })
}

/// Judges one JSON document without building it.
///
/// Returns how many repeated members it holds when `duplicates` is asked for, else 0.
///
/// # Errors
/// The same as [`parse`].
pub fn check(bytes: &[u8], duplicates: bool) -> Result<usize, JsonError> {
    let notes = RefCell::new(Notes::default());
    read(
        bytes,
        &notes,
        Skip {
            notes: &notes,
            depth: 0,
            duplicates,
        },
    )?;
    Ok(notes.into_inner().repeated)
}

/// What a walk finds besides the value.
#[derive(Default)]
struct Notes {
    too_deep: bool,
    repeated: usize,
    duplicates: Vec<String>,
}

fn read<'de, S: DeserializeSeed<'de>>(
    bytes: &'de [u8],
    notes: &RefCell<Notes>,
    seed: S,
) -> Result<S::Value, JsonError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        at_offset(
            bytes,
            error.valid_up_to(),
            JsonErrorKind::NotUtf8,
            "not UTF-8 text",
        )
    })?;
    if text.trim_ascii().is_empty() {
        return Err(at_offset(
            bytes,
            bytes.len(),
            JsonErrorKind::Empty,
            "an empty text",
        ));
    }
    let mut source = serde_json::Deserializer::from_str(text);
    let value = seed
        .deserialize(&mut source)
        .map_err(|error| explain(&error, &notes.borrow()))?;
    source.end().map_err(|error| JsonError {
        kind: JsonErrorKind::Trailing,
        line: error.line(),
        column: error.column(),
        reason: "more text after the end of the document".into(),
    })?;
    Ok(value)
}

fn explain(error: &serde_json::Error, notes: &Notes) -> JsonError {
    let words = error.to_string();
    // The reader appends the position to its words; it is given apart here.
    let words = words
        .rsplit_once(" at line ")
        .map_or(words.as_str(), |(before, _)| before);
    let (kind, reason) = if notes.too_deep {
        (
            JsonErrorKind::TooDeep,
            format!("nested deeper than {MAX_DEPTH} levels"),
        )
    } else if words.contains("surrogate") || words.contains("end of hex escape") {
        (JsonErrorKind::Surrogate, "half of a surrogate pair".into())
    } else if error.is_eof() {
        (JsonErrorKind::Syntax, "the text ends too early".into())
    } else {
        (JsonErrorKind::Syntax, words.to_owned())
    };
    JsonError {
        kind,
        line: error.line().max(1),
        column: error.column().max(1),
        reason,
    }
}

fn at_offset(bytes: &[u8], offset: usize, kind: JsonErrorKind, reason: &str) -> JsonError {
    let before = bytes.get(..offset).unwrap_or(bytes);
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let column = before
        .iter()
        .rev()
        .take_while(|byte| **byte != b'\n')
        .count()
        + 1;
    JsonError {
        kind,
        line,
        column,
        reason: reason.to_owned(),
    }
}

/// Writes one step of a JSON pointer.
#[must_use]
pub fn pointer_step(key: &str) -> String {
    format!("/{}", key.replace('~', "~0").replace('/', "~1"))
}

fn deeper<E: de::Error>(depth: usize, notes: &RefCell<Notes>) -> Result<usize, E> {
    if depth >= MAX_DEPTH {
        notes.borrow_mut().too_deep = true;
        return Err(E::custom("too deep"));
    }
    Ok(depth + 1)
}

/// Builds a value.
#[derive(Clone, Copy)]
struct Node<'a> {
    notes: &'a RefCell<Notes>,
    depth: usize,
}

impl Node<'_> {
    /// Puts the step into the outer member in front of the pointers found below it.
    fn prefix(&self, from: usize, step: &str) {
        for found in self.notes.borrow_mut().duplicates.iter_mut().skip(from) {
            found.insert_str(0, step);
        }
    }

    fn found(&self) -> usize {
        self.notes.borrow().duplicates.len()
    }
}

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Value, D::Error> {
        source.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let inner = Node {
            depth: deeper(self.depth, self.notes)?,
            ..self
        };
        let mut list = Vec::new();
        loop {
            let from = self.found();
            let Some(item) = items.next_element_seed(inner)? else {
                break;
            };
            self.prefix(from, &format!("/{}", list.len()));
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let inner = Node {
            depth: deeper(self.depth, self.notes)?,
            ..self
        };
        let mut map = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            let from = self.found();
            let value = members.next_value_seed(inner)?;
            if self.found() > from {
                self.prefix(from, &pointer_step(&key));
            }
            if map.contains_key(&key) {
                let mut notes = self.notes.borrow_mut();
                notes.repeated += 1;
                let step = pointer_step(&key);
                if notes.duplicates.len() < MAX_DUPLICATES && !notes.duplicates.contains(&step) {
                    notes.duplicates.push(step);
                }
            }
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

/// Walks over a value and keeps nothing.
#[derive(Clone, Copy)]
struct Skip<'a> {
    notes: &'a RefCell<Notes>,
    depth: usize,
    duplicates: bool,
}

impl<'de> DeserializeSeed<'de> for Skip<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<(), D::Error> {
        source.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Skip<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let inner = Skip {
            depth: deeper(self.depth, self.notes)?,
            ..self
        };
        while items.next_element_seed(inner)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let inner = Skip {
            depth: deeper(self.depth, self.notes)?,
            ..self
        };
        if !self.duplicates {
            // Keys pass the same reader as strings do, so their escapes are judged as well.
            while members.next_key_seed(inner)?.is_some() {
                members.next_value_seed(inner)?;
            }
            return Ok(());
        }
        let mut seen = HashSet::new();
        while let Some(key) = members.next_key::<String>()? {
            members.next_value_seed(inner)?;
            if !seen.insert(key) {
                self.notes.borrow_mut().repeated += 1;
            }
        }
        Ok(())
    }
}
