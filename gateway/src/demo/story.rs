//! The story of the demo, step by step; each step checks what it shows.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::cards::{ALL, DemoCard};
use super::dialect::Kind;
use super::owned::{self, Owned};
use super::{Failed, Stage, StepError, say, skills};
use crate::cli::client::{Answer, Client};
use crate::cli::table::{list_at, table, text_at, words_at};
use crate::cli::{answer_words, match_reason};

/// Columns of the tables.
const WIDTH: u16 = 96;
/// How long a new listing may take to be found.
const FINDABLE: Duration = Duration::from_secs(10);
/// The plain-HTTP agent that is registered by its fields.
const PLAIN: &str = "letter-counter";
/// The agent in whose name the demo calls.
const CALLER: &str = "demo-caller";

/// What the story has come to.
struct Told<'a> {
    stage: &'a Stage,
    client: Client,
    /// The id under which each card is listed, by path.
    listed: Vec<(&'static str, String)>,
}

/// Tells all steps.
pub(super) async fn tell(stage: &Stage, data: &Path) -> Result<(), Failed> {
    let at = |step| move |source| Failed { step, source };
    let client =
        Client::new(&stage.gateway.address).map_err(|failure| at("start")(failure.into()))?;
    let mut told = Told {
        stage,
        client,
        listed: Vec::new(),
    };
    told.import().await.map_err(at("import"))?;
    let (plain, caller) = told.register(data).await.map_err(at("register"))?;
    told.find().await.map_err(at("match"))?;
    told.verify().await.map_err(at("verify"))?;
    told.call(&plain, &caller).await.map_err(at("call"))?;
    say::line(&format!("\ndocs: {}/docs", stage.gateway.address));
    Ok(())
}

