//! The command line: one program, its subcommands, and what each starts.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use registry::search::{Follower, Search};
use registry::store::{Store, lock_folder, migrate, migration_status};
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::settings::{self, Settings};
use crate::{cli, demo, logs, serve};

/// A directory and router for autonomous agents: find, check, agree, call and pay.
#[derive(Debug, Parser)]
#[command(name = "guildhall", version, about, propagate_version = true)]
pub struct Program {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the gateway
    #[command(
        after_help = "Examples:\n  guildhall serve\n  GUILDHALL_LISTEN=0.0.0.0:8004 guildhall serve --config guildhall.toml"
    )]
    Serve(ServeArgs),
    /// Bring the database to this program's tables, or show where it stands
    #[command(subcommand)]
    Migrate(Migrate),
    /// Make the search index anew from the store; the gateway must not be running
    RebuildSearch(ConfigArgs),
    /// Print the OpenAPI document
    Openapi,
    /// Print the settings in force, secrets hidden
    Config(ConfigArgs),
    /// Load or show the table of exchange rates that terms use
    #[command(subcommand)]
    Rates(Rates),
    /// Make, list or remove the keys that sign cards, receipts and requests
    #[command(subcommand)]
    Keys(Keys),
    /// Start a gateway with demo agents and show the main job
    Demo(demo::DemoOptions),
    /// One demo agent; started by `demo`
    #[command(hide = true)]
    DemoAgent(demo::AgentOptions),
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  guildhall completions bash > /etc/bash_completion.d/guildhall"
    )]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    #[command(flatten)]
    Client(Box<cli::ClientCommand>),
}

/// Where the settings are.
#[derive(Debug, Clone, Default, Args)]
struct ConfigArgs {
    /// Settings file; also GUILDHALL_CONFIG
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct ServeArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// Parts to leave out; `indexer` is accepted, as no chain is read in this version
    #[arg(long, value_name = "PART", value_parser = ["indexer"])]
    without: Vec<String>,
}

#[derive(Debug, Subcommand)]
enum Migrate {
    /// Take the steps that are missing
    Up(ConfigArgs),
    /// List the steps and whether each was taken
    Status(ConfigArgs),
}

#[derive(Debug, Subcommand)]
enum Rates {
    /// Load a table from a file; a running gateway takes it within a minute
    #[command(
        after_help = "The file: {\"source\": \"...\", \"as_of\": \"2026-01-02T00:00:00Z\", \"max_age\": 86400,\n  \"rates\": [{\"base\": \"SGD\", \"quote\": \"USD\", \"rate\": \"0.74\"}]}"
    )]
    Load {
        /// The file, JSON
        file: PathBuf,
        #[command(flatten)]
        config: ConfigArgs,
    },
    /// Show the loaded table
    Show(ConfigArgs),
}

#[derive(Debug, Subcommand)]
enum Keys {
    /// List the keys, the one that signs first
    List(ConfigArgs),
    /// Make a new key, which signs from now on; a running gateway takes it within a minute
    Rotate(ConfigArgs),
    /// Remove a retired key; what it signed can no longer be checked
    Remove {
        /// Its id.
        kid: String,
        #[command(flatten)]
        config: ConfigArgs,
    },
}

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Runs a parsed command line.
pub async fn run(program: Program) -> ExitCode {
    let outcome = match program.command {
        Command::Client(command) => return cli::run(*command).await,
        Command::Demo(options) => return demo::run(options).await,
        Command::DemoAgent(options) => return demo::agent(options).await,
        Command::Completions { shell } => {
            cli::completions(shell, &mut <Program as clap::CommandFactory>::command());
            Ok(())
        }
        Command::Serve(args) => serve_gateway(args).await,
        Command::Migrate(command) => migrate_database(command).await,
        Command::Rates(command) => manage_rates(command).await,
        Command::Keys(command) => manage_keys(command).await,
        Command::RebuildSearch(config) => rebuild_search(config).await,
        Command::Openapi => crate::document()
            .map_err(Into::into)
            .map(|document| println!("{document}")),
        Command::Config(config) => {
            read(&config).map(|settings| print!("{}", settings::effective(&settings)))
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("guildhall: {}", with_causes(&*error));
            ExitCode::FAILURE
        }
    }
}

