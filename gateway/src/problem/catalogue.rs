//! The closed list of failure codes: one table with HTTP status, JSON-RPC code and `retryable`.

/// What went wrong, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(
    missing_docs,
    reason = "each code is documented by its title in the table below"
)]
pub enum Code {
    MalformedRequest,
    MalformedJson,
    InvalidPublicKey,
    InvalidRequest,
    InvalidCursor,
    MissingContact,
    ReservedId,
    PayloadSchema,
    PriceNotAllowed,
    NoFilter,
    UnsupportedFilter,
    NotJson,
    NotAnAgentCard,
    CardTooLarge,
    CardTooDeep,
    TooManySkills,
    CardUnreachable,
    NoEndpoint,
    UnsupportedBinding,
    Unauthorized,
    InvalidKey,
    CallerMismatch,
    NotOwner,
    AgentSuspended,
    UnknownAgent,
    UnknownCall,
    UnknownKey,
    NotFound,
    MethodNotAllowed,
    RequestTimeout,
    AgentIdTaken,
    RevisionConflict,
    AgentPaused,
    AgentWithdrawn,
    PayloadTooLarge,
    UnsupportedMediaType,
    RateLimited,
    Internal,
    UpstreamUnreachable,
    UpstreamBroken,
    UpstreamTooLarge,
    UpstreamRefused,
    StoreUnavailable,
    Overloaded,
    NotReady,
    UpstreamTimeout,
}

/// A row of the catalogue.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The code.
    pub code: Code,
    /// Its name on the wire.
    pub name: &'static str,
    /// HTTP status.
    pub status: u16,
    /// JSON-RPC code on A2A doors.
    pub rpc: i32,
    /// Whether the same request may succeed later, or is safe to repeat.
    pub retryable: bool,
    /// One sentence for people; the same for every occurrence.
    pub title: &'static str,
}

const fn entry(
    code: Code,
    name: &'static str,
    status: u16,
    rpc: i32,
    retryable: bool,
    title: &'static str,
) -> Entry {
    Entry {
        code,
        name,
        status,
        rpc,
        retryable,
        title,
    }
}

/// JSON-RPC: the request is wrong.
const REQUEST: i32 = -32600;
/// JSON-RPC: a parameter is wrong.
const PARAMS: i32 = -32602;
/// JSON-RPC: our or the agent's fault.
const INTERNAL: i32 = -32603;
/// A2A: the agent's answer is no A2A.
const BAD_ANSWER: i32 = -32006;

