//! `POST /import-agent`: read a card of any version, say what was understood, and list it if asked.

use poem::Request;
use poem_openapi::{ApiResponse, Object, OpenApi};
use registry::agent::Contact;
use registry::listing::{candidate_ids, missing_fields};
use registry::store::NewAgent;
use serde::{Deserialize, Serialize};

use super::payload::{self, Answer, Body, ReadBody};
use super::verbatim::Verbatim;
use crate::caller::source_of;
use crate::gate::Gate;
use crate::import::{self, Imported, Source};
use crate::problem::{Code, Problem};
use crate::views::{AgentView, WarningView, profile_view};

pub(crate) struct ImportDoor(pub(super) Gate);

#[OpenApi]
impl ImportDoor {
    /// Import an agent card
    ///
    /// Takes A2A cards from 0.1 to 1.0 and hybrids, repairs what can be repaired, and says what
    /// it did. With `register` the card is listed as `unclaimed`: found and called free of
    /// charge, without a price, until its owner shows up. Without it nothing is written.
    #[oai(path = "/import-agent", method = "post", operation_id = "import_agent")]
    async fn import(
        &self,
        request: &Request,
        body: Body<ImportBody>,
    ) -> Result<ImportAnswer, Problem> {
        let gate = &self.0;
        gate.fixed.limits.check_register(source_of(request))?;
        let body = body.0;
        let source = Source::of(
            body.domain_url,
            body.card_url,
            body.card.map(Verbatim::into_raw),
        )?
        .ok_or_else(|| {
            Problem::new(
                Code::InvalidRequest,
                "give one of domain_url, card_url and card",
            )
        })?;
        let imported = import::read(gate, source).await?;
        let mut view = ImportedView::of(&imported);
        if !body.register {
            return Ok(ImportAnswer::Read(Answer(view)));
        }
        let listed = list(gate, imported).await?;
        view.registered = true;
        view.created = listed.created;
        view.agent = Some(AgentView::of(&listed.agent, &gate.fixed.origin));
        Ok(if listed.created {
            ImportAnswer::Listed(Answer(view))
        } else {
            ImportAnswer::Read(Answer(view))
        })
    }
}

/// The same card from the same place is listed once, and refreshed.
async fn list(gate: &Gate, imported: Imported) -> Result<registry::store::Imported, Problem> {
    let ids = candidate_ids(&imported.profile);
    let source = match &imported.url {
        Some(url) => {
            let mut url = url.clone();
            url.set_fragment(None);
            url.to_string()
        }
        None => format!(
            "sha256:{}",
            imported.profile.card_digest.as_deref().unwrap_or_default()
        ),
    };
    let Some(id) = ids.first().cloned() else {
        return Err(Problem::new(
            Code::Internal,
            "no id could be made from the card",
        ));
    };
    let new = NewAgent {
        id,
        profile: imported.profile,
        contact: Contact::default(),
        card: Some(imported.bytes),
    };
    Ok(gate.store.agent_import(ids, new, source).await?)
}

/// One of the three ways to name a card.
#[derive(Debug, Deserialize, Object)]
#[oai(rename = "ImportRequest")]
struct ImportBody {
    /// A domain; its well-known paths are tried.
    #[serde(default)]
    domain_url: Option<String>,
    /// Where the card is.
    #[serde(default)]
    card_url: Option<String>,
    /// The card itself.
    #[serde(default)]
    card: Option<Verbatim>,
    /// List it.
    #[serde(default)]
    #[oai(default)]
    register: bool,
}

#[derive(ApiResponse)]
enum ImportAnswer {
    /// Read; or listed before, and refreshed.
    #[oai(status = 200)]
    Read(Answer<ImportedView>),
    /// Listed.
    #[oai(status = 201)]
    Listed(Answer<ImportedView>),
}

/// What was understood of a card.
#[derive(Debug, Serialize, Object)]
#[oai(rename = "ImportedCard")]
struct ImportedView {
    /// Where it came from; null for one that was sent.
    source_url: Option<String>,
    /// SHA-256 of its bytes, lower-case hex.
    card_digest: String,
    /// Its call addresses in order, as dialect and binding.
    reads_as: Vec<ReadsAs>,
    /// What a listing would say.
    preview: AgentView,
    /// What was repaired or left out.
    warnings: Vec<WarningView>,
    /// Members whose absence makes an agent harder to find or call.
    missing_fields: Vec<String>,
    /// Whether it is listed now.
    registered: bool,
    /// Whether this request listed it.
    created: bool,
    /// The listing.
    agent: Option<AgentView>,
    /// What to do next.
    note: String,
}

/// A dialect over a binding.
#[derive(Debug, Serialize, Object)]
struct ReadsAs {
    /// `0.3` or `1.0`.
    version: String,
    /// `JSONRPC`, `HTTP+JSON` or `GRPC`.
    binding: String,
    /// Whether the address may be called.
    callable: bool,
}

impl ImportedView {
    fn of(imported: &Imported) -> Self {
        let profile = &imported.profile;
        let reads_as = profile.interfaces.iter().map(|interface| ReadsAs {
            version: interface.version.as_str().to_owned(),
            binding: interface.binding.as_str().to_owned(),
            callable: interface.callable,
        });
        Self {
            source_url: imported.url.as_ref().map(ToString::to_string),
            card_digest: profile.card_digest.clone().unwrap_or_default(),
            reads_as: reads_as.collect(),
            preview: profile_view(profile),
            warnings: profile.warnings.iter().cloned().map(Into::into).collect(),
            missing_fields: missing_fields(profile).into_iter().map(str::to_owned).collect(),
            registered: false,
            created: false,
            agent: None,
            note: "An imported listing is unclaimed. The owner registers the agent with POST /register.".to_owned(),
        }
    }
}

impl ReadBody for ImportBody {
    fn read(bytes: &[u8]) -> Result<Self, Problem> {
        payload::object_around(bytes, |body: &Self| body.card.as_ref().map(Verbatim::text))
    }
}
