//! Errors between the dialects, and those of the REST binding.

use super::*;
use crate::a2a::rpc::{ErrorCode, RpcError};

const OWN: [ErrorCode; 10] = [
    ErrorCode::TaskNotFound,
    ErrorCode::TaskNotCancelable,
    ErrorCode::PushNotificationNotSupported,
    ErrorCode::UnsupportedOperation,
    ErrorCode::ContentTypeNotSupported,
    ErrorCode::InvalidAgentResponse,
    ErrorCode::ExtendedAgentCardNotConfigured,
    ErrorCode::ExtensionSupportRequired,
    ErrorCode::VersionNotSupported,
    ErrorCode::TaskGenerationMismatch,
];

#[test]
fn errors_keep_their_number_or_say_it_elsewhere() {
    for code in [
        ErrorCode::VersionNotSupported,
        ErrorCode::ExtensionSupportRequired,
    ] {
        let old = in_dialect(RpcError::new(code, "no"), Version::V0_3);
        assert_eq!((old.code, old.message.as_str()), (-32603, "no"));
        assert!(
            old.data
                .iter()
                .any(|one| one["value"]["code"] == code.number())
        );
        assert!(
            old.data
                .iter()
                .any(|one| one["reason"] == json!(code.reason()))
        );
        assert_eq!(in_dialect(old.clone(), Version::V0_3), old);
    }
    let bare = read_error(&json!({ "code": -32001, "message": "gone" })).expect("an error");
    let new = in_dialect(bare, Version::V1_0);
    assert_eq!(
        (new.code, &new.data[0]["reason"]),
        (-32001, &json!("TASK_NOT_FOUND"))
    );
    assert_eq!(in_dialect(new.clone(), Version::V1_0), new);
    let odd =
        read_error(&json!({ "code": -40000, "message": "x", "data": "why" })).expect("an error");
    assert_eq!(in_dialect(odd.clone(), Version::V1_0), odd);
    assert_eq!(odd.data[0]["value"], "why");
    assert_eq!(read_error(&json!({ "message": "no code" })), None);
}

#[test]
fn every_error_of_a2a_comes_back_from_a_rest_body() {
    for patch in [Patch::V1_0_0, Patch::V1_0_1] {
        for code in OWN {
            let error = RpcError::with_metadata(code, "why", &[("a", "b")]);
            let body = rest_error(&error, patch);
            let (status, name) = rest_status(error.code, patch);
            assert_eq!(body["error"]["code"], status);
            assert_eq!(body["error"]["status"], name);
            assert_eq!(read_rest_error(status, &body), Some(error));
        }
        let error = RpcError::invalid_params("message.parts", "It is missing.");
        let (status, _) = rest_status(error.code, patch);
        let body = rest_error(&error, patch);
        assert_eq!(read_rest_error(status, &body), Some(error.clone()));
        // The details count more than a status that says something else.
        let mut odd = body;
        odd["error"]["status"] = json!("INTERNAL");
        assert_eq!(read_rest_error(500, &odd), Some(error));
    }
}

#[test]
fn the_two_patches_map_as_their_table_says() {
    for (code, old, new) in [
        (-32001, 404, 404),
        (-32002, 409, 400),
        (-32003, 400, 400),
        (-32004, 400, 400),
        (-32005, 415, 400),
        (-32006, 502, 500),
        (-32007, 400, 400),
        (-32008, 400, 400),
        (-32009, 400, 400),
        (-32010, 409, 409),
        (-32602, 400, 400),
        (-32603, 500, 500),
        (-40000, 500, 500),
    ] {
        assert_eq!(rest_status(code, Patch::V1_0_0).0, old, "{code}");
        assert_eq!(rest_status(code, Patch::V1_0_1).0, new, "{code}");
    }
    assert_eq!(rest_status(-32004, Patch::V1_0_0).1, "UNIMPLEMENTED");
    assert_eq!(rest_status(-32004, Patch::V1_0_1).1, "FAILED_PRECONDITION");
}

#[test]
fn an_error_without_details_is_told_by_its_status() {
    let read = |http: u16, status: &str| {
        let body = json!({ "error": { "code": http, "status": status, "message": "m" } });
        read_rest_error(http, &body).expect("an error").code
    };
    for (http, status, code) in [
        (404, "NOT_FOUND", -32001),
        (409, "FAILED_PRECONDITION", -32002),
        (409, "ABORTED", -32010),
        (415, "INVALID_ARGUMENT", -32005),
        (400, "INVALID_ARGUMENT", -32602),
        // Several codes have it: none is picked.
        (400, "FAILED_PRECONDITION", -32603),
        (502, "INTERNAL", -32006),
        (500, "INTERNAL", -32603),
        (418, "", -32603),
    ] {
        assert_eq!(read(http, status), code, "{http} {status}");
    }
    let as_rpc = json!({ "error": { "code": -32004, "message": "m" } });
    assert_eq!(
        read_rest_error(400, &as_rpc).expect("an error").code,
        -32004
    );
    for body in [
        json!(null),
        json!({}),
        json!({ "error": "no" }),
        json!({ "error": {} }),
        json!({ "detail": "x" }),
    ] {
        assert_eq!(read_rest_error(502, &body), None, "{body}");
    }
}