/// All codes, in the order of [`Code`].
pub const CATALOGUE: [Entry; 46] = [
    entry(
        Code::MalformedRequest,
        "malformed_request",
        400,
        REQUEST,
        false,
        "The request is not well-formed HTTP",
    ),
    entry(
        Code::MalformedJson,
        "malformed_json",
        400,
        -32700,
        false,
        "The body is not well-formed JSON",
    ),
    entry(
        Code::InvalidPublicKey,
        "invalid_public_key",
        400,
        PARAMS,
        false,
        "The public key is not usable",
    ),
    entry(
        Code::InvalidRequest,
        "invalid_request",
        422,
        PARAMS,
        false,
        "A field is missing or outside its limits",
    ),
    entry(
        Code::InvalidCursor,
        "invalid_cursor",
        422,
        PARAMS,
        false,
        "The cursor does not belong to this question",
    ),
    entry(
        Code::MissingContact,
        "missing_contact",
        422,
        PARAMS,
        false,
        "A contact is missing",
    ),
    entry(
        Code::ReservedId,
        "reserved_id",
        422,
        PARAMS,
        false,
        "The id is reserved",
    ),
    entry(
        Code::PayloadSchema,
        "invalid_payload_schema",
        422,
        PARAMS,
        false,
        "payload_schema has an unknown member",
    ),
    entry(
        Code::PriceNotAllowed,
        "price_not_allowed",
        422,
        PARAMS,
        false,
        "A price is not possible here",
    ),
    entry(
        Code::NoFilter,
        "no_filter",
        422,
        PARAMS,
        false,
        "The search has no filter",
    ),
    entry(
        Code::UnsupportedFilter,
        "unsupported_filter",
        422,
        PARAMS,
        false,
        "The filter has no data behind it yet",
    ),
    entry(
        Code::NotJson,
        "not_json",
        422,
        PARAMS,
        false,
        "The card is not JSON",
    ),
    entry(
        Code::NotAnAgentCard,
        "not_an_agent_card",
        422,
        PARAMS,
        false,
        "The document is no agent card",
    ),
    entry(
        Code::CardTooLarge,
        "card_too_large",
        422,
        PARAMS,
        false,
        "The card is over 1 MiB",
    ),
    entry(
        Code::CardTooDeep,
        "card_too_deep",
        422,
        PARAMS,
        false,
        "The card is nested too deeply",
    ),
    entry(
        Code::TooManySkills,
        "too_many_skills",
        422,
        PARAMS,
        false,
        "The card has over 1,000 skills",
    ),
    entry(
        Code::CardUnreachable,
        "card_unreachable",
        422,
        PARAMS,
        true,
        "The card could not be fetched",
    ),
    entry(
        Code::NoEndpoint,
        "no_endpoint",
        422,
        PARAMS,
        false,
        "The agent takes no calls",
    ),
    entry(
        Code::UnsupportedBinding,
        "unsupported_binding",
        422,
        PARAMS,
        false,
        "The agent speaks no binding that this version calls",
    ),
    entry(
        Code::Unauthorized,
        "unauthorized",
        401,
        REQUEST,
        false,
        "A key is needed",
    ),
    entry(
        Code::InvalidKey,
        "invalid_key",
        401,
        REQUEST,
        false,
        "The key is unknown or was revoked",
    ),
    entry(
        Code::CallerMismatch,
        "caller_mismatch",
        403,
        REQUEST,
        false,
        "The key belongs to another agent than the body says",
    ),
    entry(
        Code::NotOwner,
        "not_owner",
        403,
        REQUEST,
        false,
        "The key belongs to another agent",
    ),
    entry(
        Code::AgentSuspended,
        "agent_suspended",
        403,
        REQUEST,
        false,
        "The operator suspended the agent",
    ),
    entry(
        Code::UnknownAgent,
        "unknown_agent",
        404,
        PARAMS,
        false,
        "No such agent",
    ),
    entry(
        Code::UnknownCall,
        "unknown_call",
        404,
        PARAMS,
        false,
        "No such call",
    ),
    entry(
        Code::UnknownKey,
        "unknown_key",
        404,
        PARAMS,
        false,
        "No such key",
    ),
    entry(
        Code::NotFound,
        "not_found",
        404,
        REQUEST,
        false,
        "No such door",
    ),
    entry(
        Code::MethodNotAllowed,
        "method_not_allowed",
        405,
        REQUEST,
        false,
        "The door does not take this method",
    ),
    entry(
        Code::RequestTimeout,
        "request_timeout",
        408,
        REQUEST,
        true,
        "The request came too slowly",
    ),
    entry(
        Code::AgentIdTaken,
        "agent_id_taken",
        409,
        PARAMS,
        false,
        "The agent id is taken",
    ),
    entry(
        Code::RevisionConflict,
        "revision_conflict",
        409,
        PARAMS,
        false,
        "The agent changed meanwhile",
    ),
    entry(
        Code::AgentPaused,
        "agent_paused",
        409,
        REQUEST,
        true,
        "The owner paused the agent",
    ),
    entry(
        Code::AgentWithdrawn,
        "agent_withdrawn",
        410,
        REQUEST,
        false,
        "The owner withdrew the agent",
    ),
    entry(
        Code::PayloadTooLarge,
        "payload_too_large",
        413,
        REQUEST,
        false,
        "The body is too large",
    ),
    entry(
        Code::UnsupportedMediaType,
        "unsupported_media_type",
        415,
        REQUEST,
        false,
        "The body is not of a type taken here",
    ),
    entry(
        Code::RateLimited,
        "rate_limited",
        429,
        INTERNAL,
        true,
        "Too many requests",
    ),
    entry(
        Code::Internal,
        "internal",
        500,
        INTERNAL,
        true,
        "The gateway failed",
    ),
    entry(
        Code::UpstreamUnreachable,
        "upstream_unreachable",
        502,
        INTERNAL,
        true,
        "The agent could not be reached",
    ),
    entry(
        Code::UpstreamBroken,
        "upstream_broken",
        502,
        BAD_ANSWER,
        false,
        "The agent's answer broke off or is no HTTP",
    ),
    entry(
        Code::UpstreamTooLarge,
        "upstream_too_large",
        502,
        BAD_ANSWER,
        false,
        "The agent's answer is over the cap",
    ),
    entry(
        Code::UpstreamRefused,
        "upstream_refused",
        502,
        INTERNAL,
        false,
        "The agent's address is one that is not called",
    ),
    entry(
        Code::StoreUnavailable,
        "store_unavailable",
        503,
        INTERNAL,
        true,
        "The store does not answer",
    ),
    entry(
        Code::Overloaded,
        "overloaded",
        503,
        INTERNAL,
        true,
        "Too many requests are being served",
    ),
    entry(
        Code::NotReady,
        "not_ready",
        503,
        INTERNAL,
        true,
        "The gateway is starting or stopping",
    ),
    entry(
        Code::UpstreamTimeout,
        "upstream_timeout",
        504,
        INTERNAL,
        false,
        "The agent did not answer in time",
    ),
];

impl Code {
    /// The row of this code.
    #[must_use]
    pub const fn entry(self) -> &'static Entry {
        &CATALOGUE[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_order_of_the_codes_and_no_name_twice() {
        for (index, entry) in CATALOGUE.iter().enumerate() {
            assert_eq!(entry.code as usize, index, "{}", entry.name);
            assert!(
                CATALOGUE[..index]
                    .iter()
                    .all(|other| other.name != entry.name),
                "{}",
                entry.name
            );
        }
    }
}
