//! JSON Schemas of skills (2020-12 and draft 7): compiled once, nothing fetched, numbers exact.

use std::fmt;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::Value;

use super::declare::{CompileCode, CompileError};
use super::edit::Edit;
use super::mismatch::Mismatch;
use super::tree::Tree;

mod compare;
mod cost;
mod node;
mod numbers;
mod references;
mod repair;
mod violation;

use node::Raw;

/// The largest schema, in bytes.
const MAX_BYTES: usize = 64 * 1024;
/// The most looks that a schema may take on the way to one value: see [`cost::bound`].
const MAX_COST: u64 = 4_000;
/// The most errors that may have to be collected.
const MAX_ERRORS: u64 = 300_000;
/// The most violations that are looked into.
const MAX_VIOLATIONS: usize = 2_000;
/// The largest compiled pattern, in bytes.
const MAX_PATTERN: usize = 256 * 1024;

/// A compiled schema.
pub(super) struct Schema {
    validator: Validator<Raw>,
    source: Tree<'static>,
    /// See [`cost::bound`].
    cost: u64,
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Schema")
            .field("source", &self.source.to_json())
            .finish_non_exhaustive()
    }
}

impl Schema {
    /// Compiles a schema; `at` is where it stands in the declaration.
    pub fn compile(text: &str, at: &str) -> Result<Self, CompileError> {
        let bad = |reason: String| CompileError::new(CompileCode::BadSchema, at, reason);
        if text.len() > MAX_BYTES {
            let reason = "a schema has at most 65536 bytes";
            return Err(CompileError::new(CompileCode::TooLarge, at, reason));
        }
        let source = Tree::parse(text).map_err(|error| bad(error.to_string()))?;
        let value: Value = serde_json::from_str(text).map_err(|error| bad(error.to_string()))?;
        exact(&source, &value, at)?;
        let draft = draft(&source, at)?;
        references::check(&value, at)?;
        let cost = cost::bound(&value);
        if cost > MAX_COST {
            let reason =
                "the schema refers to itself on the same value, or looks at one value too often";
            return Err(CompileError::new(CompileCode::TooLarge, at, reason));
        }
        let options = jsonschema::options_for::<Raw>()
            .with_draft(draft)
            .offline()
            .should_validate_formats(true)
            // A payload must not make us compile a pattern.
            .with_format("regex", |_: &str| true)
            .with_pattern_options(PatternOptions::regex().size_limit(MAX_PATTERN));
        let validator = numbers::install(options)
            .build(&value)
            .map_err(|error| refused(&error, at))?;
        Ok(Self {
            validator,
            source: source.into_owned(),
            cost,
        })
    }

    /// Whether a value fits.
    pub fn fits(&self, tree: &Tree<'_>) -> bool {
        self.validator.is_valid(tree)
    }

    /// Every violation, each with the changes that mend it, if it has one certain repair.
    pub fn violations(&self, tree: &Tree<'static>) -> Vec<(Mismatch, Vec<Edit>)> {
        if self.fits(tree) {
            return Vec::new();
        }
        let entries = |error| violation::entries(&error, &self.source, tree);
        // The validator collects all errors before it hands out the first one of them, so a payload that
        // could have too many is told of one.
        let most = self.cost.saturating_mul(tree.count());
        let mut found: Vec<_> = if most > MAX_ERRORS {
            self.validator
                .validate(tree)
                .err()
                .map_or_else(Vec::new, entries)
        } else {
            let errors = self.validator.iter_errors(tree);
            errors.flat_map(entries).take(MAX_VIOLATIONS).collect()
        };
        if found.is_empty() {
            found.push(violation::whole(tree));
        }
        found
    }
}

fn draft(source: &Tree<'_>, at: &str) -> Result<Draft, CompileError> {
    let named = match source {
        Tree::Object(_) => source.get("$schema"),
        Tree::Bool(_) => None,
        _ => {
            let reason = "a schema is an object, true or false";
            return Err(CompileError::new(CompileCode::BadSchema, at, reason));
        }
    };
    let Some(named) = named else {
        return Ok(Draft::Draft202012);
    };
    let uri = named.as_str().unwrap_or_default().trim_end_matches('#');
    let uri = uri.strip_prefix("http://").or(uri.strip_prefix("https://"));
    match uri {
        Some("json-schema.org/draft/2020-12/schema") => Ok(Draft::Draft202012),
        Some("json-schema.org/draft-07/schema") => Ok(Draft::Draft7),
        _ => Err(CompileError::new(
            CompileCode::BadSchema,
            format!("{at}/$schema"),
            "JSON Schema 2020-12 or draft 7",
        )),
    }
}

/// The validator reads schemas through serde_json, whose fractions are floats: a number that would not
/// survive that is refused, so that every limit compared is the limit written.
fn exact(source: &Tree<'_>, value: &Value, at: &str) -> Result<(), CompileError> {
    match (source, value) {
        (Tree::Number(_), _) if !compare::equals_value(source, value) => Err(CompileError::new(
            CompileCode::PrecisionExceeded,
            at,
            "a number of a schema has at most 15 digits, or is a whole number of 64 bits",
        )),
        (Tree::Array(items), Value::Array(values)) => items
            .iter()
            .zip(values)
            .enumerate()
            .try_for_each(|(index, (item, value))| exact(item, value, &format!("{at}/{index}"))),
        (Tree::Object(members), Value::Object(values)) => {
            members.iter().try_for_each(|(name, item)| {
                let at = format!("{at}{}", super::pointer::step(name.as_str()));
                values
                    .get(name.as_str())
                    .map_or(Ok(()), |value| exact(item, value, &at))
            })
        }
        _ => Ok(()),
    }
}

fn refused(error: &jsonschema::ValidationError<'_>, at: &str) -> CompileError {
    let code = match error.kind() {
        ValidationErrorKind::Referencing(_) => CompileCode::BadReference,
        _ => CompileCode::BadSchema,
    };
    // The error of a schema is about the schema as an instance of its meta schema, or about its own place.
    let inside = match (error.instance_path().as_str(), error.schema_path().as_str()) {
        ("", place) => place,
        (place, _) => place,
    };
    let inside = if code == CompileCode::BadReference {
        ""
    } else {
        inside
    };
    CompileError::new(
        code,
        format!("{at}{inside}"),
        super::show::cut(&error.to_string()),
    )
}
