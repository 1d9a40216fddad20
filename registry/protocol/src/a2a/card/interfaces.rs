//! The call addresses of a card, whichever layout it has, and the versions it declares.

use serde_json::{Map, Value};
use url::Url;

use super::{
    Binding, ImportPolicy, Interface, WarningCode,
    address::{self, Shape},
    declared::{Declared, Layout, binding, declared, note_version},
    fields::{Notes, cut, known, member},
    sniff::ADDRESS_NAMES,
};
use crate::a2a::Version;

/// More addresses than these are not read.
const MAX_INTERFACES: usize = 64;

/// The longest address that is read, in bytes.
const MAX_URL: usize = 2048;

/// An address before it is judged.
struct Candidate {
    url: String,
    pointer: String,
    binding: Binding,
    version: Version,
    tenant: Option<String>,
}

/// Reads all addresses, preferred first, and judges each.
pub(super) fn read(
    card: &Map<String, Value>,
    from: Option<&Url>,
    policy: ImportPolicy,
    notes: &mut Notes,
) -> (Vec<Interface>, Layout) {
    let declared = known(card, "", "protocolVersion", &[], notes)
        .map_or(Declared::Missing, |(value, _)| declared(value));
    let flat = flat_address(card, notes);
    let list = known(card, "", "supportedInterfaces", &[], notes);
    let listed = list
        .as_ref()
        .is_some_and(|(value, _)| value.as_array().is_some_and(|l| !l.is_empty()));
    let mut found = match &list {
        Some((value, name)) => from_list(value, name, declared, flat.is_some(), notes),
        None => Vec::new(),
    };
    let layout = match (found.is_empty(), &flat) {
        (true, None) if listed => Layout::List,
        (true, _) => Layout::Flat,
        (false, None) => Layout::List,
        (false, Some(_)) => Layout::Hybrid,
    };
    note_version(declared, layout, !found.is_empty(), notes);
    // A flat part that says 1.x beside a usable list only mirrors the list.
    let mirror = layout == Layout::Hybrid && matches!(declared, Declared::One | Declared::Later);
    if !mirror {
        let additional = known(card, "", "additionalInterfaces", &[], notes);
        if flat.is_none() && !listed && additional.is_none() {
            notes.add(WarningCode::UrlMissing, "", "No address to call.");
        }
        if let Some((url, pointer)) = flat {
            from_flat(card, url, pointer, &mut found, notes);
        }
        if let Some((value, name)) = additional {
            from_additional(value, &name, &mut found, notes);
        }
    }
    (judged(found, from, policy, notes), layout)
}

fn judged(
    found: Vec<Candidate>,
    from: Option<&Url>,
    policy: ImportPolicy,
    notes: &mut Notes,
) -> Vec<Interface> {
    let mut out: Vec<Interface> = Vec::new();
    for one in found {
        if out.len() >= MAX_INTERFACES {
            let detail = format!("More than {MAX_INTERFACES} addresses; the rest is not read.");
            notes.add(WarningCode::InterfaceDropped, &one.pointer, detail);
            break;
        }
        if is_known(&out, &one.url, &one) {
            continue;
        }
        let judged = address::judge(&one.url, one.binding, from, policy, &one.pointer, notes);
        // A relative address may turn out to be one that is there already.
        if let Some((url, callable)) = judged.filter(|(url, _)| !is_known(&out, url, &one)) {
            let Candidate {
                binding,
                version,
                tenant,
                ..
            } = one;
            out.push(Interface {
                url,
                binding,
                version,
                tenant,
                callable,
            });
        }
    }
    out
}

fn is_known(out: &[Interface], url: &str, one: &Candidate) -> bool {
    out.iter().any(|known| {
        known.url == url && known.binding == one.binding && known.version == one.version
    })
}

/// The address of the flat part with its pointer.
fn flat_address(card: &Map<String, Value>, notes: &mut Notes) -> Option<(String, String)> {
    let read = |name: &'static str| {
        let text = card.get(name)?.as_str()?.trim();
        (!text.is_empty()).then_some((text, name))
    };
    let [url, preferred, ..] = ADDRESS_NAMES;
    let standard = read(url);
    // `a2aEndpoint` says what it is for, so it wins over a `url` that may be a web site.
    let endpoint =
        read(preferred).filter(|(text, _)| standard.is_none_or(|(standard, _)| standard != *text));
    let (text, name) = endpoint
        .or(standard)
        .or_else(|| ADDRESS_NAMES.iter().skip(2).find_map(|name| read(name)))?;
    let pointer = format!("/{name}");
    if name != url {
        notes.add(
            WarningCode::UrlAlias,
            &pointer,
            format!("The address was taken from {name}."),
        );
    }
    Some((text.to_owned(), pointer))
}

fn drop_interface(pointer: &str, reason: &str, notes: &mut Notes) {
    notes.add(
        WarningCode::InterfaceDropped,
        pointer,
        format!("Not callable: {reason}."),
    );
}

/// Reads one member that names a binding.
fn named_binding(
    value: &Value,
    pointer: &str,
    usual_place: bool,
    notes: &mut Notes,
) -> Option<Binding> {
    let text = value.as_str().unwrap_or_default();
    let Some((binding, unusual)) = binding(text) else {
        let reason = format!("the binding {:?} is not one of A2A's", cut(text, 64));
        drop_interface(pointer, &reason, notes);
        return None;
    };
    if unusual || !usual_place {
        let detail = format!("Read as protocol binding {binding}.");
        notes.add(WarningCode::TransportNormalised, pointer, detail);
    }
    Some(binding)
}

