//! The HTTP and gRPC status of every code, by the patch of 1.0 (5.4 of the specification).

use crate::a2a::rpc::ErrorCode;

/// A patch of A2A 1.0; they differ in the status of errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Patch {
    /// 1.0.0, which the test kit of 1.0 still asks for.
    #[default]
    V1_0_0,
    /// 1.0.1.
    V1_0_1,
}

/// Code, HTTP status, gRPC status; each in 1.0.0 and 1.0.1.
type Row = (ErrorCode, [u16; 2], [&'static str; 2]);

const FAILED: &str = "FAILED_PRECONDITION";
const INVALID: &str = "INVALID_ARGUMENT";
const UNIMPLEMENTED: &str = "UNIMPLEMENTED";

const ROWS: [Row; 15] = [
    (ErrorCode::TaskNotFound, [404, 404], ["NOT_FOUND"; 2]),
    (ErrorCode::TaskNotCancelable, [409, 400], [FAILED; 2]),
    (
        ErrorCode::PushNotificationNotSupported,
        [400, 400],
        [UNIMPLEMENTED, FAILED],
    ),
    (
        ErrorCode::UnsupportedOperation,
        [400, 400],
        [UNIMPLEMENTED, FAILED],
    ),
    (ErrorCode::ContentTypeNotSupported, [415, 400], [INVALID; 2]),
    (ErrorCode::InvalidAgentResponse, [502, 500], ["INTERNAL"; 2]),
    (
        ErrorCode::ExtendedAgentCardNotConfigured,
        [400, 400],
        [FAILED; 2],
    ),
    (ErrorCode::ExtensionSupportRequired, [400, 400], [FAILED; 2]),
    (
        ErrorCode::VersionNotSupported,
        [400, 400],
        [UNIMPLEMENTED, FAILED],
    ),
    (
        ErrorCode::TaskGenerationMismatch,
        [409, 409],
        ["ABORTED"; 2],
    ),
    (ErrorCode::ParseError, [400, 400], [INVALID; 2]),
    (ErrorCode::InvalidRequest, [400, 400], [INVALID; 2]),
    (ErrorCode::InvalidParams, [400, 400], [INVALID; 2]),
    (ErrorCode::MethodNotFound, [404, 404], ["NOT_FOUND"; 2]),
    (ErrorCode::Internal, [500, 500], ["INTERNAL"; 2]),
];

/// HTTP and gRPC status of a code; an unknown one is an internal error.
pub(super) fn of_code(code: i64, patch: Patch) -> (u16, &'static str) {
    let column = match patch {
        Patch::V1_0_0 => 0,
        Patch::V1_0_1 => 1,
    };
    ROWS.iter()
        .find(|(known, ..)| known.number() == code)
        .map_or((500, "INTERNAL"), |(_, http, grpc)| {
            (http[column], grpc[column])
        })
}

/// The gRPC status that goes with an HTTP status where no code tells it.
pub(super) fn grpc_of_http(status: u16) -> &'static str {
    match status {
        401 => "UNAUTHENTICATED",
        403 => "PERMISSION_DENIED",
        404 | 410 => "NOT_FOUND",
        402 | 412 | 424 | 428 => FAILED,
        409 => "ABORTED",
        408 | 504 => "DEADLINE_EXCEEDED",
        429 => "RESOURCE_EXHAUSTED",
        405 | 501 => UNIMPLEMENTED,
        499 => "CANCELLED",
        502 | 503 => "UNAVAILABLE",
        400..=499 => INVALID,
        _ => "INTERNAL",
    }
}

/// The code that is meant when an error names none: by its gRPC status, and by the HTTP status
/// where that one is shared.
pub(super) fn code_of_grpc(grpc: &str, http: u16) -> Option<ErrorCode> {
    Some(match grpc {
        "NOT_FOUND" => ErrorCode::TaskNotFound,
        INVALID if http == 415 => ErrorCode::ContentTypeNotSupported,
        INVALID | "OUT_OF_RANGE" => ErrorCode::InvalidParams,
        FAILED if http == 409 => ErrorCode::TaskNotCancelable,
        FAILED | UNIMPLEMENTED => ErrorCode::UnsupportedOperation,
        "ABORTED" => ErrorCode::TaskGenerationMismatch,
        "INTERNAL" if http == 502 => ErrorCode::InvalidAgentResponse,
        "INTERNAL" | "UNKNOWN" | "UNAVAILABLE" | "DEADLINE_EXCEEDED" | "RESOURCE_EXHAUSTED"
        | "UNAUTHENTICATED" | "PERMISSION_DENIED" | "CANCELLED" | "DATA_LOSS" => {
            ErrorCode::Internal
        }
        _ => return None,
    })
}

/// The code that is meant when there is nothing but an HTTP status and a sentence, as 0.3's
/// Python server answers.
pub(super) fn code_of_http(http: u16) -> ErrorCode {
    match http {
        404 => ErrorCode::TaskNotFound,
        405 => ErrorCode::MethodNotFound,
        409 => ErrorCode::TaskNotCancelable,
        415 => ErrorCode::ContentTypeNotSupported,
        422 => ErrorCode::InvalidParams,
        501 => ErrorCode::UnsupportedOperation,
        502 => ErrorCode::InvalidAgentResponse,
        400 => ErrorCode::InvalidRequest,
        _ => ErrorCode::Internal,
    }
}
