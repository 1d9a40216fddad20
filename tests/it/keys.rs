//! `/agents/{id}/keys`: issue, rotate, revoke.

use serde_json::json;
use tests::{on_both, registration};

#[tokio::test]
async fn keys_are_issued_listed_and_revoked_at_once() {
    on_both(|stack| async move {
        let first = stack.http.register(&registration("a", json!({}))).await;
        let issued = first
            .post("/agents/a/keys", &json!({ "label": "laptop" }))
            .await
            .expect(201);
        let second = stack
            .http
            .with_key(issued.json["api_key"].as_str().expect("a key"));
        let keys = second.get("/agents/a/keys").await.expect(200);
        assert_eq!(keys.json["items"].as_array().map(Vec::len), Some(2));
        let text = String::from_utf8_lossy(&keys.bytes).into_owned();
        assert!(
            !text.contains(issued.json["api_key"].as_str().expect("a key")),
            "{text}"
        );
        assert!(text.contains("laptop"));
        let path = format!(
            "/agents/a/keys/{}",
            issued.json["key_id"].as_str().expect("an id")
        );
        let _ = first.delete(&path).await.expect(200);
        second
            .get("/agents/a/keys")
            .await
            .expect_problem(401, "invalid_key");
        first.delete(&path).await.expect_problem(404, "unknown_key");
        let _ = first.get("/agents/a/keys").await.expect(200);
    })
    .await;
}

#[tokio::test]
async fn a_rotation_ends_every_other_key() {
    on_both(|stack| async move {
        let first = stack.http.register(&registration("a", json!({}))).await;
        let _ = first.post("/agents/a/keys", &json!({})).await.expect(201);
        let rotated = first
            .post("/agents/a/keys", &json!({ "rotate": true }))
            .await
            .expect(201);
        first
            .get("/agents/a/keys")
            .await
            .expect_problem(401, "invalid_key");
        let last = stack
            .http
            .with_key(rotated.json["api_key"].as_str().expect("a key"));
        assert_eq!(
            last.get("/agents/a/keys").await.expect(200).json["items"]
                .as_array()
                .map(Vec::len),
            Some(1)
        );
    })
    .await;
}

#[tokio::test]
async fn nobody_and_others_have_no_part_in_keys() {
    on_both(|stack| async move {
        let owner = stack.http.register(&registration("a", json!({}))).await;
        let other = stack.http.register(&registration("b", json!({}))).await;
        stack
            .http
            .get("/agents/a/keys")
            .await
            .expect_problem(401, "unauthorized");
        other
            .get("/agents/a/keys")
            .await
            .expect_problem(403, "not_owner");
        other
            .post("/agents/a/keys", &json!({}))
            .await
            .expect_problem(403, "not_owner");
        other
            .delete("/agents/a/keys/key_x")
            .await
            .expect_problem(403, "not_owner");
        stack
            .http
            .with_key("gh_sk_wrong")
            .get("/agents/a/keys")
            .await
            .expect_problem(401, "invalid_key");
        for _ in 0..19 {
            let _ = owner.post("/agents/a/keys", &json!({})).await.expect(201);
        }
        owner
            .post("/agents/a/keys", &json!({}))
            .await
            .expect_problem(422, "invalid_request");
    })
    .await;
}

#[tokio::test]
async fn no_file_of_the_store_holds_a_key() {
    let stack = tests::Stack::sqlite().await;
    let answer = stack
        .http
        .post("/register", &registration("a", json!({})))
        .await
        .expect(201);
    let key = answer.json["api_key"].as_str().expect("a key").to_owned();
    let folder = stack.gate.fixed.settings.data_dir.clone();
    let _database = stack.stop().await;
    let secret = &key["gh_sk_".len() + 6..];
    let (mut files, mut read) = (vec![folder], 0);
    while let Some(path) = files.pop() {
        if path.is_dir() {
            files.extend(
                std::fs::read_dir(&path)
                    .expect("a folder")
                    .map(|entry| entry.expect("an entry").path()),
            );
        } else {
            // The database removes its log, and the index old segments, while they close.
            let Ok(bytes) = std::fs::read(&path) else {
                continue;
            };
            read += 1;
            let found = bytes
                .windows(secret.len())
                .any(|window| window == secret.as_bytes());
            assert!(!found, "{}", path.display());
        }
    }
    assert!(read >= 2, "the database and the index were looked at");
}
