//! Errors between the dialects.

use super::*;
use crate::a2a::rpc::{ErrorCode, RpcError};

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
