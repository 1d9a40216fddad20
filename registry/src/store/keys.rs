//! Keys of agents: `gh_sk_` and 256 random bits; only their SHA-256 is stored.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveValue, ColumnTrait, DatabaseTransaction, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect,
};
use sha2::{Digest, Sha256};

use super::Store;
use super::agents::locked;
use super::entity::agent_keys;
use super::outbox::{What, announce};
use crate::agent::{AgentId, State};
use crate::clock::Millis;
use crate::digest::sha256_hex;
use crate::error::{Error, Invalid};
use crate::ids::{self, Random};

/// What every key begins with, so that leaked ones can be scanned for.
const PREFIX: &str = "gh_sk_";
/// Characters of the random part.
const SECRET: usize = 43;
/// Characters of the checksum behind it: a typo is refused without a look-up.
const CHECK: usize = 4;
/// How many live keys an agent may have.
const MOST_KEYS: usize = 20;

/// A key that was just made: the only time its text is known.
#[derive(Clone, PartialEq, Eq)]
pub struct IssuedKey {
    /// The id of the key.
    pub id: String,
    /// Whose key it is.
    pub agent_id: AgentId,
    /// The secret text.
    pub text: String,
    /// A name given by its owner.
    pub label: Option<String>,
    /// When it was made.
    pub created_at: Millis,
}

impl std::fmt::Debug for IssuedKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IssuedKey")
            .field("id", &self.id)
            .field("agent_id", &self.agent_id)
            .finish_non_exhaustive()
    }
}

/// A key as its owner sees it later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyView {
    /// The id of the key.
    pub id: String,
    /// The first characters of its text.
    pub prefix: String,
    /// A name given by its owner.
    pub label: Option<String>,
    /// When it was made.
    pub created_at: Millis,
    /// When it was last used, to about a second.
    pub last_used_at: Option<Millis>,
}

/// What happens to the other keys when a new one is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rotation {
    /// They stay.
    Keep,
    /// They end with the commit that brings the new one.
    RevokeOthers,
}

/// The hash of a key's text, if the text can be a key at all.
#[must_use]
pub(super) fn hash_of(text: &str) -> Option<String> {
    let body = text.strip_prefix(PREFIX)?;
    if body.len() != SECRET + CHECK || !body.is_ascii() {
        return None;
    }
    let (secret, check) = body.split_at(SECRET);
    (checksum(secret) == check).then(|| sha256_hex(text.as_bytes()))
}

fn checksum(secret: &str) -> String {
    URL_SAFE_NO_PAD.encode(&Sha256::digest([PREFIX.as_bytes(), secret.as_bytes()].concat())[..3])
}

pub(super) fn new_key(
    agent_id: &AgentId,
    label: Option<String>,
    now: Millis,
    random: &dyn Random,
) -> IssuedKey {
    let secret = ids::secret(random);
    IssuedKey {
        id: ids::new_id("key", now, random),
        agent_id: agent_id.clone(),
        text: format!("{PREFIX}{secret}{}", checksum(&secret)),
        label,
        created_at: now,
    }
}

pub(super) async fn insert(tx: &DatabaseTransaction, key: &IssuedKey) -> Result<(), Error> {
    let row = agent_keys::ActiveModel {
        id: ActiveValue::Set(key.id.clone()),
        agent_id: ActiveValue::Set(key.agent_id.to_string()),
        prefix: ActiveValue::Set(key.text[..PREFIX.len() + 6].to_owned()),
        hash: ActiveValue::Set(sha256_hex(key.text.as_bytes())),
        label: ActiveValue::Set(key.label.clone()),
        created_at: ActiveValue::Set(key.created_at),
        last_used_at: ActiveValue::Set(None),
        revoked_at: ActiveValue::Set(None),
    };
    agent_keys::Entity::insert(row)
        .exec_without_returning(tx)
        .await
        .map_err(Error::store("stored a key"))?;
    Ok(())
}

pub(super) async fn revoke_all(
    tx: &DatabaseTransaction,
    agent_id: &AgentId,
    now: Millis,
) -> Result<(), Error> {
    agent_keys::Entity::update_many()
        .col_expr(agent_keys::Column::RevokedAt, Expr::value(now))
        .filter(agent_keys::Column::AgentId.eq(agent_id.as_str()))
        .filter(agent_keys::Column::RevokedAt.is_null())
        .exec(tx)
        .await
        .map_err(Error::store("revoked keys"))?;
    Ok(())
}

impl Store {
    /// Makes a key for an agent, at the wish of whoever holds the key `by`.
    ///
    /// # Errors
    /// [`Error::NotFound`] when `by` was revoked meanwhile, [`Error::Invalid`] when the agent has too many, [`Error::Withdrawn`], [`Error::Store`].
    pub async fn key_issue(
        &self,
        agent_id: &AgentId,
        label: Option<String>,
        rotation: Rotation,
        by: Option<&str>,
    ) -> Result<IssuedKey, Error> {
        let now = self.clock.now();
        let key = new_key(agent_id, label, now, &*self.random);
        let issued = key.clone();
        let by = by.map(str::to_owned);
        self.write("issued a key", move |tx| {
            Box::pin(async move {
                // Under the agent's lock: keys are counted right, and none outlives a withdrawal.
                let (agent, _) = locked(tx, &key.agent_id).await?;
                if agent.state == State::Withdrawn.as_str() {
                    return Err(Error::Withdrawn);
                }
                if let Some(by) = by {
                    still_live(tx, &key.agent_id, &by).await?;
                }
                match rotation {
                    Rotation::RevokeOthers => revoke_all(tx, &key.agent_id, now).await?,
                    Rotation::Keep => refuse_too_many(tx, &key.agent_id).await?,
                }
                insert(tx, &key).await?;
                announce(tx, &[&key.agent_id], What::Keys, now).await
            })
        })
        .await?;
        self.agent_changed(agent_id);
        Ok(issued)
    }

