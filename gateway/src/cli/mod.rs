//! Client commands against a running gateway: `register`, `import`, `match`, `verify`, `call`.
//!
//! Exit codes: 0 done, 1 the gateway refused or the agent failed, 2 wrong usage, 3 no gateway.

use std::io::Write as _;
use std::process::ExitCode;

use clap::{Args, Subcommand};

mod call;
pub mod client;
pub mod failure;
mod files;
mod import;
mod matching;
mod register;
pub mod table;
mod verify;

use client::Client;
use failure::Failure;

pub(crate) use call::words as answer_words;
pub(crate) use matching::why as match_reason;

/// A command for a running gateway.
#[derive(Debug, Subcommand)]
pub enum ClientCommand {
    /// List an agent of your own, and get its key
    #[command(after_help = register::EXAMPLES)]
    Register(Box<register::RegisterArgs>),
    /// Read an agent card of any version, and list it if asked
    #[command(after_help = import::EXAMPLES)]
    Import(import::ImportArgs),
    /// Find agents by words and filters
    #[command(after_help = matching::EXAMPLES)]
    Match(matching::MatchArgs),
    /// Show what is known about an agent
    #[command(after_help = verify::EXAMPLES)]
    Verify(verify::VerifyArgs),
    /// Send a message to an agent and show its answer
    #[command(after_help = call::EXAMPLES)]
    Call(call::CallArgs),
}

/// What every command for a gateway takes.
#[derive(Debug, Clone, Args)]
pub struct ClientOptions {
    /// Address of the gateway
    #[arg(
        long,
        env = "GUILDHALL_URL",
        default_value = "http://127.0.0.1:8004",
        value_name = "URL"
    )]
    pub url: String,
    /// Print the gateway's JSON as it came
    #[arg(long)]
    pub json: bool,
}

/// What a command has to say.
struct Report {
    /// The JSON of the gateway as it came.
    json: String,
    /// The same for people.
    text: String,
    /// For standard error: what has to be known in both cases.
    notes: Vec<String>,
    /// Whether what was asked for came about.
    good: bool,
}

impl Report {
    fn new(json: String, text: String) -> Self {
        Self {
            json,
            text,
            notes: Vec::new(),
            good: true,
        }
    }
}

/// Runs a command and prints what came of it.
pub async fn run(command: ClientCommand) -> ExitCode {
    let json = command.options().json;
    match perform(command).await {
        Ok(report) => {
            let text = if json { &report.json } else { &report.text };
            // A reader that went away, such as `head`, is no failure of ours.
            let _ = writeln!(std::io::stdout(), "{}", text.trim_end());
            for note in &report.notes {
                let _ = writeln!(std::io::stderr(), "{note}");
            }
            if report.good {
                ExitCode::SUCCESS
            } else {
                ExitCode::from(1)
            }
        }
        Err(failure) => {
            let _ = writeln!(std::io::stderr(), "{}", failure.text(json));
            failure.exit_code()
        }
    }
}

async fn perform(command: ClientCommand) -> Result<Report, Failure> {
    let client = Client::new(&command.options().url)?;
    match command {
        ClientCommand::Register(args) => register::run(*args, &client).await,
        ClientCommand::Import(args) => import::run(&args, &client).await,
        ClientCommand::Match(args) => matching::run(&args, &client).await,
        ClientCommand::Verify(args) => verify::run(&args, &client).await,
        ClientCommand::Call(args) => call::run(&args, client).await,
    }
}

impl ClientCommand {
    fn options(&self) -> &ClientOptions {
        match self {
            Self::Register(args) => &args.options,
            Self::Import(args) => &args.options,
            Self::Match(args) => &args.options,
            Self::Verify(args) => &args.options,
            Self::Call(args) => &args.options,
        }
    }
}

/// Prints the completion script of the whole program for a shell.
pub fn completions(shell: clap_complete::Shell, program: &mut clap::Command) {
    let mut script = Vec::new();
    clap_complete::generate(shell, program, "guildhall", &mut script);
    // As above: the reader may have gone.
    let _ = std::io::stdout().write_all(&script);
}

#[cfg(test)]
mod tests;
