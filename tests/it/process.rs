//! What only a process shows: locks, signals, crashes, the command line.

use std::path::Path;

use serde_json::json;
use tests::{Program, registration};

fn environment(folder: &Path) -> Vec<(&'static str, String)> {
    vec![
        ("GUILDHALL_DATA_DIR", folder.display().to_string()),
        ("GUILDHALL_LIMITS_REGISTER_PER_MINUTE", "0".into()),
        ("GUILDHALL_LISTEN", "127.0.0.1:0".into()),
    ]
}

async fn serve(folder: &Path) -> Program {
    let environment = environment(folder);
    let program = Program::serve(
        &environment
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect::<Vec<_>>(),
    )
    .await;
    tests::until("ready", async || {
        program.http.get("/ready").await.status == 200
    })
    .await;
    program
}

#[tokio::test]
async fn a_second_process_on_the_folder_refuses_to_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = serve(folder.path()).await;
    let environment = environment(folder.path());
    let environment: Vec<_> = environment
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let second = Program::command(&environment)
        .arg("serve")
        .output()
        .await
        .expect("ran");
    let text = String::from_utf8_lossy(&second.stderr);
    assert!(
        !second.status.success() && text.contains("in use by another process"),
        "{text}"
    );
    assert_eq!(first.terminate().await, Some(0));
    let third = serve(folder.path()).await;
    assert_eq!(third.terminate().await, Some(0));
}

#[tokio::test]
async fn what_was_answered_survives_kill_nine_and_is_found_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let rounds = if std::env::var_os("GUILDHALL_SOAK").is_some() {
        200
    } else {
        5
    };
    let mut acknowledged = Vec::new();
    for round in 0..rounds {
        let program = serve(folder.path()).await;
        let http = program.http.clone();
        let writer = tokio::spawn(async move {
            let mut written = Vec::new();
            for n in 0.. {
                let id = format!("r{round}-{n}");
                let request = http
                    .request(reqwest::Method::POST, "/register")
                    .json(&registration(&id, json!({ "tags": ["kept"] })));
                match request.send().await {
                    Ok(answer) if answer.status() == 201 => written.push(id),
                    _ => return written,
                }
            }
            written
        });
        // The moment of death moves with the round: between none and some dozens of writes.
        let wanted = round * 3 % 40;
        tests::until("some writes", async || {
            let health = program.http.get("/health").await;
            health.json["agents"].as_u64().unwrap_or(0) >= acknowledged.len() as u64 + wanted as u64
        })
        .await;
        program.kill().await;
        acknowledged.extend(writer.await.expect("ran"));
    }
    // The index may be behind, or gone altogether: it is a cache.
    if rounds % 2 == 1 {
        std::fs::remove_dir_all(folder.path().join("index")).expect("removed");
    }
    let program = serve(folder.path()).await;
    tests::until("caught up", async || {
        program.http.get("/health").await.json["index"]["behind"] == 0
    })
    .await;
    for id in &acknowledged {
        let _ = program.http.get(&format!("/agents/{id}")).await.expect(200);
    }
    let (mut found, mut cursor) = (0, serde_json::Value::Null);
    loop {
        let page = program
            .http
            .post(
                "/match",
                &json!({ "tags": ["kept"], "limit": 100, "cursor": cursor }),
            )
            .await
            .expect(200);
        found += page.ids().len();
        cursor = page.json["next_cursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    let listed = program.http.get("/health").await.json["agents"]
        .as_u64()
        .expect("a number")
        - 1;
    assert_eq!(found as u64, listed, "the index is the store");
    assert!(found >= acknowledged.len());
    program.kill().await;
}

#[tokio::test]
async fn a_stop_lets_calls_under_way_finish_and_loses_no_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = serve(folder.path()).await;
    let caller = program
        .http
        .register(&registration("caller", json!({})))
        .await;
    let answer = caller
        .post(
            "/call",
            &json!({ "agent_id": "guildhall-echo", "message": "x" }),
        )
        .await
        .expect(200);
    let id = answer.json["transaction_id"]
        .as_str()
        .expect("an id")
        .to_owned();
    assert_eq!(program.terminate().await, Some(0));
    let program = serve(folder.path()).await;
    let caller = program.http.with_key(caller.key().expect("a key"));
    let _ = caller.get(&format!("/calls/{id}")).await.expect(200);
    assert_eq!(program.terminate().await, Some(0));
}

