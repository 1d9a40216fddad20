//! Envelopes, refusals and typed details.

use super::{
    error::{BAD_REQUEST, DOMAIN, ERROR_INFO},
    *,
};
use crate::a2a::Version;

fn code(body: &str) -> (i64, Id) {
    let refused = parse(body.as_bytes()).expect_err(body);
    (refused.error.code, refused.id)
}

#[test]
fn takes_ids_of_three_kinds() {
    for (id, want) in [
        (r#""id": "a","#, Id::String("a".into())),
        (r#""id": 7,"#, Id::Number(7)),
        (r#""id": null,"#, Id::Null),
        ("", Id::Null),
    ] {
        let body = format!(r#"{{"jsonrpc": "2.0", {id} "method": "m", "params": {{}}, "x": 1}}"#);
        let request = parse(body.as_bytes()).unwrap();
        assert_eq!(request.id, want);
        assert_eq!(request.params, Some(json!({})));
    }
}

#[test]
fn refuses_by_the_table() {
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":{{"a":{}1{}}}}}"#,
        "[".repeat(80),
        "]".repeat(80)
    );
    let one = Id::Number(1);
    for (body, want) in [
        ("{\"jsonrpc\": ", (-32700, Id::Null)),
        ("", (-32700, Id::Null)),
        ("[]", (-32600, Id::Null)),
        (
            r#"[{"jsonrpc":"2.0","id":1,"method":"m"}]"#,
            (-32600, Id::Null),
        ),
        ("3", (-32600, Id::Null)),
        (
            r#"{"jsonrpc":"2.0","id":1.5,"method":"m"}"#,
            (-32600, Id::Null),
        ),
        (
            r#"{"jsonrpc":"2.0","id":true,"method":"m"}"#,
            (-32600, Id::Null),
        ),
        (
            r#"{"jsonrpc":"2.0","id":{},"method":"m"}"#,
            (-32600, Id::Null),
        ),
        (
            r#"{"jsonrpc":"2.0","id":18446744073709551615,"method":"m"}"#,
            (-32600, Id::Null),
        ),
        (
            r#"{"jsonrpc":"1.0","id":1,"method":"m"}"#,
            (-32600, one.clone()),
        ),
        (r#"{"id":1,"method":"m"}"#, (-32600, one.clone())),
        (r#"{"jsonrpc":"2.0","id":1}"#, (-32600, one.clone())),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":{}}"#,
            (-32600, one.clone()),
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"m","params":[]}"#,
            (-32602, one.clone()),
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"m","params":"x"}"#,
            (-32602, one),
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":"\ud800"}}"#,
            (-32602, Id::Null),
        ),
        (&deep, (-32602, Id::Null)),
    ] {
        assert_eq!(code(body), want, "{body}");
    }
}

#[test]
fn missing_params_are_told_by_the_method() {
    let request = parse(br#"{"jsonrpc":"2.0","id":1,"method":"m","params":null}"#).unwrap();
    assert_eq!(request.object().unwrap_err().code, -32602);
}

#[test]
fn typed_details() {
    let answer = error(
        &Id::Number(3),
        &RpcError::new(ErrorCode::TaskNotFound, "No such task"),
    );
    assert_eq!(
        answer,
        json!({"jsonrpc": "2.0", "id": 3, "error": {"code": -32001, "message": "No such task",
            "data": [{"@type": ERROR_INFO, "reason": "TASK_NOT_FOUND", "domain": DOMAIN}]}})
    );
    let bad = RpcError::invalid_params("message.parts", "It is empty.");
    assert_eq!(
        bad.to_value()["data"],
        json!([{"@type": BAD_REQUEST, "fieldViolations":
            [{"field": "message.parts", "description": "It is empty."}]}])
    );
    let version = RpcError::version_not_supported("99.0", &[Version::V1_0]);
    assert_eq!(version.data[0]["metadata"]["supportedVersions"], "1.0");
    assert!(
        RpcError::new(ErrorCode::Internal, "x")
            .to_value()
            .get("data")
            .is_none()
    );
}
