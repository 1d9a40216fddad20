//! The program `guildhall`.

use std::process::ExitCode;

use clap::Parser as _;
use gateway::program::Program;
use mimalloc::MiMalloc;

/// A call makes some two hundred small allocations; the system's allocator took a sixth of its time.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

#[tokio::main]
async fn main() -> ExitCode {
    // Two providers are linked in by dependencies; code that asks for a default needs one chosen.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    gateway::program::run(Program::parse()).await
}
