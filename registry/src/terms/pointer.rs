//! JSON Pointers (RFC 6901), and patterns in which `*` stands for every item of an array.

use super::tree::{Tree, place};

/// The longest pattern, in bytes.
const MAX_LENGTH: usize = 512;

/// A pointer in which `*` stands for every item of an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    text: Box<str>,
    steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Every,
    Name(Box<str>),
}

/// Where a pattern matched: the places on the way, and those of them that a `*` stood for.
pub(super) struct Trail {
    pub path: Vec<usize>,
    pub stars: Vec<usize>,
}

impl Pattern {
    /// Reads a pattern.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        if text.len() > MAX_LENGTH {
            return Err("a pointer of more than 512 bytes");
        }
        if text.is_empty() {
            return Ok(Self {
                text: "".into(),
                steps: Vec::new(),
            });
        }
        let rest = text
            .strip_prefix('/')
            .ok_or("a JSON Pointer begins with /")?;
        let steps = rest
            .split('/')
            .map(|step| match step {
                "*" => Ok(Step::Every),
                _ => unescape(step).map(|name| Step::Name(name.into())),
            })
            .collect::<Result<_, _>>()?;
        Ok(Self {
            text: text.into(),
            steps,
        })
    }

    /// As declared.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// How many `*` it has.
    pub fn stars(&self) -> usize {
        self.steps
            .iter()
            .filter(|step| **step == Step::Every)
            .count()
    }

    /// Whether the `*` of this pattern are the first ones of the other, at the same places.
    pub fn follows(&self, leader: &Self) -> bool {
        let Some(last) = self.steps.iter().rposition(|step| *step == Step::Every) else {
            return true;
        };
        leader.steps.get(..=last) == self.steps.get(..=last)
    }

    /// Calls `found` for every value that the pattern points at, until it answers `false`.
    pub fn visit<'t>(
        &self,
        tree: &'t Tree<'t>,
        found: &mut dyn FnMut(&'t Tree<'t>, &Trail) -> bool,
    ) -> bool {
        let mut trail = Trail {
            path: Vec::with_capacity(self.steps.len()),
            stars: Vec::new(),
        };
        visit(&self.steps, tree, &mut trail, found)
    }

    /// The value where the `*` stand for the given places.
    pub fn resolve<'t>(
        &self,
        tree: &'t Tree<'t>,
        stars: &[usize],
    ) -> Option<(Vec<usize>, &'t Tree<'t>)> {
        walk(&self.steps, tree, stars)
    }

    /// The object in which the last member would stand, and the member's name.
    pub fn home<'t>(&self, tree: &'t Tree<'t>, stars: &[usize]) -> Option<(Vec<usize>, &str)> {
        let (last, before) = self.steps.split_last()?;
        let (path, parent) = walk(before, tree, stars)?;
        match (last, parent) {
            (Step::Name(name), Tree::Object(_)) => Some((path, name)),
            _ => None,
        }
    }
}

fn walk<'t>(
    steps: &[Step],
    tree: &'t Tree<'t>,
    stars: &[usize],
) -> Option<(Vec<usize>, &'t Tree<'t>)> {
    let mut path = Vec::with_capacity(steps.len());
    let mut stars = stars.iter();
    let mut at = tree;
    for step in steps {
        let next = match step {
            Step::Every => *stars.next()?,
            Step::Name(name) => named(at, name)?,
        };
        path.push(next);
        at = at.child(next)?;
    }
    Some((path, at))
}

fn visit<'t>(
    steps: &[Step],
    tree: &'t Tree<'t>,
    trail: &mut Trail,
    found: &mut dyn FnMut(&'t Tree<'t>, &Trail) -> bool,
) -> bool {
    let Some((first, rest)) = steps.split_first() else {
        return found(tree, trail);
    };
    match first {
        Step::Name(name) => {
            let Some(next) = named(tree, name) else {
                return true;
            };
            let Some(child) = tree.child(next) else {
                return true;
            };
            trail.path.push(next);
            let more = visit(rest, child, trail, found);
            trail.path.pop();
            more
        }
        Step::Every => {
            let Tree::Array(items) = tree else {
                return true;
            };
            for (index, item) in items.iter().enumerate() {
                trail.path.push(index);
                trail.stars.push(index);
                let more = visit(rest, item, trail, found);
                trail.path.pop();
                trail.stars.pop();
                if !more {
                    return false;
                }
            }
            true
        }
    }
}

/// The place of a member, or of an item named by its index without leading zeros.
fn named(tree: &Tree<'_>, name: &str) -> Option<usize> {
    match tree {
        Tree::Object(members) => place(members, name),
        Tree::Array(_) if name == "0" || !name.starts_with(['0', '+']) => name.parse().ok(),
        _ => None,
    }
}

/// The path of places that a plain pointer names.
pub(super) fn path_of(tree: &Tree<'_>, pointer: &str) -> Option<Vec<usize>> {
    let mut path = Vec::new();
    let mut at = tree;
    for step in pointer.split('/').skip(1) {
        let next = named(at, &unescape(step).ok()?)?;
        path.push(next);
        at = at.child(next)?;
    }
    Some(path)
}

/// The pointer of a path of places.
pub(super) fn of_path(tree: &Tree<'_>, path: &[usize]) -> String {
    let mut text = String::new();
    let mut at = Some(tree);
    for &next in path {
        match at {
            Some(Tree::Object(members)) => {
                text.push_str(
                    &members
                        .get(next)
                        .map_or_else(String::new, |(name, _)| step(name.as_str())),
                );
            }
            _ => text.push_str(&format!("/{next}")),
        }
        at = at.and_then(|tree| tree.child(next));
    }
    text
}

/// One step of a pointer: `/` and the escaped name.
pub(super) fn step(name: &str) -> String {
    format!("/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// The name that a pointer ends in, not escaped; empty for the whole document.
pub(super) fn last_name(pointer: &str) -> String {
    let step = pointer.rsplit('/').next().unwrap_or_default();
    unescape(step).unwrap_or_default()
}

fn unescape(step: &str) -> Result<String, &'static str> {
    let mut name = String::with_capacity(step.len());
    let mut characters = step.chars();
    while let Some(character) = characters.next() {
        match character {
            '~' => match characters.next() {
                Some('0') => name.push('~'),
                Some('1') => name.push('/'),
                _ => return Err("after ~ stands 0 or 1"),
            },
            plain => name.push(plain),
        }
    }
    Ok(name)
}
