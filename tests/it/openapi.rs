//! The document is current, complete, and its examples are what its schemas say.

use std::collections::BTreeSet;

use gateway::problem::catalogue::CATALOGUE;
use serde_json::{Value, json};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../openapi/gateway.json");
const CODES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/it/codes.txt");

/// Compares with a checked-in file; `UPDATE=1` rewrites it.
fn same_as_file(file: &str, now: &str) {
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(file, now).expect("written");
    }
    let old = std::fs::read_to_string(file).unwrap_or_default();
    assert!(
        old == now,
        "{file} is stale: run the tests with UPDATE=1 and look at the difference"
    );
}

fn document() -> Value {
    serde_json::from_str(&gateway::document().expect("a document")).expect("JSON")
}

/// Every operation with its path and method.
pub fn operations(document: &Value) -> Vec<(String, String, Value)> {
    let paths = document["paths"].as_object().expect("paths");
    let of_path = |(path, item): (&String, &Value)| {
        let path = path.clone();
        let methods = item.as_object().expect("methods").clone();
        methods
            .into_iter()
            .map(move |(method, operation)| (path.clone(), method, operation))
    };
    paths.iter().flat_map(of_path).collect()
}

#[test]
fn the_checked_in_document_is_current() {
    same_as_file(FILE, &gateway::document().expect("a document"));
}

#[test]
fn the_catalogue_of_codes_changes_only_on_purpose() {
    let line = |entry: &gateway::problem::catalogue::Entry| {
        format!(
            "{:<24} {} {:>6} {:<5} {}\n",
            entry.name, entry.status, entry.rpc, entry.retryable, entry.title
        )
    };
    same_as_file(CODES, &CATALOGUE.iter().map(line).collect::<String>());
}

#[test]
fn every_operation_has_an_id_a_summary_and_examples_that_fit() {
    let document = document();
    let mut ids = BTreeSet::new();
    for (path, method, operation) in operations(&document) {
        let place = format!("{method} {path}");
        let id = operation["operationId"]
            .as_str()
            .unwrap_or_else(|| panic!("{place} has no id"));
        assert!(ids.insert(id.to_owned()), "{id} twice");
        assert!(
            operation["summary"]
                .as_str()
                .is_some_and(|text| !text.is_empty()),
            "{place} has no summary"
        );
        if let Some(body) = operation.pointer("/requestBody/content/application~1json") {
            fits(
                &document,
                &body["schema"],
                &body["example"],
                &format!("{place} request"),
            );
        }
        for (status, response) in operation["responses"].as_object().expect("responses") {
            for (media, content) in response["content"].as_object().into_iter().flatten() {
                if media.starts_with("text/plain") {
                    continue;
                }
                let place = format!("{place} {status} {media}");
                match content["examples"].as_object() {
                    Some(examples) => {
                        for (name, example) in examples {
                            fits(
                                &document,
                                &content["schema"],
                                &example["value"],
                                &format!("{place} {name}"),
                            );
                        }
                    }
                    None => fits(&document, &content["schema"], &content["example"], &place),
                }
            }
        }
    }
}

fn fits(document: &Value, schema: &Value, example: &Value, place: &str) {
    assert!(!example.is_null(), "{place} has no example");
    let whole = json!({ "components": document["components"], "allOf": [schema] });
    let validator = jsonschema::validator_for(&whole).expect(place);
    let errors: Vec<_> = validator
        .iter_errors(example)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{place}: {errors:?}");
}

#[test]
fn every_door_of_the_code_is_in_the_document() {
    let ids: BTreeSet<String> = operations(&document())
        .into_iter()
        .filter_map(|(_, _, operation)| operation["operationId"].as_str().map(str::to_owned))
        .collect();
    let doors = concat!(env!("CARGO_MANIFEST_DIR"), "/../gateway/src/doors");
    let mut found = 0;
    let mut folders = vec![std::path::PathBuf::from(doors)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    for file in files {
        let text = std::fs::read_to_string(file).expect("a file");
        for rest in text.split("operation_id = \"").skip(1) {
            let id = rest.split('"').next().expect("an end");
            assert!(ids.contains(id), "{id} is not in the document");
            found += 1;
        }
    }
    assert_eq!(found, ids.len());
}

#[test]
fn every_code_is_documented_somewhere() {
    let text = document()["paths"].to_string();
    for entry in &CATALOGUE {
        // These belong to no operation: they are what any unknown path or method gets.
        if !["not_found", "method_not_allowed"].contains(&entry.name) {
            assert!(
                text.contains(&format!("\"{}\"", entry.name)),
                "{} is in no operation",
                entry.name
            );
        }
    }
}
