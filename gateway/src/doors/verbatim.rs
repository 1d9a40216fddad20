//! JSON that is kept as it came, byte for byte.

use std::borrow::Cow;

use poem_openapi::registry::{MetaSchema, MetaSchemaRef};
use poem_openapi::types::{ParseError, ParseFromJSON, ParseResult, ToJSON, Type};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// Any JSON value in its original bytes.
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Verbatim(pub(super) Box<RawValue>);

impl Verbatim {
    pub(super) fn text(&self) -> &str {
        self.0.get()
    }

    pub(super) fn into_raw(self) -> Box<RawValue> {
        self.0
    }
}

impl Type for Verbatim {
    const IS_REQUIRED: bool = true;

    type RawValueType = Self;
    type RawElementValueType = Self;

    fn name() -> Cow<'static, str> {
        "any".into()
    }

    fn schema_ref() -> MetaSchemaRef {
        MetaSchemaRef::Inline(Box::new(MetaSchema::ANY))
    }

    fn as_raw_value(&self) -> Option<&Self> {
        Some(self)
    }

    fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self> + 'a> {
        Box::new(std::iter::once(self))
    }
}

impl ParseFromJSON for Verbatim {
    fn parse_from_json(value: Option<Value>) -> ParseResult<Self> {
        serde_json::value::to_raw_value(&value.unwrap_or_default())
            .map(Self)
            .map_err(ParseError::custom)
    }
}

impl ToJSON for Verbatim {
    fn to_json(&self) -> Option<Value> {
        serde_json::from_str(self.0.get()).ok()
    }
}
