//! A tenant that does whatever the public A2A test kits ask of an agent: what it does is told by
//! the beginning of the message's id.

use std::time::Duration;

use futures_util::future::BoxFuture;
use protocol::a2a::card::Skill;
use protocol::a2a::card::serve::CardSource;
use protocol::a2a::message::{Content, Message, Part};
use protocol::a2a::translate::TaskState;
use serde_json::json;
use tenants::{Artifact, Context, Failure, Fault, Stopped, Tenant, Update, Updates};

/// The tenant; it is listed as `guildhall-kit`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Kit;

/// How long it works on what is to last: long enough to be watched and attached to.
const LONG: Duration = Duration::from_secs(5);
/// How long it works on what is to be seen under way.
const SHORT: Duration = Duration::from_millis(300);

impl Tenant for Kit {
    fn name(&self) -> &'static str {
        "kit"
    }

    fn specialty(&self) -> &'static str {
        "does what test kits ask"
    }

    fn card(&self) -> CardSource {
        let any = || {
            ["text/plain", "application/json", "*/*"]
                .map(str::to_owned)
                .to_vec()
        };
        CardSource {
            name: "Kit".to_owned(),
            description: "An agent under test.".to_owned(),
            version: "1.0.0".to_owned(),
            default_input_modes: any(),
            default_output_modes: any(),
            skills: vec![Skill {
                id: "obey".to_owned(),
                name: "Obey".to_owned(),
                description: "Does what the beginning of the message's id says.".to_owned(),
                tags: vec!["test".to_owned()],
                ..Skill::default()
            }],
            ..CardSource::default()
        }
    }

    fn answer<'a>(
        &'a self,
        context: &'a Context,
        message: Message,
        updates: &'a dyn Updates,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(obey(context, message, updates))
    }
}

/// What follows a working state in a stream.
fn stream_text(id: &str) -> Option<&'static str> {
    [
        ("tck-stream-001", "Stream hello from TCK"),
        ("tck-stream-003", "Stream task lifecycle"),
        ("tck-stream-ordering-001", "Ordered output"),
        ("tck-stream-artifact-text", "Streamed text content"),
    ]
    .into_iter()
    .find(|(prefix, _)| id.starts_with(prefix))
    .map(|(_, text)| text)
}

async fn obey(context: &Context, message: Message, updates: &dyn Updates) -> Result<(), Failure> {
    let id = message.message_id.clone().unwrap_or_default();
    let is = |prefix: &str| id.starts_with(prefix);
    let send = |update| updates.send(update);
    if let Some(text) = stream_text(&id) {
        return streamed(updates, vec![Part::text(text)]).await;
    }
    if is("tck-stream-artifact-file") {
        return streamed(
            updates,
            vec![file(Content::Bytes(b"file content".to_vec()))],
        )
        .await;
    }
    if is("tck-stream-artifact-chunked") {
        return chunked(updates).await;
    }
    if is("tck-message-response") {
        let parts = vec![Part::text("Direct message response")];
        return Ok(send(Update::Message(parts)).await?);
    }
    if is("tck-reject-task") {
        return Err(Failure {
            fault: Fault::Message,
            reason: "rejected".to_owned(),
        });
    }
    if is("tck-input-required") {
        let ask = vec![Part::text("What else?")];
        return Ok(send(Update::Status(TaskState::InputRequired, ask)).await?);
    }
    if let Some(parts) = artifact_of(&id) {
        send(Update::Artifact(artifact(parts))).await?;
        return Ok(send(Update::Status(TaskState::Completed, Vec::new())).await?);
    }
    if is("test-resubscribe-message-id") {
        return last(context, updates).await;
    }
    if is("tck-") {
        let said = vec![Part::text("Hello from TCK")];
        return Ok(send(Update::Status(TaskState::Completed, said)).await?);
    }
    // Anything else is seen under way, and may be followed up, before it is done.
    if !context.resumed {
        send(Update::Status(TaskState::Working, Vec::new())).await?;
    }
    tokio::time::sleep(SHORT).await;
    send(Update::Artifact(artifact(message.parts))).await?;
    Ok(send(Update::Status(
        TaskState::InputRequired,
        vec![Part::text("Done. What else?")],
    ))
    .await?)
}

fn artifact_of(id: &str) -> Option<Vec<Part>> {
    let parts = match () {
        () if id.starts_with("tck-artifact-text") => Part::text("Generated text content"),
        () if id.starts_with("tck-artifact-file-url") => {
            file(Content::Uri("https://example.com/output.txt".to_owned()))
        }
        () if id.starts_with("tck-artifact-file") => file(Content::Bytes(b"file content".to_vec())),
        () if id.starts_with("tck-artifact-data") => {
            Part::data(json!({ "key": "value", "count": 42 }))
        }
        () => return None,
    };
    Some(vec![parts])
}

fn file(content: Content) -> Part {
    Part {
        content,
        name: Some("output.txt".to_owned()),
        media_type: Some("text/plain".to_owned()),
        metadata: None,
    }
}

fn artifact(parts: Vec<Part>) -> Artifact {
    Artifact {
        id: "output".to_owned(),
        parts,
        ..Artifact::default()
    }
}

async fn streamed(updates: &dyn Updates, parts: Vec<Part>) -> Result<(), Failure> {
    updates
        .send(Update::Status(TaskState::Working, Vec::new()))
        .await?;
    updates.send(Update::Artifact(artifact(parts))).await?;
    updates
        .send(Update::Status(TaskState::Completed, Vec::new()))
        .await?;
    Ok(())
}

async fn chunked(updates: &dyn Updates) -> Result<(), Failure> {
    updates
        .send(Update::Status(TaskState::Working, Vec::new()))
        .await?;
    let piece = |text: &str, append, last| Artifact {
        append,
        last: Some(last),
        ..artifact(vec![Part::text(text)])
    };
    updates
        .send(Update::Artifact(piece("chunk-1 ", false, false)))
        .await?;
    updates
        .send(Update::Artifact(piece("chunk-2", true, true)))
        .await?;
    updates
        .send(Update::Status(TaskState::Completed, Vec::new()))
        .await?;
    Ok(())
}

/// Works long enough to be attached to; goes on where the end of a process broke it off.
async fn last(context: &Context, updates: &dyn Updates) -> Result<(), Failure> {
    if !context.resumed {
        updates
            .send(Update::Status(TaskState::Working, Vec::new()))
            .await?;
    }
    tokio::time::sleep(LONG).await;
    let done: Result<(), Stopped> = updates
        .send(Update::Status(TaskState::Completed, Vec::new()))
        .await;
    Ok(done?)
}
