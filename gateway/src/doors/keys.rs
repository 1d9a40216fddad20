//! `/agents/{id}/keys`: the owner's keys.

use poem_openapi::param::Path;
use poem_openapi::{ApiResponse, Object, OpenApi};
use registry::clock::rfc3339;
use registry::store::Rotation;
use serde::{Deserialize, Serialize};

use super::payload::{self, Answer, Body, ReadBody};
use crate::caller::Key;
use crate::gate::Gate;
use crate::problem::{Code, Problem};

pub(crate) struct KeysDoor(pub(super) Gate);

#[OpenApi]
impl KeysDoor {
    /// Make a key
    ///
    /// With `rotate` every other key of the agent ends in the same moment.
    #[oai(
        path = "/agents/:agent_id/keys",
        method = "post",
        operation_id = "create_key"
    )]
    async fn create(
        &self,
        key: Key,
        /// Id of the agent.
        agent_id: Path<String>,
        body: Body<NewKey>,
    ) -> Result<KeyAnswer, Problem> {
        let id = key.owner_of(&agent_id.0)?;
        let odd =
            |label: &String| label.chars().count() > 64 || label.chars().any(char::is_control);
        if body.label.as_ref().is_some_and(odd) {
            return Err(Problem::new(
                Code::InvalidRequest,
                "at most 64 characters, none of them control characters",
            )
            .at("/label"));
        }
        let rotation = if body.rotate {
            Rotation::RevokeOthers
        } else {
            Rotation::Keep
        };
        let issued = self
            .0
            .store
            .key_issue(&id, body.0.label, rotation, key.0.key_id())
            .await?;
        Ok(KeyAnswer::Created(Answer(CreatedKey {
            key_id: issued.id,
            api_key: issued.text,
            label: issued.label,
            created_at: rfc3339(issued.created_at),
        })))
    }

    /// List the live keys
    #[oai(
        path = "/agents/:agent_id/keys",
        method = "get",
        operation_id = "list_keys"
    )]
    async fn list(
        &self,
        key: Key,
        /// Id of the agent.
        agent_id: Path<String>,
    ) -> Result<Answer<KeyList>, Problem> {
        let id = key.owner_of(&agent_id.0)?;
        let keys = self.0.store.keys_of(&id).await?;
        let items = keys.into_iter().map(|key| ShownKey {
            key_id: key.id,
            prefix: key.prefix,
            label: key.label,
            created_at: rfc3339(key.created_at),
            last_used_at: key.last_used_at.map(rfc3339),
        });
        Ok(Answer(KeyList {
            items: items.collect(),
            next_cursor: None,
        }))
    }

    /// Revoke a key
    ///
    /// It ends at once here, and within a second at other gateways of the same store.
    #[oai(
        path = "/agents/:agent_id/keys/:key_id",
        method = "delete",
        operation_id = "revoke_key"
    )]
    async fn revoke(
        &self,
        key: Key,
        /// Id of the agent.
        agent_id: Path<String>,
        /// Id of the key.
        key_id: Path<String>,
    ) -> Result<Answer<RevokedKey>, Problem> {
        let id = key.owner_of(&agent_id.0)?;
        self.0.store.key_revoke(&id, &key_id.0).await?;
        Ok(Answer(RevokedKey {
            key_id: key_id.0,
            revoked: true,
        }))
    }
}

/// A new key's options.
#[derive(Debug, Deserialize, Object)]
struct NewKey {
    /// A name for people, at most 64 characters.
    #[serde(default)]
    label: Option<String>,
    /// End all other keys.
    #[serde(default)]
    #[oai(default)]
    rotate: bool,
}

#[derive(ApiResponse)]
enum KeyAnswer {
    /// Made; the key is shown this once.
    #[oai(status = 201)]
    Created(Answer<CreatedKey>),
}

/// A key that was just made.
#[derive(Debug, Serialize, Object)]
struct CreatedKey {
    /// Its id, for revoking it.
    key_id: String,
    /// The key; shown once.
    api_key: String,
    /// A name for people.
    label: Option<String>,
    /// When it was made.
    created_at: String,
}

/// A key as it is shown later.
#[derive(Debug, Serialize, Object)]
struct ShownKey {
    /// Its id.
    key_id: String,
    /// Its first characters.
    prefix: String,
    /// A name for people.
    label: Option<String>,
    /// When it was made.
    created_at: String,
    /// When it was last used, to about a second.
    last_used_at: Option<String>,
}

/// The live keys.
#[derive(Debug, Serialize, Object)]
struct KeyList {
    /// Oldest first.
    items: Vec<ShownKey>,
    /// Always null: an agent has at most 20 keys.
    next_cursor: Option<String>,
}

/// A revoked key.
#[derive(Debug, Serialize, Object)]
struct RevokedKey {
    /// Its id.
    key_id: String,
    /// Always true.
    revoked: bool,
}

impl ReadBody for NewKey {
    fn read(bytes: &[u8]) -> Result<Self, Problem> {
        payload::object(bytes)
    }
}
