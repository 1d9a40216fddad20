//! Errors out, in, and as other servers write them; media types.

use proptest::prelude::*;

use super::*;
use crate::a2a::rest::{
    A2A_JSON, JSON, Patch, is_json, media_type, read_error, stream_error, write_error,
    write_error_as,
};
use crate::a2a::rpc::{ErrorCode, RpcError};

#[test]
fn the_table_of_statuses() {
    use ErrorCode::{
        ContentTypeNotSupported, ExtendedAgentCardNotConfigured, ExtensionSupportRequired,
        Internal, InvalidAgentResponse, InvalidParams, InvalidRequest, MethodNotFound, ParseError,
        PushNotificationNotSupported, TaskGenerationMismatch, TaskNotCancelable, TaskNotFound,
        UnsupportedOperation, VersionNotSupported,
    };
    let failed = "FAILED_PRECONDITION";
    for (code, old, new) in [
        (TaskNotFound, (404, "NOT_FOUND"), (404, "NOT_FOUND")),
        (TaskNotCancelable, (409, failed), (400, failed)),
        (
            PushNotificationNotSupported,
            (400, "UNIMPLEMENTED"),
            (400, failed),
        ),
        (UnsupportedOperation, (400, "UNIMPLEMENTED"), (400, failed)),
        (
            ContentTypeNotSupported,
            (415, "INVALID_ARGUMENT"),
            (400, "INVALID_ARGUMENT"),
        ),
        (InvalidAgentResponse, (502, "INTERNAL"), (500, "INTERNAL")),
        (ExtendedAgentCardNotConfigured, (400, failed), (400, failed)),
        (ExtensionSupportRequired, (400, failed), (400, failed)),
        (VersionNotSupported, (400, "UNIMPLEMENTED"), (400, failed)),
        (TaskGenerationMismatch, (409, "ABORTED"), (409, "ABORTED")),
        (
            ParseError,
            (400, "INVALID_ARGUMENT"),
            (400, "INVALID_ARGUMENT"),
        ),
        (
            InvalidRequest,
            (400, "INVALID_ARGUMENT"),
            (400, "INVALID_ARGUMENT"),
        ),
        (
            InvalidParams,
            (400, "INVALID_ARGUMENT"),
            (400, "INVALID_ARGUMENT"),
        ),
        (MethodNotFound, (404, "NOT_FOUND"), (404, "NOT_FOUND")),
        (Internal, (500, "INTERNAL"), (500, "INTERNAL")),
    ] {
        for (patch, (status, grpc)) in [(Patch::V1_0_0, old), (Patch::V1_0_1, new)] {
            let answer = write_error(&RpcError::new(code, "x"), Version::V1_0, patch);
            assert_eq!(answer.status, status, "{code:?}");
            assert_eq!(answer.body["error"]["code"], status, "{code:?}");
            assert_eq!(answer.body["error"]["status"], grpc, "{code:?}");
        }
    }
}

#[test]
fn the_body_of_both_versions() {
    let error = RpcError::new(ErrorCode::TaskNotFound, "No such task");
    let inner = json!({
        "code": 404,
        "status": "NOT_FOUND",
        "message": "No such task",
        "details": [{
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            "reason": "TASK_NOT_FOUND",
            "domain": "a2a-protocol.org",
        }],
    });
    let new = write_error(&error, Version::V1_0, Patch::default());
    assert_eq!(new.body, json!({ "error": inner }));
    let old = write_error(&error, Version::V0_3, Patch::default());
    assert_eq!(old.body["error"], inner);
    assert_eq!(
        (&old.body["code"], &old.body["message"]),
        (&json!(-32001), &json!("No such task"))
    );
    // Who reads takes the first reason, so A2A's stands in front of an agent's own.
    let mut turned = error;
    turned.data.insert(0, json!({ "@type": "urn:x:own" }));
    let turned = write_error(&turned, Version::V1_0, Patch::default()).body;
    assert_eq!(turned["error"]["details"][0]["reason"], "TASK_NOT_FOUND");
    assert_eq!(turned["error"]["details"][1]["@type"], "urn:x:own");
    assert_eq!(turned["error"]["details"].as_array().map(Vec::len), Some(2));
    let limited = write_error_as(
        &RpcError::new(ErrorCode::Internal, "slow"),
        Version::V1_0,
        429,
    );
    assert_eq!(
        (limited.status, &limited.body["error"]["code"]),
        (429, &json!(429))
    );
    assert_eq!(limited.body["error"]["status"], "RESOURCE_EXHAUSTED");
}

/// What is read of another server's answer: code and message.
fn says(status: u16, body: &Value) -> (i64, String) {
    let error = read_error(status, body);
    let typed = error.data.iter().all(|one| one["@type"].is_string());
    assert!(typed, "{body}");
    (error.code, error.message)
}

