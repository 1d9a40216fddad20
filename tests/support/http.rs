//! A client of the gateway that reads whole answers and says what it expected.

use reqwest::header::HeaderMap;
use serde_json::Value;

/// A client with or without a key.
#[derive(Debug, Clone)]
pub struct Http {
    /// Origin of the gateway.
    pub url: String,
    key: Option<String>,
    client: reqwest::Client,
}

/// A whole answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// Body as it came.
    pub bytes: Vec<u8>,
    /// Body as JSON; null when it is none.
    pub json: Value,
}

impl Http {
    /// Nobody at this origin.
    ///
    /// # Panics
    /// When no client can be made.
    #[must_use]
    pub fn new(url: String) -> Self {
        let client = reqwest::Client::builder()
            .no_proxy()
            .build()
            .expect("a client");
        Self {
            url,
            key: None,
            client,
        }
    }

    /// The same with a key.
    #[must_use]
    pub fn with_key(&self, key: impl Into<String>) -> Self {
        Self {
            key: Some(key.into()),
            ..self.clone()
        }
    }

    /// Its key.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    /// GET.
    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.request(reqwest::Method::GET, path)).await
    }

    /// DELETE.
    pub async fn delete(&self, path: &str) -> Answer {
        self.send(self.request(reqwest::Method::DELETE, path)).await
    }

    /// POST of JSON.
    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(self.request(reqwest::Method::POST, path).json(body))
            .await
    }

    /// POST of any bytes as JSON.
    pub async fn post_bytes(&self, path: &str, body: impl Into<Vec<u8>>) -> Answer {
        let request = self
            .request(reqwest::Method::POST, path)
            .header("content-type", "application/json");
        self.send(request.body(body.into())).await
    }

    /// A request to be completed by the test.
    ///
    /// # Panics
    /// When a method has no name.
    pub fn request(&self, method: reqwest::Method, path: &str) -> reqwest::RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.url));
        match &self.key {
            Some(key) => request.bearer_auth(key),
            None => request,
        }
    }

    /// Sends a completed request.
    ///
    /// # Panics
    /// When there is no answer.
    pub async fn send(&self, request: reqwest::RequestBuilder) -> Answer {
        let response = request.send().await.expect("an answer");
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let bytes = response.bytes().await.expect("a body").to_vec();
        let json = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        Answer {
            status,
            headers,
            bytes,
            json,
        }
    }

    /// Registers an agent and gives a client with its key.
    ///
    /// # Panics
    /// When it is refused.
    pub async fn register(&self, body: &Value) -> Self {
        let answer = self.post("/register", body).await.expect(201);
        self.with_key(answer.json["api_key"].as_str().expect("a key"))
    }
}

impl Answer {
    /// The same answer, when the status is the expected one.
    ///
    /// # Panics
    /// With the whole answer when it is another.
    #[track_caller]
    #[must_use]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(
            self.status,
            status,
            "{}",
            String::from_utf8_lossy(&self.bytes)
        );
        self
    }

    /// Holds the shape of a problem, its status and its code.
    ///
    /// # Panics
    /// When something else came.
    #[track_caller]
    pub fn expect_problem(&self, status: u16, code: &str) {
        let text = String::from_utf8_lossy(&self.bytes);
        assert_eq!(
            (self.status, self.json["code"].as_str()),
            (status, Some(code)),
            "{text}"
        );
        assert_eq!(self.headers["content-type"], "application/problem+json");
        assert_eq!(self.json["status"], status, "{text}");
        for member in ["type", "title", "detail", "request_id"] {
            assert!(
                self.json[member]
                    .as_str()
                    .is_some_and(|text| !text.is_empty()),
                "{member}: {text}"
            );
        }
        assert!(self.json["retryable"].is_boolean(), "{text}");
        assert_eq!(
            self.headers["x-request-id"],
            self.json["request_id"].as_str().expect("an id")
        );
        assert!(self.headers.contains_key("api-version"));
    }

    /// The data of the events of a stream, as JSON.
    ///
    /// # Panics
    /// When it is no stream of JSON.
    #[must_use]
    pub fn events(&self) -> Vec<Value> {
        let text = String::from_utf8_lossy(&self.bytes);
        assert_eq!(self.headers["content-type"], "text/event-stream", "{text}");
        let (mut reader, mut events) = (protocol::a2a::sse::Reader::new(1 << 24), Vec::new());
        reader.push(&self.bytes, &mut events).expect("short events");
        let json = |event: protocol::a2a::sse::Event| serde_json::from_str(&event.data);
        events
            .into_iter()
            .map(json)
            .collect::<Result<_, _>>()
            .expect("JSON")
    }

    /// Ids of the agents in a list or a page of hits.
    #[must_use]
    pub fn ids(&self) -> Vec<String> {
        let items = self.json["items"].as_array().cloned().unwrap_or_default();
        let id = |item: &Value| {
            let agent = if item["agent"].is_object() {
                &item["agent"]
            } else {
                item
            };
            agent["agent_id"].as_str().unwrap_or_default().to_owned()
        };
        items.iter().map(id).collect()
    }
}
