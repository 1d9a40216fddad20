//! Why a signed request is refused; a closed list with stable names.

/// The first reason against a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Refusal {
    /// Neither `Signature-Input` nor `Signature` is there: the request is not signed.
    #[error("the request is not signed")]
    NotSigned,
    /// One of `Signature-Input`, `Signature` and `Content-Digest` is there without the others.
    #[error("the header {0} is missing")]
    HeaderMissing(&'static str),
    /// More than one signature, or a header in several lines.
    #[error("a request has exactly one signature")]
    SeveralSignatures,
    /// A header is no structured field (RFC 9651) as RFC 9421 writes it.
    #[error("the header {0} is not written as RFC 9421 has it")]
    Malformed(&'static str),
    /// The two headers have different labels.
    #[error("Signature and Signature-Input have different labels")]
    LabelMismatch,
    /// A component that must be covered is not.
    #[error("the signature does not cover {0}")]
    ComponentMissing(&'static str),
    /// A component is covered that cannot be known here, or is not in the request.
    #[error("the signature covers something that is not in the request")]
    ComponentUnknown,
    /// A component is covered twice.
    #[error("the signature covers a component twice")]
    ComponentRepeated,
    /// A parameter that must be there is not.
    #[error("the signature has no parameter {0}")]
    ParameterMissing(&'static str),
    /// A parameter that RFC 9421 does not have, or one that stands twice.
    #[error("the signature has a parameter that is unknown or repeated")]
    ParameterUnknown,
    /// Another algorithm than `ed25519`, or a key of another kind.
    #[error("only ed25519 is taken")]
    Algorithm,
    /// Another `tag` than the one asked for.
    #[error("the signature is meant for something else")]
    Tag,
    /// Letters of upper case in a key id where only lower case is taken.
    #[error("key ids are written in lower case")]
    KeyIdCase,
    /// No key of that id.
    #[error("no key of that id is known")]
    UnknownKey,
    /// Made longer ago than the window.
    #[error("the signature is too old")]
    TooOld,
    /// Made in the future.
    #[error("the signature was made in the future")]
    TooEarly,
    /// Past its own `expires`, or one that lies before `created`.
    #[error("the signature has expired")]
    Expired,
    /// `Content-Digest` has no `sha-256` (RFC 9530).
    #[error("the content digest has no sha-256")]
    DigestMissing,
    /// The body is not what the digest says.
    #[error("the body does not fit the content digest")]
    DigestMismatch,
    /// The signature is not the key's over this request.
    #[error("the signature does not fit the request")]
    BadSignature,
}

impl Refusal {
    /// A stable name for programs.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::NotSigned => "not_signed",
            Self::HeaderMissing(_) => "header_missing",
            Self::SeveralSignatures => "several_signatures",
            Self::Malformed(_) => "malformed",
            Self::LabelMismatch => "label_mismatch",
            Self::ComponentMissing(_) => "component_missing",
            Self::ComponentUnknown => "component_unknown",
            Self::ComponentRepeated => "component_repeated",
            Self::ParameterMissing(_) => "parameter_missing",
            Self::ParameterUnknown => "parameter_unknown",
            Self::Algorithm => "algorithm",
            Self::Tag => "tag",
            Self::KeyIdCase => "key_id_case",
            Self::UnknownKey => "unknown_key",
            Self::TooOld => "too_old",
            Self::TooEarly => "too_early",
            Self::Expired => "expired",
            Self::DigestMissing => "digest_missing",
            Self::DigestMismatch => "digest_mismatch",
            Self::BadSignature => "bad_signature",
        }
    }
}