    /// The live keys of an agent, oldest first.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn keys_of(&self, agent_id: &AgentId) -> Result<Vec<KeyView>, Error> {
        let rows = live_keys(agent_id)
            .all(&self.reader)
            .await
            .map_err(Error::store("read keys"))?;
        Ok(rows
            .into_iter()
            .map(|row| KeyView {
                id: row.id,
                prefix: row.prefix,
                label: row.label,
                created_at: row.created_at,
                last_used_at: row.last_used_at,
            })
            .collect())
    }

    /// Ends a key at once.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the agent has no such live key, [`Error::Store`].
    pub async fn key_revoke(&self, agent_id: &AgentId, key_id: &str) -> Result<(), Error> {
        if !ids::is_plausible(key_id) {
            return Err(Error::NotFound("key"));
        }
        let (agent, key_id, now) = (agent_id.clone(), key_id.to_owned(), self.clock.now());
        self.write("revoked a key", move |tx| {
            Box::pin(async move {
                let revoked = agent_keys::Entity::update_many()
                    .col_expr(agent_keys::Column::RevokedAt, Expr::value(now))
                    .filter(agent_keys::Column::Id.eq(key_id))
                    .filter(agent_keys::Column::AgentId.eq(agent.as_str()))
                    .filter(agent_keys::Column::RevokedAt.is_null())
                    .exec(tx)
                    .await
                    .map_err(Error::store("revoked a key"))?;
                if revoked.rows_affected == 0 {
                    return Err(Error::NotFound("key"));
                }
                announce(tx, &[&agent], What::Keys, now).await
            })
        })
        .await?;
        self.agent_changed(agent_id);
        Ok(())
    }

    /// Whose key a hash belongs to, live or not.
    pub(super) async fn key_owner(&self, hash: &str) -> Result<Option<AgentId>, Error> {
        let row: Option<String> = agent_keys::Entity::find()
            .select_only()
            .column(agent_keys::Column::AgentId)
            .filter(agent_keys::Column::Hash.eq(hash))
            .into_tuple()
            .one(&self.reader)
            .await
            .map_err(Error::store("looked up a key"))?;
        Ok(row.and_then(|id| AgentId::lookup(&id)))
    }

    /// The hashes of these agents' live keys with their ids, by agent.
    pub(super) async fn key_hashes(&self, agents: &[AgentId]) -> Result<HashesByAgent, Error> {
        let rows = agent_keys::Entity::find()
            .filter(agent_keys::Column::AgentId.is_in(agents.iter().map(AgentId::as_str)))
            .filter(agent_keys::Column::RevokedAt.is_null())
            .all(&self.reader)
            .await
            .map_err(Error::store("read keys"))?;
        let mut by_agent = HashesByAgent::new();
        for row in rows {
            if let Some(id) = AgentId::lookup(&row.agent_id) {
                by_agent.entry(id).or_default().push((row.hash, row.id));
            }
        }
        Ok(by_agent)
    }
}

/// Pairs of hash and key id.
type HashesByAgent = BTreeMap<AgentId, Vec<(String, String)>>;

fn live_keys(agent_id: &AgentId) -> sea_orm::Select<agent_keys::Entity> {
    agent_keys::Entity::find()
        .filter(agent_keys::Column::AgentId.eq(agent_id.as_str()))
        .filter(agent_keys::Column::RevokedAt.is_null())
        .order_by_asc(agent_keys::Column::Id)
}

/// Of two rotations with one key the second finds it revoked.
async fn still_live(
    tx: &DatabaseTransaction,
    agent_id: &AgentId,
    key_id: &str,
) -> Result<(), Error> {
    let row = live_keys(agent_id)
        .filter(agent_keys::Column::Id.eq(key_id))
        .one(tx)
        .await
        .map_err(Error::store("read a key"))?;
    row.map(|_| ()).ok_or(Error::NotFound("live key"))
}

async fn refuse_too_many(tx: &DatabaseTransaction, agent_id: &AgentId) -> Result<(), Error> {
    let keys = live_keys(agent_id)
        .all(tx)
        .await
        .map_err(Error::store("counted keys"))?;
    if keys.len() >= MOST_KEYS {
        return Err(Invalid::value(
            "",
            "an agent has at most 20 live keys: revoke one, or rotate",
        )
        .into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::SystemRandom;

    #[test]
    fn a_typo_is_no_key() {
        let id = AgentId::claim("a").expect("an id");
        let key = new_key(&id, None, 0, &SystemRandom);
        assert!(hash_of(&key.text).is_some());
        let mut typo = key.text.clone();
        let last = typo.pop();
        typo.push(if last == Some('A') { 'B' } else { 'A' });
        assert_eq!(hash_of(&typo), None);
        assert_eq!(hash_of("gh_sk_short"), None);
        assert!(!format!("{key:?}").contains(&key.text));
    }
}
