//! Finds the values that the terms speak of, and of them the ones that do not simply fit.

use std::collections::{HashMap, HashSet};

use super::declare::{Direction, Field, Rules};
use super::rule::Rule;
use super::sugar::{self, Key};
use super::tree::{Member, Tree};

/// A value that a rule speaks of.
pub(super) struct Site<'s> {
    pub rule: &'s Rule,
    pub path: Vec<usize>,
    pub value: &'s Tree<'s>,
    pub given: Given<'s>,
}

/// Where the unit of a value comes from.
pub(super) enum Given<'s> {
    /// A member of the payload names it.
    Member(Vec<usize>, &'s Tree<'s>),
    /// The caller's own terms; where the payload should have said it, if there is such a place.
    Caller(&'s Rule, Option<(Vec<usize>, String)>),
    /// Nobody names it, and nobody has to.
    Fixed,
    /// Nobody names it; the name of the member that should.
    Missing(String),
    /// No value: a unit that stands beside nothing it could be the unit of.
    Orphan,
}

/// What the caller's `terms[]` say of a value, by the value's address.
type ByNode<'s> = HashMap<usize, (&'s Rule, Option<(Vec<usize>, &'s Tree<'s>)>)>;

/// All sites that need a closer look; with `first_only` at most one, and none that fits.
pub(super) fn sites<'s>(
    rules: &'s Rules,
    caller: Option<&'s Rules>,
    direction: Direction,
    tree: &'s Tree<'s>,
    first_only: bool,
) -> Vec<Site<'s>> {
    let mut finder = Finder {
        rules,
        caller,
        by_node: ByNode::new(),
        covered: HashSet::new(),
        path: Vec::new(),
        scopes: Vec::new(),
        found: Vec::new(),
        first_only,
    };
    if let Some(caller) = caller {
        finder.note_caller(caller, tree);
    }
    let fields = rules.fields.iter();
    for field in fields.filter(|field| field.direction.covers(direction)) {
        if !finder.field(field, tree) {
            return finder.found;
        }
    }
    if !rules.sugar.is_empty() {
        finder.descend(tree, None);
    }
    finder.found
}

/// An enclosing object, and which of its unit members served a value.
struct Scope<'s> {
    depth: usize,
    members: &'s [Member<'s>],
    served: [bool; 3],
}

struct Finder<'s> {
    rules: &'s Rules,
    caller: Option<&'s Rules>,
    by_node: ByNode<'s>,
    /// Addresses of values and units that `terms[]` speak of: the short keys leave them alone.
    covered: HashSet<usize>,
    path: Vec<usize>,
    scopes: Vec<Scope<'s>>,
    found: Vec<Site<'s>>,
    first_only: bool,
}

impl<'s> Finder<'s> {
    fn note_caller(&mut self, caller: &'s Rules, tree: &'s Tree<'s>) {
        for field in &caller.fields {
            field.pattern.visit(tree, &mut |value, trail| {
                let unit = field
                    .unit_at
                    .as_ref()
                    .and_then(|unit| unit.resolve(tree, &trail.stars));
                self.by_node
                    .entry(address(value))
                    .or_insert((&field.rule, unit));
                true
            });
        }
    }

    /// Looks at every value of an entry of `terms[]`; `false` ends the search.
    fn field(&mut self, field: &'s Field, tree: &'s Tree<'s>) -> bool {
        let sugared = !self.rules.sugar.is_empty();
        field.pattern.visit(tree, &mut |value, trail| {
            let unit = field
                .unit_at
                .as_ref()
                .map(|at| (at, at.resolve(tree, &trail.stars)));
            if sugared {
                self.covered.insert(address(value));
                if let Some((_, Some((_, unit)))) = &unit {
                    self.covered.insert(address(unit));
                }
            }
            if matches!(value, Tree::Null) {
                return true;
            }
            let of_caller = self.by_node.get(&address(value)).cloned();
            let given = match (unit, of_caller) {
                (Some((_, Some((path, node)))), _) if !matches!(node, Tree::Null) => {
                    Given::Member(path, node)
                }
                (_, Some((_, Some((path, node))))) if !matches!(node, Tree::Null) => {
                    Given::Member(path, node)
                }
                (Some((at, _)), Some((rule, _))) => {
                    let home = at.home(tree, &trail.stars);
                    Given::Caller(rule, home.map(|(path, name)| (path, name.to_owned())))
                }
                (Some((at, _)), None) => Given::Missing(super::pointer::last_name(at.as_str())),
                (None, Some((rule, _))) => Given::Caller(rule, None),
                (None, None) => self.convention(&field.rule),
            };
            self.judge(&field.rule, value, &trail.path, given)
        })
    }

