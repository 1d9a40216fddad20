//! How often a schema may look at one value: the bound that keeps schemas that fan out from taking for ever.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use crate::terms::parse::MAX_DEPTH;

/// Keywords whose one schema looks at the same value.
const SAME: [&str; 4] = ["not", "if", "then", "else"];
/// Keywords whose schemas, listed or named, look at the same value.
const SAME_MANY: [&str; 5] = [
    "allOf",
    "anyOf",
    "oneOf",
    "dependentSchemas",
    "dependencies",
];
/// Keywords whose schema, or schemas, look at every child.
const CHILD: [&str; 10] = [
    "items",
    "prefixItems",
    "additionalItems",
    "unevaluatedItems",
    "contains",
    "patternProperties",
    "additionalProperties",
    "unevaluatedProperties",
    "propertyNames",
    "contentSchema",
];
/// Steps of the estimate itself.
const BUDGET: u64 = 2_000_000;

/// The most looks at the values on one way from the root of a payload to its deepest value.
///
/// A keyword counts once; members of other names lie on other ways, so of `properties` the dearest counts.
/// `u64::MAX` where there is no bound, or where finding it takes too long.
pub(super) fn bound(schema: &Value) -> u64 {
    let mut cost = Cost {
        root: schema,
        known: HashMap::new(),
        budget: BUDGET,
    };
    cost.of(schema, MAX_DEPTH)
}

struct Cost<'s> {
    root: &'s Value,
    /// By schema and by how deep the value below it may still be.
    known: HashMap<(usize, usize), u64>,
    budget: u64,
}

/// What one schema and all that look at the same value with it do.
#[derive(Default)]
struct Looks<'s> {
    own: u64,
    any_child: u64,
    by_name: HashMap<&'s str, u64>,
    /// Schemas on the way here, on the same value.
    open: HashSet<usize>,
}

impl<'s> Cost<'s> {
    fn of(&mut self, schema: &'s Value, depth: usize) -> u64 {
        let place = (std::ptr::from_ref(schema).addr(), depth);
        if let Some(known) = self.known.get(&place) {
            return *known;
        }
        let mut looks = Looks::default();
        self.collect(schema, depth, &mut looks);
        let dearest = looks.by_name.values().copied().max().unwrap_or(0);
        let cost = looks
            .own
            .saturating_add(looks.any_child)
            .saturating_add(dearest);
        self.known.insert(place, cost);
        cost
    }

    fn collect(&mut self, schema: &'s Value, depth: usize, looks: &mut Looks<'s>) {
        let address = std::ptr::from_ref(schema).addr();
        if self.budget == 0 || !looks.open.insert(address) {
            // A schema that comes back to itself on the same value has no bound.
            looks.own = u64::MAX;
            return;
        }
        self.budget -= 1;
        if let Value::Object(members) = schema {
            for (keyword, value) in members {
                looks.own = looks.own.saturating_add(1);
                self.keyword(keyword, value, depth, looks);
            }
        }
        looks.open.remove(&address);
    }

    fn keyword(&mut self, keyword: &str, value: &'s Value, depth: usize, looks: &mut Looks<'s>) {
        if matches!(keyword, "$ref" | "$dynamicRef") {
            if let Some(target) = value.as_str().and_then(|text| target(self.root, text)) {
                self.collect(target, depth, looks);
            }
        } else if SAME.contains(&keyword) {
            self.collect(value, depth, looks);
        } else if SAME_MANY.contains(&keyword) {
            for schema in each(value) {
                self.collect(schema, depth, looks);
            }
        } else if let Some(below) = depth.checked_sub(1) {
            self.children(keyword, value, below, looks);
        }
    }

    fn children(&mut self, keyword: &str, value: &'s Value, below: usize, looks: &mut Looks<'s>) {
        if keyword == "properties" {
            for (name, schema) in value.as_object().into_iter().flat_map(Map::iter) {
                let cost = self.of(schema, below);
                let known = looks.by_name.entry(name).or_default();
                *known = known.saturating_add(cost);
            }
        } else if CHILD.contains(&keyword) {
            let many = value.is_array() || keyword == "patternProperties";
            let schemas = if many { each(value) } else { vec![value] };
            for schema in schemas {
                let cost = self.of(schema, below);
                looks.any_child = looks.any_child.saturating_add(cost);
            }
        }
    }
}

fn each(schemas: &Value) -> Vec<&Value> {
    match schemas {
        Value::Array(items) => items.iter().collect(),
        Value::Object(map) => map.values().collect(),
        _ => Vec::new(),
    }
}

/// The schema that a local reference names: a pointer, an `$anchor` or an `$id` within the document.
fn target<'s>(root: &'s Value, reference: &str) -> Option<&'s Value> {
    if reference == "#" {
        return Some(root);
    }
    match reference.strip_prefix('#') {
        Some(pointer) if pointer.starts_with('/') => root.pointer(pointer),
        Some(anchor) => search(root, anchor),
        None => search(root, reference),
    }
}

fn search<'s>(schema: &'s Value, name: &str) -> Option<&'s Value> {
    match schema {
        Value::Object(members) => {
            let named = ["$anchor", "$dynamicAnchor", "$id"].iter().any(|keyword| {
                members
                    .get(*keyword)
                    .and_then(Value::as_str)
                    .is_some_and(|text| text.trim_start_matches('#') == name)
            });
            if named {
                return Some(schema);
            }
            members.values().find_map(|value| search(value, name))
        }
        Value::Array(items) => items.iter().find_map(|value| search(value, name)),
        _ => None,
    }
}