#[tokio::test]
async fn a_balancer_is_told_before_the_listener_closes() {
    let server = gateway::settings::Server {
        linger_ms: 60_000,
        ..gateway::settings::Server::default()
    };
    let settings = gateway::settings::Settings {
        server,
        ..tests::settings()
    };
    let stack = tests::Stack::on(tests::Database::sqlite().into(), settings, "a").await;
    stack.signal();
    tests::until("not ready", async || {
        stack.http.get("/ready").await.status == 503
    })
    .await;
    stack
        .http
        .get("/ready")
        .await
        .expect_problem(503, "not_ready");
    let _ = stack.http.get("/agents").await.expect(200);
}

#[tokio::test]
async fn the_command_line_says_what_is_wrong() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().display().to_string();
    let run = async |variables: &[(&str, &str)], arguments: &[&str]| {
        let mut all = vec![("GUILDHALL_DATA_DIR", path.as_str())];
        all.extend(variables);
        let output = Program::command(&all)
            .args(arguments)
            .output()
            .await
            .expect("ran");
        let text = [output.stdout, output.stderr].concat();
        (
            output.status.code(),
            String::from_utf8_lossy(&text).into_owned(),
        )
    };
    let (code, text) = run(&[("GUILDHALL_LISTEN", "nowhere")], &["serve"]).await;
    assert!(code == Some(1) && text.contains("`listen`"), "{text}");
    let (code, text) = run(
        &[("GUILDHALL_OPERATOR_KEY", &"s3cret".repeat(8))],
        &["config"],
    )
    .await;
    assert!(
        code == Some(0) && text.contains("(hidden)") && !text.contains("s3cret"),
        "{text}"
    );
    let (code, text) = run(&[], &["migrate", "status"]).await;
    assert!(
        code == Some(0) && text.contains("missing  m0001_directory"),
        "{text}"
    );
    let (code, text) = run(&[], &["migrate", "up"]).await;
    assert!(
        code == Some(0) && text.contains("taken    m0001_directory"),
        "{text}"
    );
    let (code, text) = run(&[], &["rebuild-search"]).await;
    assert!(
        code == Some(0) && text.contains("agents can be found"),
        "{text}"
    );
    let (code, text) = run(&[], &["openapi"]).await;
    assert!(code == Some(0) && text.contains("\"openapi\": \"3.1.0\""));
    let (code, _) = run(&[], &["no-such-command"]).await;
    assert_eq!(code, Some(2));
    for help in ["register", "import", "match", "verify", "call", "serve"] {
        let (code, text) = run(&[], &[help, "--help"]).await;
        assert!(code == Some(0) && text.contains("Example"), "{text}");
    }
}

#[tokio::test]
async fn draining_ends_at_its_deadline_whatever_an_agent_does() {
    let silent = tests::Fake::start(tests::Reply::Silence).await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut environment = environment(folder.path());
    environment.push(("GUILDHALL_ALLOW_PRIVATE_TARGETS", "true".into()));
    environment.push(("GUILDHALL_SERVER_DRAIN_MS", "200".into()));
    environment.push(("GUILDHALL_SERVER_LINGER_MS", "0".into()));
    let environment: Vec<_> = environment
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let program = Program::serve(&environment).await;
    let owner = program
        .http
        .register(&registration(
            "a",
            json!({ "endpoint_url": silent.url, "message_protocol": "raw" }),
        ))
        .await;
    let call = tokio::spawn(async move {
        let body = json!({ "agent_id": "a", "message": "x", "timeout_ms": 600_000 });
        owner
            .request(reqwest::Method::POST, "/call")
            .json(&body)
            .send()
            .await
    });
    tests::until("the agent was asked", async || !silent.seen().is_empty()).await;
    // The call would last ten minutes; the program must not.
    let ended = tokio::time::timeout(std::time::Duration::from_secs(30), program.terminate()).await;
    assert_eq!(ended.expect("ended in time"), Some(0));
    assert!(call.await.expect("ran").is_err(), "the connection was cut");
}
