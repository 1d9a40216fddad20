//! What the command line takes and refuses, as a user types it.

use clap::{CommandFactory as _, Parser};

use super::ClientCommand;

#[derive(Debug, Parser)]
#[command(name = "guildhall")]
struct Guildhall {
    #[command(subcommand)]
    command: ClientCommand,
}

fn parse(line: &str) -> Result<ClientCommand, clap::Error> {
    let words = line.split_whitespace();
    Guildhall::try_parse_from(std::iter::once("guildhall").chain(words))
        .map(|program| program.command)
}

#[test]
fn the_definition_is_sound() {
    Guildhall::command().debug_assert();
}

#[test]
fn good_lines_are_taken() {
    for line in [
        "register --id a --email me@example.org --endpoint https://x.example.org --capability translation:3",
        "register --card-url https://x.example.org/card --email me@example.org --json",
        "register --id a --public-key AAAA --endpoint https://x --speaks a2a-1.0 --method post",
        "import https://x.example.org --register --url http://127.0.0.1:9",
        "import -",
        "match translate to german --limit 5",
        "match --capability a --capability b --all --protocol a2a",
        "verify guildhall-echo",
        "call guildhall-echo --text hello --timeout 2.5 --key k",
        "call x --data {} --key-file f",
    ] {
        assert!(
            parse(line).is_ok(),
            "{line}: {}",
            parse(line).err().map(|e| e.to_string()).unwrap_or_default()
        );
    }
}

#[test]
fn bad_lines_are_wrong_usage() {
    for line in [
        "register --email me@example.org",
        "register --id a",
        "register --id a --email x --capability a:9",
        "register --email x --card a --card-url b",
        "register --id a --email x --speaks a2a-1.0",
        "import",
        "match",
        "match --limit 5",
        "match x --limit 0",
        "match x --protocol carrier-pigeon",
        "verify",
        "call x",
        "call x --text a --data {}",
        "call x --text a --timeout 0",
    ] {
        let error = parse(line).expect_err(line);
        assert_eq!(error.exit_code(), 2, "{line}");
    }
}

/// Every example of every help text must be a line that the program takes.
#[test]
fn examples_of_the_help_are_right() {
    let mut tried = 0;
    for command in Guildhall::command().get_subcommands() {
        let help = command
            .get_after_help()
            .expect("every command has examples")
            .to_string();
        let joined = help.replace("\\\n", " ");
        for line in joined.lines().filter_map(|line| {
            line.split_once("guildhall ")
                .filter(|_| line.starts_with("  "))
        }) {
            let words = shell_words(line.1);
            let parsed =
                Guildhall::try_parse_from(std::iter::once("guildhall".to_owned()).chain(words));
            assert!(
                parsed.is_ok(),
                "{}: {}",
                line.1,
                parsed.err().map(|e| e.to_string()).unwrap_or_default()
            );
            tried += 1;
        }
    }
    assert!(tried >= 15, "{tried}");
}

/// Words as a shell would make them, as far as the examples need it.
fn shell_words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().expect("never empty").push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[test]
fn a_body_says_only_what_was_said() {
    let Ok(ClientCommand::Register(args)) = parse(
        "register --id a --email me@example.org --endpoint https://x --speaks http --capability t:3 --method get",
    ) else {
        panic!("a register command");
    };
    let body: serde_json::Value =
        serde_json::from_str(&args.body().expect("a body")).expect("JSON");
    assert_eq!(
        body,
        serde_json::json!({
            "agent_id": "a", "contact_email": "me@example.org", "endpoint_url": "https://x",
            "http_methods": ["GET"], "capabilities": [{"name": "t", "weight": 3}],
            "message_protocol": "raw", "a2a_compliant": false,
        })
    );
}
