//! Terms as an agent keeps them: the declaration itself, with its JSON as text.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::declare::{CompileError, Compiled, Source};
use super::pointer;
use super::tree::Tree;

/// A JSON value as its compact text, so that storing it changes no number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Json(String);

impl Json {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&Tree<'_>> for Json {
    fn from(tree: &Tree<'_>) -> Self {
        Self(tree.to_json())
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw = RawValue::from_string(self.0.clone()).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let tree = Tree::parse(raw.get()).map_err(D::Error::custom)?;
        Ok(Self::from(&tree))
    }
}

/// What an agent declares about the form of its data.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Terms {
    /// The four short keys; a null value means any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payload_schema: Option<BTreeMap<String, Option<String>>>,
    /// Entries for all skills, a JSON array.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terms: Option<Json>,
    /// By the id of the skill.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub skills: BTreeMap<String, SkillTerms>,
}

/// What holds for one skill.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SkillTerms {
    /// Entries of its own; one with the pointer of an agent's entry replaces it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terms: Option<Json>,
    /// JSON Schema of its input, 2020-12 or draft 7.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<Json>,
    /// JSON Schema of its output, 2020-12 or draft 7.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Json>,
}

impl Terms {
    /// Compiles what holds for a skill; for none, or one that declares nothing, what holds for all.
    ///
    /// # Errors
    /// [`CompileError`] with a pointer into this document: `/payload_schema…`, `/terms…`, `/skills/{id}/…`.
    pub fn compile(&self, skill: Option<&str>) -> Result<Compiled, CompileError> {
        let entry = skill.and_then(|id| self.skills.get_key_value(id));
        let own = entry.map(|(_, own)| own);
        let source = Source {
            payload_schema: self.payload_schema.as_ref(),
            terms: self.terms.as_ref().map(Json::as_str),
            skill_terms: own.and_then(|own| own.terms.as_ref()).map(Json::as_str),
            input_schema: own
                .and_then(|own| own.input_schema.as_ref())
                .map(Json::as_str),
            output_schema: own
                .and_then(|own| own.output_schema.as_ref())
                .map(Json::as_str),
        };
        Compiled::new(&source).map_err(|error| match entry {
            None => error,
            Some((id, _)) => {
                let at = format!("/skills{}", pointer::step(id));
                error
                    .moved("/skill_terms", &format!("{at}/terms"))
                    .moved("/input_schema", &format!("{at}/input_schema"))
                    .moved("/output_schema", &format!("{at}/output_schema"))
            }
        })
    }

    /// Compiles everything once, to refuse what does not compile before it is kept.
    ///
    /// # Errors
    /// As [`Terms::compile`].
    pub fn validate(&self) -> Result<(), CompileError> {
        self.compile(None)?;
        self.skills
            .keys()
            .try_for_each(|id| self.compile(Some(id)).map(drop))
    }
}
