//! `guildhall-echo`: answers every message with its own parts, to try a client with.

use futures_util::future::BoxFuture;
use protocol::a2a::card::Skill;
use protocol::a2a::card::serve::CardSource;
use protocol::a2a::message::Message;

use crate::{Context, Failure, Tenant, Update, Updates};

/// The echo agent.
#[derive(Debug, Clone, Copy, Default)]
pub struct Echo;

impl Tenant for Echo {
    fn name(&self) -> &'static str {
        "echo"
    }

    fn specialty(&self) -> &'static str {
        "gives back what it was sent"
    }

    fn card(&self) -> CardSource {
        let any = || {
            vec![
                "text/plain".to_owned(),
                "application/json".to_owned(),
                "*/*".to_owned(),
            ]
        };
        CardSource {
            name: "Guildhall Echo".to_owned(),
            description: "Answers every message with the same parts. For trying a client: free, and always there."
                .to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            default_input_modes: any(),
            default_output_modes: any(),
            skills: vec![Skill {
                id: "echo".to_owned(),
                name: "Echo".to_owned(),
                description: "Gives back the parts of a message unchanged.".to_owned(),
                tags: ["echo", "test", "debug"].map(str::to_owned).to_vec(),
                examples: vec!["hello".to_owned()],
                ..Skill::default()
            }],
            ..CardSource::default()
        }
    }

    fn answer<'a>(
        &'a self,
        _context: &'a Context,
        message: Message,
        updates: &'a dyn Updates,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move { Ok(updates.send(Update::Message(message.parts)).await?) })
    }
}