    /// Without a word about the very value, the caller's short keys hold for dates alone: every
    /// other entry without a `unit_pointer` is sent in the receiver's unit.
    fn convention(&self, rule: &Rule) -> Given<'s> {
        let date = self.caller.and_then(|caller| caller.sugar.date.as_ref());
        match (rule.date(), date) {
            (Some(_), Some(date)) => Given::Caller(date, None),
            _ => Given::Fixed,
        }
    }

    /// Walks a value; `key` is the short key that its member name, or its array's, belongs to.
    fn descend(&mut self, tree: &'s Tree<'s>, key: Option<Key>) -> bool {
        match tree {
            Tree::Object(members) => self.object(members),
            Tree::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.path.push(index);
                    let more = self.descend(item, key);
                    self.path.pop();
                    if !more {
                        return false;
                    }
                }
                true
            }
            Tree::Null => true,
            scalar => key.is_none_or(|key| self.scalar(scalar, key)),
        }
    }

    fn object(&mut self, members: &'s [Member<'s>]) -> bool {
        self.scopes.push(Scope {
            depth: self.path.len(),
            members,
            served: [false; 3],
        });
        for (index, (name, value)) in members.iter().enumerate() {
            let key =
                Key::of_value(name.as_str()).filter(|key| self.rules.sugar.rule(*key).is_some());
            self.path.push(index);
            let more = self.descend(value, key);
            self.path.pop();
            if !more {
                return false;
            }
        }
        match self.scopes.pop() {
            Some(scope) => self.orphans(&scope),
            None => true,
        }
    }

    fn scalar(&mut self, value: &'s Tree<'s>, key: Key) -> bool {
        let Some(rule) = self.rules.sugar.rule(key) else {
            return true;
        };
        if self.covered.contains(&address(value)) {
            return true;
        }
        let nearest = self.nearest(key);
        if let Some((scope, place)) = nearest {
            // By far the most frequent answer, found without writing down a path.
            let unit = self.scopes[scope].members[place].1.as_str();
            if unit == Some(&rule.text) && rule.number_fits(value) {
                return true;
            }
        }
        let given = self.unit_of(key, value, nearest);
        let path = std::mem::take(&mut self.path);
        let more = self.judge(rule, value, &path, given);
        self.path = path;
        more
    }

    /// The unit member of the nearest enclosing object that has one: which scope, and where in it.
    fn nearest(&mut self, key: Key) -> Option<(usize, usize)> {
        if key == Key::Date {
            return None;
        }
        let (scope, place) = self
            .scopes
            .iter()
            .enumerate()
            .rev()
            .find_map(|(index, scope)| {
                sugar::unit_place(scope.members, key).map(|place| (index, place))
            })?;
        self.scopes[scope].served[served(key)] = true;
        Some((scope, place))
    }

    /// The unit member that was found, else what the caller declared.
    fn unit_of(&self, key: Key, value: &Tree<'_>, nearest: Option<(usize, usize)>) -> Given<'s> {
        if let Some((scope, place)) = nearest {
            let scope = &self.scopes[scope];
            let mut path = self.path[..scope.depth].to_vec();
            path.push(place);
            return Given::Member(path, &scope.members[place].1);
        }
        if let Some((rule, unit)) = self.by_node.get(&address(value)) {
            return match unit {
                Some((path, node)) => Given::Member(path.clone(), node),
                None => Given::Caller(rule, self.beside(key)),
            };
        }
        let own = self.caller.and_then(|caller| caller.sugar.rule(key));
        match (own, key) {
            (Some(rule), _) => Given::Caller(rule, self.beside(key)),
            (None, Key::Date) => Given::Fixed,
            (None, _) => Given::Missing(key.as_str().to_owned()),
        }
    }

    /// Where the unit member of a value would stand: in the object that holds the value.
    fn beside(&self, key: Key) -> Option<(Vec<usize>, String)> {
        let scope = self.scopes.last().filter(|_| key != Key::Date)?;
        Some((self.path[..scope.depth].to_vec(), key.as_str().to_owned()))
    }

    /// A unit of another kind than declared, beside no value of ours, is a difference that no number shows.
    fn orphans(&mut self, scope: &Scope<'s>) -> bool {
        for key in [Key::Currency, Key::Weight, Key::Quantity] {
            let Some(rule) = self.rules.sugar.rule(key) else {
                continue;
            };
            let place = sugar::unit_place(scope.members, key);
            let Some((place, value)) = place.map(|place| (place, &scope.members[place])) else {
                continue;
            };
            let (name, value) = (value.0.as_str(), &value.1);
            // `unit` alone may be the unit of anything.
            let fits = name == "unit" || value.as_str() == Some(&rule.text);
            if scope.served[served(key)] || fits || self.covered.contains(&address(value)) {
                continue;
            }
            let mut path = self.path[..scope.depth].to_vec();
            path.push(place);
            self.found.push(Site {
                rule,
                path,
                value,
                given: Given::Orphan,
            });
            if self.first_only {
                return false;
            }
        }
        true
    }

    /// Keeps what needs a closer look; `false` ends the search.
    fn judge(
        &mut self,
        rule: &'s Rule,
        value: &'s Tree<'s>,
        path: &[usize],
        given: Given<'s>,
    ) -> bool {
        let fits = fits(rule, value, &given);
        // In the whole check a unit that only the caller's terms know is written down as well.
        let to_write = !self.first_only && matches!(given, Given::Caller(_, Some(_)));
        if fits && !to_write {
            return true;
        }
        self.found.push(Site {
            rule,
            path: path.to_vec(),
            value,
            given,
        });
        !self.first_only
    }
}

/// Whether a value needs no correction.
pub(super) fn fits(rule: &Rule, value: &Tree<'_>, given: &Given<'_>) -> bool {
    if let Some(format) = rule.date() {
        let own = match given {
            Given::Caller(own, _) => own.date().filter(|own| *own != format),
            _ => None,
        };
        return match own.and_then(|own| own.read(value)) {
            // The caller's word decides what the text means, even where it looks like ours.
            Some(moment) => format.read(value) == Some(moment),
            None => format.read(value).is_some(),
        };
    }
    let unit = match given {
        Given::Member(_, node) => node.as_str() == Some(&rule.text),
        Given::Caller(own, _) => own.same_measure(rule),
        Given::Fixed => true,
        Given::Missing(_) | Given::Orphan => false,
    };
    unit && rule.number_fits(value)
}

const fn served(key: Key) -> usize {
    match key {
        Key::Currency | Key::Date => 0,
        Key::Weight => 1,
        Key::Quantity => 2,
    }
}

/// Tells one value of a tree from another for as long as the tree is borrowed.
fn address(tree: &Tree<'_>) -> usize {
    std::ptr::from_ref(tree).addr()
}
