//! How often a schema may look at one value: the bound that keeps schemas that fan out from taking for ever.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::references::target;
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
/// The most schemas inside one another on the way to one value: each takes a piece of the stack.
const MAX_HEIGHT: u64 = 250;
/// Steps of the estimate itself.
const BUDGET: u64 = 2_000_000;

/// The most looks at the values on one way from the root of a payload to its deepest value.
///
/// A schema, each of its keywords and each required name count once; members of other names lie on other ways, so of `properties` the dearest counts.
/// `u64::MAX` where there is no bound, where finding it takes too long, or where more than 250 schemas stand
/// inside one another.
pub(super) fn bound(schema: &Value) -> u64 {
    let mut cost = Cost {
        root: schema,
        known: HashMap::new(),
        budget: BUDGET,
        level: 0,
    };
    let looks = cost.of(schema, MAX_DEPTH);
    if looks.height > MAX_HEIGHT {
        return u64::MAX;
    }
    looks.cost
}

/// What looking at a value and everything below it takes.
#[derive(Clone, Copy, Default)]
struct Bound {
    cost: u64,
    height: u64,
}

struct Cost<'s> {
    root: &'s Value,
    /// By schema and by how deep the value below it may still be.
    known: HashMap<(usize, usize), Bound>,
    budget: u64,
    /// How many schemas the estimate itself stands in: it has a stack too.
    level: u64,
}

/// What one schema and all that look at the same value with it do.
#[derive(Default)]
struct Looks<'s> {
    own: u64,
    height: u64,
    any_child: u64,
    by_name: HashMap<&'s str, u64>,
    /// Schemas on the way here, on the same value.
    open: HashSet<usize>,
}

impl Looks<'_> {
    /// A child stands inside all schemas that are open now.
    fn deepen(&mut self, child: Bound) {
        let height = child.height.saturating_add(self.open.len() as u64);
        self.height = self.height.max(height);
    }
}

impl<'s> Cost<'s> {
    fn of(&mut self, schema: &'s Value, depth: usize) -> Bound {
        let place = (std::ptr::from_ref(schema).addr(), depth);
        if let Some(known) = self.known.get(&place) {
            return *known;
        }
        let mut looks = Looks::default();
        self.collect(schema, depth, &mut looks);
        let dearest = looks.by_name.values().copied().max().unwrap_or(0);
        let bound = Bound {
            cost: looks
                .own
                .saturating_add(looks.any_child)
                .saturating_add(dearest),
            height: looks.height,
        };
        self.known.insert(place, bound);
        bound
    }

    fn collect(&mut self, schema: &'s Value, depth: usize, looks: &mut Looks<'s>) {
        let address = std::ptr::from_ref(schema).addr();
        let here = looks.open.len() as u64 + 1;
        looks.height = looks.height.max(here);
        if self.budget == 0 || self.level > MAX_HEIGHT || !looks.open.insert(address) {
            // A schema that comes back to itself on the same value has no bound.
            looks.own = u64::MAX;
            return;
        }
        self.budget -= 1;
        looks.own = looks.own.saturating_add(1);
        self.level += 1;
        if let Value::Object(members) = schema {
            for (keyword, value) in members {
                looks.own = looks.own.saturating_add(1 + names(keyword, value));
                self.keyword(keyword, value, depth, looks);
            }
        }
        looks.open.remove(&address);
        self.level -= 1;
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
                let bound = self.of(schema, below);
                looks.deepen(bound);
                let known = looks.by_name.entry(name).or_default();
                *known = known.saturating_add(bound.cost);
            }
        } else if CHILD.contains(&keyword) {
            let many = value.is_array() || keyword == "patternProperties";
            let schemas = if many { each(value) } else { vec![value] };
            for schema in schemas {
                let bound = self.of(schema, below);
                looks.deepen(bound);
                looks.any_child = looks.any_child.saturating_add(bound.cost);
            }
        }
    }
}

/// Every name of a list of required members is looked up, and may be an error of its own.
fn names(keyword: &str, value: &Value) -> u64 {
    let count = |list: &Value| list.as_array().map_or(0, |list| list.len() as u64);
    match keyword {
        "required" => count(value),
        "dependentRequired" | "dependencies" => each(value).into_iter().map(count).sum(),
        _ => 0,
    }
}

fn each(schemas: &Value) -> Vec<&Value> {
    match schemas {
        Value::Array(items) => items.iter().collect(),
        Value::Object(map) => map.values().collect(),
        _ => Vec::new(),
    }
}
