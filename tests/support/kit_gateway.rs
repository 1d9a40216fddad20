//! A gateway with the agent of the test kits: `guildhall serve` with one more tenant.

use tests::Kit;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    // Two providers are linked in by dependencies; code that asks for a default needs one chosen.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let settings = gateway::settings::load(None)?;
    let mut tenants = tenants::all();
    tenants.push(Box::new(Kit));
    let gateway = gateway::serve::Gateway::build(settings, tenants).await?;
    println!("listening on http://{}", gateway.address);
    let ended = async {
        // Without a signal to wait for it serves until it is killed.
        let _ = tokio::signal::ctrl_c().await;
    };
    gateway.run(ended).await?;
    Ok(())
}
