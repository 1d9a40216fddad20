//! The fields of the index, and how an agent becomes a document.

use std::collections::{BTreeMap, BTreeSet};

use tantivy::TantivyDocument;
use tantivy::schema::{
    Field, IndexRecordOption, Schema, SchemaBuilder, TextFieldIndexing, TextOptions,
};

use super::text::{self, PLAIN, PROSE, STEMMED};
use crate::agent::{Agent, Profile};

/// The names of the columns that are read back.
pub(super) const ID: &str = "id";
pub(super) const CLAIM: &str = "claim";
pub(super) const OK_AT: &str = "ok_at";
pub(super) const FAILED_AT: &str = "failed_at";

/// More of an agent's prose than this is not searched; in bytes.
const LONGEST_PROSE: usize = 32 * 1024;

/// A property that agents are filtered by: both a term and a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Property {
    Skill,
    Tag,
    Org,
    Protocol,
    Rail,
    Input,
    Output,
}

impl Property {
    pub(super) const ALL: [Self; 7] = [
        Self::Skill,
        Self::Tag,
        Self::Org,
        Self::Protocol,
        Self::Rail,
        Self::Input,
        Self::Output,
    ];

    /// The field's name in the index.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Skill => "skill",
            Self::Tag => "tag",
            Self::Org => "org",
            Self::Protocol => "protocol",
            Self::Rail => "rail",
            Self::Input => "input",
            Self::Output => "output",
        }
    }
}

/// The fields of the index.
#[derive(Debug, Clone)]
pub(super) struct Fields {
    /// The agent's id, whole.
    pub(super) id: Field,
    /// The name, in words.
    pub(super) name: Field,
    /// The name and the id, whole.
    pub(super) whole_name: Field,
    /// Skills, capabilities, tags and organisation, in words.
    pub(super) keys: Field,
    /// Description, speciality, what skills say of themselves, in words.
    pub(super) prose: Field,
    /// All of these words as written, for prefixes and typos.
    pub(super) plain: Field,
    /// What the agent can do, by key.
    pub(super) capability: Field,
    claim: Field,
    properties: [Field; Property::ALL.len()],
    ok_at: Field,
    failed_at: Field,
}

/// The schema with its fields; both are the same on every machine and in every run.
pub(super) fn schema() -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let fields = Fields {
        id: builder.add_text_field(ID, exact().set_fast("raw")),
        name: words(&mut builder, "name", STEMMED),
        whole_name: builder
            .add_text_field("whole_name", indexed("raw", IndexRecordOption::WithFreqs)),
        keys: words(&mut builder, "keys", STEMMED),
        prose: words(&mut builder, "prose", PROSE),
        plain: words(&mut builder, "plain", PLAIN),
        capability: builder.add_text_field("capability", exact()),
        claim: builder.add_text_field(CLAIM, TextOptions::default().set_fast("raw")),
        properties: Property::ALL
            .map(|property| builder.add_text_field(property.name(), exact().set_fast("raw"))),
        ok_at: builder.add_i64_field(OK_AT, tantivy::schema::FAST),
        failed_at: builder.add_i64_field(FAILED_AT, tantivy::schema::FAST),
    };
    (builder.build(), fields)
}

// Frequencies are kept even where they are always one: without them no block can be skipped.
fn words(builder: &mut SchemaBuilder, name: &str, analyser: &str) -> Field {
    builder.add_text_field(name, indexed(analyser, IndexRecordOption::WithFreqs))
}

fn exact() -> TextOptions {
    let indexing = TextFieldIndexing::default()
        .set_tokenizer("raw")
        .set_index_option(IndexRecordOption::Basic);
    TextOptions::default().set_indexing_options(indexing.set_fieldnorms(false))
}

fn indexed(analyser: &str, option: IndexRecordOption) -> TextOptions {
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(analyser)
        .set_index_option(option);
    TextOptions::default().set_indexing_options(indexing)
}

impl Fields {
    /// The field of a property.
    pub(super) fn property(&self, property: Property) -> Field {
        self.properties[property as usize]
    }

    /// The document of an agent.
    pub(super) fn document(&self, agent: &Agent) -> TantivyDocument {
        let profile = &agent.profile;
        let mut document = TantivyDocument::default();
        document.add_text(self.id, agent.id.as_str());
        document.add_text(self.whole_name, text::key(agent.id.as_str()));
        let name = text::key(&profile.name);
        if !name.is_empty() && name != text::key(agent.id.as_str()) {
            document.add_text(self.whole_name, name);
        }
        for (part, content) in texts(profile) {
            let content = text::spread(&content);
            document.add_text(self.words_of(part), &content);
            document.add_text(self.plain, &content);
        }
        for (name, weight) in capabilities(profile) {
            document.add_text(self.claim, claim(&name, weight));
            document.add_text(self.capability, name);
        }
        for property in Property::ALL {
            for value in values(profile, property) {
                document.add_text(self.property(property), value);
            }
        }
        document.add_i64(self.ok_at, agent.liveness.last_ok_at.unwrap_or(0));
        document.add_i64(self.failed_at, agent.liveness.last_failure_at.unwrap_or(0));
        document
    }

