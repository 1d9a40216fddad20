//! Numbers for operators, in the Prometheus text format; a value that is handed on, no global.

use std::sync::atomic::AtomicU64;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

/// Seconds from 0.25 ms to about 16 s.
const BUCKETS: [f64; 12] = [
    0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10.0, 60.0,
];

/// All metrics.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    duration: Family<DoorLabel, Histogram, fn() -> Histogram>,
    calls: Family<CallLabels, Counter>,
    /// Requests being served now.
    pub in_flight: Gauge,
    /// Documents in the search index.
    pub index_documents: Gauge,
    /// Outbox rows that the index has not seen.
    pub index_behind: Gauge,
    uptime: Gauge<f64, AtomicU64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    door: &'static str,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct DoorLabel {
    door: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CallLabels {
    outcome: &'static str,
    spoken: &'static str,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut metrics = Self {
            registry: Registry::with_prefix("guildhall"),
            requests: Family::default(),
            duration: Family::new_with_constructor(|| Histogram::new(BUCKETS)),
            calls: Family::default(),
            in_flight: Gauge::default(),
            index_documents: Gauge::default(),
            index_behind: Gauge::default(),
            uptime: Gauge::default(),
        };
        let registry = &mut metrics.registry;
        registry.register(
            "requests",
            "Requests by door and status",
            metrics.requests.clone(),
        );
        registry.register(
            "request_duration_seconds",
            "Time to the answer by door",
            metrics.duration.clone(),
        );
        registry.register(
            "calls",
            "Calls to agents by outcome and what was spoken",
            metrics.calls.clone(),
        );
        registry.register(
            "requests_in_flight",
            "Requests being served",
            metrics.in_flight.clone(),
        );
        registry.register(
            "index_documents",
            "Agents in the search index",
            metrics.index_documents.clone(),
        );
        registry.register(
            "index_behind",
            "Changes that the search index has not seen",
            metrics.index_behind.clone(),
        );
        registry.register(
            "uptime_seconds",
            "Time since the start",
            metrics.uptime.clone(),
        );
        metrics
    }
}

impl Metrics {
    /// Counts a request at its end.
    pub fn request(&self, door: &'static str, status: u16, seconds: f64) {
        self.requests
            .get_or_create(&RequestLabels { door, status })
            .inc();
        self.duration
            .get_or_create(&DoorLabel { door })
            .observe(seconds);
    }

    /// Counts a call to an agent.
    pub fn call(&self, outcome: &'static str, spoken: &'static str) {
        self.calls
            .get_or_create(&CallLabels { outcome, spoken })
            .inc();
    }

    /// The whole page in the text format.
    #[must_use]
    pub fn page(&self, uptime_seconds: f64) -> String {
        self.uptime.set(uptime_seconds);
        let mut page = String::new();
        // Writing to a string cannot fail.
        let _ = encode(&mut page, &self.registry);
        page
    }
}
