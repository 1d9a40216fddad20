//! `guildhall demo`: a gateway with demo agents as processes of their own, and the main job
//! shown on them: import, register, match, verify, call.

use std::future::Future;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

mod agent;
mod cards;
mod chance;
mod children;
mod dialect;
mod numbers;
mod owned;
mod say;
mod skills;
mod story;
mod words;

pub use agent::{AgentOptions, agent};
pub use dialect::Kind;

use crate::cli::failure::Failure;
use cards::Addresses;
use children::{ChildError, Running};

/// How to show the demo.
#[derive(Debug, Clone, Args)]
#[command(
    after_help = "Examples:\n  guildhall demo\n  guildhall demo --once\n\n\
Data stay in GUILDHALL_DATA_DIR (./data); with --once in a temporary folder that is removed."
)]
pub struct DemoOptions {
    /// Stop everything when the story is told; exit code 0 when every step went well
    #[arg(long)]
    pub once: bool,
    /// Address of the gateway, the demo agents take the three ports after it; 127.0.0.1:8004
    /// when not said, any free port with --once
    #[arg(long, env = "GUILDHALL_LISTEN", value_name = "ADDRESS")]
    pub listen: Option<SocketAddr>,
    /// Folder of the data; ./data when not said, and not used with --once
    #[arg(long, env = "GUILDHALL_DATA_DIR", value_name = "FOLDER")]
    pub data_dir: Option<PathBuf>,
}

/// Why a step of the demo failed.
#[derive(Debug, thiserror::Error)]
enum StepError {
    /// The gateway refused or is not there.
    #[error("{}", .0.text(false))]
    Asked(#[from] Failure),
    /// A process is not there.
    #[error(transparent)]
    Child(#[from] ChildError),
    /// A file could not be written.
    #[error("{}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// An answer is not what it must be.
    #[error("{0}")]
    Wrong(String),
}

/// A step that failed, with its name.
#[derive(Debug, thiserror::Error)]
#[error("step `{step}` failed: {source}")]
struct Failed {
    step: &'static str,
    #[source]
    source: StepError,
}

/// The processes of a demo.
struct Stage {
    gateway: Running,
    agents: Vec<Running>,
    addresses: Addresses,
}

/// Starts everything, tells the story, and serves until Ctrl-C; with `once` it ends instead.
pub async fn run(options: DemoOptions) -> ExitCode {
    let folder = match data_folder(&options) {
        Ok(folder) => folder,
        Err(error) => {
            eprintln!("demo: step `start` failed: {error}");
            return ExitCode::FAILURE;
        }
    };
    let told = tell(&options, &folder).await;
    if options.once {
        // Best effort: a temporary folder that stays is removed by the system.
        let _ = std::fs::remove_dir_all(&folder);
    }
    match told {
        Ok(()) => ExitCode::SUCCESS,
        Err(failed) => {
            eprintln!("\ndemo: {failed}");
            let mut cause = std::error::Error::source(&failed.source);
            while let Some(error) = cause {
                eprintln!("  cause: {error}");
                cause = error.source();
            }
            ExitCode::FAILURE
        }
    }
}

async fn tell(options: &DemoOptions, folder: &Path) -> Result<(), Failed> {
    let mut stage = Stage::open(options, folder)
        .await
        .map_err(|source| Failed {
            step: "start",
            source,
        })?;
    let stopped = stop_signal();
    tokio::pin!(stopped);
    let outcome = tokio::select! {
        outcome = story::tell(&stage, folder) => outcome.map(|()| false),
        () = &mut stopped => Ok(true),
    };
    let outcome = match outcome {
        Ok(false) if !options.once => stage.keep_serving(stopped).await,
        Ok(true) if options.once => Err(Failed {
            step: "story",
            source: StepError::Wrong("stopped before its end".to_owned()),
        }),
        other => other.map(|_| ()),
    };
    stage.close().await;
    outcome
}

impl Stage {
    async fn open(options: &DemoOptions, folder: &Path) -> Result<Self, StepError> {
        let listen = match (options.once, options.listen) {
            (true, _) => SocketAddr::from(([127, 0, 0, 1], 0)),
            (false, said) => said.unwrap_or(SocketAddr::from(([127, 0, 0, 1], 8004))),
        };
        say::line("Guildhall demo: a directory and its agents, all on this computer.");
        say::step(1, "Start");
        let gateway = children::gateway(listen, folder).await?;
        say::block(&format!(
            "gateway   {}   (data in {})",
            gateway.address,
            folder.display()
        ));
        let mut agents = Vec::new();
        let mut addresses = Addresses::default();
        for (after, kind) in [(1, Kind::Http), (2, Kind::A2a03), (3, Kind::A2a1)] {
            let agent = agent_process(kind, listen.port(), after).await?;
            say::block(&format!(
                "agents    {}   (speak {})",
                agent.address,
                kind.as_str()
            ));
            let address = Some(agent.address.clone());
            match kind {
                Kind::Http => addresses.http = address,
                Kind::A2a03 => addresses.a2a_03 = address,
                Kind::A2a1 => addresses.a2a_1 = address,
            }
            agents.push(agent);
        }
        Ok(Self {
            gateway,
            agents,
            addresses,
        })
    }

    async fn keep_serving(&mut self, stopped: impl Future<Output = ()>) -> Result<(), Failed> {
        say::line("\nServing until Ctrl-C.");
        tokio::select! {
            () = stopped => Ok(()),
            () = self.gateway.ended() => {
                Err(Failed { step: "serve", source: StepError::Wrong("the gateway ended".to_owned()) })
            }
        }
    }

    async fn close(self) {
        self.gateway.stop().await;
        for agent in self.agents {
            agent.stop().await;
        }
    }
}

/// The same port every time, so that a second demo over the same data finds its listings
/// again; any free one when that port is taken.
async fn agent_process(kind: Kind, port: u16, after: u16) -> Result<Running, StepError> {
    let port = if port == 0 {
        0
    } else {
        port.saturating_add(after)
    };
    let address = |port| SocketAddr::from(([127, 0, 0, 1], port));
    let free = tokio::net::TcpListener::bind(address(port)).await.is_ok();
    Ok(children::agents(kind, address(if free { port } else { 0 })).await?)
}

fn data_folder(options: &DemoOptions) -> Result<PathBuf, StepError> {
    let folder = if options.once {
        let nanos = std::time::UNIX_EPOCH
            .elapsed()
            .map_or(0, |time| time.subsec_nanos());
        std::env::temp_dir().join(format!("guildhall-demo-{}-{nanos}", std::process::id()))
    } else {
        options
            .data_dir
            .clone()
            .unwrap_or_else(|| PathBuf::from("./data"))
    };
    let mut builder = std::fs::DirBuilder::new();
    // A temporary folder must be new and ours alone: it holds keys.
    builder.recursive(!options.once);
    #[cfg(unix)]
    if options.once {
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    }
    builder.create(&folder).map_err(|source| StepError::File {
        path: folder.clone(),
        source,
    })?;
    Ok(folder)
}

/// Ends with Ctrl-C or SIGTERM.
async fn stop_signal() {
    #[cfg(unix)]
    if let Ok(mut terminate) =
        tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())
    {
        tokio::select! {
            _ = terminate.recv() => return,
            _ = tokio::signal::ctrl_c() => return,
        }
    }
    // Without a handler there is nothing to wait for; the system ends the program by itself.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
