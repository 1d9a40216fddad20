//! The skills of a card.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::{
    Skill, WarningCode,
    fields::{Notes, cut, known, member, slug, text, texts},
};

/// Limits of one skill: characters of texts, items of lists.
const ID: usize = 128;
const NAME: usize = 256;
const DESCRIPTION: usize = 4096;
const WORD: usize = 64;
const TAGS: usize = 64;
const EXAMPLE: usize = 2048;
const EXAMPLES: usize = 32;
/// Limits of a media type and of a list of them.
pub(super) const MODE: usize = 128;
pub(super) const MODES: usize = 32;

/// Reads all skills; the number of them was checked before.
pub(super) fn read(card: &Map<String, Value>, notes: &mut Notes) -> Vec<Skill> {
    let list = member(card, "skills")
        .and_then(Value::as_array)
        .map(Vec::as_slice);
    let Some(list) = list.filter(|list| !list.is_empty()) else {
        notes.add(WarningCode::SkillsMissing, "", "No skills.");
        return Vec::new();
    };
    let mut skills = Vec::with_capacity(list.len());
    for (index, value) in list.iter().enumerate() {
        let base = format!("/skills/{index}");
        let skill = match value {
            Value::Object(object) => skill(object, &base, index, notes),
            other => plain(other, &base, index, notes),
        };
        skills.push(skill);
    }
    make_distinct(&mut skills);
    skills
}

/// A skill that is no object: its text is the name.
fn plain(value: &Value, base: &str, index: usize, notes: &mut Notes) -> Skill {
    notes.add(WarningCode::SkillNotObject, base, "The skill is no object.");
    let name = text(value, NAME).unwrap_or_default();
    Skill {
        id: made_id(&name, index),
        name,
        ..Skill::default()
    }
}

fn skill(object: &Map<String, Value>, base: &str, index: usize, notes: &mut Notes) -> Skill {
    let mut read = |name: &'static str, limit| {
        let found = known(object, base, name, &[], notes)?.0;
        text(found, limit)
    };
    let (id, name, description) = (
        read("id", ID),
        read("name", NAME),
        read("description", DESCRIPTION),
    );
    if id.is_none() {
        notes.add(
            WarningCode::SkillIdMissing,
            base,
            "No id; made from the name.",
        );
    }
    if name.is_none() || description.is_none() {
        notes.add(
            WarningCode::SkillTextMissing,
            base,
            "No name or no description.",
        );
    }
    let tags = member(object, "tags").filter(|value| value.is_array() || value.is_string());
    if tags.is_none() {
        notes.add(WarningCode::SkillTagsMissing, base, "No tags.");
    }
    let mut modes = |name| {
        known(object, base, name, &[], notes).map_or_else(Vec::new, |(v, _)| texts(v, MODES, MODE))
    };
    let (input_modes, output_modes) = (modes("inputModes"), modes("outputModes"));
    let id = id.unwrap_or_else(|| made_id(name.as_deref().unwrap_or_default(), index));
    Skill {
        name: name.unwrap_or_default(),
        description: description.unwrap_or_default(),
        tags: tags.map_or_else(Vec::new, |value| texts(value, TAGS, WORD)),
        examples: examples(object, base, notes),
        input_modes,
        output_modes,
        id,
    }
}

fn examples(object: &Map<String, Value>, base: &str, notes: &mut Notes) -> Vec<String> {
    let list = match member(object, "examples") {
        Some(Value::Array(list)) => list.as_slice(),
        Some(one) => std::slice::from_ref(one),
        None => return Vec::new(),
    };
    let mut out = Vec::new();
    for (index, value) in list.iter().enumerate().take(EXAMPLES) {
        let example = match value {
            Value::String(text) => cut(text, EXAMPLE),
            Value::Null => continue,
            other => {
                let pointer = format!("{base}/examples/{index}");
                let detail = "The example is no text; kept as JSON text.";
                notes.add(WarningCode::SkillExampleNotText, &pointer, detail);
                cut(&other.to_string(), EXAMPLE)
            }
        };
        if !example.is_empty() {
            out.push(example);
        }
    }
    out
}

fn made_id(name: &str, index: usize) -> String {
    let id = slug(name, ID);
    if id.is_empty() {
        format!("skill-{}", index + 1)
    } else {
        id
    }
}

/// Gives ids that repeat a number, since a call names a skill by its id.
fn make_distinct(skills: &mut [Skill]) {
    let mut seen: HashSet<String> = HashSet::with_capacity(skills.len());
    for (index, skill) in skills.iter_mut().enumerate() {
        if !seen.insert(skill.id.clone()) {
            // The position makes it distinct from every other made id, though not from a malicious
            // one; such a card only confuses its own callers.
            skill.id = format!("{}-{}", cut(&skill.id, ID - 8), index + 1);
            seen.insert(skill.id.clone());
        }
    }
}