#[test]
fn errors_in_the_form_of_1_0() {
    let info = |reason: &str| {
        json!([{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": reason,
            "domain": "a2a-protocol.org", "metadata": {} }])
    };
    let (failed, invalid) = ("FAILED_PRECONDITION", "INVALID_ARGUMENT");
    for (http, grpc, details, code) in [
        (400, failed, info("TASK_NOT_CANCELABLE"), -32002),
        (400, invalid, info("INVALID_REQUEST"), -32600),
        (404, "NOT_FOUND", info("METHOD_NOT_FOUND"), -32601),
        // Without a reason that is known the status tells.
        (400, invalid, info("SOMETHING_ELSE"), -32602),
        (404, "NOT_FOUND", Value::Null, -32001),
        (415, invalid, json!([]), -32005),
        (409, failed, json!("x"), -32002),
        (400, "UNIMPLEMENTED", json!([1]), -32004),
        (502, "INTERNAL", json!({}), -32006),
        (429, "RESOURCE_EXHAUSTED", json!([]), -32603),
        (409, "?", json!([]), -32002),
    ] {
        let inner = json!({ "code": http, "status": grpc, "message": "a", "details": details });
        let body = json!({ "error": inner });
        assert_eq!(says(http, &body), (code, "a".to_owned()), "{body}");
    }
    let body = json!({ "error": { "code": -32004, "message": "a", "data": "x" } });
    assert_eq!(says(500, &body), (-32004, "a".to_owned()));
}

#[test]
fn errors_in_other_forms() {
    let problem = "https://a2a-protocol.org/errors/task-not-cancelable";
    for (status, body, code) in [
        // JavaScript 0.3
        (404, json!({ "code": -32001, "message": "a" }), -32001),
        (
            400,
            json!({ "code": -32003, "message": "a", "data": [1] }),
            -32003,
        ),
        // Python 0.3
        (404, json!({ "message": "a" }), -32001),
        (422, json!({ "message": "a" }), -32602),
        (501, json!({ "message": "a" }), -32004),
        // a framework, a problem, a proxy
        (404, json!({ "detail": "a" }), -32601),
        (
            400,
            json!({ "type": problem, "title": "a", "status": 400 }),
            -32002,
        ),
        (503, json!({ "error": "a" }), -32603),
    ] {
        assert_eq!(says(status, &body), (code, "a".to_owned()), "{body}");
    }
    let nothing = says(502, &Value::Null);
    assert_eq!(
        nothing,
        (-32006, "The agent's answer is not valid".to_owned())
    );
}

#[test]
fn errors_within_streams() {
    let error = RpcError::new(ErrorCode::UnsupportedOperation, "no");
    for version in BOTH {
        let body = write_error(&error, version, Patch::V1_0_1).body;
        assert_eq!(stream_error(&body), Some(error.clone()));
    }
    assert_eq!(
        stream_error(&json!({ "code": -32001, "message": "a" })).map(|one| one.code),
        Some(-32001)
    );
    assert_eq!(stream_error(&json!({ "task": { "id": "t" } })), None);
    assert_eq!(stream_error(&json!("x")), None);
}

proptest! {
    #[test]
    fn errors_there_and_back(
        code in prop_oneof![
            -32010..=-32001_i64,
            prop::sample::select(vec![-32600, -32601, -32602, -32603]),
            any::<i64>(),
        ],
        message in "\\PC{0,20}",
        own in prop::option::of(bag()),
    ) {
        // -32700 is an invalid request over REST.
        prop_assume!(code != -32700);
        let mut error = match ErrorCode::from_number(code) {
            Some(ErrorCode::InvalidParams) => RpcError::invalid_params("message.parts", &message),
            Some(code) => RpcError::new(code, message),
            None => RpcError { code, message, data: Vec::new() },
        };
        if let Some(Value::Object(mut members)) = own {
            members.insert("@type".to_owned(), json!("urn:x:own"));
            error = error.and(Value::Object(members));
        }
        for version in BOTH {
            for patch in [Patch::V1_0_0, Patch::V1_0_1] {
                let answer = write_error(&error, version, patch);
                prop_assert_eq!(&read_error(answer.status, &answer.body), &error);
            }
            let answer = write_error_as(&error, version, 503);
            prop_assert_eq!(&read_error(503, &answer.body), &error);
        }
    }

    #[test]
    fn no_body_makes_reading_panic(status in any::<u16>(), body in wild()) {
        let error = read_error(status, &body);
        let _ = write_error(&error, Version::V0_3, Patch::V1_0_0);
        let _ = stream_error(&body);
    }

    #[test]
    fn no_header_makes_choosing_panic(one in "\\PC{0,20}", other in "(application/|a2a\\+json|;|q=|0|,|\\PC){0,8}") {
        let _ = (media_type(Some(&one), Some(&other)), is_json(Some(&other)));
    }
}

#[test]
fn the_media_type_of_answers() {
    for (content_type, accept, want) in [
        (None, None, JSON),
        (Some("application/json"), Some("*/*"), JSON),
        (Some("application/json"), Some("application/*"), JSON),
        (Some("Application/A2A+JSON; charset=utf-8"), None, A2A_JSON),
        (
            None,
            Some("text/html, application/a2a+json;q=0.5"),
            A2A_JSON,
        ),
        (
            None,
            Some("application/a2a+json;q=0, application/json"),
            JSON,
        ),
        (None, Some("application/a2a+json; Q=0.0"), JSON),
    ] {
        assert_eq!(
            media_type(content_type, accept),
            want,
            "{content_type:?} {accept:?}"
        );
    }
    for (content_type, want) in [
        (None, true),
        (Some("application/json;charset=utf-8"), true),
        (Some(" application/a2a+json "), true),
        (Some("text/plain"), false),
        (Some(""), false),
    ] {
        assert_eq!(is_json(content_type), want, "{content_type:?}");
    }
}