    fn words_of(&self, part: Part) -> Field {
        match part {
            Part::Name => self.name,
            Part::Skills | Part::Capabilities | Part::Tags | Part::Org => self.keys,
            Part::Description | Part::Specialty => self.prose,
        }
    }
}

/// A capability together with its weight, as it stands in the column.
pub(super) fn claim(name: &str, weight: u8) -> String {
    format!("{name}\0{weight}")
}

/// A part of a profile that free text is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Name,
    Skills,
    Capabilities,
    Tags,
    Org,
    Description,
    Specialty,
}

impl Part {
    /// The name in answers.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Skills => "skills",
            Self::Capabilities => "capabilities",
            Self::Tags => "tags",
            Self::Org => "org_name",
            Self::Description => "description",
            Self::Specialty => "specialty",
        }
    }
}

/// The searched text of a profile by part, parts without text left out.
pub(super) fn texts(profile: &Profile) -> Vec<(Part, String)> {
    let skills = profile.skills.iter().flat_map(|skill| {
        [
            text::humps(&skill.id),
            Some(skill.id.clone()),
            Some(skill.name.clone()),
        ]
        .into_iter()
        .flatten()
    });
    let capabilities = profile.capabilities.iter().flat_map(|c| {
        [text::humps(&c.name), Some(c.name.clone())]
            .into_iter()
            .flatten()
    });
    let tags = profile
        .tags
        .iter()
        .chain(profile.skills.iter().flat_map(|skill| &skill.tags));
    let said = profile
        .skills
        .iter()
        .flat_map(|skill| std::iter::once(&skill.description).chain(&skill.examples));
    let mut prose: String = std::iter::once(&profile.description)
        .chain(said)
        .cloned()
        .collect::<Vec<_>>()
        .join("\n");
    prose.truncate(prose.floor_char_boundary(LONGEST_PROSE));
    let parts = [
        (Part::Name, profile.name.clone()),
        (Part::Skills, skills.collect::<Vec<_>>().join("\n")),
        (
            Part::Capabilities,
            capabilities.collect::<Vec<_>>().join("\n"),
        ),
        (
            Part::Tags,
            tags.map(String::as_str)
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect::<Vec<_>>()
                .join("\n"),
        ),
        (Part::Org, profile.org_name.clone().unwrap_or_default()),
        (Part::Description, prose),
        (Part::Specialty, profile.specialty.clone()),
    ];
    parts
        .into_iter()
        .filter(|(_, text)| !text.trim().is_empty())
        .collect()
}

/// What an agent can do, by key, with weights of 1 to 3. One that names no capabilities
/// (imported cards never do) is taken by its skills and tags, at weight 1.
pub(super) fn capabilities(profile: &Profile) -> BTreeMap<String, u8> {
    let mut found = BTreeMap::new();
    for capability in &profile.capabilities {
        let weight = found.entry(text::key(&capability.name)).or_insert(1);
        *weight = capability.weight.clamp(*weight, 3);
    }
    if found.is_empty() {
        let skills = profile
            .skills
            .iter()
            .flat_map(|skill| [&skill.id, &skill.name]);
        found.extend(skills.map(|name| (text::key(name), 1)));
        found.extend(
            values(profile, Property::Tag)
                .into_iter()
                .map(|tag| (tag, 1)),
        );
    }
    found.remove("");
    found
}

/// The values of a property by key, without doubles.
pub(super) fn values(profile: &Profile, property: Property) -> BTreeSet<String> {
    let skills = &profile.skills;
    let mut found: BTreeSet<String> = match property {
        Property::Skill => skills
            .iter()
            .flat_map(|s| [text::key(&s.id), text::key(&s.name)])
            .collect(),
        Property::Tag => profile
            .tags
            .iter()
            .chain(skills.iter().flat_map(|s| &s.tags))
            .map(|t| text::key(t))
            .collect(),
        Property::Org => profile
            .org_name
            .iter()
            .map(|name| text::org_key(name))
            .collect(),
        Property::Protocol => [profile.message_protocol.as_str().to_owned()].into(),
        Property::Rail => profile
            .settlement_rail
            .iter()
            .map(|rail| text::key(rail))
            .collect(),
        Property::Input => {
            let modes = profile
                .input_modes
                .iter()
                .chain(skills.iter().flat_map(|s| &s.input_modes));
            modes.map(|mode| text::media_key(mode)).collect()
        }
        Property::Output => {
            let modes = profile
                .output_modes
                .iter()
                .chain(skills.iter().flat_map(|s| &s.output_modes));
            modes.map(|mode| text::media_key(mode)).collect()
        }
    };
    found.remove("");
    found
}
