//! Reading a card from wherever it is: the bytes, what was understood, and where they came from.

use protocol::a2a::card::{self, ImportPolicy, Refusal};
use registry::agent::Profile;
use registry::client::{ClientError, Outgoing, Purpose};
use registry::listing::profile_of;
use serde_json::value::RawValue;
use url::Url;

use crate::gate::Gate;
use crate::problem::{Code, Problem};

/// Where a card is.
#[derive(Debug)]
pub enum Source {
    /// Here.
    Inline(Box<RawValue>),
    /// At this URL.
    Card(Url),
    /// At a well-known path of this domain.
    Domain(Url),
}

/// A card that was read.
#[derive(Debug)]
pub struct Imported {
    /// As it came.
    pub bytes: Vec<u8>,
    /// Where it came from.
    pub url: Option<Url>,
    /// What it says.
    pub profile: Profile,
}

/// Paths tried at a domain, in order; first below the given path, then at the root.
const WELL_KNOWN: [&str; 2] = [".well-known/agent-card.json", ".well-known/agent.json"];

impl Source {
    /// At most one of the three ways to name a card.
    ///
    /// # Errors
    /// 422 when several are given, or a URL is none.
    pub fn of(
        domain_url: Option<String>,
        card_url: Option<String>,
        card: Option<Box<RawValue>>,
    ) -> Result<Option<Self>, Problem> {
        match (domain_url, card_url, card) {
            (None, None, None) => Ok(None),
            (None, None, Some(card)) => Ok(Some(Self::Inline(card))),
            (None, Some(url), None) => Ok(Some(Self::Card(parse(&url, "/card_url")?))),
            (Some(domain), None, None) => {
                let url = if domain.contains("://") {
                    domain
                } else {
                    format!("https://{domain}")
                };
                Ok(Some(Self::Domain(parse(&url, "/domain_url")?)))
            }
            _ => Err(Problem::new(
                Code::InvalidRequest,
                "give one of domain_url, card_url and card",
            )),
        }
    }
}

fn parse(text: &str, pointer: &str) -> Result<Url, Problem> {
    match Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => Ok(url),
        _ => Err(Problem::new(Code::InvalidRequest, "an http or https URL").at(pointer)),
    }
}

/// Reads the card.
///
/// # Errors
/// 422 with the importer's own code, or `card_unreachable` with the class of the failure.
pub async fn read(gate: &Gate, source: Source) -> Result<Imported, Problem> {
    match source {
        Source::Inline(card) => Ok(understand(gate, card.get().as_bytes().to_vec(), None)?),
        Source::Card(url) => {
            let (bytes, url) = fetch(gate, url).await?;
            follow_pointer(gate, bytes, url).await
        }
        Source::Domain(url) => from_domain(gate, &url).await,
    }
}

fn understand(gate: &Gate, bytes: Vec<u8>, url: Option<Url>) -> Result<Imported, Refusal> {
    let policy = ImportPolicy {
        private_targets: gate.fixed.settings.allow_private_targets,
    };
    let card = card::import(&bytes, url.as_ref(), policy)?;
    let profile = profile_of(&card, &bytes, url.as_ref());
    Ok(Imported {
        bytes,
        url,
        profile,
    })
}

/// A document that only points to the real card is followed once.
async fn follow_pointer(gate: &Gate, bytes: Vec<u8>, url: Url) -> Result<Imported, Problem> {
    match understand(gate, bytes, Some(url.clone())) {
        Ok(imported) => Ok(imported),
        Err(refusal) => match refusal.hint.as_deref().and_then(|hint| url.join(hint).ok()) {
            Some(target) if target != url => {
                let (bytes, target) = fetch(gate, target).await?;
                Ok(understand(gate, bytes, Some(target))?)
            }
            _ => Err(refusal.into()),
        },
    }
}

async fn from_domain(gate: &Gate, domain: &Url) -> Result<Imported, Problem> {
    let mut last = Problem::new(
        Code::CardUnreachable,
        "no card was found at the well-known paths",
    )
    .at("/domain_url");
    for url in candidates(domain) {
        match fetch(gate, url).await {
            Ok((bytes, url)) => match follow_pointer(gate, bytes, url).await {
                Ok(imported) => return Ok(imported),
                // What is there but no card says more than what is not there.
                Err(refusal) => last = refusal,
            },
            Err(unreachable) if last.code() == Code::CardUnreachable => last = unreachable,
            Err(_) => {}
        }
    }
    Err(last)
}

fn candidates(domain: &Url) -> Vec<Url> {
    let mut below = domain.clone();
    below.set_query(None);
    below.set_fragment(None);
    if !below.path().ends_with('/') {
        let path = format!("{}/", below.path());
        below.set_path(&path);
    }
    let mut root = below.clone();
    root.set_path("/");
    let mut urls: Vec<Url> = Vec::new();
    for base in [below, root] {
        for path in WELL_KNOWN {
            if let Ok(url) = base.join(path)
                && !urls.contains(&url)
            {
                urls.push(url);
            }
        }
    }
    urls
}

async fn fetch(gate: &Gate, url: Url) -> Result<(Vec<u8>, Url), Problem> {
    let answered = async {
        let answer = gate
            .client
            .send(Outgoing::get(Purpose::CardImport, url.clone()))
            .await?;
        let (status, final_url) = (answer.status, answer.final_url.clone());
        Ok::<_, ClientError>((status, answer.bytes().await?, final_url))
    };
    match answered.await {
        Ok((200..=299, bytes, final_url)) => Ok((bytes.into(), final_url)),
        Ok((status, ..)) => {
            let detail = format!(
                "{} answered with status {status}",
                url.host_str().unwrap_or_default()
            );
            Err(Problem::new(Code::CardUnreachable, detail)
                .with("class", "status")
                .with("upstream_status", status))
        }
        Err(error) => {
            let class = error.class();
            Err(Problem::new(Code::CardUnreachable, error.to_string()).with("class", class))
        }
    }
}
