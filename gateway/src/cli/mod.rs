//! The client commands.
use std::process::ExitCode;
/// x
#[derive(Debug, clap::Subcommand)]
pub enum ClientCommand {
    /// x
    X,
}
/// x
pub async fn run(_c: ClientCommand) -> ExitCode { ExitCode::SUCCESS }
/// x
pub fn completions(shell: clap_complete::Shell, command: &mut clap::Command) { clap_complete::generate(shell, command, "guildhall", &mut std::io::stdout()); }