/// Whether an address of this form is worth a candidate.
fn usable(url: &str, binding: Binding, pointer: &str, notes: &mut Notes) -> bool {
    if url.len() > MAX_URL {
        drop_interface(pointer, "the address is too long", notes);
        return false;
    }
    if let Shape::Foreign(reason) = address::shape(url, binding) {
        drop_interface(pointer, reason, notes);
        return false;
    }
    true
}

fn from_list(
    value: &Value,
    name: &str,
    card: Declared,
    has_flat: bool,
    notes: &mut Notes,
) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    let mut all_old = true;
    let entries = value.as_array().map(Vec::as_slice).unwrap_or_default();
    // Without a version of its own an entry has the card's, unless the layout speaks against it.
    let fallback = match card {
        Declared::Old | Declared::Zero if has_flat => Version::V0_3,
        _ => Version::V1_0,
    };
    for (index, entry) in entries.iter().enumerate().take(MAX_INTERFACES * 2) {
        let base = format!("/{name}/{index}");
        let Some((url, binding)) = list_entry(entry, &base, notes) else {
            continue;
        };
        let Some((version, old)) = entry_version(entry, &base, fallback, notes) else {
            continue;
        };
        all_old &= old;
        let tenant = entry
            .get("tenant")
            .and_then(Value::as_str)
            .filter(|text| !text.is_empty());
        let tenant = tenant.map(str::to_owned);
        found.push(Candidate {
            url,
            pointer: format!("{base}/url"),
            binding,
            version,
            tenant,
        });
    }
    if all_old && !found.is_empty() && !has_flat {
        let detail = "The interface list knows only 0.x; its layout is that of 1.0, read as 1.0.";
        notes.add(
            WarningCode::VersionShapeMismatch,
            &format!("/{name}"),
            detail,
        );
        for one in &mut found {
            one.version = Version::V1_0;
        }
    }
    found
}

/// The version of one entry and whether it declares 0.x; `None` when nobody here speaks it.
fn entry_version(
    entry: &Value,
    base: &str,
    fallback: Version,
    notes: &mut Notes,
) -> Option<(Version, bool)> {
    let pointer = format!("{base}/protocolVersion");
    let own = known(entry.as_object()?, base, "protocolVersion", &[], notes)
        .map_or(Declared::Missing, |(value, _)| declared(value));
    match own {
        Declared::Missing => {
            let detail = format!("No version; read as {fallback}.");
            notes.add(WarningCode::InterfaceVersionMissing, base, detail);
            Some((fallback, false))
        }
        Declared::Old => {
            notes.add(WarningCode::VersionOld, &pointer, "Below 0.3; read as 0.3.");
            Some((Version::V0_3, true))
        }
        Declared::Zero => Some((Version::V0_3, true)),
        Declared::One => Some((Version::V1_0, false)),
        Declared::Later => {
            drop_interface(&pointer, "a version nobody here speaks", notes);
            None
        }
    }
}

/// Address and binding of one entry of the list, when both are usable.
fn list_entry(entry: &Value, base: &str, notes: &mut Notes) -> Option<(String, Binding)> {
    let url = entry
        .get("url")
        .and_then(Value::as_str)
        .map(str::trim)
        .filter(|text| !text.is_empty());
    let (Some(url), Some(object)) = (url, entry.as_object()) else {
        drop_interface(base, "an entry without an address", notes);
        return None;
    };
    let right = known(object, base, "protocolBinding", &[], notes);
    let usual_place = right.is_some();
    let named = right
        .map(|(value, _)| value)
        .or_else(|| member(object, "transport"));
    let Some(named) = named else {
        drop_interface(base, "an entry without a binding", notes);
        return None;
    };
    let binding = named_binding(named, base, usual_place, notes)?;
    usable(url, binding, base, notes).then(|| (url.to_owned(), binding))
}

fn from_flat(
    card: &Map<String, Value>,
    url: String,
    pointer: String,
    found: &mut Vec<Candidate>,
    notes: &mut Notes,
) {
    let binding = match known(card, "", "preferredTransport", &[], notes) {
        Some((value, name)) => named_binding(value, &format!("/{name}"), true, notes),
        None => Some(Binding::JsonRpc),
    };
    if let Some(binding) = binding.filter(|binding| usable(&url, *binding, &pointer, notes)) {
        let version = Version::V0_3;
        found.push(Candidate {
            url,
            pointer,
            binding,
            version,
            tenant: None,
        });
    }
}

fn from_additional(value: &Value, name: &str, found: &mut Vec<Candidate>, notes: &mut Notes) {
    let entries = value.as_array().map(Vec::as_slice).unwrap_or_default();
    for (index, entry) in entries.iter().enumerate().take(MAX_INTERFACES * 2) {
        let base = format!("/{name}/{index}");
        let url = entry
            .get("url")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .trim();
        let usual = entry.get("transport").filter(|value| !value.is_null());
        let named = usual.or_else(|| entry.get("protocolBinding"));
        let Some(named) = named.filter(|_| !url.is_empty()) else {
            drop_interface(&base, "an entry without an address or a binding", notes);
            continue;
        };
        let Some(binding) = named_binding(named, &base, usual.is_some(), notes) else {
            continue;
        };
        if usable(url, binding, &base, notes) {
            let (url, pointer) = (url.to_owned(), format!("{base}/url"));
            found.push(Candidate {
                url,
                pointer,
                binding,
                version: Version::V0_3,
                tenant: None,
            });
        }
    }
}
