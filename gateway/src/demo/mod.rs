//! The demo.
use std::process::ExitCode;
/// x
#[derive(Debug, clap::Args)]
pub struct DemoOptions {}
/// x
#[derive(Debug, clap::Args)]
pub struct AgentOptions {}
/// x
pub async fn run(_c: DemoOptions) -> ExitCode { ExitCode::SUCCESS }
/// x
pub async fn agent(_c: AgentOptions) -> ExitCode { ExitCode::SUCCESS }
