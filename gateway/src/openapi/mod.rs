//! The OpenAPI document: what the framework generates, lifted to 3.1 and completed.
//!
//! The framework has no examples for answers and no way to say which failures an operation
//! has; both are added here from tables, and each failure gets an example of its own.

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};

use crate::problem::Problem;

mod examples;
mod failures;

/// The finished document, pretty-printed, ending with a line end.
#[must_use]
pub fn finish(generated: &str) -> String {
    // The framework's own output is JSON.
    let Generated { paths, rest } = serde_json::from_str(generated).unwrap_or_default();
    let mut document = Value::Object(rest);
    document["paths"] = Value::Object(paths.0);
    document["openapi"] = json!("3.1.0");
    document["info"]["license"] = json!({ "name": "Apache-2.0", "identifier": "Apache-2.0" });
    for schema in document
        .pointer_mut("/components/schemas")
        .and_then(Value::as_object_mut)
        .into_iter()
        .flatten()
    {
        lift(schema.1);
    }
    for item in document["paths"].as_object_mut().into_iter().flatten() {
        for (_, operation) in item.1.as_object_mut().into_iter().flatten() {
            complete(operation);
        }
    }
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

/// The framework's document.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Generated {
    paths: Paths,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// The framework writes a path once for each struct that has doors there; all of them count.
#[derive(Default)]
struct Paths(Map<String, Value>);

impl<'de> Deserialize<'de> for Paths {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Merge;
        impl<'de> Visitor<'de> for Merge {
            type Value = Paths;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of paths")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Paths, A::Error> {
                let mut paths: Map<String, Value> = Map::new();
                while let Some((path, methods)) = map.next_entry::<String, Map<String, Value>>()? {
                    let known = paths.entry(path).or_insert_with(|| json!({}));
                    if let Some(known) = known.as_object_mut() {
                        known.extend(methods);
                    }
                }
                Ok(Paths(paths))
            }
        }
        deserializer.deserialize_map(Merge)
    }
}

/// 3.0 to 3.1: what may be absent may be null, in the words of JSON Schema.
fn lift(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            let required = members.get("required").cloned().unwrap_or_default();
            for (name, property) in members
                .get_mut("properties")
                .and_then(Value::as_object_mut)
                .into_iter()
                .flatten()
            {
                lift(property);
                let optional = !required
                    .as_array()
                    .is_some_and(|list| list.iter().any(|item| item == name));
                // The framework writes `null` as the default of whatever may be left out.
                if property.get("default").is_some_and(Value::is_null)
                    && let Some(members) = property.as_object_mut()
                {
                    members.remove("default");
                }
                if optional && property.get("default").is_none() {
                    allow_null(property);
                }
            }
            for (name, member) in members.iter_mut() {
                if name != "properties" {
                    lift(member);
                }
            }
            if members.remove("nullable") == Some(Value::Bool(true)) {
                allow_null(schema);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(lift),
        _ => {}
    }
}

fn allow_null(schema: &mut Value) {
    let Some(members) = schema.as_object_mut() else {
        return;
    };
    match members.get("type").cloned() {
        Some(Value::String(kind)) => {
            members.insert("type".to_owned(), json!([kind, "null"]));
            if let Some(Value::Array(words)) = members.get_mut("enum") {
                words.push(Value::Null);
            }
        }
        Some(_) => {}
        // No type at all takes null as it is.
        None if members.keys().all(|name| name == "description") => {}
        None => {
            let description = members.remove("description");
            let inner = std::mem::take(members);
            members.insert("anyOf".to_owned(), json!([inner, { "type": "null" }]));
            members.extend(description.map(|text| ("description".to_owned(), text)));
        }
    }
}

fn complete(operation: &mut Value) {
    let id = operation["operationId"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    let example = examples::of(&id);
    if let Some(body) = operation.pointer_mut("/requestBody/content/application~1json") {
        lift(&mut body["schema"]);
        if let Some(request) = &example.request {
            body["example"] = request.clone();
        }
    }
    let Some(responses) = operation["responses"].as_object_mut() else {
        return;
    };
    let failed = responses.remove("default");
    for (status, response) in responses.iter_mut() {
        // An answer without a body has no content to speak of.
        for content in response
            .get_mut("content")
            .and_then(Value::as_object_mut)
            .into_iter()
            .flatten()
            .map(|(_, content)| content)
        {
            lift(&mut content["schema"]);
            if let Some(answer) = example.answers.get(status) {
                content["example"] = answer.clone();
            }
        }
    }
    for (status, description, content) in failures::of(&id) {
        let response = responses
            .entry(status)
            .or_insert_with(|| json!({ "description": description }));
        for (media_type, body) in content {
            response["content"][media_type] = body;
        }
    }
    drop(failed);
    responses.sort_keys();
}

/// A problem as an example shows it.
fn example_of(problem: &Problem) -> Value {
    problem.body("req_01kbd4n7y0example000000000")
}

/// An object with one member.
fn single(name: &str, value: Value) -> Map<String, Value> {
    Map::from_iter([(name.to_owned(), value)])
}
