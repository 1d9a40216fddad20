//! The program `guildhall`.

use std::process::ExitCode;

use clap::Parser as _;
use gateway::program::Program;

#[tokio::main]
async fn main() -> ExitCode {
    // Two providers are linked in by dependencies; code that asks for a default needs one chosen.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    gateway::program::run(Program::parse()).await
}
