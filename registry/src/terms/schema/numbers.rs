//! The keywords that compare numbers, exact: in place of the validator's own, which would use floats.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::sync::Arc;

use jsonschema::paths::Location;
use jsonschema::{Keyword, Retrieve, ValidationError, ValidationOptions};
use serde_json::{Map, Value};

use super::compare::{self, Plain};
use super::node::Raw;
use crate::terms::tree::Tree;

/// What a keyword of a factory is made of.
type Made<'a> = Result<Box<dyn for<'i> Keyword<'i, Raw>>, ValidationError<'a>>;

/// How a validator of our trees is built.
pub(super) type Options = ValidationOptions<'static, Arc<dyn Retrieve>, Raw>;

/// Puts our keywords in the place of the validator's.
pub(super) fn install(options: Options) -> Options {
    options
        .with_keyword("minimum", |_: &Map<_, _>, limit: &Value, _: Location| {
            bound(limit, |order| order.is_ge())
        })
        .with_keyword("maximum", |_: &Map<_, _>, limit: &Value, _: Location| {
            bound(limit, |order| order.is_le())
        })
        .with_keyword(
            "exclusiveMinimum",
            |_: &Map<_, _>, limit: &Value, _: Location| bound(limit, |order| order.is_gt()),
        )
        .with_keyword(
            "exclusiveMaximum",
            |_: &Map<_, _>, limit: &Value, _: Location| bound(limit, |order| order.is_lt()),
        )
        .with_keyword("multipleOf", |_: &Map<_, _>, of: &Value, _: Location| {
            Ok(boxed(Multiple(Plain::read(&of.to_string()))))
        })
        .with_keyword("const", |_: &Map<_, _>, only: &Value, _: Location| {
            Ok(boxed(OneOf::new(std::slice::from_ref(only))))
        })
        .with_keyword("enum", |_: &Map<_, _>, list: &Value, _: Location| {
            Ok(boxed(OneOf::new(
                list.as_array().map_or(&[], Vec::as_slice),
            )))
        })
}

fn boxed<K: for<'i> Keyword<'i, Raw> + 'static>(keyword: K) -> Box<dyn for<'i> Keyword<'i, Raw>> {
    Box::new(keyword)
}

fn bound<'a>(limit: &Value, holds: fn(Ordering) -> bool) -> Made<'a> {
    Ok(boxed(Bound {
        quick: compare::quick(&limit.to_string()),
        limit: Plain::read(&limit.to_string()),
        holds,
    }))
}

struct Bound {
    limit: Plain,
    /// The same for numbers of common size, without a copy of their digits.
    quick: Option<i128>,
    holds: fn(Ordering) -> bool,
}

struct Multiple(Plain);

/// The values of an `enum`, found by hashing: a long list must not be walked for every item.
#[derive(Default)]
struct OneOf {
    texts: HashSet<Box<str>>,
    others: HashSet<String>,
}

impl OneOf {
    fn new(values: &[Value]) -> Self {
        let mut all = Self::default();
        for value in values {
            match value {
                Value::String(text) => all.texts.insert(text.as_str().into()),
                other => all.others.insert(compare::key_of_value(other)),
            };
        }
        all
    }
}

impl<'i> Keyword<'i, Raw> for Bound {
    fn validate(&self, instance: &'i Tree<'i>) -> Result<(), ValidationError<'i>> {
        judged(self.is_valid(instance))
    }

    fn is_valid(&self, instance: &'i Tree<'i>) -> bool {
        match instance {
            Tree::Number(text) => {
                let quick = self.quick.zip(compare::quick(text));
                (self.holds)(match quick {
                    Some((limit, number)) => number.cmp(&limit),
                    None => Plain::read(text).order(&self.limit),
                })
            }
            _ => true,
        }
    }
}

impl<'i> Keyword<'i, Raw> for Multiple {
    fn validate(&self, instance: &'i Tree<'i>) -> Result<(), ValidationError<'i>> {
        judged(self.is_valid(instance))
    }

    fn is_valid(&self, instance: &'i Tree<'i>) -> bool {
        match instance {
            Tree::Number(text) => Plain::read(text).is_multiple_of(&self.0),
            _ => true,
        }
    }
}

impl<'i> Keyword<'i, Raw> for OneOf {
    fn validate(&self, instance: &'i Tree<'i>) -> Result<(), ValidationError<'i>> {
        judged(self.is_valid(instance))
    }

    fn is_valid(&self, instance: &'i Tree<'i>) -> bool {
        match instance {
            Tree::String(text) => self.texts.contains(text.as_str()),
            other => !self.others.is_empty() && self.others.contains(&compare::key(other)),
        }
    }
}

/// The words of an error are made elsewhere, from the keyword and the schema.
fn judged<'i>(valid: bool) -> Result<(), ValidationError<'i>> {
    if valid {
        return Ok(());
    }
    Err(ValidationError::custom("does not hold"))
}
