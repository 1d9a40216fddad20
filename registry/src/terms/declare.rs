//! From a declaration to something that checks in microseconds; mistakes are found here, not at a call.

use std::collections::BTreeMap;

use super::pointer::Pattern;
use super::rule::{Measure, Rule};
use super::schema::Schema;
use super::sugar::{Key, Sugar};
use super::units::Dimension;
use super::{currency, entry, policy};
use super::{dates::DateFormat, decimal::Rounding};
use crate::digest::sha256_hex;

/// What an agent declared, as it was declared; JSON as text so that no number is changed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Source<'a> {
    /// The four short keys; a null value means any.
    pub payload_schema: Option<&'a BTreeMap<String, Option<String>>>,
    /// `terms[]` of the agent, a JSON array.
    pub terms: Option<&'a str>,
    /// `terms[]` of the skill; an entry replaces the agent's entry of the same pointer.
    pub skill_terms: Option<&'a str>,
    /// JSON Schema of the skill's input.
    pub input_schema: Option<&'a str>,
    /// JSON Schema of the skill's output.
    pub output_schema: Option<&'a str>,
}

/// What is wrong with a declaration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{pointer}: {reason}")]
pub struct CompileError {
    /// What kind of mistake it is.
    pub code: CompileCode,
    /// JSON Pointer (RFC 6901): `/payload_schema…`, `/terms…`, `/skill_terms…`, `/input_schema…`, `/output_schema…`.
    pub pointer: String,
    /// Why, for the one who declares.
    pub reason: String,
}

/// Kinds of mistakes in a declaration; a closed list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CompileCode {
    /// The text is no JSON, or JSON of another type than asked for.
    WrongType,
    /// A member that is not known.
    UnknownMember,
    /// A member that is needed.
    Missing,
    /// A pointer that is none, or `*` of a unit that do not follow those of its value.
    BadPointer,
    /// No such dimension.
    UnknownDimension,
    /// No such unit, currency or date format.
    UnknownUnit,
    /// A unit that measures something else.
    DimensionMismatch,
    /// A scale, rounding or factor outside its limits.
    BadValue,
    /// The same pointer twice.
    Duplicate,
    /// More entries than allowed, or a schema that is too large or would take too long.
    TooLarge,
    /// Not a JSON Schema of 2020-12 or draft 7.
    BadSchema,
    /// A reference to another document, or to nothing.
    BadReference,
    /// A number with more digits than a schema may have.
    PrecisionExceeded,
}

impl CompileCode {
    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WrongType => "wrong_type",
            Self::UnknownMember => "unknown_member",
            Self::Missing => "missing",
            Self::BadPointer => "bad_pointer",
            Self::UnknownDimension => "unknown_dimension",
            Self::UnknownUnit => "unknown_unit",
            Self::DimensionMismatch => "dimension_mismatch",
            Self::BadValue => "bad_value",
            Self::Duplicate => "duplicate",
            Self::TooLarge => "too_large",
            Self::BadSchema => "bad_schema",
            Self::BadReference => "bad_reference",
            Self::PrecisionExceeded => "precision_exceeded",
        }
    }
}

impl CompileError {
    pub(super) fn new(
        code: CompileCode,
        pointer: impl Into<String>,
        reason: impl Into<String>,
    ) -> Self {
        Self {
            code,
            pointer: pointer.into(),
            reason: reason.into(),
        }
    }

    /// The same mistake, seen from a document in which `from` stands at `to`.
    #[must_use]
    pub fn moved(mut self, from: &str, to: &str) -> Self {
        if let Some(rest) = self.pointer.strip_prefix(from) {
            self.pointer = format!("{to}{rest}");
        }
        self
    }
}

/// Which messages an entry of `terms[]` speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Direction {
    Request,
    Reply,
    #[default]
    Both,
}

impl Direction {
    pub fn covers(self, other: Self) -> bool {
        self == Self::Both || self == other
    }
}

/// An entry of `terms[]`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Field {
    pub pattern: Pattern,
    pub rule: Rule,
    pub unit_at: Option<Pattern>,
    pub direction: Direction,
}

/// Everything about units and formats.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Rules {
    pub sugar: Sugar,
    pub fields: Vec<Field>,
}

impl Rules {
    pub const fn is_empty(&self) -> bool {
        self.sugar.is_empty() && self.fields.is_empty()
    }
}

/// Terms ready to check payloads with; cheap to share behind an `Arc`.
#[derive(Debug, Default)]
pub struct Compiled {
    pub(super) rules: Rules,
    pub(super) input: Option<Schema>,
    pub(super) output: Option<Schema>,
    digest: String,
}

