//! What must not be there: forbidden imports, long files, words that belong elsewhere.

use std::path::{Path, PathBuf};

/// Package, folder, and which of ours it may import.
const PACKAGES: [(&str, &str, &[&str]); 7] = [
    ("protocol", "registry/protocol", &[]),
    ("migration", "migration", &[]),
    ("registry", "registry", &["protocol", "migration"]),
    ("indexer", "indexer", &["protocol", "registry"]),
    ("tenants", "gateway/tenants", &["protocol"]),
    (
        "gateway",
        "gateway",
        &["protocol", "migration", "registry", "indexer", "tenants"],
    ),
    (
        "tests",
        "tests",
        &[
            "protocol",
            "migration",
            "registry",
            "indexer",
            "tenants",
            "gateway",
        ],
    ),
];

/// Libraries that a package must not know, and files that may.
const FOREIGN: [(&str, &str, &[&str]); 5] = [
    (
        "poem",
        "gateway",
        &[
            "lib.rs",
            "listen.rs",
            "problem.rs",
            "caller.rs",
            "doors/",
            "views/",
        ],
    ),
    ("sea_orm", "registry", &["store/", "error.rs"]),
    ("tantivy", "registry", &["search/", "error.rs"]),
    ("reqwest", "registry", &["client/"]),
    // The command line talks to the gateway that its user named, as any client does.
    ("reqwest", "gateway", &["cli/", "demo/"]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("a root")
        .to_owned()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All Rust files below the packages.
fn sources() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders: Vec<_> = ["gateway", "registry", "indexer", "migration", "tests"]
        .map(|name| root().join(name))
        .into();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() && path.file_name().is_none_or(|name| name != "node_modules") {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                files.push(path);
            }
        }
    }
    files
}

#[test]
fn the_packages_are_those_and_import_only_what_they_may() {
    let ours: Vec<&str> = PACKAGES.iter().map(|(name, ..)| *name).collect();
    let workspace: toml::Table = read(&root().join("Cargo.toml")).parse().expect("TOML");
    let members = workspace["workspace"]["members"]
        .as_array()
        .expect("a list");
    assert_eq!(members.len(), PACKAGES.len());
    for (name, folder, may) in PACKAGES {
        let manifest: toml::Table = read(&root().join(folder).join("Cargo.toml"))
            .parse()
            .expect("TOML");
        assert_eq!(manifest["package"]["name"].as_str(), Some(name));
        assert!(manifest.get("features").is_none(), "{name} has features");
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            for dependency in manifest
                .get(section)
                .and_then(toml::Value::as_table)
                .into_iter()
                .flatten()
            {
                let dependency = dependency.0.as_str();
                assert!(
                    !ours.contains(&dependency) || may.contains(&dependency),
                    "{name} must not import {dependency}"
                );
            }
        }
    }
}

#[test]
fn libraries_stay_where_they_belong() {
    for (library, package, may) in FOREIGN {
        let folder = root().join(package).join("src");
        for file in sources().iter().filter(|file| file.starts_with(&folder)) {
            let inner = file
                .strip_prefix(&folder)
                .expect("below")
                .to_string_lossy()
                .into_owned();
            let used = read(file).lines().any(|line| {
                let line = line.trim_start();
                !line.starts_with("//")
                    && (line.contains(&format!("{library}::"))
                        || line.contains(&format!("use {library};")))
            });
            let allowed = may
                .iter()
                .any(|place| inner == *place || (place.ends_with('/') && inner.starts_with(place)));
            assert!(
                !used || allowed,
                "{package}/src/{inner} must not know {library}"
            );
        }
    }
}

#[test]
fn files_are_short_and_say_what_they_are_for() {
    for file in sources() {
        let text = read(&file);
        let lines = text.lines().count();
        assert!(
            lines <= 500,
            "{} has {lines} lines: more than one role inside?",
            file.display()
        );
        assert!(
            text.starts_with("//!"),
            "{} does not say what it is for",
            file.display()
        );
    }
}

#[test]
fn only_one_file_names_http_statuses_for_failures() {
    // Answers of success, answers given again and the JSON-RPC doors' envelope are the others.
    let may = [
        "problem.rs",
        "doors/cards.rs",
        "doors/a2a/answer.rs",
        "doors/a2a/open.rs",
        "doors/a2a/rest.rs",
        "doors/frame.rs",
        "doors/idempotency.rs",
    ];
    let folder = root().join("gateway/src");
    for file in sources().iter().filter(|file| file.starts_with(&folder)) {
        let inner = file
            .strip_prefix(&folder)
            .expect("below")
            .to_string_lossy()
            .into_owned();
        let named = read(file).contains("StatusCode::");
        assert!(
            !named
                || may.contains(&inner.as_str())
                || inner.starts_with("cli/")
                || inner.starts_with("demo/"),
            "{inner}"
        );
    }
}

#[test]
fn numbers_stay_exact_and_schemas_fetch_nothing() {
    let workspace: toml::Table = read(&root().join("Cargo.toml")).parse().expect("TOML");
    let dependencies = &workspace["workspace"]["dependencies"];
    assert_eq!(
        dependencies["jsonschema"]["default-features"].as_bool(),
        Some(false)
    );
    assert!(
        !dependencies["serde_json"]
            .to_string()
            .contains("arbitrary_precision")
    );
    let lock = read(&root().join("Cargo.lock"));
    assert!(
        !lock.contains("name = \"referencing-fetch\""),
        "jsonschema resolves remote references"
    );
}

#[test]
fn nothing_is_left_undone_in_the_code() {
    let words = [
        ["TO", "DO"].concat(),
        ["FIX", "ME"].concat(),
        ["unimpl", "emented!"].concat(),
        ["to", "do!("].concat(),
    ];
    for file in sources() {
        let text = read(&file);
        for word in &words {
            assert!(!text.contains(word.as_str()), "{}: {word}", file.display());
        }
    }
}
