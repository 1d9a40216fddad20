//! The settings of the program: one struct a concern, defaults here, documented in `guildhall.toml`.

use std::net::SocketAddr;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

mod load;
mod show;

pub use load::{SettingsError, load, load_from};
pub use show::effective;

/// The documented settings file with every key at its default.
pub const SAMPLE: &str = include_str!("../../guildhall.toml");

/// Everything that can be set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Address to listen on.
    pub listen: SocketAddr,
    /// Origin that others reach us by; made of `listen` when empty.
    pub public_url: String,
    /// Folder of the embedded database and the search index.
    pub data_dir: PathBuf,
    /// `postgres://…`; empty for the embedded database.
    pub database_url: String,
    /// Opens `/operator/*`; empty closes it.
    pub operator_key: String,
    /// Peers whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<std::net::IpAddr>,
    /// Whose card the root shows; empty for none.
    pub root_agent: String,
    /// Whether agents on loopback and private networks may be listed and called.
    pub allow_private_targets: bool,
    /// Logging.
    pub log: Log,
    /// Limits on requests.
    pub limits: Limits,
    /// The proxy.
    pub call: Call,
    /// Search.
    pub search: SearchSettings,
    /// What is not kept for ever.
    pub retention: Retention,
    /// Start and stop.
    pub server: Server,
}

/// Logging.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Log {
    /// Filter, e.g. `info` or `gateway=debug`.
    pub filter: String,
    /// How lines look.
    pub format: LogFormat,
}

/// How log lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// How many requests are taken; 0 lifts a limit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Registrations and imports a minute and source address.
    pub register_per_minute: u32,
    /// Reads, searches and other requests a minute and source address.
    pub read_per_minute: u32,
    /// Calls a minute and caller.
    pub call_per_minute: u32,
    /// Calls a minute and called agent.
    pub agent_per_minute: u32,
    /// Bytes of a request body; imports may be as large as a card.
    pub body_bytes: usize,
    /// Requests served at once; beyond them 503.
    pub in_flight: usize,
}

/// The proxy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Call {
    /// How long an agent may take when the caller does not say, in milliseconds.
    pub timeout_ms: u64,
    /// The most that a caller may ask for, in milliseconds.
    pub max_timeout_ms: u64,
    /// The most bytes of an agent's answer.
    pub response_bytes: usize,
    /// The most bytes of one event of an agent's stream.
    pub event_bytes: usize,
    /// Whether an endpoint is asked at import what it speaks.
    pub probe: bool,
    /// Calls to one agent at once; beyond them 503. 0 lifts it.
    pub agent_in_flight: usize,
    /// Calls of one caller at once; beyond them 429. 0 lifts it.
    pub caller_in_flight: usize,
}

/// Search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchSettings {
    /// File of synonyms; empty for the built-in ones.
    pub synonyms_file: PathBuf,
    /// How many agents stay in memory.
    pub cached_agents: usize,
}

/// What is not kept for ever.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Retention {
    /// Days that the record of a call is kept; 0 keeps all.
    pub call_days: u32,
}

/// Start and stop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Server {
    /// Open connections; beyond them new ones wait.
    pub connections: usize,
    /// How long new connections are taken after SIGTERM, while `/ready` says no, in milliseconds.
    pub linger_ms: u64,
    /// How long requests may go on after that, in milliseconds.
    pub drain_ms: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8004)),
            public_url: String::new(),
            data_dir: PathBuf::from("./data"),
            database_url: String::new(),
            operator_key: String::new(),
            trusted_proxies: Vec::new(),
            root_agent: String::new(),
            allow_private_targets: false,
            log: Log::default(),
            limits: Limits::default(),
            call: Call::default(),
            search: SearchSettings::default(),
            retention: Retention::default(),
            server: Server::default(),
        }
    }
}

impl Default for Log {
    fn default() -> Self {
        Self {
            filter: "info".to_owned(),
            format: LogFormat::Text,
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            register_per_minute: 30,
            read_per_minute: 6_000,
            call_per_minute: 6_000,
            agent_per_minute: 60_000,
            body_bytes: 65_536,
            in_flight: 2_048,
        }
    }
}

impl Default for Call {
    fn default() -> Self {
        Self {
            timeout_ms: 30_000,
            max_timeout_ms: 600_000,
            response_bytes: 10 * 1024 * 1024,
            event_bytes: 8 * 1024 * 1024,
            probe: true,
            agent_in_flight: 256,
            caller_in_flight: 512,
        }
    }
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self {
            synonyms_file: PathBuf::new(),
            cached_agents: 10_000,
        }
    }
}

impl Default for Retention {
    fn default() -> Self {
        Self { call_days: 365 }
    }
}

impl Default for Server {
    fn default() -> Self {
        Self {
            connections: 10_000,
            linger_ms: 0,
            drain_ms: 10_000,
        }
    }
}
