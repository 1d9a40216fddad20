//! Which members of a card count as set, by the protocol buffers of A2A 1.0 (section 8.4.1).
//!
//! Required members and those that are explicitly optional count whenever they are there; all others
//! only when they differ from their default: empty text, `false`, an empty list or map. A message
//! counts when it is there. `null` is unset everywhere.

use serde_json::{Map, Value};

/// What happens to members that 1.0 does not know.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Others {
    /// They stay as they are.
    Kept,
    /// They go, as in a typed reader.
    Dropped,
}

/// What a member holds.
#[derive(Clone, Copy)]
enum Holds {
    /// A text or a flag.
    Scalar,
    /// A list or map of texts.
    Scalars,
    /// An object with members of its own.
    One(&'static [Field]),
    /// A list of such objects.
    List(&'static [Field]),
    /// A map with such objects as values.
    Map(&'static [Field]),
    /// JSON of any kind, kept to the letter.
    Free,
}

/// A member of a message.
struct Field {
    name: &'static str,
    holds: Holds,
    /// Counts as set even at its default: required, or optional with presence.
    explicit: bool,
}

const fn kept(name: &'static str, holds: Holds) -> Field {
    Field {
        name,
        holds,
        explicit: true,
    }
}

const fn plain(name: &'static str, holds: Holds) -> Field {
    Field {
        name,
        holds,
        explicit: false,
    }
}

const CARD: &[Field] = &[
    kept("name", Holds::Scalar),
    kept("description", Holds::Scalar),
    kept("supportedInterfaces", Holds::List(INTERFACE)),
    plain("provider", Holds::One(PROVIDER)),
    kept("version", Holds::Scalar),
    kept("documentationUrl", Holds::Scalar),
    kept("capabilities", Holds::One(CAPABILITIES)),
    plain("securitySchemes", Holds::Map(SCHEME)),
    plain("securityRequirements", Holds::List(REQUIREMENT)),
    kept("defaultInputModes", Holds::Scalars),
    kept("defaultOutputModes", Holds::Scalars),
    kept("skills", Holds::List(SKILL)),
    kept("iconUrl", Holds::Scalar),
];

const INTERFACE: &[Field] = &[
    kept("url", Holds::Scalar),
    kept("protocolBinding", Holds::Scalar),
    plain("tenant", Holds::Scalar),
    kept("protocolVersion", Holds::Scalar),
];

const PROVIDER: &[Field] = &[
    kept("url", Holds::Scalar),
    kept("organization", Holds::Scalar),
];

const CAPABILITIES: &[Field] = &[
    kept("streaming", Holds::Scalar),
    kept("pushNotifications", Holds::Scalar),
    plain("extensions", Holds::List(EXTENSION)),
    kept("extendedAgentCard", Holds::Scalar),
];

const EXTENSION: &[Field] = &[
    plain("uri", Holds::Scalar),
    plain("description", Holds::Scalar),
    plain("required", Holds::Scalar),
    plain("params", Holds::Free),
];

const SKILL: &[Field] = &[
    kept("id", Holds::Scalar),
    kept("name", Holds::Scalar),
    kept("description", Holds::Scalar),
    kept("tags", Holds::Scalars),
    plain("examples", Holds::Scalars),
    plain("inputModes", Holds::Scalars),
    plain("outputModes", Holds::Scalars),
    plain("securityRequirements", Holds::List(REQUIREMENT)),
];

const REQUIREMENT: &[Field] = &[plain("schemes", Holds::Map(SCOPES))];

const SCOPES: &[Field] = &[plain("list", Holds::Scalars)];

const SCHEME: &[Field] = &[
    plain("apiKeySecurityScheme", Holds::One(API_KEY)),
    plain("httpAuthSecurityScheme", Holds::One(HTTP_AUTH)),
    plain("oauth2SecurityScheme", Holds::One(OAUTH2)),
    plain("openIdConnectSecurityScheme", Holds::One(OPEN_ID)),
    plain("mtlsSecurityScheme", Holds::One(MUTUAL_TLS)),
];

const API_KEY: &[Field] = &[
    plain("description", Holds::Scalar),
    kept("location", Holds::Scalar),
    kept("name", Holds::Scalar),
];

const HTTP_AUTH: &[Field] = &[
    plain("description", Holds::Scalar),
    kept("scheme", Holds::Scalar),
    plain("bearerFormat", Holds::Scalar),
];

const OAUTH2: &[Field] = &[
    plain("description", Holds::Scalar),
    kept("flows", Holds::One(FLOWS)),
    plain("oauth2MetadataUrl", Holds::Scalar),
];

const OPEN_ID: &[Field] = &[
    plain("description", Holds::Scalar),
    kept("openIdConnectUrl", Holds::Scalar),
];

const MUTUAL_TLS: &[Field] = &[plain("description", Holds::Scalar)];

const FLOWS: &[Field] = &[
    plain("authorizationCode", Holds::One(AUTHORIZATION_CODE)),
    plain("clientCredentials", Holds::One(CLIENT_CREDENTIALS)),
    plain("implicit", Holds::One(IMPLICIT)),
    plain("password", Holds::One(PASSWORD)),
    plain("deviceCode", Holds::One(DEVICE_CODE)),
];

const AUTHORIZATION_CODE: &[Field] = &[
    kept("authorizationUrl", Holds::Scalar),
    kept("tokenUrl", Holds::Scalar),
    plain("refreshUrl", Holds::Scalar),
    kept("scopes", Holds::Scalars),
    plain("pkceRequired", Holds::Scalar),
];

const CLIENT_CREDENTIALS: &[Field] = &[
    kept("tokenUrl", Holds::Scalar),
    plain("refreshUrl", Holds::Scalar),
    kept("scopes", Holds::Scalars),
];

const IMPLICIT: &[Field] = &[
    plain("authorizationUrl", Holds::Scalar),
    plain("refreshUrl", Holds::Scalar),
    plain("scopes", Holds::Scalars),
];

const PASSWORD: &[Field] = &[
    plain("tokenUrl", Holds::Scalar),
    plain("refreshUrl", Holds::Scalar),
    plain("scopes", Holds::Scalars),
];

const DEVICE_CODE: &[Field] = &[
    kept("deviceAuthorizationUrl", Holds::Scalar),
    kept("tokenUrl", Holds::Scalar),
    plain("refreshUrl", Holds::Scalar),
    kept("scopes", Holds::Scalars),
];

/// The card without members that do not count as set.
pub(super) fn without_absent(card: &Map<String, Value>, others: Others) -> Value {
    Value::Object(message(card, CARD, others))
}

/// The value without empty texts, lists and objects and without `null`, to the bottom; `None` when
/// nothing is left.
pub(super) fn without_empty(value: &Value) -> Option<Value> {
    match value {
        Value::Null => None,
        Value::String(text) if text.is_empty() => None,
        Value::Array(items) => {
            let items: Vec<_> = items.iter().filter_map(without_empty).collect();
            (!items.is_empty()).then_some(Value::Array(items))
        }
        Value::Object(members) => {
            let members: Map<_, _> = members
                .iter()
                .filter_map(|(name, member)| Some((name.clone(), without_empty(member)?)))
                .collect();
            (!members.is_empty()).then_some(Value::Object(members))
        }
        scalar => Some(scalar.clone()),
    }
}

fn message(members: &Map<String, Value>, fields: &[Field], others: Others) -> Map<String, Value> {
    let mut out = Map::new();
    for (name, value) in members {
        let Some(field) = fields.iter().find(|field| field.name == name) else {
            if others == Others::Kept {
                out.insert(name.clone(), value.clone());
            }
            continue;
        };
        // The default of a message is not to be there; an empty one is set.
        let is_message = matches!(field.holds, Holds::One(_) | Holds::Free);
        if value.is_null() || (!field.explicit && !is_message && is_default(value)) {
            continue;
        }
        out.insert(name.clone(), held(value, field.holds, others));
    }
    out
}

fn held(value: &Value, holds: Holds, others: Others) -> Value {
    let inner = |value: &Value, fields| match value {
        Value::Object(members) => Value::Object(message(members, fields, others)),
        // The wrong kind of value is not for this place to judge.
        other => other.clone(),
    };
    match (holds, value) {
        (Holds::One(fields), value) => inner(value, fields),
        (Holds::List(fields), Value::Array(items)) => {
            items.iter().map(|item| inner(item, fields)).collect()
        }
        (Holds::Map(fields), Value::Object(members)) => members
            .iter()
            .map(|(name, member)| (name.clone(), inner(member, fields)))
            .collect::<Map<_, _>>()
            .into(),
        (_, value) => value.clone(),
    }
}

fn is_default(value: &Value) -> bool {
    match value {
        Value::Bool(flag) => !flag,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}