impl Compiled {
    /// Compiles a declaration.
    ///
    /// # Errors
    /// [`CompileError`] for the first mistake, with its place.
    pub fn new(source: &Source<'_>) -> Result<Self, CompileError> {
        let sugar = compile_sugar(source.payload_schema)?;
        let mut fields = entry::list(source.terms, "/terms")?;
        let own = entry::list(source.skill_terms, "/skill_terms")?;
        fields.retain(|field| !own.iter().any(|mine| mine.pattern == field.pattern));
        fields.extend(own);
        let schema =
            |text: Option<&str>, at: &str| text.map(|text| Schema::compile(text, at)).transpose();
        let input = schema(source.input_schema, "/input_schema")?;
        let output = schema(source.output_schema, "/output_schema")?;
        Ok(Self {
            rules: Rules { sugar, fields },
            input,
            output,
            digest: digest(source),
        })
    }

    /// Whether nothing is declared, so that every payload fits.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.input.is_none() && self.output.is_none()
    }

    /// SHA-256 of the declaration and of the tables of this program, in lower-case hex.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Terms made of others; for replies.
    pub(super) fn of_rules(rules: Rules, digest: String) -> Self {
        Self {
            rules,
            input: None,
            output: None,
            digest,
        }
    }
}

fn digest(source: &Source<'_>) -> String {
    let mut text = policy();
    for (key, value) in source.payload_schema.into_iter().flatten() {
        // A null says nothing, and so do the keys in another order.
        if let Some(value) = value {
            text.push_str(&format!("\n{key:?} {value:?}"));
        }
    }
    let parts = [
        source.terms,
        source.skill_terms,
        source.input_schema,
        source.output_schema,
    ];
    for part in parts {
        let compact = part.map(|text| {
            super::tree::Tree::parse(text).map_or_else(|_| text.to_owned(), |tree| tree.to_json())
        });
        text.push_str(&format!("\n{compact:?}"));
    }
    sha256_hex(text.as_bytes())
}

fn compile_sugar(schema: Option<&BTreeMap<String, Option<String>>>) -> Result<Sugar, CompileError> {
    let mut sugar = Sugar::default();
    for (key, value) in schema.into_iter().flatten() {
        let at = format!("/payload_schema{}", super::pointer::step(key));
        let Some(key) = [Key::Currency, Key::Weight, Key::Quantity, Key::Date]
            .into_iter()
            .find(|known| known.as_str() == key)
        else {
            let reason =
                "payload_schema has only currency, date_format, quantity_unit and weight_unit";
            return Err(CompileError::new(CompileCode::UnknownMember, at, reason));
        };
        let Some(text) = value
            .as_deref()
            .map(str::trim)
            .filter(|text| !text.is_empty())
        else {
            continue;
        };
        let rule = Some(sugar_rule(key, text, &at)?);
        match key {
            Key::Currency => sugar.currency = rule,
            Key::Weight => sugar.weight = rule,
            Key::Quantity => sugar.quantity = rule,
            Key::Date => sugar.date = rule,
        }
    }
    Ok(sugar)
}

fn sugar_rule(key: Key, text: &str, at: &str) -> Result<Rule, CompileError> {
    let dimension = match key {
        Key::Currency => Dimension::Money,
        Key::Weight => Dimension::Mass,
        // A quantity may be counted, or measured in any unit of the table.
        Key::Quantity => super::units::find(text).map_or(Dimension::Count, |unit| unit.dimension),
        Key::Date => Dimension::Date,
    };
    let (text, measure) = expected(text, dimension, &[], at)?;
    Ok(Rule {
        key: Some(key.as_str()),
        dimension,
        text,
        measure,
        scale: None,
        rounding: Rounding::default(),
        packs: Vec::new(),
    })
}

/// What a declared unit means; a currency is kept in capitals, everything else as it was written.
pub(super) fn expected(
    text: &str,
    dimension: Dimension,
    packs: &[(Box<str>, num_rational::BigRational)],
    at: &str,
) -> Result<(Box<str>, Measure), CompileError> {
    let unknown = |reason: String| CompileError::new(CompileCode::UnknownUnit, at, reason);
    match dimension {
        Dimension::Date => match DateFormat::parse(text) {
            Some(format) => Ok((text.into(), Measure::Date(format))),
            None => {
                let known: Vec<_> = DateFormat::ALL.iter().map(|one| one.as_str()).collect();
                let known = known.join(", ");
                Err(unknown(format!("no date format that is known: {known}")))
            }
        },
        Dimension::Money => match currency::find(text) {
            Some(found) => Ok((found.code.into(), Measure::Currency(found))),
            None => Err(unknown(format!("{text:?} is no active ISO 4217 code"))),
        },
        _ => match super::rule::measure(text, dimension, packs) {
            Some((found, measure)) if found == dimension => Ok((text.into(), measure)),
            Some((found, _)) if dimension != Dimension::Count => {
                let reason = format!(
                    "{text:?} measures {}, not {}",
                    found.as_str(),
                    dimension.as_str()
                );
                let code = CompileCode::DimensionMismatch;
                Err(CompileError::new(code, at, reason))
            }
            _ if dimension == Dimension::Count => Ok((text.into(), Measure::Pack(None))),
            _ => {
                let better = super::units::hint(text)
                    .map_or_else(String::new, |better| format!("; write {better}"));
                Err(unknown(format!("{text:?} is no unit of the table{better}")))
            }
        },
    }
}
