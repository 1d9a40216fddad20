//! The processes of the demo: this program again, as the gateway and as the demo agents.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, ChildStdin, Command};

use super::dialect::Kind;

/// How long a process may take until it says where it listens.
const START: Duration = Duration::from_secs(60);
/// How long the gateway may take to finish requests and records.
const END: Duration = Duration::from_secs(20);
/// How a process says where it listens.
const MARK: &str = "listening on ";

/// Why a process is not there.
#[derive(Debug, thiserror::Error)]
pub(super) enum ChildError {
    /// The system did not start it.
    #[error("{name} could not be started")]
    Start {
        /// What it is.
        name: &'static str,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// It ended, or said nothing for a minute.
    #[error("{name} {what} before it said where it listens")]
    Silent {
        /// What it is.
        name: &'static str,
        /// What it did instead.
        what: String,
    },
}

/// A process that listens. Dropping it kills it.
#[derive(Debug)]
pub(super) struct Running {
    /// Where, without a slash at the end.
    pub(super) address: String,
    child: Child,
    end: End,
}

/// How a process is ended: in both ways by the end of a pipe, so that it also ends when the
/// demo is killed.
#[derive(Debug)]
enum End {
    /// The process watches its standard input.
    Input(Option<ChildStdin>),
    /// A process beside it watches, and sends it SIGTERM.
    Beside(Child),
}

/// Starts the gateway over a data folder.
pub(super) async fn gateway(listen: SocketAddr, data: &Path) -> Result<Running, ChildError> {
    let mut command = this_program("the gateway")?;
    command.arg("serve");
    // The demo is the embedded default: what the environment says of a database or a settings
    // file is for another gateway.
    for name in ["DATABASE_URL", "GUILDHALL_CONFIG", "GUILDHALL_PUBLIC_URL"] {
        command.env_remove(name);
    }
    command
        .env("GUILDHALL_LISTEN", listen.to_string())
        .env("GUILDHALL_DATA_DIR", data)
        .env("GUILDHALL_ALLOW_PRIVATE_TARGETS", "true");
    // Log lines would stand between the lines of the story; and the story registers at once what
    // takes a usual visitor some minutes.
    for (name, value) in [
        ("GUILDHALL_LOG", "warn"),
        ("GUILDHALL_LIMITS_REGISTER_PER_MINUTE", "600"),
    ] {
        if std::env::var_os(name).is_none() {
            command.env(name, value);
        }
    }
    command.stdin(Stdio::null());
    started("the gateway", command).await
}

/// Starts a process of demo agents, which watches its standard input.
pub(super) async fn agents(kind: Kind, listen: SocketAddr) -> Result<Running, ChildError> {
    let mut command = this_program("a demo agent")?;
    command.args([
        "demo-agent",
        "--kind",
        kind.as_str(),
        "--listen",
        &listen.to_string(),
    ]);
    command.stdin(Stdio::piped());
    started("a demo agent", command).await
}

fn this_program(name: &'static str) -> Result<Command, ChildError> {
    let path = std::env::current_exe().map_err(|source| ChildError::Start { name, source })?;
    Ok(Command::new(path))
}

async fn started(name: &'static str, mut command: Command) -> Result<Running, ChildError> {
    command.stdout(Stdio::piped()).kill_on_drop(true);
    // Ctrl-C at a terminal reaches a whole group; the children are ended by us, in order.
    #[cfg(unix)]
    command.process_group(0);
    let mut child = command
        .spawn()
        .map_err(|source| ChildError::Start { name, source })?;
    let silent = |what: &str| ChildError::Silent {
        name,
        what: what.to_owned(),
    };
    let output = child.stdout.take().ok_or_else(|| silent("has no output"))?;
    let mut lines = BufReader::new(output).lines();
    let address = async {
        while let Ok(Some(line)) = lines.next_line().await {
            if let Some(address) = line.strip_prefix(MARK) {
                return Some(address.trim_end_matches('/').to_owned());
            }
        }
        None
    };
    match tokio::time::timeout(START, address).await {
        Ok(Some(address)) => {
            // A full pipe would stop the process.
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            let end = match (child.stdin.take(), child.id()) {
                (None, Some(id)) => {
                    End::Beside(ender(id).map_err(|source| ChildError::Start { name, source })?)
                }
                (input, _) => End::Input(input),
            };
            Ok(Running {
                address,
                child,
                end,
            })
        }
        Ok(None) => match child.wait().await {
            Ok(status) => Err(silent(&format!("ended ({status})"))),
            Err(source) => Err(ChildError::Start { name, source }),
        },
        Err(_) => Err(silent("said nothing for a minute")),
    }
}

impl Running {
    /// Ends when the process does, which it should not.
    pub(super) async fn ended(&mut self) {
        // An error here means that there is nothing left to wait for.
        let _ = self.child.wait().await;
    }

    /// Ends the process and waits for it.
    pub(super) async fn stop(mut self) {
        match self.end {
            End::Input(input) => drop(input),
            // Its number may be another's by now.
            End::Beside(mut ender) if self.child.id().is_none() => {
                let _ = ender.kill().await;
            }
            End::Beside(mut ender) => {
                drop(ender.stdin.take());
                let _ = ender.wait().await;
            }
        }
        if tokio::time::timeout(END, self.child.wait()).await.is_err() {
            // What fails here fails because the process is gone.
            let _ = self.child.kill().await;
        }
    }
}

/// Sends SIGTERM to one process when its own standard input ends. The standard library has no
/// signals, every shell has.
fn ender(id: u32) -> std::io::Result<Child> {
    let mut command = Command::new("sh");
    command
        .args(["-c", "cat >/dev/null; kill -TERM \"$0\"", &id.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    #[cfg(unix)]
    command.process_group(0);
    command.spawn()
}
