//! Lets the validator read our tree directly, with every number compared as text and never as a float.

use std::borrow::Cow;

use jsonschema::JsonType;
use jsonschema::json::{Array, Json, JsonNumber, Node, NodeIdentity, Object};
use serde_json::{Number, Value};

use super::compare::{self, Plain};
use crate::terms::tree::{Member, Text, Tree, find};

/// Our tree as a representation of JSON.
pub(super) struct Raw;

impl Json for Raw {
    type Node<'a> = &'a Tree<'a>;
    type PreparedKey = Box<str>;
    type StringBuffer = Tree<'static>;

    // Members are looked up one after the other, so a pass over them is cheap beside look-ups.
    const KEYS_PER_LOOKUP: usize = 4;
    const ACYCLIC: bool = true;

    fn prepare_key(key: &str) -> Box<str> {
        key.into()
    }

    fn with_string_node<T>(
        buffer: &mut Tree<'static>,
        string: &str,
        f: impl FnOnce(Self::Node<'_>) -> T,
    ) -> T {
        *buffer = Tree::text(string);
        f(buffer)
    }
}

impl<'a> Node<'a, Raw> for &'a Tree<'a> {
    type Object = Members<'a>;
    type Array = Items<'a>;
    type Number = RawNumber<'a>;

    fn as_object(&self) -> Option<Members<'a>> {
        match self {
            Tree::Object(members) => Some(Members(members)),
            _ => None,
        }
    }

    fn as_array(&self) -> Option<Items<'a>> {
        match self {
            Tree::Array(items) => Some(Items(items)),
            _ => None,
        }
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        match self {
            Tree::String(text) => Some(Cow::Borrowed(text.as_str())),
            _ => None,
        }
    }

    fn as_number(&self) -> Option<RawNumber<'a>> {
        match self {
            Tree::Number(text) => Some(RawNumber(text)),
            _ => None,
        }
    }

    fn as_boolean(&self) -> Option<bool> {
        match self {
            Tree::Bool(value) => Some(*value),
            _ => None,
        }
    }

    fn is_null(&self) -> bool {
        matches!(self, Tree::Null)
    }

    fn json_type(&self) -> JsonType {
        match self {
            Tree::Null => JsonType::Null,
            Tree::Bool(_) => JsonType::Boolean,
            Tree::Number(_) => JsonType::Number,
            Tree::String(_) => JsonType::String,
            Tree::Array(_) => JsonType::Array,
            Tree::Object(_) => JsonType::Object,
        }
    }

    fn equals_value(&self, expected: &Value) -> bool {
        compare::equals_value(self, expected)
    }

    /// Only errors ask for it, and ours read the tree instead: a copy would be cost without use.
    fn to_value(&self) -> Cow<'a, Value> {
        Cow::Owned(Value::Null)
    }

    fn identity(&self) -> Option<NodeIdentity> {
        Some(NodeIdentity::new(
            std::ptr::from_ref::<Tree<'_>>(self).addr(),
        ))
    }
}

/// The members of an object.
pub(super) struct Members<'a>(&'a [Member<'a>]);

impl<'a> Object<'a, Raw> for Members<'a> {
    type Node = &'a Tree<'a>;
    type MemberName = &'a str;
    type MembersIter = std::iter::Map<std::slice::Iter<'a, Member<'a>>, Split<'a>>;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&self, key: &Box<str>) -> Option<&'a Tree<'a>> {
        find(self.0, key).map(|(_, value)| value)
    }

    fn members(&self) -> Self::MembersIter {
        let split: Split<'a> = |(name, value)| (Text::as_str(name), value);
        self.0.iter().map(split)
    }
}

/// A member as the validator wants it.
type Split<'a> = fn(&'a Member<'a>) -> (&'a str, &'a Tree<'a>);

/// The items of an array.
pub(super) struct Items<'a>(&'a [Tree<'a>]);

impl<'a> Array<'a, Raw> for Items<'a> {
    type Node = &'a Tree<'a>;
    type ElementsIter = std::slice::Iter<'a, Tree<'a>>;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn elements(&self) -> Self::ElementsIter {
        self.0.iter()
    }

    fn is_unique(&self) -> bool {
        compare::distinct(self.0)
    }
}

/// A number as its text.
pub(super) struct RawNumber<'a>(&'a str);

impl JsonNumber for RawNumber<'_> {
    fn as_u64(&self) -> Option<u64> {
        self.0.parse().ok()
    }

    fn as_i64(&self) -> Option<i64> {
        self.0.parse().ok()
    }

    /// Never: all keywords that compare numbers are ours (`super::numbers`).
    fn as_f64(&self) -> Option<f64> {
        None
    }

    fn as_str(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.0)
    }

    fn to_number(&self) -> Cow<'_, Number> {
        Cow::Owned(Number::from(0))
    }

    fn is_integer(&self) -> bool {
        // Plain digits are by far the most frequent.
        !self.0.contains(['.', 'e', 'E']) || Plain::read(self.0).is_whole()
    }
}
