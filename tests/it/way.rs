//! Ways to the agent of the test kits: hosted, and behind another gateway, in either dialect.

use serde_json::{Value, json};
use tests::{Answer, Database, Http, Stack, registration, settings};

/// A way to the agent of the test kits.
#[derive(Clone)]
pub(crate) struct Way {
    pub(crate) http: Http,
    pub(crate) path: String,
    pub(crate) version: &'static str,
}

impl Way {
    pub(crate) async fn rpc(&self, method: &str, params: Value) -> Answer {
        let body = json!({ "jsonrpc": "2.0", "id": "q", "method": method, "params": params });
        let request = self
            .http
            .request(reqwest::Method::POST, &self.path)
            .json(&body);
        let request = match self.version {
            "1.0" => request.header("a2a-version", "1.0"),
            _ => request,
        };
        let answer = self.http.send(request).await;
        assert!(matches!(answer.status, 200), "{}", answer.json);
        answer
    }

    pub(crate) async fn result(&self, method: &str, params: Value) -> Value {
        let answer = self.rpc(method, params).await;
        assert!(answer.json["error"].is_null(), "{method}: {}", answer.json);
        assert_eq!(answer.json["id"], "q");
        answer.json["result"].clone()
    }

    pub(crate) async fn error(&self, method: &str, params: Value) -> i64 {
        let answer = self.rpc(method, params).await;
        let json = match answer.headers["content-type"].to_str() {
            Ok("text/event-stream") => answer.events().remove(0),
            _ => answer.json,
        };
        json["error"]["code"]
            .as_i64()
            .unwrap_or_else(|| panic!("{method}: {json}"))
    }

    pub(crate) fn old(&self) -> bool {
        self.version == "0.3"
    }

    /// The name of a method in the dialect.
    pub(crate) fn name(&self, old: &'static str, new: &'static str) -> &'static str {
        if self.old() { old } else { new }
    }

    pub(crate) fn message(&self, id: &str) -> Value {
        match self.old() {
            true => {
                json!({ "kind": "message", "messageId": id, "role": "user", "parts": [{ "kind": "text", "text": "x" }] })
            }
            false => json!({ "messageId": id, "role": "ROLE_USER", "parts": [{ "text": "x" }] }),
        }
    }

    pub(crate) fn send(&self, id: &str) -> Value {
        match self.old() {
            true => json!({ "message": self.message(id), "configuration": { "blocking": true } }),
            false => json!({ "message": self.message(id) }),
        }
    }

    pub(crate) async fn task(&self, id: &str) -> Value {
        let method = self.name("message/send", "SendMessage");
        let result = self.result(method, self.send(id)).await;
        if self.old() {
            result
        } else {
            result["task"].clone()
        }
    }

    /// A state as the dialect spells it.
    pub(crate) fn state(&self, state: &str) -> String {
        match self.old() {
            true => state.to_owned(),
            false => format!("TASK_STATE_{}", state.to_uppercase().replace('-', "_")),
        }
    }

    pub(crate) async fn get(&self, id: &Value) -> Value {
        let method = self.name("tasks/get", "GetTask");
        self.result(method, json!({ "id": id })).await
    }
}

/// A gateway that hosts the agent, and one that has it listed from its card.
pub(crate) struct Both {
    pub(crate) host: Stack,
    pub(crate) front: Stack,
}

impl Both {
    pub(crate) async fn start() -> Self {
        let host = Stack::kit(Database::sqlite().into(), "host").await;
        let front = Stack::on(Database::sqlite().into(), settings(), "front").await;
        let card = format!(
            "{}/agents/guildhall-kit/.well-known/agent-card.json",
            host.http.url
        );
        let import = json!({ "card_url": card, "register": true });
        let listed = front.http.post("/import-agent", &import).await.expect(201);
        assert_eq!(listed.json["agent"]["agent_id"], "kit");
        Self { host, front }
    }

    /// Every pair of client and way, each with a key of its own.
    pub(crate) async fn ways(&self) -> Vec<Way> {
        let mut ways = Vec::new();
        for (stack, path) in [
            (&self.host, "/agents/guildhall-kit"),
            (&self.front, "/agents/kit"),
        ] {
            let http = stack
                .http
                .register(&registration("caller", json!({})))
                .await;
            for version in ["0.3", "1.0"] {
                ways.push(Way {
                    http: http.clone(),
                    path: path.to_owned(),
                    version,
                });
            }
        }
        ways
    }
}
