//! What a card declares about itself: its layout, its version, and bindings in any spelling.

use serde_json::Value;

use super::{Binding, WarningCode, fields::Notes};

/// How the addresses are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// `url` and what belongs to it: 0.3 and older.
    Flat,
    /// `supportedInterfaces` only: 1.0.
    List,
    /// Both.
    Hybrid,
}

/// A version as it is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Declared {
    /// Not there, or nothing that could be a version.
    Missing,
    /// Below 0.3.
    Old,
    /// 0.3 up to, not including, 1.0.
    Zero,
    /// 1.x.
    One,
    /// 2 and above.
    Later,
}

pub(super) fn declared(value: &Value) -> Declared {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return Declared::Missing,
    };
    let mut parts = text.strip_prefix(['v', 'V']).unwrap_or(&text).split('.');
    let major = parts.next().and_then(|part| part.parse::<u32>().ok());
    let minor = parts
        .next()
        .map_or(Some(0), |part| part.parse::<u32>().ok());
    match (major, minor) {
        (Some(0), Some(minor)) if minor < 3 => Declared::Old,
        (Some(0), Some(_)) => Declared::Zero,
        (Some(1), Some(_)) => Declared::One,
        (Some(_), Some(_)) => Declared::Later,
        _ => Declared::Missing,
    }
}

pub(super) fn note_version(
    declared: Declared,
    layout: Layout,
    usable_list: bool,
    notes: &mut Notes,
) {
    let pointer = "/protocolVersion";
    match (layout, declared) {
        (Layout::Flat, Declared::Missing) => {
            notes.add(
                WarningCode::VersionMissing,
                "",
                "No protocolVersion; read as 0.3.",
            );
        }
        (Layout::Flat | Layout::Hybrid, Declared::Old) => {
            notes.add(
                WarningCode::VersionOld,
                pointer,
                "The version is below 0.3; read as 0.3.",
            );
        }
        (Layout::Flat, Declared::One | Declared::Later) => {
            let detail = "The card declares 1.0 or later in the layout of 0.3; read as 0.3.";
            notes.add(WarningCode::VersionShapeMismatch, pointer, detail);
        }
        (Layout::List, Declared::Old | Declared::Zero) if usable_list => {
            let detail = "The card declares 0.x in the layout of 1.0; read as 1.0.";
            notes.add(WarningCode::VersionShapeMismatch, pointer, detail);
        }
        (Layout::List, Declared::One | Declared::Later) if !usable_list => {
            let detail = "The card declares 1.0 or later, and no interface of its list is usable.";
            notes.add(WarningCode::VersionShapeMismatch, pointer, detail);
        }
        _ => {}
    }
}

/// A binding by any of its spellings; the flag says that it was not the standard one.
pub(super) fn binding(text: &str) -> Option<(Binding, bool)> {
    let plain: String = text
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .take(16)
        .collect::<String>()
        .to_ascii_uppercase();
    let binding = match plain.as_str() {
        "JSONRPC" | "JSONRPC2" | "JSONRPC20" => Binding::JsonRpc,
        "HTTPJSON" | "REST" | "RESTHTTP" | "HTTPREST" => Binding::HttpJson,
        "GRPC" => Binding::Grpc,
        _ => return None,
    };
    Some((binding, text != binding.as_str()))
}
