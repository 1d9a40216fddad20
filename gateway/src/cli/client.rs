//! HTTP between the commands and a running gateway.

use std::time::Duration;

use reqwest::Method;
use serde_json::Value;

use super::failure::Failure;

/// How long to wait for a connection.
const CONNECT: Duration = Duration::from_secs(5);
/// How long to wait for an answer: longer than the longest time that a gateway gives an agent.
const ANSWER: Duration = Duration::from_secs(660);

/// A connection to one gateway.
#[derive(Debug, Clone)]
pub struct Client {
    http: reqwest::Client,
    base: String,
    key: Option<String>,
}

/// What a gateway answered.
#[derive(Debug, Clone)]
pub struct Answer {
    /// HTTP status; a success.
    pub status: u16,
    /// The JSON as it came.
    pub text: String,
    /// The same, read.
    pub json: Value,
}

impl Client {
    /// A client of the gateway at `url`, an http or https address, with or without a path.
    ///
    /// Proxies named by the environment are not used: the gateway is where the address says.
    ///
    /// # Errors
    /// [`Failure::Usage`] when the address is none.
    pub fn new(url: &str) -> Result<Self, Failure> {
        let base = url.trim_end_matches('/').to_owned();
        match url::Url::parse(&base) {
            Ok(parsed) if matches!(parsed.scheme(), "http" | "https") && parsed.has_host() => {}
            _ => {
                return Err(Failure::Usage(format!(
                    "--url {url}: an address such as http://127.0.0.1:8004"
                )));
            }
        }
        let built = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(CONNECT)
            .timeout(ANSWER)
            .user_agent(concat!("guildhall-cli/", env!("CARGO_PKG_VERSION")))
            .build();
        match built {
            Ok(http) => Ok(Self {
                http,
                base,
                key: None,
            }),
            Err(source) => Err(Failure::Unreachable { url: base, source }),
        }
    }

    /// The same client, sending a key.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a text that no header can hold; the key is not in the message.
    pub fn with_key(mut self, key: Option<String>) -> Result<Self, Failure> {
        let odd = |key: &String| !key.bytes().all(|byte| byte.is_ascii_graphic());
        if key.as_ref().is_some_and(odd) {
            return Err(Failure::Usage(
                "the key holds characters that no key has".to_owned(),
            ));
        }
        self.key = key;
        Ok(self)
    }

    /// The address of the gateway, without a slash at the end.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Reads `path`.
    ///
    /// # Errors
    /// [`Failure`] when the gateway is not there or refuses.
    pub async fn get(&self, path: &str) -> Result<Answer, Failure> {
        self.send(Method::GET, path, None).await
    }

    /// Sends JSON text to `path`.
    ///
    /// # Errors
    /// [`Failure`] when the gateway is not there or refuses.
    pub async fn post(&self, path: &str, body: String) -> Result<Answer, Failure> {
        self.send(Method::POST, path, Some(body)).await
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<String>,
    ) -> Result<Answer, Failure> {
        let unreachable = |source| Failure::Unreachable {
            url: self.base.clone(),
            source,
        };
        let mut request = self.http.request(method, format!("{}{path}", self.base));
        if let Some(key) = &self.key {
            request = request.bearer_auth(key);
        }
        if let Some(body) = body {
            request = request
                .header("content-type", "application/json")
                .body(body);
        }
        let response = request.send().await.map_err(unreachable)?;
        let status = response.status();
        let text = response.text().await.map_err(unreachable)?;
        match serde_json::from_str::<Value>(&text) {
            Ok(json) if status.is_success() => Ok(Answer {
                status: status.as_u16(),
                text,
                json,
            }),
            Ok(problem) if problem.get("code").is_some() => Err(Failure::Refused {
                status: status.as_u16(),
                text,
                problem: Box::new(problem),
            }),
            _ => Err(Failure::NotAGateway {
                url: self.base.clone(),
                status: status.as_u16(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_http_addresses_are_taken() {
        assert_eq!(
            Client::new("http://127.0.0.1:8004/").expect("good").base(),
            "http://127.0.0.1:8004"
        );
        for bad in ["127.0.0.1:8004", "ftp://x", "", "http://"] {
            assert!(matches!(Client::new(bad), Err(Failure::Usage(_))), "{bad}");
        }
    }
}