impl Told<'_> {
    async fn import(&mut self) -> Result<(), StepError> {
        say::step(
            2,
            &format!(
                "Import {} agent cards: flat 0.3, 1.0, both in one, and some odd ones",
                ALL.len()
            ),
        );
        let (mut rows, mut known) = (Vec::new(), 0);
        for card in ALL {
            let answer = self.import_one(card).await?;
            let agent = text_at(&answer.json, "/agent/agent_id");
            if answer.json.get("registered").and_then(Value::as_bool) != Some(true)
                || agent.is_empty()
            {
                return Err(StepError::Wrong(format!(
                    "the card of {} was read but not listed",
                    card.path
                )));
            }
            known += usize::from(answer.status == 200);
            rows.push(imported_row(&agent, &answer.json));
            self.listed.push((card.path, agent));
        }
        let odd = rows
            .iter()
            .filter(|[_, _, warnings]| !warnings.is_empty())
            .count();
        if odd < 5 {
            return Err(StepError::Wrong(format!(
                "{odd} cards gave warnings, but 5 are odd"
            )));
        }
        let cells: Vec<Vec<String>> = rows.iter().map(|row| row.to_vec()).collect();
        say::block(&table(
            &["listed as", "reads as", "warnings"],
            &cells,
            WIDTH,
        ));
        let known = if known > 0 {
            format!(" ({known} were listed before)")
        } else {
            String::new()
        };
        say::block(&format!(
            "\n{} listed{known}, {odd} with warnings. Read one of them again:",
            rows.len()
        ));
        let card = format!(
            "{}/sorter/.well-known/agent-card.json",
            self.agents(Kind::A2a03)?
        );
        self.repeat("/import-agent", None, &json!({"card_url": card}));
        Ok(())
    }

    async fn import_one(&self, card: DemoCard) -> Result<Answer, StepError> {
        let text = card.with(&self.stage.addresses).ok_or_else(|| {
            StepError::Wrong(format!(
                "the card of {} needs an agent that did not start",
                card.path
            ))
        })?;
        // As text, so that the card's bytes are those of its file.
        Ok(self
            .client
            .post(
                "/import-agent",
                format!("{{\"register\":true,\"card\":{text}}}"),
            )
            .await?)
    }

    async fn register(&self, data: &Path) -> Result<(Owned, Owned), StepError> {
        say::step(
            3,
            "Register: an agent that speaks plain HTTP, and a caller of our own",
        );
        let endpoint = format!("{}/{PLAIN}", self.agents(Kind::Http)?);
        let declared = json!({
            "name": "Letter Counter",
            "description": "Counts the letters of a text and names the most frequent ones.",
            "endpoint_url": endpoint,
            "message_protocol": "raw",
            "capabilities": [{"name": "letter statistics", "weight": 3}],
            "tags": ["text", "letters", "statistics"],
            "accepted_content_types": ["text/plain", "application/json"],
        });
        let plain = owned::own(&self.client, data, PLAIN, &declared).await?;
        let caller = owned::own(
            &self.client,
            data,
            CALLER,
            &json!({"name": "Demo Caller", "description": "Calls the others."}),
        )
        .await?;
        for owned in [&plain, &caller] {
            let how = if owned.new {
                "registered"
            } else {
                "known from an earlier demo"
            };
            say::block(&format!("{}: {how}, key {}", owned.id, owned.key));
        }
        say::block("\nAn agent of yours, at the same address:");
        let mine = json!({
            "agent_id": "my-agent", "contact_email": "me@example.org", "endpoint_url": endpoint, "message_protocol": "raw",
        });
        self.repeat("/register", None, &mine);
        Ok((plain, caller))
    }

    async fn find(&self) -> Result<(), StepError> {
        say::step(4, "Match: what is found, and why");
        for (index, (query, wanted)) in [
            ("convert miles to kilometres", "unit-converter"),
            ("wether forcast", "weather"),
        ]
        .into_iter()
        .enumerate()
        {
            say::gap(index);
            let body = json!({"query": query, "limit": 3});
            let wanted = self.id_of(wanted)?;
            let hits = self.found(&body, wanted).await?;
            say::block(&format!("\"{query}\""));
            let row = |hit: &Value| {
                let score = hit
                    .get("match_score")
                    .and_then(Value::as_f64)
                    .unwrap_or_default();
                vec![
                    format!("{score:.1}"),
                    text_at(hit, "/agent/agent_id"),
                    match_reason(hit),
                ]
            };
            say::block(&table(
                &["score", "id", "why"],
                &hits.iter().map(row).collect::<Vec<_>>(),
                WIDTH,
            ));
            self.repeat("/match", None, &body);
        }
        Ok(())
    }

    /// The hits, once the wanted agent is among them: the index follows within a second.
    async fn found(&self, body: &Value, wanted: &str) -> Result<Vec<Value>, StepError> {
        let begun = Instant::now();
        loop {
            let answer = self.client.post("/match", body.to_string()).await?;
            let hits = list_at(&answer.json, "/items").to_vec();
            if hits
                .iter()
                .any(|hit| text_at(hit, "/agent/agent_id") == wanted)
            {
                return Ok(hits);
            }
            if begun.elapsed() > FINDABLE {
                return Err(StepError::Wrong(format!(
                    "{wanted} is not found by {body} within {} s",
                    FINDABLE.as_secs()
                )));
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    async fn verify(&self) -> Result<(), StepError> {
        say::step(5, "Verify: what is known, and what to be careful about");
        let id = self.id_of("translator")?;
        let body = json!({"agent_id": id});
        let report = self.client.post("/verify", body.to_string()).await?.json;
        if text_at(&report, "/agent_id") != id || list_at(&report, "/caveats").is_empty() {
            return Err(StepError::Wrong(format!(
                "the report about {id} says nothing: {report}"
            )));
        }
        let score = match report.get("score").and_then(Value::as_f64) {
            Some(score) => format!("{score:.1}"),
            None => "none, since nobody has rated it".to_owned(),
        };
        say::block(&format!(
            "{id}: {}; score: {score}; flags: {}",
            text_at(&report, "/state"),
            words_at(&report, "/flags")
        ));
        for caveat in list_at(&report, "/caveats") {
            say::block(&format!(
                "- {}: {}",
                text_at(caveat, "/code"),
                text_at(caveat, "/text")
            ));
        }
        self.repeat("/verify", None, &body);
        Ok(())
    }

    async fn call(&self, plain: &Owned, caller: &Owned) -> Result<(), StepError> {
        say::step(6, "Call: one door, whatever the agent speaks");
        let letters = "The guildhall is open to every agent.";
        let calls = [
            (plain.id.as_str(), PLAIN, letters, "http"),
            (
                self.id_of("translator")?,
                "translator",
                "Good morning, my friend!",
                "a2a-0.3",
            ),
            (
                self.id_of("unit-converter")?,
                "unit-converter",
                "12 km in miles",
                "a2a-1.0",
            ),
            ("guildhall-echo", "", "Is anybody here?", "a2a-1.0"),
        ];
        let client = self.client.clone().with_key(Some(caller.key.clone()))?;
        for (index, (id, path, question, spoken)) in calls.into_iter().enumerate() {
            say::gap(index);
            let body = json!({"agent_id": id, "message": question});
            let answer = client.post("/call", body.to_string()).await?.json;
            let said = answer_words(answer.get("body").unwrap_or(&Value::Null));
            let expected = skills::answer(path, question).unwrap_or_else(|| question.to_owned());
            if said != expected || text_at(&answer, "/spoken") != spoken {
                return Err(StepError::Wrong(format!(
                    "{id} was to say {expected:?} over {spoken}, but: {answer}"
                )));
            }
            let took = answer
                .get("duration_ms")
                .and_then(Value::as_i64)
                .unwrap_or_default();
            say::block(&format!(
                "{id} ({spoken}, {took} ms)\n  asked   {question}\n  said    {said}"
            ));
            self.repeat("/call", Some(&caller.key), &body);
        }
        Ok(())
    }

    fn agents(&self, kind: Kind) -> Result<&str, StepError> {
        let addresses = &self.stage.addresses;
        let address = match kind {
            Kind::Http => &addresses.http,
            Kind::A2a03 => &addresses.a2a_03,
            Kind::A2a1 => &addresses.a2a_1,
        };
        address
            .as_deref()
            .ok_or_else(|| StepError::Wrong(format!("no agents speak {}", kind.as_str())))
    }

    fn id_of(&self, path: &str) -> Result<&str, StepError> {
        let found = self
            .listed
            .iter()
            .find(|(card, _)| *card == path)
            .map(|(_, id)| id.as_str());
        found.ok_or_else(|| StepError::Wrong(format!("no card of {path}")))
    }

    fn repeat(&self, path: &str, key: Option<&str>, body: &Value) {
        say::block(&format!(
            "$ {}",
            say::curl(self.client.base(), path, key, body)
        ));
    }
}

/// Every demo agent is on this machine, so that remark is left out.
fn imported_row(agent: &str, answer: &Value) -> [String; 3] {
    let dialect = |one: &Value| {
        let aside = if one.get("callable").and_then(Value::as_bool) == Some(true) {
            ""
        } else {
            " (not callable)"
        };
        format!("{}{aside}", text_at(one, "/version"))
    };
    let reads: Vec<String> = list_at(answer, "/reads_as").iter().map(dialect).collect();
    let warnings = list_at(answer, "/warnings")
        .iter()
        .map(|one| text_at(one, "/code"));
    let mut warnings: Vec<String> = warnings.filter(|code| code != "url_private").collect();
    warnings.dedup();
    [agent.to_owned(), reads.join(", "), warnings.join(", ")]
}
