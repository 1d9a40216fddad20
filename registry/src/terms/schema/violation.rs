//! Turns what the validator found into entries of our list, one for each place.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;
use serde_json::Value;

use super::repair;
use crate::terms::edit::Edit;
use crate::terms::mismatch::{Amount, Mismatch, Violation};
use crate::terms::pointer;
use crate::terms::show::{brief, short, shown};
use crate::terms::tree::Tree;

/// A violation as the repairs see it.
pub(super) struct Case<'c> {
    pub tree: &'c Tree<'static>,
    /// The path of the value, or of the object that lacks a member.
    pub path: &'c [usize],
    pub keyword: &'c str,
    /// The value of the keyword in the schema.
    pub asked: Option<&'c Tree<'static>>,
    /// The schema object that holds the keyword.
    pub schema: Option<&'c Tree<'static>>,
    /// The member that is missing or should not be there.
    pub member: Option<&'c str>,
}

/// The entries of one error: one for each member where it names several.
pub(super) fn entries(
    error: &ValidationError<'_>,
    source: &Tree<'static>,
    tree: &Tree<'static>,
) -> Vec<(Mismatch, Vec<Edit>)> {
    let Some(path) = pointer::path_of(tree, error.instance_path().as_str()) else {
        return vec![whole(tree)];
    };
    let schema_path = error.schema_path().as_str();
    let asked = pointer::path_of(source, schema_path).and_then(|path| source.at(&path));
    let schema = schema_path
        .rsplit_once('/')
        .and_then(|(parent, _)| pointer::path_of(source, parent))
        .and_then(|path| source.at(&path));
    let members: Vec<Option<&str>> = match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            unexpected.iter().map(|name| Some(name.as_str())).collect()
        }
        ValidationErrorKind::Required {
            property: Value::String(name),
        } => vec![Some(name.as_str())],
        _ => vec![None],
    };
    members
        .into_iter()
        .map(|member| {
            entry(&Case {
                tree,
                path: &path,
                keyword: error.kind().keyword(),
                asked,
                schema,
                member,
            })
        })
        .collect()
}

/// One entry for a payload whose violations cannot be named one by one.
pub(super) fn whole(tree: &Tree<'static>) -> (Mismatch, Vec<Edit>) {
    entry(&Case {
        tree,
        path: &[],
        keyword: "$ref",
        asked: None,
        schema: None,
        member: None,
    })
}

fn entry(case: &Case<'_>) -> (Mismatch, Vec<Edit>) {
    let object = pointer::of_path(case.tree, case.path);
    let place = match case.member {
        Some(name) => format!("{object}{}", pointer::step(name)),
        None => object,
    };
    let value = case.tree.at(case.path);
    let got = match case.member {
        Some(name) => value.and_then(|value| value.get(name)),
        None => value,
    };
    let got = got.map_or(Tree::Null, short);
    let expected = expected(case);
    let repair = repair::find(case);
    let hint = repair
        .as_ref()
        .map_or_else(|| hint(case), |repair| repair.hint.clone());
    let mut mismatch = Mismatch {
        code: "schema",
        field: pointer::last_name(&place),
        dimension: None,
        caller_value: got.clone(),
        receiver_expects: expected.clone(),
        from: None,
        to: None,
        factor: None,
        rounding: None,
        rate: None,
        lossless: None,
        correction: format!("{}: {hint}.", shown(&place)),
        cannot_convert: None,
        schema: Some(Violation {
            keyword: case.keyword.to_owned(),
            expected,
            got,
            hint,
        }),
        pointer: place,
    };
    match repair {
        Some(repair) => {
            mismatch.lossless = Some(true);
            mismatch.to = repair.to.map(|to| Amount {
                value: to.as_str().map_or_else(|| to.to_json(), str::to_owned),
                unit: None,
            });
            (mismatch, repair.edits)
        }
        None => {
            let reason = repair::reason(case);
            let words = mismatch.correction.clone();
            mismatch.refuse(reason, words);
            (mismatch, Vec::new())
        }
    }
}

fn expected(case: &Case<'_>) -> Tree<'static> {
    match (case.keyword, case.member) {
        ("required" | "dependentRequired" | "dependencies", Some(name)) => {
            Tree::text(&format!("a member {name:?}"))
        }
        (_, Some(_)) => Tree::text("no such member"),
        _ => case.asked.map_or(Tree::Null, short),
    }
}

/// What to do, from the keyword and what it asks for.
fn hint(case: &Case<'_>) -> String {
    let asked = case.asked.map(brief).unwrap_or_default();
    match (case.keyword, case.member) {
        (_, Some(name))
            if case
                .tree
                .at(case.path)
                .and_then(|at| at.get(name))
                .is_some() =>
        {
            "remove this member, or use a name that the schema knows".to_owned()
        }
        (_, Some(_)) => "add this member".to_owned(),
        ("type", _) => format!("send a value of type {asked}"),
        ("enum", _) => format!("send one of {asked}"),
        ("const", _) => format!("send {asked}"),
        ("minimum", _) => format!("send at least {asked}"),
        ("maximum", _) => format!("send at most {asked}"),
        ("exclusiveMinimum", _) => format!("send more than {asked}"),
        ("exclusiveMaximum", _) => format!("send less than {asked}"),
        ("multipleOf", _) => format!("send a multiple of {asked}"),
        ("minLength", _) => format!("send at least {asked} characters"),
        ("maxLength", _) => format!("send at most {asked} characters"),
        ("minItems", _) => format!("send at least {asked} items"),
        ("maxItems", _) => format!("send at most {asked} items"),
        ("minProperties", _) => format!("send at least {asked} members"),
        ("maxProperties", _) => format!("send at most {asked} members"),
        ("uniqueItems", _) => "send no item twice".to_owned(),
        ("pattern", _) => format!("send a text that matches {asked}"),
        ("format", _) => format!("send a text in the format {asked}"),
        ("anyOf", _) => "send one of the shapes that the schema lists under anyOf".to_owned(),
        ("oneOf", _) => {
            "send exactly one of the shapes that the schema lists under oneOf".to_owned()
        }
        ("$ref", _) => "send a value that the receiver's schema allows".to_owned(),
        (keyword, _) => format!("send a value that {keyword} allows"),
    }
}
