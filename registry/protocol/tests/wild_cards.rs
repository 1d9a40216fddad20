//! Cards as they are found in the world, against the table that lies beside them.
//!
//! The folder is third-party data and not part of this repository. It is looked for in
//! `GUILDHALL_CARDS`, then beside the checkout; without it the test says so and passes.

use std::{
    collections::BTreeSet,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use protocol::a2a::card::{Card, ImportPolicy, Refusal, import};

/// One row of the table.
struct Row {
    file: String,
    reads_as: String,
    expected: String,
}

fn folder() -> Option<PathBuf> {
    let near = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cards");
    let folder = std::env::var_os("GUILDHALL_CARDS").map_or_else(near, PathBuf::from);
    folder.join("INDEX.md").is_file().then_some(folder)
}

fn rows(index: &str) -> Vec<Row> {
    let cells = |line: &str| -> Vec<String> {
        line.trim()
            .trim_matches('|')
            .split('|')
            .map(|cell| cell.trim().to_owned())
            .collect()
    };
    let row = |line: &str| {
        let cells = cells(line);
        let [file, _, _, _, reads_as, expected, ..] = cells.as_slice() else {
            return None;
        };
        file.ends_with(".json").then(|| Row {
            file: file.clone(),
            reads_as: reads_as.clone(),
            expected: expected.clone(),
        })
    };
    index
        .lines()
        .filter(|line| line.starts_with('|'))
        .filter_map(row)
        .collect()
}

/// The outcome in the words of the table: what it reads as, and the result.
fn outcome(result: &Result<Card, Refusal>) -> (String, String) {
    match result {
        Err(refusal) => {
            let kind = refusal
                .kind
                .map_or_else(String::new, |kind| format!(" ({kind})"));
            ("–".into(), format!("refuse: {}{kind}", refusal.code))
        }
        Ok(card) => {
            let interfaces: Vec<String> = card
                .interfaces
                .iter()
                .map(|one| format!("{} {}", one.version, one.binding))
                .collect();
            let codes: BTreeSet<&str> = card.warnings.iter().map(|one| one.code.as_str()).collect();
            let reads_as = if interfaces.is_empty() {
                "none".into()
            } else {
                interfaces.join(", ")
            };
            let codes: Vec<&str> = codes.into_iter().collect();
            let result = match codes.is_empty() {
                true => "import".into(),
                false => format!("import with warnings: {}", codes.join(", ")),
            };
            (reads_as, result)
        }
    }
}

#[test]
fn wild_cards_give_the_outcome_of_their_table() {
    let Some(folder) = folder() else {
        // Written past the capture of the test harness, so that it is seen in a passing run.
        let text =
            b"SKIPPED: wild_cards: no folder of cards; set GUILDHALL_CARDS to test with one\n";
        std::io::stderr()
            .write_all(text)
            .expect("standard error is open");
        return;
    };
    let rows = rows(&fs::read_to_string(folder.join("INDEX.md")).expect("the table is readable"));
    let files = fs::read_dir(&folder)
        .expect("the folder is readable")
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name().to_string_lossy().ends_with(".json"))
        .count();
    assert!(!rows.is_empty(), "the table has no rows");
    assert_eq!(rows.len(), files, "table and folder differ");
    let mut wrong = Vec::new();
    for row in &rows {
        let bytes = fs::read(folder.join(&row.file)).expect("the card is readable");
        let (reads_as, expected) = outcome(&import(&bytes, None, ImportPolicy::default()));
        if (&reads_as, &expected) != (&row.reads_as, &row.expected) {
            wrong.push(format!(
                "{}\n  wanted {} | {}\n  got    {reads_as} | {expected}",
                row.file, row.reads_as, row.expected
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        rows.len(),
        wrong.join("\n")
    );
    println!("{} wild cards read as their table says", rows.len());
}