fn with_causes(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        // Some causes are told by the error above already.
        if !text.contains(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        source = cause.source();
    }
    text
}

fn read(config: &ConfigArgs) -> Result<Settings, Failure> {
    Ok(settings::load(config.config.as_deref())?)
}

async fn serve_gateway(args: ServeArgs) -> Result<(), Failure> {
    let settings = read(&args.config)?;
    logs::start(&settings.log).map_err(|error| format!("setting `log.filter`: {error}"))?;
    // The usual soft limit of 1,024 is less than the connections that we take.
    if let Err(error) = rlimit::increase_nofile_limit(u64::MAX) {
        tracing::warn!(%error, "the limit of open files stays as it is");
    }
    let gateway = serve::Gateway::build(settings, tenants::all()).await?;
    // Before the line that says it can be reached: a signal from then on is a wish to drain.
    let signals = Signals::heard()?;
    println!("listening on http://{}", gateway.address);
    gateway.run(signals.drain()).await?;
    Ok(())
}

/// SIGTERM and Ctrl-C, which no longer end the program by themselves.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn heard() -> std::io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }

    /// Ends with the first signal; a second one ends the program at once.
    async fn drain(mut self) {
        self.next().await;
        tracing::info!("draining");
        tokio::spawn(async move {
            self.next().await;
            std::process::exit(130);
        });
    }
}

async fn migrate_database(command: Migrate) -> Result<(), Failure> {
    match command {
        Migrate::Up(config) => {
            let taken = migrate(&serve::store_options(&read(&config)?)).await?;
            for step in &taken {
                println!("taken    {step}");
            }
            if taken.is_empty() {
                println!("the database is up to date");
            }
        }
        Migrate::Status(config) => {
            for (step, taken) in migration_status(&serve::store_options(&read(&config)?)).await? {
                println!("{}  {step}", if taken { "taken  " } else { "missing" });
            }
        }
    }
    Ok(())
}

async fn open(config: &ConfigArgs) -> Result<Store, Failure> {
    let settings = read(config)?;
    Ok(Store::open(serve::store_options(&settings)).await?)
}

async fn manage_rates(command: Rates) -> Result<(), Failure> {
    match command {
        Rates::Load { file, config } => {
            let text = std::fs::read_to_string(&file)
                .map_err(|error| format!("{}: {error}", file.display()))?;
            let table = registry::terms::parse_rates(&text)
                .map_err(|error| format!("{}: {error}", file.display()))?;
            open(&config).await?.rates_load(text).await?;
            println!("{} rates, digest {}", table.rows().len(), table.digest());
        }
        Rates::Show(config) => match open(&config).await?.rates_text().await? {
            Some(text) => println!("{text}"),
            None => println!("no rates are loaded"),
        },
    }
    Ok(())
}

async fn manage_keys(command: Keys) -> Result<(), Failure> {
    match command {
        Keys::List(config) => {
            for key in open(&config).await?.signing_keys().await? {
                let made = registry::clock::rfc3339(key.created_at);
                let state = if key.retired_at.is_none() {
                    "signs  "
                } else {
                    "retired"
                };
                println!("{state}  {}  {made}", key.kid);
            }
        }
        Keys::Rotate(config) => {
            let kid = crate::ring::add_key(&open(&config).await?).await?;
            println!("signs    {kid}");
        }
        Keys::Remove { kid, config } => {
            open(&config).await?.signing_key_remove(&kid).await?;
            println!("removed  {kid}");
        }
    }
    Ok(())
}

async fn rebuild_search(config: ConfigArgs) -> Result<(), Failure> {
    let settings = read(&config)?;
    let _lock = lock_folder(&settings.data_dir)?;
    let store = Store::open(serve::store_options(&settings)).await?;
    let search = Search::open(
        &settings.data_dir.join("index"),
        serve::search_options(&settings)?,
    )?;
    Follower::new(store, search.clone()).rebuild().await?;
    println!("{} agents can be found", search.stats().documents);
    Ok(())
}
