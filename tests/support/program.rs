//! The built program as a process: for what only a process has, such as signals and locks.

use std::path::PathBuf;
use std::process::Stdio;

use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

use crate::Http;

/// A running `guildhall serve`.
#[derive(Debug)]
pub struct Program {
    /// A client of it.
    pub http: Http,
    child: Child,
}

impl Program {
    /// A command of the program with this environment and no other of ours.
    ///
    /// # Panics
    /// When the program was not built.
    #[must_use]
    pub fn command(environment: &[(&str, &str)]) -> Command {
        let mut command = Command::new(path());
        for (name, _) in std::env::vars() {
            if name.starts_with("GUILDHALL_") || name == "DATABASE_URL" {
                command.env_remove(name);
            }
        }
        command.envs(environment.iter().copied()).kill_on_drop(true);
        command
    }

    /// Starts `serve` on a free port and waits for its line.
    ///
    /// # Panics
    /// When it does not start.
    pub async fn serve(environment: &[(&str, &str)]) -> Self {
        let mut child = Self::command(environment)
            .env("GUILDHALL_LISTEN", "127.0.0.1:0")
            .arg("serve")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("started");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let line = lines.next_line().await.expect("readable").expect("a line");
        let url = line
            .strip_prefix("listening on ")
            .expect("the address")
            .to_owned();
        Self {
            http: Http::new(url),
            child,
        }
    }

    /// `kill -9`.
    ///
    /// # Panics
    /// When it is gone already.
    pub async fn kill(mut self) {
        self.child.kill().await.expect("killed");
    }

    /// SIGTERM; gives the exit code.
    ///
    /// # Panics
    /// When the signal cannot be sent.
    pub async fn terminate(mut self) -> Option<i32> {
        let id = self.child.id().expect("running").to_string();
        let sent = Command::new("kill")
            .args(["-TERM", &id])
            .status()
            .await
            .expect("kill");
        assert!(sent.success());
        self.child.wait().await.expect("ended").code()
    }
}

/// Beside the test's own folder.
fn path() -> PathBuf {
    let test = std::env::current_exe().expect("a path");
    let program = test
        .parent()
        .and_then(|deps| deps.parent())
        .expect("a target folder")
        .join("guildhall");
    assert!(
        program.exists(),
        "{} is not built: cargo build --workspace",
        program.display()
    );
    program
}
