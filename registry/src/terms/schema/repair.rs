//! The repairs of schema violations that are certain; everything else is left to the caller.

use super::violation::Case;
use crate::terms::dates::{self, DateFormat};
use crate::terms::edit::{Change, Edit};
use crate::terms::mismatch::Reason;
use crate::terms::parse;
use crate::terms::tree::{Member, Tree};

/// The shortest name in which one other letter is a slip and not another word.
const SHORTEST: usize = 3;

/// The most pairs of names that are compared for one object.
const MAX_PAIRS: usize = 50_000;

/// A repair.
pub(super) struct Repair {
    pub edits: Vec<Edit>,
    /// The new value, where a value changes.
    pub to: Option<Tree<'static>>,
    /// What to do, in words.
    pub hint: String,
}

/// The one certain repair of a violation, if there is one.
pub(super) fn find(case: &Case<'_>) -> Option<Repair> {
    match (case.keyword, case.member) {
        ("type", _) => number(case),
        ("enum", _) => match case.asked? {
            Tree::Array(options) => other_case(case, options),
            _ => None,
        },
        ("const", _) => other_case(case, std::slice::from_ref(case.asked?)),
        ("format", _) => date(case),
        ("additionalProperties" | "unevaluatedProperties", Some(name)) => renamed(case, name),
        ("required", Some(name)) => missing(case, name),
        _ => None,
    }
}

/// Why there is none.
pub(super) fn reason(case: &Case<'_>) -> Reason {
    let wants_number = case.keyword == "type" && case.asked.is_some_and(|asked| wanted(asked).0);
    match case.tree.at(case.path) {
        Some(Tree::String(_)) if wants_number => Reason::NonNumericValue,
        Some(Tree::String(_)) if case.keyword == "format" && date_format(case).is_some() => {
            Reason::AmbiguousDate
        }
        _ => Reason::UnsupportedField,
    }
}

/// Whether a `type` allows numbers, and whether only whole ones.
fn wanted(asked: &Tree<'_>) -> (bool, bool) {
    let has = |name: &str| match asked {
        Tree::Array(items) => items.iter().any(|item| item.as_str() == Some(name)),
        one => one.as_str() == Some(name),
    };
    (has("number") || has("integer"), !has("number"))
}

/// A number in a string.
fn number(case: &Case<'_>) -> Option<Repair> {
    let text = case.tree.at(case.path)?.as_str()?;
    let (number, whole) = wanted(case.asked?);
    let fits = number
        && parse::is_number(text)
        && (!whole || super::compare::Plain::read(text).is_whole());
    fits.then(|| set(case, Tree::number(text), "send the number without quotes"))
}

/// An option in other case.
fn other_case(case: &Case<'_>, options: &[Tree<'static>]) -> Option<Repair> {
    let text = case.tree.at(case.path)?.as_str()?.to_lowercase();
    let mut same = options.iter().filter(|option| {
        option
            .as_str()
            .is_some_and(|known| known.to_lowercase() == text)
    });
    let (one, other) = (same.next()?, same.next());
    other
        .is_none()
        .then(|| set(case, one.clone(), &format!("send {}", one.to_json())))
}

/// A date in another format that has exactly one reading.
fn date(case: &Case<'_>) -> Option<Repair> {
    let wanted = date_format(case)?;
    let readings = dates::readings(case.tree.at(case.path)?);
    let [(_, moment)] = readings.as_slice() else {
        return None;
    };
    let value = wanted.write(moment).ok()?;
    let hint = format!("send {}", value.to_json());
    Some(set(case, value, &hint))
}

fn date_format(case: &Case<'_>) -> Option<DateFormat> {
    match case.asked?.as_str()? {
        "date" => Some(DateFormat::IsoDate),
        "date-time" => Some(DateFormat::Rfc3339),
        _ => None,
    }
}

/// A member that is not known, one slip away from exactly one that is known and absent.
fn renamed(case: &Case<'_>, name: &str) -> Option<Repair> {
    let (members, declared) = names(case)?;
    let mut near = declared
        .iter()
        .map(|(known, _)| known.as_str())
        .filter(|known| one_slip(known, name) && absent(members, known));
    let (known, other) = (near.next()?, near.next());
    (other.is_none() && slips(members, declared, known) == 1)
        .then(|| rename(case, members, name, known))
        .flatten()
}

/// A member that is missing: perhaps misspelt, else perhaps with a declared default.
fn missing(case: &Case<'_>, name: &str) -> Option<Repair> {
    let (members, declared) = names(case)?;
    if slips(members, declared, name) == 1 {
        let slip = members
            .iter()
            .map(|(given, _)| given.as_str())
            .find(|given| one_slip(given, name) && absent(declared, given))?;
        // The same slip must not be one of another declared name as well.
        let others = declared
            .iter()
            .filter(|(known, _)| one_slip(known.as_str(), slip) && absent(members, known.as_str()));
        return (others.count() <= 1)
            .then(|| rename(case, members, slip, name))
            .flatten();
    }
    let (_, schema) = declared.iter().find(|(known, _)| known.as_str() == name)?;
    let value = schema.get("default")?.clone();
    Some(Repair {
        hint: format!("add this member; its default is {}", value.to_json()),
        to: Some(value.clone()),
        edits: vec![Edit {
            path: case.path.to_vec(),
            change: Change::Insert(name.to_owned(), value),
        }],
    })
}

/// The members of the object and those that the schema declares, unless comparing them would take too long.
fn names<'c>(case: &Case<'c>) -> Option<(&'c [Member<'static>], &'c [Member<'static>])> {
    let members = case.tree.at(case.path)?.members()?;
    let declared = case.schema?.get("properties")?.members()?;
    (members.len() * declared.len() <= MAX_PAIRS).then_some((members, declared))
}

/// How many members that nobody declared are one slip away from a declared name.
fn slips(members: &[Member<'_>], declared: &[Member<'_>], known: &str) -> usize {
    members
        .iter()
        .map(|(given, _)| given.as_str())
        .filter(|given| one_slip(given, known) && absent(declared, given))
        .count()
}

fn absent(members: &[Member<'_>], name: &str) -> bool {
    members.iter().all(|(known, _)| known.as_str() != name)
}

fn rename(case: &Case<'_>, members: &[Member<'_>], from: &str, to: &str) -> Option<Repair> {
    let place = crate::terms::tree::place(members, from)?;
    let mut path = case.path.to_vec();
    path.push(place);
    Some(Repair {
        edits: vec![Edit {
            path,
            change: Change::Rename(to.to_owned()),
        }],
        to: None,
        hint: format!("rename {from:?} to {to:?}"),
    })
}

fn set(case: &Case<'_>, value: Tree<'static>, hint: &str) -> Repair {
    Repair {
        edits: vec![Edit::set(case.path.to_vec(), value.clone())],
        to: Some(value),
        hint: hint.to_owned(),
    }
}

/// Whether two names differ by one letter more, less or other, or by two neighbours swapped.
fn one_slip(one: &str, other: &str) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let (short, long) = if one.len() <= other.len() {
        (one, other)
    } else {
        (other, one)
    };
    if short.len() < SHORTEST || long.len() - short.len() > 1 || short == long {
        return false;
    }
    let start = short.iter().zip(&long).take_while(|(a, b)| a == b).count();
    if short.len() < long.len() {
        return short[start..] == long[start + 1..];
    }
    let swapped = start + 1 < short.len()
        && short[start] == long[start + 1]
        && short[start + 1] == long[start]
        && short[start + 2..] == long[start + 2..];
    swapped || short[start + 1..] == long[start + 1..]
}
