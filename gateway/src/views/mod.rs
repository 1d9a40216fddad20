//! What goes over the wire: views derive from domain types and are documented in OpenAPI.

mod agent;
mod report;

pub use agent::{
    AgentView, CapabilityView, LivenessView, SkillView, WarningView, brief_view, profile_view,
};
pub use report::{CaveatView, EvidenceView, FreshnessView, ReportView, RoutingView};
