//! What the store promises beyond a single gateway: the future, missing steps, two gateways.

use std::sync::Arc;
use std::time::{Duration, Instant};

use gateway::serve::Gateway;
use sea_orm::{ConnectionTrait as _, Database as Driver};
use serde_json::json;
use tests::{Database, Stack, on_both, registration, settings};

#[tokio::test]
async fn a_database_of_a_newer_program_is_refused() {
    on_both(|stack| async move {
        let settings = stack.gate.fixed.settings.clone();
        let url = match settings.database_url.as_str() {
            "" => format!(
                "sqlite://{}",
                settings.data_dir.join("guildhall.db").display()
            ),
            url => url.to_owned(),
        };
        let _database = stack.stop().await;
        let connection = Driver::connect(url).await.expect("connected");
        let insert =
            "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m9999_future', 0)";
        let _ = connection
            .execute_unprepared(insert)
            .await
            .expect("inserted");
        connection.close().await.expect("closed");
        let error = Gateway::build(settings, tenants::all())
            .await
            .err()
            .expect("refused")
            .to_string();
        assert!(
            error.contains("m9999_future") && error.contains("newer"),
            "{error}"
        );
    })
    .await;
}

#[tokio::test]
async fn a_shared_database_is_migrated_by_the_operator_alone() {
    let Ok(server) = std::env::var("GUILDHALL_TEST_POSTGRES") else {
        return eprintln!("SKIPPED on PostgreSQL: GUILDHALL_TEST_POSTGRES is not set");
    };
    let connection = Driver::connect(&server).await.expect("connected");
    let name = format!("guildhall_empty_{}", std::process::id());
    let _ = connection
        .execute_unprepared(&format!("CREATE DATABASE {name}"))
        .await
        .expect("made");
    let mut url: url::Url = server.parse().expect("a URL");
    url.set_path(&name);
    let folder = tempfile::tempdir().expect("a folder");
    let settings = gateway::settings::Settings {
        database_url: url.into(),
        data_dir: folder.path().into(),
        ..settings()
    };
    let error = Gateway::build(settings, tenants::all())
        .await
        .err()
        .expect("refused")
        .to_string();
    assert!(error.contains("guildhall migrate up"), "{error}");
}

/// Two gateways on one PostgreSQL; `None` without a server.
async fn pair() -> Option<(Stack, Stack)> {
    let Some(database) = Database::postgres().await else {
        eprintln!("SKIPPED on PostgreSQL: GUILDHALL_TEST_POSTGRES is not set");
        return None;
    };
    let database = Arc::new(database);
    let first = Stack::on(database.clone(), settings(), "a").await;
    Some((first, Stack::on(database, settings(), "b").await))
}

#[tokio::test]
async fn two_gateways_see_each_others_changes_within_a_second() {
    let Some((first, second)) = pair().await else {
        return;
    };
    let owner = first
        .http
        .register(&registration(
            "shared",
            json!({ "description": "xylophone" }),
        ))
        .await;
    let begun = Instant::now();
    let find = json!({ "query": "xylophone" });
    tests::until("found elsewhere", async || {
        second.http.post("/match", &find).await.ids() == ["shared"]
    })
    .await;
    assert!(
        begun.elapsed() < Duration::from_secs(1),
        "{:?}",
        begun.elapsed()
    );
    let key = owner.key().expect("a key").to_owned();
    let elsewhere = second.http.with_key(&key);
    let _ = elsewhere.get("/agents/shared/keys").await.expect(200);
    let issued = owner
        .post("/agents/shared/keys", &json!({ "rotate": true }))
        .await
        .expect(201);
    let begun = Instant::now();
    tests::until("revoked elsewhere", async || {
        elsewhere.get("/agents/shared/keys").await.status == 401
    })
    .await;
    assert!(
        begun.elapsed() < Duration::from_secs(1),
        "{:?}",
        begun.elapsed()
    );
    let fresh = second
        .http
        .with_key(issued.json["api_key"].as_str().expect("a key"));
    let _ = fresh.get("/agents/shared/keys").await.expect(200);
}

#[tokio::test]
async fn a_hundred_registrations_of_one_id_on_two_gateways_have_one_winner() {
    let Some((first, second)) = pair().await else {
        return;
    };
    let attempts: Vec<_> = (0..100)
        .map(|n| {
            let http = if n % 2 == 0 {
                first.http.clone()
            } else {
                second.http.clone()
            };
            tokio::spawn(async move {
                http.post("/register", &registration("contested", json!({})))
                    .await
                    .status
            })
        })
        .collect();
    let mut statuses = Vec::new();
    for attempt in attempts {
        statuses.push(attempt.await.expect("ran"));
    }
    assert_eq!(
        statuses.iter().filter(|status| **status == 201).count(),
        1,
        "{statuses:?}"
    );
    assert!(
        statuses.iter().all(|status| [201, 409].contains(status)),
        "{statuses:?}"
    );
}

#[tokio::test]
async fn no_follower_passes_a_change_that_commits_later() {
    let Some((first, second)) = pair().await else {
        return;
    };
    let writers: Vec<_> = (0..8)
        .map(|writer| {
            let http = if writer % 2 == 0 {
                first.http.clone()
            } else {
                second.http.clone()
            };
            tokio::spawn(async move {
                for n in 0..25 {
                    let _ = http
                        .post(
                            "/register",
                            &registration(&format!("w{writer}-{n}"), json!({ "tags": ["w"] })),
                        )
                        .await
                        .expect(201);
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.expect("wrote");
    }
    for stack in [&first, &second] {
        stack.indexed().await;
        assert_eq!(
            stack.http.get("/health").await.json["index"]["documents"],
            201
        );
    }
}
